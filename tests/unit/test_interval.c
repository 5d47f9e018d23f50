/* Intervals against numbers that were computed independently (Python) when the methods were chosen
 * by simulation: docs/STATISTICS.md says which is which, docs/COVERAGE.md how often they cover. */
/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include "math/accord.h"
#include "math/bt.h"
#include "math/crossed.h"
#include "math/dist.h"
#include "math/ppi.h"
#include "unit/near.h"

#define TOLERANCE 6e-7

static struct interval mean_of(const double *x, size_t n, struct interval_scale scale)
{
    struct interval_cluster c[100];

    for (size_t i = 0; i < n; i++)
        c[i] = (struct interval_cluster){x[i], 1};
    return interval_of_means(c, n, scale, 0.95);
}

static void assert_interval(struct interval i, double low, double high)
{
    assert_near(i.low, low, TOLERANCE);
    assert_near(i.high, high, TOLERANCE);
}

/* ---- means of bounded marks ---- */

static void method_m(void **state)
{
    static const double nine[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 0};
    static const double eight[] = {1, .75, .75, 1, .5, 1, 1, .25};
    double thirty[30];
    struct interval i;

    (void)state;
    for (size_t k = 0; k < 30; k++)
        thirty[k] = k < 28 ? 1 : k == 28 ? .5 : 0;
    assert_interval(mean_of(nine, 10, interval_share), .543690, .994871);
    assert_interval(mean_of(eight, 8, interval_share), .470108, .934968);
    assert_interval(mean_of(thirty, 30, interval_share), .800886, .991116);
    /* In other units the same. */
    for (size_t k = 0; k < 30; k++)
        thirty[k] = 1 + 4 * thirty[k];
    i = mean_of(thirty, 30, (struct interval_scale){1, 5});
    assert_interval((struct interval){.low = (i.low - 1) / 4, .high = (i.high - 1) / 4}, .800886,
                    .991116);
    assert_int_equal(i.why, INTERVAL_WIDE);
    /* What sums leave in the last bits is no mark below the highest. */
    for (size_t k = 0; k < 9; k++)
        thirty[k] = k % 2 ? 1 : 1 - 1e-15;
    thirty[9] = 0;
    assert_interval(mean_of(thirty, 10, interval_share), .543690, .994871);
}

/* Three of a hundred: as many are seen with 5 % where .8176914472 are to be expected. */
static void few_leave_an_end(void **state)
{
    struct interval_cluster c[100];

    (void)state;
    for (size_t k = 0; k < 100; k++)
        c[k] = (struct interval_cluster){k >= 3, 1};
    assert_near(interval_of_means(c, 100, interval_share, .95).high, 1 - .8176914472 / 100, 1e-10);
    assert_near(interval_of_means(c, 100, interval_share, 1 - .05 / 3).high, 1 - .5288106398 / 100,
                1e-10);
    for (size_t k = 0; k < 100; k++)
        c[k].sum = k < 3;
    assert_near(interval_of_means(c, 100, interval_share, .95).low, .8176914472 / 100, 1e-10);
}

/* Numbers of things in a dialogue: bounds by another program. */
static void counts(void **state)
{
    static const double some[] = {0, 1, 0, 3, 0, 0, 2, 1, 0, 0, 5, 0}, none[10] = {0},
                        one[] = {0, 0, 0, 0, 2, 0, 0, 0, 0, 0}, same[] = {2, 2, 2, 2, 2, 2};
    struct interval i = mean_of(some, 12, interval_counts);

    (void)state;
    assert_interval(i, 0.346638, 2.884856);
    assert_int_equal(i.why, INTERVAL_WIDE);
    i = mean_of(none, 10, interval_counts);
    assert_interval(i, 0, 0.511736);
    assert_int_equal(i.why, INTERVAL_ALIKE);
    i = mean_of(one, 10, interval_counts);
    assert_interval(i, 0.010259, 2.132515);
    i = mean_of(same, 6, interval_counts);
    assert_interval(i, 0.967669, 4.133647);
    assert_int_equal(mean_of(same, 4, interval_counts).why, INTERVAL_FEW_UNITS);
}

/* Turned round, the interval is turned round. */
static void both_ends_are_alike(void **state)
{
    static const double x[] = {1, .75, .75, 1, .5, 1, 1, .25},
                        y[] = {0, .25, .25, 0, .5, 0, 0, .75};
    struct interval one = mean_of(x, 8, interval_share), other = mean_of(y, 8, interval_share);

    (void)state;
    assert_near(one.low, 1 - other.high, 1e-12);
    assert_near(one.high, 1 - other.low, 1e-12);
}

static void few_or_all_alike(void **state)
{
    static const double x[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, y[] = {3, 3, 3, 3, 3, 3};
    struct interval i = mean_of(x, 4, interval_share);

    (void)state;
    assert_true(isnan(i.low) && isnan(i.high) && i.value == 1);
    assert_int_equal(i.why, INTERVAL_FEW_UNITS);
    i = mean_of(x, 10, interval_share);
    assert_true(i.low > 0.5 && i.low < 0.9 && i.high == 1);
    assert_int_equal(i.why, INTERVAL_ALIKE);
    i = mean_of(y, 6, (struct interval_scale){1, 5}); /* in the middle of a scale */
    assert_true(i.low < 3 && i.high > 3);
    i = mean_of(y, 6, interval_unbounded);
    assert_true(isnan(i.low));
    assert_int_equal(i.why, INTERVAL_NO_SPREAD);
}

/* At three planned looks each gets a third of the 5 %. */
static void three_looks(void **state)
{
    static const double nine[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 0};
    struct interval_cluster c[10];
    struct interval i;
    double q = dist_t_quantile(1 - .025 / 3, 9), n = 10, d = 1 + q * q / n;

    (void)state;
    for (size_t k = 0; k < 10; k++)
        c[k] = (struct interval_cluster){nine[k], 1};
    i = interval_of_means(c, 10, interval_share, 1 - .05 / 3);
    assert_near(i.low, (.9 + q * q / (2 * n)) / d - q * sqrt(.09 / n + q * q / (4 * n * n)) / d,
                1e-12);
    assert_near(i.high, 1 - .0168071183 * .1, 1e-10);
}

/* ---- rates whose trials share items ---- */

static struct interval rate_of(const double *y, const size_t *m, size_t n)
{
    struct interval_cluster c[20];

    for (size_t i = 0; i < n; i++)
        c[i] = (struct interval_cluster){y[i], m[i]};
    return interval_of_ratio(c, n, interval_share, 0.95);
}

static void method_m_by_cluster(void **state)
{
    static const size_t sixes[] = {6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6};
    static const size_t some[] = {1, 4, 6, 3, 2, 3, 6, 6};
    static const double y[] = {6, 6, 5, 6, 3, 6, 6, 6, 4, 6}, z[] = {1, 4, 6, 2, 0, 3, 5, 6},
                        all[] = {6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6};

    (void)state;
    assert_interval(rate_of(y, sixes, 10), .659992, .976597);
    assert_interval(rate_of(z, some, 8), .546177, .974265);
    assert_interval(rate_of(all, sixes, 12), .712406, 1);
}

/* Trials that stand alone are clusters of one. */
static void shares(void **state)
{
    struct interval_cluster c[40];

    (void)state;
    for (size_t k = 0; k <= 40; k++) {
        struct interval one, other = interval_of_share(k, 40, 0.95);
        for (size_t i = 0; i < 40; i++)
            c[i] = (struct interval_cluster){i < k, 1};
        one = interval_of_ratio(c, 40, interval_share, 0.95);
        assert_near(one.low, other.low, 1e-12);
        assert_near(one.high, other.high, 1e-12);
        assert_int_equal(one.why, other.why);
    }
}

/* ---- paired differences ---- */

static struct interval difference_of(const double *d, size_t n)
{
    struct interval_cluster a[20], b[20];

    for (size_t i = 0; i < n; i++) {
        a[i] = (struct interval_cluster){d[i], 1};
        b[i] = (struct interval_cluster){0, 1};
    }
    return interval_of_difference(a, b, n, interval_share, 0.95);
}

static void differences(void **state)
{
    static const double none[10] = {0}, few[] = {0, 0, 0, 0, 0, 0, 0, .5, -1, -1.0 / 3},
                        many[] = {0, .25, -.25, .5, 0, -.5, .25, -.75, 0, .25},
                        better[] = {.4, .4, .4, .4, .4, .2, .25, .3},
                        two[] = {.25, 0, 0, .125, .125}, turned[] = {-.25, 0, 0, -.125, -.125};
    double sums[10]; /* the same marks, added up in another order */

    (void)state;
    for (size_t k = 0; k < 10; k++)
        sums[k] = k % 2 ? .1 + .2 - .3 : .3 - (.1 + .2);
    assert_interval(difference_of(none, 10), -.338509, .338509);
    assert_interval(difference_of(sums, 10), -.338509, .338509);
    assert_interval(difference_of(few, 10), -.450863, .298863);
    /* the same sign everywhere, and marks that repeat */
    assert_true(difference_of(better, 8).low > 0);
    assert_interval(difference_of(many, 10), -.297530, .247530);
    /* two values as often as each other: turned round, the interval is its mirror */
    assert_interval(difference_of(two, 5), -.510881, .303696);
    assert_interval(difference_of(turned, 5), -.303696, .510881);
}

/* ---- agreement of few units ---- */

static void few_units_are_said(void **state)
{
    struct jackknife j = {.value = .5, .by_unit = .1, .units = 9, .raters = 2};

    (void)state;
    assert_int_equal(jackknife_interval(&j, JACKKNIFE_THESE, .95).why, INTERVAL_SHORT);
    j.units = 10;
    assert_int_equal(jackknife_interval(&j, JACKKNIFE_THESE, .95).why, INTERVAL_FINE);
    j.units = 4;
    assert_true(isnan(jackknife_interval(&j, JACKKNIFE_THESE, .95).low));
}

/* ---- raters and passages ---- */

/* Lines are raters, characters passages; '.': not rated. */
static struct cells crossing(struct cell *v, const char *const *lines, size_t raters)
{
    struct cells c = {v, 0, strlen(lines[0]), raters};

    for (uint32_t u = 0; u < c.units; u++)
        for (uint32_t r = 0; r < raters; r++)
            if (lines[r][u] != '.')
                v[c.n++] = (struct cell){u, r, lines[r][u] - '0'};
    return c;
}

static void assert_crossed(const struct cells *c, double mean, double by_rater, double by_unit,
                           double half)
{
    struct crossed x = crossed_of(c, interval_unbounded, 0.95);

    assert_near(x.mean, mean, TOLERANCE);
    assert_near(x.by_rater, by_rater, TOLERANCE);
    assert_near(x.by_unit, by_unit, TOLERANCE);
    assert_near(crossed_half(x.by_rater, x.raters, x.by_unit, x.units, 0.95), half, TOLERANCE);
}

static void the_crossed_jackknife(void **state)
{
    static const char *const whole[] = {"3425", "2413", "3524"};
    static const char *const holes[] = {"34253", "2.1..", ".5.44", "3...3"};
    static const struct cell less[] = {{0, 0, 1}, {0, 2, 0}, {1, 0, -1}, {1, 1, 0}, {1, 2, 0},
                                       {2, 0, 0}, {2, 1, 1}, {3, 1, 2},  {3, 2, 1}};
    struct cell v[40];
    struct cells c = crossing(v, whole, 3);

    (void)state;
    assert_crossed(&c, 3.166667, .111111, .379630, 2.429373);
    c = crossing(v, holes, 4);
    assert_crossed(&c, 3.058333, .347847, .232338, 2.305210);
    assert_crossed(&(struct cells){less, COUNT(less), 4, 3}, .444444, .086420, .182020, 1.855631);
}

static void whose_marks(void **state)
{
    static const char *const one[] = {"3425413"}, *const two[] = {"3425413", "2415313"},
                             *const single[] = {"3", "2", "4"},
                             *const few[] = {"111", "111", "111"},
                             *const same[] = {"11111", "11111", "11111"};
    const struct interval_scale scale = {1, 5};
    struct cell v[40];
    struct cells c = crossing(v, one, 1);
    struct crossed x = crossed_of(&c, scale, 0.95);

    (void)state;
    assert_int_equal(crossed_interval(&x, 0.95).why, INTERVAL_ONE_RATER);
    assert_true(isnan(crossed_p(&x)));
    c = crossing(v, two, 2);
    x = crossed_of(&c, scale, 0.95);
    assert_int_equal(crossed_interval(&x, 0.95).why, INTERVAL_TWO_RATERS);
    c = crossing(v, single, 3);
    x = crossed_of(&c, scale, 0.95);
    assert_int_equal(crossed_interval(&x, 0.95).why, INTERVAL_ONE_UNIT);
    assert_true(isnan(crossed_interval(&x, 0.95).low));
    c = crossing(v, few, 3);
    x = crossed_of(&c, scale, 0.95);
    assert_int_equal(crossed_interval(&x, 0.95).why,
                     INTERVAL_NO_SPREAD); /* ninths add up to more */
    c = crossing(v, same, 3);
    x = crossed_of(&c, scale, 0.95);
    assert_int_equal(crossed_interval(&x, 0.95).why, INTERVAL_ALIKE);
    assert_true(crossed_interval(&x, 0.95).high > 1.5);
    x = crossed_of_differences(&c, scale, 0.95);
    assert_near(crossed_p(&x), .25, 1e-12); /* three signs */
}

/* The p-value is where the interval of that level ends at 0. */
static void p_belongs_to_the_interval(void **state)
{
    static const char *const lines[] = {"342541", "241342", "352443"};
    struct cell v[40];
    struct cells c = crossing(v, lines, 3);
    struct crossed x;
    double p;

    (void)state;
    for (size_t i = 0; i < c.n; i++)
        v[i].value -= 1.5;
    x = crossed_of(&c, interval_unbounded, 0.95);
    p = crossed_p(&x);
    assert_true(p > 0.001 && p < 0.5);
    assert_near(crossed_half(x.by_rater, 3, x.by_unit, 6, 1 - p), fabs(x.mean), 1e-9);
    /* few raters and many passages, from nearly no difference to one beyond doubt */
    for (double mean = 1e-3; mean < 300; mean *= 3) {
        x = (struct crossed){
            .mean = mean, .by_rater = .01, .by_unit = 1, .raters = 3, .units = 300};
        p = crossed_p(&x);
        assert_true(p > 1e-8 && p < 1);
        assert_near(crossed_half(.01, 3, 1, 300, 1 - p), mean, 1e-6 * mean);
    }
    x.mean = 1e9; /* as sure as numbers can say */
    assert_true(crossed_p(&x) > 0 && crossed_p(&x) < 1e-15);
}

/* ---- people and machines ---- */

static void assert_ppi(const char *const *lines, double value, double lambda, double by_item,
                       double by_rater, double half)
{
    static const double machine[] = {3.1, 4.2, 2.5, 4.4, 3.0, 1.8, 2.9,
                                     3.6, 4.0, 2.2, 3.3, 1.9, 4.5, 3.1};
    struct cell v[40];
    struct cells c = crossing(v, lines, 3);
    struct ppi p;

    c.units = 14;
    p = ppi_mean(&(struct ppi_data){c, machine}, interval_unbounded, 0.95);
    assert_near(p.mean.value, value, TOLERANCE);
    assert_near(p.lambda, lambda, TOLERANCE);
    assert_near(p.by_item, by_item, TOLERANCE);
    assert_near(p.by_rater, by_rater, TOLERANCE);
    assert_near(p.mean.high - p.mean.value, half, TOLERANCE);
    assert_near(p.mean.value - p.mean.low, half, TOLERANCE);
}

static void ppi_with_raters(void **state)
{
    static const char *const whole[] = {"342531", "241331", "352442"};
    static const char *const masked[] = {"34.53.", "2.13.1", ".52.42"};
    static const char *const top[] = {"554555", "555554", "545555"};
    static const double machine[] = {5, 5, 4, 5, 5, 4.6, 5, 4.8, 5, 4.2, 5, 4.9, 5, 4.4};
    struct cell v[40];
    struct cells c;
    struct ppi p;

    (void)state;
    assert_ppi(whole, 2.894821, .837968, .126240, .086420, 1.560145);
    assert_ppi(masked, 2.932929, .841015, .145506, .194444, 2.135697);
    /* near the end of a scale no shorter than method M; t alone would begin at 4.637 */
    c = crossing(v, top, 3);
    c.units = COUNT(machine);
    p = ppi_mean(&(struct ppi_data){c, machine}, (struct interval_scale){1, 5}, 0.95);
    assert_near(p.mean.value, 4.814459, TOLERANCE);
    assert_interval(p.mean, 4.570977, 4.991898);
}

/* ---- agreement ---- */

enum { UNITS = 10 };
static const char *const units[UNITS] = {"001", "111", "223", "33.", "121",
                                         "010", ".32", "323", "000", "101"};

static struct cells by_unit(struct cell *v, const char *const *lines, size_t n, size_t raters)
{
    struct cells c = {v, 0, n, raters};

    for (uint32_t u = 0; u < n; u++)
        for (uint32_t r = 0; r < raters; r++)
            if (lines[u][r] != '.')
                v[c.n++] = (struct cell){u, r, lines[u][r] - '0'};
    return c;
}

static double alpha(const struct cells *c, void *user)
{
    const enum agree_level *level = user;

    return agree_alpha(c, *level);
}

static void assert_jackknife(const struct jackknife *j, const double want[5])
{
    struct interval i = jackknife_interval(j, JACKKNIFE_THESE, 0.95);

    assert_near(j->value, want[0], TOLERANCE);
    assert_near(j->by_unit, want[1], TOLERANCE);
    assert_interval(i, want[2], want[3]);
    assert_near(j->by_rater, want[4], TOLERANCE);
}

/* ICC(2,1) of what is not complete. */
static double of_components(const struct cells *c, void *unused)
{
    struct icc_parts v;

    (void)unused;
    return icc_components(c, &v) ? v.unit / (v.unit + fmax(0, v.rater) + v.error) : (double)NAN;
}

static void agreement(void **state)
{
    static const double nominal[] = {.346021, .023864, .011461, .610909, .203552},
                        ordinal[] = {.797486, .031554, .597872, .903968, .092073},
                        interval[] = {.802094, .030492, .610325, .905053, .139528},
                        icc[] = {.793710, .023175, .627332, .890793, .126031};
    enum agree_level level = AGREE_NOMINAL;
    struct cell v[30];
    struct cells c = by_unit(v, units, UNITS, 3);
    struct jackknife j = jackknife_of(&c, alpha, &level);

    (void)state;
    assert_jackknife(&j, nominal);
    assert_interval(jackknife_interval(&j, JACKKNIFE_NEW, 0.95), -.923382, .981368);
    level = AGREE_ORDINAL;
    j = jackknife_of(&c, alpha, &level);
    assert_jackknife(&j, ordinal);
    level = AGREE_INTERVAL;
    j = jackknife_of(&c, alpha, &level);
    assert_jackknife(&j, interval);
    j = jackknife_of(&c, of_components, NULL);
    assert_jackknife(&j, icc);
}

static void agreement_of_accord(void **state)
{
    static const char *const pairs[UNITS] = {"00", "11", "22", "33", "12",
                                             "01", "23", "32", "00", "10"};
    struct accord_how how = {AGREE_NOMINAL, JACKKNIFE_THESE};
    struct cell v[30];
    struct cells c = by_unit(v, units, UNITS, 3);
    struct accord a = accord_of(&c, &how);

    (void)state;
    /* With the shares of all marks it is .337091, -.034819 to .626994; Gwet has means over units.
     */
    assert_near(a.ac1.value, .337091, 2e-3);
    assert_near(a.ac1.low, -.034819, 4e-3);
    assert_near(a.ac1.high, .626994, 4e-3);
    c = by_unit(v, pairs, UNITS, 2);
    a = accord_of(&c, &how);
    assert_near(a.kappa[KAPPA_PLAIN].value, .333333, TOLERANCE);
    assert_interval(a.kappa[KAPPA_PLAIN], -.245618, .737005);
}

/* Without a rater units still have equally many values, without a part of the raters perhaps not:
 * Fleiss' kappa for new raters has an interval all the same. */
static void fleiss_for_new_raters(void **state)
{
    static const char *const marks[12] = {"00100", "11111", "22122", "00002", "10111", "22220",
                                          "00000", "11210", "22222", "01000", "11121", "20222"};
    struct cell v[60];
    struct cells c = by_unit(v, marks, 12, 5);
    struct accord a = accord_of(&c, &(struct accord_how){AGREE_NOMINAL, JACKKNIFE_NEW});

    (void)state;
    assert_near(a.fleiss.value, .512093, TOLERANCE);
    assert_interval(a.fleiss, -.041605, .825154);
    c = by_unit(v, (const char *const[]){"0010.", "11111", "22122", "00002", "10111", "22220"}, 6,
                5);
    a = accord_of(&c, &(struct accord_how){AGREE_NOMINAL, JACKKNIFE_NEW});
    assert_true(isnan(a.fleiss.value));
}

/* Perfect agreement on ten units is not 1.000 to 1.000. */
static void perfect_agreement(void **state)
{
    static const char *const same[UNITS] = {"00", "11", "00", "11", "00",
                                            "11", "00", "11", "00", "11"};
    static const char *const rare[UNITS] = {"00", "00", "00", "01", "00",
                                            "00", "00", "11", "00", "10"};
    struct accord_how how = {AGREE_NOMINAL, JACKKNIFE_THESE};
    struct cell v[30];
    struct cells c = by_unit(v, same, UNITS, 2);
    struct accord a = accord_of(&c, &how);

    (void)state;
    assert_near(jackknife_unseen(0, 10), .258866, TOLERANCE);
    assert_near(a.alpha.low, .508155, TOLERANCE);
    assert_int_equal(a.alpha.why, INTERVAL_ONE_SIDED);
    assert_int_equal(a.kappa[KAPPA_PLAIN].why, INTERVAL_PERFECT);
    how.level = AGREE_ORDINAL;
    a = accord_of(&c, &how);
    assert_int_equal(a.alpha.why, INTERVAL_PERFECT);
    assert_true(isnan(a.alpha.low) && isnan(a.icc.single[ICC_2].low));
    c = by_unit(v, rare, UNITS, 2);
    a = accord_of(&c, &how);
    assert_int_equal(a.alpha.why, INTERVAL_LOPSIDED);
    assert_true(isnan(a.alpha.low) && !isnan(a.ac1.low));
}

/* ---- ratings ---- */

static void assert_rated(const struct duel *v, size_t n, size_t models, size_t items,
                         const double *theta, const double *half)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct bt_table t = bt_gather(a, v, n, models, BT_HALF);
    uint32_t *of = NEW_N(a, uint32_t, n);
    struct bt_spread s;
    struct bt_fit f;
    struct err e = {0};

    for (size_t i = 0; i < n; i++)
        of[i] = v[i].cluster;
    assert_int_equal(bt_fit(a, &t, BT_HALF, bt_weak_ridge(models), &f, &e), OK);
    assert_int_equal(bt_jackknife(a, &t, &f, &(struct bt_groups){v, of, n, items}, &s, &e), OK);
    assert_int_equal(s.groups, items);
    for (size_t i = 0; i < models; i++) {
        assert_near(f.theta[i], theta[i], TOLERANCE);
        assert_near(dist_t_quantile(.975, (double)items - 1) * sqrt(s.cov[i * models + i]), half[i],
                    TOLERANCE);
    }
}

static void bradley_terry_by_item(void **state)
{
    static const int wins[] = {3, 2, 3, 1, 2, 0, 3};
    static const char *const winners[] = {"001", "101", "021", "002", "001", "121", "001"};
    static const double two[] = {.658094 / 2, -.658094 / 2},
                        half_two[] = {1.552142 / 2, 1.552142 / 2},
                        three[] = {.636164, .214497, -.850661},
                        half_three[] = {1.302935, .980886, 1.012196};
    static const uint32_t first[] = {0, 0, 1}, second[] = {1, 2, 2};
    struct duel v[21];

    (void)state;
    for (uint32_t i = 0; i < 21; i++)
        v[i] = (struct duel){0, 1, i / 3, (int)(i % 3) < wins[i / 3] ? DUEL_WON : DUEL_LOST, 1};
    assert_rated(v, 21, 2, 7, two, half_two);
    for (uint32_t i = 0; i < 21; i++) {
        uint32_t pair = i % 3, winner = (uint32_t)(winners[i / 3][pair] - '0');
        v[i] = (struct duel){first[pair], second[pair], i / 3,
                             winner == first[pair] ? DUEL_WON : DUEL_LOST, 1};
    }
    assert_rated(v, 21, 3, 7, three, half_three);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(method_m),
        cmocka_unit_test(few_leave_an_end),
        cmocka_unit_test(few_units_are_said),
        cmocka_unit_test(counts),
        cmocka_unit_test(both_ends_are_alike),
        cmocka_unit_test(few_or_all_alike),
        cmocka_unit_test(three_looks),
        cmocka_unit_test(method_m_by_cluster),
        cmocka_unit_test(shares),
        cmocka_unit_test(differences),
        cmocka_unit_test(the_crossed_jackknife),
        cmocka_unit_test(whose_marks),
        cmocka_unit_test(p_belongs_to_the_interval),
        cmocka_unit_test(ppi_with_raters),
        cmocka_unit_test(agreement),
        cmocka_unit_test(agreement_of_accord),
        cmocka_unit_test(fleiss_for_new_raters),
        cmocka_unit_test(perfect_agreement),
        cmocka_unit_test(bradley_terry_by_item),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
