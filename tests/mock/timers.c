#include "mock/timers.h"

#include <stdlib.h>

#include "base/mem.h"

void timers_done(struct timers *t)
{
    free(t->heap);
    *t = (struct timers){0};
}

static void put(struct timers *t, size_t place, struct timer *timer)
{
    t->heap[place - 1] = timer;
    timer->place = place;
}

static void sift_up(struct timers *t, size_t at, struct timer *timer)
{
    for (; at > 1 && t->heap[at / 2 - 1]->due_ms > timer->due_ms; at /= 2)
        put(t, at, t->heap[at / 2 - 1]);
    put(t, at, timer);
}

static void sift_down(struct timers *t, size_t at, struct timer *timer)
{
    for (size_t child; (child = at * 2) <= t->n; at = child) {
        if (child < t->n && t->heap[child]->due_ms < t->heap[child - 1]->due_ms)
            child++;
        if (t->heap[child - 1]->due_ms >= timer->due_ms)
            break;
        put(t, at, t->heap[child - 1]);
    }
    put(t, at, timer);
}

void timers_add(struct timers *t, struct timer *timer, int64_t due_ms, void *owner)
{
    if (t->n == t->cap)
        t->heap = mem_grow(t->heap, &t->cap, t->n + 1, sizeof(struct timer *));
    *timer = (struct timer){.due_ms = due_ms, .owner = owner};
    sift_up(t, ++t->n, timer);
}

void timers_drop(struct timers *t, struct timer *timer)
{
    size_t at = timer->place;
    struct timer *last;

    if (at == 0)
        return;
    last = t->heap[--t->n];
    *timer = (struct timer){0};
    if (last == timer)
        return;
    if (at > 1 && t->heap[at / 2 - 1]->due_ms > last->due_ms)
        sift_up(t, at, last);
    else
        sift_down(t, at, last);
}

struct timer *timers_first(const struct timers *t)
{
    return t->n ? t->heap[0] : NULL;
}
