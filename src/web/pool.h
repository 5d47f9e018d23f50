/* pool.h - worker threads behind a queue of limited length.
 *
 * A thread takes all waiting items, up to `together`, and processes them in one call, so that the
 * cost of a call (a flush to the disk) is shared. Safe from any thread. */
#ifndef WEB_POOL_H
#define WEB_POOL_H

#include "base/err.h"

struct pool;

enum { POOL_TOGETHER = 64 };

typedef void pool_fn(void *user, void *const *items, size_t n);

struct pool_config {
    size_t threads, waiting; /* how many threads; how many items may wait */
    size_t together;         /* 1 to POOL_TOGETHER */
    pool_fn *fn;
    void *user;
};

CHECKED enum status pool_new(struct pool **out, const struct pool_config *c, struct err *e);
/* Process what is queued, accept nothing more, join the threads. */
void pool_end(struct pool *p);
void pool_free(struct pool *p); /* ends it first; NULL is fine, here and for pool_end() */

/* False: too many items wait already, or the pool is ending; the item stays the caller's. */
bool pool_push(struct pool *p, void *item);

#endif
