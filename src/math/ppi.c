#include "math/ppi.h"

#include <math.h>

#include "base/mem.h"
#include "math/describe.h"
#include "math/dist.h"

static struct describe described(const double *v, size_t n)
{
    struct describe d = {0};

    for (size_t i = 0; i < n; i++)
        describe_add(&d, v[i]);
    return d;
}

/* ---- items that stand alone ---- */

/* cov(Y, F) / ((1 + n / N) var F), the variance of all that the machine said. */
static double lambda_alone(const struct ppi_data *d)
{
    struct describe y = described(d->human, d->both.n), f = described(d->both.v, d->both.n),
                    all = f;
    double shared = 0, n = (double)d->both.n, rest = (double)d->machine.n;

    for (size_t i = 0; i < d->both.n; i++)
        shared += (d->human[i] - y.mean) * (d->both.v[i] - f.mean);
    for (size_t i = 0; i < d->machine.n; i++)
        describe_add(&all, d->machine.v[i]);
    return shared / (n - 1) / ((1 + n / rest) * describe_variance(&all));
}

static double variance_alone(const struct ppi_data *d, double lambda)
{
    struct describe off = {0}, rest = described(d->machine.v, d->machine.n);

    for (size_t i = 0; i < d->both.n; i++)
        describe_add(&off, d->human[i] - lambda * d->both.v[i]);
    return describe_variance(&off) / (double)d->both.n +
           (lambda != 0 ? lambda * lambda * describe_variance(&rest) / (double)rest.n : 0);
}

/* ---- clusters: what each adds to the error of the mean, first order ---- */

struct influence {
    double human, machine; /* error = human - lambda * machine */
    bool used;
};

static void spread(struct influence *to, const struct ppi_values *of, double sign)
{
    struct describe d = described(of->v, of->n);

    for (size_t i = 0; i < of->n; i++) {
        to[of->cluster[i]].machine += sign * (of->v[i] - d.mean) / (double)of->n;
        to[of->cluster[i]].used = true;
    }
}

/* [clusters], in the arena. */
static struct influence *influence_of(struct arena *a, const struct ppi_data *d)
{
    struct influence *to = NEW_N(a, struct influence, d->clusters);
    struct describe y = described(d->human, d->both.n);

    for (size_t i = 0; i < d->both.n; i++)
        to[d->both.cluster[i]].human += (d->human[i] - y.mean) / (double)d->both.n;
    spread(to, &d->both, 1);
    spread(to, &d->machine, -1);
    return to;
}

static double lambda_clustered(const struct ppi_data *d)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    const struct influence *to = influence_of(scratch, d);
    double shared = 0, own = 0;

    for (size_t c = 0; c < d->clusters; c++) {
        shared += to[c].human * to[c].machine;
        own += to[c].machine * to[c].machine;
    }
    return shared / own;
}

/* Of the mean of a, or of the difference of two; b may be NULL. *clusters counts those with items.
 */
static double variance_clustered(const struct ppi_data *a, double lambda_a,
                                 const struct ppi_data *b, double lambda_b, size_t *clusters)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    const struct influence *one = influence_of(scratch, a),
                           *two = b ? influence_of(scratch, b) : NULL;
    double sum = 0, k;

    *clusters = 0;
    for (size_t c = 0; c < a->clusters; c++) {
        double e = one[c].human - lambda_a * one[c].machine;
        if (two)
            e -= two[c].human - lambda_b * two[c].machine;
        sum += e * e;
        *clusters += one[c].used || (two && two[c].used);
    }
    k = (double)*clusters;
    return k > 1 ? k / (k - 1) * sum : (double)NAN;
}

/* ---- estimates ---- */

double ppi_lambda(const struct ppi_data *d)
{
    double lambda;

    if (d->machine.n < 2 || d->both.n < 2)
        return 0;
    lambda = d->clusters ? lambda_clustered(d) : lambda_alone(d);
    return isfinite(lambda) ? lambda : 0; /* it always says the same */
}

static struct interval around(double value, double variance, double level)
{
    double se = sqrt(variance), half = dist_normal_quantile(0.5 + level / 2) * se;

    return (struct interval){.value = value, .se = se, .low = value - half, .high = value + half};
}

struct ppi ppi_mean_at(const struct ppi_data *d, double lambda, double level)
{
    struct describe y = described(d->human, d->both.n), f = described(d->both.v, d->both.n),
                    rest = described(d->machine.v, d->machine.n);
    double value = describe_mean(&y), variance;
    size_t clusters = d->both.n + d->machine.n;

    if (d->machine.n == 0)
        lambda = 0;
    if (lambda != 0)
        value += lambda * (describe_mean(&rest) - describe_mean(&f));
    variance =
        d->clusters ? variance_clustered(d, lambda, NULL, 0, &clusters) : variance_alone(d, lambda);
    struct ppi out = {.lambda = lambda, .mean = around(value, variance, level)};
    out.mean.n = d->both.n + d->machine.n;
    out.mean.clusters = clusters;
    return out;
}

struct ppi ppi_mean(const struct ppi_data *d, double level)
{
    return ppi_mean_at(d, fmin(fmax(ppi_lambda(d), 0), 1), level);
}

struct interval ppi_difference(const struct ppi_data *a, const struct ppi_data *b, double level)
{
    struct ppi one = ppi_mean(a, level), two = ppi_mean(b, level);
    double variance = one.mean.se * one.mean.se + two.mean.se * two.mean.se;
    size_t clusters = one.mean.clusters + two.mean.clusters;
    struct interval out;

    if (a->clusters)
        variance = variance_clustered(a, one.lambda, b, two.lambda, &clusters);
    out = around(one.mean.value - two.mean.value, variance, level);
    out.n = one.mean.n + two.mean.n;
    out.clusters = clusters;
    return out;
}
