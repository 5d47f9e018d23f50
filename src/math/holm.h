/* holm.h - many tests at once.
 *
 * Holm's step-down method (Holm 1979): the smallest of n p-values is multiplied by n, the next by
 * n - 1, and so on, none below the one before it. The chance of even one false alarm then keeps to
 * its level, whatever the tests have to do with each other. Pure. */
#ifndef MATH_HOLM_H
#define MATH_HOLM_H

#include "base/base.h"

/* adjusted[n], at most 1; may be p itself. A p that is NaN was no test: it stays NaN and does not
 * count. */
void holm_adjust(const double *p, size_t n, double *adjusted);

#endif
