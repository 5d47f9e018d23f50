/* Calibration of raters, drift, many tests at once, and means over drawn raters and passages. */
/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include "base/rng.h"
#include "math/calibrate.h"
#include "math/crossed.h"
#include "math/holm.h"
#include "math/misfit.h"
#include "unit/near.h"

enum { ANCHORS = 20 };

static void the_gate(void **state)
{
    const struct calibrate_gate usual = {0.5, 0.9, 0.5, 0.6, 20};
    double key[ANCHORS], given[ANCHORS];
    struct calibrate c;

    (void)state;
    for (size_t i = 0; i < ANCHORS; i++)
        given[i] = key[i] = (double)(i % 5) + 1;
    c = calibrate_of(given, key, ANCHORS);
    assert_near(c.exact, 1, 0);
    assert_near(c.kappa, 1, 1e-12);
    assert_int_equal(calibrate_faults(&c, &usual), 0);

    given[0] = 5; /* of 1 */
    given[1] = 5; /* of 2 */
    c = calibrate_of(given, key, ANCHORS);
    assert_near(c.exact, 0.9, 1e-12);
    assert_near(c.near, 0.9, 1e-12);
    assert_near(c.bias, 7.0 / 20, 1e-12);
    assert_int_equal(calibrate_faults(&c, &usual), 0);
    given[2] = 5; /* of 3 */
    c = calibrate_of(given, key, ANCHORS);
    assert_int_equal(calibrate_faults(&c, &usual), CALIBRATE_NEAR);

    for (size_t i = 0; i < ANCHORS; i++)
        given[i] = key[i] + 1;
    c = calibrate_of(given, key, ANCHORS);
    assert_int_equal(calibrate_faults(&c, &usual), CALIBRATE_EXACT | CALIBRATE_BIAS);
    for (size_t i = 0; i < ANCHORS; i++)
        given[i] = 6 - key[i];
    c = calibrate_of(given, key, ANCHORS);
    assert_true(calibrate_faults(&c, &usual) & CALIBRATE_KAPPA);
    c = calibrate_of(given, key, ANCHORS - 1); /* too few for kappa */
    assert_false(calibrate_faults(&c, &usual) & CALIBRATE_KAPPA);
    c = calibrate_of(given, key, 0);
    assert_int_equal(calibrate_faults(&c, &usual), CALIBRATE_NOTHING);
}

/* One deviation too many each time: half of it is forgiven, so that 5 is reached at the tenth. */
static void drift(void **state)
{
    struct calibrate_drift up = {0}, down = {0}, still = {0};

    (void)state;
    for (int i = 0; i < 20; i++) {
        calibrate_drift_add(&up, 1);
        calibrate_drift_add(&down, -1);
        calibrate_drift_add(&still, i % 2 ? 2 : -2);
    }
    assert_int_equal(up.alarm, 10);
    assert_int_equal(down.alarm, 10);
    assert_near(up.up, 10, 1e-12);
    assert_near(up.down, 0, 0);
    assert_int_equal(still.alarm, 0);
    assert_int_equal(still.n, 20);
}

/* By hand: 4 * .01, 3 * .02, 2 * .03 (not below the .06 before it), 1 * .04 likewise. */
static void holm(void **state)
{
    static const double p[] = {.04, .01, NAN, .03, .02};
    static const double want[] = {.06, .04, 0, .06, .06};
    double got[5];

    (void)state;
    holm_adjust(p, 5, got);
    for (size_t i = 0; i < 5; i++)
        if (i != 2)
            assert_near(got[i], want[i], 1e-12);
    assert_true(isnan(got[2]));
    holm_adjust((const double[]){.5, .6}, 2, got);
    assert_near(got[0], 1, 0);
    holm_adjust(NULL, 0, got);
}

enum { PASSAGES = 30, RATERS = 20, SYSTEMS = 3 };

/* Raters and passages move all systems alike: means are uncertain, differences are not. */
static void raters_and_passages(void **state)
{
    enum { N = PASSAGES * RATERS };
    AUTO(arena_freep) struct arena *a = arena_new();
    struct rng r = rng_keyed(2, "ratings", NULL, 0);
    double severity[RATERS], hard[PASSAGES];
    struct cells c[SYSTEMS], less;
    struct crossed mean, gap;

    (void)state;
    for (size_t i = 0; i < RATERS; i++)
        severity[i] = rng_unit(&r);
    for (size_t i = 0; i < PASSAGES; i++)
        hard[i] = rng_unit(&r);
    for (uint32_t s = 0; s < SYSTEMS; s++) {
        struct cell *v = NEW_N(a, struct cell, N);
        for (uint32_t i = 0; i < N; i++)
            v[i] = (struct cell){i / RATERS, i % RATERS,
                                 (s == 1) - severity[i % RATERS] - hard[i / RATERS] +
                                     0.1 * rng_unit(&r)};
        c[s] = (struct cells){v, N, PASSAGES, RATERS};
    }
    mean = crossed_of(&c[0], interval_unbounded, 0.95);
    less = crossed_less(a, &c[1], &c[0]);
    gap = crossed_of(&less, interval_unbounded, 0.95);
    /* sd 1 / sqrt 12 of either kind: variance 1 / 12 (1 / 20 + 1 / 30) */
    assert_near(sqrt(mean.by_rater + mean.by_unit), sqrt((1.0 / 20 + 1.0 / 30) / 12), 0.015);
    assert_near(gap.mean, 1, 0.02);
    assert_true(sqrt(gap.by_rater + gap.by_unit) < 0.01);
    assert_true(crossed_p(&gap) < 1e-12);
    less = crossed_less(a, &c[2], &c[0]);
    gap = crossed_of(&less, interval_unbounded, 0.95);
    assert_true(crossed_p(&gap) > 0.01);
    less = crossed_less(a, &c[0], &c[0]);
    gap = crossed_of(&less, interval_unbounded, 0.95);
    assert_near(crossed_p(&gap), 1, 0);
}

/* Only what both were given by the same person is compared. */
static void common_marks(void **state)
{
    static const struct cell one[] = {{0, 0, 4}, {0, 1, 3}, {2, 0, 5}},
                             other[] = {{0, 1, 1}, {1, 0, 2}, {2, 0, 2}};
    AUTO(arena_freep) struct arena *a = arena_new();
    struct cells less =
        crossed_less(a, &(struct cells){one, 3, 3, 2}, &(struct cells){other, 3, 3, 2});

    (void)state;
    assert_int_equal(less.n, 2);
    assert_near(less.v[0].value, 2, 0);
    assert_near(less.v[1].value, 3, 0);
}

/* The table of Shrout and Fleiss (1979), whole and in part; mean squares from another program, in
 * fractions, with the diagonal of the hat matrix where the table is whole. */
static void misfits(void **state)
{
    static const double table[6][4] = {{9, 2, 5, 8}, {6, 1, 3, 2},  {8, 4, 6, 8},
                                       {7, 1, 2, 6}, {10, 5, 6, 9}, {6, 2, 4, 7}};
    static const double whole[] = {.841961852861, .602179836512, .667574931880, 1.888283378747};
    static const double infit[] = {1.302567829457, .996921430879, 1.082616682817, .245659722222};
    static const double outfit[] = {1.293807870370, 1.033272087191, 1.047602237654, .245659722222};
    AUTO(arena_freep) struct arena *a = arena_new();
    struct cell v[24];
    struct misfit all[4] = {0}, part[4] = {0}, none[4] = {0};
    struct cells c = {v, 0, 6, 4};
    struct severity s;

    (void)state;
    for (uint32_t i = 0; i < 24; i++)
        v[c.n++] = (struct cell){i / 4, i % 4, table[i / 4][i % 4]};
    severity_solve(a, &c, &s);
    misfit_add(&c, &s, all);
    for (size_t r = 0; r < 4; r++) {
        assert_near(misfit_infit(&all[r]), whole[r], 1e-9);
        assert_near(misfit_outfit(&all[r]), whole[r], 1e-9);
        assert_int_equal(all[r].n, 6);
    }
    /* rater 3 has not rated units 0 and 1, and unit 5 is rater 0's alone */
    c.n = 0;
    for (uint32_t i = 0; i < 24; i++)
        if (!(i % 4 == 3 && i / 4 < 2) && (i / 4 != 5 || i % 4 == 0))
            v[c.n++] = (struct cell){i / 4, i % 4, table[i / 4][i % 4]};
    severity_solve(a, &c, &s);
    misfit_add(&c, &s, part);
    for (size_t r = 0; r < 4; r++) {
        assert_near(misfit_infit(&part[r]), infit[r], 1e-9);
        assert_near(misfit_outfit(&part[r]), outfit[r], 1e-9);
    }
    assert_int_equal(part[0].n, 5);
    /* Twice the same dimension changes nothing; a model that fits exactly says nothing. */
    misfit_add(&c, &s, part);
    assert_near(misfit_infit(&part[3]), infit[3], 1e-9);
    for (size_t i = 0; i < c.n; i++)
        v[i].value = v[i].unit + 2.0 * v[i].rater;
    severity_solve(a, &c, &s);
    misfit_add(&c, &s, none);
    assert_true(isnan(misfit_infit(&none[0])) && isnan(misfit_outfit(&none[0])));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_gate),     cmocka_unit_test(drift),
        cmocka_unit_test(holm),         cmocka_unit_test(raters_and_passages),
        cmocka_unit_test(common_marks), cmocka_unit_test(misfits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
