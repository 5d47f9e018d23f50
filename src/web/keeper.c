#include "web/keeper.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "base/log.h"
#include "panel/erase.h"

enum { EVERY_S = 600 };

struct keeper {
    pthread_mutex_t lock;
    pthread_cond_t end;
    bool ending;
    struct stores *stores;
    int64_t erased; /* see erase_traces() */
    pthread_t thread;
};

static void look_after(struct keeper *k)
{
    struct store *s = NULL;
    struct err e;
    enum status st;
    bool large;
    size_t n = 0;

    if (stores_take(k->stores, &s, &e) != OK)
        return; /* try again in ten minutes */
    st = erase_due(s, clock_utc_ms(), &n, &e);
    if (st == OK) /* of what raters have withdrawn */
        st = erase_traces(s, &k->erased, &large, &e);
    stores_give(k->stores, s, st != OK);
    if (st != OK)
        log_line(LOG_ERROR, "web", "keeper: %s", e.msg);
    else if (n)
        log_info("web", "retention campaigns=%zu", n);
}

static void *keeper_main(void *user)
{
    struct keeper *k = user;
    struct timespec until;

    (void)pthread_mutex_lock(&k->lock);
    while (!k->ending) {
        (void)pthread_mutex_unlock(&k->lock);
        look_after(k);
        (void)pthread_mutex_lock(&k->lock);
        (void)clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_sec += EVERY_S;
        while (!k->ending &&
               pthread_cond_clockwait(&k->end, &k->lock, CLOCK_MONOTONIC, &until) == 0)
            ;
    }
    (void)pthread_mutex_unlock(&k->lock);
    return NULL;
}

enum status keeper_new(struct keeper **out, struct stores *stores, struct err *e)
{
    struct keeper *k = mem_new(sizeof *k);

    k->stores = stores;
    (void)pthread_mutex_init(&k->lock, NULL);
    (void)pthread_cond_init(&k->end, NULL);
    if (pthread_create(&k->thread, NULL, keeper_main, k) != 0) {
        free(k);
        return err_set(e, E_SYSTEM, "the system provides no more threads");
    }
    *out = k;
    return OK;
}

void keeper_free(struct keeper *k)
{
    if (!k)
        return;
    (void)pthread_mutex_lock(&k->lock);
    k->ending = true;
    (void)pthread_cond_signal(&k->end);
    (void)pthread_mutex_unlock(&k->lock);
    (void)pthread_join(k->thread, NULL);
    (void)pthread_cond_destroy(&k->end);
    (void)pthread_mutex_destroy(&k->lock);
    free(k);
}
