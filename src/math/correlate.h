/* correlate.h - do two lists, or several raters, go up and down together?
 *
 * Ties share the mean of their ranks. Lists without spread have no correlation: NaN. Pure; the
 * arena is scratch. */
#ifndef MATH_CORRELATE_H
#define MATH_CORRELATE_H

#include "math/cell.h"

double correlate_pearson(const double *x, const double *y, size_t n);
double correlate_spearman(struct arena *scratch, const double *x, const double *y, size_t n);
/* Kendall's tau-b (Kendall 1945), by looking at all pairs: for lists of thousands. */
double correlate_tau(const double *x, const double *y, size_t n);

/* Kendall's W, corrected for ties (Kendall and Babington Smith 1939; Siegel and Castellan 1988):
 * how far raters order the units alike, from 0 to 1. NaN unless two raters or
 * more rated everything once. */
double correlate_concordance(const struct cells *c);

#endif
