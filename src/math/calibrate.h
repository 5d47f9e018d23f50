/* calibrate.h - does a rater mean by the levels what the key means, and still so after a while?
 *
 * The gate compares a rater's values with those of an expert panel on anchor units. The chart sums
 * up the errors on anchors that are strewn among the work (Page 1954): small ones in the same
 * direction add up to an alarm that no single one would raise. Pure; what is undefined is NaN. */
#ifndef MATH_CALIBRATE_H
#define MATH_CALIBRATE_H

#include "base/base.h"

struct calibrate {
    size_t n;
    double exact; /* share of values equal to the key */
    double near;  /* at most one step away */
    double bias;  /* mean of value less key */
    double kappa; /* Cohen's, quadratic weights */
};

/* n values on a scale with steps of 1. */
struct calibrate calibrate_of(const double *given, const double *key, size_t n);

struct calibrate_gate {
    double exact, near, bias, kappa; /* least; bias: most, to either side */
    size_t kappa_from;               /* kappa counts from so many values on */
};

enum calibrate_fault {
    CALIBRATE_EXACT = 1,
    CALIBRATE_NEAR = 2,
    CALIBRATE_BIAS = 4,
    CALIBRATE_KAPPA = 8,
    CALIBRATE_NOTHING = 16, /* there are no values */
};

/* Which demands are missed, or-ed together; 0: passed. */
unsigned calibrate_faults(const struct calibrate *c, const struct calibrate_gate *gate);

/* Cumulative sums to either side; start from {0}. */
struct calibrate_drift {
    double up, down; /* never below 0 */
    size_t n;
    size_t alarm; /* the number of the error that raised the alarm, from 1; 0: none so far */
};

/* error: value less key, in standard deviations of the rater's error. Half of one is forgiven each
 * time; the alarm comes at 5. */
void calibrate_drift_add(struct calibrate_drift *d, double error);

#endif
