/* dense.h - symmetric dense linear algebra for the fits of ratings.
 *
 * Matrices are [m][m]. Where only the lower triangle is stored, it is stored by columns: element
 * (row, column) is at column * m + row, row >= column. Pure.
 *
 * LAPACK is not used on purpose: its rounding differs between processors and vendors, and `verify`
 * would report differences for a run from another machine. */
#ifndef MATH_DENSE_H
#define MATH_DENSE_H

#include "base/mem.h"

/* x = a^-1 x for a positive definite a, stored as lower triangle; destroys a. Returns false if a
 * is not positive definite. */
bool dense_solve(double *a, size_t m, double *x);
/* Replaces such an a by its inverse, both triangles. */
bool dense_invert(double *a, size_t m);
/* The largest absolute column sum; needs both triangles. */
double dense_norm(const double *a, size_t m);

/* meat = inverse meat inverse. */
void dense_sandwich(double *meat, const double *inverse, size_t m);

/* The first n of m parameters as contrasts with their mean: subtracts row and column means of
 * their block. Returns [n][n]. */
double *dense_contrasts(struct arena *a, const double *v, size_t m, size_t n);

/* Rescales v to D v D so that its variances are at least those of `least`;
 * correlations do not change. */
void dense_raise(double *v, const double *least, size_t n);

#endif
