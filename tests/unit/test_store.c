#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <pthread.h>
#include <sys/wait.h>
#include <time.h>

#include "base/clock.h"
#include "base/rng.h"
#include "gen/queries.h"
#include "store/facts.h"
#include "store/store_class.h"
#include "store/store_explore.h"
#include "store/store_order.h"
#include "store/store_pack.h"
#include "suite/item.h"
#include "suite/mark.h"
#include "unit/store_world.h"

/* ---- runs and those who take part ---- */

static void test_runs(void **state)
{
    struct world *w = *state;
    struct run_row got, twin;
    struct run_list list;
    struct err e;
    bool found;

    assert_int_equal(store_run_get(w->arena, w->store, "latest", &got, &e), E_ABSENT);
    world_run(w, 1);
    assert_ok(store_run_get(w->arena, w->store, "latest", &got, &e));
    assert_string_equal(got.name, w->run.name);
    assert_true(got.stale);
    assert_int_equal(got.seed, 7);
    assert_true(str_eq(got.frozen, w->run.frozen));
    assert_ok(
        store_run_get(w->arena, w->store, arena_printf(w->arena, "%.3s", got.name), &got, &e));
    assert_int_equal(got.id, w->run.id);
    assert_int_equal(store_run_get(w->arena, w->store, "%", &got, &e), E_ABSENT);
    assert_int_equal(store_run_get(w->arena, w->store, "", &got, &e), E_ABSENT);
    assert_ok(store_run_by_id(w->arena, w->store, w->run.id, &got, &e));
    assert_string_equal(got.name, w->run.name);
    assert_int_equal(store_run_by_id(w->arena, w->store, 999, &got, &e), E_ABSENT);

    /* The same key, asked anew, is another generation with another name. */
    twin = w->run;
    twin.fresh = true;
    assert_int_equal(store_run_add(w->arena, w->store, &twin, &e), E_STORE); /* there is one */
    assert_ok(store_run_next(w->store, twin.key, &twin.generation, &e));
    assert_int_equal(twin.generation, 1);
    assert_ok(store_run_add(w->arena, w->store, &twin, &e));
    assert_string_not_equal(twin.name, w->run.name);
    assert_ok(store_run_find(w->arena, w->store, w->run.key, false, &got, &found, &e));
    assert_true(found && got.id == w->run.id);
    assert_ok(store_run_find(w->arena, w->store, w->run.key, true, &got, &found, &e));
    assert_true(found && got.id == twin.id);
    assert_ok(store_run_list(w->arena, w->store, &list, &e));
    assert_int_equal(list.n, 2);
    assert_int_equal(list.v[0].id, twin.id);

    assert_ok(store_run_claim(w->store, w->run.id, &found, &e));
    assert_true(found);
    assert_ok(store_run_get(w->arena, w->store, w->run.name, &got, &e));
    assert_false(got.stale);
}

/* A worker that is late: its group of results commits when others have scored the run. */
static void a_run_is_queued_until_it_is_scored(void **state)
{
    struct world *w = *state;
    const struct run_orders queued = {.order = ORDER_QUEUED, .budget_usd = NAN};
    struct run_orders now;
    struct err e;
    bool ours;

    world_run(w, 1);
    assert_ok(order_queue(w->store, w->run.id, &queued, &e));
    assert_ok(order_get(w->store, w->run.id, &now, &e));
    assert_ok(order_done(w->store, w->run.id, &now, &e));
    assert_ok(order_get(w->store, w->run.id, &now, &e));
    assert_int_equal(now.order, ORDER_QUEUED); /* not scored yet */
    for (int for_queue = 0; for_queue < 2; for_queue++) {
        assert_ok(store_run_claim(w->store, w->run.id, &ours, &e));
        assert_true(ours);
        assert_ok(order_done(w->store, w->run.id, &now, &e));
        assert_ok(order_get(w->store, w->run.id, &now, &e));
        assert_int_equal(now.order, ORDER_NONE);
        assert_ok(store_begin(w->store, &e));
        assert_ok(store_end_stale(w->store, w->run.id, for_queue, OK, &e));
        assert_ok(order_get(w->store, w->run.id, &now, &e));
        assert_int_equal(now.order, for_queue ? ORDER_QUEUED : ORDER_NONE);
    }
    assert_ok(store_run_claim(w->store, w->run.id, &ours, &e));
    assert_ok(order_queue(w->store, w->run.id, &queued, &e));
    assert_ok(order_done(w->store, w->run.id, &now, &e));
    assert_ok(order_get(w->store, w->run.id, &now, &e));
    assert_int_equal(now.order, ORDER_QUEUED); /* since we began */
    assert_ok(order_run(w->store, w->run.id, ORDER_PAUSED, &e));
    assert_ok(store_begin(w->store, &e));
    assert_ok(store_end_stale(w->store, w->run.id, true, OK, &e));
    assert_ok(order_get(w->store, w->run.id, &now, &e));
    assert_int_equal(now.order, ORDER_PAUSED); /* what somebody ordered stands */
}

static void test_parties(void **state)
{
    struct world *w = *state;
    struct party again = {.name = "ann", .family = "y", .config = STR("{\"name\":\"ann2\"}")};
    struct party judge;
    struct party_list list;
    struct err e;

    world_run(w, 1);
    assert_ok(store_party_put(w->store, PARTY_MODEL, w->run.id, &again, &e));
    assert_int_equal(again.id, w->models[0].id);
    assert_ok(store_party_list(w->arena, w->store, PARTY_MODEL, w->run.id, &list, &e));
    assert_int_equal(list.n, 2);
    assert_string_equal(list.v[0].family, "y");
    assert_true(str_is(list.v[0].config, "{\"name\":\"ann2\"}"));

    /* A judge's repeats grow and never shrink: its verdicts are there. */
    judge = w->judge;
    judge.repeats = 3;
    assert_ok(store_party_put(w->store, PARTY_JUDGE, w->run.id, &judge, &e));
    judge.repeats = 1;
    assert_ok(store_party_put(w->store, PARTY_JUDGE, w->run.id, &judge, &e));
    assert_ok(store_party_list(w->arena, w->store, PARTY_JUDGE, w->run.id, &list, &e));
    assert_int_equal(list.n, 1);
    assert_int_equal(list.v[0].repeats, 3);
}

static void test_items(void **state)
{
    struct world *w = *state;
    struct item item;
    struct str body;
    int64_t id, n;
    bool found;
    struct err e;

    world_run(w, 3);
    assert_ok(store_item_count(w->store, w->run.id, &n, &e));
    assert_int_equal(n, 3);
    assert_ok(store_item_find(w->store, w->run.id, "i2", &id, &found, &e));
    assert_true(found);
    assert_ok(store_item_body(w->arena, w->store, id, &body, &e));
    assert_ok(item_thaw(w->arena, body, &item, &e));
    assert_string_equal(item.id, "i2");
    assert_ok(store_item_find(w->store, w->run.id, "i3", &id, &found, &e));
    assert_false(found);
    assert_int_equal(store_item_body(w->arena, w->store, 999999, &body, &e), E_ABSENT);
}

/* ---- the queue ---- */

static struct state_counts samples_of(struct world *w)
{
    struct run_counts c;
    struct err e;

    assert_ok(store_run_counts(w->store, &w->run, 1, NULL, &c, &e));
    return c.samples;
}

static struct state_counts verdicts_of(struct world *w)
{
    struct run_counts c;
    struct err e;

    assert_ok(store_run_counts(w->store, &w->run, 1, NULL, &c, &e));
    return c.verdicts;
}

static void test_planning(void **state)
{
    struct world *w = *state;
    struct err e;

    world_run(w, 5);
    for (int again = 0; again < 2; again++)
        for (int64_t repeat = 0; repeat < 2; repeat++)
            assert_ok(store_plan_samples(w->store, w->run.id, w->models[0].id, repeat, &e));
    assert_int_equal(samples_of(w).total, 10);
    assert_int_equal(samples_of(w).by[STATE_PLANNED], 10);
}

/* Items are opened one by one; the rest when somebody plans them all. */
static void test_opening(void **state)
{
    struct world *w = *state;
    int64_t n = 0;
    bool *open;
    struct err e;

    world_run(w, 5);
    for (int again = 0; again < 2; again++)
        assert_ok(store_plan_item(w->store, w->run.id, w->models[0].id, 0, 3, &e));
    assert_int_equal(samples_of(w).total, 1);
    assert_ok(store_item_open(w->arena, w->store, w->run.id, w->models[0].id, &open, &n, &e));
    assert_int_equal(n, 5);
    for (int64_t i = 0; i < n; i++)
        assert_int_equal(open[i], i == 3);
    assert_ok(store_plan_samples(w->store, w->run.id, w->models[0].id, 0, &e));
    assert_int_equal(samples_of(w).total, 5);
}

static struct leased_list lease(struct world *w, struct store *s, int64_t model, int max)
{
    struct leased_list l;
    struct err e;

    assert_ok(store_lease(w->arena, s, PARTY_MODEL, model, max, &(int64_t){0}, &l, &e));
    return l;
}

/* Plan n samples of a model, lease and answer all of them. */
static void answer_all(struct world *w, int64_t model)
{
    struct leased_list l;
    struct err e;

    assert_ok(store_plan_samples(w->store, w->run.id, model, 0, &e));
    l = lease(w, w->store, model, 100);
    for (size_t i = 0; i < l.n; i++) {
        struct sample_result r = {.id = l.v[i].id,
                                  .state = STATE_DONE,
                                  .answer = STR("A friend."),
                                  .finish = "stop",
                                  .spent = {.tokens_in = 10, .tokens_out = 3, .cost = 0.25}};
        assert_ok(store_sample_end(w->store, &r, &e));
    }
}

static void test_two_workers(void **state)
{
    struct world *w = *state;
    struct store *other;
    struct leased_list a, b, none;
    struct err e;

    world_run(w, 10);
    assert_ok(store_plan_samples(w->store, w->run.id, w->models[0].id, 0, &e));
    assert_ok(store_open(&other, w->url, DB_WRITE, &e));
    assert_ok(store_worker_start(w->store, &e));
    assert_ok(store_worker_start(other, &e));
    a = lease(w, w->store, w->models[0].id, 6);
    b = lease(w, other, w->models[0].id, 6);
    assert_int_equal(a.n, 6);
    assert_int_equal(b.n, 4);
    for (size_t i = 0; i < a.n; i++)
        for (size_t k = 0; k < b.n; k++)
            assert_true(a.v[i].id != b.v[k].id);
    none = lease(w, other, w->models[0].id, 6);
    assert_int_equal(none.n, 0);

    assert_ok(store_unlease(w->store, PARTY_MODEL, &a.v[0].id, 1, &e));
    none = lease(w, other, w->models[0].id, 6);
    assert_int_equal(none.n, 1);
    assert_int_equal(none.v[0].id, a.v[0].id);

    /* Leaving gives back what is held, and only that. */
    assert_ok(store_worker_end(other, &e));
    assert_int_equal(samples_of(w).by[STATE_PLANNED], 5);
    assert_int_equal(samples_of(w).by[STATE_LEASED], 5);
    store_close(other);
}

/* A process that takes work and dies. */
static void die_with_work(struct world *w)
{
    pid_t child = fork();
    int status;

    if (child == 0) {
        struct store *s;
        struct leased_list l;
        struct err e;
        bool good = store_open(&s, w->url, DB_WRITE, &e) == OK && store_worker_start(s, &e) == OK &&
                    store_lease(w->arena, s, PARTY_MODEL, w->models[0].id, 3, &(int64_t){0}, &l,
                                &e) == OK &&
                    l.n == 3;
        _exit(good ? 0 : 1);
    }
    assert_true(waitpid(child, &status, 0) == child && WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void test_worker_gone(void **state)
{
    struct world *w = *state;
    struct err e;
    bool lost = false;

    world_run(w, 4);
    assert_ok(store_plan_samples(w->store, w->run.id, w->models[0].id, 0, &e));
    store_close(w->store); /* SQLite handles do not cross a fork */
    w->store = NULL;
    die_with_work(w);
    assert_ok(store_open(&w->store, w->url, DB_WRITE, &e));
    assert_int_equal(samples_of(w).by[STATE_LEASED], 3);
    assert_ok(store_worker_start(w->store, &e));
    assert_int_equal(samples_of(w).by[STATE_PLANNED], 4);
    /* Those who live keep theirs. */
    assert_int_equal(lease(w, w->store, w->models[0].id, 2).n, 2);
    assert_ok(store_worker_beat(w->store, &lost, &e));
    assert_false(lost);
    assert_int_equal(samples_of(w).by[STATE_LEASED], 2);
}

static void wait_a_moment(void)
{
    (void)nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
}

/* With so many requests in flight: who asks it, and what may be in flight from then on. */
static void asks(struct store *s, int64_t window, int64_t busy, int64_t workers, int64_t slots)
{
    struct asked_share share;
    struct err e;

    assert_ok(store_worker_asks(s, "http://a m", window, busy, &share, &e));
    assert_int_equal(share.workers, workers);
    assert_int_equal(share.slots, slots);
}

/* A process that is stopped, on this machine too, loses its rows; and when it goes on, it changes
 * nothing that others did meanwhile. */
static void test_worker_stopped(void **state)
{
    struct world *w = *state;
    struct sample_result bad = {.state = STATE_FAILED, .fault = "late", .why = "too late"},
                         good = {.state = STATE_DONE, .answer = STR("Well."), .finish = "stop"};
    struct leased_list mine, theirs;
    struct store *other;
    struct err e;
    bool lost = false;

    world_run(w, 2);
    assert_ok(store_plan_samples(w->store, w->run.id, w->models[0].id, 0, &e));
    assert_ok(store_worker_start(w->store, &e));
    mine = lease(w, w->store, w->models[0].id, 2);
    assert_int_equal(mine.n, 2);

    assert_ok(store_open(&other, w->url, DB_WRITE, &e));
    assert_ok(store_worker_start(other, &e));
    assert_ok(store_worker_beat(other, &lost, &e));
    assert_int_equal(lease(w, other, w->models[0].id, 2).n, 0); /* not yet a minute */
    other->lost_ms = 0;
    wait_a_moment();
    assert_ok(store_worker_beat(other, &lost, &e));
    assert_false(lost);
    theirs = lease(w, other, w->models[0].id, 2);
    assert_int_equal(theirs.n, 2);

    bad.id = mine.v[0].id; /* leased by another now */
    assert_ok(store_sample_end(w->store, &bad, &e));
    assert_int_equal(samples_of(w).by[STATE_FAILED], 0);
    for (size_t i = 0; i < theirs.n; i++) {
        good.id = theirs.v[i].id;
        assert_ok(store_sample_end(other, &good, &e));
    }
    assert_ok(store_sample_end(w->store, &bad, &e));
    assert_int_equal(samples_of(w).by[STATE_DONE], 2);

    /* Who asks an endpoint is counted by its living workers. */
    asks(other, 8, 0, 1, 8);
    asks(other, 8, 8, 1, 8);
    assert_ok(store_worker_beat(w->store, &lost, &e));
    assert_true(lost);
    /* What is in flight is counted until it is answered; then each has its part. */
    asks(w->store, 8, 0, 2, 0);
    asks(other, 8, 7, 2, 4);
    asks(w->store, 8, 0, 2, 1);
    asks(other, 8, 1, 2, 4);
    asks(w->store, 8, 1, 2, 4);
    asks(w->store, 0, 0, 2, 0); /* another run, whose file names no window: nothing is held */
    asks(w->store, 1, 0, 2, 1); /* nobody is shut out of one that is narrower than they are many */
    assert_ok(store_worker_end(other, &e));
    asks(w->store, 8, 4, 1, 8);
    store_close(other);
}

/* One that is stopped while it writes holds up nobody who lives: it is taken over when that is
 * over. */
static void test_worker_stuck(void **state)
{
    struct world *w = *state;
    struct store *other;
    struct err e;
    bool lost = false;

    world_run(w, 1);
    if (!db_is_postgres(w->store->db))
        return; /* which has one writer */
    assert_ok(store_plan_samples(w->store, w->run.id, w->models[0].id, 0, &e));
    assert_ok(store_worker_start(w->store, &e));
    assert_int_equal(lease(w, w->store, w->models[0].id, 1).n, 1);
    assert_ok(store_open(&other, w->url, DB_WRITE, &e));
    assert_ok(store_worker_start(other, &e));
    assert_ok(store_worker_beat(other, &lost, &e));
    other->lost_ms = 0;
    wait_a_moment();

    assert_ok(store_begin(w->store, &e));
    assert_ok(store_worker_hold(w->store, &lost, &e));
    assert_ok(store_worker_beat(other, &lost, &e)); /* whoever waits for a lock fails after 5 s */
    assert_int_equal(lease(w, other, w->models[0].id, 1).n, 0);
    store_rollback(w->store);
    assert_ok(store_worker_beat(other, &lost, &e));
    assert_int_equal(lease(w, other, w->models[0].id, 1).n, 1);
    assert_false(lost);
    store_close(other);
}

struct late {
    struct store *s;
    int64_t sample, worker;
    struct err e;
    enum status st;
    bool lost;
};

static enum status end_late(struct late *l)
{
    const struct sample_result r = {
        .id = l->sample, .state = STATE_FAILED, .fault = "late", .why = "too late"};

    return store_worker_hold(l->s, &l->lost, &l->e) == OK ? store_sample_end(l->s, &r, &l->e)
                                                          : l->e.code;
}

/* It must not assert: cmocka leaves a test by a jump. */
static void *come_late(void *user)
{
    struct late *l = user;

    l->st = store_atomically(l->s, &l->e, end_late(l));
    return NULL;
}

static void wait_for_a_lock(struct store *s)
{
    AUTO(rows_freep) struct rows *r = NULL;
    struct err e;
    bool waits = false;

    assert_ok(rows_new(s->db,
                       "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND "
                       "wait_event_type = 'Lock'",
                       &r, &e));
    while (!waits) {
        assert_ok(rows_open(r, NO_ARGS, &e));
        waits = rows_next(r);
        assert_ok(rows_end(r, &e));
        wait_a_moment();
    }
}

/* One that was taken for dead writes at the very moment at which another takes its rows over. */
static void test_worker_late_by_a_moment(void **state)
{
    struct world *w = *state;
    struct late late = {.s = w->store};
    struct store *other, *third;
    pthread_t thread;
    struct err e;

    world_run(w, 1);
    if (!db_is_postgres(w->store->db))
        return; /* which has one writer */
    assert_ok(store_plan_samples(w->store, w->run.id, w->models[0].id, 0, &e));
    assert_ok(store_worker_start(w->store, &e));
    late.sample = lease(w, w->store, w->models[0].id, 1).v[0].id;
    assert_ok(store_open(&other, w->url, DB_WRITE, &e));
    assert_ok(store_open(&third, w->url, DB_WRITE, &e));
    assert_ok(store_worker_start(other, &e));

    assert_ok(store_begin(other, &e));
    assert_ok(db_run(other->db, Q_WORKER_DROP, ARGS(V_INT(w->store->worker)), NULL, &e));
    assert_ok(db_run(other->db, Q_WORKER_FREE_SAMPLES, ARGS(V_INT(w->store->worker)), NULL, &e));
    assert_int_equal(lease(w, other, w->models[0].id, 1).n, 1);
    assert_int_equal(pthread_create(&thread, NULL, come_late, &late), 0);
    wait_for_a_lock(third);
    assert_ok(store_commit(other, &e));
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(late.st, OK);
    assert_true(late.lost);
    assert_int_equal(samples_of(w).by[STATE_FAILED], 0);
    assert_int_equal(samples_of(w).by[STATE_LEASED], 1);
    store_close(third);
    store_close(other);
}

static void *evict(void *user)
{
    struct late *l = user;

    l->st = store_worker_evict(l->s, l->worker, &l->e);
    return NULL;
}

/* One that is taken for dead while it writes: what it has begun it ends, and that is all. */
static void test_worker_evicted_while_it_writes(void **state)
{
    struct world *w = *state;
    struct sample_result good = {.state = STATE_DONE, .answer = STR("Well."), .finish = "stop"};
    struct leased_list l;
    struct late other = {0};
    struct store *third;
    pthread_t thread;
    struct err e;
    bool lost = false;

    world_run(w, 2);
    if (!db_is_postgres(w->store->db))
        return;
    assert_ok(store_plan_samples(w->store, w->run.id, w->models[0].id, 0, &e));
    assert_ok(store_worker_start(w->store, &e));
    l = lease(w, w->store, w->models[0].id, 2);
    assert_int_equal(l.n, 2);
    assert_ok(store_open(&other.s, w->url, DB_WRITE, &e));
    assert_ok(store_open(&third, w->url, DB_WRITE, &e));
    other.worker = w->store->worker;

    assert_ok(store_begin(w->store, &e));
    assert_ok(store_worker_hold(w->store, &lost, &e));
    assert_false(lost);
    assert_int_equal(pthread_create(&thread, NULL, evict, &other), 0);
    wait_for_a_lock(third);
    good.id = l.v[0].id;
    assert_ok(store_sample_end(w->store, &good, &e));
    assert_ok(store_unlease(w->store, PARTY_MODEL, &l.v[0].id, 1, &e));
    assert_ok(store_commit(w->store, &e));
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(other.st, OK);
    assert_int_equal(samples_of(w).by[STATE_DONE], 1);
    assert_int_equal(samples_of(w).by[STATE_PLANNED], 1);
    assert_int_equal(samples_of(w).by[STATE_LEASED], 0);
    assert_ok(store_worker_hold(w->store, &lost, &e));
    assert_true(lost);
    store_close(third);
    store_close(other.s);
}

/* One that does not know yet that it was taken for dead leases more, and says whom it asks: that is
 * found too. */
static void test_worker_leases_after_its_death(void **state)
{
    struct world *w = *state;
    struct store *other;
    struct err e;
    bool lost = false;

    world_run(w, 2);
    assert_ok(store_plan_samples(w->store, w->run.id, w->models[0].id, 0, &e));
    assert_ok(store_worker_start(w->store, &e));
    assert_ok(store_open(&other, w->url, DB_WRITE, &e));
    assert_ok(store_worker_start(other, &e));
    assert_ok(store_worker_evict(other, w->store->worker, &e));
    assert_int_equal(lease(w, w->store, w->models[0].id, 2).n, 2);
    asks(w->store, 8, 2, 1, 8);
    assert_ok(store_worker_beat(w->store, &lost, &e)); /* goes on under another number */
    assert_true(lost);
    lost = false;
    assert_ok(store_worker_beat(other, &lost, &e));
    assert_false(lost);
    assert_int_equal(samples_of(w).by[STATE_PLANNED], 2);
    asks(other, 8, 0, 1, 8);
    store_close(other);
}

/* The last one; its texts are gone when we return. */
static struct sample_row last_sample(struct store *s, const struct sample_filter *f)
{
    struct err e;
    struct cursor c = store_samples(s, f, &e);
    struct sample_row row, last = {0};

    while (store_sample_next(&c, &row)) {
        last = row;
        last.position = str_is(row.answer, "A friend.");
    }
    assert_ok(cursor_end(&c));
    return last;
}

static void test_results(void **state)
{
    struct world *w = *state;
    struct sample_filter f = {.run = w->run.id, .model = "ann", .item = "i1"};
    struct sample_result late = {.state = STATE_FAILED, .fault = "late", .why = "too late"};
    struct sample_row row;
    struct tally_list tallies;
    struct facts *facts;
    struct purse spent = {0};
    struct err e;

    world_run(w, 2);
    f.run = w->run.id;
    answer_all(w, w->models[0].id);
    row = last_sample(w->store, &f);
    assert_int_equal(row.state, STATE_DONE);
    assert_true(row.position == 1);
    assert_int_equal(row.tokens_out, 3);
    assert_true(row.cost == 0.25);

    /* A result is written once: whoever comes later changes nothing. */
    late.id = row.id;
    assert_ok(store_sample_end(w->store, &late, &e));
    assert_int_equal(samples_of(w).by[STATE_DONE], 2);
    assert_ok(store_spent(w->store, w->run.id, &spent, &e));
    assert_int_equal(spent.tokens, 26);
    assert_true(spent.usd == 0.5);
    assert_ok(facts_read(w->store, w->run.id, &facts, &e));
    assert_ok(facts_tally(w->arena, facts, PARTY_MODEL, &(struct jury){.key = ""}, &tallies, &e));
    facts_free(facts);
    assert_int_equal(tallies.n, 1);
    assert_int_equal(tallies.v[0].done, 2);
}

/* ---- verdicts ---- */

static int64_t plan_verdicts(struct world *w, const char *family)
{
    struct verdict_plan p = {.run = w->run.id, .judge = w->judge.id, .family = family};
    int64_t n;
    struct err e;

    assert_ok(store_plan_verdicts(w->store, &p, &n, &e));
    return n;
}

static void end_verdict(struct world *w, int64_t id, enum state st)
{
    const struct mark marks[] = {{"tone", 0.5, STR("near it"), STR("[\"A friend\"]"), STR("less")},
                                 {"wit", 4, STR(""), STR(""), STR("")}};
    struct verdict_result r = {
        .id = id,
        .state = st,
        .reply = STR("words"),
        .overall = NAN,
        .repairs = 1,
        .fault = st == STATE_DONE ? NULL : "no-json",
        .why = st == STATE_DONE ? NULL : "the reply holds no JSON",
        .marks = marks,
        .nmarks = st == STATE_DONE ? COUNT(marks) : 0,
        .spent = {.tokens_in = -1, .tokens_out = -1, .cost = NAN},
    };
    struct err e;

    assert_ok(store_verdict_end(w->store, &r, &e));
}

static struct leased_list lease_verdicts(struct world *w)
{
    struct leased_list l;
    struct err e;

    assert_ok(
        store_lease(w->arena, w->store, PARTY_JUDGE, w->judge.id, 100, &(int64_t){0}, &l, &e));
    return l;
}

static void test_verdicts(void **state)
{
    struct world *w = *state;
    struct leased_list l;
    struct mark_list marks;
    struct err e;

    world_run(w, 2);
    answer_all(w, w->models[0].id);
    answer_all(w, w->models[1].id);
    assert_int_equal(plan_verdicts(w, "x"), 2); /* ann is of the judge's own family */
    assert_int_equal(plan_verdicts(w, ""), 2);
    assert_int_equal(plan_verdicts(w, ""), 0);
    l = lease_verdicts(w);
    assert_int_equal(l.n, 4);
    assert_true(str_is(l.v[0].answer, "A friend."));
    for (size_t i = 0; i < l.n; i++)
        end_verdict(w, l.v[i].id, STATE_DONE);
    for (int64_t now = clock_utc_ms(); clock_utc_ms() == now;)
        continue; /* the time of its end tells a verdict from a later one */
    end_verdict(w, l.v[0].id, STATE_DONE); /* a second time: its marks are not doubled */
    assert_ok(store_mark_list(w->arena, w->store, l.v[0].id, 0, &marks, &e));
    assert_int_equal(marks.n, 2);
    assert_string_equal(marks.v[0].dimension, "tone");
    assert_true(marks.v[0].value == 0.5);
    assert_true(str_is(marks.v[0].evidence, "[\"A friend\"]"));
    assert_true(str_is(marks.v[0].advice, "less") && marks.v[1].advice.n == 0);
    assert_int_equal(verdicts_of(w).by[STATE_DONE], 4);
}

/* What is left and what is held are asked for where counting would take long: to the same end. */
static void agree(struct world *w, const struct jury *jury)
{
    struct run_counts c;
    struct run_held held = {-1, -1};
    struct run_left left = {0};
    struct err e;

    assert_ok(store_run_counts(w->store, &w->run, 1, jury, &c, &e));
    assert_ok(store_run_held(w->store, w->run.id, jury, &held, &e));
    assert_int_equal(held.samples, c.samples.by[STATE_LEASED]);
    assert_int_equal(held.verdicts, c.verdicts.by[STATE_LEASED]);
    if (jury)
        return;
    assert_ok(store_run_left(w->store, w->run.id, &left, &e));
    assert_int_equal(left.samples, store_counts_left(&c.samples) > 0);
    assert_int_equal(left.verdicts, store_counts_left(&c.verdicts) > 0);
}

static void all_agree(struct world *w)
{
    struct jury_list l;
    struct err e;

    assert_ok(jury_list(w->arena, w->store, w->run.id, &l, &e));
    for (size_t i = 0; i < l.n; i++)
        agree(w, &l.v[i]);
    agree(w, NULL);
}

/* Of a run with two panels, one of two judges; beside a run whose rows are held, too. */
static void test_left_and_held(void **state)
{
    struct world *w = *state;
    static const char *const names[] = {"flo", "gus"};
    struct party first,
        other = {.family = "", .config = STR("{}"), .template = STR("{}"), .repeats = 1};
    struct leased_list l;
    struct err e;

    world_run(w, 3);
    assert_ok(store_worker_start(w->store, &e));
    assert_ok(store_plan_samples(w->store, w->run.id, w->models[0].id, 0, &e));
    (void)lease(w, w->store, w->models[0].id, 2);
    world_run(w, 3);
    all_agree(w); /* nothing is planned */
    answer_all(w, w->models[0].id);
    all_agree(w); /* the other run's are held */
    assert_ok(store_plan_samples(w->store, w->run.id, w->models[1].id, 0, &e));
    all_agree(w);
    (void)lease(w, w->store, w->models[1].id, 2);
    all_agree(w);
    first = w->judge;
    for (size_t i = 0; i <= COUNT(names); i++) {
        assert_int_equal(plan_verdicts(w, ""), 3);
        l = lease_verdicts(w);
        assert_ok(store_unlease(w->store, PARTY_JUDGE, &l.v[0].id, 1, &e));
        end_verdict(w, l.v[1].id, i ? STATE_DONE : STATE_UNSCORED);
        all_agree(w);
        if (i == COUNT(names))
            break;
        other.name = names[i];
        other.panel = "flo+gus";
        w->judge = other;
        assert_ok(store_begin(w->store, &e));
        assert_ok(store_party_put(w->store, PARTY_JUDGE, w->run.id, &w->judge, &e));
        assert_ok(store_commit(w->store, &e));
    }
    for (int dropped = 1; dropped >= 0; dropped--) {
        assert_ok(store_begin(w->store, &e));
        assert_ok(jury_drop(w->store, w->run.id, first.name, dropped, &e));
        assert_ok(store_commit(w->store, &e));
        all_agree(w);
    }
    assert_ok(store_worker_end(w->store, &e));
    all_agree(w);
}

static enum status count_fact(void *user, const struct mark_fact *f, struct err *e)
{
    int64_t *n = user;

    (void)e;
    n[f->dimension != NULL]++;
    return OK;
}

static void test_facts(void **state)
{
    struct world *w = *state;
    struct leased_list l;
    int64_t n[2] = {0};
    struct err e;

    world_run(w, 3);
    answer_all(w, w->models[1].id);
    assert_int_equal(plan_verdicts(w, ""), 3);
    l = lease_verdicts(w);
    end_verdict(w, l.v[0].id, STATE_DONE);
    end_verdict(w, l.v[1].id, STATE_UNSCORED);
    assert_ok(store_mark_each(w->store, w->run.id, &(struct jury){.key = ""}, count_fact, n, &e));
    assert_int_equal(n[1], 2); /* two marks of one sample */
    assert_int_equal(n[0], 2); /* and two samples without any */
}

static void test_faults_and_again(void **state)
{
    struct world *w = *state;
    struct sample_result r = {.state = STATE_FAILED, .fault = "timeout", .why = "30 s passed"};
    struct fault_list faults;
    struct leased_list l;
    int64_t samples, verdicts;
    struct err e;

    world_run(w, 2);
    answer_all(w, w->models[1].id);
    assert_int_equal(plan_verdicts(w, ""), 2);
    l = lease_verdicts(w);
    end_verdict(w, l.v[0].id, STATE_UNSCORED);
    end_verdict(w, l.v[1].id, STATE_DONE);
    assert_ok(store_plan_samples(w->store, w->run.id, w->models[0].id, 0, &e));
    r.id = lease(w, w->store, w->models[0].id, 1).v[0].id;
    assert_ok(store_sample_end(w->store, &r, &e));
    assert_ok(store_unlease(w->store, PARTY_MODEL, &r.id, 1, &e));
    for (size_t i = 0; i < l.n; i++)
        assert_ok(store_unlease(w->store, PARTY_JUDGE, &l.v[i].id, 1, &e));

    assert_ok(store_fault_list(w->arena, w->store, w->run.id, &faults, &e));
    assert_int_equal(faults.n, 2);
    assert_string_equal(faults.v[0].who, "ann");
    assert_string_equal(faults.v[0].fault, "timeout");
    assert_true(faults.v[1].is_judge);
    assert_string_equal(faults.v[1].why, "the reply holds no JSON");

    assert_ok(store_plan_again(w->store, w->run.id, &samples, &verdicts, &e));
    assert_int_equal(samples, 1);
    assert_int_equal(verdicts, 1);
    l = lease_verdicts(w);
    assert_int_equal(l.n, 1);
    assert_int_equal(l.v[0].round, 1);
    assert_int_equal(verdicts_of(w).by[STATE_DONE], 1);
}

/* ---- flags, scores, calls ---- */

static void test_flags(void **state)
{
    struct world *w = *state;
    struct sample_filter f = {.model = "ann", .item = "i0"};
    struct sample_row row;
    struct flag_list flags;
    struct err e;

    world_run(w, 1);
    answer_all(w, w->models[0].id);
    f.run = w->run.id;
    row = last_sample(w->store, &f);
    assert_ok(store_flag_put(w->store, w->run.id, row.id, "duplicate", 0.9, STR("{}"), &e));
    assert_ok(db_script(w->store->db,
                        "UPDATE flag SET overruled_by = 'kay', overruled_why = 'a refrain'", &e));
    assert_ok(store_flag_put(w->store, w->run.id, row.id, "duplicate", 0.95, STR("{}"), &e));
    assert_ok(store_flag_list(w->arena, w->store, w->run.id, &flags, &e));
    assert_int_equal(flags.n, 1);
    assert_true(flags.v[0].value == 0.95);
    assert_string_equal(flags.v[0].overruled_by, "kay");
    assert_string_equal(flags.v[0].overruled_why, "a refrain");
    assert_ok(store_flag_drop(w->store, flags.v[0].id, &e));
    assert_ok(store_flag_list(w->arena, w->store, w->run.id, &flags, &e));
    assert_int_equal(flags.n, 0);
}

static void test_scores(void **state)
{
    struct world *w = *state;
    struct score_row rows[] = {
        {"model/bob", "score", "t, items", 1.0 / 3, 0.1, 0.1 + 0.2, 12, 4, NULL},
        {"model/ann", "score", "t, items", NAN, NAN, NAN, 0, 0, "few-items"},
    };
    struct score_list in = {.v = rows, .n = 2}, out;
    struct err e;

    world_run(w, 1);
    for (int i = 0; i < 2; i++) {
        assert_ok(store_score_drop(w->store, w->run.id, &e));
        assert_ok(store_score_add(w->store, w->run.id, "", &in, &e));
    }
    assert_ok(store_score_list(w->arena, w->store, w->run.id, "", &out, &e));
    assert_int_equal(out.n, 2);
    assert_string_equal(out.v[0].subject, "model/ann");
    assert_true(isnan(out.v[0].value));
    assert_string_equal(out.v[0].why, "few-items");
    assert_null(out.v[1].why);
    assert_true(out.v[1].value == 1.0 / 3 && out.v[1].hi == 0.1 + 0.2);
    assert_int_equal(out.v[1].clusters, 4);
}

static const struct call_row *find_call(struct world *w, const char *key, int64_t run,
                                        bool only_run)
{
    struct call_wanted wanted[] = {{w->arena, "absent", NULL}, {w->arena, key, NULL}};
    struct err e;

    assert_ok(store_call_find(w->store, wanted, COUNT(wanted), run, only_run, &e));
    assert_null(wanted[0].found);
    return wanted[1].found;
}

static void test_calls(void **state)
{
    struct world *w = *state;
    struct call_row call = {.key = "k", .url = "http://x/", .request = STR("{}"), .elapsed_ms = 5};
    const struct call_row *found;
    struct call_row got;
    struct err e;

    world_run(w, 1);
    call.run = w->run.id;
    call.response = STR("{\"a\":1}");
    assert_ok(store_call_add(w->store, &(struct call_row *){&call}, 1, &e));
    found = find_call(w, "k", w->run.id + 1, false);
    assert_true(found && found->id == call.id);
    assert_null(find_call(w, "k", w->run.id + 1, true));
    assert_ok(store_call_get(w->arena, w->store, call.id, &got, &e));
    assert_true(str_is(got.response, "{\"a\":1}"));
    assert_int_equal(store_call_get(w->arena, w->store, call.id + 1, &got, &e), E_ABSENT);
}

/* More than go together at once, new ones and, the second time, old ones among them. */
static void test_ids_of_many_calls(void **state)
{
    enum { CALLS = 600 };
    struct world *w = *state;
    struct call_row *calls[CALLS], got;
    struct err e;

    world_run(w, 1);
    for (size_t i = 0; i < CALLS; i++) {
        calls[i] = NEW(w->arena, struct call_row);
        *calls[i] = (struct call_row){.run = w->run.id, .url = "http://x/", .request = STR("{}")};
    }
    for (size_t round = 0; round < 2; round++) {
        for (size_t i = 0; i < CALLS; i++)
            calls[i]->key = arena_printf(w->arena, "%zu", round * CALLS / 3 + i);
        assert_ok(store_begin(w->store, &e));
        assert_ok(store_call_add(w->store, calls, CALLS, &e));
        assert_ok(store_commit(w->store, &e));
        for (size_t i = 0; i < CALLS; i++) {
            assert_ok(store_call_get(w->arena, w->store, calls[i]->id, &got, &e));
            assert_string_equal(got.key, calls[i]->key);
        }
    }
}

/* Each has the id of its own key. Two who wait for each other are told to try again. */
static bool add_calls(struct store *s, struct call_row **calls, size_t n, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct call_row got;
    enum status st;

    do
        st = store_atomically(s, e, store_call_add(s, calls, n, e));
    while (st == E_BUSY);
    for (size_t i = 0; st == OK && i < n; i++) {
        st = store_call_get(a, s, calls[i]->id, &got, e);
        if (st == OK && strcmp(got.key, calls[i]->key) != 0)
            st = err_set(e, E_STORE, "%s has the id of %s", calls[i]->key, got.key);
    }
    return st == OK;
}

/* One of several processes that add the same replies: in its own order, some of them twice, and
 * some so long that few go together. */
static bool add_among_others(const char *url, int64_t run, uint64_t who)
{
    enum { CALLS = 60, KEYS = 90, ROUNDS = 3, LONG = 200 << 10 };
    AUTO(arena_freep) struct arena *a = arena_new();
    struct str response = {memset(arena_alloc(a, LONG), 'a', LONG), LONG};
    struct call_row *calls[CALLS];
    struct store *s;
    struct err e;
    bool good = store_open(&s, url, DB_WRITE, &e) == OK;

    for (int64_t round = 0; good && round < ROUNDS; round++) {
        struct rng r = rng_keyed(who, "calls", &round, 1);
        for (size_t i = 0; i < CALLS; i++) {
            size_t key = rng_below(&r, KEYS) + (size_t)round * KEYS / 2;
            calls[i] = NEW(a, struct call_row);
            *calls[i] = (struct call_row){.run = run,
                                          .key = arena_printf(a, "%zu", key),
                                          .url = "http://x/",
                                          .request = STR("{}"),
                                          .response = {response.p, key % 7 ? key : LONG}};
        }
        good = add_calls(s, calls, CALLS, &e);
    }
    if (!good)
        print_error("%s\n", e.msg);
    return good;
}

static void test_calls_of_several_processes(void **state)
{
    enum { PROCESSES = 3 };
    struct world *w = *state;
    int status, failed = 0;
    struct err e;

    world_run(w, 1);
    store_close(w->store); /* SQLite handles do not cross a fork */
    for (uint64_t i = 0; i < PROCESSES; i++)
        if (fork() == 0)
            _exit(add_among_others(w->url, w->run.id, i) ? 0 : 1);
    while (wait(&status) > 0)
        failed += status != 0;
    assert_ok(store_open(&w->store, w->url, DB_WRITE, &e));
    assert_int_equal(failed, 0);
}

/* A reply of the run itself comes first, then that of the newest other run. */
static void test_calls_of_several_runs(void **state)
{
    static const char *const said[] = {"first", "second", "third"};
    struct world *w = *state;
    struct call_row call = {.key = "k", .url = "http://x/", .request = STR("{}")};
    const struct call_row *found;
    int64_t runs[3];
    struct err e;

    world_run(w, 1);
    for (size_t i = 0; i < COUNT(runs); i++) {
        struct run_row run = w->run;
        run.generation = (int64_t)i + 1;
        assert_ok(store_begin(w->store, &e));
        assert_ok(store_run_add(w->arena, w->store, &run, &e));
        assert_ok(store_commit(w->store, &e));
        call.run = runs[i] = run.id;
        call.response = str_of(said[i]);
        assert_ok(store_call_add(w->store, &(struct call_row *){&call}, 1, &e));
    }
    call.response = STR("third, again");
    assert_ok(
        store_call_add(w->store, &(struct call_row *){&call}, 1, &e)); /* what is there stays */
    for (size_t i = 0; i < COUNT(runs); i++) {
        found = find_call(w, "k", runs[i], i == 1);
        assert_true(found && found->run == runs[i] && str_is(found->response, said[i]));
    }
    found = find_call(w, "k", w->run.id, false);
    assert_true(found && str_is(found->response, "third"));
    assert_null(find_call(w, "k", w->run.id, true));
    assert_null(find_call(w, "other", runs[0], false));
}

/* Whoever scores a run has read its dictionaries: a new one waits until they are done. */
static void test_packing_beside_scoring(void **state)
{
    enum { CALLS = 200 };
    struct world *w = *state;
    struct call_row call = {.url = "http://x/", .response = STR("The gate is shut for the night.")};
    struct pack_sizes is;
    struct store *other;
    struct err e;
    bool ours;

    if (!db_is_postgres(w->store->db))
        return;
    world_run(w, 1);
    call.run = w->run.id;
    for (int i = 0; i < CALLS; i++) {
        call.key = arena_printf(w->arena, "k%d", i);
        call.request = str_of(arena_printf(
            w->arena, "{\"model\":\"keeper\",\"messages\":[\"Open gate %d, keeper, it is %d\"]}", i,
            i * 7919 % 1000));
        assert_ok(store_call_add(w->store, &(struct call_row *){&call}, 1, &e));
    }
    assert_ok(store_open(&other, w->url, DB_WRITE, &e));
    for (int scored = 0; scored < 2; scored++) {
        if (scored) {
            assert_ok(store_commit(other, &e));
        } else {
            assert_ok(store_begin(other, &e));
            assert_ok(store_run_claim(other, w->run.id, &ours, &e));
        }
        assert_ok(pack_finished(w->store, &e));
        assert_ok(pack_sizes(w->store->db, &is, &e));
        assert_int_equal(is.calls, scored ? CALLS : 0);
    }
    store_close(other);
}

static void test_class_marks(void **state)
{
    struct world *w = *state;
    const struct class_name one = {"polite", "v1", "polite"}, two = {"polite", "v2", "plain"},
                            other = {"rude", "r", "rude"};
    struct class_tally_list tallies;
    struct logit_list logits;
    struct id_list missing;
    struct str answer;
    struct err e;
    bool any;

    world_run(w, 3);
    assert_ok(store_class_missing(w->arena, w->store, w->run.id, "polite", &missing, &e));
    assert_int_equal(missing.n, 0); /* nothing has been answered */
    answer_all(w, w->models[0].id);
    assert_ok(store_class_missing(w->arena, w->store, w->run.id, "polite", &missing, &e));
    assert_int_equal(missing.n, 3);
    assert_ok(store_class_answer(w->arena, w->store, missing.v[0], &answer, &e));
    assert_true(answer.n > 0);
    assert_ok(store_class_put(w->store, missing.v[0], &one, 0.5, &e));
    assert_ok(store_class_put(w->store, missing.v[0], &one, 1.0 / 3, &e));
    assert_ok(store_class_put(w->store, missing.v[1], &one, 0, &e)); /* 0 does not exceed 0 */
    assert_ok(store_class_put(w->store, missing.v[1], &other, -1, &e));

    assert_ok(store_class_missing(w->arena, w->store, w->run.id, "polite", &missing, &e));
    assert_int_equal(missing.n, 1);
    assert_ok(store_class_logits(w->arena, w->store, w->run.id, "polite", &logits, &e));
    assert_int_equal(logits.n, 2);
    assert_true(logits.v[0] == 1.0 / 3 && logits.v[1] == 0);
    assert_ok(store_class_tally(w->arena, w->store, w->run.id, &tallies, &e));
    assert_int_equal(tallies.n, 3); /* by item */
    assert_string_equal(tallies.v[0].classifier, "polite");
    assert_string_equal(tallies.v[0].model, w->models[0].name);
    assert_int_equal(tallies.v[0].n + tallies.v[1].n, 2);
    assert_int_equal(tallies.v[0].above + tallies.v[1].above, 1);
    assert_string_equal(tallies.v[2].classifier, "rude");

    assert_ok(store_class_forget(w->store, w->run.id, &one, &any, &e));
    assert_false(any); /* the same: nothing to forget */
    assert_ok(store_class_logits(w->arena, w->store, w->run.id, "polite", &logits, &e));
    assert_int_equal(logits.n, 2);
    assert_ok(store_class_forget(w->store, w->run.id, &two, &any, &e));
    assert_true(any);
    assert_ok(store_class_tally(w->arena, w->store, w->run.id, &tallies, &e));
    assert_int_equal(tallies.n, 1);
    assert_string_equal(tallies.v[0].classifier, "rude");
}

/* The key of a page is part of an address, which may hold any number. */
static void test_page_behind_the_last(void **state)
{
    struct world *w = *state;
    struct explore_run_filter f = {"old", "", "", "", ""};
    struct explore_runs out;
    struct err e;

    world_run(w, 1);
    assert_ok(store_run_page(w->arena, w->store, &f, EXPLORE_FIRST, 10, &out, &e));
    assert_int_equal(out.n, 1);
    assert_ok(
        store_run_page(w->arena, w->store, &f, (struct explore_place){1e300, 1}, 10, &out, &e));
    assert_int_equal(out.n, 0);
}

#define TESTS(setup)                                                                               \
    WORLD_TEST(test_runs, setup), WORLD_TEST(a_run_is_queued_until_it_is_scored, setup),           \
        WORLD_TEST(test_parties, setup), WORLD_TEST(test_items, setup),                            \
        WORLD_TEST(test_planning, setup), WORLD_TEST(test_opening, setup),                         \
        WORLD_TEST(test_two_workers, setup), WORLD_TEST(test_worker_gone, setup),                  \
        WORLD_TEST(test_worker_stopped, setup), WORLD_TEST(test_worker_stuck, setup),              \
        WORLD_TEST(test_worker_late_by_a_moment, setup),                                           \
        WORLD_TEST(test_worker_evicted_while_it_writes, setup),                                    \
        WORLD_TEST(test_worker_leases_after_its_death, setup), WORLD_TEST(test_results, setup),    \
        WORLD_TEST(test_verdicts, setup), WORLD_TEST(test_left_and_held, setup),                   \
        WORLD_TEST(test_facts, setup), WORLD_TEST(test_faults_and_again, setup),                   \
        WORLD_TEST(test_flags, setup), WORLD_TEST(test_scores, setup),                             \
        WORLD_TEST(test_calls, setup), WORLD_TEST(test_calls_of_several_runs, setup),              \
        WORLD_TEST(test_ids_of_many_calls, setup),                                                 \
        WORLD_TEST(test_calls_of_several_processes, setup),                                        \
        WORLD_TEST(test_packing_beside_scoring, setup), WORLD_TEST(test_class_marks, setup),       \
        WORLD_TEST(test_page_behind_the_last, setup)

WORLD_MAIN("store", TESTS)
