#include "math/crossed.h"

#include <math.h>

#include "math/dist.h"

/* Sums by rater or unit. */
struct sums {
    double *weight, *off; /* off: weighted deviations from the mean */
    size_t *n;
};

static struct sums sums_new(struct arena *a, size_t n)
{
    return (struct sums){NEW_N(a, double, n + 1), NEW_N(a, double, n + 1), NEW_N(a, size_t, n + 1)};
}

/* (K - 1) / K times the sum of (u / (1 - w))^2, the change of the mean without each. If all values
 * are equal, what remains is rounding, because weights do not add up to exactly one. */
static double variance(const struct sums *s, size_t n, size_t used, double mean)
{
    double sum = 0, k = (double)used;

    for (size_t i = 0; i < n; i++)
        if (s->n[i]) {
            double moved = s->off[i] / (1 - s->weight[i]);
            sum += moved * moved;
        }
    sum = sum > 1e-20 * fmax(1, mean * mean) ? sum : 0;
    return used > 1 ? (k - 1) / k * sum : (double)NAN;
}

static void weigh(const struct cells *c, struct sums *raters, struct sums *units, struct crossed *x)
{
    for (size_t i = 0; i < c->n; i++) {
        x->raters += raters->n[c->v[i].rater]++ == 0;
        x->units += units->n[c->v[i].unit]++ == 0;
    }
    x->mean = c->n ? 0 : (double)NAN;
    for (size_t i = 0; i < c->n; i++) {
        double w = 1 / ((double)x->raters * (double)raters->n[c->v[i].rater]);
        x->mean += w * c->v[i].value;
        raters->weight[c->v[i].rater] += w;
        units->weight[c->v[i].unit] += w;
    }
    for (size_t i = 0; i < c->n; i++) {
        double w = 1 / ((double)x->raters * (double)raters->n[c->v[i].rater]);
        raters->off[c->v[i].rater] += w * (c->v[i].value - x->mean);
        units->off[c->v[i].unit] += w * (c->v[i].value - x->mean);
    }
}

static struct crossed weighed(const struct cells *c)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct sums raters = sums_new(scratch, c->raters), units = sums_new(scratch, c->units);
    struct crossed x = {.n = c->n};

    weigh(c, &raters, &units, &x);
    for (size_t i = 0; i < c->units; i++)
        x.heaviest = fmax(x.heaviest, units.weight[i]);
    x.by_rater = variance(&raters, c->raters, x.raters, x.mean);
    x.by_unit = variance(&units, c->units, x.units, x.mean);
    return x;
}

/* Sums by unit, [units], in the arena. */
static struct interval_cluster *by_unit(struct arena *a, const struct cells *c)
{
    struct interval_cluster *v = NEW_N(a, struct interval_cluster, c->units + 1);

    for (size_t i = 0; i < c->n; i++) {
        v[c->v[i].unit].sum += c->v[i].value;
        v[c->v[i].unit].n++;
    }
    return v;
}

struct crossed crossed_of(const struct cells *c, struct interval_scale scale, double level)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct crossed x = weighed(c);

    x.scale = scale;
    x.passages = interval_of_means(by_unit(scratch, c), c->units, scale, level);
    return x;
}

struct crossed crossed_of_differences(const struct cells *c, struct interval_scale scale,
                                      double level)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct interval_cluster *d = by_unit(scratch, c), *none = by_unit(scratch, c);
    struct crossed x = weighed(c);

    for (size_t u = 0; u < c->units; u++)
        none[u].sum = 0;
    x.scale = (struct interval_scale){scale.min - scale.max, scale.max - scale.min};
    x.passages = interval_of_difference(d, none, c->units, scale, level);
    return x;
}

double crossed_half(double by_rater, size_t raters, double by_unit, size_t units, double level)
{
    double p = 0.5 + level / 2, tu = dist_t_quantile(p, (double)units - 1);
    double tr = raters > 2 ? dist_t_quantile(p, (double)raters - 1) : 0;

    return sqrt((raters > 2 ? tr * tr * by_rater : 0) + tu * tu * by_unit);
}

struct interval crossed_interval(const struct crossed *x, double level)
{
    struct interval i = {.value = x->mean, .n = x->n, .clusters = x->units};
    double half;

    if (x->units < 2 || x->heaviest > 1 - 1e-9)
        return interval_refuse(i, INTERVAL_ONE_UNIT);
    i.se = sqrt(x->by_unit + (x->raters > 2 ? x->by_rater : 0));
    half = crossed_half(x->by_rater, x->raters, x->by_unit, x->units, level);
    i.low = x->mean - half;
    i.high = x->mean + half;
    i.why = x->raters == 1                    ? INTERVAL_ONE_RATER
            : x->raters == 2                  ? INTERVAL_TWO_RATERS
            : x->raters < INTERVAL_RATERS_FEW ? INTERVAL_WIDE
                                              : INTERVAL_FINE;
    if (isnan(x->passages.low)) { /* too few to know the distribution near an end of the scale */
        if (!(half > 0))
            return interval_refuse(i, INTERVAL_NO_SPREAD);
        return interval_clip(i, x->scale);
    }
    if (!(half > 0))
        i.why = INTERVAL_ALIKE;
    return interval_clip(interval_hull(i, &x->passages), x->scale);
}

struct cells crossed_less(struct arena *a, const struct cells *one, const struct cells *other)
{
    struct cell *v = NEW_N(a, struct cell, one->n + 1);
    size_t n = 0;

    for (size_t i = 0, k = 0; i < one->n && k < other->n;) {
        const struct cell *x = &one->v[i], *y = &other->v[k];
        if (x->unit != y->unit || x->rater != y->rater) {
            bool first = x->unit != y->unit ? x->unit < y->unit : x->rater < y->rater;
            i += first;
            k += !first;
            continue;
        }
        v[n++] = (struct cell){x->unit, x->rater, x->value - y->value};
        i++;
        k++;
    }
    return (struct cells){v, n, one->units, one->raters};
}

static double half_at(const struct crossed *x, double p)
{
    return crossed_half(x->by_rater, x->raters, x->by_unit, x->units, 1 - p);
}

/* Where the half-width is `off`, nearly: the half-width is between those with the degrees of
 * freedom of either part alone; from there the secant method on logarithms. */
static double near_p(const struct crossed *x, double off)
{
    double t = off / sqrt(x->by_rater + x->by_unit);
    double a = 2 * dist_t_cdf(-t, (double)x->raters - 1),
           p = 2 * dist_t_cdf(-t, (double)x->units - 1), at_a = log(half_at(x, a) / off);

    for (int step = 0; step < 10 && fabs(p - a) > 1e-13 * p; step++) {
        double at_p = log(half_at(x, p) / off), next = p * pow(a / p, at_p / (at_p - at_a));
        if (!(next > 0 && next < 1))
            break;
        a = p;
        at_a = at_p;
        p = next;
    }
    return p;
}

/* The half-width grows with the level: bisect until it equals the distance of the mean from 0. The
 * first steps need no half-width, because it is known nearly where they lead. */
double crossed_p(const struct crossed *x)
{
    double low = 0, high = 1, off = fabs(x->mean), below, above, slack, p, level = NAN;
    bool wide = false;

    if (x->raters < 3 || x->units < 2 || isnan(x->mean) || x->heaviest > 1 - 1e-9)
        return (double)NAN;
    if (off == 0)
        return 1;
    if (!(x->by_rater + x->by_unit > 0)) /* all equal: sign test on the smaller number */
        return ldexp(2, -(int)(x->raters < x->units ? x->raters : x->units));
    p = near_p(x, off);
    slack = 2e-15 + 5e-13 * p;
    do {
        below = p - slack;
        above = p + slack;
        slack *= 64;
    } while ((below > 0 && half_at(x, below) <= off) || (above < 1 && half_at(x, above) > off));
    for (int step = 0; step < 60; step++) {
        p = (low + high) / 2;
        if (level != 1 - p) { /* else it is as before */
            level = 1 - p;
            wide = p < below || (p <= above && half_at(x, p) > off);
        }
        *(wide ? &low : &high) = p;
    }
    return high;
}
