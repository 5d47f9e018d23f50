/* combine.h - a weighted sum of independent estimates, with the interval that follows from theirs.
 *
 * Zou and Donner, Construction of confidence limits about effect measures (Statistics in Medicine
 * 27, 2008): the distance from an estimate to each of its limits stands for its standard error on
 * that side, so that limits which keep to a scale, and lie unevenly for it, are combined as they
 * are: low  = value - sqrt(sum w^2 (v - low)^2) high = value + sqrt(sum w^2 (high - v)^2) With even
 * limits that is the sum of variances. Pure. */
#ifndef MATH_COMBINE_H
#define MATH_COMBINE_H

#include "math/interval.h"

/* Weights as they are, not scaled to 1, and none negative. Observations and units are added up.
 * Where a part that counts has no limits the sum has none, for the same reason; else the first
 * caution of a part is one for the sum. */
struct interval combine_sum(const struct interval *v, const double *weights, size_t n);

#endif
