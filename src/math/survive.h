/* survive.h - how long things last, when not all were watched to their end: Kaplan and Meier.
 *
 * Time is counted in whole steps from 1. Whoever ended did so in the step `time`; whoever did not
 * was there through it and is not known about afterwards. The share that lasts through t is
 *     S(t) = product over steps i <= t of (1 - d_i / n_i)
 * with d_i ends among n_i who were there. Bands are Greenwood's on the scale log(-log S), for all
 * steps at once: each has the level 1 - (1 - level) / k, where k counts the steps with an end
 * (Bonferroni). Pure. */
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

/* Of `most` steps, how many are lasted through on the average: the sum of S(1) to S(most), with the
 * variance sum_i A_i^2 d_i / (n_i (n_i - d_i)) m / (m - 1), where A_i is the same sum from step i
 * on and m counts all ends; Student's t on n - 1, inside 0 to most. */
struct interval survive_mean(const struct survive_curve *c, size_t n, int64_t most, double level);

#endif
