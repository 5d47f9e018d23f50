/* calibrate.h - whether a rater uses the levels as the key does, and keeps doing so.
 *
 * The gate compares a rater's values with those of an expert panel on anchor units. The CUSUM
 * chart accumulates the errors on anchors that are mixed into the work (Page 1954): small
 * errors in the same direction add up to an alarm that none of them would raise alone. Pure;
 * undefined results are NaN. */
#ifndef MATH_CALIBRATE_H
#define MATH_CALIBRATE_H

#include "base/base.h"

struct calibrate {
    size_t n;
    double exact; /* share of values equal to the key */
    double near;  /* share at most one step away */
    double bias;  /* mean of value minus key */
    double kappa; /* Cohen's, quadratic weights */
};

/* Compares n values on a scale with steps of 1. */
struct calibrate calibrate_of(const double *given, const double *key, size_t n);

struct calibrate_gate {
    double exact, near, bias, kappa; /* minimums; bias: maximum absolute value */
    size_t kappa_from;               /* kappa is only checked from this many values on */
};

enum calibrate_fault {
    CALIBRATE_EXACT = 1,
    CALIBRATE_NEAR = 2,
    CALIBRATE_BIAS = 4,
    CALIBRATE_KAPPA = 8,
    CALIBRATE_NOTHING = 16, /* no values */
};

/* Failed requirements, or-ed together; 0: passed. */
unsigned calibrate_faults(const struct calibrate *c, const struct calibrate_gate *gate);

/* Cumulative sums in both directions; initialize with {0}. */
struct calibrate_drift {
    double up, down; /* never below 0 */
    size_t n;
    size_t alarm; /* number of the error that raised the alarm, from 1; 0: none so far */
};

/* error: value minus key, in standard deviations of the rater's error. 0.5 is subtracted each time;
 * the alarm threshold is 5. */
void calibrate_drift_add(struct calibrate_drift *d, double error);

#endif
