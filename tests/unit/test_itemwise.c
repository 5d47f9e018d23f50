/* Item analysis on tables that were worked out elsewhere. */
/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include "base/rng.h"
#include "math/itemwise.h"
#include "unit/near.h"

/* Five persons, four items. Item 0 follows the rest, 1 is easy for all, 2 goes against it. The
 * correlations with the mean of the other items, each less its mean, by hand:
 * item 0: x = 1 1 1 0 0, rest = (1+0+1, 1+0+1, 1+1+0, 1+1+0, 1+1+0) / 3. */
static void classical(void **state)
{
    static const double v[] = {1, 1, 0, 1, /**/ 1, 1, 0, 1, /**/ 1, 1, 1, 0, /**/
                               0, 1, 1, 0, /**/ 0, 1, 1, 0};
    struct itemwise_table t = {v, 5, 4};
    struct itemwise x[4];

    (void)state;
    itemwise_of(&t, x);
    assert_near(x[0].mean, 0.6, 1e-12);
    assert_near(x[0].sd, sqrt(0.3), 1e-12);
    /* the others sum to 2 for everybody: no spread, no correlation */
    assert_true(isnan(x[0].discrimination));
    assert_true(x[0].worth == 0);
    /* nothing varies */
    assert_true(isnan(x[1].discrimination) && x[1].worth == 0);
    /* item 2 = 0 0 1 1 1, the others 3 3 2 1 1: cov -0.5, sds sqrt(.3), 1 */
    assert_near(x[2].discrimination, -0.5 / sqrt(0.3), 1e-12);
    assert_near(x[2].worth, -0.5, 1e-12);
    /* item 3 = 1 1 0 0 0, the others 2 2 3 2 2: cov -0.1, variances .3, .2 */
    assert_near(x[3].discrimination, -0.1 / sqrt(0.3 * 0.2), 1e-12);
    assert_true(isnan(x[0].logit)); /* too few for Rasch */
}

/* Missing cells are left out; one person has no correlation. */
static void gaps(void **state)
{
    static const double v[] = {1,        0.5, 0.2, /**/ NAN, 0.1, 0.4,
                               /**/ 0.2, NAN, 0,   /**/ 0.6, 0.3, 0.1};
    struct itemwise_table t = {v, 4, 3};
    struct itemwise x[3];

    (void)state;
    itemwise_of(&t, x);
    assert_int_equal(x[0].n, 3);
    assert_near(x[0].mean, 0.6, 1e-12);
    assert_near(x[1].mean, 0.3, 1e-12);
    t.persons = 1;
    itemwise_of(&t, x);
    assert_true(isnan(x[0].discrimination) && isnan(x[0].worth));
}

/* Answers drawn by Rasch's own law: difficulties are found again, in order and size. */
static void rasch(void **state)
{
    enum { PERSONS = 300, ITEMS = 9 };
    static double v[PERSONS * ITEMS];
    struct rng r = rng_keyed(1, "rasch", NULL, 0);
    struct itemwise_table t = {v, PERSONS, ITEMS};
    struct itemwise x[ITEMS];

    (void)state;
    for (size_t p = 0; p < PERSONS; p++) {
        double ability = 3 * (rng_unit(&r) - 0.5);
        for (size_t i = 0; i < ITEMS; i++)
            v[p * ITEMS + i] = rng_unit(&r) < 1 / (1 + exp((double)i / 2 - 2 - ability));
    }
    itemwise_of(&t, x);
    for (size_t i = 0; i < ITEMS; i++) {
        assert_near(x[i].logit, (double)i / 2 - 2,
                    0.5); /* joint estimates are a little too far out */
        assert_near(x[i].fit, 1, 0.45);
        assert_true(x[i].discrimination > 0);
    }
    /* everybody solved it: hard to say how easy, but finite */
    for (size_t p = 0; p < PERSONS; p++)
        v[p * ITEMS] = 1;
    itemwise_of(&t, x);
    assert_true(isfinite(x[0].logit) && x[0].logit < x[1].logit);
}

static void twins(void **state)
{
    enum { PERSONS = 12, ITEMS = 6 };
    double v[PERSONS * ITEMS];
    struct rng r = rng_keyed(2, "twins", NULL, 0);
    struct itemwise_table t = {v, PERSONS, ITEMS};
    struct itemwise_twins found[3];

    (void)state;
    for (size_t p = 0; p < PERSONS; p++)
        for (size_t i = 0; i < ITEMS; i++)
            v[p * ITEMS + i] = i == 4 ? v[p * ITEMS + 1] : rng_unit(&r);
    assert_true(itemwise_twins(&t, 0.9, 3, found) >= 1);
    assert_int_equal(found[0].one, 1);
    assert_int_equal(found[0].other, 4);
    assert_near(found[0].correlation, 1, 1e-9);
    t.persons = ITEMWISE_TWIN_PERSONS - 1;
    assert_int_equal(itemwise_twins(&t, 0.9, 3, found), 0);
}

static void the_best_come_in_their_order(void **state)
{
    static const struct itemwise x[] = {{.n = 3, .worth = 0.1},  {.n = 3, .worth = 0.4},
                                        {.n = 0, .worth = 0},    {.n = 3, .worth = 0.3},
                                        {.n = 3, .worth = -0.2}, {.n = 3, .worth = 0.4}};
    size_t out[6];

    (void)state;
    itemwise_best(x, 6, 3, out);
    assert_int_equal(out[0], 1);
    assert_int_equal(out[1], 3);
    assert_int_equal(out[2], 5);
    itemwise_best(x, 6, 6, out);
    assert_int_equal(out[5], 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classical),
        cmocka_unit_test(gaps),
        cmocka_unit_test(rasch),
        cmocka_unit_test(twins),
        cmocka_unit_test(the_best_come_in_their_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
