#include "math/icc.h"

#include <math.h>

#include "math/describe.h"
#include "math/dist.h"
#include "math/severity.h"

static const double upper = 0.975; /* of 95 % intervals */
static const struct icc_value unknown = {(double)NAN, (double)NAN, (double)NAN};

/* Values by unit and by rater. */
struct sums {
    struct describe all, *units, *raters;
    size_t nunits, nraters;             /* that have values */
    double within_units, within_raters; /* squares about the means of units, of raters */
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
    return k * single / (1 + (k - 1) * single);
}

/* ---- analysis of variance ---- */

/* Forms 1 and 3: everything follows from one F, exactly. */
static void by_ratio(double f, double df1, double df2, double k, struct icc_value *single,
                     struct icc_value *mean)
{
    double low = f / dist_f_quantile(upper, df1, df2), high = f * dist_f_quantile(upper, df2, df1);

    *single = (struct icc_value){(f - 1) / (f + k - 1), (low - 1) / (low + k - 1),
                                 (high - 1) / (high + k - 1)};
    *mean = (struct icc_value){1 - 1 / f, 1 - 1 / low, 1 - 1 / high};
    if (isinf(f)) /* no error at all */
        *single = *mean = (struct icc_value){1, 1, 1};
}

static void one_way(const struct sums *s, struct icc *out)
{
    double df1 = (double)s->nunits - 1, df2 = (double)(s->all.n - s->nunits);

    out->k = s->k0;
    out->between = (s->all.squares - s->within_units) / df1;
    out->within = s->within_units / df2;
    by_ratio(out->between / out->within, df1, df2, s->k0, &out->single[ICC_1], &out->mean[ICC_1]);
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
    struct icc_value one = {r, n * (b - f_low * e) / (f_low * others + n * b),
                            n * (f_high * b - e) / (others + n * f_high * b)};

    out->single[ICC_2] = one;
    out->mean[ICC_2] = (struct icc_value){icc_of_mean(one.value, k), icc_of_mean(one.low, k),
                                          icc_of_mean(one.high, k)};
}

static void two_way_complete(const struct sums *s, struct icc *out)
{
    double n = (double)s->nunits, k = (double)s->nraters;
    double raters = s->all.squares - s->within_raters;

    out->raters = raters / (k - 1);
    out->error = fmax(0, s->within_units - raters) / ((n - 1) * (k - 1));
    two_way_agreement(n, k, out);
    by_ratio(out->between / out->error, n - 1, (n - 1) * (k - 1), k, &out->single[ICC_3],
             &out->mean[ICC_3]);
}

/* ---- variance components ---- */

static struct icc_value share(double part, double rest)
{
    return (struct icc_value){part / (part + rest), (double)NAN, (double)NAN};
}

/* E R(units | raters) = (units - groups) e + (n - raters) u and likewise with the two exchanged,
 * since each pair of unit and rater has one value at most. */
static const char *two_way_incomplete(struct arena *a, const struct cells *c, const struct sums *s,
                                      struct icc *out)
{
    double n = (double)s->all.n, units = (double)s->nunits, raters = (double)s->nraters;
    double groups, free, error, unit, rater;
    struct severity fit;

    severity_solve(a, c, &fit);
    groups = (double)fit.groups;
    free = n - units - raters + groups;
    if (free < 1 || n <= raters || n <= units)
        return "too few units were rated by several raters to tell raters from error";
    error = fit.residual / free;
    unit = (s->within_raters - fit.residual - (units - groups) * error) / (n - raters);
    rater = (s->within_units - fit.residual - (raters - groups) * error) / (n - units);
    out->single[ICC_2] = share(unit, rater + error);
    out->mean[ICC_2] = share(unit, (rater + error) / out->k);
    out->single[ICC_3] = share(unit, error);
    out->mean[ICC_3] = share(unit, error / out->k);
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
        out.single[i] = out.mean[i] = unknown;
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
        out.why = two_way_incomplete(scratch, c, &s, &out);
    return out;
}
