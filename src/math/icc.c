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
    double whole = 1 + (k - 1) * single;

    return whole > 0 ? k * single / whole : (double)NAN;
}

static struct icc_value stepped_up(const struct icc_value *single, double k)
{
    return (struct icc_value){icc_of_mean(single->value, k), icc_of_mean(single->low, k),
                              icc_of_mean(single->high, k)};
}

/* ---- analysis of variance ---- */

/* Forms 1 and 3: everything follows from one F, exactly. */
static void by_ratio(double f, double df1, double df2, double k, struct icc_value *single,
                     struct icc_value *mean)
{
    double low = f / dist_f_quantile(upper, df1, df2), high = f * dist_f_quantile(upper, df2, df1);

    *single = (struct icc_value){(f - 1) / (f + k - 1), (low - 1) / (low + k - 1),
                                 (high - 1) / (high + k - 1)};
    *mean = f > 0 ? (struct icc_value){1 - 1 / f, 1 - 1 / low, 1 - 1 / high} : unknown;
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
    out->mean[ICC_2] = stepped_up(&one, k);
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

struct components {
    double unit, rater, error;
};

/* E R(units | raters) = (units - groups) error + (n - raters) unit and likewise with the two
 * exchanged, since each pair of unit and rater has one value at most. False where there are too few
 * values to tell them apart. */
static bool components_of(const struct cells *c, struct components *out)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct sums s = sums_of(scratch, c);
    double n = (double)s.all.n, units = (double)s.nunits, raters = (double)s.nraters;
    double groups, spare, error;
    struct severity fit;

    severity_solve(scratch, c, &fit);
    groups = (double)fit.groups;
    spare = n - units - raters + groups;
    if (spare < 1 || n <= raters || n <= units)
        return false;
    error = fit.residual / spare;
    *out = (struct components){
        .unit = (s.within_raters - fit.residual - (units - groups) * error) / (n - raters),
        .rater = (s.within_units - fit.residual - (raters - groups) * error) / (n - units),
        .error = error,
    };
    return true;
}

/* NaN where a component below 0, as small designs give, leaves no variance to have a share of. */
static double share(const struct components *v, enum icc_form form)
{
    double rest = v->error + (form == ICC_2 ? v->rater : 0);

    return rest >= 0 && v->unit + rest > 0 ? v->unit / (v->unit + rest) : (double)NAN;
}

/* On the scale on which correlations spread evenly (Fisher 1921). */
static double stretched(double r)
{
    return isnan(r) ? r : atanh(fmin(fmax(r, -0.999999), 0.999999));
}

/* Without each tenth (or fortieth, of small designs) of the units or raters: the variance of forms
 * 2 and 3. Returns the number of parts; 0 where some part cannot be spared. */
static size_t jackknife(const struct cells *c, bool of_units, double variance[ICC_FORMS])
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    size_t n = of_units ? c->units : c->raters, most = c->n > 100000 ? 10 : 40;
    size_t parts = n < most ? n : most;
    struct cell *left = NEW_N(scratch, struct cell, c->n + 1);
    struct describe d[ICC_FORMS] = {{0}};

    for (size_t part = 0; part < parts; part++) {
        struct cells rest = {left, 0, c->units, c->raters};
        struct components v;
        for (size_t i = 0; i < c->n; i++)
            if ((of_units ? c->v[i].unit : c->v[i].rater) % parts != part)
                left[rest.n++] = c->v[i];
        if (!components_of(&rest, &v))
            return 0;
        for (int form = ICC_2; form < ICC_FORMS; form++)
            describe_add(&d[form], stretched(share(&v, (enum icc_form)form)));
    }
    for (int form = ICC_2; form < ICC_FORMS; form++)
        variance[form] = d[form].squares * (double)(parts - 1) / (double)parts;
    return parts;
}

static struct icc_value around(double value, double variance, size_t parts)
{
    double half = dist_t_quantile(upper, (double)parts - 1) * sqrt(variance);

    return (struct icc_value){value, tanh(stretched(value) - half), tanh(stretched(value) + half)};
}

static void jackknife_intervals(const struct cells *c, struct icc *out)
{
    double by_unit[ICC_FORMS], by_rater[ICC_FORMS];
    size_t units = jackknife(c, true, by_unit), raters = jackknife(c, false, by_rater);

    if (units >= 2)
        out->single[ICC_3] = around(out->single[ICC_3].value, by_unit[ICC_3], units);
    if (units >= 2 && raters >= 2)
        out->single[ICC_2] = around(out->single[ICC_2].value, by_unit[ICC_2] + by_rater[ICC_2],
                                    units < raters ? units : raters);
}

static const char *two_way_incomplete(const struct cells *c, struct icc *out)
{
    struct components v;

    if (!components_of(c, &v))
        return "too few units were rated by several raters to tell raters from error";
    for (int form = ICC_2; form < ICC_FORMS; form++)
        out->single[form].value = share(&v, (enum icc_form)form);
    jackknife_intervals(c, out);
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
        out.why = two_way_incomplete(c, &out);
    return out;
}
