/* dense.h - symmetric dense systems: what the fits of ratings need of linear algebra.
 *
 * Matrices are [m][m]. Where only the lower triangle is kept it is by columns: element
 * (row, column) is at column * m + row, row >= column. Pure.
 *
 * Written out, though LAPACK has it: compiled for another processor, or by another vendor, that
 * rounds otherwise, and `verify` would find differences in a run from another machine. */
#ifndef MATH_DENSE_H
#define MATH_DENSE_H

#include "base/mem.h"

/* x = a^-1 x for a positive definite a, of which the lower triangle is kept; a is spent. False: it
 * is not positive definite. */
bool dense_solve(double *a, size_t m, double *x);
/* The inverse of such an a, both triangles, in its place. */
bool dense_invert(double *a, size_t m);
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
