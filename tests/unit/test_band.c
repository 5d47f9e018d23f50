/* The rounding of bands, by the table of the method and against an independent rule. */
/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <math.h>

#include "math/band.h"

/* Every sum of four marks from 1 to 5, written out by hand. */
static const struct {
    int sum;
    double band;
} table[] = {
    {4, 1.0},  {5, 1.5},  {6, 1.5},  {7, 2.0},  {8, 2.0},  {9, 2.5},
    {10, 2.5}, {11, 3.0}, {12, 3.0}, {13, 3.5}, {14, 3.5}, {15, 4.0},
    {16, 4.0}, {17, 4.5}, {18, 4.5}, {19, 5.0}, {20, 5.0},
};

static void every_sum_has_its_band(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(table); i++) {
        assert_int_equal(table[i].sum, 4 + (int)i);
        assert_true(band_of_sum(table[i].sum) == table[i].band);
        assert_true(band_of_mean(table[i].sum / 4.0) == table[i].band);
    }
}

static void the_published_examples_come_out(void **state)
{
    (void)state;
    assert_true(band_of_mean(4.25) == 4.5);
    assert_true(band_of_mean(4.75) == 5.0);
    assert_true(band_of_mean(4.1) == 4.0);
    assert_true(band_of_mean(4.6) == 4.5);
}

/* Judges j, each with four marks: their means are added one by one, as scoring does it, and the
 * band must be that of the exact fraction total / (4 j). */
static void thirds_and_sevenths_do_not_move_ties(void **state)
{
    (void)state;
    for (int judges = 1; judges <= 12; judges++)
        for (int total = 4 * judges; total <= 20 * judges; total++) {
            int halves = (4 * total + 4 * judges) / (8 * judges);
            double sum = 0;
            for (int j = 0; j < judges; j++) /* as even a share of the total as there is */
                sum += (total / judges + (j < total % judges)) / 4.0;
            assert_true(band_of_mean(sum / judges) == halves / 2.0);
        }
}

static void bands_never_fall(void **state)
{
    double before = 0;

    (void)state;
    for (int i = 0; i <= 4000; i++) {
        double mean = 1 + i / 1000.0, band = band_of_mean(mean);
        assert_true(band >= before && fabs(band - mean) <= 0.25 + 1e-9);
        before = band;
    }
    assert_true(isnan(band_of_mean(NAN)));
    assert_true(band_of_mean(0) == 0); /* what a rule has set to nothing stays nothing */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_sum_has_its_band),
        cmocka_unit_test(the_published_examples_come_out),
        cmocka_unit_test(thirds_and_sevenths_do_not_move_ties),
        cmocka_unit_test(bands_never_fall),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
