/* loop.h - one thread's event loop: sockets through epoll, and timers.
 *
 * Callbacks run inside loop_step(), on the caller's thread. */
#ifndef NET_LOOP_H
#define NET_LOOP_H

#include "base/err.h"

struct loop;

enum { LOOP_READ = 1, LOOP_WRITE = 2 };

typedef void loop_ready(void *user, int fd, int events);
typedef void loop_fire(void *user);

CHECKED enum status loop_new(struct loop **out, struct err *e);
void loop_free(struct loop *l);

/* Watch fd for events (replaces an earlier watch). */
CHECKED enum status loop_watch(struct loop *l, int fd, int events, loop_ready *fn, void *user,
                               struct err *e);
void loop_forget(struct loop *l, int fd);
/* Stops callbacks for fd until it is watched again, which then costs no system call. Before closing
 * a resting descriptor, call loop_forget(). */
void loop_rest(struct loop *l, int fd);

/* Calls fn(user) once, at at_ms (clock_mono_ms) or soon after. (fn, user) identifies the timer:
 * setting it again moves it. */
void loop_timer(struct loop *l, int64_t at_ms, loop_fire *fn, void *user);
void loop_timer_stop(struct loop *l, loop_fire *fn, void *user);

/* The time (clock_mono_ms) of the last callback, for code that would otherwise ask the clock many
 * times. */
int64_t loop_now(const struct loop *l);

/* Waits for events and timers, at most max_wait_ms, and calls back. A signal ends the wait
 * early. */
CHECKED enum status loop_step(struct loop *l, int64_t max_wait_ms, struct err *e);

#endif
