/* correlate.h - correlation of two lists, and concordance of several raters.
 *
 * Ties get the mean of their ranks. NaN for lists without spread. Pure;
 * the arena is scratch space. */
#ifndef MATH_CORRELATE_H
#define MATH_CORRELATE_H

#include "math/cell.h"

double correlate_pearson(const double *x, const double *y, size_t n);
double correlate_spearman(struct arena *scratch, const double *x, const double *y, size_t n);
/* Kendall's tau-b (Kendall 1945). Compares all pairs: quadratic in n. */
double correlate_tau(const double *x, const double *y, size_t n);

/* Kendall's W, corrected for ties (Kendall and Babington Smith 1939; Siegel and
 * Castellan 1988): how far raters rank the units alike, from 0 to 1. NaN unless at least
 * two raters rated everything once. */
double correlate_concordance(const struct cells *c);

#endif
