/* jackknife.h - how far a coefficient of agreement moves when units, or raters, are left out.
 *
 * On Fisher's scale z = artanh, where coefficients spread evenly: V = (K - 1) / K times the squares
 * of the values without each of K parts about their mean. A part is one unit or rater where that is
 * affordable, else one of a number of equal parts, by number. The interval is
 *     tanh(z +- sqrt(t^2(U - 1) V_U + t^2(R - 1) V_R)),
 * its second term for raters that could have been others (three or more). Pure. */
#ifndef MATH_JACKKNIFE_H
#define MATH_JACKKNIFE_H

#include "math/cell.h"
#include "math/interval.h"

/* A coefficient between -1 and 1 of sorted cells; NaN: undefined. */
typedef double jackknife_fn(const struct cells *c, void *user);

struct jackknife {
    double value;
    double by_unit, by_rater; /* variances of z; NaN: some part cannot be spared */
    size_t units, raters;     /* parts */
};

enum jackknife_for { JACKKNIFE_THESE, JACKKNIFE_NEW }; /* raters */

struct jackknife jackknife_of(const struct cells *c, jackknife_fn *fn, void *user);

/* What is left out together: units, or raters, by number. In the arena. */
struct jackknife_parts {
    bool units;
    uint32_t *part;   /* [units or raters] below n */
    size_t n, things; /* things: units or raters that occur */
};
struct jackknife_parts jackknife_divide(struct arena *a, const struct cells *c, bool units);
/* V of the values without each part; NaN where one is not inside (-1, 1): nothing can be said about
 * the spread then. */
double jackknife_variance(const double *values, size_t n);

/* With four raters or more and fewer than 30 units the crossed one is taken for both. Refused
 * (INTERVAL_PERFECT) where a value without some part is 1, -1 or undefined; (INTERVAL_FEW_UNITS)
 * below five units, with a caution below ten; (INTERVAL_FEW_RATERS) for new raters where there are
 * fewer than three. */
struct interval jackknife_interval(const struct jackknife *j, enum jackknife_for whom,
                                   double level);

/* The same for two lists whose values come in clusters, such as the texts of a passage: clusters
 * are left out. */
struct jackknife_lists {
    const double *x, *y;
    const uint32_t *cluster; /* below `clusters` */
    size_t n, clusters;
};
typedef double jackknife_pair_fn(const double *x, const double *y, size_t n);
struct interval jackknife_lists(const struct jackknife_lists *l, jackknife_pair_fn *fn,
                                double level);

/* Agreement is nearly perfect: k of n units with some disagreement leave this much room for more,
 * with 95 % confidence (Clopper and Pearson 1934). */
double jackknife_unseen(size_t k, size_t n);

#endif
