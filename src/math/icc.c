#include "math/icc.h"

#include <math.h>

#include "base/rng.h"
#include "math/describe.h"
#include "math/dist.h"
#include "math/jackknife.h"
#include "math/severity.h"

enum {
    FIDUCIAL_DRAWS = 2000,
    FIDUCIAL_EXACT = 10,  /* chi-squares with fewer degrees of freedom are drawn exactly */
    FIDUCIAL_RATERS = 20, /* with fewer raters, and ... */
    FIDUCIAL_UNITS = 20,  /* and this many units, Satterthwaite's df are too high */
};
enum { FITTED_MOST = 20000 }; /* ratings; each part left out needs a new fit */

static const double upper = 0.975;   /* quantile for 95 % intervals */
static const double NO_ERROR = 1e12; /* a larger F means that the error is only rounding */

/* Statistics by unit and by rater. */
struct sums {
    struct describe all, *units, *raters;
    size_t nunits, nraters;             /* with values */
    double within_units, within_raters; /* sums of squares about the means of units, of raters */
    double k0;
};

static double squares_within(const struct describe *d, size_t n, size_t *used)
{
    double sum = 0;

    *used = 0;
    for (size_t i = 0; i < n; i++) {
        sum += d[i].squares;
        *used += d[i].n > 0;
    }
    return sum;
}

/* Rounds sums of squares down to 0 if they are only rounding errors. */
static double settled(const struct sums *s, double squares)
{
    return squares > 1e-12 * s->all.squares ? squares : 0;
}

static struct sums sums_of(struct arena *a, const struct cells *c)
{
    struct sums s = {.units = NEW_N(a, struct describe, c->units + 1),
                     .raters = NEW_N(a, struct describe, c->raters + 1)};
    double squared = 0, n = (double)c->n;

    for (size_t i = 0; i < c->n; i++) {
        describe_add(&s.all, c->v[i].value);
        describe_add(&s.units[c->v[i].unit], c->v[i].value);
        describe_add(&s.raters[c->v[i].rater], c->v[i].value);
    }
    s.within_units = squares_within(s.units, c->units, &s.nunits);
    s.within_raters = squares_within(s.raters, c->raters, &s.nraters);
    for (size_t u = 0; u < c->units; u++)
        squared += (double)s.units[u].n * (double)s.units[u].n;
    s.k0 = (n - squared / n) / ((double)s.nunits - 1);
    return s;
}

double icc_of_mean(double single, double k)
{
    double whole = 1 + (k - 1) * single;

    return whole > 0 ? k * single / whole : (double)NAN;
}

static struct interval span(double value, double low, double high)
{
    return (struct interval){.value = value, .low = low, .high = high};
}

/* With negative correlation the mean of ratings may have no lower bound: bounds end at -1. */
static struct interval stepped_up(const struct interval *single, double k)
{
    double value = icc_of_mean(single->value, k);
    struct interval i = *single;

    i.value = value >= -1 ? value : (double)NAN;
    i.low = isnan(single->low) ? single->low : fmax(-1, icc_of_mean(single->low, k));
    i.high = icc_of_mean(single->high, k);
    if (isnan(single->high) && !isnan(i.value)) /* refused, for the reason in `why` */
        return i;
    return isnan(i.value) || isnan(i.high) ? interval_unknown : i;
}

/* ---- analysis of variance ---- */

/* Forms 1 and 3: exact, from a single F. With missing values k is a mean and may be below 2; a
 * small F then leads below -1, which is no correlation. */
static void by_ratio(double f, double df1, double df2, double k, struct interval *single,
                     struct interval *mean)
{
    double low = f / dist_f_quantile(upper, df1, df2), high = f * dist_f_quantile(upper, df2, df1);

    *single = span((f - 1) / (f + k - 1), fmax(-1, (low - 1) / (low + k - 1)),
                   (high - 1) / (high + k - 1));
    *mean = f >= 0.5 ? span(1 - 1 / f, fmax(-1, 1 - 1 / low), 1 - 1 / high) : interval_unknown;
    if (f > NO_ERROR)
        *single = *mean = interval_refuse(span(1, 1, 1), INTERVAL_PERFECT);
    else if (single->value < -1)
        *single = interval_unknown;
    else if (!(f > 0)) /* units do not differ: F is 0 or 0 / 0 */
        *single = interval_refuse(*single, INTERVAL_NO_SPREAD);
}

static void one_way(const struct sums *s, struct icc *out)
{
    double df1 = (double)s->nunits - 1, df2 = (double)(s->all.n - s->nunits);

    out->k = s->k0;
    out->between = settled(s, s->all.squares - s->within_units) / df1;
    out->within = settled(s, s->within_units) / df2;
    by_ratio(out->between / out->within, df1, df2, s->k0, &out->single[ICC_1], &out->mean[ICC_1]);
}

/* A chi-square variate: exact for few degrees of freedom, else by Wilson-Hilferty. */
static double chi_square(struct rng *r, double df)
{
    double sum = 0, h = 2 / (9 * df);

    if (df >= FIDUCIAL_EXACT)
        return df * pow(1 - h + sqrt(h) * dist_normal_quantile(fmax(rng_unit(r), 1e-16)), 3);
    for (int k = 0; k < (int)df; k++) {
        double z = dist_normal_quantile(fmax(rng_unit(r), 1e-16));
        sum += z * z;
    }
    return sum;
}

/* Form 2 from the fiducial distributions of the three mean squares (Weerahandi 1993, generalized
 * confidence intervals). With few raters their variance is so uncertain that the F interval, which
 * relies on its estimate, is too narrow: 85 % coverage with 3 raters and 100 units. Deterministic:
 * the draws have a fixed seed. */
static struct interval fiducial(double n, double k, const struct icc *x)
{
    double df[3] = {n - 1, k - 1, (n - 1) * (k - 1)}, r[FIDUCIAL_DRAWS];
    struct rng draw = rng_keyed(0, "icc", NULL, 0);

    for (size_t i = 0; i < FIDUCIAL_DRAWS; i++) {
        double b = df[0] * x->between / chi_square(&draw, df[0]),
               j = df[1] * x->raters / chi_square(&draw, df[1]),
               e = df[2] * x->error / chi_square(&draw, df[2]);
        double unit = (b - e) / k;
        r[i] = fmax(-1, unit / (unit + fmax(0, j - e) / n + e));
    }
    describe_sort(r, FIDUCIAL_DRAWS);
    return span(NAN, describe_quantile(r, FIDUCIAL_DRAWS, 1 - upper),
                describe_quantile(r, FIDUCIAL_DRAWS, upper));
}

/* Form 2: B, J and E are the mean squares of units, raters and error. */
static void two_way_agreement(double n, double k, struct icc *out)
{
    double b = out->between, j = out->raters, e = out->error;
    double r = (b - e) / (b + (k - 1) * e + k * (j - e) / n), odds = k * r / (n * (1 - r));
    double x = odds * j, y = (1 + odds * (n - 1)) * e;
    double df = (x + y) * (x + y) / (x * x / (k - 1) + y * y / ((n - 1) * (k - 1)));
    double f_low = dist_f_quantile(upper, n - 1, df), f_high = dist_f_quantile(upper, df, n - 1);
    double others = k * j + (k * n - k - n) * e;
    struct interval one = span(r, n * (b - f_low * e) / (f_low * others + n * b),
                               n * (f_high * b - e) / (others + n * f_high * b));

    if (!(r >= -1 && r < 1 - 1e-12)) /* negative components can leave no variance to divide */
        one = r > 0 ? interval_refuse(one, INTERVAL_PERFECT) : interval_unknown;
    else if (!(b + e > 0)) /* only raters differ */
        one = interval_refuse(one, INTERVAL_NO_SPREAD);
    one.low = isnan(one.low) ? one.low : fmax(-1, one.low);
    if (isfinite(one.low) && k < FIDUCIAL_RATERS && n >= FIDUCIAL_UNITS && e > 0) {
        struct interval other = fiducial(n, k, out);
        one = interval_hull(one, &other);
    }
    out->single[ICC_2] = one;
    out->mean[ICC_2] = stepped_up(&one, k);
}

static void two_way_complete(const struct sums *s, struct icc *out)
{
    double n = (double)s->nunits, k = (double)s->nraters;
    double raters = s->all.squares - s->within_raters;

    out->raters = settled(s, raters) / (k - 1);
    out->error = settled(s, s->within_units - raters) / ((n - 1) * (k - 1));
    two_way_agreement(n, k, out);
    by_ratio(out->between / out->error, n - 1, (n - 1) * (k - 1), k, &out->single[ICC_3],
             &out->mean[ICC_3]);
}

/* ---- variance components ---- */

/* Number of values of a unit or rater, and the sum of their deviations from the overall mean. */
struct weight {
    double n, off;
};

/* Over units, or raters: how many, the sum of n^2, and the sum of n times the squared distance of
 * their mean from the overall mean. */
struct between {
    double used, sizes, squares;
};

static struct between between_of(const struct weight *w, size_t n)
{
    struct between b = {0};

    for (size_t i = 0; i < n; i++) {
        b.used += w[i].n > 0;
        b.sizes += w[i].n * w[i].n;
        b.squares += w[i].n > 0 ? w[i].off * w[i].off / w[i].n : 0;
    }
    return b;
}

/* Returns the sum of squares of all values about their mean. */
static double look_between(const struct cells *c, struct between *units, struct between *raters)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct weight *unit = NEW_N(scratch, struct weight, c->units + 1),
                  *rater = NEW_N(scratch, struct weight, c->raters + 1);
    double sum = 0, mean, all = 0;

    for (size_t i = 0; i < c->n; i++)
        sum += c->v[i].value;
    mean = sum / (double)c->n;
    for (size_t i = 0; i < c->n; i++) {
        struct weight *u = &unit[c->v[i].unit], *r = &rater[c->v[i].rater];
        double off = c->v[i].value - mean;
        all += off * off;
        *u = (struct weight){u->n + 1, u->off + off};
        *r = (struct weight){r->n + 1, r->off + off};
    }
    *units = between_of(unit, c->units);
    *raters = between_of(rater, c->raters);
    return all;
}

/* Three expected sums of squares are linear in the components, and this solves for them (Searle,
 * Casella and McCulloch 1992, section 5.3). Each pair of unit and rater has at most one value. */
bool icc_components(const struct cells *c, struct icc_parts *out)
{
    struct between units, raters;
    double all = look_between(c, &units, &raters), n = (double)c->n, u = units.used,
           r = raters.used, ku = units.sizes, kr = raters.sizes;
    /* all = a unit + b rater + (n - 1) error, and so on */
    double a[3][3] = {{n - ku / n, n - kr / n, n - 1},
                      {n - ku / n, u - kr / n, u - 1},
                      {r - ku / n, n - kr / n, r - 1}};
    double y[3] = {all, units.squares, raters.squares}, det;

    if (u < 2 || r < 2 || n < u + r)
        return false;
    /* Eliminate `unit` with the first row, then apply Cramer's rule to the other two. */
    for (int k = 0; k < 3; k++)
        a[1][k] -= a[0][k];
    y[1] -= y[0];
    y[2] -= y[0] * (a[2][0] / a[0][0]);
    for (int k = 2; k >= 0; k--)
        a[2][k] -= a[0][k] * (a[2][0] / a[0][0]);
    det = a[1][1] * a[2][2] - a[1][2] * a[2][1];
    out->rater = (y[1] * a[2][2] - a[1][2] * y[2]) / det;
    out->error = (a[1][1] * y[2] - y[1] * a[2][1]) / det;
    out->unit = (y[0] - a[0][1] * out->rater - a[0][2] * out->error) / a[0][0];
    return isfinite(out->unit) && isfinite(out->rater) && isfinite(out->error);
}

/* NaN if a negative component, as small designs give, leaves no variance to divide. */
static double share(const struct icc_parts *v, enum icc_form form)
{
    double rest = v->error + (form == ICC_2 ? fmax(0, v->rater) : 0),
           r = v->unit / (v->unit + rest);

    return rest >= 0 && v->unit + rest > 0 && r >= -1 ? r : (double)NAN;
}

/* By fitting constants (Henderson's method 3), which is independent of the raters' severities: E
 * R(units | raters) = (units - groups) error + (n - raters) unit. */
static bool fitted(const struct cells *c, struct icc_parts *out)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct sums s = sums_of(scratch, c);
    double n = (double)s.all.n, units = (double)s.nunits, raters = (double)s.nraters, groups, spare;
    struct severity fit;

    severity_solve(scratch, c, &fit);
    groups = (double)fit.groups;
    spare = n - units - raters + groups;
    if (spare < 1 || n <= raters)
        return false;
    out->error = fit.residual / spare;
    out->unit = (s.within_raters - fit.residual - (units - groups) * out->error) / (n - raters);
    return true;
}

/* Forms 2 and 3. */
static void two_way(const struct cells *c, void *unused, double values[2])
{
    struct icc_parts v;
    bool known = icc_components(c, &v);

    (void)unused;
    values[0] = known ? share(&v, ICC_2) : (double)NAN;
    if (c->n <= FITTED_MOST)
        known = fitted(c, &v);
    values[1] = known ? share(&v, ICC_3) : (double)NAN;
}

static const char *two_way_incomplete(const struct cells *c, struct icc *out)
{
    struct jackknife j[2];
    struct icc_parts v;

    jackknife_two(c, two_way, NULL, j);
    if (!icc_components(c, &v))
        return "too few units were rated by several raters to tell raters from error";
    out->single[ICC_2] = jackknife_interval(&j[0], JACKKNIFE_NEW, 0.95);
    out->single[ICC_3] = jackknife_interval(&j[1], JACKKNIFE_THESE, 0.95);
    for (int form = ICC_2; form < ICC_FORMS; form++)
        out->mean[form] = stepped_up(&out->single[form], out->k);
    return NULL;
}

struct icc icc_of(const struct cells *c)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct sums s = sums_of(scratch, c);
    struct icc out = {.k = (double)NAN,
                      .between = (double)NAN,
                      .within = (double)NAN,
                      .raters = (double)NAN,
                      .error = (double)NAN};

    for (int i = 0; i < ICC_FORMS; i++)
        out.single[i] = out.mean[i] = interval_unknown;
    out.complete = c->n == s.nunits * s.nraters;
    if (s.nunits < 2)
        out.why = "there is only one unit";
    else if (s.all.n == s.nunits)
        out.why = "no unit was rated twice";
    else if (!(s.all.squares > 0))
        out.why = "all values are the same";
    if (out.why)
        return out;
    one_way(&s, &out);
    if (s.nraters < 2)
        out.why = "there is only one rater";
    else if (out.complete)
        two_way_complete(&s, &out);
    else
        out.why = two_way_incomplete(c, &out);
    return out;
}
