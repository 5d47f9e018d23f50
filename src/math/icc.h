/* icc.h - intraclass correlation: which share of the variance of ratings is due to what is rated.
 *
 * The six forms of Shrout and Fleiss 1979. 1: raters differ from unit to unit and nobody asks who
 * they were; 2: raters are a sample, and their severity counts as error; 3: these raters and no
 * others, severity left out. Each for a single rating and for the mean of k.
 *
 * Where every rater rated every unit: analysis of variance, with their exact 95 % intervals (for
 * form 2 with Satterthwaite's degrees of freedom; McGraw and Wong 1996 for its mean). Where not:
 * variance components by fitting constants (Henderson 1953, method 3; Searle, Casella and McCulloch
 * 1992, section 5.5), which gives the same numbers when nothing is missing. Intervals are then
 * approximate: form 1 with k0 in place of k; form 3 by leaving out parts of the units (jackknife,
 * on Fisher's scale); form 2 likewise with the variance from leaving out raters added, which is
 * cautious (Owen 2007). Parts are taken by number: for intervals that repeat, number units and
 * raters the same way. Estimates below 0 stay as they are. A pair of unit and rater comes once at
 * most. Pure; what is undefined is NaN. */
#ifndef MATH_ICC_H
#define MATH_ICC_H

#include "math/cell.h"

enum icc_form { ICC_1, ICC_2, ICC_3, ICC_FORMS };

struct icc_value {
    double value, low, high;
};

struct icc {
    struct icc_value single[ICC_FORMS], mean[ICC_FORMS];
    bool complete;
    double k;                              /* of the means: raters, or k0 */
    double between, within, raters, error; /* mean squares; the last two of complete designs */
    const char *why;                       /* some form is undefined: why; else NULL */
};

struct icc icc_of(const struct cells *c);

/* Spearman and Brown: the reliability of the mean of k ratings from that of one, which has to be
 * above -1 / (k - 1). */
double icc_of_mean(double single, double k);

#endif
