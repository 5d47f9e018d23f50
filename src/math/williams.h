/* williams.h - orders in which nobody comes first too often, and nobody follows the same one.
 *
 * The rows of a Williams square (Williams 1949): over all rows each of n things stands once at each
 * place and, with n even, each ordered pair of neighbours occurs exactly once. With n odd that
 * takes 2 n rows, of which the second half are the first ones backwards; every pair then occurs
 * twice. Pure. */
#ifndef MATH_WILLIAMS_H
#define MATH_WILLIAMS_H

#include "base/base.h"

/* Rows before the orders repeat. */
size_t williams_rows(size_t n);
/* Row number `row` (any; they repeat) of n things, as numbers from 0. */
void williams_row(size_t n, size_t row, size_t *out);

#endif
