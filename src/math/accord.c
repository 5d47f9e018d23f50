#include "math/accord.h"

#include <math.h>

#include "math/correlate.h"

static const double level = 0.95;

enum { UNITS_ENOUGH = 100 }; /* for intervals despite a dominant category */
static const double most_marks = 0.7;

/* ---- overview of the data ---- */

struct view {
    struct cells paired; /* units with two or more values only */
    struct cells coded;  /* all units, with category numbers as values */
    enum agree_level level;
    double *levels;
    size_t nlevels, units, split; /* split: units with different values */
    double largest;               /* share of the most frequent category */
    double chance, spread;        /* sums over categories of p^2 and of pi (1 - pi) / (q - 1) */
};

static void look_at_shares(struct arena *a, struct view *v)
{
    double *count = NEW_N(a, double, v->nlevels + 1), *share = NEW_N(a, double, v->nlevels + 1);
    double n = (double)v->paired.n;

    for (size_t from = 0, to = 0; cell_unit(&v->coded, &from, &to);) {
        bool differs = false;
        if (to - from < 2)
            continue;
        v->units++;
        for (size_t i = from; i < to; i++) {
            count[(size_t)v->coded.v[i].value] += 1;
            share[(size_t)v->coded.v[i].value] += 1 / (double)(to - from);
            differs |= v->coded.v[i].value != v->coded.v[from].value;
        }
        v->split += differs;
    }
    for (size_t k = 0; k < v->nlevels; k++) {
        double p = count[k] / n, pi = share[k] / (double)v->units;
        v->largest = fmax(v->largest, p);
        v->chance += p * p;
        v->spread += pi * (1 - pi) / ((double)v->nlevels - 1);
    }
}

/* The cells of units with two or more values. */
static struct cells several(struct arena *a, const struct cells *c)
{
    struct cell *kept = NEW_N(a, struct cell, c->n + 1);
    struct cells out = {kept, 0, c->units, c->raters};

    for (size_t from = 0, to = 0; cell_unit(c, &from, &to);)
        for (size_t i = from; i < to && to - from > 1; i++)
            kept[out.n++] = c->v[i];
    return out;
}

static struct view view_of(struct arena *a, const struct cells *c, enum agree_level on)
{
    struct view v = {.paired = several(a, c), .level = on};

    v.coded = cell_coded(a, c, &v.levels, &v.nlevels);
    look_at_shares(a, &v);
    return v;
}

static void count(const struct cells *c, struct accord *out)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    bool *seen = NEW_N(scratch, bool, c->raters + 1);

    for (size_t i = 0; i < c->n; i++) {
        out->units += i == 0 || c->v[i].unit != c->v[i - 1].unit;
        out->raters += !seen[c->v[i].rater];
        seen[c->v[i].rater] = true;
    }
    out->values = c->n;
}

/* ---- coefficients ---- */

/* Two ways to compute it: from sums if there are few categories, else from the values. */
struct coefficient {
    census_fn *of_sums;
    jackknife_fn *of_values;
};

static double alpha_of_sums(const struct census *t, void *user)
{
    const struct view *v = user;

    return agree_of_census(t, v->levels, v->level);
}

static double alpha_of_values(const struct cells *c, void *user)
{
    const struct view *v = user;

    return agree_alpha(c, v->level);
}

static double ac1_of_sums(const struct census *t, void *unused)
{
    (void)unused;
    return kappa_of_census(t).ac1;
}

static double ac1_of_values(const struct cells *c, void *user)
{
    const struct view *v = user;

    return kappa_many(c, v->nlevels).ac1;
}

/* Without some raters, units have different numbers of values. */
static double fleiss_of_sums(const struct census *t, void *unused)
{
    (void)unused;
    return kappa_of_census(t).uneven;
}

static double fleiss_of_values(const struct cells *c, void *user)
{
    const struct view *v = user;

    return kappa_many(c, v->nlevels).uneven;
}

static const struct coefficient alpha = {alpha_of_sums, alpha_of_values},
                                ac1 = {ac1_of_sums, ac1_of_values},
                                fleiss = {fleiss_of_sums, fleiss_of_values};

/* For units with two values. */
static double kappa(const struct cells *c, void *user)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    const enum kappa_weights *weights = user;
    double *x = NEW_N(scratch, double, c->n + 1), *y = NEW_N(scratch, double, c->n + 1);
    size_t n = 0;

    for (size_t from = 0, to = 0; cell_unit(c, &from, &to);)
        if (to - from == 2) {
            x[n] = c->v[from].value;
            y[n++] = c->v[from + 1].value;
        }
    return kappa_pairs(x, y, n, *weights).value;
}

/* ---- intervals ---- */

static struct interval guarded(const struct view *v, struct interval i)
{
    return v->largest > most_marks && v->units < UNITS_ENOUGH && !isnan(i.value)
               ? interval_refuse(i, INTERVAL_LOPSIDED)
               : i;
}

static struct interval measured(const struct view *v, size_t n, const struct jackknife *j,
                                enum jackknife_for whom)
{
    struct interval i = isnan(j->value) ? interval_unknown : jackknife_interval(j, whom, level);

    if (i.why == INTERVAL_PERFECT && i.value < 0 && 2 * v->split > v->units)
        i.why = INTERVAL_NO_SPREAD; /* it is disagreement that is nearly total */
    i.n = n;
    i.clusters = v->units;
    return i;
}

/* `coded` and `plain` are the same cells, as category numbers and as values. */
static struct interval of_categories(struct view *v, const struct cells *coded,
                                     const struct cells *plain, const struct coefficient *k,
                                     enum jackknife_for whom)
{
    struct jackknife j = v->nlevels <= CENSUS_LEVELS
                             ? census_jackknife(coded, v->nlevels, k->of_sums, v)
                             : jackknife_of(plain, k->of_values, v);

    return measured(v, coded->n, &j, whom);
}

/* For nearly perfect agreement: a lower bound from what so many units could have missed. */
static struct interval one_sided(struct interval i, double low)
{
    if (i.why != INTERVAL_PERFECT || !isfinite(low))
        return i;
    i.low = fmin(i.value, fmax(-1, low));
    i.high = 1;
    i.why = INTERVAL_ONE_SIDED;
    return i;
}

static void on_categories(struct view *v, const struct accord_how *how, struct accord *out)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct cells paired = several(scratch, &v->coded);
    double unseen = jackknife_unseen(v->split, v->units), m = (double)paired.n;

    out->alpha = of_categories(v, &paired, &v->paired, &alpha, how->whom);
    if (how->level == AGREE_NOMINAL)
        out->alpha = one_sided(out->alpha, 1 - unseen / ((1 - v->chance) * m / (m - 1)));
    if (how->level >= AGREE_INTERVAL && v->units < INTERVAL_UNITS_FEW &&
        out->alpha.why == INTERVAL_FINE)
        out->alpha.why = INTERVAL_SHORT;
    out->alpha = guarded(v, out->alpha);
    out->ac1 = of_categories(v, &v->coded, &v->coded, &ac1, how->whom);
    out->ac1 = one_sided(out->ac1, (1 - unseen - v->spread) / (1 - v->spread));
    if (isnan(out->many.fleiss))
        return;
    out->fleiss = of_categories(v, &v->coded, &v->coded, &fleiss, how->whom);
    out->fleiss = guarded(v, out->fleiss);
}

/* Weighted unless levels are only names. */
static void of_two(struct view *v, const struct accord_how *how, struct accord *out)
{
    for (int w = 0; w < (how->level == AGREE_NOMINAL ? 1 : (int)KAPPA_WEIGHTS); w++) {
        enum kappa_weights weights = (enum kappa_weights)w;
        struct jackknife j = jackknife_of(&v->paired, kappa, &weights);
        out->kappa[w] = guarded(v, measured(v, v->paired.n, &j, JACKKNIFE_THESE));
    }
}

struct accord accord_of(const struct cells *c, const struct accord_how *how)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct accord out = {.concordance = (double)NAN, .icc = icc_of(&(struct cells){0})};
    struct view v = view_of(scratch, c, how->level);

    for (size_t w = 0; w < KAPPA_WEIGHTS; w++)
        out.kappa[w] = interval_unknown;
    out.alpha = out.ac1 = out.fleiss = interval_unknown;
    count(c, &out);
    out.many = kappa_many(&v.coded, v.nlevels);
    if (v.units)
        on_categories(&v, how, &out);
    if (out.raters == 2)
        of_two(&v, how, &out);
    if (how->level == AGREE_NOMINAL)
        return out;
    out.icc = icc_of(c);
    for (int form = 0; form < ICC_FORMS; form++) {
        out.icc.single[form] = guarded(&v, out.icc.single[form]);
        out.icc.mean[form] = guarded(&v, out.icc.mean[form]);
    }
    out.concordance = correlate_concordance(c);
    return out;
}
