/* store_pack.h - compresses requests and replies of finished runs.
 *
 * Texts of one run resemble each other: with a dictionary made from some of them (zstd.h) each
 * shrinks to an eighth and can still be read alone. A run writes plain text; `db vacuum` and
 * `archive` pack the runs that are finished. The contents of a call do not change, nor does its
 * seal. Answers, turns and verdicts stay plain because they are searched.
 *
 * Readers of call.request and call.response must go through here. Packed data cannot be trusted: an
 * archive is a file from somebody else. */
#ifndef STORE_STORE_PACK_H
#define STORE_STORE_PACK_H

#include "store/store_work.h"

struct zstd_coder;

/* Dictionaries read so far. Initialize with {0}; release with pack_dictionaries_done(). */
struct pack_dictionaries {
    struct pack_dictionary {
        int64_t id;
        struct zstd_coder *coder;
    } * v;
    size_t n, cap;
    struct arena *arena;
};
void pack_dictionaries_done(struct pack_dictionaries *d);

/* Reads all dictionaries of a run. Call it before opening a cursor that reads its calls. */
CHECKED enum status pack_dictionaries_of(struct store *s, int64_t run, struct pack_dictionaries *d,
                                         struct err *e);

/* Reads these adjacent columns of a query into the call: request, response, packed, dictionary,
 * plain. Texts are borrowed from the row, `packed` is in the arena. */
enum { PACK_COLUMNS = 5 };
void pack_columns(struct arena *a, const struct rows *r, int first, struct call_row *call);

/* Sets request and response of a packed call. A missing dictionary is added to `d`, unless the
 * store is NULL. E_STORE: the call is damaged, or longer than anything that we would have
 * stored. */
CHECKED enum status pack_open(struct store *s, struct pack_dictionaries *d, struct arena *a,
                              struct call_row *call, struct err *e);

/* Packs all finished runs, in transactions of a few hundred calls. */
CHECKED enum status pack_finished(struct store *s, struct err *e);

/* What is packed: the number of calls, their bytes before, and now, with the dictionaries. */
struct pack_sizes {
    int64_t calls, plain, packed;
};
CHECKED enum status pack_sizes(struct db *db, struct pack_sizes *out, struct err *e);

#endif
