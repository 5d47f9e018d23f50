/* agree.h - how far raters agree beyond chance.
 *
 * Undefined results are NaN, never 1: where everybody always said the same one thing, there is
 * nothing to agree about. Pure. */
#ifndef MATH_AGREE_H
#define MATH_AGREE_H

#include "math/cell.h"
#include "math/describe.h"
#include "math/interval.h"

/* What a distance between two values means. */
enum agree_level { AGREE_NOMINAL, AGREE_ORDINAL, AGREE_INTERVAL, AGREE_RATIO };

/* Krippendorff's alpha of sorted cells (Krippendorff 2011, "Computing Krippendorff's
 * alpha-reliability"); units with fewer than two values do not take part. RATIO takes time square
 * in the number of different values, which are not negative. */
double agree_alpha(const struct cells *c, enum agree_level level);

/* The same with an interval: units are drawn with replacement and alpha is computed again in each
 * round, percentiles of these. Rounds without a defined alpha are passed over. n counts the values,
 * clusters the units that take part. Depends on seed, purpose and values only, not on the order of
 * units or on who rated. */
struct interval agree_alpha_interval(const struct cells *c, enum agree_level level,
                                     const struct interval_bootstrap *how);

/* Alpha for INTERVAL, one unit at a time in constant memory; start from {0}. */
struct agree_interval {
    struct describe all; /* every value that takes part */
    double within;       /* sum over units of m / (m - 1) times their squares about their mean */
    size_t units;
};

void agree_interval_add(struct agree_interval *s, const double *v, size_t n); /* NaN: none */
double agree_interval_alpha(const struct agree_interval *s);
/* Alpha over several series, such as the dimensions of a rubric: disagreements are added up,
 * observed and expected, but no value is compared with one of another series. */
double agree_interval_pooled(const struct agree_interval *s, size_t n);

#endif
