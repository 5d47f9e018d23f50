/* kappa.h - agreement on categories, corrected for chance in the ways that are in use.
 *
 * Cohen's kappa is for two raters, weighted by how far apart two levels are on the scale itself:
 * a level that nobody used keeps its gap. The others are for any number of raters. Where one
 * category is rare, kappa and alpha collapse although raters nearly always agree (Feinstein and
 * Cicchetti 1990); percent agreement and Gwet's AC1 belong beside them. Pure; what is undefined is
 * NaN. */
#ifndef MATH_KAPPA_H
#define MATH_KAPPA_H

#include "math/cell.h"
#include "math/census.h"

enum { KAPPA_LEVELS_MAX = 1000 }; /* of a table of two raters */

enum kappa_weights { KAPPA_PLAIN, KAPPA_LINEAR, KAPPA_QUADRATIC, KAPPA_WEIGHTS };

struct kappa {
    double value;
    double se;        /* Fleiss, Cohen and Everitt 1969 */
    double agreement; /* 1 less the mean loss, as a share of the worst */
    double n;
};

/* joint[k * k]: how often the first rater said the row and the second the column; loss[k * k]: what
 * that disagreement weighs, 0 on the diagonal (Cohen 1968). Shares in place of counts give a se
 * without meaning. */
struct kappa kappa_table(const double *joint, const double *loss, size_t k);

/* loss[k * k] for levels of these values: 1 for any two, or their distance, or its square. */
void kappa_loss(const double *levels, size_t k, enum kappa_weights w, double *loss);

/* Two raters on the same n units. More than KAPPA_LEVELS_MAX different values: NaN. */
struct kappa kappa_pairs(const double *x, const double *y, size_t n, enum kappa_weights w);

/* Any number of raters; a unit with fewer than two values has no say in agreement. */
struct kappa_many {
    double agreement; /* chance that two raters of a unit agree, mean over units */
    double fleiss;    /* Fleiss 1971; only where all units have equally many values */
    double ac1;       /* Gwet 2008 */
    double even;      /* chance as if all categories were equally likely (Brennan and Prediger 1981;
                       * of two categories: PABAK) */
    double uneven;    /* that of Fleiss, however many values each unit has */
};

/* Sorted cells, whose values are category numbers below `categories`. */
struct kappa_many kappa_many(const struct cells *c, size_t categories);
struct kappa_many kappa_of_census(const struct census *t); /* all but `fleiss` */

#endif
