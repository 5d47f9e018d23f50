/* Kaplan and Meier, against the remission times of Freireich et al. (1963), 6-MP. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
/* clang-format on */

#include <math.h>

#include "math/survive.h"

static const struct survive_one remission[] = {
    {6, true},   {6, true},   {6, true},   {6, false},  {7, true},   {9, false},  {10, true},
    {10, false}, {11, false}, {13, true},  {16, true},  {17, false}, {19, false}, {20, false},
    {22, true},  {23, true},  {25, false}, {32, false}, {32, false}, {34, false}, {35, false},
};

static void shares_are_those_published(void **state)
{
    static const struct {
        int64_t time;
        double share;
        size_t there;
    } want[] = {{6, .8571, 21},  {7, .8067, 17}, {10, .7529, 15}, {13, .6902, 12},
                {16, .6275, 11}, {22, .5378, 7}, {23, .4482, 6}};
    AUTO(arena_freep) struct arena *a = arena_new();
    struct survive_curve c = survive_curve(a, remission, COUNT(remission), 0.95);

    (void)state;
    assert_int_equal(c.n, COUNT(want));
    for (size_t i = 0; i < c.n; i++) {
        assert_int_equal(c.v[i].time, want[i].time);
        assert_int_equal(c.v[i].there, want[i].there);
        assert_true(fabs(c.v[i].share - want[i].share) < 5e-5);
        assert_true(c.v[i].low > 0 && c.v[i].low < c.v[i].share && c.v[i].high > c.v[i].share &&
                    c.v[i].high < 1);
    }
}

/* At 6 weeks 18 of 21 are left, and nobody went away before: at the level of one step the quantiles
 * .025 and .975 of Beta(18.5, 3.5). */
static void bands_are_jeffreys(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct survive_curve c =
        survive_curve(a, remission, COUNT(remission), 1 - 7 * 0.05); /* seven steps share it */

    (void)state;
    assert_true(fabs(c.v[0].low - .66581) < 5e-5);
    assert_true(fabs(c.v[0].high - .95806) < 5e-5);
}

/* Nobody left early: the mean of what was lasted through, whatever was cut off at the end. */
static void without_leavers_it_is_the_mean(void **state)
{
    static const struct survive_one v[] = {{3, true},  {5, true}, {8, false},
                                           {8, false}, {1, true}, {8, true}};
    AUTO(arena_freep) struct arena *a = arena_new();
    struct interval i = survive_mean(a, v, COUNT(v), 8, 0.95);

    (void)state;
    assert_true(fabs(i.value - (2 + 4 + 8 + 8 + 0 + 7) / 6.0) < 1e-12);
    assert_true(i.low > 0 && i.low < i.value && i.high > i.value && i.high <= 8);
}

/* Five that never broke do not say that none ever will. */
static void no_end_leaves_a_width(void **state)
{
    static const struct survive_one v[] = {
        {8, false}, {8, false}, {3, false}, {8, false}, {5, false}};
    AUTO(arena_freep) struct arena *a = arena_new();
    struct interval i = survive_mean(a, v, COUNT(v), 8, 0.95);

    (void)state;
    assert_true(i.value == 8 && i.high == 8 && i.low < 7);
}

static void nobody_ends_and_everybody_does(void **state)
{
    static const struct survive_one none[] = {{4, false},
                                              {4, false},
                                              {4, false},
                                              {4, false},
                                              {4, false}},
                                    all[] = {{1, true}, {1, true}, {1, true}, {1, true}, {1, true}};
    AUTO(arena_freep) struct arena *a = arena_new();
    struct survive_curve c = survive_curve(a, none, COUNT(none), 0.95);

    (void)state;
    assert_int_equal(c.n, 0);
    assert_true(survive_mean(a, none, COUNT(none), 4, 0.95).value == 4);
    c = survive_curve(a, all, COUNT(all), 0.95);
    assert_int_equal(c.n, 1);
    assert_true(c.v[0].share == 0 && c.v[0].low == 0 && c.v[0].high == 1);
    assert_true(survive_mean(a, all, COUNT(all), 4, 0.95).value == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_are_those_published),     cmocka_unit_test(bands_are_jeffreys),
        cmocka_unit_test(without_leavers_it_is_the_mean), cmocka_unit_test(no_end_leaves_a_width),
        cmocka_unit_test(nobody_ends_and_everybody_does),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
