/* agree.h - agreement between raters beyond chance.
 *
 * Undefined results are NaN, never 1: if every rater always gave the same value, there is
 * nothing to agree about. Pure. */
#ifndef MATH_AGREE_H
#define MATH_AGREE_H

#include "math/cell.h"
#include "math/census.h"
#include "math/describe.h"

/* Scale of measurement, which defines the distance between two values. */
enum agree_level { AGREE_NOMINAL, AGREE_ORDINAL, AGREE_INTERVAL, AGREE_RATIO };

/* Krippendorff's alpha of sorted cells (Krippendorff 2011, "Computing Krippendorff's
 * alpha-reliability"). Units with fewer than two values are ignored. RATIO takes time quadratic in
 * the number of distinct values, which must not be negative. */
double agree_alpha(const struct cells *c, enum agree_level level);
/* Same, from counted pairs; levels[t->levels] are the values of the categories. */
double agree_of_census(const struct census *t, const double *levels, enum agree_level level);

/* Alpha for INTERVAL, one unit at a time in constant memory; initialize with {0}. */
struct agree_interval {
    struct describe all; /* all values of units with two or more */
    double within;       /* sum over units of m / (m - 1) times their sum of squares */
    size_t units;
};

void agree_interval_add(struct agree_interval *s, const double *v, size_t n); /* NaN: no value */
double agree_interval_alpha(const struct agree_interval *s);
/* Alpha over several series, such as the dimensions of a rubric: observed and expected
 * disagreements are summed, but values of different series are never compared. */
double agree_interval_pooled(const struct agree_interval *s, size_t n);

#endif
