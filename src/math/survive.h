/* survive.h - how long things last, when not all were watched to their end: Kaplan and Meier.
 *
 * Time is counted in whole steps from 1. Whoever ended did so in the step `time`; whoever did not
 * was there through it and is not known about afterwards. The share that lasts through t is
 *     S(t) = product over steps i <= t of (1 - d_i / n_i)
 * with d_i ends among n_i who were there. Bands are Jeffreys' of a binomial share with the variance
 * of Greenwood, for all steps at once: each has the level 1 - (1 - level) / k, where k counts the
 * steps with an end (Bonferroni). Pure. */
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
    double share, low, high; /* that last through it; bounds are NaN where nothing can be said */
    size_t there, ended;
};

struct survive_curve {
    struct survive_step *v; /* by time */
    size_t n;
};

struct survive_curve survive_curve(struct arena *a, const struct survive_one *v, size_t n,
                                   double level);

/* Of `most` steps, how many are lasted through on the average: the sum of S(1) to S(most). What
 * each adds is n times the sum less n - 1 times that without it (pseudo-values); where nobody left
 * it is what it lasted through itself. The interval is that of their mean, method M. */
struct interval survive_mean(struct arena *a, const struct survive_one *v, size_t n, int64_t most,
                             double level);

#endif
