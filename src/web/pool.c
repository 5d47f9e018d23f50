#include "web/pool.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/mem.h"

struct pool {
    struct pool_config c;
    pthread_mutex_t lock; /* guards items, first, n, ending; not held while items are processed */
    pthread_cond_t some;
    void **items; /* a ring of c.waiting slots */
    size_t first, n;
    bool ending;
    pthread_t *threads;
    size_t nthreads;
};

/* Wait for items and take up to `together`; 0: the queue is empty and the pool is ending. */
static size_t pool_take(struct pool *p, void *items[POOL_TOGETHER])
{
    size_t n = 0;

    (void)pthread_mutex_lock(&p->lock);
    while (!p->n && !p->ending)
        (void)pthread_cond_wait(&p->some, &p->lock);
    while (p->n && n < p->c.together) {
        items[n++] = p->items[p->first];
        p->first = (p->first + 1) % p->c.waiting;
        p->n--;
    }
    (void)pthread_mutex_unlock(&p->lock);
    return n;
}

static void *pool_main(void *user)
{
    struct pool *p = user;
    void *items[POOL_TOGETHER];
    size_t n;

    while ((n = pool_take(p, items)))
        p->c.fn(p->c.user, items, n);
    return NULL;
}

enum status pool_new(struct pool **out, const struct pool_config *c, struct err *e)
{
    struct pool *p = mem_new(sizeof *p);

    p->c = *c;
    p->items = mem_new(c->waiting * sizeof *p->items);
    p->threads = mem_new(c->threads * sizeof *p->threads);
    (void)pthread_mutex_init(&p->lock, NULL);
    (void)pthread_cond_init(&p->some, NULL);
    for (; p->nthreads < c->threads; p->nthreads++) {
        if (pthread_create(&p->threads[p->nthreads], NULL, pool_main, p) != 0) {
            pool_free(p);
            return err_set(e, E_SYSTEM, "the system provides no more threads");
        }
    }
    *out = p;
    return OK;
}

void pool_end(struct pool *p)
{
    if (!p)
        return;
    (void)pthread_mutex_lock(&p->lock);
    p->ending = true;
    (void)pthread_cond_broadcast(&p->some);
    (void)pthread_mutex_unlock(&p->lock);
    while (p->nthreads)
        (void)pthread_join(p->threads[--p->nthreads], NULL);
}

void pool_free(struct pool *p)
{
    if (!p)
        return;
    pool_end(p);
    (void)pthread_cond_destroy(&p->some);
    (void)pthread_mutex_destroy(&p->lock);
    free(p->threads);
    free(p->items);
    free(p);
}

bool pool_push(struct pool *p, void *item)
{
    bool room;

    (void)pthread_mutex_lock(&p->lock);
    room = p->n < p->c.waiting && !p->ending;
    if (room) {
        p->items[(p->first + p->n++) % p->c.waiting] = item;
        (void)pthread_cond_signal(&p->some);
    }
    (void)pthread_mutex_unlock(&p->lock);
    return room;
}
