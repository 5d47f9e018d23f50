/* severity.h - strict and lenient raters, made comparable.
 *
 * The additive model y = unit - severity of the rater + error, by least squares, with severities
 * that sum to 0. A unit may be an answer, or a whole system whose answers a rater sees several of:
 * then a pair of unit and rater comes more than once, which is fine. Severities can be compared
 * only along chains of common units: raters without such a chain between them are of different
 * groups, and so are their units.
 *
 * Units are eliminated and the severities found by conjugate gradients (Hestenes and Stiefel 1952)
 * with the diagonal as preconditioner: no matrix is made, so that thousands of raters are no
 * matter. Pure; what is undefined is NaN. */
#ifndef MATH_SEVERITY_H
#define MATH_SEVERITY_H

#include "base/err.h"
#include "math/cell.h"

struct severity {
    double *unit;    /* [units] as if all raters had been equally severe; NaN: nobody rated it */
    double *rater;   /* [raters] above 0: gives less than the others; NaN: rated nothing */
    uint32_t *group; /* [raters] which group it belongs to */
    size_t groups;   /* of raters that rated something; severities sum to 0 in each */
    double residual; /* sum of squares that the model leaves */
};

/* Any design; everything lives in the arena. */
void severity_solve(struct arena *a, const struct cells *c, struct severity *out);

/* means[systems]: the mean over the rated units of each system of their adjusted values;
 * system[units] says whose they are. */
void severity_means(const struct severity *s, const uint32_t *system, size_t units, double *means,
                    size_t systems);

#endif
