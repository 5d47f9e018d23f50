#include "math/jackknife.h"

#include <math.h>

#include "math/describe.h"
#include "math/dist.h"

enum {
    PARTS_MOST = 200,     /* with more units, several are left out at once */
    CELLS_MOST = 4000000, /* limit on cells visited per jackknife, subject to PARTS_LEAST */
    PARTS_LEAST = 20,
    RATERS_FEW = 6, /* below, intervals for new raters cover more than their level */
};

static size_t parts_for(size_t things, size_t cells)
{
    size_t most = cells ? CELLS_MOST / cells : PARTS_MOST;

    most = most > PARTS_MOST ? PARTS_MOST : most < PARTS_LEAST ? PARTS_LEAST : most;
    return things < most ? things : most;
}

/* Numbers those that occur without gaps, so that parts have equal sizes. */
struct jackknife_parts jackknife_divide(struct arena *a, const struct cells *c, bool units)
{
    size_t most = units ? c->units : c->raters, things = 0;
    struct jackknife_parts by = {.units = units, .part = NEW_N(a, uint32_t, most + 1)};

    for (size_t i = 0; i < c->n; i++)
        by.part[units ? c->v[i].unit : c->v[i].rater] = 1;
    for (size_t i = 0; i < most; i++)
        things += by.part[i];
    by.n = parts_for(things, c->n);
    for (size_t i = 0, number = 0; i < most; i++)
        if (by.part[i])
            by.part[i] = (uint32_t)(number++ % by.n);
    by.things = things;
    return by;
}

double jackknife_variance(const double *values, size_t n)
{
    struct describe d = {0};

    for (size_t i = 0; i < n; i++) {
        if (!(fabs(values[i]) < 1 - 1e-12))
            return (double)NAN;
        describe_add(&d, atanh(values[i]));
    }
    return n > 1 ? d.squares * (double)(n - 1) / (double)n : (double)NAN;
}

static void leave_out(const struct cells *c, bool units, jackknife_two_fn *fn, void *user,
                      struct jackknife out[2])
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct jackknife_parts by = jackknife_divide(scratch, c, units);
    struct cell *left = NEW_N(scratch, struct cell, c->n + 1);
    double *value[2] = {NEW_N(scratch, double, by.n + 1), NEW_N(scratch, double, by.n + 1)},
           now[2] = {0};

    for (size_t p = 0; p < by.n && !(isnan(now[0]) && isnan(now[1])); p++) {
        struct cells rest = {left, 0, c->units, c->raters};
        for (size_t i = 0; i < c->n; i++) {
            left[rest.n] = c->v[i];
            rest.n += by.part[units ? c->v[i].unit : c->v[i].rater] != p;
        }
        fn(&rest, user, now);
        value[0][p] = now[0];
        value[1][p] = now[1];
    }
    for (int k = 0; k < 2; k++) {
        *(units ? &out[k].by_unit : &out[k].by_rater) = jackknife_variance(value[k], by.n);
        *(units ? &out[k].units : &out[k].raters) = by.n;
    }
}

void jackknife_two(const struct cells *c, jackknife_two_fn *fn, void *user, struct jackknife out[2])
{
    double value[2];

    fn(c, user, value);
    for (int k = 0; k < 2; k++)
        out[k] = (struct jackknife){.value = value[k]};
    leave_out(c, true, fn, user, out);
    leave_out(c, false, fn, user, out);
}

struct single {
    jackknife_fn *fn;
    void *user;
};

static void twice(const struct cells *c, void *user, double values[2])
{
    const struct single *one = user;

    values[0] = values[1] = one->fn(c, one->user);
}

struct jackknife jackknife_of(const struct cells *c, jackknife_fn *fn, void *user)
{
    struct single one = {fn, user};
    struct jackknife both[2];

    jackknife_two(c, twice, &one, both);
    return both[0];
}

struct interval jackknife_interval(const struct jackknife *j, enum jackknife_for whom, double level)
{
    struct interval i = {.value = j->value, .clusters = j->units};
    bool crossed = whom == JACKKNIFE_NEW || (j->raters >= 4 && j->units < 30);
    double p = 0.5 + level / 2, t = dist_t_quantile(p, (double)j->units - 1), half;

    if (j->units < INTERVAL_UNITS_MIN)
        return interval_refuse(i, INTERVAL_FEW_UNITS);
    if (whom == JACKKNIFE_NEW && j->raters < 3)
        return interval_refuse(i, INTERVAL_FEW_RATERS);
    half = t * t * j->by_unit;
    t = dist_t_quantile(p, (double)j->raters - 1);
    if (crossed)
        half += t * t * j->by_rater;
    if (!(fabs(j->value) < 1 - 1e-12) || isnan(half))
        return interval_refuse(i, INTERVAL_PERFECT);
    if (!(half > 1e-18)) /* rounding error */
        return interval_refuse(i, INTERVAL_NO_SPREAD);
    i.se = sqrt(j->by_unit) * (1 - j->value * j->value);
    i.low = tanh(atanh(j->value) - sqrt(half));
    i.high = tanh(atanh(j->value) + sqrt(half));
    if (whom == JACKKNIFE_NEW && j->raters < RATERS_FEW)
        i.why = INTERVAL_WIDE;
    else if (j->units < INTERVAL_UNITS_SHORT)
        i.why = INTERVAL_SHORT;
    return i;
}

struct interval jackknife_lists(const struct jackknife_lists *l, jackknife_pair_fn *fn,
                                double level)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct cell *v = NEW_N(scratch, struct cell, l->n + 1);
    double *x = NEW_N(scratch, double, l->n + 1), *y = NEW_N(scratch, double, l->n + 1);
    struct jackknife j = {.value = fn(l->x, l->y, l->n), .raters = 1};
    struct describe d = {0};
    struct jackknife_parts by;
    struct interval i;

    for (size_t k = 0; k < l->n; k++)
        v[k].unit = l->cluster[k];
    by = jackknife_divide(scratch, &(struct cells){v, l->n, l->clusters, 1}, true);
    j.units = by.n;
    for (size_t part = 0; part < j.units; part++) {
        size_t n = 0;
        for (size_t k = 0; k < l->n; k++)
            if (by.part[l->cluster[k]] != part) {
                x[n] = l->x[k];
                y[n++] = l->y[k];
            }
        describe_add(&d, atanh(fn(x, y, n)));
    }
    j.by_unit = d.squares * (double)(j.units - 1) / (double)j.units;
    j.by_unit = isfinite(j.by_unit) ? j.by_unit : (double)NAN;
    i = jackknife_interval(&j, JACKKNIFE_THESE, level);
    i.n = l->n;
    i.clusters = by.things;
    if (i.why == INTERVAL_FINE && by.things < INTERVAL_UNITS_FEW)
        i.why = INTERVAL_WIDE;
    return i;
}

double jackknife_unseen(size_t k, size_t n)
{
    return k >= n ? 1 : dist_beta_quantile(0.95, (double)(k + 1), (double)(n - k));
}
