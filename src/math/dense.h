/* dense.h - symmetric dense systems: what the fits of ratings need of linear algebra.
 *
 * Matrices are [m][m]. Where only the lower triangle is kept it is by columns, as LAPACK has it:
 * element (row, column) is at column * m + row, row >= column. Pure. The only door to LAPACK. */
#ifndef MATH_DENSE_H
#define MATH_DENSE_H

#include "base/mem.h"

/* L with L L^T = a, in its place (Cholesky); lower triangles. False: a is not positive definite. */
bool dense_factor(double *a, size_t m);
/* x = a^-1 x, where `factor` is what dense_factor() made of a. */
bool dense_solve(const double *factor, size_t m, double *x);
/* The inverse, both triangles, in the place of the factor. */
bool dense_invert(double *factor, size_t m);
/* The largest sum of absolute values of a column; both triangles. */
double dense_norm(const double *a, size_t m);

/* meat = inverse meat inverse. */
void dense_sandwich(double *meat, const double *inverse, size_t m);

/* The first n of m parameters as contrasts to their mean: row and column means of their block are
 * taken off, [n][n]. */
double *dense_contrasts(struct arena *a, const double *v, size_t m, size_t n);

/* Make D v D of v, with variances at least those of `least` and the same correlations. */
void dense_raise(double *v, const double *least, size_t n);

#endif
