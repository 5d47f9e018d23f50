/* Symmetric systems: what is solved fits, what is inverted is the inverse, what cannot be is said.
 */
/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <math.h>

#include "base/rng.h"
#include "math/dense.h"

enum { MOST = 40 };

static void near(double got, double expected, double within)
{
    if (!(fabs(got - expected) <= within))
        fail_msg("%.17g is not %.17g", got, expected);
}

/* b b^T + 1 for a random b: positive definite, both triangles. */
static void fill(double *a, size_t m, int64_t seed)
{
    struct rng rng = rng_keyed(1, "dense", &seed, 1);
    double b[MOST * MOST];

    for (size_t i = 0; i < m * m; i++)
        b[i] = (double)rng_below(&rng, 2001) / 1000 - 1;
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++) {
            a[i * m + j] = i == j;
            for (size_t k = 0; k < m; k++)
                a[i * m + j] += b[i * m + k] * b[j * m + k];
        }
}

/* Whatever is above the diagonal must not be looked at. */
static void spoil_upper(double *a, size_t m)
{
    for (size_t column = 0; column < m; column++)
        for (size_t row = 0; row < column; row++)
            a[column * m + row] = NAN;
}

static void random_systems(void **state)
{
    double a[MOST * MOST], copy[MOST * MOST], x[MOST], got[MOST];

    (void)state;
    for (size_t m = 1; m <= MOST; m++) {
        fill(a, m, (int64_t)m);
        memcpy(copy, a, sizeof copy);
        for (size_t i = 0; i < m; i++)
            x[i] = (double)i - 3;
        for (size_t i = 0; i < m; i++) {
            got[i] = 0;
            for (size_t j = 0; j < m; j++)
                got[i] += a[i * m + j] * x[j];
        }
        spoil_upper(a, m);
        assert_true(dense_solve(a, m, got));
        for (size_t i = 0; i < m; i++)
            near(got[i], x[i], 1e-10);

        memcpy(a, copy, sizeof a);
        spoil_upper(a, m);
        assert_true(dense_invert(a, m));
        for (size_t i = 0; i < m; i++)
            for (size_t j = 0; j < m; j++) {
                double sum = 0;
                for (size_t k = 0; k < m; k++)
                    sum += a[i * m + k] * copy[k * m + j];
                near(sum, i == j, 1e-11);
                near(a[i * m + j], a[j * m + i], 0);
            }
    }
}

/* 4 2 / 2 3: 1/8 of 3 -2 / -2 4. */
static void by_hand(void **state)
{
    double a[] = {4, 2, 2, 3}, x[] = {8, 8};

    (void)state;
    assert_true(dense_solve(a, 2, x));
    near(x[0], 1, 1e-15);
    near(x[1], 2, 1e-15);
    memcpy(a, (double[]){4, 2, 2, 3}, sizeof a);
    assert_true(dense_invert(a, 2));
    near(a[0], 0.375, 1e-15);
    near(a[1], -0.25, 1e-15);
    near(a[2], -0.25, 1e-15);
    near(a[3], 0.5, 1e-15);
}

static void what_cannot_be_solved(void **state)
{
    static const double all[][4] = {
        {0, 0, 0, 0},   {1, 1, 1, 1},           {1, 2, 2, 1},
        {-1, 0, 0, -1}, {(double)NAN, 0, 0, 1}, {1, (double)INFINITY, 0, 1},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(all); i++) {
        double a[4], x[2] = {1, 1};
        memcpy(a, all[i], sizeof a);
        assert_false(dense_solve(a, 2, x));
        memcpy(a, all[i], sizeof a);
        assert_false(dense_invert(a, 2));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(random_systems),
        cmocka_unit_test(what_cannot_be_solved),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
