/* misfit.h - fit statistics: whether a rater's marks are as predictable as those of others.
 *
 * Mean squares of the residuals of the additive model (severity.h), relative to what the model
 * expects: 1 is as expected, more is noise that others do not have, less is suspiciously regular;
 * 0.5 to 1.5 is harmless (Wright and Linacre 1994). With W the expected variance of a residual e,
 * infit = sum e^2 / sum W, which is robust to single surprises, and outfit = mean of e^2 / W, which
 * is sensitive to them. W is the residual variance of the model less what fitting the unit and the
 * rater absorbed: the factor (1 - 1 / marks of the unit) (1 - 1 / marks of the rater), exact for
 * complete designs. Pure; undefined results are NaN. */
#ifndef MATH_MISFIT_H
#define MATH_MISFIT_H

#include "math/severity.h"

/* Sums for one rater; initialize with {0}. Dimensions can be added up, each
 * scaled by its own variance. */
struct misfit {
    double expected, squares; /* sums of W and of e^2, both divided by the model's variance */
    double standard;          /* sum of e^2 / W */
    size_t n; /* marks that count: others rated the unit, and the rater other units */
};

/* Adds the marks of one dimension to raters[c->raters]; no-op if the model fits exactly. */
void misfit_add(const struct cells *c, const struct severity *s, struct misfit *raters);

double misfit_infit(const struct misfit *m);
double misfit_outfit(const struct misfit *m);

#endif
