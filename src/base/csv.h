/* csv.h - comma-separated values (RFC 4180), read record by record, and written safely.
 *
 * Quoted fields may hold commas, quotes and line breaks. Semicolons or tabs may separate instead,
 * as the first line shows. A BOM and CRLF are accepted, empty lines are passed over. Fields are
 * valid UTF-8 and end in NUL. Path "-" is stdin. */
#ifndef BASE_CSV_H
#define BASE_CSV_H

#include "base/file.h"

/* Where a field begins; column in code points. Both from 1. */
struct csv_place {
    int64_t line, column;
};

struct csv {
    FILE *in;
    const char *path;
    struct buf ahead; /* what was read to see what separates, */
    size_t taken;     /* ... and how much of it was taken */
    struct buf text;  /* of the current record */
    struct str *fields;
    struct csv_place *places;
    size_t n, cap, places_cap;
    int64_t line;              /* where the current record begins, from 1 */
    int64_t next_line, column; /* of what was read last; column 0: the line begins */
    struct csv_place field;    /* where the present field begins */
    char separator;
};

/* Which of comma, semicolon and tab the first line of a file has most of outside quotes; a comma
 * where it has none. Spreadsheets write semicolons where a comma stands in numbers. */
char csv_separator(struct str line);
CHECKED enum status csv_open(struct csv *c, const char *path, size_t max_record, struct err *e);
/* Next record into c->fields[0..c->n), with c->places; *more is false at the end. Valid until the
 * next call. */
CHECKED enum status csv_next(struct csv *c, bool *more, struct err *e);
/* Which field of the current record, a header, is this word; SIZE_MAX: none. */
size_t csv_column(const struct csv *c, const char *name);
/* "a, b, c": what it names, for a message; not all of very many. */
const char *csv_named(struct arena *a, const struct csv *c);
void csv_close(struct csv *c);

/* Append one field, quoted where needed, with a comma before it unless `first`. Text that a
 * spreadsheet would take for a formula (= + - @ TAB CR first, not a number) gets a leading '. */
void csv_put(struct buf *out, struct str field, bool first);

#endif
