/* Bradley-Terry and what it stands on. Numbers were computed independently before they were
 * written here; the baseball season is from Agresti, golden scores are from another library. */
/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <math.h>

#include "base/rng.h"
#include "math/bt.h"
#include "math/describe.h"
#include "math/graph.h"
#include "unit/golden_scores.h"

static void near(double got, double expected, double within)
{
    if (!(fabs(got - expected) <= within))
        fail_msg("%.12g is not %.12g", got, expected);
}

/* Battles being made. */
struct bench {
    struct arena *a;
    struct duel v[2000];
    size_t n, models;
};

static void add(struct bench *b, uint32_t i, uint32_t j, uint32_t outcome, size_t times)
{
    while (times--) {
        assert_true(b->n < COUNT(b->v));
        b->v[b->n] = (struct duel){i, j, (uint32_t)b->n, outcome, 1};
        b->n++;
    }
}

/* A-B 7:3 and 2 ties, B-C 6:4 and 1 tie, A-C 8:2. Some from the other side. */
static struct bench three(struct arena *a)
{
    struct bench b = {.a = a, .models = 3};

    add(&b, 0, 1, DUEL_WON, 4);
    add(&b, 1, 0, DUEL_LOST, 3);
    add(&b, 1, 0, DUEL_WON, 3);
    add(&b, 0, 1, DUEL_TIED, 2);
    add(&b, 1, 2, DUEL_WON, 6);
    add(&b, 2, 1, DUEL_WON, 4);
    add(&b, 2, 1, DUEL_TIED, 1);
    add(&b, 2, 0, DUEL_LOST, 8);
    add(&b, 2, 0, DUEL_WON, 2);
    return b;
}

static struct bt_table gather(const struct bench *b, enum bt_ties ties)
{
    return bt_gather(b->a, b->v, b->n, b->models, ties);
}

static struct bt_fit fit(const struct bench *b, const struct bt_table *t, enum bt_ties ties,
                         double ridge)
{
    struct bt_fit f;
    struct err e = {0};

    if (bt_fit(b->a, t, ties, ridge, &f, &e) != OK)
        fail_msg("%s", e.msg);
    return f;
}

static void theta_is(const struct bt_fit *f, const double *expected, size_t n, double within)
{
    for (size_t i = 0; i < n; i++)
        near(f->theta[i], expected[i], within);
}

static void elo_se_is(const double *cov, size_t n, const double *expected, double within)
{
    for (size_t i = 0; i < n; i++)
        near(BT_ELO * sqrt(cov[i * n + i]), expected[i], within);
}

static void half_ties(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct bench b = three(a);
    struct bt_table t = gather(&b, BT_HALF);
    struct bt_fit f = fit(&b, &t, BT_HALF, 0);
    double *cov;
    struct err e = {0};

    (void)state;
    assert_int_equal(t.npairs, 3);
    theta_is(&f, (double[]){0.67573627, -0.10859597, -0.56714030}, 3, 1e-8);
    near(1000 + BT_ELO * f.theta[0], 1117.38741418, 1e-7);
    near(1000 + BT_ELO * f.theta[2], 901.47763863, 1e-7);
    assert_int_equal(bt_inverse(a, &t, &f, &cov, &e), OK);
    elo_se_is(cov, 3, (double[]){56.0340709, 50.8239947, 55.8729485}, 1e-6);
    assert_int_equal(bt_sandwich(a, &t, &f, NULL, &cov, &e), OK);
    elo_se_is(cov, 3, (double[]){52.5457341, 47.7571690, 53.7006471}, 1e-6);
}

static void davidson(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct bench b = three(a);
    struct bt_table t = gather(&b, BT_DAVIDSON);
    struct bt_fit f = fit(&b, &t, BT_DAVIDSON, 0);
    double *cov;
    struct err e = {0};

    (void)state;
    theta_is(&f, (double[]){0.75459, -0.12132, -0.63327}, 3, 6e-6);
    near(f.nu, 0.22324, 6e-6);
    assert_int_equal(bt_sandwich(a, &t, &f, NULL, &cov, &e), OK);
    near(bt_expected(&f, 0, 1) + bt_expected(&f, 1, 0), 1, 1e-14);
}

/* Davidson without a tie, and dropped ties, are Bradley and Terry's. */
static void without_ties(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct bench b = three(a), decided = {.a = a, .models = 3};
    struct bt_table t = gather(&b, BT_DROP), u;
    struct bt_fit f = fit(&b, &t, BT_DROP, 0), g;

    (void)state;
    for (size_t i = 0; i < b.n; i++)
        if (b.v[i].outcome != DUEL_TIED)
            decided.v[decided.n++] = b.v[i];
    u = gather(&decided, BT_DAVIDSON);
    g = fit(&decided, &u, BT_DAVIDSON, 0);
    assert_true(g.nu == 0);
    theta_is(&f, g.theta, 3, 1e-12);
}

/* Agresti: American League East 1987, 13 games a pair; abilities against Baltimore. */
static void baseball(void **state)
{
    static const size_t wins[7][7] = {
        {0, 7, 9, 7, 7, 9, 11}, {6, 0, 7, 5, 11, 9, 9}, {4, 6, 0, 7, 7, 8, 12},
        {6, 8, 6, 0, 6, 7, 10}, {6, 2, 6, 7, 0, 7, 12}, {4, 4, 5, 6, 6, 0, 6},
        {2, 4, 1, 3, 1, 7, 0},
    };
    static const double ability[] = {1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839, 0};
    AUTO(arena_freep) struct arena *a = arena_new();
    struct bench b = {.a = a, .models = 7};
    struct bt_table t;
    struct bt_fit f;

    (void)state;
    for (uint32_t i = 0; i < 7; i++)
        for (uint32_t j = 0; j < 7; j++)
            add(&b, i, j, DUEL_WON, wins[i][j]);
    t = gather(&b, BT_HALF);
    f = fit(&b, &t, BT_HALF, 0);
    for (size_t i = 0; i < 7; i++)
        near(f.theta[i] - f.theta[6], ability[i], 5.1e-5);
}

/* ---- where the fit has no finite answer ---- */

static void all_wins(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct bench b = {.a = a, .models = 2};
    struct bt_table t;
    struct bt_fit f;
    uint32_t part[2];
    double *cov, d;
    struct err e = {0};

    (void)state;
    add(&b, 0, 1, DUEL_WON, 10);
    t = gather(&b, BT_HALF);
    assert_int_equal(bt_parts(&t, part), 2);
    assert_true(part[0] > part[1]);
    f = fit(&b, &t, BT_HALF, BT_RIDGE);
    d = f.theta[0] - f.theta[1];
    /* The gradient vanishes: 10 (1 - p) = ridge theta_0. */
    near(10 / (1 + exp(d)), BT_RIDGE * f.theta[0], 1e-9);
    near(f.theta[0] + f.theta[1], 0, 1e-12);
    assert_int_equal(bt_sandwich(a, &t, &f, NULL, &cov, &e), OK);
    /* No narrower than the posterior: 1 / (2 h + ridge) along the contrast. */
    near(cov[0], 0.5 / (20 * exp(d) / pow(1 + exp(d), 2) + BT_RIDGE), 1e-9);
}

static void too_many(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct bt_table t = {.n = BT_MODELS_MAX + 1};
    struct bt_fit f;
    struct err e = {0};

    (void)state;
    assert_int_equal(bt_fit(a, &t, BT_HALF, 0, &f, &e), E_INPUT);
    assert_non_null(strstr(e.msg, "at most 1000"));
}

/* Far apart, but finite: a long chain in which each beats the next 50 to 1. */
static void chain(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct bench b = {.a = a, .models = 20};
    struct bt_table t;
    struct bt_fit f;

    (void)state;
    for (uint32_t i = 0; i + 1 < 20; i++) {
        add(&b, i, i + 1, DUEL_WON, 50);
        add(&b, i, i + 1, DUEL_LOST, 1);
    }
    t = gather(&b, BT_HALF);
    assert_int_equal(bt_parts(&t, NEW_N(a, uint32_t, 20)), 1);
    f = fit(&b, &t, BT_HALF, 0);
    for (size_t i = 0; i + 1 < 20; i++)
        near(f.theta[i] - f.theta[i + 1], log(50), 1e-8);
}

/* ---- properties ---- */

enum { MANY = 8 };

/* Battles of eight models on 40 prompts. */
static struct bench made(struct arena *a, uint64_t seed)
{
    struct bench b = {.a = a, .models = MANY};
    struct rng r = rng_keyed(seed, "test", NULL, 0);

    while (b.n < 1500) {
        uint32_t i = (uint32_t)rng_below(&r, MANY), j = (uint32_t)rng_below(&r, MANY);
        double p = 1 / (1 + exp(((double)i - (double)j) / 4)), u = rng_unit(&r);
        if (i == j)
            continue;
        add(&b, i, j, u < 0.1 ? DUEL_TIED : u < 0.1 + 0.9 * p ? DUEL_WON : DUEL_LOST, 1);
        b.v[b.n - 1].cluster = (uint32_t)rng_below(&r, 40);
    }
    return b;
}

static double *clustered(const struct bench *b, const struct bt_table *t, const struct bt_fit *f,
                         size_t clusters)
{
    struct bt_clusters c = {b->v, b->n, clusters};
    struct err e = {0};
    double *cov;

    assert_int_equal(bt_sandwich(b->a, t, f, &c, &cov, &e), OK);
    return cov;
}

static void relabelling(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct bench b = made(a, 1), r = b;
    struct bt_table t = gather(&b, BT_DAVIDSON), u;
    struct bt_fit f = fit(&b, &t, BT_DAVIDSON, 0), g;
    double *one = clustered(&b, &t, &f, 40), *other;

    (void)state;
    for (size_t k = 0; k < r.n; k++) {
        r.v[k].a = MANY - 1 - b.v[b.n - 1 - k].a; /* in another order too */
        r.v[k].b = MANY - 1 - b.v[b.n - 1 - k].b;
        r.v[k].outcome = b.v[b.n - 1 - k].outcome;
        r.v[k].cluster = b.v[b.n - 1 - k].cluster;
    }
    u = gather(&r, BT_DAVIDSON);
    g = fit(&r, &u, BT_DAVIDSON, 0);
    other = clustered(&r, &u, &g, 40);
    for (size_t i = 0; i < MANY; i++) {
        near(g.theta[MANY - 1 - i], f.theta[i], 1e-10);
        for (size_t j = 0; j < MANY; j++)
            near(other[(MANY - 1 - i) * MANY + MANY - 1 - j], one[i * MANY + j], 1e-12);
    }
}

/* Clusters of one battle are the plain sandwich but for C / (C - 1). */
static void clusters_of_one(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct bench b = made(a, 2);
    struct bt_table t;
    struct bt_fit f;
    double *plain, *each, n;
    struct err e = {0};

    (void)state;
    for (size_t k = 0; k < b.n; k++)
        b.v[k].cluster = (uint32_t)k;
    t = gather(&b, BT_DAVIDSON);
    f = fit(&b, &t, BT_DAVIDSON, 0);
    n = (double)b.n;
    assert_int_equal(bt_sandwich(a, &t, &f, NULL, &plain, &e), OK);
    each = clustered(&b, &t, &f, b.n);
    for (size_t i = 0; i < MANY * MANY; i++)
        near(each[i], plain[i] * n / (n - 1), 1e-12);
}

/* A prompt asked k times over is no new knowledge: widths by prompt do not change. */
static void copies_of_prompts(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct bench b = three(a), twice;
    struct bt_table t, u;
    struct bt_fit f, g;
    double *one, *two;

    (void)state;
    for (size_t k = 0; k < b.n; k++)
        b.v[k].cluster = (uint32_t)k % 9;
    twice = b;
    for (size_t k = 0; k < b.n; k++)
        twice.v[twice.n++] = b.v[k];
    t = gather(&b, BT_HALF);
    u = gather(&twice, BT_HALF);
    f = fit(&b, &t, BT_HALF, 0);
    g = fit(&twice, &u, BT_HALF, 0);
    one = clustered(&b, &t, &f, 9);
    two = clustered(&twice, &u, &g, 9);
    for (size_t i = 0; i < 9; i++)
        near(two[i], one[i], 1e-10);
}

/* A battle of weight 2 is two battles for the fit. */
static void weights(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct bench b = three(a), heavy = b;
    struct bt_table t, u;
    struct bt_fit f, g;

    (void)state;
    add(&b, 0, 1, DUEL_LOST, 1);
    heavy.v[7].weight = 2; /* B beat A */
    t = gather(&b, BT_HALF);
    u = gather(&heavy, BT_HALF);
    f = fit(&b, &t, BT_HALF, 0);
    g = fit(&heavy, &u, BT_HALF, 0);
    theta_is(&g, f.theta, 3, 1e-10);
}

/* ---- leaving prompts out ---- */

/* The jackknife and the sandwich estimate the same thing. */
static void agrees_with_sandwich(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct bench b = made(a, 4);
    struct bt_table t = gather(&b, BT_DAVIDSON);
    struct bt_fit f = fit(&b, &t, BT_DAVIDSON, 0), weak = fit(&b, &t, BT_DAVIDSON, 0.1);
    double *by_prompt = clustered(&b, &t, &f, 40);
    uint32_t *of = NEW_N(a, uint32_t, b.n);
    struct bt_spread left;
    struct err e = {0};

    (void)state;
    for (size_t i = 0; i < b.n; i++)
        of[i] = b.v[i].cluster;
    assert_int_equal(bt_jackknife(a, &t, &weak, &(struct bt_groups){b.v, of, b.n, 40}, &left, &e),
                     OK);
    for (size_t i = 0; i < MANY; i++)
        near(sqrt(left.cov[i * MANY + i] / by_prompt[i * MANY + i]), 1, 0.08);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(half_ties),       cmocka_unit_test(davidson),
        cmocka_unit_test(without_ties),    cmocka_unit_test(baseball),
        cmocka_unit_test(all_wins),        cmocka_unit_test(too_many),
        cmocka_unit_test(chain),           cmocka_unit_test(relabelling),
        cmocka_unit_test(clusters_of_one), cmocka_unit_test(copies_of_prompts),
        cmocka_unit_test(weights),         cmocka_unit_test(agrees_with_sandwich),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
