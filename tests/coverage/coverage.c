/* How often do the intervals that are printed hold the truth? Sets of data are drawn from worlds
 * whose truth is known, and every method of src/math is asked. Writes docs/COVERAGE.md.
 *
 *     coverage [--sets N] [--quick] [--only KIND]     a table on standard output
 *
 * With --quick few sets are drawn, and a cell that leaves its band by more than chance allows makes
 * it fail: at least 93 %, and at most 98.5 % unless the program says a caution in that regime. Sets
 * of a cell depend on the seed and on the cell alone, however many threads there are. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cover.h"
#include "eval/rating.h"
#include "math/accord.h"
#include "math/bt.h"
#include "math/combine.h"
#include "math/correlate.h"
#include "math/crossed.h"
#include "math/pairing.h"
#include "math/ppi.h"
#include "math/survive.h"

enum { CHOSEN = 400, STEPS = 400 };

struct result {
    const struct regime *cell;
    struct tally t;
};

void cover_count(struct tally *t, struct interval i, double truth)
{
    if (isnan(i.low) || isnan(i.high)) {
        t->refused++;
        return;
    }
    t->given++;
    t->held += i.low - 1e-12 <= truth && truth <= i.high + 1e-12;
    t->cautions += i.why != INTERVAL_FINE;
    t->width += i.high - i.low;
}

double cover_normal(struct rng *r)
{
    return dist_normal_quantile(fmax(rng_unit(r), 1e-16));
}

/* ---- means, rates, differences of bounded marks ---- */

enum { BINARY, LEVELS3, LIKERT, SMOOTH };

/* A mark in [0, 1] of an item whose quality is q, a uniform number; a is the chance of full marks.
 */
static double mark(int form, double a, double q, struct rng *r)
{
    double u = rng_unit(r);

    switch (form) {
    case BINARY:
        return u < a;
    case LEVELS3:
        return u < a ? 1 : u < a + (1 - a) * 0.7 ? 0.5 : 0;
    case LIKERT: /* one to five, mostly four */
        return floor(
                   fmin(4.999, fmax(0, 3.2 + 0.9 * (q - 0.5) * 3 + 0.8 * cover_normal(r) + 0.5))) /
               4;
    default:
        return fmin(1, fmax(0, a + 0.15 * cover_normal(r)));
    }
}

static double true_mark(const struct regime *c)
{
    struct rng r = rng_keyed(7, c->regime, NULL, 0);
    size_t n = cover_world(2000000);
    double sum = 0;

    if (c->form == BINARY)
        return c->a;
    if (c->form == LEVELS3)
        return c->a + (1 - c->a) * 0.7 * 0.5;
    for (size_t i = 0; i < n; i++)
        sum += mark(c->form, c->a, rng_unit(&r), &r);
    return sum / (double)n;
}

static void draw_mean(const struct regime *c, struct rng *r, double truth, struct tally *t)
{
    struct interval_cluster v[ITEMS_MOST];

    for (int i = 0; i < c->n; i++) {
        double q = rng_unit(r);
        v[i] = (struct interval_cluster){mark(c->form, c->a, q, r), 1};
    }
    cover_count(t, interval_of_means(v, (size_t)c->n, interval_share, LEVEL), truth);
}

/* Trials that share items: each item has a chance of its own, 1 with chance b, else what makes the
 * mean a. */
static void draw_rate(const struct regime *c, struct rng *r, double truth, struct tally *t)
{
    struct interval_cluster v[ITEMS_MOST];

    for (int i = 0; i < c->n; i++) {
        double p = rng_unit(r) < c->b ? 1 : (c->a - c->b) / (1 - c->b);
        v[i] = (struct interval_cluster){0, (size_t)c->form};
        if (c->raters) /* some items have fewer trials */
            v[i].n = 1 + (size_t)rng_below(r, (uint64_t)c->form);
        for (size_t k = 0; k < v[i].n; k++)
            v[i].sum += rng_unit(r) < p;
    }
    cover_count(t, interval_of_ratio(v, (size_t)c->n, interval_share, LEVEL), truth);
}

static void draw_difference(const struct regime *c, struct rng *r, double truth, struct tally *t)
{
    struct interval_cluster x[ITEMS_MOST], y[ITEMS_MOST];

    for (int i = 0; i < c->n; i++) {
        double q = rng_unit(r);
        bool same = rng_unit(r) < c->b; /* items that both answer alike */
        x[i] = (struct interval_cluster){mark(c->form, c->a, q, r), 1};
        y[i] = same ? x[i] : (struct interval_cluster){mark(c->form, c->a, q, r), 1};
    }
    cover_count(t, interval_of_difference(x, y, (size_t)c->n, interval_share, LEVEL), truth);
}

/* One is better by half of the scale on a share a of the items, on most others by a quarter, and on
 * few worse. */
static void draw_better(const struct regime *c, struct rng *r, double truth, struct tally *t)
{
    struct interval_cluster x[ITEMS_MOST], y[ITEMS_MOST];

    for (int i = 0; i < c->n; i++) {
        double u = rng_unit(r), d = u < c->a ? .5 : u < .9 ? .25 : u < .97 ? 0 : -.25;
        x[i] = (struct interval_cluster){.4 + d, 1};
        y[i] = (struct interval_cluster){.4, 1};
    }
    cover_count(t, interval_of_difference(x, y, (size_t)c->n, interval_share, LEVEL), truth);
}

static double true_better(const struct regime *c)
{
    return .5 * c->a + .25 * (.9 - c->a) - .25 * .03;
}

static double zero(const struct regime *c)
{
    (void)c;
    return 0;
}

/* Texts or answers that are taken as independent; b: how many of them are in question (precision:
 * those that a classifier names), 0 for all. */
static void draw_share(const struct regime *c, struct rng *r, double truth, struct tally *t)
{
    size_t right = 0, all = 0;

    for (int i = 0; i < c->n; i++) {
        if (c->b > 0 && rng_unit(r) >= c->b)
            continue;
        right += rng_unit(r) < truth;
        all++;
    }
    cover_count(t, interval_of_share(right, all, LEVEL), truth);
}

/* Three suites of n items each, the last of which counts as much as the others together. */
static const double suites[][3] = {{BINARY, .8, .25}, {LIKERT, 0, .25}, {SMOOTH, .9, .5}};

static void draw_suites(const struct regime *c, struct rng *r, double truth, struct tally *t)
{
    struct interval one[COUNT(suites)];
    double weights[COUNT(suites)];

    for (size_t s = 0; s < COUNT(suites); s++) {
        struct interval_cluster v[ITEMS_MOST];
        for (int i = 0; i < c->n; i++) {
            double q = rng_unit(r);
            v[i] = (struct interval_cluster){mark((int)suites[s][0], suites[s][1], q, r), 1};
        }
        one[s] = interval_of_means(v, (size_t)c->n, interval_share, LEVEL);
        weights[s] = suites[s][2];
    }
    cover_count(t, combine_sum(one, weights, COUNT(suites)), truth);
}

static double true_suites(const struct regime *c)
{
    double sum = 0;

    for (size_t s = 0; s < COUNT(suites); s++) {
        struct regime one = {.regime = c->regime, .a = suites[s][1], .form = (int)suites[s][0]};
        sum += suites[s][2] * true_mark(&one);
    }
    return sum;
}

/* More items until the half width is small enough, from 20 on. */
static void draw_until(const struct regime *c, struct rng *r, double truth, struct tally *t)
{
    struct interval_cluster v[ITEMS_MOST];
    struct interval i = {0};

    for (int k = 0; k < ITEMS_MOST; k++) {
        v[k] = (struct interval_cluster){mark(c->form, c->a, rng_unit(r), r), 1};
        if (k < 19)
            continue;
        i = interval_of_means(v, (size_t)k + 1, interval_share, LEVEL);
        if ((i.high - i.low) / 2 <= c->b)
            break;
    }
    cover_count(t, i, truth);
}

/* ---- raters and passages ---- */

/* b: severity; form 0: everybody rates all, 1: five passages each, 2: one rates all, the others
 * five. mean: of those who rated, what they would give in the long run. */
static struct cells rate(const struct regime *c, struct rng *r, struct cell *v, double *mean)
{
    double severity[RATERS_MOST], hard[ITEMS_MOST];
    struct cells out = {v, 0, (size_t)c->n, (size_t)c->raters};

    *mean = 0;
    for (int k = 0; k < c->raters; k++) {
        severity[k] = c->b * cover_normal(r);
        *mean += severity[k] / c->raters;
    }
    for (int i = 0; i < c->n; i++)
        hard[i] = 0.5 * cover_normal(r);
    for (uint32_t i = 0; i < (uint32_t)c->n; i++)
        for (uint32_t k = 0; k < (uint32_t)c->raters; k++) {
            bool given = c->form == 0 || (c->form == 2 && k == 0) ||
                         (i + (uint32_t)c->n * 8 - k * 3) % (uint32_t)c->n < 5;
            if (given)
                v[out.n++] = (struct cell){i, k, 3 + hard[i] + severity[k] + 0.7 * cover_normal(r)};
        }
    return out;
}

static void draw_crossed(const struct regime *c, struct rng *r, double truth, struct tally *t)
{
    struct cell v[CELLS_MOST];
    double mean;
    struct cells cells = rate(c, r, v, &mean);
    struct crossed x = crossed_of(&cells, (struct interval_scale){-5, 11}, LEVEL);

    cover_count(t, crossed_interval(&x, LEVEL), c->raters < 3 ? truth + mean : truth);
}

/* Marks from one to five, near the top of the scale. */
static void draw_ceiling(const struct regime *c, struct rng *r, double truth, struct tally *t)
{
    struct cell v[CELLS_MOST];
    double mean;
    struct cells cells = rate(c, r, v, &mean);
    struct crossed x;

    for (size_t i = 0; i < cells.n; i++)
        v[i].value = floor(fmin(5, fmax(1, v[i].value + c->a - 3 + 0.5)));
    x = crossed_of(&cells, (struct interval_scale){1, 5}, LEVEL);
    cover_count(t, crossed_interval(&x, LEVEL), truth);
}

static double true_ceiling(const struct regime *c)
{
    struct rng r = rng_keyed(9, c->regime, NULL, 0);
    double sum = 0, sd = sqrt(c->b * c->b + 0.25 + 0.49);
    size_t n = cover_world(2000000);

    for (size_t i = 0; i < n; i++)
        sum += floor(fmin(5, fmax(1, c->a + sd * cover_normal(&r) + 0.5)));
    return sum / (double)n;
}

static double three(const struct regime *c)
{
    (void)c;
    return 3;
}

static void draw_gap(const struct regime *c, struct rng *r, double truth, struct tally *t)
{
    struct cell v[CELLS_MOST];
    double mean, taste[RATERS_MOST];
    struct cells cells = rate(c, r, v, &mean);
    struct crossed x;

    for (int k = 0; k < c->raters; k++) /* raters differ in what they like, too */
        taste[k] = c->b * cover_normal(r);
    for (size_t i = 0; i < cells.n; i++)
        v[i].value += taste[v[i].rater] - v[i].value + 0.6 * cover_normal(r);
    x = crossed_of_differences(&cells, (struct interval_scale){-5, 11}, LEVEL);
    cover_count(t, crossed_interval(&x, LEVEL), truth);
}

/* n of 100 items rated by people; the machine knows the items and is 0.3 too high. */
static void fill_ppi(const struct regime *c, struct rng *r, struct cell *v, double *machine,
                     struct ppi_data *out, double gap, const double *hard, const double *severity)
{
    *out = (struct ppi_data){{v, 0, 100, (size_t)c->raters}, machine};
    for (uint32_t i = 0; i < 100; i++) {
        machine[i] = 3.3 + gap + hard[i] + 0.3 * cover_normal(r);
        for (uint32_t k = 0; k < (uint32_t)c->raters && i < (uint32_t)c->n; k++)
            if (c->form == 0 || (i + k) % 2 == 0 || c->raters < 4)
                v[out->human.n++] =
                    (struct cell){i, k, 3 + gap + hard[i] + severity[k] + 0.7 * cover_normal(r)};
    }
}

static void draw_ppi(const struct regime *c, struct rng *r, double truth, struct tally *t)
{
    struct cell v[CELLS_MOST], w[CELLS_MOST];
    double machine[100], other[100], hard[100], severity[RATERS_MOST];
    struct ppi_data one, two;

    for (int i = 0; i < 100; i++)
        hard[i] = 0.5 * cover_normal(r);
    for (int k = 0; k < c->raters; k++)
        severity[k] = c->b * cover_normal(r);
    fill_ppi(c, r, v, machine, &one, 0, hard, severity);
    if (c->a == 0) {
        cover_count(t, ppi_mean(&one, (struct interval_scale){-5, 11}, LEVEL).mean, truth);
        return;
    }
    fill_ppi(c, r, w, other, &two, c->a, hard, severity);
    cover_count(t, ppi_difference(&two, &one, (struct interval_scale){-5, 11}, LEVEL).mean, c->a);
}

/* Marks from one to five, near the top of the scale; those of the machine too. */
static void draw_ppi_top(const struct regime *c, struct rng *r, double truth, struct tally *t)
{
    struct cell v[CELLS_MOST];
    double machine[100], hard[100], severity[RATERS_MOST];
    struct ppi_data d;

    for (int i = 0; i < 100; i++)
        hard[i] = 0.5 * cover_normal(r);
    for (int k = 0; k < c->raters; k++)
        severity[k] = c->b * cover_normal(r);
    fill_ppi(c, r, v, machine, &d, c->a - 3, hard, severity);
    for (int i = 0; i < 100; i++)
        machine[i] = floor(fmin(5, fmax(1, machine[i] + 0.5)));
    for (size_t i = 0; i < d.human.n; i++)
        v[i].value = floor(fmin(5, fmax(1, v[i].value + 0.5)));
    cover_count(t, ppi_mean(&d, (struct interval_scale){1, 5}, LEVEL).mean, truth);
}

/* ---- agreement ---- */

enum {
    A_NOMINAL,
    A_ORDINAL,
    A_INTERVAL,
    A_AC1,
    A_FLEISS,
    A_KAPPA,
    A_LINEAR,
    A_QUADRATIC,
    A_ICC,
    A_ICC_GAPS,
    A_ICC_ONE,
    A_ICC_THREE
};

static bool is_icc(const struct regime *c)
{
    return c->form >= A_ICC;
}

/* Four levels of a normal number; b: severity, a: noise. With gaps a third is missing. */
static struct cells agree(const struct regime *c, struct rng *r, size_t n, size_t raters,
                          struct cell *v)
{
    struct cells out = {v, 0, n, raters};
    double severity[RATERS_MOST];

    for (size_t k = 0; k < raters; k++)
        severity[k] = c->b * cover_normal(r);
    for (uint32_t u = 0; u < n; u++) {
        double unit = cover_normal(r);
        for (uint32_t k = 0; k < raters; k++) {
            double x = unit + severity[k] + c->a * cover_normal(r);
            if (c->form == A_ICC_GAPS && rng_unit(r) < 1.0 / 3)
                continue;
            if (!is_icc(c) && c->form != A_INTERVAL)
                x = x < -0.7 ? 0 : x < 0 ? 1 : x < 0.7 ? 2 : 3;
            if (c->form == A_NOMINAL && u % 5 == 4) /* names have no order */
                x = floor(4 * rng_unit(r));
            v[out.n++] = (struct cell){u, k, x};
        }
    }
    return out;
}

static bool is_kappa(const struct regime *c)
{
    return c->form >= A_KAPPA && c->form <= A_QUADRATIC;
}

static struct interval agreement_of(const struct regime *c, const struct cells *cells,
                                    enum jackknife_for whom)
{
    struct accord_how how = {c->form == A_NOMINAL || c->form == A_AC1 || c->form == A_FLEISS ||
                                     c->form == A_KAPPA
                                 ? AGREE_NOMINAL
                             : c->form == A_ORDINAL || is_kappa(c) ? AGREE_ORDINAL
                                                                   : AGREE_INTERVAL,
                             whom};
    struct accord a;

    if (is_icc(c))
        return icc_of(cells).single[c->form == A_ICC_ONE     ? ICC_1
                                    : c->form == A_ICC_THREE ? ICC_3
                                                             : ICC_2];
    a = accord_of(cells, &how);
    return c->form == A_AC1      ? a.ac1
           : c->form == A_FLEISS ? a.fleiss
           : is_kappa(c)         ? a.kappa[c->form - A_KAPPA]
                                 : a.alpha;
}

static double kappa_of_two(const struct cells *c, int weights)
{
    size_t n = c->n / 2;
    double *one = malloc(sizeof *one * n), *two = malloc(sizeof *two * n), value;

    for (size_t i = 0; i < n; i++) {
        one[i] = c->v[2 * i].value;
        two[i] = c->v[2 * i + 1].value;
    }
    value = kappa_pairs(one, two, n, (enum kappa_weights)weights).value;
    free(one);
    free(two);
    return value;
}

static double coefficient(const struct regime *c, const struct cells *cells)
{
    switch (c->form) {
    case A_AC1:
        return kappa_many(cells, 4).ac1;
    case A_FLEISS:
        return kappa_many(cells, 4).fleiss;
    case A_KAPPA:
    case A_LINEAR:
    case A_QUADRATIC:
        return kappa_of_two(cells, c->form - A_KAPPA);
    default:
        return agree_alpha(cells, c->form == A_NOMINAL   ? AGREE_NOMINAL
                                  : c->form == A_ORDINAL ? AGREE_ORDINAL
                                                         : AGREE_INTERVAL);
    }
}

static int sets = 2000;

size_t cover_world(size_t n)
{
    return sets < 1000 ? n / 10 : n;
}

/* A coefficient of very many units; where raters differ, the mean over many sets of many raters:
 * one set of forty would be off by more than some intervals are wide. The fewer sets are drawn, the
 * more room chance has, and the less exact it need be. */
static double true_agreement(const struct regime *c)
{
    struct rng r = rng_keyed(11, c->regime, (const int64_t[]){c->form}, 1);
    size_t raters = is_kappa(c) ? 2 : c->b > 0 ? 40 : (size_t)c->raters;
    size_t units = c->b > 0 ? 500 : 10000, worlds = c->b > 0 ? (sets < 1000 ? 20 : 100) : 1;
    struct cell *v = malloc(sizeof *v * raters * units);
    double sum = 0;

    for (size_t i = 0; i < worlds && !is_icc(c); i++) {
        struct cells cells = agree(c, &r, units, raters, v);
        sum += coefficient(c, &cells);
    }
    free(v);
    if (!is_icc(c))
        return sum / (double)worlds;
    return 1 / (1 + (c->form == A_ICC_THREE ? 0 : c->b * c->b) + c->a * c->a);
}

static void draw_agreement(const struct regime *c, struct rng *r, double truth, struct tally *t)
{
    struct cell v[CELLS_MOST];
    struct cells cells = agree(c, r, (size_t)c->n, (size_t)c->raters, v);

    cover_count(t, agreement_of(c, &cells, c->b > 0 ? JACKKNIFE_NEW : JACKKNIFE_THESE), truth);
}

enum { PEARSON, SPEARMAN, TAU, ALPHA };

static double spearman(const double *x, const double *y, size_t n)
{
    AUTO(arena_freep) struct arena *a = arena_new();

    return correlate_spearman(a, x, y, n);
}

static double alpha(const double *x, const double *y, size_t n)
{
    struct agree_interval s = {0};

    for (size_t i = 0; i < n; i++)
        agree_interval_add(&s, (double[]){x[i], y[i]}, 2);
    return agree_interval_alpha(&s);
}

static void draw_correlation(const struct regime *c, struct rng *r, double truth, struct tally *t)
{
    double x[ITEMS_MOST], y[ITEMS_MOST];
    uint32_t cluster[ITEMS_MOST];

    for (uint32_t i = 0; i < (uint32_t)c->n; i++) {
        x[i] = cover_normal(r);
        y[i] = c->a * x[i] + sqrt(1 - c->a * c->a) * cover_normal(r);
        cluster[i] = i;
    }
    cover_count(
        t,
        jackknife_lists(&(struct jackknife_lists){x, y, cluster, (size_t)c->n, (size_t)c->n},
                        c->form == PEARSON    ? correlate_pearson
                        : c->form == SPEARMAN ? spearman
                        : c->form == TAU      ? correlate_tau
                                              : alpha,
                        LEVEL),
        truth);
}

/* Of normal numbers that correlate by a. */
static double true_correlation(const struct regime *c)
{
    return c->form == PEARSON || c->form == ALPHA ? c->a
           : c->form == SPEARMAN                  ? 6 / M_PI * asin(c->a / 2)
                                                  : 2 / M_PI * asin(c->a);
}

/* ---- how long dialogues stay unbroken ---- */

enum { TURNS = 24, MEAN_TURNS, ALL_TURNS };

/* In each turn a break with chance a; otherwise the user leaves with chance b. */
static struct survive_one dialogue(const struct regime *c, struct rng *r)
{
    for (int64_t turn = 1; turn <= TURNS; turn++) {
        if (rng_unit(r) < c->a)
            return (struct survive_one){turn, true};
        if (rng_unit(r) < c->b)
            return (struct survive_one){turn, false};
    }
    return (struct survive_one){TURNS, false};
}

static double true_turns(const struct regime *c)
{
    double sum = 0;

    for (int turn = 1; turn <= TURNS; turn++)
        sum += pow(1 - c->a, turn);
    return sum;
}

/* All steps hold, or the band does not. */
static void count_band(const struct regime *c, const struct survive_curve *curve, struct tally *t)
{
    struct interval band = {.low = NAN, .high = NAN};
    double width = 0, out = 0, n = 0;

    for (size_t k = 0; k < curve->n; k++) {
        const struct survive_step *s = &curve->v[k];
        double truth = pow(1 - c->a, (double)s->time);
        if (isnan(s->low) || isnan(s->high))
            continue;
        n++;
        width += s->high - s->low;
        out += truth < s->low || truth > s->high;
    }
    if (n > 0)
        band = (struct interval){.low = 0, .high = width / n, .why = INTERVAL_FINE};
    cover_count(t, band, out > 0 ? -1 : 0);
}

static void draw_unbroken(const struct regime *c, struct rng *r, double truth, struct tally *t)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct survive_one v[ITEMS_MOST];
    struct survive_curve curve;

    for (int i = 0; i < c->n; i++)
        v[i] = dialogue(c, r);
    curve = survive_curve(a, v, (size_t)c->n, LEVEL);
    if (c->form == MEAN_TURNS)
        cover_count(t, survive_mean(a, v, (size_t)c->n, TURNS, LEVEL), truth);
    else
        count_band(c, &curve, t);
}

static double own(const struct regime *c)
{
    return c->a;
}

/* ---- ratings ---- */

static double strength(const struct regime *c, int model)
{
    double all = c->raters == 10 ? 4 : 1.5; /* between the best and the last */

    return c->raters == 2 ? (model ? -0.4 : 0.4) : all * (0.5 - (double)model / (c->raters - 1));
}

/* One battle on an item, which moves each model by its own; half a win each way keeps the score of
 * a pair at what it is without ties. */
static uint32_t battle(const struct regime *c, struct rng *r, const double *moved, uint32_t i,
                       uint32_t j)
{
    double d = strength(c, (int)i) + moved[i] - strength(c, (int)j) - moved[j];
    double p = 1 / (1 + exp(-d));
    uint32_t outcome = rng_unit(r) < p ? DUEL_WON : DUEL_LOST;

    return c->b > 0 && rng_unit(r) < c->b * 4 * p * (1 - p) ? DUEL_TIED : outcome;
}

/* form: by so many Elo points (standard deviation) an item moves a model. */
static void move_models(const struct regime *c, struct rng *r, double *moved)
{
    for (int i = 0; i < c->raters; i++)
        moved[i] = c->form ? c->form / BT_ELO * cover_normal(r) : 0;
}

/* Every pair meets twice on every item; with chance a what came out the first time comes again. b:
 * ties. */
static size_t fight(const struct regime *c, struct rng *r, struct duel *v)
{
    double moved[MODELS_MOST];
    size_t n = 0;

    for (uint32_t item = 0; item < (uint32_t)c->n; item++) {
        move_models(c, r, moved);
        for (uint32_t i = 0; i < (uint32_t)c->raters; i++)
            for (uint32_t j = i + 1; j < (uint32_t)c->raters; j++)
                for (int k = 0; k < 2; k++) {
                    uint32_t outcome = battle(c, r, moved, i, j);
                    if (k == 1 && rng_unit(r) < c->a)
                        outcome = v[n - 1].outcome;
                    v[n++] = (struct duel){i, j, item, outcome, 1};
                }
    }
    return n;
}

/* Battles that are chosen, as in a run with a budget. A share a of the items is decided by a coin.
 */
struct chosen {
    double moved[ITEMS_MOST][MODELS_MOST];
    size_t met[MODELS_MOST][MODELS_MOST][ITEMS_MOST], used[ITEMS_MOST];
    struct duel *v;
    size_t n, coins; /* battles; and those on items that a coin decides */
};

static bool by_coin(const struct regime *c, size_t item)
{
    return (double)item < c->a * c->n;
}

/* Of the items that the two met on least the one that is due. */
static void meet(const struct regime *c, struct rng *r, struct chosen *b, struct pairing_pick p,
                 const double *weight)
{
    struct pairing_item v[ITEMS_MOST];
    size_t n = 0, least = SIZE_MAX, *met = b->met[p.i][p.j], at;
    uint32_t outcome;

    for (int i = 0; i < c->n; i++)
        least = met[i] < least ? met[i] : least;
    for (size_t i = 0; i < (size_t)c->n; i++)
        if (met[i] == least)
            v[n++] = (struct pairing_item){i, b->used[i], weight[i]};
    at = v[pairing_item(v, n, r)].at;
    met[at]++;
    b->used[at]++;
    b->coins += by_coin(c, at);
    outcome = by_coin(c, at) ? (rng_unit(r) < 0.5 ? DUEL_WON : DUEL_LOST)
                             : battle(c, r, b->moved[at], p.i, p.j);
    b->v[b->n++] = (struct duel){p.i, p.j, (uint32_t)at, outcome, 1};
}

static void choose_batch(const struct regime *c, struct rng *r, struct chosen *b)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    size_t models = (size_t)c->raters, batch = pairing_batch(models, b->n);
    bool *open = NEW_N(a, bool, models *models);
    struct pairing p;
    struct pairing_pick pick = {0};
    struct err e = {0};
    const double *weight;

    memset(open, 1, models * models);
    if (pairing_fit(a, b->v, b->n, models, &p, &e) != OK)
        abort();
    weight = pairing_items(a, &p, b->v, b->n, (size_t)c->n);
    for (; batch > 0 && b->n < CHOSEN && pairing_next(&p, open, r, &pick); batch--) {
        pairing_meet(&p, pick);
        meet(c, r, b, pick, weight);
    }
}

static void choose(const struct regime *c, struct rng *r, struct chosen *b)
{
    double even[ITEMS_MOST];

    for (int i = 0; i < c->n; i++) {
        move_models(c, r, b->moved[i]);
        even[i] = 1;
    }
    for (int m = 0; m < PAIRING_WARM; m++) {
        struct pairing_pick picks[MODELS_MOST / 2];
        pairing_match(r, (size_t)c->raters, picks);
        for (int k = 0; k < c->raters / 2; k++)
            meet(c, r, b, picks[k], even);
    }
    while (b->n < CHOSEN)
        choose_batch(c, r, b);
}

static double quantiles[STEPS]; /* of the normal distribution; set before there are threads */

/* The score that i may expect of j on an item that is drawn: the mean over what items do to the two
 * of them. */
static double expected(const struct regime *c, uint32_t i, uint32_t j)
{
    double d = strength(c, (int)i) - strength(c, (int)j), sd = sqrt(2) * c->form / BT_ELO, sum = 0;
    const int steps = c->form ? STEPS : 1;

    for (int k = 0; k < steps; k++) {
        double p = 1 / (1 + exp(-d - sd * quantiles[k]));
        double tie = c->b * 4 * p * (1 - p);
        sum += (1 - tie) * p + tie / 2;
    }
    return sum / steps;
}

/* Ties bring a pair's score nearer to a half, and so do items that move models or toss a coin: the
 * ratings that fit the expected scores. */
static void true_strengths(const struct regime *c, double coins, double *theta)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct duel v[3 * MODELS_MOST * MODELS_MOST];
    struct bt_fit f;
    struct err e = {0};
    size_t n = 0;

    for (uint32_t i = 0; i < (uint32_t)c->raters; i++)
        for (uint32_t j = i + 1; j < (uint32_t)c->raters; j++) {
            double won = (1 - coins) * expected(c, i, j) + coins / 2;
            v[n++] = (struct duel){i, j, 0, DUEL_WON, 1e6 * won};
            v[n++] = (struct duel){i, j, 0, DUEL_LOST, 1e6 * (1 - won)};
        }
    struct bt_table t = bt_gather(a, v, n, (size_t)c->raters, BT_HALF);
    if (bt_fit(a, &t, BT_HALF, 0, &f, &e) != OK)
        abort();
    memcpy(theta, f.theta, (size_t)c->raters * sizeof *theta);
}

static void rate_models(const struct regime *c, const struct duel *v, size_t n, double *about,
                        double *half, enum interval_why *why)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    size_t m = (size_t)c->raters, items = (size_t)c->n;
    struct bt_table t = bt_gather(a, v, n, m, BT_HALF);
    uint32_t *of = NEW_N(a, uint32_t, n);
    double *cov, q = dist_t_quantile(0.975, (double)items - 1);
    struct bt_spread s;
    struct bt_fit f;
    struct err e = {0};
    bool parts = bt_parts(&t, NEW_N(a, uint32_t, m)) > 1, few = !parts && items < 30;

    *why = parts ? INTERVAL_PRIOR : bt_is_wide(m, items) ? INTERVAL_WIDE : INTERVAL_FINE;
    for (size_t i = 0; i < n; i++)
        of[i] = v[i].cluster;
    if (bt_fit(a, &t, BT_HALF, few ? bt_weak_ridge(m) : parts ? BT_RIDGE : 0, &f, &e) != OK)
        abort();
    if (few) {
        if (bt_jackknife(a, &t, &f, &(struct bt_groups){v, of, n, items}, &s, &e) != OK)
            abort();
        cov = s.cov;
    } else if (bt_sandwich(a, &t, &f, &(struct bt_clusters){v, n, items}, &cov, &e) != OK) {
        abort();
    }
    for (size_t i = 0; i < m; i++) {
        about[i] = f.theta[i];
        half[i] = q * sqrt(cov[i * m + i]);
    }
}

static void count_ratings(const struct regime *c, const struct duel *v, size_t n, double widen,
                          double coins, struct tally *t)
{
    double about[MODELS_MOST], half[MODELS_MOST], theta[MODELS_MOST];
    enum interval_why why;

    true_strengths(c, coins, theta);
    rate_models(c, v, n, about, half, &why);
    for (int i = 0; i < c->raters; i++) {
        struct interval one = {.value = about[i],
                               .low = about[i] - widen * half[i],
                               .high = about[i] + widen * half[i],
                               .why = why};
        if (!(half[i] > 1e-8))
            one = interval_refuse(one, INTERVAL_NO_SPREAD);
        cover_count(t, one, theta[i]);
    }
}

static void draw_rating(const struct regime *c, struct rng *r, double truth, struct tally *t)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct duel *v = NEW_N(a, struct duel, (size_t)(c->n * c->raters * c->raters));

    (void)truth;
    count_ratings(c, v, fight(c, r, v), 1, 0, t);
}

/* b people judge each pair on every item, each by his own taste: the models are rated as a new
 * person would have them. */
static void draw_people(const struct regime *c, struct rng *r, double truth, struct tally *t)
{
    enum { PEOPLE = 10 };
    const struct regime world = {.raters = c->raters, .form = 100};
    AUTO(arena_freep) struct arena *a = arena_new();
    size_t models = (size_t)c->raters, n = 0;
    struct battle_set set = {.models = models, .cluster = "item", .clusters = (size_t)c->n};
    struct rating_table table;
    double taste[PEOPLE][MODELS_MOST], theta[MODELS_MOST];
    struct err e = {0};
    uint32_t *who;

    (void)truth;
    set.v = NEW_N(a, struct duel, (size_t)(c->n * c->raters * c->raters) * PEOPLE);
    set.rater = who = NEW_N(a, uint32_t, (size_t)(c->n * c->raters * c->raters) * PEOPLE);
    set.raters = (size_t)c->b;
    set.names = NEW_N(a, const char *, models);
    for (size_t k = 0; k < set.raters; k++)
        move_models(&world, r, taste[k]);
    for (uint32_t item = 0; item < (uint32_t)c->n; item++)
        for (uint32_t i = 0; i < models; i++)
            for (uint32_t j = i + 1; j < models; j++)
                for (uint32_t k = 0; k < set.raters; k++, n++) {
                    set.v[n] = (struct duel){i, j, item, battle(&world, r, taste[k], i, j), 1};
                    who[n] = k;
                }
    set.n = n;
    if (rating_compute(a, &set, &(struct rating_how){.system = RATING_BT}, &table, &e) != OK)
        abort();
    true_strengths(&world, 0, theta);
    for (size_t i = 0; i < table.groups[0].n; i++) {
        const struct rating *one = &table.groups[0].v[i];
        cover_count(t,
                    (struct interval){.value = one->rating,
                                      .low = (one->lo - 1000) / BT_ELO,
                                      .high = (one->hi - 1000) / BT_ELO,
                                      .why = one->why},
                    theta[one->model]);
    }
}

static void draw_chosen(const struct regime *c, struct rng *r, double truth, struct tally *t)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct chosen *b = NEW(a, struct chosen);

    (void)truth;
    b->v = NEW_N(a, struct duel, CHOSEN);
    choose(c, r, b);
    /* The ratings are those of the mix of items that was used. */
    count_ratings(c, b->v, b->n, PAIRING_WIDEN, (double)b->coins / (double)b->n, t);
}

/* ---- all of it ---- */

#define MEANS(name, form, a)                                                                       \
    {"mean of items", name ", 7 items", draw_mean, true_mark, a, 0, 7, 0, form},                   \
        {"mean of items", name ", 10 items", draw_mean, true_mark, a, 0, 10, 0, form},             \
        {"mean of items", name ", 30 items", draw_mean, true_mark, a, 0, 30, 0, form},             \
    {                                                                                              \
        "mean of items", name ", 100 items", draw_mean, true_mark, a, 0, 100, 0, form              \
    }
#define CORRELATES(name, form)                                                                     \
    {name, "rho .7, 10 passages", draw_correlation, true_correlation, .7, 0, 10, 0, form},         \
        {name, "rho .7, 30 passages", draw_correlation, true_correlation, .7, 0, 30, 0, form},     \
    {                                                                                              \
        name, "rho .7, 100 passages", draw_correlation, true_correlation, .7, 0, 100, 0, form      \
    }
#define UNBROKEN(name, form, regime, a, b)                                                         \
    {name, regime ", 10 dialogues", draw_unbroken, true_turns, a, b, 10, 0, form},                 \
        {name, regime ", 30 dialogues", draw_unbroken, true_turns, a, b, 30, 0, form},             \
    {                                                                                              \
        name, regime ", 100 dialogues", draw_unbroken, true_turns, a, b, 100, 0, form              \
    }
#define RATES(name, a, b, m, some)                                                                 \
    {"rate by item", name ", 10 items", draw_rate, own, a, b, 10, some, m},                        \
        {"rate by item", name ", 30 items", draw_rate, own, a, b, 30, some, m},                    \
    {                                                                                              \
        "rate by item", name ", 100 items", draw_rate, own, a, b, 100, some, m                     \
    }
#define GAPS(name, form, a, b)                                                                     \
    {"paired difference", name ", 10 items", draw_difference, zero, a, b, 10, 0, form},            \
        {"paired difference", name ", 30 items", draw_difference, zero, a, b, 30, 0, form},        \
    {                                                                                              \
        "paired difference", name ", 100 items", draw_difference, zero, a, b, 100, 0, form         \
    }
#define CROSS(kind, fn, tr, name, a, b, form)                                                      \
    {kind, "3 raters x 10, " name, fn, tr, a, b, 10, 3, form},                                     \
        {kind, "3 raters x 30, " name, fn, tr, a, b, 30, 3, form},                                 \
        {kind, "10 raters x 10, " name, fn, tr, a, b, 10, 10, form},                               \
        {kind, "10 raters x 30, " name, fn, tr, a, b, 30, 10, form},                               \
    {                                                                                              \
        kind, "20 raters x 30, " name, fn, tr, a, b, 30, 20, form                                  \
    }
#define AGREES(kind, name, form, r, a, b)                                                          \
    {kind, name ", 10 units", draw_agreement, true_agreement, a, b, 10, r, form},                  \
        {kind, name ", 30 units", draw_agreement, true_agreement, a, b, 30, r, form},              \
    {                                                                                              \
        kind, name ", 100 units", draw_agreement, true_agreement, a, b, 100, r, form               \
    }
#define RATINGS(name, m, a, b, form)                                                               \
    {"Bradley-Terry", name ", 7 items", draw_rating, zero, a, b, 7, m, form},                      \
        {"Bradley-Terry", name ", 10 items", draw_rating, zero, a, b, 10, m, form},                \
    {                                                                                              \
        "Bradley-Terry", name ", 30 items", draw_rating, zero, a, b, 30, m, form                   \
    }

#define THREE(kind, fn, tr, name, of, a, b, raters, form)                                          \
    {kind, name ", 10 " of, fn, tr, a, b, 10, raters, form},                                       \
        {kind, name ", 30 " of, fn, tr, a, b, 30, raters, form},                                   \
    {                                                                                              \
        kind, name ", 100 " of, fn, tr, a, b, 100, raters, form                                    \
    }

#define RATED_BY(name, people)                                                                     \
    {"Bradley-Terry by people",                                                                    \
     name ", 4 models, 10 items",                                                                  \
     draw_people,                                                                                  \
     zero,                                                                                         \
     0,                                                                                            \
     people,                                                                                       \
     10,                                                                                           \
     4,                                                                                            \
     0},                                                                                           \
    {                                                                                              \
        "Bradley-Terry by people", name ", 4 models, 30 items", draw_people, zero, 0, people, 30,  \
            4, 0                                                                                   \
    }

/* clang-format off */
static const struct regime regimes[] = {
    MEANS("0/1, truth .5", BINARY, .5), MEANS("0/1, truth .8", BINARY, .8), MEANS("0/1, truth .95", BINARY, .95), MEANS("0/1, truth .99", BINARY, .99),
    MEANS("three levels, 60 % full", LEVELS3, .6), MEANS("three levels, 90 % full", LEVELS3, .9), MEANS("1 to 5", LIKERT, 0), MEANS("smooth, middle", SMOOTH, .5), MEANS("smooth, at the end", SMOOTH, .9),
    RATES("6 trials, .8, items alike", .8, 0, 6, 0), RATES("6 trials, .8, items differ", .8, .5, 6, 0), RATES("6 trials, .95, items differ", .95, .7, 6, 0), RATES("1 to 6 trials, .8, items differ", .8, .5, 6, 1), RATES("2 trials, .5", .5, 0, 2, 0),
    GAPS("0/1, .8", BINARY, .8, 0), GAPS("0/1, .95, half alike", BINARY, .95, .5), GAPS("three levels", LEVELS3, .8, 0), GAPS("1 to 5", LIKERT, 0, 0), GAPS("1 to 5, 80 % alike", LIKERT, 0, .8),
    {"until half-width", "0/1, truth .8, .1", draw_until, true_mark, .8, .1, 0, 0, BINARY},
    {"until half-width", "0/1, truth .95, .06", draw_until, true_mark, .95, .06, 0, 0, BINARY},
    {"until half-width", "1 to 5, .06", draw_until, true_mark, 0, .06, 0, 0, LIKERT},
    {"campaign mean", "this rater, 10 passages", draw_crossed, three, 0, .4, 10, 1, 0},
    {"campaign mean", "this rater, 30 passages", draw_crossed, three, 0, .4, 30, 1, 0},
    {"campaign mean", "these two raters, 30 passages", draw_crossed, three, 0, .4, 30, 2, 0},
    CROSS("campaign mean", draw_crossed, three, "all rate all", 0, 0, 0),
    CROSS("campaign mean", draw_crossed, three, "severity .4", 0, .4, 0),
    CROSS("campaign mean", draw_crossed, three, "severity .4, five each", 0, .4, 1),
    CROSS("campaign mean", draw_crossed, three, "severity .4, one rates all", 0, .4, 2),
    CROSS("campaign mean", draw_ceiling, true_ceiling, "1 to 5 near the top", 4.6, .3, 0),
    CROSS("campaign difference", draw_gap, zero, "taste .4", 0, .4, 0),
    {"PPI++", "3 raters, 10 of 100", draw_ppi, three, 0, 0, 10, 3, 0}, {"PPI++", "3 raters, 30 of 100", draw_ppi, three, 0, 0, 30, 3, 0},
    {"PPI++", "3 raters, 10 of 100, severity .4", draw_ppi, three, 0, .4, 10, 3, 0}, {"PPI++", "3 raters, 30 of 100, severity .4", draw_ppi, three, 0, .4, 30, 3, 0},
    {"PPI++", "10 raters, 10 of 100, severity .4", draw_ppi, three, 0, .4, 10, 10, 0}, {"PPI++", "10 raters, 30 of 100, severity .4", draw_ppi, three, 0, .4, 30, 10, 0},
    {"PPI++", "10 raters, 30 of 100, half each", draw_ppi, three, 0, .4, 30, 10, 1},
    {"PPI++", "10 raters, 10 of 100, near the top", draw_ppi_top, true_ceiling, 6, .2, 10, 10, 0}, {"PPI++", "20 raters, 10 of 100, near the top", draw_ppi_top, true_ceiling, 6, .2, 10, 20, 0},
    {"PPI++", "10 raters, 30 of 100, near the top", draw_ppi_top, true_ceiling, 6, .2, 30, 10, 0},
    {"PPI++ difference", "3 raters, 30 of 100, severity .4", draw_ppi, three, .5, .4, 30, 3, 0}, {"PPI++ difference", "10 raters, 30 of 100, severity .4", draw_ppi, three, .5, .4, 30, 10, 0},
    AGREES("alpha nominal", "2 raters", A_NOMINAL, 2, .6, 0), AGREES("alpha nominal", "3 raters", A_NOMINAL, 3, .6, 0),
    AGREES("alpha ordinal", "2 raters", A_ORDINAL, 2, .6, 0), AGREES("alpha ordinal", "3 raters", A_ORDINAL, 3, .6, 0), AGREES("alpha ordinal", "10 raters", A_ORDINAL, 10, .6, 0),
    AGREES("alpha ordinal", "5 new raters, severity .5", A_ORDINAL, 5, .6, .5), AGREES("alpha ordinal", "10 new raters, severity .5", A_ORDINAL, 10, .6, .5),
    AGREES("alpha interval", "3 raters", A_INTERVAL, 3, .6, 0),
    AGREES("AC1", "3 raters", A_AC1, 3, .6, 0), AGREES("Cohen's kappa", "2 raters", A_KAPPA, 2, .6, 0),
    AGREES("ICC(2,1)", "3 raters, complete, severity .5", A_ICC, 3, .6, .5), AGREES("ICC(2,1)", "5 raters, complete", A_ICC, 5, .6, 0),
    AGREES("ICC(2,1)", "5 raters, complete, severity .5", A_ICC, 5, .6, .5), AGREES("ICC(2,1)", "10 raters, complete, severity .5", A_ICC, 10, .6, .5), AGREES("ICC(2,1)", "10 raters, gaps, severity .5", A_ICC_GAPS, 10, .6, .5),
    {"Pearson, people and judges", "rho .7, 10 passages", draw_correlation, true_correlation, .7, 0, 10, 0, PEARSON}, {"Pearson, people and judges", "rho .7, 30 passages", draw_correlation, true_correlation, .7, 0, 30, 0, PEARSON}, {"Pearson, people and judges", "rho .7, 100 passages", draw_correlation, true_correlation, .7, 0, 100, 0, PEARSON},
    RATINGS("2 models, both orders alike", 2, 1, 0, 0), {"Bradley-Terry", "2 models, both orders alike, 20 items", draw_rating, zero, 1, 0, 20, 2, 0}, RATINGS("3 models, both orders alike", 3, 1, 0, 0),
    RATINGS("2 models", 2, .5, 0, 0), RATINGS("4 models", 4, .5, 0, 0), RATINGS("4 models, half tied", 4, .5, .5, 0),
    {"Bradley-Terry", "20 models, 10 items", draw_rating, zero, .5, 0, 10, 20, 0}, {"Bradley-Terry", "20 models, 30 items", draw_rating, zero, .5, 0, 30, 20, 0},
    AGREES("Fleiss' kappa", "3 raters", A_FLEISS, 3, .6, 0), AGREES("Fleiss' kappa", "5 new raters, severity .5", A_FLEISS, 5, .6, .5), AGREES("Fleiss' kappa", "10 new raters, severity .5", A_FLEISS, 10, .6, .5),
    {"paired difference", "better, marks repeat, 8 items", draw_better, true_better, .6, 0, 8, 0, 0}, {"paired difference", "better, marks repeat, 10 items", draw_better, true_better, .6, 0, 10, 0, 0}, {"paired difference", "better, marks repeat, 30 items", draw_better, true_better, .6, 0, 30, 0, 0},
    RATINGS("2 models, items move them by 200", 2, .5, 0, 200), RATINGS("4 models, items move them by 100", 4, .5, 0, 100), RATINGS("4 models, items move them by 200", 4, .5, 0, 200), RATINGS("20 models, items move them by 200", 20, .5, 0, 200),
    {"Bradley-Terry, chosen", "10 models, 20 items", draw_chosen, zero, 0, 0, 20, 10, 0}, {"Bradley-Terry, chosen", "10 models, 20 items, half by coin", draw_chosen, zero, .5, 0, 20, 10, 0},
    {"Bradley-Terry, chosen", "10 models, items move them by 100, 20 items", draw_chosen, zero, 0, 0, 20, 10, 100}, {"Bradley-Terry, chosen", "10 models, items move them by 200, 20 items", draw_chosen, zero, 0, 0, 20, 10, 200}, {"Bradley-Terry, chosen", "10 models, items move them by 200, 50 items", draw_chosen, zero, 0, 0, 50, 10, 200},
    THREE("rating, style taken out", draw_style, zero, "2 models", "items", 1, 0, 2, STYLE_RATING), THREE("rating, style taken out", draw_style, zero, "4 models", "items", 1, 0, 4, STYLE_RATING), THREE("rating, style taken out", draw_style, zero, "4 models, items move them by 200", "items", 1, 200, 4, STYLE_RATING), {"rating, style taken out", "20 models, 10 items", draw_style, zero, 1, 0, 10, 20, STYLE_RATING}, {"rating, style taken out", "20 models, 30 items", draw_style, zero, 1, 0, 30, 20, STYLE_RATING},
    THREE("rating, style taken out", draw_style, zero, "4 models, no prompts", "battles", 1, -1, 4, STYLE_RATING),
    THREE("rating, style taken out", draw_style, zero, "2 models, items move them by 200, two have 30 battles a pair", "items", 1, 200, 2, STYLE_LOPSIDED), THREE("rating, style taken out", draw_style, zero, "4 models, items move them by 200, two have 30 battles a pair", "items", 1, 200, 4, STYLE_LOPSIDED),
    THREE("effect of length", draw_style, zero, "2 models", "items", 1, 0, 2, STYLE_EFFECT), THREE("effect of length", draw_style, zero, "4 models", "items", 1, 0, 4, STYLE_EFFECT), THREE("effect of length", draw_style, zero, "4 models, items move them by 200", "items", 1, 200, 4, STYLE_EFFECT),
    THREE("win rate at equal length", draw_style, zero, "2 models", "items", 1, 0, 2, STYLE_WIN_RATE), THREE("win rate at equal length", draw_style, zero, "4 models", "items", 1, 0, 4, STYLE_WIN_RATE), THREE("win rate at equal length", draw_style, zero, "4 models, items move them by 200", "items", 1, 200, 4, STYLE_WIN_RATE),
    THREE("own family", draw_family, true_family, "others on the same answers", "items", .5, 0, 0, SAME_ANSWERS), THREE("own family", draw_family, true_family, "no liking", "items", 0, 0, 0, SAME_ANSWERS), THREE("own family", draw_family, true_family, "by ratings", "items", .5, 0, 0, OTHER_ANSWERS),
    THREE("accuracy of judges", draw_accuracy, true_accuracy, "3 people", "passages", .4, .3, 3, ACCURACY), THREE("accuracy of judges", draw_accuracy, true_accuracy, "5 people", "passages", .4, .3, 5, ACCURACY), THREE("accuracy of judges", draw_accuracy, true_accuracy, "5 people, judge like the best of them", "passages", .05, 0, 5, ACCURACY),
    THREE("ceiling of judges", draw_accuracy, true_accuracy, "3 people", "passages", .4, .3, 3, CEILING), THREE("ceiling of judges", draw_accuracy, true_accuracy, "5 people", "passages", .4, .3, 5, CEILING),
    THREE("drift, every stretch", draw_drift, zero, "no change", "dialogues", 0, 0, 0, 0), THREE("drift, every stretch", draw_drift, zero, "one step down, users leave", "dialogues", -1, .1, 0, 0), THREE("drift, every stretch", draw_drift, zero, "near the top", "dialogues", .8, 0, 0, 0),
    THREE("slope", draw_slope, true_slope, "no change", "dialogues", 0, 0, 0, 0), THREE("slope", draw_slope, true_slope, "one step down, users leave", "dialogues", -1, .1, 0, 0), THREE("slope", draw_slope, true_slope, "near the top", "dialogues", .8, 0, 0, 0),
    THREE("contradictions", draw_contradictions, own, ".1 a dialogue", "dialogues", .1, 0, 0, 0), THREE("contradictions", draw_contradictions, own, ".5 a dialogue", "dialogues", .5, 0, 0, 0), THREE("contradictions", draw_contradictions, own, "2 a dialogue", "dialogues", 2, 0, 0, 0), THREE("contradictions", draw_contradictions, own, ".5, dialogues differ", "dialogues", .5, 1, 0, 0),
    THREE("share of trials", draw_share, own, "truth .5", "trials", .5, 0, 0, 0), THREE("share of trials", draw_share, own, "truth .9", "trials", .9, 0, 0, 0), THREE("share of trials", draw_share, own, "truth .98", "trials", .98, 0, 0, 0), THREE("share of trials", draw_share, own, "truth .9, precision of half", "texts", .9, .5, 0, 0),
    THREE("several suites", draw_suites, true_suites, "three of them", "items each", 0, 0, 0, 0),
    AGREES("Cohen's kappa, linear", "2 raters", A_LINEAR, 2, .6, 0), AGREES("Cohen's kappa, quadratic", "2 raters", A_QUADRATIC, 2, .6, 0),
    AGREES("ICC(1,1)", "3 raters", A_ICC_ONE, 3, .6, 0), AGREES("ICC(3,1)", "3 raters, severity .5", A_ICC_THREE, 3, .6, .5), AGREES("ICC(3,1)", "10 raters, severity .5", A_ICC_THREE, 10, .6, .5),
    CORRELATES("alpha, people and judges", ALPHA),
    RATED_BY("3 people", 3), RATED_BY("10 people", 10),
    CORRELATES("Spearman, people and judges", SPEARMAN), CORRELATES("Kendall's tau, people and judges", TAU),
    UNBROKEN("unbroken", MEAN_TURNS, "breaks .05 a turn", .05, 0), UNBROKEN("unbroken", MEAN_TURNS, "breaks .05, leave .05", .05, .05), UNBROKEN("unbroken", MEAN_TURNS, "breaks .2", .2, 0), UNBROKEN("unbroken", MEAN_TURNS, "breaks .01", .01, 0), UNBROKEN("unbroken", MEAN_TURNS, "breaks .01, leave .05", .01, .05),
    UNBROKEN("unbroken, every turn", ALL_TURNS, "breaks .05 a turn", .05, 0), UNBROKEN("unbroken, every turn", ALL_TURNS, "breaks .05, leave .05", .05, .05), UNBROKEN("unbroken, every turn", ALL_TURNS, "breaks .2", .2, 0), UNBROKEN("unbroken, every turn", ALL_TURNS, "breaks .01", .01, 0),
};
/* clang-format on */

static struct result results[COUNT(regimes)];
static const char *only;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static size_t next;

/* Means cost next to nothing: of them more sets, so that chance has less room. */
static int sets_of(const struct regime *c)
{
    return c->draw == draw_mean || c->draw == draw_rate || c->draw == draw_share ||
                   c->draw == draw_difference || c->draw == draw_better
               ? 5 * sets
               : sets;
}

static void run(size_t at)
{
    const struct regime *c = &regimes[at];
    double truth = c->truth(c);

    char name[128];

    (void)snprintf(name, sizeof name, "%s, %s", c->kind, c->regime);
    results[at].cell = c;
    for (int64_t s = 0; s < sets_of(c); s++) {
        struct rng r = rng_keyed(13, name, &s, 1);
        c->draw(c, &r, truth, &results[at].t);
    }
}

static void *work(void *unused)
{
    for (;;) {
        size_t at;
        (void)pthread_mutex_lock(&lock);
        at = next++;
        (void)pthread_mutex_unlock(&lock);
        if (at >= COUNT(regimes))
            return unused;
        if (!only || strstr(regimes[at].kind, only))
            run(at);
    }
}

/* Below, above, or as it should be; with room for chance. */
static const char *verdict(const struct tally *t, double room)
{
    double share = 100 * t->held / t->given;
    bool cautioned = t->cautions > t->given / 2;

    if (t->given < 20)
        return "refused";
    if (share < 93 - room)
        return cautioned ? "low, cautioned" : "LOW";
    if (share > 98.5 + room)
        return cautioned ? "wide, cautioned" : "WIDE";
    return "";
}

static int print(bool quick)
{
    int bad = 0;

    printf("| interval | regime | covers | mean width | refused | with a caution | |\n"
           "|---|---|--:|--:|--:|--:|---|\n");
    for (size_t i = 0; i < COUNT(regimes); i++) {
        const struct tally *t = &results[i].t;
        double n = t->given + t->refused, room;
        const char *word;
        if (!results[i].cell)
            continue;
        /* a set with several intervals is one set */
        room =
            quick ? 100 * 3.5 * sqrt(0.93 * 0.07 * n / sets_of(results[i].cell) / fmax(1, t->given))
                  : 0;
        word = verdict(t, room);
        bad += word[0] == 'L' || word[0] == 'W';
        printf("| %s | %s | %.1f | %.3f | %.1f %% | %.1f %% | %s |\n", results[i].cell->kind,
               results[i].cell->regime, 100 * t->held / t->given, t->width / t->given,
               100 * t->refused / n, 100 * t->cautions / fmax(1, t->given), word);
    }
    return bad;
}

int main(int argc, char **argv)
{
    pthread_t other;
    bool quick = false, threaded;
    int bad;

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--quick") == 0) {
            quick = true;
            sets = 100;
        } else if (strcmp(argv[i], "--sets") == 0 && i + 1 < argc) {
            sets = atoi(argv[++i]);
        } else if (strcmp(argv[i], "--only") == 0 && i + 1 < argc) {
            only = argv[++i];
        }
    }
    for (int k = 0; k < STEPS; k++)
        quantiles[k] = dist_normal_quantile((k + 0.5) / STEPS);
    threaded = pthread_create(&other, NULL, work, NULL) == 0;
    (void)work(NULL);
    if (threaded)
        (void)pthread_join(other, NULL);
    bad = print(quick);
    return quick && bad ? 1 : 0;
}
