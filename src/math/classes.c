#include "math/classes.h"

#include <math.h>

/* Logarithms of weights in row[k] become chances; returns the logarithm of their sum. */
static double normalise(double *row, size_t k)
{
    double most = row[0], sum = 0;

    for (size_t j = 1; j < k; j++)
        most = fmax(most, row[j]);
    if (isinf(most)) { /* every class is impossible: no rater can be believed */
        for (size_t j = 0; j < k; j++)
            row[j] = 1 / (double)k;
        return most;
    }
    for (size_t j = 0; j < k; j++)
        sum += row[j] = exp(row[j] - most);
    for (size_t j = 0; j < k; j++)
        row[j] /= sum;
    return most + log(sum);
}

/* chance = shares of votes; units without any: all classes alike. */
static void from_votes(const struct cells *c, size_t k, double *chance)
{
    for (size_t i = 0; i < c->n; i++)
        chance[c->v[i].unit * k + (size_t)c->v[i].value]++;
    for (size_t u = 0; u < c->units; u++) {
        double sum = 0;
        for (size_t j = 0; j < k; j++)
            sum += chance[u * k + j];
        for (size_t j = 0; j < k; j++)
            chance[u * k + j] = sum > 0 ? chance[u * k + j] / sum : 1 / (double)k;
    }
}

/* The largest change of any chance; new takes the place of old. */
static double moved(double *old, const double *new, size_t n)
{
    double most = 0;

    for (size_t i = 0; i < n; i++) {
        most = fmax(most, fabs(old[i] - new[i]));
        old[i] = new[i];
    }
    return most;
}

/* Rows of k that sum to 1; empty ones become even. */
static void rows_to_one(double *v, size_t rows, size_t k)
{
    for (size_t r = 0; r < rows; r++) {
        double sum = 0;
        for (size_t j = 0; j < k; j++)
            sum += v[r * k + j];
        for (size_t j = 0; j < k; j++)
            v[r * k + j] = sum > 0 ? v[r * k + j] / sum : 1 / (double)k;
    }
}

/* ---- Dawid and Skene ---- */

static void estimate_raters(const struct cells *c, const struct classes_how *how, struct classes *s)
{
    size_t k = how->classes;

    memset(s->prior, 0, k * sizeof *s->prior);
    for (size_t i = 0; i < c->units * k; i++)
        s->prior[i % k] += s->chance[i] / (double)c->units;
    for (size_t i = 0; i < c->raters * k * k; i++)
        s->confusion[i] = how->smooth;
    for (size_t i = 0; i < c->n; i++)
        for (size_t j = 0; j < k; j++)
            s->confusion[(c->v[i].rater * k + j) * k + (size_t)c->v[i].value] +=
                s->chance[c->v[i].unit * k + j];
    rows_to_one(s->confusion, c->raters * k, k);
}

/* next[units * k] from what raters are like; returns the likelihood of all of it. */
static double estimate_units(const struct cells *c, size_t k, const struct classes *s, double *next)
{
    double sum = 0;

    for (size_t i = 0; i < c->units * k; i++)
        next[i] = log(s->prior[i % k]);
    for (size_t i = 0; i < c->n; i++)
        for (size_t j = 0; j < k; j++)
            next[c->v[i].unit * k + j] +=
                log(s->confusion[(c->v[i].rater * k + j) * k + (size_t)c->v[i].value]);
    for (size_t u = 0; u < c->units; u++)
        sum += normalise(next + u * k, k);
    return sum;
}

void classes_dawid_skene(struct arena *a, const struct cells *c, const struct classes_how *how,
                         struct classes *out)
{
    size_t k = how->classes;
    double *next = NEW_N(a, double, c->units *k + 1);

    *out = (struct classes){
        .chance = NEW_N(a, double, c->units *k + 1),
        .prior = NEW_N(a, double, k + 1),
        .confusion = NEW_N(a, double, c->raters *k *k + 1),
    };
    from_votes(c, k, out->chance);
    while (out->rounds < how->rounds_max && !out->settled) {
        out->rounds++;
        estimate_raters(c, how, out);
        out->log_likelihood = estimate_units(c, k, out, next);
        out->settled = moved(out->chance, next, c->units * k) <= how->tolerance;
    }
}

/* ---- MACE ---- */

/* Chance that the rater of this cell says what it says of a unit of class j. */
static double says(const struct classes_mace *s, const struct cell *v, size_t k, size_t j)
{
    size_t said = (size_t)v->value;
    double trust = s->trust[v->rater];

    return (said == j ? trust : 0) + (1 - trust) * s->habit[v->rater * k + said];
}

/* Classes are alike beforehand. */
static void mace_units(const struct cells *c, size_t k, const struct classes_mace *s, double *next)
{
    memset(next, 0, c->units * k * sizeof *next);
    for (size_t i = 0; i < c->n; i++)
        for (size_t j = 0; j < k; j++)
            next[c->v[i].unit * k + j] += log(says(s, &c->v[i], k, j));
    for (size_t u = 0; u < c->units; u++)
        (void)normalise(next + u * k, k);
}

/* The chance that the rater knew, given what was said and what the unit probably is. */
static double knew(const struct classes_mace *s, const struct cell *v, size_t k)
{
    size_t said = (size_t)v->value;

    return s->chance[v->unit * k + said] * s->trust[v->rater] / says(s, v, k, said);
}

static void mace_raters(struct arena *scratch, const struct cells *c, const struct classes_how *how,
                        struct classes_mace *s)
{
    size_t k = how->classes;
    double *known = NEW_N(scratch, double, c->raters + 1),
           *n = NEW_N(scratch, double, c->raters + 1);
    double *habit = NEW_N(scratch, double, c->raters *k + 1);

    for (size_t i = 0; i < c->raters * k; i++)
        habit[i] = how->smooth;
    for (size_t i = 0; i < c->n; i++) {
        const struct cell *v = &c->v[i];
        double yes = knew(s, v, k);
        known[v->rater] += yes;
        n[v->rater]++;
        habit[v->rater * k + (size_t)v->value] += 1 - yes;
    }
    rows_to_one(habit, c->raters, k);
    memcpy(s->habit, habit, c->raters * k * sizeof *habit);
    for (size_t r = 0; r < c->raters; r++)
        if (n[r] > 0)
            s->trust[r] = (known[r] + how->smooth) / (n[r] + 2 * how->smooth);
}

void classes_mace(struct arena *a, const struct cells *c, const struct classes_how *how,
                  struct classes_mace *out)
{
    size_t k = how->classes;
    AUTO(arena_freep) struct arena *scratch = arena_new();
    double *next = NEW_N(a, double, c->units *k + 1);

    *out = (struct classes_mace){
        .chance = NEW_N(a, double, c->units *k + 1),
        .trust = NEW_N(a, double, c->raters + 1),
        .habit = NEW_N(a, double, c->raters *k + 1),
    };
    for (size_t r = 0; r < c->raters; r++)
        out->trust[r] = 0.8;
    rows_to_one(out->habit, c->raters, k);
    mace_units(c, k, out, out->chance);
    for (; out->rounds < how->rounds_max && !out->settled; arena_reset(scratch)) {
        out->rounds++;
        mace_raters(scratch, c, how, out);
        mace_units(c, k, out, next);
        out->settled = moved(out->chance, next, c->units * k) <= how->tolerance;
    }
}
