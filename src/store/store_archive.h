/* store_archive.h - copies a run from one store to another, with everything that its numbers depend
 * on. Derived data is left behind, and derived again at the destination. Ratings by people are not
 * copied. */
#ifndef STORE_STORE_ARCHIVE_H
#define STORE_STORE_ARCHIVE_H

#include "store/store.h"

/* Copies a run; *id is its id there. E_USAGE: a run of that name exists there. Call it outside of
 * transactions. */
CHECKED enum status store_archive_copy(struct store *from, const struct run_row *run,
                                       struct store *to, int64_t *id, struct err *e);

#endif
