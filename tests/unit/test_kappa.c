/* Kappas and correlations against published tables: Fleiss 1971, Cohen 1968, the SAS manual, the
 * `anxiety` data of R's irr, Gwet's paradox; others computed independently. */
/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include "math/correlate.h"
#include "math/kappa.h"
#include "unit/near.h"

enum { LEVELS = 6, CELLS = 400 };

static const double scale[LEVELS] = {1, 2, 3, 4, 5, 6};

static struct kappa table(const double *joint, size_t k, enum kappa_weights w)
{
    double loss[LEVELS * LEVELS];

    kappa_loss(scale, k, w, loss);
    return kappa_table(joint, loss, k);
}

static void two_raters(void **state)
{
    static const double plain[] = {20, 5, 10, 15}, sas[] = {0, 4, 1, 0, 8, 0, 0, 1, 5},
                        three[] = {20, 5, 2, 4, 15, 6, 1, 3, 14}, rare[] = {118, 5, 2, 0};
    struct kappa k = table(plain, 2, KAPPA_PLAIN);

    (void)state;
    assert_near(k.value, 0.4, 1e-12);
    assert_near(k.agreement, 0.7, 1e-12);
    k = table(sas, 3, KAPPA_PLAIN);
    assert_near(k.value, 0.4842, 5e-5);
    assert_near(k.se, 0.1380, 5e-5);
    k = table(sas, 3, KAPPA_LINEAR);
    assert_near(k.value, 0.4701, 5e-5);
    assert_near(k.se, 0.1457, 5e-5);
    assert_near(table(sas, 3, KAPPA_QUADRATIC).value, 0.4502, 5e-5);
    assert_near(table(three, 3, KAPPA_PLAIN).value, 0.5482483, 5e-8);
    assert_near(table(three, 3, KAPPA_QUADRATIC).value, 0.6711557, 5e-8);
    assert_near(table(rare, 2, KAPPA_PLAIN).value, -0.023392, 5e-7);
}

/* Cohen 1968, with weights that are no distances. */
static void weights_of_ones_own(void **state)
{
    static const double joint[] = {.44, .07, .09, .05, .20, .05, .01, .03, .06},
                        loss[] = {0, 1, 3, 1, 0, 6, 3, 6, 0};

    (void)state;
    assert_near(table(joint, 3, KAPPA_PLAIN).value, 0.491525, 5e-7);
    assert_near(kappa_table(joint, loss, 3).value, 0.347826, 5e-7);
}

static double digits(const char *x, const char *y, enum kappa_weights w)
{
    double a[20], b[20];

    for (size_t i = 0; i < 20; i++) {
        a[i] = x[i] - '0';
        b[i] = y[i] - '0';
    }
    return kappa_pairs(a, b, 20, w).value;
}

static void an_unused_level_keeps_its_gap(void **state)
{
    static const char first[] = "33345523522615221243", second[] = "36462424332333221334",
                      third[] = "21443216111233113322";

    (void)state;
    assert_near(digits(second, third, KAPPA_PLAIN), -0.0062893, 5e-8);
    assert_near(digits(second, third, KAPPA_LINEAR), 0.1262136, 5e-8);
    assert_near(digits(second, third, KAPPA_QUADRATIC), 0.2297980, 5e-8);
    assert_near(digits(first, second, KAPPA_PLAIN), 0.1194969, 5e-8);
    assert_near(digits(first, second, KAPPA_LINEAR), 0.1891892, 5e-8);
    assert_near(digits(first, second, KAPPA_QUADRATIC), 0.2967651, 5e-8);
}

/* R drops the level and moves the others together: so it can be had, by numbering levels. */
static void a_level_that_is_dropped(void **state)
{
    (void)state;
    assert_near(digits("35452424332333221334", "21443215111233113322", KAPPA_LINEAR), 0.1459075,
                5e-8);
    assert_near(digits("35452424332333221334", "21443215111233113322", KAPPA_QUADRATIC), 0.2520325,
                5e-8);
}

/* Rows of digits, a unit each: categories 0 to 9. */
static struct kappa_many ratings(const char *const *rows, size_t n)
{
    struct cell v[CELLS];
    struct cells c = {v, 0, n, 0};
    struct arena *a = arena_new();
    struct kappa_many out;
    double *levels;
    size_t k;

    for (uint32_t u = 0; u < n; u++)
        for (uint32_t r = 0; rows[u][r]; r++)
            v[c.n++] = (struct cell){u, r, rows[u][r] - '0'};
    c = cell_coded(a, &c, &levels, &k);
    out = kappa_many(&c, k);
    arena_free(a);
    return out;
}

static void fleiss_1971(void **state)
{
    static const char *const rows[] = {"444444", "222555", "233335", "555555", "222444", "113333",
                                       "333355", "113334", "114444", "555555", "144444", "124444",
                                       "222333", "144444", "224445", "333335", "111455", "111112",
                                       "224444", "133555", "555555", "244444", "224555", "114444",
                                       "144445", "222224", "111155", "224444", "133333", "555555"};
    struct kappa_many k = ratings(rows, COUNT(rows));

    (void)state;
    assert_near(k.agreement, 0.555556, 5e-7);
    assert_near(k.fleiss, 0.4302445, 5e-8);
}

static void fourteen_raters(void **state)
{
    static const char *const rows[] = {
        "55555555555555", "22333333444455", "33344444555555", "22233333333344", "11223333333345",
        "11111112222222", "11122333333444", "11222223334455", "11111122222334", "22334445555555"};
    struct kappa_many k = ratings(rows, COUNT(rows));

    (void)state;
    assert_near(k.agreement, 0.378022, 5e-7);
    assert_near(k.fleiss, 0.209931, 5e-7);
}

/* Nearly everybody agrees that nearly nothing is bad. */
static void the_paradox(void **state)
{
    const char *rows[125];
    struct kappa_many k;

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        rows[i] = i < 118 ? "00" : i < 123 ? "01" : "10";
    k = ratings(rows, COUNT(rows));
    assert_near(k.agreement, 0.944, 1e-12);
    assert_near(k.ac1, 0.940776, 5e-7);
    assert_near(k.even, 0.888, 1e-12);
}

static void holes_and_nothing(void **state)
{
    static const char *const uneven[] = {"112", "22", "1"}, *const same[] = {"11", "11"},
                             *const lone[] = {"1", "2"};
    struct kappa_many k = ratings(uneven, 3);

    (void)state;
    /* By hand: units of 2 and more agree 1/3 and 1; shares of category 1 are 2/3, 0 and 1. */
    assert_near(k.agreement, 2.0 / 3, 1e-12);
    assert_near(k.ac1, (2.0 / 3 - 2 * (5.0 / 9) * (4.0 / 9)) / (1 - 2 * (5.0 / 9) * (4.0 / 9)),
                1e-12);
    assert_true(isnan(k.fleiss));
    k = ratings(same, 2);
    assert_near(k.agreement, 1, 0);
    assert_true(isnan(k.fleiss) && isnan(k.ac1) && isnan(k.even));
    k = ratings(lone, 2);
    assert_true(isnan(k.agreement));
    assert_true(isnan(kappa_pairs(NULL, NULL, 0, KAPPA_PLAIN).value));
    assert_true(isnan(digits("33333333333333333333", "33333333333333333333", KAPPA_LINEAR)));
}

static void correlations(void **state)
{
    static const double x[] = {9, 7, 7, 5, 8, 3, 6, 2}, y[] = {8, 6, 7, 6, 9, 2, 4, 3};
    static const double flat[] = {1, 1, 1, 1, 1, 1, 1, 1};
    struct arena *a = arena_new();

    (void)state;
    assert_near(correlate_pearson(x, y, 8), 0.8852610, 5e-8);
    assert_near(correlate_spearman(a, x, y, 8), 0.8975904, 5e-8);
    assert_near(correlate_tau(x, y, 8), 0.7407407, 5e-8);
    assert_true(isnan(correlate_pearson(x, flat, 8)));
    assert_true(isnan(correlate_tau(x, flat, 8)));
    arena_free(a);
}

/* Shrout and Fleiss's table: rank sums 17 6 19 7.5 23.5 11. */
static void concordance(void **state)
{
    static const double targets[6][4] = {{9, 2, 5, 8}, {6, 1, 3, 2},  {8, 4, 6, 8},
                                         {7, 1, 2, 6}, {10, 5, 6, 9}, {6, 2, 4, 7}};
    struct cell v[24];
    struct cells c = {v, 24, 6, 4};

    (void)state;
    for (uint32_t i = 0; i < 24; i++)
        v[i] = (struct cell){i / 4, i % 4, targets[i / 4][i % 4]};
    assert_near(correlate_concordance(&c), 0.887037, 5e-7);
    c.n = 23;
    assert_true(isnan(correlate_concordance(&c)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_raters),
        cmocka_unit_test(weights_of_ones_own),
        cmocka_unit_test(an_unused_level_keeps_its_gap),
        cmocka_unit_test(a_level_that_is_dropped),
        cmocka_unit_test(fleiss_1971),
        cmocka_unit_test(fourteen_raters),
        cmocka_unit_test(the_paradox),
        cmocka_unit_test(holes_and_nothing),
        cmocka_unit_test(correlations),
        cmocka_unit_test(concordance),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
