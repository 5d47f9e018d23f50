/* severity.h - adjusts for strict and lenient raters.
 *
 * The additive model y = unit - severity of the rater + error, by least squares, with severities
 * that sum to 0. A unit may be an answer, or a whole system of which a rater sees several answers:
 * then a pair of unit and rater occurs more than once, which is fine. Severities can only be
 * compared along chains of common units: raters without such a chain between them are in different
 * groups, as are their units.
 *
 * Units are eliminated, and severities solved by conjugate gradients (Hestenes and Stiefel 1952)
 * with a diagonal preconditioner. No matrix is built, so thousands of raters are no problem. Pure;
 * undefined results are NaN. */
#ifndef MATH_SEVERITY_H
#define MATH_SEVERITY_H

#include "base/err.h"
#include "math/cell.h"

struct severity {
    double *unit;    /* [units] value for raters of average severity; NaN: not rated */
    double *rater;   /* [raters] above 0: gives lower values than others; NaN: rated nothing */
    uint32_t *group; /* [raters] group of each rater */
    size_t groups;   /* groups of raters with ratings; severities sum to 0 in each */
    double residual; /* residual sum of squares */
};

/* Works for any design. Everything lives in the arena. */
void severity_solve(struct arena *a, const struct cells *c, struct severity *out);

/* means[systems]: the mean of the adjusted values of each system's rated units; system[units]
 * assigns units to systems. */
void severity_means(const struct severity *s, const uint32_t *system, size_t units, double *means,
                    size_t systems);

#endif
