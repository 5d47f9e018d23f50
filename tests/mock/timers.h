/* timers.h - many pending moments, soonest first: a binary heap of timers that live in their
 * owners. A timer that is not pending is all zeros. */
#ifndef MOCK_TIMERS_H
#define MOCK_TIMERS_H

#include "base/base.h"

struct timer {
    int64_t due_ms;
    size_t place; /* in the heap, from 1; 0 when not pending */
    void *owner;
};

struct timers {
    struct timer **heap;
    size_t n, cap;
};

void timers_done(struct timers *t);
/* `timer` is not pending. */
void timers_add(struct timers *t, struct timer *timer, int64_t due_ms, void *owner);
void timers_drop(struct timers *t, struct timer *timer); /* fine when it is not pending */
struct timer *timers_first(const struct timers *t);      /* NULL when nothing is pending */

#endif
