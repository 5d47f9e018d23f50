/* Distributions, moments and intervals. Numbers without another source were computed with
 * mpmath at 30 digits or SciPy 1.17. */
/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <math.h>

#include "base/rng.h"
#include "math/describe.h"
#include "math/dist.h"
#include "math/interval.h"

static void near(double got, double expected, double relative)
{
    if (!(fabs(got - expected) <= relative * fabs(expected)))
        fail_msg("%.17g is not %.17g", got, expected);
}

static void normal(void **state)
{
    (void)state;
    near(dist_normal_cdf(-8), 6.2209605742717841e-16, 1e-12);
    near(dist_normal_cdf(-1.5), 0.066807201268858066, 1e-14);
    near(dist_normal_cdf(1.96), 0.97500210485177956, 1e-14);
    near(dist_normal_quantile(1e-12), -7.0344838253011319, 1e-13);
    near(dist_normal_quantile(0.001), -3.0902323061678135, 1e-13);
    near(dist_normal_quantile(0.3), -0.52440051270804078, 1e-13);
    near(dist_normal_quantile(0.8), 0.84162123357291421, 1e-13);
    near(dist_normal_quantile(0.975), 1.9599639845400542, 1e-13);
    near(dist_normal_quantile(0.9999), 3.7190164854556806, 1e-12);
    assert_true(fabs(dist_normal_quantile(0.5)) < 1e-15);
    assert_true(isinf(dist_normal_quantile(0)) && dist_normal_quantile(0) < 0);
    assert_true(isinf(dist_normal_quantile(1)) && isnan(dist_normal_quantile(1.1)));
    for (double p = 1e-300; p < 0.5; p *= 7)
        near(dist_normal_cdf(dist_normal_quantile(p)), p, 1e-11);
}

static void student(void **state)
{
    (void)state;
    near(dist_t_cdf(1, 1), 0.75, 1e-14);
    near(dist_t_cdf(2.5, 7), 0.97950389070712355, 1e-14);
    near(dist_t_cdf(0.01, 12), 0.50390719250574821, 1e-14);
    near(dist_t_cdf(1.96, 1e6), 0.97500196620736511, 1e-12);
    near(dist_t_quantile(0.975, 1), 12.706204736174705, 1e-12);
    near(dist_t_quantile(0.975, 2), 4.3026527297494639, 1e-12);
    near(dist_t_quantile(0.975, 4), 2.7764451051977944, 1e-12);
    near(dist_t_quantile(0.975, 9), 2.2621571627982055, 1e-12);
    near(dist_t_quantile(0.995, 3.5), 5.0857022230912584, 1e-12);
    near(dist_t_quantile(0.6, 29), 0.25568363457125614, 1e-12);
    near(dist_t_quantile(0.025, 100), -1.9839715185235523, 1e-12);
    near(dist_t_quantile(0.975, 100000), 1.9599877075346096, 1e-11);
    near(dist_t_quantile(0.9999, 5), 9.6775663008825913, 1e-11);
    near(dist_t_quantile(1e-10, 1), -1 / tan(acos(-1.0) * 1e-10), 1e-9);
    assert_true(dist_t_quantile(0.5, 3) == 0);
    assert_true(isnan(dist_t_quantile(0.5, 0)) && isnan(dist_t_cdf(0, -1)));
}

static void binomial(void **state)
{
    (void)state;
    near(dist_binomial_test(14, 20, 0.5), 0.115318298339844, 1e-12);
    near(dist_binomial_test(6, 20, 0.5), 0.115318298339844, 1e-12);
    near(dist_binomial_test(0, 10, 0.5), 0.001953125, 1e-12);
    near(dist_binomial_test(3, 10, 0.2), 0.429574656, 1e-12);
    near(dist_binomial_test(7, 12, 0.3), 0.052442130259, 1e-11);
    near(dist_binomial_test(520, 1000, 0.5), 0.217448293204141, 1e-11);
    near(dist_binomial_test(300, 1000, 0.33), 0.0436595090559392, 1e-11);
    near(dist_binomial_test(0, 5, 0.9), 1e-5, 1e-11);
    near(dist_binomial_test(1, 3, 0.5), 1, 1e-14);
    near(dist_binomial_test(2, 3, 0.5), 1, 1e-14);
    near(dist_binomial_test(1, 7, 0.25), 1, 1e-14);
    near(dist_binomial_test(0, 0, 0.5), 1, 1e-14);
    assert_true(isnan(dist_binomial_test(2, 1, 0.5)));
}

/* Against the plain sum of all counts that are not more likely. */
static void binomial_by_summing(void **state)
{
    (void)state;
    for (uint64_t n = 1; n <= 25; n++)
        for (double p = 0.05; p < 1; p += 0.15)
            for (uint64_t k = 0; k <= n; k++) {
                double mass[26], sum = 0;
                for (uint64_t i = 0; i <= n; i++)
                    mass[i] = exp(lgamma((double)n + 1) - lgamma((double)i + 1) -
                                  lgamma((double)(n - i) + 1)) *
                              pow(p, (double)i) * pow(1 - p, (double)(n - i));
                for (uint64_t i = 0; i <= n; i++)
                    sum += mass[i] <= mass[k] * (1 + 1e-7) ? mass[i] : 0;
                near(dist_binomial_test(k, n, p), sum, 1e-10);
            }
}

static void moments(void **state)
{
    static const double x[] = {2, 4, 4, 4, 5, 5, 7, 9};
    struct describe d = {0}, shifted = {0};

    (void)state;
    assert_true(isnan(describe_mean(&d)) && isnan(describe_sd(&d)));
    for (size_t i = 0; i < COUNT(x); i++) {
        describe_add(&d, x[i]);
        describe_add(&shifted, x[i] + 1e9);
    }
    near(describe_mean(&d), 5, 1e-15);
    near(describe_sd(&d), 2.1380899352993951, 1e-14);
    near(describe_sd(&shifted), 2.1380899352993951, 1e-7);
    assert_true(d.min == 2 && d.max == 9 && d.n == 8);
}

static void quantiles(void **state)
{
    double x[] = {16, 1, 4, 2, 8};

    (void)state;
    describe_sort(x, COUNT(x));
    near(describe_quantile(x, 5, 0), 1, 1e-15);
    near(describe_quantile(x, 5, 0.1), 1.4, 1e-15);
    near(describe_quantile(x, 5, 0.5), 4, 1e-15);
    near(describe_quantile(x, 5, 0.9), 12.8, 1e-15);
    near(describe_quantile(x, 5, 1), 16, 1e-15);
    near(describe_quantile(x, 1, 0.3), 1, 1e-15);
    assert_true(isnan(describe_quantile(x, 0, 0.5)));
}

static void equals(void **state)
{
    static const double alike[] = {3, 3, 0, 3, 3}, apart[] = {200, 200, 2, 2, 2}, none[] = {0, 0};

    (void)state;
    near(describe_equals(alike, COUNT(alike)), 4, 1e-15);
    near(describe_equals(apart, COUNT(apart)), 406. * 406 / 80012, 1e-15);
    assert_true(isnan(describe_equals(none, COUNT(none))));
}

/* Means 0.5 0.75 0.25 1 0.6, from unequal numbers of answers. */
static const struct interval_cluster five[] = {{1, 2}, {3, 4}, {0.25, 1}, {0, 0}, {3, 3}, {3, 5}};

static void means_of_clusters(void **state)
{
    struct interval i = interval_of_means(five, COUNT(five), interval_unbounded, 0.95);

    (void)state;
    near(i.value, 0.62, 1e-14);
    near(i.se, 0.12509996003196802, 1e-13);
    near(i.low, 0.2726668283088028, 1e-12);
    near(i.high, 0.9673331716911973, 1e-12);
    assert_int_equal(i.n, 15);
    assert_int_equal(i.clusters, 5); /* the one without answers is no cluster */
    i = interval_of_means(five, 1, interval_unbounded, 0.95);
    near(i.value, 0.5, 1e-15);
    assert_true(isnan(i.se) && isnan(i.low) && isnan(i.high));
    assert_int_equal(i.clusters, 1);
    i = interval_of_means(five, 0, interval_unbounded, 0.95);
    assert_true(isnan(i.value) && i.n == 0);
}

static void ratio_of_clusters(void **state)
{
    static const struct interval_cluster c[] = {{2, 3}, {3, 4}, {1, 2}, {5, 5}, {3, 4}, {0, 0}};
    struct interval i = interval_of_ratio(c, COUNT(c), interval_unbounded, 0.95);
    double r = 14.0 / 18, squares = 0;

    (void)state;
    for (size_t k = 0; k < 5; k++) {
        double m = (double)c[k].n, off = c[k].sum - r * m;
        squares += off * off / (1 - m / 18) / (18 * 18);
    }
    near(i.value, r, 1e-14);
    near(i.se, sqrt(squares), 1e-13);
    near(i.high - i.value, dist_t_quantile(0.975, 18.0 * 18 / 70 - 1) * sqrt(squares), 1e-12);
    assert_int_equal(i.n, 18);
    assert_int_equal(i.clusters, 5);
    i = interval_of_ratio(c, 4, interval_unbounded, 0.95);
    assert_true(isnan(i.low) && i.clusters == 4 && i.why == INTERVAL_FEW_UNITS);
    assert_true(isnan(interval_of_ratio(c, 0, interval_unbounded, 0.95).value));
}

static void paired(void **state)
{
    /* b is a less 0.1, 0.2, 0.3, 0.2, 0.2 in the mean; the last prompt only a has. */
    static const struct interval_cluster a[] = {{1, 2}, {3, 4}, {0.9, 1}, {0.5, 1}, {1, 2}, {1, 1}};
    static const struct interval_cluster b[] = {{0.8, 2}, {0.55, 1}, {1.2, 2},
                                                {0.3, 1}, {0.3, 1},  {0, 0}};
    struct interval i = interval_of_difference(a, b, COUNT(a), interval_unbounded, 0.95);

    (void)state;
    near(i.value, 0.2, 1e-13);
    near(i.se, sqrt(0.02 / 4 / 5), 1e-12);
    near(i.high - i.value, 2.7764451051977987 * i.se, 1e-11);
    assert_int_equal(i.clusters, 5);
    assert_int_equal(i.n, 17);
    i = interval_of_difference(a, b, 3, interval_unbounded, 0.95);
    assert_true(isnan(i.low) && i.why == INTERVAL_FEW_UNITS);
}

static void same(struct interval a, struct interval b)
{
    near(a.value, b.value, 1e-12);
    near(a.se, b.se, 1e-12);
    near(a.low, b.low, 1e-12);
    near(a.high, b.high, 1e-12);
    assert_int_equal(a.n, b.n);
    assert_int_equal(a.clusters, b.clusters);
}

static void scaled(void **state)
{
    struct interval i = {1, 0.5, 0.25, 3, 7, 4, INTERVAL_FINE}, up = interval_times(i, 10),
                    down = interval_times(i, -1);

    (void)state;
    assert_true(up.value == 10 && up.se == 5 && up.low == 2.5 && up.high == 30);
    assert_true(down.value == -1 && down.se == 0.5 && down.low == -3 && down.high == -0.25);
    assert_true(up.n == 7 && up.clusters == 4);
}

/* Each way to make an interval, for the properties. */
static struct interval make(int way, const struct interval_cluster *c, size_t n)
{
    return way == 0 ? interval_of_means(c, n, interval_unbounded, 0.9)
                    : interval_of_ratio(c, n, interval_unbounded, 0.9);
}

static void properties(void **state)
{
    enum { N = 12, WAYS = 2 };
    struct rng r = rng_keyed(5, "properties", NULL, 0);

    (void)state;
    for (int round = 0; round < 60; round++) {
        struct interval_cluster c[N], moved[N], times[N], mixed[N];
        size_t order[N];
        for (size_t i = 0; i < N; i++) {
            c[i].n = (size_t)rng_below(&r, 5) + (i < 5);
            c[i].sum = (double)c[i].n * (0.5 + rng_unit(&r));
            moved[i] = (struct interval_cluster){c[i].sum + 4 * (double)c[i].n, c[i].n};
            times[i] = (struct interval_cluster){c[i].sum * 7, c[i].n};
            order[i] = i;
        }
        rng_shuffle(&r, order, N);
        for (size_t i = 0; i < N; i++)
            mixed[i] = c[order[i]];
        for (int way = 0; way < WAYS; way++) {
            struct interval i = make(way, c, N), m = make(way, moved, N);
            near(m.value, i.value + 4, 1e-12);
            near(m.high - m.low, i.high - i.low, 1e-10);
            near(m.se, i.se, 1e-10);
            same(make(way, times, N), interval_times(i, 7));
            same(make(way, mixed, N), i);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normal),
        cmocka_unit_test(student),
        cmocka_unit_test(binomial),
        cmocka_unit_test(binomial_by_summing),
        cmocka_unit_test(moments),
        cmocka_unit_test(quantiles),
        cmocka_unit_test(equals),
        cmocka_unit_test(means_of_clusters),
        cmocka_unit_test(ratio_of_clusters),
        cmocka_unit_test(paired),
        cmocka_unit_test(scaled),
        cmocka_unit_test(properties),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
