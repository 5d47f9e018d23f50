/* store_archive.h - a run out of one store and into another, with everything that its numbers
 * follow from; what is derived is left behind, and derived again where it arrives. Ratings by
 * people stay with the people. */
#ifndef STORE_STORE_ARCHIVE_H
#define STORE_STORE_ARCHIVE_H

#include "store/store.h"

/* Copy it; *id is what it is there. E_USAGE: a run of that name is there already. Outside of any
 * transaction. */
CHECKED enum status store_archive_copy(struct store *from, const struct run_row *run,
                                       struct store *to, int64_t *id, struct err *e);

#endif
