/* kappa.h - chance-corrected agreement on categories.
 *
 * Cohen's kappa is for two raters, weighted by the distance of two levels on the scale itself:
 * unused levels keep their gap. The other coefficients are for any number of raters. If a category
 * is rare, kappa and alpha collapse although raters nearly always agree (Feinstein and Cicchetti
 * 1990); report percent agreement and Gwet's AC1 beside them. Pure; undefined results are NaN. */
#ifndef MATH_KAPPA_H
#define MATH_KAPPA_H

#include "math/cell.h"
#include "math/census.h"

enum { KAPPA_LEVELS_MAX = 1000 }; /* in a table of two raters */

enum kappa_weights { KAPPA_PLAIN, KAPPA_LINEAR, KAPPA_QUADRATIC, KAPPA_WEIGHTS };

struct kappa {
    double value;
    double se;        /* Fleiss, Cohen and Everitt 1969 */
    double agreement; /* 1 minus the mean loss, as a share of the largest */
    double n;
};

/* joint[k * k] counts how often the first rater said the row and the second the column; loss[k * k]
 * is the weight of that disagreement, 0 on the diagonal (Cohen 1968). With shares instead of
 * counts, se is meaningless. */
struct kappa kappa_table(const double *joint, const double *loss, size_t k);

/* Fills loss[k * k] for levels with these values: 1 if different, their distance, or its square. */
void kappa_loss(const double *levels, size_t k, enum kappa_weights w, double *loss);

/* Two raters on the same n units. NaN for more than KAPPA_LEVELS_MAX distinct values. */
struct kappa kappa_pairs(const double *x, const double *y, size_t n, enum kappa_weights w);

/* Any number of raters; units with fewer than two values do not affect agreement. */
struct kappa_many {
    double agreement; /* probability that two raters of a unit agree, averaged over units */
    double fleiss;    /* Fleiss 1971; NaN unless all units have the same number of values */
    double ac1;       /* Gwet 2008 */
    double even; /* chance agreement as if all categories were equally likely (Brennan and Prediger
                    1981; PABAK for two categories) */
    double uneven; /* Fleiss' formula for any numbers of values per unit */
};

/* Cells must be sorted; their values are category numbers below `categories`. */
struct kappa_many kappa_many(const struct cells *c, size_t categories);
struct kappa_many kappa_of_census(const struct census *t); /* all but `fleiss` */

#endif
