/* store_pack.h - requests and replies of finished runs, packed.
 *
 * Texts of one run resemble each other: with a dictionary made of some of them (zstd.h) each
 * becomes an eighth of itself and can still be read alone. Packing is a matter of rest, not of
 * work: a run writes plain text, and `db vacuum` and `archive` pack what is finished. What a call
 * says does not change, nor its seal. Answers, turns and verdicts stay plain, for they are
 * searched.
 *
 * Whoever reads call.request and call.response goes through here. Nothing of it can be trusted: an
 * archive is somebody's file. */
#ifndef STORE_STORE_PACK_H
#define STORE_STORE_PACK_H

#include "store/store_work.h"

struct zstd_coder;

/* Dictionaries that were read. Begin with {0}; ends with pack_dictionaries_done(). */
struct pack_dictionaries {
    struct pack_dictionary {
        int64_t id;
        struct zstd_coder *coder;
    } * v;
    size_t n, cap;
    struct arena *arena;
};
void pack_dictionaries_done(struct pack_dictionaries *d);

/* All that the calls of a run were packed with: before a cursor is opened in which they are read.
 */
CHECKED enum status pack_dictionaries_of(struct store *s, int64_t run, struct pack_dictionaries *d,
                                         struct err *e);

/* Columns of a query that stand side by side: request, response, packed, dictionary, plain. Into
 * the call as they are; texts are borrowed from the row, `packed` is in the arena. */
enum { PACK_COLUMNS = 5 };
void pack_columns(struct arena *a, const struct rows *r, int first, struct call_row *call);

/* Set request and response of a call that is packed. Looks for a dictionary that is missing in `d`
 * unless the store is NULL. E_STORE: damaged, or longer than anything that we would have stored. */
CHECKED enum status pack_open(struct store *s, struct pack_dictionaries *d, struct arena *a,
                              struct call_row *call, struct err *e);

/* Pack all runs that are finished, in transactions of a few hundred calls each. */
CHECKED enum status pack_finished(struct store *s, struct err *e);

/* What is packed: how many calls, their bytes before, and now with the dictionaries. */
struct pack_sizes {
    int64_t calls, plain, packed;
};
CHECKED enum status pack_sizes(struct db *db, struct pack_sizes *out, struct err *e);

#endif
