/* crossed.h - means of ratings with both raters and passages sampled.
 *
 * All raters have the same weight. The mean is recomputed without each rater, and without each
 * passage; with the variances V_R and V_P of these two jackknifes
 *     h^2 = t^2(R - 1) V_R + t^2(P - 1) V_P
 * is the squared half-width of the interval. It is never negative, needs no residual term and only
 * one pass over the ratings; the price is that it is conservative with few raters
 * (docs/COVERAGE.md). Near an end of the scale it is no narrower than the interval of the passages'
 * means alone (interval.h).
 *
 * One or two raters say nothing about others: the interval is then that of passages, and a caution
 * says whose marks it is about. Pure. */
#ifndef MATH_CROSSED_H
#define MATH_CROSSED_H

#include "math/cell.h"
#include "math/interval.h"

struct crossed {
    double mean;              /* NaN: no ratings */
    double by_rater, by_unit; /* variances */
    size_t raters, units, n;  /* number that occur */
    struct interval_scale scale;
    double heaviest;          /* largest weight of a unit; 1: it is the only one */
    struct interval passages; /* interval of the units' means, treating raters as fixed */
};

/* Cells may be in any order; a pair may occur more than once. */
struct crossed crossed_of(const struct cells *c, struct interval_scale scale, double level);
/* Same for differences of two marks on this scale. */
struct crossed crossed_of_differences(const struct cells *c, struct interval_scale scale,
                                      double level);

struct interval crossed_interval(const struct crossed *x, double level);

/* The half-width of such an interval. */
double crossed_half(double by_rater, size_t raters, double by_unit, size_t units, double level);

/* Differences of two systems rated by the same people: the value in `one` minus that in `other`,
 * for each unit and rater in both. Both must be sorted. The result lives in the arena. */
struct cells crossed_less(struct arena *a, const struct cells *one, const struct cells *other);

/* Two-sided p-value for a mean of 0: 1 minus the level at which the unclipped interval ends at 0.
 * If nothing varies, that of a sign test on the number of raters or units, whichever is smaller.
 * NaN with fewer than three raters or two units. */
double crossed_p(const struct crossed *x);

#endif
