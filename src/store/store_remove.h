/* store_remove.h - removes a run from the store, with everything that belongs to it. */
#ifndef STORE_STORE_REMOVE_H
#define STORE_STORE_REMOVE_H

#include "store/store.h"

/* E_USAGE if somebody is working on it. */
CHECKED enum status store_remove_idle(struct store *s, const struct run_row *run, struct err *e);
/* E_USAGE if a campaign uses it or somebody is working on it; the message says which. Replies that
 * other runs have used stay, with one of those runs. Call it in a transaction. */
CHECKED enum status store_remove_run(struct arena *a, struct store *s, const struct run_row *run,
                                     struct err *e);

#endif
