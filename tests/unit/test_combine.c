/* Weighted sums of independent estimates. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "base/rng.h"
#include "math/combine.h"

enum { RUNS = 3000, ITEMS = 20, PARTS = 3 };

static struct interval of(double v, double low, double high)
{
    return (struct interval){
        .value = v, .se = NAN, .low = low, .high = high, .n = 10, .clusters = 5};
}

/* 3 +- 1.5 and 5 +- 2 with weights 2 and 1: 11 +- sqrt(3^2 + 2^2). */
static void even_limits_are_the_sum_of_variances(void **state)
{
    const struct interval v[] = {of(3, 1.5, 4.5), of(5, 3, 7)};
    const double w[] = {2, 1};
    struct interval s = combine_sum(v, w, 2);

    (void)state;
    assert_true(fabs(s.value - 11) < 1e-12);
    assert_true(fabs(s.low - (11 - sqrt(13))) < 1e-12);
    assert_true(fabs(s.high - (11 + sqrt(13))) < 1e-12);
    assert_int_equal(s.n, 20);
    assert_int_equal(s.clusters, 10);
}

/* Near the end of a scale limits are uneven, and stay so. */
static void uneven_limits_stay_uneven(void **state)
{
    const struct interval v[] = {of(9, 6, 9.8), of(9, 6, 9.8)};
    const double w[] = {.5, .5};
    struct interval s = combine_sum(v, w, 2);

    (void)state;
    assert_true(fabs(s.low - (9 - sqrt(4.5))) < 1e-12);
    assert_true(fabs(s.high - (9 + sqrt(.32))) < 1e-12);
}

static void no_limits_of_a_part_no_limits_of_the_sum(void **state)
{
    struct interval v[] = {of(3, 2, 4), of(5, NAN, NAN)};
    const double w[] = {1, 1};
    struct interval s;

    (void)state;
    v[1].why = INTERVAL_FEW_UNITS;
    s = combine_sum(v, w, 2);
    assert_true(s.value == 8 && isnan(s.low) && isnan(s.high));
    assert_int_equal(s.why, INTERVAL_FEW_UNITS);
    s = combine_sum(v, (const double[]){1, 0}, 2); /* a part that does not count takes none away */
    assert_true(s.value == 3 && s.low == 2 && s.high == 4);
    assert_int_equal(s.why, INTERVAL_FINE);
    v[0].why = INTERVAL_SHORT; /* what is to be said of a part is to be said of the sum */
    s = combine_sum(v, (const double[]){1, 0}, 2);
    assert_int_equal(s.why, INTERVAL_SHORT);
    s = combine_sum(v, w, 2);
    assert_int_equal(s.why, INTERVAL_FEW_UNITS);
}

/* Three suites of marks from 0 to 1, one of them nearly perfect: how often the truth is inside. */
static void limits_cover(void **state)
{
    static const double truth[PARTS] = {.5, .8, .95}, w[PARTS] = {.5, .3, .2};
    double target = 0;
    int inside = 0;

    (void)state;
    for (size_t p = 0; p < PARTS; p++)
        target += w[p] * truth[p];
    for (int64_t run = 0; run < RUNS; run++) {
        struct rng rng = rng_keyed(7, "combine", &run, 1);
        struct interval v[PARTS], s;
        for (size_t p = 0; p < PARTS; p++) {
            struct interval_cluster c[ITEMS];
            for (size_t i = 0; i < ITEMS; i++)
                c[i] = (struct interval_cluster){rng_unit(&rng) < truth[p], 1};
            v[p] = interval_of_means(c, ITEMS, interval_share, .95);
        }
        s = combine_sum(v, w, PARTS);
        inside += s.low <= target && target <= s.high;
    }
    assert_true(inside >= .94 * RUNS && inside <= .99 * RUNS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(even_limits_are_the_sum_of_variances),
        cmocka_unit_test(uneven_limits_stay_uneven),
        cmocka_unit_test(no_limits_of_a_part_no_limits_of_the_sum),
        cmocka_unit_test(limits_cover),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
