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

#include "math/agree.h"

enum { RATERS_MAX = 4, UNITS_MAX = 15 };

/* One line of digits or letters per rater, '.' where there is no value, as it is printed. */
static double alpha(const char *const *lines, size_t raters, enum agree_level level)
{
    struct arena *a = arena_new();
    double v[RATERS_MAX * UNITS_MAX], out;
    struct agree_table t = {v, strlen(lines[0]), raters};

    for (size_t u = 0; u < t.units; u++)
        for (size_t r = 0; r < raters; r++)
            v[u * raters + r] = lines[r][u] == '.' ? (double)NAN : lines[r][u] - '0';
    out = agree_alpha(a, &t, level);
    arena_free(a);
    return out;
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
        cmocka_unit_test(one_unit_at_a_time_is_the_same),
        cmocka_unit_test(series_are_not_compared_with_each_other),
        cmocka_unit_test(what_cannot_be_known_is_not_a_number),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
