#include "web/stores.h"

#include <pthread.h>
#include <stdlib.h>

enum { KEPT = 32 }; /* idle handles; each costs memory, and PostgreSQL a process */

struct stores {
    const char *url;
    pthread_mutex_t lock; /* held to move a pointer, never while the database is asked */
    struct store *idle[KEPT];
    size_t n;
};

struct stores *stores_new(const char *url)
{
    struct stores *p = mem_new(sizeof *p);

    p->url = url;
    (void)pthread_mutex_init(&p->lock, NULL);
    return p;
}

void stores_free(struct stores *p)
{
    if (!p)
        return;
    while (p->n)
        store_close(p->idle[--p->n]);
    (void)pthread_mutex_destroy(&p->lock);
    free(p);
}

enum status stores_take(struct stores *p, struct store **out, struct err *e)
{
    struct store *s = NULL;

    (void)pthread_mutex_lock(&p->lock);
    if (p->n)
        s = p->idle[--p->n];
    (void)pthread_mutex_unlock(&p->lock);
    if (!s)
        return store_open(out, p->url, DB_WRITE, e);
    *out = s;
    return OK;
}

void stores_give(struct stores *p, struct store *s, bool broken)
{
    if (!s)
        return;
    store_rollback(s);
    (void)pthread_mutex_lock(&p->lock);
    if (!broken && p->n < KEPT) {
        p->idle[p->n++] = s;
        s = NULL;
    }
    (void)pthread_mutex_unlock(&p->lock);
    store_close(s);
}
