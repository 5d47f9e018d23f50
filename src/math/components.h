/* components.h - where the variance of marks comes from.
 *
 * Every mark is its stratum's mean (a model's, a system's: fixed) and a sum of random effects, one
 * for each factor: the item, the judge, the answer. The variance of each factor is estimated by the
 * method of moments (Henderson 1953, method 1; Searle, Casella and McCulloch 1992, section 5.3):
 * sums of squares between the levels of each factor are set equal to what is expected of them,
 * which is linear in the variances, whatever is missing. Where nothing is missing, these are the
 * mean squares of the analysis of variance, and the same as REML. A variance that would be below 0
 * is 0, and the others are estimated without it, as REML has it.
 *
 * A few passes over the values for each pair of factors, in memory of some 30 bytes a value. Pure;
 * scratch memory is released. */
#ifndef MATH_COMPONENTS_H
#define MATH_COMPONENTS_H

#include "base/mem.h"

enum { COMPONENTS_MOST = 5 }; /* factors */

/* Which level each value belongs to. A level lies inside one stratum: number pairs with
 * components_join(). */
struct components_factor {
    const uint32_t *level; /* [n], below `levels` */
    size_t levels;
};

struct components_data {
    const double *value;
    size_t n;
    struct components_factor strata;
    struct components_factor factors[COMPONENTS_MOST]; /* coarser ones first */
    size_t nfactors;
};

struct component {
    double variance; /* NaN: nothing tells it from another, or there is but one level */
    double reach;    /* of that, what is left in the mean of a stratum, in the mean over strata */
    size_t levels;
    size_t same; /* with which earlier factor it goes together where it is NaN; else its own number;
                  * of what has one level a stratum, COMPONENTS_MOST */
};

struct components {
    struct component of[COMPONENTS_MOST + 1]; /* by factor; the last one, [nfactors], is the rest */
    double total;                             /* variance of one value inside its stratum */
    double noise;                             /* variance of a stratum's mean */
    size_t strata;                            /* that have values */
};

/* False where values do not repeat inside strata: there is no variance to explain. */
bool components_estimate(const struct components_data *d, struct components *out);

/* Number the pairs (x[i], y[i]) that occur from 0, in the order in which they do: out[i] is the
 * number of pair i. Returns how many there are. */
size_t components_join(const uint32_t *x, const uint32_t *y, size_t n, uint32_t *out);

#endif
