/* misfit.h - do a rater's marks lie as far from the model as those of the others?
 *
 * Mean squares of the residuals of the additive model (severity.h) over what the model expects of
 * them: 1 is as expected, more is noise that the others do not have, less is more alike than chance
 * would make it; 0.5 to 1.5 does no harm to a measurement (Wright and Linacre 1994). With the
 * expected variance W of a residual e, infit = sum e^2 / sum W, which single surprises move little,
 * and outfit = mean of e^2 / W, which they move much. W is the variance that the model leaves, less
 * what fitting the unit and the rater took of it: the factor (1 - 1 / marks of the unit) (1 - 1 /
 * marks of the rater), exact where everybody rated everything. Pure; what is undefined is NaN. */
#ifndef MATH_MISFIT_H
#define MATH_MISFIT_H

#include "math/severity.h"

/* Sums of one rater; start from {0}. Several dimensions can be added up, each by its own variance.
 */
struct misfit {
    double expected, squares; /* sums of W and of e^2, both over the variance of the model */
    double standard;          /* sum of e^2 / W */
    size_t n;                 /* marks on units that others have rated too */
};

/* Add the marks of one dimension to raters[c->raters]; nothing where the model fits exactly. */
void misfit_add(const struct cells *c, const struct severity *s, struct misfit *raters);

double misfit_infit(const struct misfit *m);
double misfit_outfit(const struct misfit *m);

#endif
