/* cursor.h - reads rows of the store one by one, in constant memory.
 *
 *     AUTO(cursor_close) struct cursor c = store_samples(s, &filter, e);
 *     struct sample_row row;
 *
 *     while (store_sample_next(&c, &row))
 *         use(&row);             <- valid until the next row; do not use the store meanwhile
 *     return cursor_end(&c);     <- reports any error, including that of the query
 *
 * Callers that may return inside the loop need cursor_close(). */
#ifndef STORE_CURSOR_H
#define STORE_CURSOR_H

#include "store/store.h"

struct cursor {
    struct rows *rows; /* NULL: it was ended, or the query failed */
    struct err *e;     /* the reader's */
};

/* The rows of a query, as from db_stream(). */
struct cursor cursor_open(struct store *s, int query, struct args args, struct err *e);
/* Reads the next row into the members with the names of its columns. */
bool cursor_next(struct cursor *c, const struct columns *columns, void *out);
CHECKED enum status cursor_end(struct cursor *c);
void cursor_close(struct cursor *c); /* harmless after cursor_end() */

#endif
