/* components.h - variance components of marks.
 *
 * Every mark is the mean of its stratum (a model or a system: fixed) plus random effects, one per
 * factor: the item, the judge, the answer. The variances are estimated by the method of moments
 * (Henderson 1953, method 1; Searle, Casella and McCulloch 1992, section 5.3): the sums of squares
 * between the levels of each factor are equated with their expectations, which are linear in the
 * variances, even if values are missing. If none are, these are the mean squares of the analysis of
 * variance, and the results equal REML. A variance that would be negative is set to 0, and the
 * others are estimated without it, as REML does.
 *
 * Makes a few passes over the values per pair of factors and uses about 30 bytes of memory per
 * value. Pure; scratch memory is freed. */
#ifndef MATH_COMPONENTS_H
#define MATH_COMPONENTS_H

#include "base/mem.h"

enum { COMPONENTS_MOST = 5 }; /* factors */

/* The level of each value. Levels are nested in strata: use components_join() to number pairs. */
struct components_factor {
    const uint32_t *level; /* [n], below `levels` */
    size_t levels;
};

struct components_data {
    const double *value;
    size_t n;
    struct components_factor strata;
    struct components_factor factors[COMPONENTS_MOST]; /* coarsest first */
    size_t nfactors;
};

struct component {
    double variance; /* NaN: confounded with another factor, or only one level */
    double reach; /* fraction of it that remains in the mean of a stratum, averaged over strata */
    size_t levels;
    size_t same; /* if NaN, the earlier factor it is confounded with, or COMPONENTS_MOST with one
                    level per stratum; else its own number */
};

struct components {
    struct component of[COMPONENTS_MOST + 1]; /* by factor; [nfactors]: the residual */
    double total;                             /* variance of one value within its stratum */
    double noise;                             /* variance of a stratum's mean */
    size_t strata;                            /* strata with values */
};

/* Returns false if no stratum has more than one value: there is no variance to explain. */
bool components_estimate(const struct components_data *d, struct components *out);

/* Numbers the distinct pairs (x[i], y[i]) from 0 in order of appearance: out[i] is the number of
 * pair i. Returns how many there are. */
size_t components_join(const uint32_t *x, const uint32_t *y, size_t n, uint32_t *out);

#endif
