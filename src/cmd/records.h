/* records.h - texts in files of whatever form people keep them in, one at a time.
 *
 * JSON lines, a JSON array (on one line or on many), or plain text with one text per line: the
 * first characters tell. Files of any size are read in the memory of one record. A record that
 * cannot be used is handed out with its fault, so that the caller can say so and go on. Path "-" is
 * stdin. */
#ifndef CMD_RECORDS_H
#define CMD_RECORDS_H

#include "base/file.h"
#include "base/json.h"

enum { RECORD_MAX = 4 << 20 }; /* bytes */
enum records_form { RECORDS_PLAIN, RECORDS_LINES, RECORDS_ARRAY };

struct records {
    struct lines lines; /* of the file, of which records are handed out */
    enum records_form form;
    int64_t line, number; /* where the next one stands; records handed out */
    json_t *value;        /* of the last one */
    bool closed;          /* array: its bracket was read */
};

/* Lent until the next call. */
struct record {
    int64_t line, number; /* where it begins, and how many there were; from 1 */
    struct str text;      /* plain text or a JSON string; else empty */
    const json_t *object; /* NULL when it is a text */
    const char *fault;    /* why it cannot be used, or NULL */
};

CHECKED enum status records_open(struct records *r, const char *path, struct err *e);
void records_close(struct records *r);

/* Called with every record that is left; blank lines are passed over. The arena is emptied after
 * each. An error is the end: unreadable, a record of more than RECORD_MAX bytes, an array without
 * its end. */
typedef enum status record_fn(void *user, struct arena *scratch, const struct record *r,
                              struct err *e);
CHECKED enum status records_each(struct records *r, record_fn *fn, void *user, struct err *e);
/* The same of a whole file. */
CHECKED enum status records_read(const char *path, record_fn *fn, void *user, struct err *e);

/* The text of a record: itself, or the first of the keys that holds one. False: there is none. */
bool record_text(const struct record *r, const char *const *keys, size_t n, struct str *out);

/* What a file calls a text, by an object of it: the first of the keys, other than `taken`, that
 * holds a text; with `words`, one that is not blank. NULL: none. */
const char *record_key(const struct record *r, const char *const *keys, size_t n, const char *taken,
                       bool words);

/* Records that were passed over: the first few are reported, all are counted. */
struct record_faults {
    FILE *to;
    const char *path;
    int64_t n;
};
void record_fault(struct record_faults *f, int64_t line, const char *what);
void record_faults_close(const struct record_faults *f); /* says how many were not reported */

#endif
