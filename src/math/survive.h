/* survive.h - survival with censoring: Kaplan-Meier.
 *
 * Time is counted in whole steps from 1. Subjects that ended did so in step `time`; all others
 * lasted through it and are unknown afterwards. The share that lasts through t is
 *     S(t) = product over steps i <= t of (1 - d_i / n_i)
 * with d_i ends among n_i at risk. The bands are simultaneous for all steps: Jeffreys intervals of
 * a binomial share with Greenwood's variance, each at level 1 - (1 - level) / k, where k is the
 * number of steps with an end (Bonferroni). Pure. */
#ifndef MATH_SURVIVE_H
#define MATH_SURVIVE_H

#include "base/mem.h"
#include "math/interval.h"

struct survive_one {
    int64_t time; /* at least 1 */
    bool ended;
};

/* A step in which something ended. */
struct survive_step {
    int64_t time;
    double share, low, high; /* share that lasts through it; bounds are NaN if unknown */
    size_t there, ended;
};

struct survive_curve {
    struct survive_step *v; /* by time */
    size_t n;
};

struct survive_curve survive_curve(struct arena *a, const struct survive_one *v, size_t n,
                                   double level);

/* The mean number of steps survived out of `most`: the sum of S(1) to S(most). The contribution
 * of one subject is n times that sum minus n - 1 times the sum without it (pseudo-values);
 * without censoring it is its own number of steps. The interval is that of the mean
 * contribution, by method M. */
struct interval survive_mean(struct arena *a, const struct survive_one *v, size_t n, int64_t most,
                             double level);

#endif
