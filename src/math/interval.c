#include "math/interval.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "math/describe.h"
#include "math/dist.h"

const struct interval_scale interval_unbounded = {-(double)INFINITY, (double)INFINITY};
const struct interval_scale interval_share = {0, 1};
const struct interval_scale interval_counts = {0, (double)INFINITY};
const struct interval interval_unknown = {
    .value = (double)NAN, .low = (double)NAN, .high = (double)NAN};

static const double nothing = 1e-12; /* smaller sums of squares are rounding errors */

/* Rounds a share of the scale: sums of the same marks in another order differ in their last bits,
 * and would count as different values, or as off the end of the scale. */
static double settled(double share)
{
    return round(share * 1e12) / 1e12;
}

/* clang-format off */
static const char *const reasons[INTERVAL_REASONS] = {
    [INTERVAL_FINE]       = "",
    [INTERVAL_FEW_UNITS]  = "few-items",
    [INTERVAL_ALIKE]      = "all-alike",
    [INTERVAL_ONE_RATER]  = "one-rater",
    [INTERVAL_TWO_RATERS] = "two-raters",
    [INTERVAL_FEW_RATERS] = "few-raters",
    [INTERVAL_ONE_UNIT]   = "one-unit",
    [INTERVAL_LOPSIDED]   = "lopsided",
    [INTERVAL_PERFECT]    = "near-perfect",
    [INTERVAL_ONE_SIDED]  = "one-sided",
    [INTERVAL_NO_SPREAD]  = "no-spread",
    [INTERVAL_SELECTED]   = "selected",
    [INTERVAL_WIDE]       = "few-wide",
    [INTERVAL_SHORT]      = "few-short",
    [INTERVAL_PRIOR]      = "prior",
};
/* clang-format on */

const char *interval_why_name(enum interval_why why)
{
    return reasons[why];
}

enum interval_why interval_why_named(const char *name)
{
    int why = INTERVAL_REASONS - 1;

    while (why > 0 && (!name || strcmp(reasons[why], name) != 0))
        why--;
    return (enum interval_why)why;
}

struct interval interval_refuse(struct interval i, enum interval_why why)
{
    i.low = i.high = (double)NAN;
    i.why = why;
    return i;
}

struct interval interval_clip(struct interval i, struct interval_scale scale)
{
    i.low = isnan(i.low) ? i.low : fmax(i.low, scale.min);
    i.high = isnan(i.high) ? i.high : fmin(i.high, scale.max);
    return i;
}

struct interval interval_hull(struct interval i, const struct interval *other)
{
    i.low = fmin(i.low, other->low); /* fmin() ignores NaN */
    i.high = fmax(i.high, other->high);
    return i;
}

struct interval interval_times(struct interval i, double times)
{
    double one = i.low * times, other = i.high * times;

    i.value *= times;
    i.se *= fabs(times);
    i.low = times < 0 ? other : one;
    i.high = times < 0 ? one : other;
    return i;
}

/* ---- bounded values, as shares of the scale ---- */

/* The ingredients of the score interval of a mean in [0, 1]. */
struct bounded {
    double mean;
    double phi; /* variance of a unit, relative to mean (1 - mean) */
    double df;
    size_t n;                     /* units */
    size_t below_one, above_zero; /* number of units below 1, above 0 */
};

/* The quantile of the gamma distribution of shape j at 1 - level: the mean of a Poisson variable
 * that is j or more with that probability. The probability of fewer is concave up to j - 1, from
 * where Newton's method decreases monotonically to the root. */
static double few_events(size_t j, double level)
{
    double x = j > 1 ? (double)j - 1 : -log(level);

    for (int step = 0; j > 1 && step < 100; step++) {
        double tail = 0, term = exp(-x), move;
        for (size_t k = 0; k < j; k++) {
            tail += term;
            term *= x / (double)(k + 1);
        }
        /* The density is the last term added. */
        move = (tail - level) / (term * (double)j / x);
        x += move;
        if (!(fabs(move) > 1e-15 * x))
            break;
    }
    return x;
}

/* Whether so many of n units are few enough to be nearly Poisson. */
static bool is_few(size_t units, size_t n)
{
    return units >= 1 && units <= (n < 20 ? 2 : 3);
}

/* Wilson's score interval (1927) with N = n / phi and Student's quantile. If only a few
 * units are off an end of the scale, their number is nearly Poisson, and the bound is at
 * least as far as that allows. */
static enum interval_why bound(const struct bounded *b, double level, double *low, double *high)
{
    double q = dist_t_quantile(0.5 + level / 2, b->df), n = (double)b->n / b->phi, m = b->mean;
    double shrink = 1 + q * q / n, centre = (m + q * q / (2 * n)) / shrink;
    double half = q * sqrt(m * (1 - m) / n + q * q / (4 * n * n)) / shrink;
    bool few_below = is_few(b->below_one, b->n), few_above = is_few(b->above_zero, b->n);

    *low = fmax(0, centre - half);
    *high = fmin(1, centre + half);
    if (few_below)
        *high = fmax(*high, 1 - few_events(b->below_one, level) * (1 - m) / (double)b->below_one);
    if (few_above)
        *low = fmin(*low, few_events(b->above_zero, level) * m / (double)b->above_zero);
    if (b->above_zero == 0) /* exact at the ends despite rounding */
        *low = 0;
    if (b->below_one == 0)
        *high = 1;
    return b->n < INTERVAL_UNITS_FEW || few_below || few_above ? INTERVAL_WIDE : INTERVAL_FINE;
}

/* S3^2 / S2^3: a skewed sample underestimates its variance. */
static double skew(double squares, double cubes)
{
    return cubes * cubes / (squares * squares * squares);
}

/* Method M for x[n] in [0, 1]. */
static enum interval_why bound_means(const double *x, size_t n, double level, double *low,
                                     double *high)
{
    struct bounded b = {.phi = 1, .n = n, .df = (double)n - 1};
    double squares = 0, cubes = 0;

    for (size_t i = 0; i < n; i++) {
        b.mean += x[i] / (double)n;
        b.below_one += x[i] < 1;
        b.above_zero += x[i] > 0;
    }
    for (size_t i = 0; i < n; i++) {
        double off = x[i] - b.mean;
        squares += off * off;
        cubes += off * off * off;
    }
    b.mean = fmin(fmax(b.mean, 0), 1); /* sums round */
    if (squares >= nothing)
        b.phi = fmin(1, squares / ((double)n - 1) / (b.mean * (1 - b.mean)) *
                            (1 + 2 * skew(squares, cubes)));
    return bound(&b, level, low, high);
}

/* ---- intervals of clusters ---- */

static bool is_bounded(struct interval_scale scale)
{
    return isfinite(scale.min) && isfinite(scale.max) && scale.max > scale.min;
}

static double cluster_mean(const struct interval_cluster *c)
{
    return c->sum / (double)c->n;
}

/* Converts shares of the scale to its units. */
static void place(struct interval *i, struct interval_scale scale, double low, double high)
{
    i->low = fmin(i->value, scale.min + low * (scale.max - scale.min));
    i->high = fmax(i->value, scale.min + high * (scale.max - scale.min));
}

/* Sets a caution unless there is one already. */
static void caution(struct interval *i, enum interval_why why)
{
    i->why = i->why ? i->why : why;
}

static struct interval of_values(const struct describe *d, double level)
{
    double se = describe_sd(d) / sqrt((double)d->n);
    double width = d->n < 2 ? (double)NAN : dist_t_quantile(0.5 + level / 2, (double)(d->n - 1));
    struct interval i = {.value = describe_mean(d), .se = se, .clusters = d->n};

    i.low = i.value - width * se;
    i.high = i.value + width * se;
    i.why = d->n > 1 && !(d->squares > nothing) ? INTERVAL_ALIKE : INTERVAL_FINE;
    return i;
}

/* Counts have no upper end: Poisson score interval with the observed dispersion and Student's
 * quantile. If few units have any, their number is nearly Poisson, as in bound(). */
static enum interval_why bound_counts(const double *x, const struct describe *d, double level,
                                      double *low, double *high)
{
    double n = (double)d->n, q = dist_t_quantile(0.5 + level / 2, n - 1), m = d->mean;
    double cubes = 0, phi = 1, more, half;
    size_t some = 0;

    for (size_t k = 0; k < d->n; k++) {
        cubes += (x[k] - m) * (x[k] - m) * (x[k] - m);
        some += x[k] > 0;
    }
    if (d->squares > nothing)
        phi = d->squares / (n - 1) / m * (1 + skew(d->squares, cubes));
    more = q * q * phi / (2 * n);
    half = sqrt(q * q * phi * m / n + more * more);
    *high = m + more + half;
    *low = some ? fmax(0, m + more - half) : 0;
    if (is_few(some, d->n))
        *low = fmin(*low, few_events(some, level) * m / (double)some);
    return d->n < INTERVAL_UNITS_FEW || !some || is_few(some, d->n) ? INTERVAL_WIDE : INTERVAL_FINE;
}

/* Overwrites x[n] with shares if the scale is bounded. */
static struct interval of_means(double *x, size_t n, struct interval_scale scale, double level)
{
    struct describe d = describe_of(x, n);
    struct interval i = of_values(&d, level);
    double low, high;

    if (n < INTERVAL_UNITS_MIN)
        return interval_refuse(i, INTERVAL_FEW_UNITS);
    if (scale.min == 0 && isinf(scale.max)) {
        caution(&i, bound_counts(x, &d, level, &i.low, &i.high));
        return i;
    }
    if (!is_bounded(scale))
        return i.why == INTERVAL_ALIKE ? interval_refuse(i, INTERVAL_NO_SPREAD) : i;
    for (size_t k = 0; k < n; k++)
        x[k] = settled((x[k] - scale.min) / (scale.max - scale.min));
    caution(&i, bound_means(x, n, level, &low, &high));
    place(&i, scale, low, high);
    return i;
}

struct interval interval_of_means(const struct interval_cluster *c, size_t n,
                                  struct interval_scale scale, double level)
{
    double *means = mem_new((n + 1) * sizeof *means);
    size_t used = 0, count = 0;
    struct interval i;

    for (size_t k = 0; k < n; k++) {
        if (c[k].n == 0)
            continue;
        means[used++] = cluster_mean(&c[k]);
        count += c[k].n;
    }
    i = of_means(means, used, scale, level);
    i.n = count;
    free(means);
    return i;
}

/* ---- ratios of totals ---- */

/* Sums over clusters of their sizes and of their deviations y - R m. */
struct ratio {
    double total, ratio;
    double sizes;          /* sum of squared sizes */
    double squares, cubes; /* of the deviations */
    double variance;       /* of the ratio; each cluster divided by 1 - its share */
    size_t clusters, count;
};

static struct ratio ratio_of(const struct interval_cluster *c, size_t n)
{
    struct ratio r = {0};
    double sum = 0;

    for (size_t k = 0; k < n; k++) {
        sum += c[k].n ? c[k].sum : 0;
        r.count += c[k].n;
        r.clusters += c[k].n > 0;
        r.sizes += (double)c[k].n * (double)c[k].n;
    }
    r.total = (double)r.count;
    r.ratio = r.count ? sum / r.total : (double)NAN;
    for (size_t k = 0; k < n; k++) {
        double m = (double)c[k].n, off = c[k].n ? c[k].sum - r.ratio * m : 0;
        r.squares += off * off;
        r.cubes += off * off * off;
        r.variance += c[k].n ? off * off / (1 - m / r.total) : 0;
    }
    r.variance /= r.total * r.total;
    return r;
}

/* Method M by cluster. */
static void bound_ratio(const struct interval_cluster *c, size_t n, const struct ratio *r,
                        struct interval_scale scale, double level, struct interval *i)
{
    double span = scale.max - scale.min, p = (r->ratio - scale.min) / span, low, high;
    double units = r->total * r->total / r->sizes; /* equivalent number of equal-sized clusters */
    struct bounded b = {.mean = p, .n = r->clusters, .df = units - 1};

    b.mean = fmin(fmax(b.mean, 0), 1);
    b.phi = (double)r->clusters / units;
    if (r->squares / (span * span) >= nothing && b.mean > 0 && b.mean < 1)
        b.phi = fmin(b.phi, (double)r->clusters * r->variance / (span * span) /
                                (b.mean * (1 - b.mean)) * (1 + 2 * skew(r->squares, r->cubes)));
    for (size_t k = 0; k < n; k++) {
        double share = c[k].n ? settled((cluster_mean(&c[k]) - scale.min) / span) : p;
        b.below_one += c[k].n && share < 1;
        b.above_zero += c[k].n && share > 0;
    }
    caution(i, bound(&b, level, &low, &high));
    place(i, scale, low, high);
}

struct interval interval_of_ratio(const struct interval_cluster *c, size_t n,
                                  struct interval_scale scale, double level)
{
    struct ratio r = ratio_of(c, n);
    struct interval i = {
        .value = r.ratio, .se = sqrt(r.variance), .n = r.count, .clusters = r.clusters};
    double width;

    if (r.clusters < INTERVAL_UNITS_MIN)
        return interval_refuse(i, INTERVAL_FEW_UNITS);
    i.why = r.squares > nothing ? INTERVAL_FINE : INTERVAL_ALIKE;
    if (is_bounded(scale)) {
        bound_ratio(c, n, &r, scale, level, &i);
        return i;
    }
    if (i.why == INTERVAL_ALIKE)
        return interval_refuse(i, INTERVAL_NO_SPREAD);
    width = dist_t_quantile(0.5 + level / 2, r.total * r.total / r.sizes - 1);
    i.low = i.value - width * i.se;
    i.high = i.value + width * i.se;
    return i;
}

struct interval interval_of_share(size_t k, size_t n, double level)
{
    struct bounded b = {.mean = (double)k / (double)n,
                        .phi = 1,
                        .df = (double)n - 1,
                        .n = n,
                        .below_one = n - k,
                        .above_zero = k};
    struct interval i = {.value = b.mean, .n = n, .clusters = n};

    i.se = sqrt(b.mean * (1 - b.mean) / (double)n);
    if (n < INTERVAL_UNITS_MIN)
        return interval_refuse(i, INTERVAL_FEW_UNITS);
    i.why = k == 0 || k == n ? INTERVAL_ALIKE : INTERVAL_FINE;
    caution(&i, bound(&b, level, &i.low, &i.high));
    return i;
}

/* ---- differences ---- */

/* Whether unseen differences may be gains or losses where the crowd is at d in [-1, 1]. */
static bool either_way(double d)
{
    return d == 0 || fabs(d) >= 1;
}

/* Number of values that differ from the most frequent one, *crowd; d must be sorted. Of several
 * that are as frequent it is one from which both ways are open: else the order would decide, and
 * the interval of a - b would not be that of b - a, mirrored. */
static size_t outside_the_crowd(const double *d, size_t n, double *crowd)
{
    size_t most = 0;

    for (size_t from = 0, to; from < n; from = to) {
        for (to = from; to < n && d[to] == d[from]; to++)
            ;
        if (to - from > most || (to - from == most && either_way(d[from]))) {
            most = to - from;
            *crowd = d[from];
        }
    }
    return n - most;
}

/* The gains in d[n] in [-1, 1] or, with sign -1, the losses: mean, bounds, deviation. */
struct part {
    double mean, low, high, sd;
};

static struct part part_of(const double *d, size_t n, double sign, double level, double *x)
{
    struct describe about;
    struct part p;

    for (size_t k = 0; k < n; k++)
        x[k] = fmax(sign * d[k], 0);
    about = describe_of(x, n);
    p.mean = about.mean;
    p.sd = sqrt(about.squares / (double)n);
    (void)bound_means(x, n, level, &p.low, &p.high);
    return p;
}

/* Bounds gains and losses separately and combines them according to their correlation. */
static void bound_difference(const double *d, size_t n, double level, double *low, double *high)
{
    double *x = mem_new(n * sizeof *x);
    struct part g = part_of(d, n, 1, level, x), k = part_of(d, n, -1, level, x);
    double r = g.sd > 0 && k.sd > 0 ? -g.mean * k.mean / (g.sd * k.sd) : 0;
    double a = g.mean - g.low, b = g.high - g.mean, c = k.mean - k.low, e = k.high - k.mean;

    *low = g.mean - k.mean - sqrt(fmax(0, a * a + e * e - 2 * r * a * e));
    *high = g.mean - k.mean + sqrt(fmax(0, b * b + c * c - 2 * r * b * c));
    free(x);
}

/* For d[n] in [-1, 1] of which few differ from the crowd. If the crowd is at 0 or an
 * end, unseen differences may be gains or losses; elsewhere most differences are one of
 * them, and method M applies. */
static void bound_crowded(double *d, size_t n, double crowd, double level, double *low,
                          double *high)
{
    if (either_way(crowd)) {
        bound_difference(d, n, level, low, high);
        return;
    }
    for (size_t k = 0; k < n; k++)
        d[k] = (d[k] + 1) / 2;
    (void)bound_means(d, n, level, low, high);
    *low = 2 * *low - 1;
    *high = 2 * *high - 1;
}

/* Overwrites d[n]. */
static struct interval of_differences(double *d, size_t n, struct interval_scale scale,
                                      double level)
{
    double span = scale.max - scale.min, crowd = 0;
    struct describe about = describe_of(d, n);
    struct interval i = of_values(&about, level), parts = {0};

    if (n < INTERVAL_UNITS_MIN)
        return interval_refuse(i, INTERVAL_FEW_UNITS);
    if (!is_bounded(scale))
        return i.why == INTERVAL_ALIKE ? interval_refuse(i, INTERVAL_NO_SPREAD) : i;
    for (size_t k = 0; k < n; k++)
        d[k] = settled(d[k] / span);
    describe_sort(d, n);
    if (outside_the_crowd(d, n, &crowd) < 5) {
        bound_crowded(d, n, crowd, level, &parts.low, &parts.high);
        parts = interval_times(parts, span);
        i = interval_hull(i, &parts);
        caution(&i, INTERVAL_WIDE);
    }
    if (n < INTERVAL_UNITS_FEW)
        caution(&i, INTERVAL_WIDE);
    return interval_clip(i, (struct interval_scale){-span, span});
}

struct interval interval_of_difference(const struct interval_cluster *a,
                                       const struct interval_cluster *b, size_t n,
                                       struct interval_scale scale, double level)
{
    double *d = mem_new((n + 1) * sizeof *d);
    size_t used = 0, count = 0;
    struct interval i;

    for (size_t k = 0; k < n; k++) {
        if (a[k].n == 0 || b[k].n == 0)
            continue;
        d[used++] = cluster_mean(&a[k]) - cluster_mean(&b[k]);
        count += a[k].n + b[k].n;
    }
    i = of_differences(d, used, scale, level);
    i.n = count;
    free(d);
    return i;
}
