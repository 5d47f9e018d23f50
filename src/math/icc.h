/* icc.h - intraclass correlation: the share of the variance of ratings that
 * is due to the rated units.
 *
 * The six forms of Shrout and Fleiss 1979. 1: each unit has different, unidentified raters; 2:
 * raters are a sample, and their severity counts as error; 3: only these raters matter, and
 * severity is removed. Each for a single rating and for the mean of k.
 *
 * If every rater rated every unit: analysis of variance, with its exact 95 % intervals (for form 2
 * with Satterthwaite's degrees of freedom, and wider with few raters; McGraw and Wong 1996 for its
 * mean). Otherwise: variance components from sums of squares (Henderson 1953, method 1) or, for
 * form 3 with up to 20,000 ratings, from fitting constants (method 3); both give the same numbers
 * if nothing is missing. The interval of form 1 is then the same with k0 in place of k; those of
 * the others are jackknife intervals over units, and for form 2 also over raters (jackknife.h).
 * Negative estimates are kept; bounds end at -1. A pair of unit and rater may occur only once.
 * Pure; undefined results are NaN. */
#ifndef MATH_ICC_H
#define MATH_ICC_H

#include "math/cell.h"
#include "math/interval.h"

enum icc_form { ICC_1, ICC_2, ICC_3, ICC_FORMS };

struct icc {
    struct interval single[ICC_FORMS], mean[ICC_FORMS];
    bool complete;
    double k;                              /* number of ratings in the means: raters, or k0 */
    double between, within, raters, error; /* mean squares; the last two if complete */
    const char *why;                       /* why some form is undefined; NULL if none is */
};

/* Cells must be sorted. */
struct icc icc_of(const struct cells *c);

/* Variances of units, raters and error, by Henderson's method 1. False if there are too
 * few values to separate them. */
struct icc_parts {
    double unit, rater, error;
};
bool icc_components(const struct cells *c, struct icc_parts *out);

/* Spearman-Brown: the reliability of the mean of k ratings, given that of one, which
 * must be above -1 / (k - 1). */
double icc_of_mean(double single, double k);

#endif
