#include "math/resample.h"

#include <math.h>

/* Below this mean a Poisson count is found by adding up probabilities. */
static const double small_mean = 10;
static const double two_pi = 6.28318530717958647692;

/* A Poisson count of known mean. */
struct poisson {
    double mean;
    double none;               /* small mean: the probability of 0 */
    double a, b, quick, alpha; /* large mean: Hoermann's constants */
    double log_mean;
};

/* One kind of an alias table (Vose 1991): below `keep` it is itself, above it is `other`. */
struct alias {
    double keep;
    uint32_t other;
};

struct resample {
    size_t kinds;
    double n;
    struct poisson *poisson; /* [kinds] */
    struct alias *alias;     /* [kinds] */
};

static struct poisson poisson_of(double mean)
{
    double b = 0.931 + 2.53 * sqrt(mean);

    if (mean < small_mean)
        return (struct poisson){.mean = mean, .none = exp(-mean)};
    return (struct poisson){
        .mean = mean,
        .a = -0.059 + 0.02483 * b,
        .b = b,
        .quick = 0.9277 - 3.6224 / (b - 2),
        .alpha = 1.1239 + 1.1328 / (b - 3.4),
        .log_mean = log(mean),
    };
}

static double poisson_small(const struct poisson *p, struct rng *rng)
{
    double left = rng_unit(rng), chance = p->none, k = 0;

    while (left >= chance && chance > 0) {
        left -= chance;
        k++;
        chance *= p->mean / k;
    }
    return k;
}

/* ln(mean^k e^-mean / k!) by Stirling's series, for k >= 10 to 1e-10; below it by ln Gamma. */
static double log_chance(const struct poisson *p, double k)
{
    double y = 1 / (k * k);
    int sign;

    if (k < 10)
        return k * p->log_mean - p->mean - lgamma_r(k + 1, &sign);
    return k * (1 + log(p->mean / k)) - p->mean - 0.5 * log(two_pi * k) -
           (1.0 / 12 - y * (1.0 / 360 - y / 1260)) / k;
}

/* Transformed rejection, PTRS (Hoermann 1993, "The transformed rejection method for generating
 * Poisson random variables"). Most draws end at the first test. */
static double poisson_large(const struct poisson *p, struct rng *rng)
{
    for (;;) {
        double u = rng_unit(rng) - 0.5, v = rng_unit(rng), edge = 0.5 - fabs(u);
        double k = floor((2 * p->a / edge + p->b) * u + p->mean + 0.43);
        if (edge >= 0.07 && v <= p->quick)
            return k;
        if (k < 0 || (edge < 0.013 && v > edge))
            continue;
        if (log(v * p->alpha / (p->a / (edge * edge) + p->b)) <= log_chance(p, k))
            return k;
    }
}

static double poisson_draw(const struct poisson *p, struct rng *rng)
{
    return p->mean < small_mean ? poisson_small(p, rng) : poisson_large(p, rng);
}

/* Kinds with less than their even share are filled up by kinds that have more. */
static void alias_build(struct alias *table, const double *counts, size_t kinds, double n)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    uint32_t *poor = NEW_N(scratch, uint32_t, kinds), *rich = NEW_N(scratch, uint32_t, kinds);
    size_t npoor = 0, nrich = 0;

    for (uint32_t i = 0; i < kinds; i++) {
        table[i] = (struct alias){counts[i] * (double)kinds / n, i};
        if (table[i].keep < 1)
            poor[npoor++] = i;
        else
            rich[nrich++] = i;
    }
    while (npoor && nrich) {
        uint32_t less = poor[--npoor], more = rich[nrich - 1];
        table[less].other = more;
        table[more].keep -= 1 - table[less].keep;
        if (table[more].keep < 1) {
            nrich--;
            poor[npoor++] = more;
        }
    }
    while (npoor) /* only rounding is missing */
        table[poor[--npoor]].keep = 1;
}

static size_t alias_draw(const struct resample *r, struct rng *rng)
{
    double x = rng_unit(rng) * (double)r->kinds;
    size_t kind = (size_t)x;

    kind = kind < r->kinds ? kind : r->kinds - 1;
    return x - (double)kind < r->alias[kind].keep ? kind : r->alias[kind].other;
}

struct resample *resample_new(struct arena *a, const double *counts, size_t kinds)
{
    struct resample *r = NEW(a, struct resample);
    double share;

    *r = (struct resample){
        .kinds = kinds,
        .poisson = NEW_N(a, struct poisson, kinds),
        .alias = NEW_N(a, struct alias, kinds),
    };
    for (size_t i = 0; i < kinds; i++)
        r->n += counts[i];
    /* Three standard deviations below n: more than n comes up once in a thousand rounds. */
    share = fmax(0, 1 - 3 / sqrt(r->n));
    for (size_t i = 0; i < kinds; i++)
        r->poisson[i] = poisson_of(share * counts[i]);
    alias_build(r->alias, counts, kinds, r->n);
    return r;
}

void resample_draw(const struct resample *r, struct rng *rng, double *drawn)
{
    double sum;

    do {
        sum = 0;
        for (size_t i = 0; i < r->kinds; i++)
            sum += drawn[i] = poisson_draw(&r->poisson[i], rng);
    } while (sum > r->n);
    for (size_t missing = (size_t)(r->n - sum); missing; missing--)
        drawn[alias_draw(r, rng)]++;
}
