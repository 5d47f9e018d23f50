/* icc.h - intraclass correlation: which share of the variance of ratings is due to what is rated.
 *
 * The six forms of Shrout and Fleiss 1979. 1: raters differ from unit to unit and nobody asks who
 * they were; 2: raters are a sample, and their severity counts as error; 3: these raters and no
 * others, severity left out. Each for a single rating and for the mean of k.
 *
 * Where every rater rated every unit: analysis of variance, with their exact 95 % intervals (for
 * form 2 with Satterthwaite's degrees of freedom; McGraw and Wong 1996 for its mean). Where not:
 * variance components from sums of squares (Henderson 1953, method 1), or, for form 3 of up to
 * 20,000 ratings, by fitting constants (method 3); both give the same numbers when nothing is
 * missing. Intervals are then form 1 with k0 in place of k, and for the others by leaving out
 * units, and of form 2 raters too (jackknife.h). Estimates below 0 stay as they are; bounds end at
 * -1. A pair of unit and rater comes once at most. Pure; what is undefined is NaN. */
#ifndef MATH_ICC_H
#define MATH_ICC_H

#include "math/cell.h"
#include "math/interval.h"

enum icc_form { ICC_1, ICC_2, ICC_3, ICC_FORMS };

struct icc {
    struct interval single[ICC_FORMS], mean[ICC_FORMS];
    bool complete;
    double k;                              /* of the means: raters, or k0 */
    double between, within, raters, error; /* mean squares; the last two of complete designs */
    const char *why;                       /* some form is undefined: why; else NULL */
};

/* Sorted cells. */
struct icc icc_of(const struct cells *c);

/* Variances of units, of raters and of what is left, by Henderson's method 1. False where there are
 * too few values to tell them apart. */
struct icc_parts {
    double unit, rater, error;
};
bool icc_components(const struct cells *c, struct icc_parts *out);

/* Form 2 with the variance of raters not below 0: of any design. */
double icc_agreement(const struct cells *c, void *unused);

/* Spearman and Brown: the reliability of the mean of k ratings from that of one, which has to be
 * above -1 / (k - 1). */
double icc_of_mean(double single, double k);

#endif
