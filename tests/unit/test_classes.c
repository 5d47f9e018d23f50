/* Classes of units from raters who err: the 45 patients of Dawid and Skene 1979, and vectors
 * computed independently. */
/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include "math/classes.h"
#include "unit/near.h"

enum { CELLS = 400 };

/* Rows of digits, a unit each; rater[i] is who wrote column i, and `zero` the first class. */
static struct cells rows_of(struct cell *v, const char *const *rows, size_t units,
                            const uint32_t *rater, char zero)
{
    struct cells c = {v, 0, units, 0};

    for (uint32_t u = 0; u < units; u++)
        for (size_t i = 0; rows[u][i]; i++) {
            v[c.n++] = (struct cell){u, rater[i], rows[u][i] - zero};
            c.raters = rater[i] + 1 > c.raters ? rater[i] + 1 : c.raters;
        }
    return c;
}

static void patients(void **state)
{
    static const char *const rows[] = {
        "1111111", "3334334", "1122122", "2223121", "2223222", "2223322", "1222111", "3333433",
        "2222223", "2322223", "4444444", "2223343", "1111111", "2223212", "1211111", "1112111",
        "1111111", "1111111", "2222221", "2221322", "2222222", "2222221", "2223222", "2212222",
        "1111111", "1111111", "2322222", "1111111", "1111111", "1121121", "1111111", "3333233",
        "1111111", "2222222", "2223232", "4334343", "2212232", "2323233", "3333432", "1111111",
        "1111111", "1212111", "2322222", "1211111", "2222222",
    };
    static const double prior[] = {.3996, .4220, .1118, .0667};
    static const double right[5][4] = {{.8895, .8764, .6612, .4444},
                                       {.8342, .6329, 1, 1},
                                       {1, .7883, .1988, .3333},
                                       {.9444, .8426, .8012, .6667},
                                       {1, .7345, .7909, .6667}};
    const struct classes_how how = {.classes = 4, .tolerance = 1e-12, .rounds_max = 10000};
    struct arena *a = arena_new();
    struct cell v[CELLS];
    struct cells c = rows_of(v, rows, COUNT(rows), (const uint32_t[]){0, 0, 0, 1, 2, 3, 4}, '1');
    struct classes s;
    int sizes[4] = {0};

    (void)state;
    classes_dawid_skene(a, &c, &how, &s);
    assert_true(s.settled);
    assert_near(s.log_likelihood, -192.890881, 1e-6);
    for (size_t j = 0; j < 4; j++) {
        assert_near(s.prior[j], prior[j], 5e-5);
        for (size_t r = 0; r < 5; r++)
            assert_near(s.confusion[(r * 4 + j) * 4 + j], right[r][j], 5e-5);
    }
    for (size_t u = 0; u < 45; u++)
        for (size_t j = 0; j < 4; j++)
            sizes[j] += s.chance[u * 4 + j] > 0.5;
    assert_int_equal(sizes[0], 18);
    assert_int_equal(sizes[1], 19);
    assert_int_equal(sizes[2], 5);
    assert_int_equal(sizes[3], 3);
    assert_near(s.chance[6 * 4], 0.981, 5e-4);
    assert_near(s.chance[6 * 4 + 1], 0.019, 5e-4);
    assert_near(s.chance[34 * 4 + 1], 0.948, 5e-4);
    assert_near(s.chance[37 * 4 + 2], 0.979, 5e-4);
    arena_free(a);
}

static void smoothed(void **state)
{
    static const char *const rows[] = {"111", "110", "001", "000", "110",
                                       "000", "111", "011", "001", "101"};
    static const double chance[] = {.999924, .999849, .0785,   .041228, .999849,
                                    .041228, .999924, .970991, .0785,   .970991};
    const struct classes_how how = {2, .01, 1e-12, 10000};
    struct arena *a = arena_new();
    struct cell v[CELLS];
    struct cells c = rows_of(v, rows, 10, (const uint32_t[]){0, 1, 2}, '0');
    struct classes s;

    (void)state;
    classes_dawid_skene(a, &c, &how, &s);
    assert_true(s.settled);
    assert_near(s.prior[1], .618099, 1e-6);
    for (size_t u = 0; u < 10; u++)
        assert_near(s.chance[u * 2 + 1], chance[u], 1e-6);
    arena_free(a);
}

static void who_knows(void **state)
{
    static const char *const rows[] = {"1110", "1111", "0001", "0010", "1110", "0001"};
    static const double trust[] = {.9967, .9967, .6645, .0049}, label[] = {1, 1, 0, 0, 1, 0};
    const struct classes_how how = {2, .01, 1e-12, 10000};
    struct arena *a = arena_new();
    struct cell v[CELLS];
    struct cells c = rows_of(v, rows, 6, (const uint32_t[]){0, 1, 2, 3}, '0');
    struct classes_mace s;

    (void)state;
    classes_mace(a, &c, &how, &s);
    assert_true(s.settled);
    for (size_t r = 0; r < 4; r++)
        assert_near(s.trust[r], trust[r], 5e-5);
    for (size_t u = 0; u < 6; u++)
        assert_near(s.chance[u * 2 + 1], label[u], 0.5);
    arena_free(a);
}

/* A unit that nobody rated, and raters who contradict each other without end. */
static void nothing_to_go_by(void **state)
{
    static const struct cell v[] = {{0, 0, 0}, {0, 1, 1}, {1, 0, 1}, {1, 1, 0}};
    const struct classes_how how = {2, 0, 1e-9, 100};
    const struct cells c = {v, 4, 3, 2};
    struct arena *a = arena_new();
    struct classes_mace m;
    struct classes s;

    (void)state;
    classes_dawid_skene(a, &c, &how, &s);
    classes_mace(a, &c, &how, &m);
    for (size_t u = 0; u < 3; u++) {
        assert_near(s.chance[u * 2] + s.chance[u * 2 + 1], 1, 1e-12);
        assert_near(m.chance[u * 2] + m.chance[u * 2 + 1], 1, 1e-12);
    }
    assert_near(s.chance[4], 0.5, 1e-9);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patients),
        cmocka_unit_test(smoothed),
        cmocka_unit_test(who_knows),
        cmocka_unit_test(nothing_to_go_by),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
