/* icc.h - intraclass correlation: which share of the variance of ratings is due to what is rated.
 *
 * The six forms of Shrout and Fleiss 1979. 1: raters differ from unit to unit and nobody asks who
 * they were; 2: raters are a sample, and their severity counts as error; 3: these raters and no
 * others, severity left out. Each for a single rating and for the mean of k.
 *
 * Where every rater rated every unit: analysis of variance, with their exact 95 % intervals (for
 * form 2 with Satterthwaite's degrees of freedom; McGraw and Wong 1996 for its mean). Where not:
 * variance components by fitting constants (Henderson 1953, method 3; Searle, Casella and McCulloch
 * 1992, section 5.5), which gives the same numbers when nothing is missing; form 1 has then an
 * approximate interval (k0 in place of k), forms 2 and 3 have none. Estimates below 0 stay as they
 * are. A pair of unit and rater comes once at most. Pure; what is undefined is NaN. */
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

/* Spearman and Brown: the reliability of the mean of k ratings from that of one. */
double icc_of_mean(double single, double k);

#endif
