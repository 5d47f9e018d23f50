/* agree.h - how far raters agree beyond chance.
 *
 * Undefined results are NaN, never 1: where everybody always said the same one thing, there is
 * nothing to agree about. Pure. */
#ifndef MATH_AGREE_H
#define MATH_AGREE_H

#include "math/cell.h"
#include "math/census.h"
#include "math/describe.h"

/* What a distance between two values means. */
enum agree_level { AGREE_NOMINAL, AGREE_ORDINAL, AGREE_INTERVAL, AGREE_RATIO };

/* Krippendorff's alpha of sorted cells (Krippendorff 2011, "Computing Krippendorff's
 * alpha-reliability"); units with fewer than two values do not take part. RATIO takes time square
 * in the number of different values, which are not negative. */
double agree_alpha(const struct cells *c, enum agree_level level);
/* The same where pairs were counted; levels[t->levels]: what the categories stand for. */
double agree_of_census(const struct census *t, const double *levels, enum agree_level level);

/* Alpha for INTERVAL, one unit at a time in constant memory; start from {0}. */
struct agree_interval {
    struct describe all; /* every value that takes part */
    double within;       /* sum over units of m / (m - 1) times their squares about their mean */
    size_t units;
};

void agree_interval_add(struct agree_interval *s, const double *v, size_t n); /* NaN: none */
double agree_interval_alpha(const struct agree_interval *s);
/* Alpha over several series, such as the dimensions of a rubric: disagreements are added up,
 * observed and expected, but no value is compared with one of another series. */
double agree_interval_pooled(const struct agree_interval *s, size_t n);

#endif
