/* cursor.h - rows of the store one after another, in constant memory.
 *
 *     AUTO(cursor_close) struct cursor c = store_samples(s, &filter, e);
 *     struct sample_row row;
 *
 *     while (store_sample_next(&c, &row))
 *         use(&row);             <- lent until the next one; meanwhile the store is not used
 *     return cursor_end(&c);     <- reports what went wrong, from the beginning on
 *
 * cursor_close() is for whoever may leave in between. */
#ifndef STORE_CURSOR_H
#define STORE_CURSOR_H

#include "store/store.h"

struct cursor {
    struct rows *rows; /* NULL: it has ended, or there were none */
    struct err *e;     /* of whoever reads them */
};

/* The next row into the members that have the names of its columns. */
bool cursor_next(struct cursor *c, const struct columns *columns, void *out);
CHECKED enum status cursor_end(struct cursor *c);
void cursor_close(struct cursor *c); /* harmless after cursor_end() */

#endif
