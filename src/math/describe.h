/* describe.h - summary statistics: moments and quantiles.
 *
 * Undefined results are NaN, never 0. Pure; no allocation. */
#ifndef MATH_DESCRIBE_H
#define MATH_DESCRIBE_H

#include "base/base.h"

/* Running moments (Welford 1962); initialize with {0}. */
struct describe {
    size_t n;
    double mean, squares; /* squares: sum of squared distances from the mean */
    double min, max;
};

void describe_add(struct describe *d, double x);
struct describe describe_of(const double *values, size_t n); /* of all these */
double describe_mean(const struct describe *d);
double describe_variance(const struct describe *d); /* divisor n - 1; NaN below 2 */
double describe_sd(const struct describe *d);

/* As many of equal size tell as much as n of these sizes, (sum x)^2 / sum x^2: of which two have
 * nearly all, hardly more than two. NaN where all are 0. */
double describe_equals(const double *sizes, size_t n);

void describe_sort(double *values, size_t n); /* ascending; must not contain NaN */
/* Linear interpolation at (n - 1) q, "type 7" of Hyndman and Fan 1996; 0 <= q <= 1. */
double describe_quantile(const double *sorted, size_t n, double q);

#endif
