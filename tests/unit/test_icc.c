/* Intraclass correlations against Shrout and Fleiss 1979 (published to two decimals; more of them,
 * and the intervals, computed independently), and severities against exact fractions. */
/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include "base/rng.h"
#include "math/accord.h"
#include "math/dist.h"
#include "math/icc.h"
#include "math/severity.h"
#include "unit/near.h"

static const double targets[6][4] = {{9, 2, 5, 8}, {6, 1, 3, 2},  {8, 4, 6, 8},
                                     {7, 1, 2, 6}, {10, 5, 6, 9}, {6, 2, 4, 7}};

/* The table as cells, but for those that `skip` says (bit: unit * 4 + rater). */
static struct cells table(struct cell *v, uint32_t skip)
{
    struct cells c = {v, 0, 6, 4};

    for (uint32_t u = 0; u < 6; u++)
        for (uint32_t r = 0; r < 4; r++)
            if (!(skip >> (u * 4 + r) & 1))
                v[c.n++] = (struct cell){u, r, targets[u][r]};
    return c;
}

static void assert_icc(struct interval got, double value, double low, double high)
{
    assert_near(got.value, value, 1e-6);
    assert_near(got.low, low, 1e-6);
    assert_near(got.high, high, 1e-6);
}

/* Quantiles of tables, and the t distribution squared. */
static void fisher(void **state)
{
    (void)state;
    assert_near(dist_f_quantile(0.95, 1, 1), 161.4476387975881, 1e-8);
    assert_near(dist_f_quantile(0.975, 5, 15), 3.5764, 5e-5);
    for (double df = 0.5; df < 1e6; df *= 7) {
        double t = dist_t_quantile(0.975, df), f = dist_f_quantile(0.95, 1, df);
        assert_near(f / (t * t), 1, 1e-9);
        assert_near(dist_f_cdf(f, 1, df), 0.95, 1e-11);
        assert_near(dist_f_quantile(0.3, 4, df) * dist_f_quantile(0.7, df, 4), 1, 1e-9);
    }
    assert_true(isnan(dist_f_quantile(0.5, 0, 3)));
    assert_near(dist_f_quantile(0, 2, 3), 0, 0);
}

static void shrout_and_fleiss(void **state)
{
    struct cell v[24];
    struct cells c = table(v, 0);
    struct icc i = icc_of(&c);

    (void)state;
    assert_true(i.complete);
    assert_null(i.why);
    assert_near(i.between, 11.241667, 1e-6);
    assert_near(i.within, 6.263889, 1e-6);
    assert_near(i.raters, 32.486111, 1e-6);
    assert_near(i.error, 1.019444, 1e-6);
    assert_icc(i.single[ICC_1], 0.165742, -0.132932, 0.722560);
    assert_icc(i.single[ICC_2], 0.289764, 0.018787, 0.761084);
    assert_icc(i.single[ICC_3], 0.714841, 0.342465, 0.945858);
    assert_near(i.mean[ICC_1].value, 0.442797, 1e-6);
    assert_near(i.mean[ICC_2].value, 0.620051, 1e-6);
    assert_near(i.mean[ICC_3].value, 0.909316, 1e-6);
}

/* The interval of a mean is that of one rating, stepped up. */
static void the_mean_of_several(void **state)
{
    struct cell v[24];
    struct cells c = table(v, 0);
    struct icc i = icc_of(&c);

    (void)state;
    for (int form = 0; form < ICC_FORMS; form++) {
        struct interval one = i.single[form], all = i.mean[form];
        assert_near(icc_of_mean(one.value, 4), all.value, 1e-12);
        assert_near(icc_of_mean(one.low, 4), all.low, 1e-12);
        assert_near(icc_of_mean(one.high, 4), all.high, 1e-12);
    }
}

/* Numbering, direction and unit of measurement are no matter; and two holes change little. */
static void holes(void **state)
{
    struct cell v[24], moved[24];
    struct cells c = table(v, 1u << 5 | 1u << 18), m = {moved, c.n, 6, 4}, whole;
    struct icc i = icc_of(&c), j;

    (void)state;
    assert_false(i.complete);
    assert_null(i.why);
    for (size_t k = 0; k < c.n; k++)
        moved[k] = (struct cell){5 - v[k].unit, 3 - v[k].rater, 100 - 2 * v[k].value};
    j = icc_of(&m);
    for (int form = 0; form < ICC_FORMS; form++) {
        assert_near(i.single[form].value, j.single[form].value, 1e-9);
        assert_near(i.mean[form].value, j.mean[form].value, 1e-9);
    }
    whole = table(v, 0);
    j = icc_of(&whole);
    assert_near(i.single[ICC_3].value, j.single[ICC_3].value, 0.1);
    assert_near(i.single[ICC_2].value, j.single[ICC_2].value, 0.1);
    for (int form = 0; form < ICC_FORMS; form++) {
        assert_true(i.single[form].low < i.single[form].value);
        assert_true(i.single[form].value < i.single[form].high);
        assert_near(fmax(-1, icc_of_mean(i.single[form].low, i.k)), i.mean[form].low, 1e-12);
    }
}

/* Where nothing is missing, components are those of the analysis of variance. */
static void components_of_a_whole_table(void **state)
{
    struct cell v[24];
    struct cells c = table(v, 0);
    struct icc i = icc_of(&c);
    struct icc_parts p;

    (void)state;
    assert_true(icc_components(&c, &p));
    assert_near(p.unit, (i.between - i.error) / 4, 1e-12);
    assert_near(p.rater, (i.raters - i.error) / 6, 1e-12);
    assert_near(p.error, i.error, 1e-12);
    assert_near(p.unit / (p.unit + p.rater + p.error), 0.289764, 1e-6);
}

/* Six ratings of which the mean of three has no reliability at all: no number of fifteen digits. */
static void bounds_end_at_minus_one(void **state)
{
    static const double x[2][3] = {{1, 5, 3}, {5, 1, 3.0001}};
    struct cell v[6];
    struct cells c = {v, 6, 2, 3};
    struct icc i;

    (void)state;
    for (uint32_t k = 0; k < 6; k++)
        v[k] = (struct cell){k / 3, k % 3, x[k / 3][k % 3]};
    i = icc_of(&c);
    for (int form = 0; form < ICC_FORMS; form++) {
        assert_false(i.mean[form].value < -1 || i.mean[form].low < -1);
        assert_false(i.single[form].value < -1 || i.single[form].low < -1);
    }
}

static double normal(struct rng *r)
{
    return dist_normal_quantile(rng_unit(r));
}

/* Components 1, 0.5 and 1.5, so that the ICC are 1/3 and 0.4; each unit has 4 of the raters. Over
 * many such campaigns the estimates lie about the truth, and the intervals cover it. */
static void intervals_of_incomplete_designs(void **state)
{
    enum { ROUNDS = 150, UNITS = 60, RATERS = 15, EACH = 4 };
    static const double truth[ICC_FORMS] = {1.0 / 3, 1.0 / 3, 0.4};
    struct rng r = rng_keyed(4, "icc", NULL, 0);
    double covered[ICC_FORMS] = {0}, mean[ICC_FORMS] = {0}, rater[RATERS];
    struct cell v[UNITS * EACH];
    struct cells c = {v, UNITS * EACH, UNITS, RATERS};

    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        struct icc i;
        for (size_t k = 0; k < RATERS; k++)
            rater[k] = sqrt(0.5) * normal(&r);
        for (uint32_t u = 0; u < UNITS; u++) {
            double unit = normal(&r);
            uint32_t first = (uint32_t)rng_below(&r, RATERS);
            for (uint32_t k = 0; k < EACH; k++) {
                uint32_t who = (first + k * (1 + u % 3)) % RATERS;
                v[u * EACH + k] = (struct cell){u, who, unit + rater[who] + sqrt(1.5) * normal(&r)};
            }
        }
        i = icc_of(&c);
        for (int form = 0; form < ICC_FORMS; form++) {
            mean[form] += i.single[form].value / ROUNDS;
            covered[form] +=
                i.single[form].low <= truth[form] && truth[form] <= i.single[form].high;
        }
    }
    for (int form = ICC_2; form < ICC_FORMS; form++) {
        assert_near(mean[form], truth[form], 0.02);
        assert_true(covered[form] >= 0.91 * ROUNDS);
    }
    assert_true(covered[ICC_3] <= 0.99 * ROUNDS);
}

static void nothing_to_correlate(void **state)
{
    static const struct cell one[] = {{0, 0, 1}, {0, 1, 2}}, lone[] = {{0, 0, 1}, {1, 1, 2}},
                             same[] = {{0, 0, 3}, {0, 1, 3}, {1, 0, 3}, {1, 1, 3}},
                             perfect[] = {{0, 0, 3}, {0, 1, 3}, {1, 0, 4}, {1, 1, 4}},
                             crossed[] = {{0, 0, 3}, {0, 1, 4}, {1, 0, 4}, {1, 1, 3}},
                             star[] = {{0, 0, 1}, {0, 1, 2}, {1, 1, 3}, {1, 2, 5}},
                             gaps[] = {{0, 0, 2}, {0, 1, 5}, {1, 0, 5}, {1, 1, 6},
                                       {2, 0, 4}, {3, 1, 1}, {4, 0, 6}};
    struct icc i = icc_of(&(struct cells){one, 2, 1, 2});

    (void)state;
    assert_string_equal(i.why, "there is only one unit");
    assert_true(isnan(i.single[ICC_1].value));
    i = icc_of(&(struct cells){lone, 2, 2, 2});
    assert_string_equal(i.why, "no unit was rated twice");
    i = icc_of(&(struct cells){same, 4, 2, 2});
    assert_string_equal(i.why, "all values are the same");
    i = icc_of(&(struct cells){star, 4, 2, 3});
    assert_non_null(i.why);
    assert_true(isnan(i.single[ICC_2].value));
    assert_true(isfinite(i.single[ICC_1].value));
    i = icc_of(&(struct cells){perfect, 4, 2, 2});
    for (int form = 0; form < ICC_FORMS; form++)
        assert_near(i.single[form].value, 1, 1e-12);
    assert_true(isnan(i.single[ICC_1].low) && i.single[ICC_1].why == INTERVAL_PERFECT);
    /* units with the same mean: one rating has -1 / (k - 1), the mean nothing */
    i = icc_of(&(struct cells){crossed, 4, 2, 2});
    assert_near(i.single[ICC_1].value, -1, 1e-12);
    assert_true(isnan(i.mean[ICC_1].value));
    /* of units with one or two ratings, fewer than two in the mean */
    i = icc_of(&(struct cells){gaps, COUNT(gaps), 5, 2});
    assert_true(i.k < 2 && i.single[ICC_1].value > -1);
    assert_near(i.single[ICC_1].low, -1, 0);
    i = icc_of(&(struct cells){NULL, 0, 0, 0});
    assert_non_null(i.why);
}

/* Raters who say the same of every unit, in fractions whose sums round: nothing varies. */
static void raters_alone_differ(void **state)
{
    struct cell v[7 * 6];
    struct accord a;
    struct icc i;

    (void)state;
    for (uint32_t k = 0; k < COUNT(v); k++)
        v[k] = (struct cell){k / 6, k % 6, .1 * (1 + k % 6 / 2)};
    i = icc_of(&(struct cells){v, COUNT(v), 7, 6});
    assert_near(i.single[ICC_1].value, -.2, 1e-12);
    assert_near(i.single[ICC_2].value, 0, 1e-12);
    assert_true(isnan(i.single[ICC_3].value));
    for (int form = 0; form < ICC_FORMS; form++) {
        assert_true(isnan(i.single[form].low) && isnan(i.single[form].high));
        assert_true(isnan(i.mean[form].low) && isnan(i.mean[form].high));
        assert_true(isnan(i.single[form].value) || i.single[form].why == INTERVAL_NO_SPREAD);
    }
    a = accord_of(&(struct cells){v, COUNT(v), 7, 6}, &(struct accord_how){AGREE_INTERVAL, 0});
    assert_true(isnan(a.alpha.low) && a.alpha.why == INTERVAL_NO_SPREAD);
}

/* ---- severity ---- */

static const struct cell linked[] = {{0, 0, 2.0}, {0, 2, 2.5}, {1, 0, 3.0}, {1, 1, 2.0},
                                     {2, 1, 3.0}, {2, 2, 4.5}, {3, 2, 5.5}};

static void unequal_gaps_become_equal(void **state)
{
    static const double units[] = {11.0 / 6, 17.0 / 6, 23.0 / 6, 29.0 / 6},
                        raters[] = {-1.0 / 6, 5.0 / 6, -2.0 / 3};
    struct arena *a = arena_new();
    struct severity s;
    double means[2];

    (void)state;
    severity_solve(a, &(struct cells){linked, 7, 4, 3}, &s);
    assert_int_equal(s.groups, 1);
    for (size_t i = 0; i < 4; i++)
        assert_near(s.unit[i], units[i], 1e-12);
    for (size_t i = 0; i < 3; i++)
        assert_near(s.rater[i], raters[i], 1e-12);
    assert_near(s.residual, 0, 1e-20);
    severity_means(&s, (const uint32_t[]){0, 1, 1, 0}, 4, means, 2);
    assert_near(means[0], 20.0 / 6, 1e-12);
    assert_near(means[1], 20.0 / 6, 1e-12);
    arena_free(a);
}

static void groups_without_a_link_are_told(void **state)
{
    static const struct cell apart[] = {{0, 0, 1}, {0, 1, 2}, {1, 0, 2},
                                        {2, 2, 5}, {2, 3, 4}, {3, 3, 3}};
    struct arena *a = arena_new();
    struct cells c = {apart, 6, 5, 5}; /* unit 4 and rater 4 stand for nobody */
    struct severity s;

    (void)state;
    severity_solve(a, &c, &s);
    assert_int_equal(s.groups, 2);
    assert_near(s.rater[0], 0.5, 1e-12);
    assert_near(s.rater[2], -0.5, 1e-12);
    assert_true(isnan(s.unit[4]) && isnan(s.rater[4]));
    arena_free(a);
}

/* A thousand raters on a ring: each shares units with the next only. */
static void a_long_chain(void **state)
{
    enum { RATERS = 1000 };
    struct arena *a = arena_new();
    struct cell *v = NEW_N(a, struct cell, 2 * RATERS);
    struct severity s;

    (void)state;
    for (uint32_t u = 0; u < RATERS; u++) {
        uint32_t next = (u + 1) % RATERS;
        v[2 * u] = (struct cell){u, u, (double)(u % 7) - (double)(u % 3)};
        v[2 * u + 1] = (struct cell){u, next, (double)(u % 7) - (double)(next % 3)};
    }
    severity_solve(a, &(struct cells){v, 2 * RATERS, RATERS, RATERS}, &s);
    for (uint32_t r = 0; r + 3 < RATERS; r++)
        assert_near(s.rater[r + 1] - s.rater[r], (double)((r + 1) % 3) - (double)(r % 3), 1e-8);
    arena_free(a);
}

/* What is left over by least squares sums to 0 for every rater, here as nearly as numbers can:
 * steps that go on where only rounding is left would spoil it. */
static void many_raters_to_the_last_digits(void **state)
{
    enum { RATERS = 2500, PASSAGES = 500, EACH = 10, N = RATERS * EACH };
    struct arena *a = arena_new();
    struct cell *v = NEW_N(a, struct cell, N);
    double *left = NEW_N(a, double, RATERS), sum = 0;
    struct severity s;

    (void)state;
    for (uint32_t i = 0; i < N; i++)
        v[i] = (struct cell){(i / EACH * 7 + i % EACH * 53) % PASSAGES, i / EACH,
                             (double)(i * 2654435761U / 64 % 6)};
    cell_sort(v, N);
    severity_solve(a, &(struct cells){v, N, PASSAGES, RATERS}, &s);
    assert_int_equal(s.groups, 1);
    for (size_t i = 0; i < N; i++)
        left[v[i].rater] += v[i].value - s.unit[v[i].unit] + s.rater[v[i].rater];
    for (size_t r = 0; r < RATERS; r++) {
        assert_near(left[r], 0, 1e-11);
        sum += s.rater[r];
    }
    assert_near(sum, 0, 1e-11);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fisher),
        cmocka_unit_test(shrout_and_fleiss),
        cmocka_unit_test(the_mean_of_several),
        cmocka_unit_test(holes),
        cmocka_unit_test(components_of_a_whole_table),
        cmocka_unit_test(bounds_end_at_minus_one),
        cmocka_unit_test(intervals_of_incomplete_designs),
        cmocka_unit_test(nothing_to_correlate),
        cmocka_unit_test(raters_alone_differ),
        cmocka_unit_test(unequal_gaps_become_equal),
        cmocka_unit_test(groups_without_a_link_are_told),
        cmocka_unit_test(a_long_chain),
        cmocka_unit_test(many_raters_to_the_last_digits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
