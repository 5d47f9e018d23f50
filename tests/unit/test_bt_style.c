/* Bradley-Terry with covariates: numbers of an independent program, and what must hold for any. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "base/rng.h"
#include "math/bt_style.h"

enum { MANY = 6000 };

static void near(double got, double expected, double within)
{
    if (!(fabs(got - expected) <= within))
        fail_msg("%.12g is not %.12g", got, expected);
}

static struct bt_style_fit fit(struct arena *a, const struct bt_style_data *d)
{
    struct bt_style_fit f;
    struct err e = {0};

    if (bt_style_fit(a, d, &f, &e) != OK)
        fail_msg("%s", e.msg);
    return f;
}

static double error_of(const struct bt_style_fit *f, size_t n, size_t i)
{
    return sqrt(f->cov[i * n + i]);
}

/* ---- three models, six prompts ---- */

enum { BATTLES = 18, MODELS = 3, PROMPTS = 6 };

/* outcome as a sees it; code points and emoji of both answers. */
static const struct {
    uint32_t a, b, prompt, outcome;
    double length[2], emoji[2];
} battles[BATTLES] = {
    {0, 1, 0, DUEL_WON, {120, 80}, {1, 0}},   {0, 2, 0, DUEL_WON, {120, 60}, {1, 2}},
    {1, 2, 0, DUEL_TIED, {80, 60}, {0, 2}},   {0, 1, 1, DUEL_LOST, {40, 90}, {0, 0}},
    {0, 2, 1, DUEL_WON, {40, 30}, {0, 1}},    {1, 2, 1, DUEL_WON, {90, 30}, {0, 1}},
    {1, 0, 2, DUEL_WON, {150, 70}, {3, 0}},   {2, 0, 2, DUEL_WON, {140, 70}, {0, 0}},
    {2, 1, 2, DUEL_LOST, {140, 150}, {0, 3}}, {0, 1, 3, DUEL_WON, {55, 50}, {0, 0}},
    {2, 0, 3, DUEL_LOST, {20, 55}, {0, 0}},   {1, 2, 3, DUEL_LOST, {50, 20}, {0, 0}},
    {0, 1, 4, DUEL_WON, {200, 100}, {0, 1}},  {0, 2, 4, DUEL_TIED, {200, 210}, {0, 0}},
    {2, 1, 4, DUEL_WON, {210, 100}, {0, 1}},  {0, 1, 5, DUEL_LOST, {30, 33}, {2, 0}},
    {0, 2, 5, DUEL_WON, {30, 10}, {2, 0}},    {1, 2, 5, DUEL_WON, {33, 10}, {0, 0}},
};

/* The first k of length and emoji; model m is called name[m], and who is a is turned. */
static struct bt_style_data small(struct arena *a, size_t k, const uint32_t *name, bool turned)
{
    struct duel *duels = NEW_N(a, struct duel, BATTLES);
    double *x = NEW_N(a, double, BATTLES *k);

    for (size_t i = 0; i < BATTLES; i++) {
        double contrast[] = {bt_style_contrast(battles[i].length[0], battles[i].length[1]),
                             bt_style_contrast(battles[i].emoji[0], battles[i].emoji[1])};
        uint32_t one = name[battles[i].a], other = name[battles[i].b], o = battles[i].outcome;
        duels[i] = turned ? (struct duel){other, one, battles[i].prompt, DUEL_WON - o, 1}
                          : (struct duel){one, other, battles[i].prompt, o, 1};
        for (size_t f = 0; f < k; f++)
            x[i * k + f] = turned ? -contrast[f] : contrast[f];
    }
    return (struct bt_style_data){duels, BATTLES, MODELS, x, k, PROMPTS};
}

static const uint32_t as_they_are[] = {0, 1, 2};

/* Computed in Python by iterated reweighted least squares with the last theta held at 0, Gauss
 * elimination, and a covariance carried over to contrasts: neither the parameters nor the algebra
 * are those of bt_style.c. */
static void independent_numbers(void **state)
{
    static const struct {
        size_t k;
        double theta[MODELS], error[MODELS], c[2], c_error[2], cov01;
    } want[] = {
        {0,
         {0.3475885297, 0.1160005050, -0.4635890347},
         {0.4372356788, 0.5814172529, 0.3665818981},
         {0},
         {0},
         -0.1974193864},
        {1,
         {0.2157917456, -0.3956612990, 0.1798695534},
         {0.3287151708, 0.6317593762, 0.3986345555},
         {2.2635493356},
         {0.7772533086},
         -0.1741320321},
        {2,
         {0.2156669451, -0.3917227611, 0.1760558161},
         {0.3435595686, 0.6371196758, 0.4052915049},
         {2.2685675245, 0.0591653419},
         {0.8024631371, 0.6379025803},
         -0.1798467273},
    };
    AUTO(arena_freep) struct arena *a = arena_new();

    (void)state;
    for (size_t t = 0; t < COUNT(want); t++) {
        struct bt_style_data d = small(a, want[t].k, as_they_are, false);
        struct bt_style_fit f = fit(a, &d);
        assert_true(f.ridge == 0);
        for (size_t i = 0; i < MODELS; i++) {
            near(f.theta[i], want[t].theta[i], 1e-9);
            near(error_of(&f, MODELS, i), want[t].error[i], 1e-9);
        }
        near(f.cov[1], want[t].cov01, 1e-9);
        for (size_t k = 0; k < want[t].k; k++) {
            near(f.c[k], want[t].c[k], 1e-9);
            near(f.c_error[k], want[t].c_error[k], 1e-9);
        }
    }
}

static void names_and_sides_do_not_matter(void **state)
{
    static const uint32_t name[] = {2, 0, 1};
    AUTO(arena_freep) struct arena *a = arena_new();
    struct bt_style_data plain = small(a, 2, as_they_are, false), other = small(a, 2, name, true);
    struct bt_style_fit f = fit(a, &plain), g = fit(a, &other);

    (void)state;
    for (size_t i = 0; i < MODELS; i++) {
        near(g.theta[name[i]], f.theta[i], 1e-9);
        near(error_of(&g, MODELS, name[i]), error_of(&f, MODELS, i), 1e-9);
    }
    for (size_t k = 0; k < 2; k++) {
        near(g.c[k], f.c[k], 1e-9);
        near(g.c_error[k], f.c_error[k], 1e-9);
    }
}

/* A property that is the same everywhere is not fitted, and the rest is plain Bradley-Terry. */
static void without_differences_it_is_plain(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct bt_style_data d = small(a, 1, as_they_are, false);
    struct bt_clusters clusters = {d.duels, d.nduels, d.clusters};
    struct bt_table t = bt_gather(a, d.duels, d.nduels, d.n, BT_HALF);
    struct bt_style_fit f;
    struct bt_fit plain;
    struct err e;
    double *cov;

    (void)state;
    d.x = NEW_N(a, double, BATTLES);
    f = fit(a, &d);
    assert_int_equal(bt_fit(a, &t, BT_HALF, 0, &plain, &e), OK);
    assert_int_equal(bt_sandwich(a, &t, &plain, &clusters, &cov, &e), OK);
    assert_true(isnan(f.c[0]) && isnan(f.c_error[0]));
    for (size_t i = 0; i < MODELS; i++)
        near(f.theta[i], plain.theta[i], 1e-9);
    for (size_t i = 0; i < MODELS * MODELS; i++)
        near(f.cov[i], cov[i], 1e-9);
    d.clusters = 0;
    f = fit(a, &d);
    assert_int_equal(bt_sandwich(a, &t, &plain, NULL, &cov, &e), OK);
    for (size_t i = 0; i < MODELS * MODELS; i++)
        near(f.cov[i], cov[i], 1e-9);
}

/* Of two models the sandwich can be written down: of U prompts with m of M battles each, of which a
 * won w, and p = sum w / M, var(theta_a - theta_b) = (U-1)/U sum (w - mp)^2 / (1 - m/M)^2 /
 * (Mp(1-p))^2; each theta has a quarter of it. */
static void prompts_of_unequal_size(void **state)
{
    static const int won[] = {1, 1, 5, 0}, fought[] = {1, 3, 6, 2}; /* M 12, p 7/12 */
    AUTO(arena_freep) struct arena *a = arena_new();
    struct duel duels[12];
    struct bt_style_data d = {.duels = duels, .n = 2, .clusters = COUNT(won)};
    struct bt_style_fit f;

    (void)state;
    for (uint32_t c = 0; c < COUNT(won); c++)
        for (int i = 0; i < fought[c]; i++)
            duels[d.nduels++] = (struct duel){.a = 0,
                                              .b = 1,
                                              .cluster = c,
                                              .outcome = i < won[c] ? DUEL_WON : DUEL_LOST,
                                              .weight = 1};
    f = fit(a, &d);
    near(f.theta[0], 0.1682361183106065, 1e-9);
    near(f.cov[0], 0.268162050936077, 1e-9);
    near(f.cov[1], -0.268162050936077, 1e-9);
}

/* ---- what cannot be fitted without a prior ---- */

static void finite_where_nothing_else_is(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct bt_style_data d = small(a, 2, as_they_are, false);
    double *x = NEW_N(a, double, BATTLES * 2);
    struct bt_style_fit f;

    (void)state;
    /* The same property twice: its effect is shared, and neither is known. */
    for (size_t i = 0; i < BATTLES; i++)
        x[2 * i] = x[2 * i + 1] = d.x[2 * i];
    d.x = x;
    f = fit(a, &d);
    near(f.ridge, BT_RIDGE, 0);
    near(f.c[0], f.c[1], 1e-9);
    assert_true(f.c_error[0] > 1);
    /* One that tells winners from losers. */
    for (size_t i = 0; i < BATTLES; i++) {
        x[2 * i] = battles[i].outcome / 2.0 - 0.5;
        x[2 * i + 1] = 0;
    }
    f = fit(a, &d);
    near(f.ridge, BT_RIDGE, 0);
    assert_true(f.c[0] > 1 && f.c[0] < 20 && isfinite(f.c_error[0]) && f.c_error[0] > 0);
    assert_true(isnan(f.c[1]));
}

static void a_model_that_always_wins(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct duel v[] = {{0, 1, 0, DUEL_WON, 1}, {0, 1, 1, DUEL_WON, 1}, {1, 0, 2, DUEL_LOST, 1}};
    const double x[] = {0.5, -0.25, 0.1};
    struct bt_style_data d = {v, COUNT(v), 2, x, 1, 3};
    struct bt_style_fit f = fit(a, &d);

    (void)state;
    near(f.ridge, BT_RIDGE, 0);
    assert_true(f.theta[0] > 0 && f.theta[0] < 5);
    near(f.theta[0], -f.theta[1], 1e-12);
    assert_true(error_of(&f, 2, 0) > 0);
}

/* ---- a coefficient that is known ---- */

/* Five models; the longer answer gains 0.8 logits a standard deviation; the second property does
 * nothing. Long answers are those of a weak model, so that raw ratings are wrong. */
static void a_known_coefficient_is_found(void **state)
{
    static const double theta[] = {0.6, 0.3, 0, -0.3, -0.6}, longer[] = {0, 0.1, 0, 0, 0.9};
    AUTO(arena_freep) struct arena *a = arena_new();
    struct duel *v = NEW_N(a, struct duel, MANY);
    double *x = NEW_N(a, double, 2 * MANY), squares = 0;
    struct bt_style_data d = {v, MANY, COUNT(theta), x, 2, MANY / 20};
    struct rng rng = rng_keyed(11, "style", NULL, 0);
    struct bt_style_fit f;

    (void)state;
    for (uint32_t i = 0; i < MANY; i++) {
        uint32_t one = i % 5, other = (one + 1 + (i / 5) % 4) % 5;
        double length = (longer[one] - longer[other]) / 2 + rng_unit(&rng) - 0.5, eta;
        x[2 * (size_t)i] = length;
        x[2 * (size_t)i + 1] = rng_unit(&rng) - 0.5;
        eta = theta[one] - theta[other] + 2 * length;
        v[i] = (struct duel){one, other, i / 20,
                             rng_unit(&rng) < 1 / (1 + exp(-eta)) ? DUEL_WON : DUEL_LOST, 1};
        squares += length * length / MANY;
    }
    f = fit(a, &d);
    near(f.c[0], 2 * sqrt(squares), 3 * f.c_error[0]);
    assert_true(f.c_error[0] < 0.1);
    near(f.c[1], 0, 3 * f.c_error[1]);
    for (size_t i = 0; i < COUNT(theta); i++)
        near(f.theta[i], theta[i], 3 * error_of(&f, COUNT(theta), i));
    d.k = 0;
    f = fit(a, &d);
    assert_true(f.theta[4] > theta[4] + 6 * error_of(&f, COUNT(theta), 4)); /* length helped it */
}

static void contrasts(void **state)
{
    (void)state;
    near(bt_style_contrast(0, 0), 0, 0);
    near(bt_style_contrast(30, 9), 21.0 / 40, 1e-15);
    near(bt_style_contrast(9, 30), -21.0 / 40, 1e-15);
}

static void too_many_models(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct bt_style_data d = {.n = BT_MODELS_MAX + 1};
    struct bt_style_fit f;
    struct err e = {0};

    (void)state;
    assert_int_equal(bt_style_fit(a, &d, &f, &e), E_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(independent_numbers),
        cmocka_unit_test(names_and_sides_do_not_matter),
        cmocka_unit_test(without_differences_it_is_plain),
        cmocka_unit_test(prompts_of_unequal_size),
        cmocka_unit_test(finite_where_nothing_else_is),
        cmocka_unit_test(a_model_that_always_wins),
        cmocka_unit_test(a_known_coefficient_is_found),
        cmocka_unit_test(contrasts),
        cmocka_unit_test(too_many_models),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
