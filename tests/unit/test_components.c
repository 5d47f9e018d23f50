/* Variance components against published fits.
 *
 * The data are those of three textbooks, as lme4 has them: Dyestuff (Davies and Goldsmith 1972,
 * table 6.3), Penicillin (table 6.6) and Pastes (table 6.5). The numbers are the REML estimates
 * that Bates (lme4: Mixed-effects modeling with R, chapters 1 and 2) prints, which in complete
 * designs are those of the analysis of variance. */
/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include "base/rng.h"
#include "math/cell.h"
#include "math/components.h"
#include "math/icc.h"
#include "unit/near.h"

enum { MOST = 200 };

static uint32_t zero[MOST];

static void one_way(void **state)
{
    static const double yield[] = {1545, 1440, 1440, 1520, 1580, 1540, 1555, 1490, 1560, 1495,
                                   1595, 1550, 1605, 1510, 1560, 1445, 1440, 1595, 1465, 1545,
                                   1595, 1630, 1515, 1635, 1625, 1520, 1455, 1450, 1480, 1445};
    uint32_t batch[30];
    struct components_data d = {
        .value = yield, .n = 30, .strata = {zero, 1}, .factors = {{batch, 6}}, .nfactors = 1};
    struct components c;

    (void)state;
    for (uint32_t i = 0; i < 30; i++)
        batch[i] = i / 5;
    assert_true(components_estimate(&d, &c));
    assert_near(c.of[0].variance, 1764.05, 0.005);
    assert_near(c.of[1].variance, 2451.25, 0.005);
    assert_near(c.of[0].reach, 1. / 6, 1e-12);
    assert_near(c.of[1].reach, 1. / 30, 1e-12);
    assert_near(sqrt(c.noise), 19.38, 0.005); /* standard error of the grand mean */
}

static void crossed(void **state)
{
    static const char *const plates[] = {
        "272326232321", "272326232321", "252125242420", "262325232320", "252226222320",
        "242225232219", "242023212219", "262226242421", "242124222220", "242124232219",
        "262326242421", "252226242420", "262426242522", "262326232320", "262325242422",
        "252225232320", "252124232320", "252224232319", "242123212119", "262326242421",
        "252124222218", "252225222220", "242124222419", "242124222118"};
    double diameter[144];
    uint32_t plate[144], sample[144];
    struct components_data d = {.value = diameter,
                                .n = 144,
                                .strata = {zero, 1},
                                .factors = {{plate, 24}, {sample, 6}},
                                .nfactors = 2};
    struct components c;

    (void)state;
    for (uint32_t i = 0; i < 144; i++) {
        const char *two = plates[i / 6] + 2 * (i % 6);
        plate[i] = i / 6;
        sample[i] = i % 6;
        diameter[i] = (two[0] - '0') * 10 + (two[1] - '0');
    }
    assert_true(components_estimate(&d, &c));
    assert_near(c.of[0].variance, 0.716908, 1e-6);
    assert_near(c.of[1].variance, 3.73092, 1e-5);
    assert_near(c.of[2].variance, 0.302415, 1e-6);
    assert_near(sqrt(c.noise), 0.808573, 1e-6);
}

static const double strength[] = {
    62.8, 62.6, 60.1, 62.3, 62.7, 63.1, 60,   61.4, 57.5, 56.9, 61.1, 58.9, 58.7, 57.5, 63.9,
    63.1, 65.4, 63.7, 57.1, 56.4, 56.9, 58.6, 64.7, 64.5, 55.1, 55.1, 54.7, 54.2, 58.8, 57.5,
    63.4, 64.9, 59.3, 58.1, 60.5, 60,   62.5, 62.6, 61,   58.7, 56.9, 57.7, 59.2, 59.4, 65.2,
    66,   64.8, 64.1, 54.8, 54.8, 64,   64,   57.7, 56.8, 58.3, 59.3, 59.2, 59.2, 58.9, 56.6};

static void nested(void **state)
{
    uint32_t batch[60], cask[60];
    struct components_data d = {.value = strength,
                                .n = 60,
                                .strata = {zero, 1},
                                .factors = {{batch, 10}, {cask, 30}},
                                .nfactors = 2};
    struct components c;

    (void)state;
    for (uint32_t i = 0; i < 60; i++) {
        batch[i] = i / 6;
        cask[i] = i / 2;
    }
    assert_true(components_estimate(&d, &c));
    assert_near(c.of[0].variance, 1.657, 0.0005);
    assert_near(c.of[1].variance, 8.434, 0.0005);
    assert_near(c.of[2].variance, 0.678, 0.0005);
    assert_near(sqrt(c.noise), 0.6769, 0.00005);
}

/* Batches of Box and Tiao's made-up example differ less than chance: REML has 0, and puts all of
 * the variance into the rest, 13.806. */
static void below_zero_is_zero(void **state)
{
    static const double yield[] = {7.298,  3.846,  2.434, 9.566,  7.99,   5.22,  6.556, 0.608,
                                   11.788, -0.892, 0.11,  10.386, 13.434, 5.51,  8.166, 2.212,
                                   4.852,  7.092,  9.288, 4.98,   0.282,  9.014, 4.458, 9.446,
                                   7.198,  1.722,  4.782, 8.106,  0.758,  3.758};
    uint32_t batch[30];
    struct components_data d = {
        .value = yield, .n = 30, .strata = {zero, 1}, .factors = {{batch, 6}}, .nfactors = 1};
    struct components c;

    (void)state;
    for (uint32_t i = 0; i < 30; i++)
        batch[i] = i / 5;
    assert_true(components_estimate(&d, &c));
    assert_true(c.of[0].variance == 0);
    assert_near(c.of[1].variance, 13.806, 0.0005);
}

/* With gaps: the same as the components behind ICC(2,1), which were computed by hand. */
static void gaps(void **state)
{
    static const struct cell cells[] = {{0, 0, 9}, {0, 1, 2},  {0, 3, 8}, {1, 0, 6}, {1, 1, 1},
                                        {1, 2, 3}, {2, 1, 4},  {2, 2, 6}, {2, 3, 8}, {3, 0, 7},
                                        {3, 3, 6}, {4, 0, 10}, {4, 1, 5}, {4, 2, 6}, {4, 3, 9},
                                        {5, 1, 2}, {5, 2, 4},  {5, 3, 7}};
    double value[18];
    uint32_t unit[18], rater[18];
    struct components_data d = {.value = value,
                                .n = 18,
                                .strata = {zero, 1},
                                .factors = {{unit, 6}, {rater, 4}},
                                .nfactors = 2};
    struct icc_parts parts;
    struct components c;

    (void)state;
    for (size_t i = 0; i < 18; i++) {
        value[i] = cells[i].value;
        unit[i] = cells[i].unit;
        rater[i] = cells[i].rater;
    }
    assert_true(components_estimate(&d, &c));
    assert_true(icc_components(&(struct cells){cells, 18, 6, 4}, &parts));
    assert_near(c.of[0].variance, parts.unit, 1e-9);
    assert_near(c.of[1].variance, parts.rater, 1e-9);
    assert_near(c.of[2].variance, parts.error, 1e-9);
}

/* A constant added to all marks of one stratum changes nothing; twice the marks, four times the
 * variance. */
static void strata_have_means_of_their_own(void **state)
{
    double moved[60];
    uint32_t stratum[60], batch[60], cask[60];
    struct components_data d = {.value = strength,
                                .n = 60,
                                .strata = {stratum, 2},
                                .factors = {{batch, 10}, {cask, 30}},
                                .nfactors = 2};
    struct components c, m;

    (void)state;
    for (uint32_t i = 0; i < 60; i++) {
        stratum[i] = i / 30;
        batch[i] = i / 6;
        cask[i] = i / 2;
        moved[i] = 2 * strength[i] + 1000 * stratum[i];
    }
    assert_true(components_estimate(&d, &c));
    d.value = moved;
    assert_true(components_estimate(&d, &m));
    for (size_t i = 0; i < 3; i++)
        assert_near(m.of[i].variance, 4 * c.of[i].variance, 1e-6);
    assert_near(m.of[0].reach, 1. / 5, 1e-12);
}

/* What has one level, or divides values as something else does, has no variance of its own. */
static void what_cannot_be_told_apart(void **state)
{
    uint32_t judge[60] = {0}, batch[60], answer[60], single[60];
    struct components_data d = {.value = strength,
                                .n = 60,
                                .strata = {zero, 1},
                                .factors = {{batch, 10}, {judge, 1}, {answer, 10}, {single, 60}},
                                .nfactors = 4};
    struct components c;

    (void)state;
    for (uint32_t i = 0; i < 60; i++) {
        batch[i] = i / 6;
        answer[i] = 9 - i / 6;
        single[i] = i;
    }
    assert_true(components_estimate(&d, &c));
    assert_true(c.of[0].variance > 0 && c.of[4].variance > 0);
    assert_true(isnan(c.of[1].variance) && c.of[1].same == COMPONENTS_MOST);
    assert_true(isnan(c.of[2].variance) && c.of[2].same == 0);
    assert_true(isnan(c.of[3].variance) && c.of[3].same == 4);
    d.n = 1;
    assert_false(components_estimate(&d, &c));
}

/* Marks with known variances, half of them missing: found again. */
static void large_and_sparse(void **state)
{
    enum { ITEMS = 400, RATERS = 300, N = 60000 };
    static double value[N], item_effect[ITEMS], rater_effect[RATERS];
    static uint32_t item[N], rater[N], none[N];
    struct components_data d = {.value = value,
                                .n = N,
                                .strata = {none, 1},
                                .factors = {{item, ITEMS}, {rater, RATERS}},
                                .nfactors = 2};
    struct components c;
    struct rng r = rng_keyed(5, "components", NULL, 0);

    (void)state;
    for (size_t i = 0; i < ITEMS; i++)
        item_effect[i] = rng_unit(&r) - 0.5;
    for (size_t i = 0; i < RATERS; i++)
        rater_effect[i] = 2 * (rng_unit(&r) - 0.5);
    for (size_t i = 0; i < N; i++) {
        item[i] = (uint32_t)rng_below(&r, ITEMS);
        rater[i] = (uint32_t)rng_below(&r, RATERS);
        value[i] = 3 + item_effect[item[i]] + rater_effect[rater[i]] + 3 * (rng_unit(&r) - 0.5);
    }
    assert_true(components_estimate(&d, &c));
    assert_near(c.of[0].variance, 1. / 12, 0.015);
    assert_near(c.of[1].variance, 4. / 12, 0.05);
    assert_near(c.of[2].variance, 9. / 12, 0.02);
}

static void pairs_are_numbered_as_they_come(void **state)
{
    static const uint32_t x[] = {7, 7, 0, 7, 0, 4000000000u}, y[] = {1, 2, 1, 1, 1, 1};
    static const uint32_t want[] = {0, 1, 2, 0, 2, 3};
    uint32_t out[6];

    (void)state;
    assert_int_equal(components_join(x, y, 6, out), 4);
    assert_memory_equal(out, want, sizeof want);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_way),
        cmocka_unit_test(crossed),
        cmocka_unit_test(nested),
        cmocka_unit_test(below_zero_is_zero),
        cmocka_unit_test(gaps),
        cmocka_unit_test(strata_have_means_of_their_own),
        cmocka_unit_test(what_cannot_be_told_apart),
        cmocka_unit_test(large_and_sparse),
        cmocka_unit_test(pairs_are_numbered_as_they_come),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
