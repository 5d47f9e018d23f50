#include "web/guard.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

#include "base/clock.h"
#include "base/mem.h"

enum {
    HEAD_MS = 10 * 1000, /* for the head of the first request */
    NEXT_MS = 15 * 1000, /* from an answer to the end of the next head */
    BODY_MS = 5 * 1000,  /* before a body must arrive at BODY_RATE bytes a second */
    BODY_RATE = 500,
    TAKE_MS = 30 * 1000, /* without taking a byte of the answer */
    LEAVE_MS = 2 * 1000,
};

struct peer {
    struct peer *next, **link;
    int fd;
    struct address from;
    bool shut; /* to make room */
    /* written by the serving thread, read by the guard's */
    atomic_int phase, requests;
    atomic_llong since_ms, received;
};

struct guard {
    pthread_mutex_t lock; /* guards the list, n and ending; peers' sockets are open while listed */
    pthread_cond_t end;
    struct peer *peers; /* the newest first */
    unsigned n;         /* peers: each has a descriptor until it is removed */
    unsigned leaving;   /* of them shut to make room */
    struct guard_limits limits;
    bool ending;
    pthread_t thread;
};

static bool too_slow(struct peer *p, int64_t now_ms)
{
    int64_t took = now_ms - atomic_load(&p->since_ms);

    switch ((enum phase)atomic_load(&p->phase)) {
    case PHASE_HEAD:
        return took > (atomic_load(&p->requests) ? NEXT_MS : HEAD_MS);
    case PHASE_BODY:
        return took > BODY_MS && atomic_load(&p->received) < (took - BODY_MS) / 1000 * BODY_RATE;
    case PHASE_TAKE:
        return took > TAKE_MS;
    case PHASE_LEAVE:
        return took > LEAVE_MS;
    case PHASE_ANSWER:
        break;
    }
    return false;
}

static void *guard_main(void *user)
{
    struct guard *g = user;
    struct timespec until;

    (void)pthread_mutex_lock(&g->lock);
    while (!g->ending) {
        int64_t now = clock_mono_ms();
        for (struct peer *p = g->peers; p; p = p->next)
            if (too_slow(p, now))
                (void)shutdown(p->fd, SHUT_RDWR);
        (void)clock_gettime(CLOCK_MONOTONIC, &until); /* the real-time clock can be set back */
        until.tv_sec++;
        (void)pthread_cond_clockwait(&g->end, &g->lock, CLOCK_MONOTONIC, &until);
    }
    (void)pthread_mutex_unlock(&g->lock);
    return NULL;
}

enum status guard_new(struct guard **out, struct guard_limits limits, struct err *e)
{
    struct guard *g = mem_new(sizeof *g);

    g->limits = limits;
    (void)pthread_mutex_init(&g->lock, NULL);
    (void)pthread_cond_init(&g->end, NULL);
    if (pthread_create(&g->thread, NULL, guard_main, g) != 0) {
        free(g);
        return err_set(e, E_SYSTEM, "the system provides no more threads");
    }
    *out = g;
    return OK;
}

void guard_free(struct guard *g)
{
    if (!g)
        return;
    (void)pthread_mutex_lock(&g->lock);
    g->ending = true;
    (void)pthread_cond_signal(&g->end);
    (void)pthread_mutex_unlock(&g->lock);
    (void)pthread_join(g->thread, NULL);
    (void)pthread_cond_destroy(&g->end);
    (void)pthread_mutex_destroy(&g->lock);
    free(g);
}

/* IPv6 counts by network: a limit on single addresses would be none, since anybody has 2^64. */
static unsigned of_network(const struct guard *g, const struct address *from)
{
    unsigned n = 0;

    for (const struct peer *p = g->peers; p; p = p->next)
        n += !p->shut && address_same_network(&p->from, from);
    return n;
}

/* Shut the connection that has sent nothing of a head for longest, so that new clients need not
 * wait for its timeout. If there is none, shut the one that has been sending a body or taking an
 * answer for longest: honest clients need milliseconds for that. */
static void make_room(struct guard *g)
{
    struct peer *silent = NULL, *slow = NULL;

    for (struct peer *p = g->peers; p; p = p->next) {
        int phase = p->shut ? PHASE_LEAVE : atomic_load(&p->phase);
        if (phase == PHASE_HEAD)
            silent = p;
        else if ((phase == PHASE_BODY || phase == PHASE_TAKE) &&
                 (!slow || atomic_load(&p->since_ms) <= atomic_load(&slow->since_ms)))
            slow = p;
    }
    if (!silent)
        silent = slow;
    if (!silent)
        return;
    silent->shut = true;
    g->leaving++; /* its owner will remove it soon */
    (void)shutdown(silent->fd, SHUT_RDWR);
}

void guard_make_room(struct guard *g)
{
    (void)pthread_mutex_lock(&g->lock);
    make_room(g);
    (void)pthread_mutex_unlock(&g->lock);
}

bool guard_is_clearing(struct guard *g)
{
    bool clearing;

    (void)pthread_mutex_lock(&g->lock);
    clearing = g->n >= g->limits.all && g->leaving > 0;
    (void)pthread_mutex_unlock(&g->lock);
    return clearing;
}

static void list(struct guard *g, struct peer *p)
{
    if (g->n++ - g->leaving >= g->limits.crowded)
        make_room(g);
    p->next = g->peers;
    p->link = &g->peers;
    if (p->next)
        p->next->link = &p->next;
    g->peers = p;
}

struct peer *guard_add(struct guard *g, int fd, struct address from)
{
    struct peer *p = mem_new(sizeof *p);
    bool room;

    p->fd = fd;
    p->from = from;
    guard_phase(p, PHASE_HEAD);
    (void)pthread_mutex_lock(&g->lock);
    room = g->n < g->limits.all && (!g->limits.network || of_network(g, &from) < g->limits.network);
    if (room)
        list(g, p);
    (void)pthread_mutex_unlock(&g->lock);
    if (room)
        return p;
    free(p);
    return NULL;
}

void guard_remove(struct guard *g, struct peer *p)
{
    (void)pthread_mutex_lock(&g->lock);
    g->n--;
    g->leaving -= p->shut;
    *p->link = p->next;
    if (p->next)
        p->next->link = p->link;
    (void)pthread_mutex_unlock(&g->lock);
    free(p);
}

void guard_phase(struct peer *p, enum phase phase)
{
    if (phase == PHASE_BODY) {
        atomic_fetch_add(&p->requests, 1);
        atomic_store(&p->received, 0);
    }
    atomic_store(&p->since_ms, clock_mono_ms());
    atomic_store(&p->phase, (int)phase);
}

void guard_progress(struct peer *p)
{
    if (atomic_load(&p->phase) == PHASE_TAKE)
        atomic_store(&p->since_ms, clock_mono_ms());
}

void guard_received(struct peer *p, size_t n)
{
    atomic_fetch_add(&p->received, (long long)n);
}

int guard_requests(struct peer *p)
{
    return atomic_load(&p->requests);
}
