/* jackknife.h - jackknife intervals of agreement coefficients, over units and raters.
 *
 * On Fisher's scale z = artanh, where coefficients are spread evenly: V = (K - 1) / K times the sum
 * of squares about their mean of the values without each of K parts. A part is one unit or rater if
 * that is affordable, else one of several parts of equal size. The interval is
 *     tanh(z +- sqrt(t^2(U - 1) V_U + t^2(R - 1) V_R)),
 * where the second term is for raters as a sample (three or more). Pure. */
#ifndef MATH_JACKKNIFE_H
#define MATH_JACKKNIFE_H

#include "math/cell.h"
#include "math/interval.h"

/* A coefficient between -1 and 1 of sorted cells; NaN if undefined. */
typedef double jackknife_fn(const struct cells *c, void *user);

struct jackknife {
    double value;
    double by_unit, by_rater; /* variances of z; NaN: undefined without some part */
    size_t units, raters;     /* number of parts */
};

enum jackknife_for { JACKKNIFE_THESE, JACKKNIFE_NEW }; /* these raters only, or raters in general */

struct jackknife jackknife_of(const struct cells *c, jackknife_fn *fn, void *user);

/* Same for two coefficients that share their work; NaN in the place of one that is undefined. */
typedef void jackknife_two_fn(const struct cells *c, void *user, double values[2]);
void jackknife_two(const struct cells *c, jackknife_two_fn *fn, void *user,
                   struct jackknife out[2]);

/* Division of units or raters into parts that are left out together. Lives in the arena. */
struct jackknife_parts {
    bool units;
    uint32_t *part;   /* [units or raters] part of each, below n */
    size_t n, things; /* things: units or raters that occur */
};
struct jackknife_parts jackknife_divide(struct arena *a, const struct cells *c, bool units);
/* V from the values without each part; NaN if any of them is not inside (-1, 1), because
 * the spread is then unknown. */
double jackknife_variance(const double *values, size_t n);

/* With four or more raters and fewer than 30 units, the term for raters is always included. Refused
 * with INTERVAL_PERFECT if the value without some part is 1, -1 or undefined, with
 * INTERVAL_FEW_UNITS below five units (a caution below ten), and with INTERVAL_FEW_RATERS for
 * JACKKNIFE_NEW with fewer than three raters. */
struct interval jackknife_interval(const struct jackknife *j, enum jackknife_for whom,
                                   double level);

/* Same for two lists with clustered values, such as the texts of a passage: leaves out clusters. */
struct jackknife_lists {
    const double *x, *y;
    const uint32_t *cluster; /* below `clusters` */
    size_t n, clusters;
};
typedef double jackknife_pair_fn(const double *x, const double *y, size_t n);
struct interval jackknife_lists(const struct jackknife_lists *l, jackknife_pair_fn *fn,
                                double level);

/* For nearly perfect agreement: if k of n units show disagreement, the upper 95 % confidence bound
 * of its true share (Clopper and Pearson 1934). */
double jackknife_unseen(size_t k, size_t n);

#endif
