#include "math/accord.h"

#include <math.h>

#include "math/correlate.h"

static const double level = 0.95;

enum { UNITS_ENOUGH = 100 }; /* for intervals where one category has most marks */
static const double most_marks = 0.7;

/* ---- what is there ---- */

struct view {
    struct cells paired; /* of units with two values or more */
    struct cells coded;  /* of all units, as numbers of categories */
    double *levels;
    size_t nlevels, units, split; /* split: units with different values */
    double largest;               /* share of the largest category */
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

static struct view view_of(struct arena *a, const struct cells *c)
{
    struct cell *kept = NEW_N(a, struct cell, c->n + 1);
    struct view v = {.paired = {kept, 0, c->units, c->raters}};

    for (size_t from = 0, to = 0; cell_unit(c, &from, &to);)
        for (size_t i = from; i < to && to - from > 1; i++)
            kept[v.paired.n++] = c->v[i];
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

static double alpha(const struct cells *c, void *user)
{
    const enum agree_level *of = user;

    return agree_alpha(c, *of);
}

static double ac1(const struct cells *c, void *user)
{
    const size_t *categories = user;

    return kappa_many(c, *categories).ac1;
}

/* Without some raters units have different numbers of values. */
static double fleiss(const struct cells *c, void *user)
{
    const size_t *categories = user;

    return kappa_many(c, *categories).uneven;
}

/* Of the two raters of each unit. */
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

static struct interval unknown(void)
{
    return (struct interval){.value = (double)NAN, .low = (double)NAN, .high = (double)NAN};
}

static struct interval guarded(const struct view *v, struct interval i)
{
    return v->largest > most_marks && v->units < UNITS_ENOUGH && !isnan(i.value)
               ? interval_refuse(i, INTERVAL_LOPSIDED)
               : i;
}

static struct interval measured(const struct view *v, const struct cells *c, jackknife_fn *fn,
                                void *user, enum jackknife_for whom)
{
    struct jackknife j = jackknife_of(c, fn, user);
    struct interval i = isnan(j.value) ? unknown() : jackknife_interval(&j, whom, level);

    i.n = c->n;
    i.clusters = v->units;
    return i;
}

/* The lower end from what so many units could have missed, for agreement that is nearly perfect. */
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
    enum agree_level of = how->level;
    double unseen = jackknife_unseen(v->split, v->units), m = (double)v->paired.n;

    out->alpha = measured(v, &v->paired, alpha, &of, how->whom);
    if (how->level == AGREE_NOMINAL)
        out->alpha = one_sided(out->alpha, 1 - unseen / ((1 - v->chance) * m / (m - 1)));
    out->alpha = guarded(v, out->alpha);
    out->many = kappa_many(&v->coded, v->nlevels);
    out->ac1 = measured(v, &v->coded, ac1, &v->nlevels, how->whom);
    out->ac1 = one_sided(out->ac1, (1 - unseen - v->spread) / (1 - v->spread));
    if (isnan(out->many.fleiss))
        return;
    out->fleiss = measured(v, &v->coded, fleiss, &v->nlevels, how->whom);
    out->fleiss = guarded(v, out->fleiss);
}

/* Weighted where levels are more than names. */
static void of_two(struct view *v, const struct accord_how *how, struct accord *out)
{
    for (int w = 0; w < (how->level == AGREE_NOMINAL ? 1 : (int)KAPPA_WEIGHTS); w++) {
        enum kappa_weights weights = (enum kappa_weights)w;
        out->kappa[w] = measured(v, &v->paired, kappa, &weights, JACKKNIFE_THESE);
        out->kappa[w] = guarded(v, out->kappa[w]);
    }
}

struct accord accord_of(const struct cells *c, const struct accord_how *how)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct accord out = {.concordance = (double)NAN, .icc = icc_of(&(struct cells){0})};
    struct view v = view_of(scratch, c);

    for (size_t w = 0; w < KAPPA_WEIGHTS; w++)
        out.kappa[w] = unknown();
    out.alpha = out.ac1 = out.fleiss = unknown();
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
