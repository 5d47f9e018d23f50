/* Raters at the same moment: each has a thread and a handle, as with several servers over one
 * store. Run by run the order differs; what must hold does not. */
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "store_world.h"

#include "panel_world.h"

enum { THREADS = 6, ITEMS = 4, PASSAGES = 2 };

/* What a thread does. It must not assert: cmocka leaves a test by a jump. */
struct racer {
    const struct campaign *c;
    const char *url, *token; /* token: of the invitation that is accepted */
    int64_t rater;
    pthread_barrier_t *gate;
    enum status st;
    struct err e;
    struct arena *a;
    struct store *s;
};

static enum status rate_one(struct racer *x, const struct assignment *as)
{
    const struct instrument *in = &x->c->suite.instrument;
    const struct slot *slot;
    enum ballot_result result;
    struct ballot_mark now;
    const char *dimension;
    struct ballot b;
    size_t missing;

    if (ballot_open(x->a, x->s, x->c, as, &b, &x->e) != OK)
        return x->e.code;
    for (size_t i = 0; i < b.n; i++)
        for (size_t d = 0; d < in->ndimensions; d++) {
            struct ballot_save s = {.m = {.is = b.slots[i].is, .dimension = in->dimensions[d].id},
                                    .client = "c"};
            /* On another device it may have been handed in meanwhile. */
            if (ballot_save(x->a, x->s, x->c, &b, &s, &result, &now, &x->e) != OK &&
                x->e.code != E_USAGE)
                return x->e.code;
        }
    return ballot_submit(x->a, x->s, x->c, &b, &missing, &slot, &dimension, &x->e);
}

static enum status rate_all(struct racer *x)
{
    struct assignment as;
    struct rater r;
    bool found = true;

    for (int i = 0; i <= PASSAGES && found; i++) {
        if (rater_get(x->a, x->s, x->rater, &r, &x->e) != OK ||
            assign_next(x->a, x->s, x->c, &r, &as, &found, &x->e) != OK)
            return x->e.code;
        if (found && rate_one(x, &as) != OK)
            return x->e.code;
    }
    return OK;
}

static enum status accept(struct racer *x)
{
    char words[RATER_TOKEN];
    struct rater r;

    return rater_accept(x->a, x->s, str_of(x->token), "en", &r, words, &x->e);
}

static void *race(void *user)
{
    struct racer *x = user;

    x->a = arena_new();
    x->st = store_open(&x->s, x->url, DB_WRITE, &x->e);
    (void)pthread_barrier_wait(x->gate);
    if (x->st == OK)
        x->st = x->token ? accept(x) : rate_all(x);
    store_close(x->s);
    arena_free(x->a);
    return NULL;
}

static void run(struct world *w, const struct campaign *c, struct racer *v)
{
    pthread_t threads[THREADS];
    pthread_barrier_t gate;

    assert_int_equal(pthread_barrier_init(&gate, NULL, THREADS), 0);
    for (size_t i = 0; i < THREADS; i++) {
        v[i].c = c;
        v[i].url = w->url;
        v[i].gate = &gate;
        assert_int_equal(pthread_create(&threads[i], NULL, race, &v[i]), 0);
    }
    for (size_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    (void)pthread_barrier_destroy(&gate);
}

static struct campaign begin(struct world *w)
{
    struct suite suite = world_suite(w->arena);
    struct panel_run r;

    panel_run(w, &suite, ITEMS, 3, &r);
    return panel_open(w, &r, "campaign: race\npassages_per_rater: 2\noverlap: 3\n");
}

static struct coverage_list coverage(struct world *w, const struct campaign *c)
{
    struct coverage_list l;
    struct err e;

    assert_ok(campaign_coverage(w->arena, w->store, c, &l, &e));
    return l;
}

/* Twelve assignments over four passages: three each. */
static void balanced(void **state)
{
    struct world *w = *state;
    struct campaign c = begin(w);
    struct racer v[THREADS] = {0};
    struct coverage_list l;
    struct err e;

    for (size_t i = 0; i < THREADS; i++)
        v[i].rater = panel_rater(w, &c).id;
    run(w, &c, v);
    for (size_t i = 0; i < THREADS; i++) {
        struct rater r;
        assert_ok_at(v[i].st, &v[i].e, __FILE__, __LINE__);
        assert_ok(rater_get(w->arena, w->store, v[i].rater, &r, &e));
        assert_int_equal(r.state, RATER_FINISHED);
        assert_int_equal(r.done, PASSAGES);
    }
    l = coverage(w, &c);
    /* Exactly even it need not be: the last rater may have had the passage that lacks one. */
    for (size_t i = 0; i < l.n; i++)
        assert_in_range(l.v[i].done, THREADS * PASSAGES / ITEMS - 1,
                        THREADS * PASSAGES / ITEMS + 1);
}

/* One rater on several devices is one rater: no passage more, each counted once. */
static void one_rater(void **state)
{
    struct world *w = *state;
    struct campaign c = begin(w);
    struct rater r = panel_rater(w, &c);
    struct racer v[THREADS] = {0};
    struct assignment_list had;
    struct coverage_list l;
    int64_t done = 0;
    struct err e;

    for (size_t i = 0; i < THREADS; i++)
        v[i].rater = r.id;
    run(w, &c, v);
    for (size_t i = 0; i < THREADS; i++)
        assert_ok_at(v[i].st, &v[i].e, __FILE__, __LINE__);
    assert_ok(assign_list(w->arena, w->store, r.id, &had, &e));
    assert_int_equal(had.n, PASSAGES);
    l = coverage(w, &c);
    for (size_t i = 0; i < l.n; i++)
        done += l.v[i].done;
    assert_int_equal(done, PASSAGES);
    assert_ok(rater_get(w->arena, w->store, r.id, &r, &e));
    assert_int_equal(r.state, RATER_FINISHED);
}

static void one_invitation(void **state)
{
    struct world *w = *state;
    struct campaign c = begin(w);
    struct racer v[THREADS] = {0};
    char token[RATER_TOKEN];
    struct rater_list l;
    size_t won = 0;
    struct err e;

    assert_ok(invite_add(w->store, &c, "ada", clock_utc_ms() + 60000, token, &e));
    for (size_t i = 0; i < THREADS; i++)
        v[i].token = token;
    run(w, &c, v);
    for (size_t i = 0; i < THREADS; i++) {
        won += v[i].st == OK;
        if (v[i].st != OK)
            assert_says(&v[i].e, "has been used");
    }
    assert_int_equal(won, 1);
    assert_ok(rater_list(w->arena, w->store, c.id, &l, &e));
    assert_int_equal(l.n, 1);
}

#define TESTS(setup)                                                                               \
    WORLD_TEST(balanced, setup), WORLD_TEST(one_rater, setup), WORLD_TEST(one_invitation, setup)

WORLD_MAIN("race", TESTS)
