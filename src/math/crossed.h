/* crossed.h - means of ratings whose raters and passages were both drawn.
 *
 * Every rater weighs the same. The mean is taken again without each rater, and without each
 * passage; with variances V_R and V_P of these two jackknifes
 *     h^2 = t^2(R - 1) V_R + t^2(P - 1) V_P
 * is half the interval, squared. It is never negative, needs no residual term and one pass over the
 * ratings; the price is caution where raters are few (docs/COVERAGE.md). Near an end of the scale
 * it is no shorter than the interval of the passages' means alone (interval.h).
 *
 * With one rater, or two, nothing is known about others: the interval is that of passages, and a
 * caution says whose marks it is about. Pure. */
#ifndef MATH_CROSSED_H
#define MATH_CROSSED_H

#include "math/cell.h"
#include "math/interval.h"

struct crossed {
    double mean;              /* NaN: there is no rating */
    double by_rater, by_unit; /* variances */
    size_t raters, units, n;  /* that occur */
    struct interval_scale scale;
    double heaviest;          /* the largest weight of a unit; 1: it carries all */
    struct interval passages; /* of the units' means, raters taken as they are */
};

/* Cells in any order; a pair may come more than once. */
struct crossed crossed_of(const struct cells *c, struct interval_scale scale, double level);
/* Of differences of two marks on this scale. */
struct crossed crossed_of_differences(const struct cells *c, struct interval_scale scale,
                                      double level);

struct interval crossed_interval(const struct crossed *x, double level);

/* The half width and degrees of freedom behind an interval of this kind. */
double crossed_half(double by_rater, size_t raters, double by_unit, size_t units, double level);

/* One system less another, rated by the same people: values of cells with the same unit and rater,
 * the first less the second; both sorted. The result lives in the arena. */
struct cells crossed_less(struct arena *a, const struct cells *one, const struct cells *other);

/* Two-sided p-value of a mean of 0: the level at which the interval, not clipped, ends there; where
 * nothing varies, that of as many equal signs as there are raters or units, whichever are fewer.
 * NaN with fewer than three raters or two units. */
double crossed_p(const struct crossed *x);

#endif
