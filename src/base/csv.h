/* csv.h - comma-separated values (RFC 4180), read record by record, and written safely.
 *
 * Quoted fields may hold commas, quotes and line breaks. Semicolons or tabs may separate instead,
 * as the first record shows. A BOM and CRLF are accepted, empty lines are passed over. Fields are
 * valid UTF-8 and end in NUL. Path "-" is stdin. */
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
    size_t *from; /* where each begins in the record as it stands in the file */
    size_t n, cap, from_cap, length;
    int64_t line;   /* where the current record begins, from 1 */
    char separator; /* 0: the first record was not read yet */
};

CHECKED enum status csv_open(struct csv *c, const char *path, size_t max_record, struct err *e);
/* Next record into c->fields[0..c->n); *more is false at the end. Valid until the next call. */
CHECKED enum status csv_next(struct csv *c, bool *more, struct err *e);
struct csv_place csv_place(const struct csv *c, size_t field);
/* Which field of the current record, a header, is this word; SIZE_MAX: none. */
size_t csv_column(const struct csv *c, const char *name);
/* Has another column of the first record the name of this one? */
bool csv_twice(const struct csv *c, size_t column);
/* "a, b, c": what it names, for a message; not all of very many. */
const char *csv_named(struct arena *a, const struct csv *c);
void csv_close(struct csv *c);

/* Append one field, quoted where needed, with a comma before it unless `first`. Text that a
 * spreadsheet would take for a formula (= + - @ TAB CR first, not a number) gets a leading '. */
void csv_put(struct buf *out, struct str field, bool first);
/* The same as it is, for our own programs to read back. */
void csv_put_exact(struct buf *out, struct str field, bool first);

#endif
