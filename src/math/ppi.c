#include "math/ppi.h"

#include <math.h>

#include "math/crossed.h"
#include "math/describe.h"

/* One system: the items that count, with the values of people and of the machine. */
struct side {
    const struct ppi_data *d;
    double *y, *f;    /* [n] items that people rated: human mean, machine */
    double *lambda;   /* [n] */
    double rest_mean; /* mean of `rest` */
    double *rest;     /* [m] the machine's values of other items */
    double lambda_mean;
    bool selected; /* the machine's marks differ between rated and other items */
};

/* The items that count, as unit numbers. */
struct plan {
    struct arena *a;
    uint32_t *rated, *rest;
    size_t n, m;
};

static double *human_means(struct arena *a, const struct cells *c)
{
    double *mean = NEW_N(a, double, c->units + 1);

    for (size_t u = 0; u < c->units; u++)
        mean[u] = (double)NAN;
    for (size_t from = 0, to = 0; cell_unit(c, &from, &to);) {
        double sum = 0;
        for (size_t i = from; i < to; i++)
            sum += c->v[i].value;
        mean[c->v[from].unit] = sum / (double)(to - from);
    }
    return mean;
}

/* Sets the machine's weight for each item from the other items, limited to [0, 1]. */
static void set_weights(struct side *s, const struct plan *p)
{
    struct describe y = describe_of(s->y, p->n), f = describe_of(s->f, p->n),
                    rest = describe_of(s->rest, p->m);
    double n = (double)p->n, m = (double)p->m, sum = 0, scale;

    s->rest_mean = p->m ? rest.mean : 0;
    s->selected = p->n > 1 && p->m > 1 &&
                  fabs(f.mean - rest.mean) >
                      3 * sqrt(describe_variance(&f) / n + describe_variance(&rest) / m);
    scale = (1 + n / m) * describe_variance(&rest);
    for (size_t i = 0; i < p->n; i++)
        sum += (s->y[i] - y.mean) * (s->f[i] - f.mean);
    for (size_t i = 0; i < p->n; i++) {
        double own = (s->y[i] - y.mean) * (s->f[i] - f.mean);
        double lambda = (sum - n * own / (n - 1)) / (n - 2) / scale;
        s->lambda[i] = p->m > 1 && isfinite(lambda) ? fmin(fmax(lambda, 0), 1) : 0;
        s->lambda_mean += s->lambda[i] / n;
    }
}

static struct side side_of(const struct ppi_data *d, const struct plan *p)
{
    struct side s = {.d = d,
                     .y = NEW_N(p->a, double, p->n + 1),
                     .f = NEW_N(p->a, double, p->n + 1),
                     .lambda = NEW_N(p->a, double, p->n + 1),
                     .rest = NEW_N(p->a, double, p->m + 1)};
    const double *human = human_means(p->a, &d->human);

    for (size_t i = 0; i < p->n; i++) {
        s.y[i] = human[p->rated[i]];
        s.f[i] = d->machine[p->rated[i]];
    }
    for (size_t i = 0; i < p->m; i++)
        s.rest[i] = d->machine[p->rest[i]];
    set_weights(&s, p);
    return s;
}

/* Sums of the marks on each item, to leave raters out. */
struct marks {
    double *sum;
    size_t *n;
};

/* The mean of z without one rater: keeps the weights, drops items that nobody else rated. */
static double mean_without(const struct side *s, const struct plan *p, const struct marks *all,
                           const struct marks *one, bool *some)
{
    double sum = 0, n = 0;

    for (size_t i = 0; i < p->n; i++) {
        uint32_t u = p->rated[i];
        if (all->n[u] == one->n[u])
            continue;
        sum += (all->sum[u] - one->sum[u]) / (double)(all->n[u] - one->n[u]) -
               s->lambda[i] * (s->f[i] - s->rest_mean);
        n++;
    }
    *some = n > 0;
    return sum / n;
}

static struct marks marks_of(struct arena *a, const struct ppi_data *d, uint32_t rater)
{
    struct marks m = {NEW_N(a, double, d->human.units + 1), NEW_N(a, size_t, d->human.units + 1)};

    for (size_t i = 0; i < d->human.n; i++)
        if (rater == UINT32_MAX || d->human.v[i].rater == rater) {
            m.sum[d->human.v[i].unit] += d->human.v[i].value;
            m.n[d->human.v[i].unit]++;
        }
    return m;
}

static bool *raters_of(const struct plan *p, const struct side *s, size_t *count)
{
    bool *there = NEW_N(p->a, bool, s->d->human.raters + 1);

    *count = 0;
    for (size_t i = 0; i < s->d->human.n; i++) {
        bool *one = &there[s->d->human.v[i].rater];
        *count += !*one;
        *one = true;
    }
    return there;
}

/* Jackknife variance over raters of the mean of one side, or of the difference of two. */
static double variance_of_raters(const struct plan *p, const struct side *one,
                                 const struct side *two, size_t *raters)
{
    const bool *there = raters_of(p, one, raters);
    struct marks all = marks_of(p->a, one->d, UINT32_MAX),
                 others = two ? marks_of(p->a, two->d, UINT32_MAX) : (struct marks){0};
    struct describe means = {0};

    for (uint32_t r = 0; r < one->d->human.raters; r++) {
        AUTO(arena_freep) struct arena *scratch = arena_new();
        struct marks own;
        bool some, more = true;
        double mean;
        if (!there[r])
            continue;
        own = marks_of(scratch, one->d, r);
        mean = mean_without(one, p, &all, &own, &some);
        if (two) {
            own = marks_of(scratch, two->d, r);
            mean -= mean_without(two, p, &others, &own, &more);
        }
        if (!some || !more)
            return (double)NAN;
        describe_add(&means, mean);
    }
    return means.squares * (double)(means.n - 1) / (double)means.n;
}

/* Corrected values are bounded too, except for what the correction moves beyond an end: makes the
 * interval no narrower than method M of them, shifted to the mean. */
static struct interval bounded(const struct plan *p, const double *z, struct interval i, bool two,
                               struct interval_scale scale, double level)
{
    struct interval_cluster *c = NEW_N(p->a, struct interval_cluster, p->n + 1),
                            *none = NEW_N(p->a, struct interval_cluster, p->n + 1);
    struct interval m;

    for (size_t k = 0; k < p->n; k++) {
        c[k] = (struct interval_cluster){fmin(fmax(z[k], scale.min), scale.max), 1};
        none[k].n = 1;
    }
    m = two ? interval_of_difference(c, none, p->n, (struct interval_scale){0, scale.max}, level)
            : interval_of_means(c, p->n, scale, level);
    m.low += i.value - m.value;
    m.high += i.value - m.value;
    return interval_clip(interval_hull(i, &m), scale);
}

static struct ppi estimate(const struct plan *p, const struct side *one, const struct side *two,
                           struct interval_scale scale, double level)
{
    struct ppi out = {.lambda = one->lambda_mean, .rated = p->n, .rest = p->m};
    struct describe z = {0}, rest = {0};
    double half, *each = NEW_N(p->a, double, p->n + 1);

    for (size_t i = 0; i < p->n; i++) {
        double v = one->y[i] - one->lambda[i] * (one->f[i] - one->rest_mean);
        if (two)
            v -= two->y[i] - two->lambda[i] * (two->f[i] - two->rest_mean);
        describe_add(&z, v);
        each[i] = v;
    }
    for (size_t i = 0; i < p->m; i++)
        describe_add(&rest,
                     one->lambda_mean * one->rest[i] - (two ? two->lambda_mean * two->rest[i] : 0));
    out.by_item = describe_variance(&z) / (double)p->n +
                  (p->m > 1 ? describe_variance(&rest) / (double)p->m : 0);
    out.by_rater = variance_of_raters(p, one, two, &out.raters);
    out.mean = (struct interval){.value = describe_mean(&z), .n = p->n + p->m, .clusters = p->n};
    if (p->n < INTERVAL_UNITS_MIN)
        out.mean = interval_refuse(out.mean, INTERVAL_FEW_UNITS);
    else if (out.raters < 3 || isnan(out.by_rater))
        out.mean = interval_refuse(out.mean, INTERVAL_FEW_RATERS);
    else if (!(out.by_item + out.by_rater > 1e-18)) /* rounding error */
        out.mean = interval_refuse(out.mean, INTERVAL_NO_SPREAD);
    if (out.mean.why)
        return out;
    half = crossed_half(out.by_rater, out.raters, out.by_item, p->n, level);
    out.mean.se = sqrt(out.by_item + out.by_rater);
    if (one->selected || (two && two->selected))
        out.mean.why = INTERVAL_SELECTED;
    else if (out.raters < (two ? 4 : 1) * INTERVAL_RATERS_FEW || p->n < INTERVAL_UNITS_FEW)
        out.mean.why = INTERVAL_WIDE;
    out.mean.low = out.mean.value - half;
    out.mean.high = out.mean.value + half;
    out.mean = bounded(p, each, out.mean, two != NULL, scale, level);
    return out;
}

/* Items that people rated for both systems, and those that only the machine rated for both. */
static struct plan plan_of(struct arena *a, const struct ppi_data *one, const struct ppi_data *two)
{
    size_t units = one->human.units;
    struct plan p = {
        .a = a, .rated = NEW_N(a, uint32_t, units + 1), .rest = NEW_N(a, uint32_t, units + 1)};
    const double *first = human_means(a, &one->human),
                 *second = two ? human_means(a, &two->human) : first;

    for (uint32_t u = 0; u < units; u++) {
        if (isnan(one->machine[u]) || (two && isnan(two->machine[u])))
            continue;
        if (!isnan(first[u]) && !isnan(second[u]))
            p.rated[p.n++] = u;
        else if (isnan(first[u]) && isnan(second[u]))
            p.rest[p.m++] = u;
    }
    return p;
}

struct ppi ppi_mean(const struct ppi_data *d, struct interval_scale scale, double level)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct plan p = plan_of(scratch, d, NULL);
    struct side one = side_of(d, &p);

    return estimate(&p, &one, NULL, scale, level);
}

struct ppi ppi_difference(const struct ppi_data *a, const struct ppi_data *b,
                          struct interval_scale scale, double level)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct plan p = plan_of(scratch, a, b);
    struct side one = side_of(a, &p), two = side_of(b, &p);
    double span = scale.max - scale.min;

    return estimate(&p, &one, &two, (struct interval_scale){-span, span}, level);
}
