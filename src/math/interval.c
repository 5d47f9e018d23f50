#include "math/interval.h"

#include <math.h>

#include "math/describe.h"
#include "math/dist.h"

static struct interval around(double value, double se, double width)
{
    return (struct interval){
        .value = value, .se = se, .low = value - width * se, .high = value + width * se};
}

/* For how many se the interval reaches to each side. */
static double t_width(size_t clusters, double level)
{
    return clusters < 2 ? (double)NAN : dist_t_quantile(0.5 + level / 2, (double)(clusters - 1));
}

/* The interval of a mean of independent values. */
static struct interval of_values(const struct describe *d, double level)
{
    double se = describe_sd(d) / sqrt((double)d->n);
    struct interval i = around(describe_mean(d), se, t_width(d->n, level));

    i.clusters = d->n;
    return i;
}

static double cluster_mean(const struct interval_cluster *c)
{
    return c->sum / (double)c->n;
}

struct interval interval_of_means(const struct interval_cluster *c, size_t n, double level)
{
    struct describe d = {0};
    struct interval i;
    size_t count = 0;

    for (size_t k = 0; k < n; k++) {
        if (c[k].n == 0)
            continue;
        describe_add(&d, cluster_mean(&c[k]));
        count += c[k].n;
    }
    i = of_values(&d, level);
    i.n = count;
    return i;
}

struct interval interval_of_ratio(const struct interval_cluster *c, size_t n, double level)
{
    double sum = 0, squares = 0, ratio, se;
    size_t count = 0, clusters = 0;
    struct interval i;

    for (size_t k = 0; k < n; k++) {
        sum += c[k].n ? c[k].sum : 0;
        count += c[k].n;
        clusters += c[k].n > 0;
    }
    ratio = count ? sum / (double)count : (double)NAN;
    for (size_t k = 0; k < n; k++) {
        double off = c[k].n ? c[k].sum - ratio * (double)c[k].n : 0;
        squares += off * off;
    }
    se = sqrt(squares * (double)clusters / ((double)clusters - 1)) / (double)count;
    i = around(ratio, clusters < 2 ? (double)NAN : se, t_width(clusters, level));
    i.n = count;
    i.clusters = clusters;
    return i;
}

struct interval interval_of_difference(const struct interval_cluster *a,
                                       const struct interval_cluster *b, size_t n, double level)
{
    struct describe d = {0};
    struct interval i;
    size_t count = 0;

    for (size_t k = 0; k < n; k++) {
        if (a[k].n == 0 || b[k].n == 0)
            continue;
        describe_add(&d, cluster_mean(&a[k]) - cluster_mean(&b[k]));
        count += a[k].n + b[k].n;
    }
    i = of_values(&d, level);
    i.n = count;
    return i;
}

struct interval interval_scale(struct interval i, double times)
{
    double one = i.low * times, other = i.high * times;

    i.value *= times;
    i.se *= fabs(times);
    i.low = times < 0 ? other : one;
    i.high = times < 0 ? one : other;
    return i;
}

struct interval interval_wilson(size_t k, size_t n, double level)
{
    double trials = (double)n, p = (double)k / trials, z = dist_normal_quantile(0.5 + level / 2);
    double shrink = 1 + z * z / trials, centre = (p + z * z / (2 * trials)) / shrink;
    double half = z / shrink * sqrt(p * (1 - p) / trials + z * z / (4 * trials * trials));
    struct interval i = {.n = n, .clusters = n};

    if (n == 0 || k > n)
        p = centre = half = (double)NAN;
    i.value = p;
    i.se = sqrt(p * (1 - p) / trials);
    /* Exact at the ends, where rounding could leave the interval on the wrong side of p. */
    i.low = k == 0 && n ? 0 : centre - half;
    i.high = k == n && n ? 1 : centre + half;
    return i;
}

void interval_percentiles(struct interval *i, double *rounds, size_t n, double level)
{
    struct describe spread = {0};

    for (size_t k = 0; k < n; k++)
        describe_add(&spread, rounds[k]);
    describe_sort(rounds, n);
    i->se = describe_sd(&spread);
    i->low = n ? describe_quantile(rounds, n, (1 - level) / 2) : (double)NAN;
    i->high = n ? describe_quantile(rounds, n, (1 + level) / 2) : (double)NAN;
}
