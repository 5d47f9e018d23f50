#include "math/crossed.h"

#include <math.h>

#include "math/dist.h"
#include "math/resample.h"

/* means[systems] of cells that count as often as both weights say; NULL: once. */
static void means_of(const struct cells *c, const uint32_t *system, size_t systems,
                     const double *units, const double *raters, double *weights, double *means)
{
    memset(weights, 0, systems * sizeof *weights);
    memset(means, 0, systems * sizeof *means);
    for (size_t i = 0; i < c->n; i++) {
        double w = units ? units[c->v[i].unit] * raters[c->v[i].rater] : 1;
        weights[system[i]] += w;
        means[system[i]] += w * c->v[i].value;
    }
    for (size_t s = 0; s < systems; s++)
        means[s] = weights[s] > 0 ? means[s] / weights[s] : (double)NAN;
}

/* Draws n things of n, those that occur among the cells; *there says how many do. */
static const struct resample *drawer(struct arena *a, const struct cells *c, bool of_units,
                                     double *there)
{
    size_t n = of_units ? c->units : c->raters;
    double *once = NEW_N(a, double, n + 1);

    *there = 0;
    for (size_t i = 0; i < c->n; i++) {
        double *one = &once[of_units ? c->v[i].unit : c->v[i].rater];
        *there += *one == 0;
        *one = 1;
    }
    return resample_new(a, once, n);
}

struct crossed crossed_means(struct arena *a, const struct cells *c, const uint32_t *system,
                             size_t systems, const struct interval_bootstrap *how)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct crossed x = {.mean = NEW_N(a, double, systems + 1),
                        .round = NEW_N(a, double, how->rounds *systems + 1),
                        .systems = systems,
                        .rounds = c->n ? how->rounds : 0,
                        .level = how->level};
    double *weights = NEW_N(scratch, double, systems + 1), *units, *raters, nunits, nraters;
    const struct resample *of_units, *of_raters;

    means_of(c, system, systems, NULL, NULL, weights, x.mean);
    if (c->n == 0)
        return x;
    of_units = drawer(scratch, c, true, &nunits);
    of_raters = drawer(scratch, c, false, &nraters);
    x.df = fmin(nunits, nraters) - 1;
    units = NEW_N(scratch, double, c->units + 1);
    raters = NEW_N(scratch, double, c->raters + 1);
    for (size_t k = 0; k < x.rounds; k++) {
        struct rng r = rng_keyed(how->seed, how->purpose, (const int64_t[]){(int64_t)k}, 1);
        resample_draw(of_units, &r, units);
        resample_draw(of_raters, &r, raters);
        means_of(c, system, systems, units, raters, weights, x.round + k * systems);
    }
    return x;
}

/* of[rounds]: one system, or one less the other where that is not SIZE_MAX. Returns how many rounds
 * have a value. */
static size_t rounds_of(const struct crossed *x, size_t one, size_t other, double *of)
{
    size_t n = 0;

    for (size_t k = 0; k < x->rounds; k++) {
        const double *row = x->round + k * x->systems;
        double v = other == SIZE_MAX ? row[one] : row[one] - row[other];
        if (!isnan(v))
            of[n++] = v;
    }
    return n;
}

static struct interval interval_of(const struct crossed *x, size_t one, size_t other)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    double *of = NEW_N(scratch, double, x->rounds + 1);
    size_t n = rounds_of(x, one, other, of);
    struct interval i = {.value = x->mean[one]};

    if (other != SIZE_MAX)
        i.value -= x->mean[other];
    interval_percentiles(&i, of, n, x->level);
    return i;
}

struct interval crossed_interval(const struct crossed *x, size_t system)
{
    return interval_of(x, system, SIZE_MAX);
}

struct interval crossed_difference(const struct crossed *x, size_t one, size_t other)
{
    return interval_of(x, one, other);
}

double crossed_p(const struct crossed *x, size_t one, size_t other)
{
    struct interval i = crossed_difference(x, one, other);

    if (!(x->df > 0) || isnan(i.value) || isnan(i.se))
        return (double)NAN;
    if (i.value == 0)
        return 1;
    return 2 * dist_t_cdf(-fabs(i.value) / i.se, x->df);
}
