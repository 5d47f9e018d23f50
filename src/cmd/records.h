/* records.h - reads texts one at a time from files in the forms that people have.
 *
 * JSON lines, a JSON array (on one line or many), or plain text with one text per line; the first
 * characters tell which. Memory is bounded by one record, whatever the size of the file. An
 * unusable record is handed out with its fault, so that the caller can report it and continue.
 * Path "-" is stdin. */
#ifndef CMD_RECORDS_H
#define CMD_RECORDS_H

#include "base/file.h"
#include "base/json.h"

enum { RECORD_MAX = 4 << 20 }; /* bytes */
enum records_form { RECORDS_PLAIN, RECORDS_LINES, RECORDS_ARRAY };

struct records {
    struct lines lines; /* of the file, of which records are handed out */
    enum records_form form;
    int64_t line, number; /* line of the next record; records handed out */
    json_t *value;        /* of the last record */
    bool closed;          /* array: its closing bracket was read */
};

/* Lent until the next call. */
struct record {
    int64_t line, number; /* where it begins, and which one it is; from 1 */
    struct str text;      /* plain text or a JSON string; else empty */
    const json_t *object; /* NULL when it is a text */
    const char *fault;    /* why it cannot be used, or NULL */
};

CHECKED enum status records_open(struct records *r, const char *path, struct err *e);
void records_close(struct records *r);

/* Call fn with every remaining record. Blank lines are skipped, and the arena is reset after each
 * call. It ends with an error of fn, an unreadable file, a record of more than RECORD_MAX bytes, or
 * an array without its end. */
typedef enum status record_fn(void *user, struct arena *scratch, const struct record *r,
                              struct err *e);
CHECKED enum status records_each(struct records *r, record_fn *fn, void *user, struct err *e);
/* The same for a whole file. */
CHECKED enum status records_read(const char *path, record_fn *fn, void *user, struct err *e);

/* The text of a record: itself, or that of the first key that holds one. False: there is none. */
bool record_text(const struct record *r, const char *const *keys, size_t n, struct str *out);

/* The first of the keys, other than `taken`, that holds a text in this record; with `words`, one
 * that is not blank. NULL: none. */
const char *record_key(const struct record *r, const char *const *keys, size_t n, const char *taken,
                       bool words);

/* Records that were skipped: the first few are reported, all are counted. */
struct record_faults {
    FILE *to;
    const char *path;
    int64_t n;
};
void record_fault(struct record_faults *f, int64_t line, const char *what);
void record_faults_close(const struct record_faults *f); /* says how many were not reported */

#endif
