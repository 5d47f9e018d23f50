#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/rng.h"
#include "net/loop.h"

static int setup(void **state)
{
    struct err e;
    struct loop *l;

    if (loop_new(&l, &e) != OK)
        return -1;
    *state = l;
    return 0;
}

static int teardown(void **state)
{
    loop_free(*state);
    return 0;
}

static void step(struct loop *l, int64_t wait)
{
    struct err e;

    assert_int_equal(loop_step(l, wait, &e), OK);
}

struct pipe_end {
    struct loop *loop;
    int fd, other, calls, events;
};

static void pipe_make(struct loop *l, struct pipe_end *p)
{
    int fds[2];

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
    *p = (struct pipe_end){.loop = l, .fd = fds[0], .other = fds[1]};
}

static void pipe_close(struct pipe_end *p)
{
    loop_forget(p->loop, p->fd);
    (void)close(p->fd);
    (void)close(p->other);
}

static void on_ready(void *user, int fd, int events)
{
    struct pipe_end *p = user;

    assert_int_equal(fd, p->fd);
    p->calls++;
    p->events = events;
}

static void watches(void **state)
{
    struct loop *l = *state;
    struct pipe_end p;
    struct err e;

    pipe_make(l, &p);
    assert_int_equal(loop_watch(l, p.fd, LOOP_READ, on_ready, &p, &e), OK);
    step(l, 0);
    assert_int_equal(p.calls, 0);
    assert_int_equal(write(p.other, "x", 1), 1);
    step(l, 1000);
    assert_int_equal(p.calls, 1);
    assert_int_equal(p.events, LOOP_READ);
    step(l, 1000); /* level-triggered: it was not read */
    assert_int_equal(p.calls, 2);
    assert_int_equal(loop_watch(l, p.fd, LOOP_READ | LOOP_WRITE, on_ready, &p, &e), OK);
    step(l, 1000);
    assert_int_equal(p.events, LOOP_READ | LOOP_WRITE);
    loop_forget(l, p.fd);
    step(l, 0);
    assert_int_equal(p.calls, 3);
    assert_int_equal(loop_watch(l, -1, LOOP_READ, on_ready, &p, &e), E_USAGE);
    pipe_close(&p);
}

static void closing_wakes(void **state)
{
    struct loop *l = *state;
    struct pipe_end p;
    struct err e;

    pipe_make(l, &p);
    assert_int_equal(loop_watch(l, p.fd, LOOP_READ, on_ready, &p, &e), OK);
    (void)shutdown(p.other, SHUT_RDWR);
    step(l, 1000);
    assert_int_equal(p.calls, 1);
    pipe_close(&p);
}

/* Nobody is called for a descriptor that rests, whatever comes; watched again, it works as before.
 */
static void resting(void **state)
{
    struct loop *l = *state;
    struct pipe_end p;
    struct err e;

    pipe_make(l, &p);
    for (int round = 0; round < 2; round++) { /* the first time nothing comes while it rests */
        p.calls = 0;
        assert_int_equal(loop_watch(l, p.fd, LOOP_READ, on_ready, &p, &e), OK);
        loop_rest(l, p.fd);
        if (round)
            assert_int_equal(write(p.other, "x", 1), 1);
        step(l, 0);
        step(l, 0);
        assert_int_equal(p.calls, 0);
        assert_int_equal(loop_watch(l, p.fd, LOOP_READ, on_ready, &p, &e), OK);
        if (!round)
            assert_int_equal(write(p.other, "x", 1), 1);
        step(l, 1000);
        assert_int_equal(p.calls, 1);
    }
    loop_rest(l, p.fd);
    assert_int_equal(loop_watch(l, p.fd, LOOP_WRITE, on_ready, &p, &e), OK);
    step(l, 1000);
    assert_int_equal(p.events, LOOP_WRITE);
    loop_rest(l, 1 << 20); /* never watched */
    pipe_close(&p);
}

/* A descriptor that is closed and made anew during a step must not get its predecessor's event. */
struct trade {
    struct pipe_end ends[2];
    struct pipe_end successor;
    bool traded;
};

static void trade_other(void *user, int fd, int events)
{
    struct trade *t = user;
    struct pipe_end *victim = &t->ends[fd == t->ends[0].fd];
    struct err e;

    (void)events;
    assert_false(t->traded);
    t->traded = true;
    pipe_close(victim);
    pipe_make(victim->loop, &t->successor);
    assert_true(t->successor.fd == victim->fd || t->successor.fd == victim->other);
    if (t->successor.fd != victim->fd) {
        int fd2 = t->successor.fd;
        t->successor.fd = t->successor.other;
        t->successor.other = fd2;
    }
    assert_int_equal(
        loop_watch(victim->loop, t->successor.fd, LOOP_READ, on_ready, &t->successor, &e), OK);
}

static void late_events_are_dropped(void **state)
{
    struct loop *l = *state;
    struct trade t = {0};
    struct err e;

    for (int i = 0; i < 2; i++) {
        pipe_make(l, &t.ends[i]);
        assert_int_equal(write(t.ends[i].other, "x", 1), 1);
        assert_int_equal(loop_watch(l, t.ends[i].fd, LOOP_READ, trade_other, &t, &e), OK);
    }
    step(l, 1000);
    assert_true(t.traded);
    assert_int_equal(t.successor.calls, 0);
    pipe_close(&t.successor);
    pipe_close(&t.ends[t.ends[0].fd == t.successor.fd]);
}

enum { MANY = 5000 };

struct sequence {
    struct shot {
        struct sequence *all;
        int64_t at;
        int fired;
    } shots[MANY];
    int64_t last;
    int count;
};

static void on_shot(void *user)
{
    struct shot *s = user;

    assert_true(s->at >= s->all->last);
    s->all->last = s->at;
    s->all->count++;
    s->fired++;
}

/* Thousands of timers, set, moved and stopped at random: those that are left fire once, in order.
 */
static void timers_in_order(void **state)
{
    struct loop *l = *state;
    struct sequence *q = mem_new(sizeof *q);
    struct rng r = rng_keyed(3, "timers", NULL, 0);
    int64_t base = clock_mono_ms() - 100000;
    int stopped = 0;

    for (int i = 0; i < 4 * MANY; i++) {
        struct shot *s = &q->shots[i < MANY ? (uint64_t)i : rng_below(&r, MANY)];
        s->all = q;
        s->at = base + (int64_t)rng_below(&r, 1000);
        loop_timer(l, s->at, on_shot, s);
    }
    for (int i = 0; i < MANY; i += 3, stopped++) {
        loop_timer_stop(l, on_shot, &q->shots[i]);
        loop_timer_stop(l, on_shot, &q->shots[i]);
    }
    step(l, 0);
    assert_int_equal(q->count, MANY - stopped);
    for (int i = 0; i < MANY; i++)
        assert_int_equal(q->shots[i].fired, i % 3 != 0);
    step(l, 0);
    assert_int_equal(q->count, MANY - stopped);
    free(q);
}

struct again {
    struct loop *loop;
    int n;
};

static void set_again(void *user)
{
    struct again *a = user;

    a->n++;
    loop_timer(a->loop, 0, set_again, a);
}

static void a_timer_that_sets_itself_fires_once_a_step(void **state)
{
    struct again a = {*state, 0};

    loop_timer(a.loop, 0, set_again, &a);
    step(a.loop, 1000);
    assert_int_equal(a.n, 1);
    step(a.loop, 1000);
    assert_int_equal(a.n, 2);
    loop_timer_stop(a.loop, set_again, &a);
    step(a.loop, 0);
    assert_int_equal(a.n, 2);
}

static void count(void *user)
{
    ++*(int *)user;
}

static void a_timer_waits(void **state)
{
    struct loop *l = *state;
    int64_t at = clock_mono_ms() + 30;
    int n = 0;

    loop_timer(l, at, count, &n);
    step(l, 0);
    if (clock_mono_ms() < at)
        assert_int_equal(n, 0);
    while (n == 0)
        step(l, 10000);
    assert_true(clock_mono_ms() >= at);
}

static void ignore(int sig)
{
    (void)sig;
}

static void a_signal_ends_the_wait(void **state)
{
    struct sigaction act = {.sa_handler = ignore}, was;
    struct itimerval soon = {.it_value = {.tv_usec = 20000}, .it_interval = {.tv_usec = 20000}};
    struct itimerval never = {0};

    assert_int_equal(sigaction(SIGALRM, &act, &was), 0);
    assert_int_equal(setitimer(ITIMER_REAL, &soon, NULL), 0);
    step(*state, 3600000); /* the test would hang */
    assert_int_equal(setitimer(ITIMER_REAL, &never, NULL), 0);
    assert_int_equal(sigaction(SIGALRM, &was, NULL), 0);
}

static void freed_with_timers(void **state)
{
    static int n;

    loop_timer(*state, 0, count, &n);
    loop_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(watches, setup, teardown),
        cmocka_unit_test_setup_teardown(closing_wakes, setup, teardown),
        cmocka_unit_test_setup_teardown(resting, setup, teardown),
        cmocka_unit_test_setup_teardown(late_events_are_dropped, setup, teardown),
        cmocka_unit_test_setup_teardown(timers_in_order, setup, teardown),
        cmocka_unit_test_setup_teardown(a_timer_that_sets_itself_fires_once_a_step, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_timer_waits, setup, teardown),
        cmocka_unit_test_setup_teardown(a_signal_ends_the_wait, setup, teardown),
        cmocka_unit_test_setup_teardown(freed_with_timers, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
