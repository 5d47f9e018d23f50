/* Krippendorff's alpha against published values (Krippendorff 2011, examples A to D; Wikipedia's
 * table) and others computed independently. */
/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "math/agree.h"
#include "math/jackknife.h"

enum { RATERS_MAX = 4, UNITS_MAX = 15 };

/* One line of digits or letters per rater, '.' where there is no value, as it is printed. */
static struct cells cells_of(struct cell *v, const char *const *lines, size_t raters)
{
    struct cells c = {v, 0, strlen(lines[0]), raters};

    for (uint32_t u = 0; u < c.units; u++)
        for (uint32_t r = 0; r < raters; r++)
            if (lines[r][u] != '.')
                v[c.n++] = (struct cell){u, r, lines[r][u] - '0'};
    return c;
}

static double alpha(const char *const *lines, size_t raters, enum agree_level level)
{
    struct cell v[RATERS_MAX * UNITS_MAX];
    struct cells c = cells_of(v, lines, raters);

    return agree_alpha(&c, level);
}

#define assert_alpha(want, lines, level)                                                           \
    assert_float_equal(alpha(lines, COUNT(lines), level), want, 1e-6)

static void two_raters(void **state)
{
    static const char *const binary[] = {"0100000010", "1110010000"};
    static const char *const letters[] = {"aabbdcccedda", "babbbccceddd"};

    (void)state;
    assert_alpha(0.095238, binary, AGREE_NOMINAL);
    assert_alpha(0.691964, letters, AGREE_NOMINAL);
}

static void four_raters_with_holes_on_every_level(void **state)
{
    static const char *const lines[] = {"123321412...", "1233224125.3", ".3332342251.",
                                        "12332441251."};

    (void)state;
    assert_alpha(0.743421, lines, AGREE_NOMINAL);
    assert_alpha(0.815388, lines, AGREE_ORDINAL);
    assert_alpha(0.849107, lines, AGREE_INTERVAL);
    assert_alpha(0.797403, lines, AGREE_RATIO);
}

static void three_raters_with_many_holes(void **state)
{
    static const char *const lines[] = {".....34121133.3", "1.213343.......", "..21344.21133.4"};

    (void)state;
    assert_alpha(0.691358, lines, AGREE_NOMINAL);
    assert_alpha(0.806721, lines, AGREE_ORDINAL);
    assert_alpha(0.810845, lines, AGREE_INTERVAL);
}

/* Gwet's paradox: 118 times both no, 7 times one of two yes. */
static void a_rare_category(void **state)
{
    struct cell v[250];
    struct cells c = {v, 250, 125, 2};

    (void)state;
    for (uint32_t i = 0; i < 250; i++)
        v[i] = (struct cell){i / 2, i % 2, i / 2 >= 118 && i % 2 == (i / 2 < 123)};
    assert_float_equal(agree_alpha(&c, AGREE_NOMINAL), -0.024691, 5e-7);
}

static double nominal(const struct cells *c, void *user)
{
    (void)user;
    return agree_alpha(c, AGREE_NOMINAL);
}

/* Many units of two coins that agree with chance 1 / 2 + rho / 2: alpha is near rho, and its
 * standard error near sqrt((1 - rho^2) / units). */
static void intervals_have_the_right_width(void **state)
{
    enum { UNITS = 4000 };
    struct cell *v = mem_new(2 * UNITS * sizeof *v);
    struct rng r = rng_keyed(3, "coins", NULL, 0);
    struct cells c = {v, (size_t)2 * UNITS, UNITS, 2};
    struct jackknife j;
    struct interval i;

    (void)state;
    for (uint32_t u = 0; u < UNITS; u++) {
        bool first = rng_unit(&r) < 0.5, same = rng_unit(&r) < 0.8;
        v[2 * u] = (struct cell){u, 0, first};
        v[2 * u + 1] = (struct cell){u, 1, first == same};
    }
    j = jackknife_of(&c, nominal, NULL);
    i = jackknife_interval(&j, JACKKNIFE_THESE, 0.95);
    assert_true(i.value > 0.55 && i.value < 0.65);
    assert_true(fabs(i.se / sqrt((1 - i.value * i.value) / UNITS) - 1) < 0.15);
    assert_true(fabs((i.high - i.low) / (2 * 1.96 * i.se) - 1) < 0.1);
    free(v);
}

/* ---- sums that are taken back ---- */

static const double half_points[] = {0, 0.5, 1, 1.5, 2};

static double of_sums(const struct census *t, void *user)
{
    const enum agree_level *level = user;

    return agree_of_census(t, half_points, *level);
}

static double of_values(const struct cells *c, void *user)
{
    const enum agree_level *level = user;

    return agree_alpha(c, *level);
}

/* Without parts of units, or of raters, with gaps: as if it were computed anew. */
static void leaving_out_is_computing_anew(void **state)
{
    enum { UNITS = 60, RATERS = 7 };
    struct cell plain[UNITS * RATERS], coded[UNITS * RATERS];
    struct rng r = rng_keyed(5, "gaps", NULL, 0);
    size_t n = 0;

    (void)state;
    for (uint32_t u = 0; u < UNITS; u++)
        for (uint32_t k = 0; k < RATERS; k++) {
            uint64_t level = (u + rng_below(&r, 3)) % COUNT(half_points);
            if (rng_below(&r, 3) == 0)
                continue;
            plain[n] = (struct cell){u, k, half_points[level]};
            coded[n++] = (struct cell){u, k, (double)level};
        }
    for (int i = AGREE_NOMINAL; i <= AGREE_RATIO; i++) {
        enum agree_level level = (enum agree_level)i;
        struct jackknife anew = jackknife_of(&(struct cells){plain, n, UNITS, RATERS}, of_values,
                                             &level),
                         back = census_jackknife(&(struct cells){coded, n, UNITS, RATERS},
                                                 COUNT(half_points), of_sums, &level);
        assert_true(fabs(back.value - anew.value) < 1e-12);
        assert_true(fabs(back.by_unit / anew.by_unit - 1) < 1e-9);
        assert_true(fabs(back.by_rater / anew.by_rater - 1) < 1e-9);
        assert_int_equal(back.units, anew.units);
        assert_int_equal(back.raters, anew.raters);
    }
}

/* Too many to count their pairs. */
static void many_levels_are_as_few(void **state)
{
    enum { UNITS = 400 };
    struct cell *v = mem_new((size_t)2 * UNITS * sizeof *v);
    struct rng r = rng_keyed(6, "levels", NULL, 0);
    struct agree_interval s = {0};

    (void)state;
    for (uint32_t u = 0; u < UNITS; u++) {
        double x = (double)rng_below(&r, 90), y = x + (double)rng_below(&r, 30);
        v[2 * u] = (struct cell){u, 0, x};
        v[2 * u + 1] = (struct cell){u, 1, y};
        agree_interval_add(&s, (const double[]){x, y}, 2);
    }
    assert_float_equal(agree_alpha(&(struct cells){v, 2 * UNITS, UNITS, 2}, AGREE_INTERVAL),
                       agree_interval_alpha(&s), 1e-12);
    free(v);
}

/* Shrout and Fleiss 1979, six targets and four judges. */
static const double targets[6][4] = {{9, 2, 5, 8}, {6, 1, 3, 2},  {8, 4, 6, 8},
                                     {7, 1, 2, 6}, {10, 5, 6, 9}, {6, 2, 4, 7}};

static void one_unit_at_a_time_is_the_same(void **state)
{
    struct agree_interval s = {0}, moved = {0};
    double unit[4];

    (void)state;
    for (size_t u = 0; u < COUNT(targets); u++) {
        for (size_t r = 0; r < 4; r++)
            unit[r] = 1000 - 3 * targets[u][r];
        agree_interval_add(&s, targets[u], 4);
        agree_interval_add(&moved, unit, 4);
    }
    assert_float_equal(agree_interval_alpha(&s), 0.147308, 5e-7);
    assert_float_equal(agree_interval_alpha(&moved), agree_interval_alpha(&s), 1e-12);
    assert_int_equal(s.units, 6);
    agree_interval_add(&s, (const double[]){3, NAN}, 2); /* nobody to agree with */
    assert_int_equal(s.units, 6);
}

/* Two series that lie far apart: the distance between them adds nothing. Alone they have -0.5
 * and 1. By hand: within 2 + 0, expected 1 * 4 / 3 + 1 * 4 / 3. */
static void series_are_not_compared_with_each_other(void **state)
{
    struct agree_interval s[2] = {{.units = 0}, {.units = 0}};

    (void)state;
    agree_interval_add(&s[0], (const double[]){0, 1}, 2);
    agree_interval_add(&s[0], (const double[]){1, 0}, 2);
    agree_interval_add(&s[1], (const double[]){100, 100}, 2);
    agree_interval_add(&s[1], (const double[]){101, 101}, 2);
    assert_float_equal(agree_interval_alpha(&s[0]), -0.5, 1e-12);
    assert_float_equal(agree_interval_alpha(&s[1]), 1, 1e-12);
    assert_float_equal(agree_interval_pooled(s, 2), 1 - 2 / (8.0 / 3), 1e-12);
}

static void what_cannot_be_known_is_not_a_number(void **state)
{
    static const char *const same[] = {"3333", "3333"}, *const alone[] = {"1234", "...."};
    struct agree_interval none = {0};

    (void)state;
    for (int level = AGREE_NOMINAL; level <= AGREE_RATIO; level++) {
        assert_true(isnan(alpha(same, 2, (enum agree_level)level)));
        assert_true(isnan(alpha(alone, 2, (enum agree_level)level)));
    }
    assert_true(isnan(agree_interval_alpha(&none)));
    assert_true(isnan(agree_interval_pooled(&none, 0)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_raters),
        cmocka_unit_test(four_raters_with_holes_on_every_level),
        cmocka_unit_test(three_raters_with_many_holes),
        cmocka_unit_test(a_rare_category),
        cmocka_unit_test(intervals_have_the_right_width),
        cmocka_unit_test(leaving_out_is_computing_anew),
        cmocka_unit_test(many_levels_are_as_few),
        cmocka_unit_test(one_unit_at_a_time_is_the_same),
        cmocka_unit_test(series_are_not_compared_with_each_other),
        cmocka_unit_test(what_cannot_be_known_is_not_a_number),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
