/* williams.h - balanced presentation orders. Pure.
 *
 * The rows of a Williams square (Williams 1949): over all rows, each of n things is once at each
 * position and, if n is even, each ordered pair of neighbours occurs exactly once. If n is odd this
 * takes 2 n rows, the second half being the first one reversed, and every pair occurs twice. */
#ifndef MATH_WILLIAMS_H
#define MATH_WILLIAMS_H

#include "base/base.h"

/* Number of rows before the orders repeat. */
size_t williams_rows(size_t n);
/* Writes row number `row` (any; they repeat) of n things, as numbers from 0. */
void williams_row(size_t n, size_t row, size_t *out);

#endif
