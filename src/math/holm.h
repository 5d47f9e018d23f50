/* holm.h - correction for multiple tests.
 *
 * Holm's step-down method (Holm 1979): the smallest of n p-values is multiplied by n, the next by n
 * - 1, and so on, and none may be below the one before it. This controls the probability of any
 * false alarm, however the tests depend on each other. Pure. */
#ifndef MATH_HOLM_H
#define MATH_HOLM_H

#include "base/base.h"

/* Writes adjusted[n], at most 1; may be the same array as p. NaN means no test: it
 * stays NaN and is not counted. */
void holm_adjust(const double *p, size_t n, double *adjusted);

#endif
