/* combine.h - a weighted sum of independent estimates, with its interval.
 *
 * Zou and Donner, Construction of confidence limits about effect measures (Statistics in Medicine
 * 27, 2008): the distance from an estimate to each of its limits stands for its standard error on
 * that side, so asymmetric limits, as on a bounded scale, can be combined:
 *     low  = value - sqrt(sum w^2 (v - low)^2)
 *     high = value + sqrt(sum w^2 (high - v)^2)
 * With symmetric limits that is the sum of variances. Pure. */
#ifndef MATH_COMBINE_H
#define MATH_COMBINE_H

#include "math/interval.h"

/* Weights are used as given, not normalized, and must not be negative. Observations and units are
 * summed. If an estimate with positive weight has no limits, neither has the sum, for the same
 * reason; otherwise it takes over the first caution of such an estimate. */
struct interval combine_sum(const struct interval *v, const double *weights, size_t n);

#endif
