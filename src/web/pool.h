/* pool.h - threads that do work from a queue of limited length.
 *
 * A thread takes as many items as wait, up to `together`, and does them in one call: what costs the
 * same for one and for many (a flush to the disk) is then paid once. Safe from any thread. */
#ifndef WEB_POOL_H
#define WEB_POOL_H

#include "base/err.h"

struct pool;

enum { POOL_TOGETHER = 64 };

typedef void pool_fn(void *user, void *const *items, size_t n);

struct pool_config {
    size_t threads, waiting; /* how many of each at most */
    size_t together;         /* 1 to POOL_TOGETHER */
    pool_fn *fn;
    void *user;
};

CHECKED enum status pool_new(struct pool **out, const struct pool_config *c, struct err *e);
/* Do what waits, take nothing any more, end the threads. */
void pool_end(struct pool *p);
void pool_free(struct pool *p); /* ends it first; NULL is fine, here and for pool_end() */

/* Room for one more item: false when too many wait. After true the item must be pushed. */
bool pool_reserve(struct pool *p);
void pool_push(struct pool *p, void *item);

#endif
