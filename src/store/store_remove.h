/* store_remove.h - a run that is taken out of the store, with everything that belongs to it. */
#ifndef STORE_STORE_REMOVE_H
#define STORE_STORE_REMOVE_H

#include "store/store.h"

/* E_USAGE while somebody works on it. */
CHECKED enum status store_remove_idle(struct store *s, const struct run_row *run, struct err *e);
/* E_USAGE while a campaign uses it, and while somebody works on it: both are said. Replies that
 * other runs were answered with stay, with one of them. Part of a transaction of the caller's. */
CHECKED enum status store_remove_run(struct arena *a, struct store *s, const struct run_row *run,
                                     struct err *e);

#endif
