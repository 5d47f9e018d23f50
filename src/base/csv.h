/* csv.h - comma-separated values (RFC 4180): reads them record by record, and writes them safely.
 *
 * Quoted fields may contain commas, quotes and line breaks. The separator may also be a semicolon
 * or a tab, as the first record shows. A BOM and CRLF are accepted, empty lines are skipped. Fields
 * are valid UTF-8 and end in NUL. Path "-" is stdin. */
#ifndef BASE_CSV_H
#define BASE_CSV_H

#include "base/file.h"

/* Where a field begins; column in code points. Both from 1. */
struct csv_place {
    int64_t line, column;
};

struct csv {
    struct lines lines; /* of the file */
    struct buf text;    /* of the current record */
    struct str *fields;
    size_t *from; /* offset of each in the record as it is in the file */
    size_t n, cap, from_cap, length;
    int64_t line;   /* where the current record begins, from 1 */
    char separator; /* 0: the first record has not been read */
};

CHECKED enum status csv_open(struct csv *c, const char *path, size_t max_record, struct err *e);
/* Reads the next record into c->fields[0..c->n); *more is false at the end. Valid until the next
 * call. */
CHECKED enum status csv_next(struct csv *c, bool *more, struct err *e);
struct csv_place csv_place(const struct csv *c, size_t field);
/* Index of this word in the current record, a header; SIZE_MAX: none. */
size_t csv_column(const struct csv *c, const char *name);
/* The same in any case of letters; E_INPUT where there are two. */
CHECKED enum status csv_find(const struct csv *c, const char *name, size_t *at, struct err *e);
/* Whether another column of the header has the same name. */
bool csv_twice(const struct csv *c, size_t column);
/* "a, b, c": the names in a header, for a message; only some of very many. */
const char *csv_named(struct arena *a, const struct csv *c);
void csv_close(struct csv *c);

/* Appends one field, quoted if needed, with a comma before it unless it is the first. Text that a
 * spreadsheet would take for a formula (it begins with = + - @ TAB CR and is no number) gets a
 * leading apostrophe. */
void csv_put(struct buf *out, struct str field, bool first);
/* The same without the apostrophe, for our own programs to read back. */
void csv_put_exact(struct buf *out, struct str field, bool first);

#endif
