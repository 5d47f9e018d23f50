#include "net/loop.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"

enum { BATCH = 128, FIRST_BUCKETS = 64 };

struct watch {
    loop_ready *fn; /* NULL: not watched, or resting */
    void *user;
    int events;          /* that epoll watches; 0: it does not know the descriptor */
    uint32_t generation; /* distinguishes late events of a closed descriptor from those of its
                            successor */
};

/* A timer is in the heap (by time) and in a hash chain (by name), so that moving one of thousands
 * needs no search. */
struct timer {
    int64_t at_ms;
    uint64_t order; /* timers of the same millisecond fire in the order in which they were set */
    loop_fire *fn;
    void *user;
    size_t at; /* its place in the heap */
    struct timer *next;
};

struct loop {
    int epoll;
    struct watch *watches; /* by descriptor */
    size_t watches_cap;
    struct timer **heap;
    size_t ntimers, heap_cap;
    struct timer **buckets;
    size_t nbuckets; /* a power of two */
    struct timer *spare;
    uint64_t order;
    int64_t now_ms;
};

enum status loop_new(struct loop **out, struct err *e)
{
    int fd = epoll_create1(EPOLL_CLOEXEC);
    struct loop *l;

    if (fd < 0)
        return err_set(e, E_SYSTEM, "cannot create an event loop: %s", strerror(errno));
    l = mem_new(sizeof *l);
    l->epoll = fd;
    l->now_ms = clock_mono_ms();
    l->nbuckets = FIRST_BUCKETS;
    l->buckets = mem_new(l->nbuckets * sizeof(struct timer *));
    *out = l;
    return OK;
}

void loop_free(struct loop *l)
{
    if (!l)
        return;
    for (size_t i = 0; i < l->ntimers; i++)
        free(l->heap[i]);
    while (l->spare) {
        struct timer *t = l->spare;
        l->spare = t->next;
        free(t);
    }
    free(l->heap);
    free(l->buckets);
    free(l->watches);
    (void)close(l->epoll);
    free(l);
}

static void watches_reach(struct loop *l, size_t n)
{
    size_t was = l->watches_cap;

    l->watches = mem_grow(l->watches, &l->watches_cap, n, sizeof *l->watches);
    if (l->watches_cap > was)
        memset(l->watches + was, 0, (l->watches_cap - was) * sizeof *l->watches);
}

void loop_forget(struct loop *l, int fd)
{
    if ((size_t)fd >= l->watches_cap || !l->watches[fd].events)
        return;
    l->watches[fd].fn = NULL;
    l->watches[fd].events = 0;
    l->watches[fd].generation++;
    (void)epoll_ctl(l->epoll, EPOLL_CTL_DEL, fd, NULL); /* it may be closed */
}

void loop_rest(struct loop *l, int fd)
{
    if ((size_t)fd < l->watches_cap)
        l->watches[fd].fn = NULL;
}

/* Makes epoll watch for events of fd. */
static bool watch_arm(struct loop *l, int fd, int events)
{
    struct watch *w = &l->watches[fd];
    struct epoll_event ev = {0};
    int rc;

    if (!w->fn && w->events == events)
        return true; /* it rested */
    ev.events = (events & LOOP_READ ? EPOLLIN : 0U) | (events & LOOP_WRITE ? EPOLLOUT : 0U);
    ev.data.u64 = (uint64_t)w->generation << 32 | (uint32_t)fd;
    rc = epoll_ctl(l->epoll, w->events ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, fd, &ev);
    if (rc < 0 && w->events && errno == ENOENT) /* closed without notice, and its number reused */
        rc = epoll_ctl(l->epoll, EPOLL_CTL_ADD, fd, &ev);
    return rc == 0;
}

enum status loop_watch(struct loop *l, int fd, int events, loop_ready *fn, void *user,
                       struct err *e)
{
    struct watch *w;

    if (fd < 0)
        return err_set(e, E_USAGE, "cannot watch descriptor %d", fd);
    watches_reach(l, (size_t)fd + 1);
    if (!watch_arm(l, fd, events))
        return err_set(e, E_SYSTEM, "cannot watch descriptor %d: %s", fd, strerror(errno));
    w = &l->watches[fd];
    w->events = events;
    w->fn = fn;
    w->user = user;
    return OK;
}

/* Pointers differ in their middle bits: multiply and take high ones (Knuth). */
static size_t bucket_of(const struct loop *l, loop_fire *fn, const void *user)
{
    uint64_t h =
        ((uint64_t)(uintptr_t)fn ^ ((uint64_t)(uintptr_t)user << 1)) * UINT64_C(0x9E3779B97F4A7C15);

    return (size_t)(h >> 32) & (l->nbuckets - 1);
}

static struct timer **timer_find(struct loop *l, loop_fire *fn, const void *user)
{
    struct timer **link = &l->buckets[bucket_of(l, fn, user)];

    while (*link && ((*link)->fn != fn || (*link)->user != user))
        link = &(*link)->next;
    return link;
}

static bool timer_before(const struct timer *a, const struct timer *b)
{
    return a->at_ms != b->at_ms ? a->at_ms < b->at_ms : a->order < b->order;
}

static void heap_set(struct loop *l, size_t at, struct timer *t)
{
    l->heap[at] = t;
    t->at = at;
}

/* Puts t in its place, starting from `at`, which is free. */
static void heap_settle(struct loop *l, size_t at, struct timer *t)
{
    while (at > 0 && timer_before(t, l->heap[(at - 1) / 2])) {
        heap_set(l, at, l->heap[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    for (size_t child; (child = 2 * at + 1) < l->ntimers; at = child) {
        if (child + 1 < l->ntimers && timer_before(l->heap[child + 1], l->heap[child]))
            child++;
        if (!timer_before(l->heap[child], t))
            break;
        heap_set(l, at, l->heap[child]);
    }
    heap_set(l, at, t);
}

static void buckets_double(struct loop *l)
{
    free(l->buckets);
    l->nbuckets *= 2;
    l->buckets = mem_new(l->nbuckets * sizeof(struct timer *));
    for (size_t i = 0; i < l->ntimers; i++) {
        struct timer *t = l->heap[i];
        size_t b = bucket_of(l, t->fn, t->user);
        t->next = l->buckets[b];
        l->buckets[b] = t;
    }
}

static struct timer *timer_add(struct loop *l, struct timer **link, loop_fire *fn, void *user)
{
    struct timer *t = l->spare;

    if (t)
        l->spare = t->next;
    else
        t = mem_new(sizeof *t);
    *t = (struct timer){.fn = fn, .user = user, .at = l->ntimers};
    *link = t;
    l->heap = mem_grow(l->heap, &l->heap_cap, l->ntimers + 1, sizeof(struct timer *));
    l->heap[l->ntimers++] = t;
    return t;
}

void loop_timer(struct loop *l, int64_t at_ms, loop_fire *fn, void *user)
{
    struct timer **link = timer_find(l, fn, user), *t = *link;

    if (!t)
        t = timer_add(l, link, fn, user);
    t->at_ms = at_ms;
    t->order = l->order++;
    heap_settle(l, t->at, t);
    if (l->ntimers > l->nbuckets)
        buckets_double(l);
}

void loop_timer_stop(struct loop *l, loop_fire *fn, void *user)
{
    struct timer **link = timer_find(l, fn, user), *t = *link, *last;

    if (!t)
        return;
    *link = t->next;
    last = l->heap[--l->ntimers];
    if (last != t)
        heap_settle(l, t->at, last);
    t->next = l->spare;
    l->spare = t;
}

static int wait_for(const struct loop *l, int64_t max_wait_ms)
{
    int64_t wait = max_wait_ms;

    if (l->ntimers) {
        int64_t now = clock_mono_ms(), at = l->heap[0]->at_ms;
        if (at <= now)
            wait = 0;
        else if (at - now < wait)
            wait = at - now;
    }
    return wait < 0 ? 0 : wait > INT_MAX ? INT_MAX : (int)wait;
}

static void event_deliver(struct loop *l, const struct epoll_event *ev)
{
    int fd = (int)(uint32_t)ev->data.u64;
    struct watch w = l->watches[fd];
    int events = 0;

    if (w.generation != (uint32_t)(ev->data.u64 >> 32))
        return;  /* an earlier callback of this batch has removed it */
    if (!w.fn) { /* an event while it rests must not wake us again and again */
        loop_forget(l, fd);
        return;
    }
    if (ev->events & (EPOLLIN | EPOLLHUP | EPOLLERR | EPOLLRDHUP))
        events |= LOOP_READ;
    if (ev->events & (EPOLLOUT | EPOLLERR))
        events |= LOOP_WRITE;
    l->now_ms = clock_mono_ms();
    w.fn(w.user, fd, events);
}

/* Timers that callbacks set wait for the next step: one that sets itself again "now" must not
 * starve the sockets. */
static void timers_fire(struct loop *l)
{
    uint64_t until = l->order;

    if (l->ntimers)
        l->now_ms = clock_mono_ms();
    while (l->ntimers && l->heap[0]->at_ms <= l->now_ms && l->heap[0]->order < until) {
        loop_fire *fn = l->heap[0]->fn;
        void *user = l->heap[0]->user;
        loop_timer_stop(l, fn, user);
        fn(user);
    }
}

int64_t loop_now(const struct loop *l)
{
    return l->now_ms;
}

enum status loop_step(struct loop *l, int64_t max_wait_ms, struct err *e)
{
    struct epoll_event batch[BATCH];
    int n = epoll_wait(l->epoll, batch, BATCH, wait_for(l, max_wait_ms));

    if (n < 0 && errno == EINTR)
        return OK;
    if (n < 0)
        return err_set(e, E_SYSTEM, "cannot wait for events: %s", strerror(errno));
    for (int i = 0; i < n; i++)
        event_deliver(l, &batch[i]);
    timers_fire(l);
    return OK;
}
