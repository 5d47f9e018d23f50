/* interval.h - numbers with their uncertainty.
 *
 * Answers to the same prompt are alike, so that the prompt (or rater) is the unit that was
 * sampled: intervals come from clusters, with Student's t and C - 1 degrees of freedom. A
 * cluster without scored answers does not take part, and is not counted. What cannot be known
 * is NaN: every value of nothing, and se and bounds of a single cluster. `level` is the coverage,
 * such as 0.95. Pure. */
#ifndef MATH_INTERVAL_H
#define MATH_INTERVAL_H

#include "base/base.h"

struct interval {
    double value, se, low, high;
    size_t n;        /* observations behind it */
    size_t clusters; /* independent units behind it */
};

/* The scored answers to one prompt. */
struct interval_cluster {
    double sum;
    size_t n;
};

/* Mean of the cluster means: each prompt weighs the same, however many answers were scored. */
struct interval interval_of_means(const struct interval_cluster *c, size_t n, double level);

/* Total over total: each answer weighs the same. Variance by linearisation of the ratio,
 * C / (C - 1) * sum (y - R m)^2 / (sum m)^2 (Cochran 1977, section 6.3 without the finite
 * population). */
struct interval interval_of_ratio(const struct interval_cluster *c, size_t n, double level);

/* Mean of (mean of a - mean of b) over the clusters that both have; a[i] and b[i] are the same
 * prompt. n counts the answers of both. */
struct interval interval_of_difference(const struct interval_cluster *a,
                                       const struct interval_cluster *b, size_t n, double level);

/* The same in other units: a mean of 15 prompts times 15 is their sum. */
struct interval interval_scale(struct interval i, double times);

/* Wilson's score interval of k successes in n independent trials (Wilson 1927); se is the
 * plain sqrt(p (1 - p) / n). */
struct interval interval_wilson(size_t k, size_t n, double level);

/* How to resample: round r depends on seed, purpose and r only. */
struct interval_bootstrap {
    uint64_t seed;
    const char *purpose; /* keys the generator together with the seed */
    size_t rounds;
    double level;
};

/* se and bounds from what n rounds of resampling gave, which are sorted; NaN when there are none.
 */
void interval_percentiles(struct interval *i, double *rounds, size_t n, double level);

#endif
