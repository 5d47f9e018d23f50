/* accord.h - all coefficients of agreement between raters on one dimension.
 *
 * Intervals are jackknife intervals on Fisher's scale (jackknife.h). With fewer than 100
 * units, if one category has more than 70 % of the marks, their coverage is too low and they
 * are refused, except for AC1. If agreement is nearly perfect, nothing varies: nominal alpha
 * and AC1 then get a lower bound from the disagreement that so many units could have missed;
 * the others get none. Pure. */
#ifndef MATH_ACCORD_H
#define MATH_ACCORD_H

#include "math/agree.h"
#include "math/icc.h"
#include "math/jackknife.h"
#include "math/kappa.h"

struct accord_how {
    enum agree_level level;
    enum jackknife_for whom; /* for alpha and AC1: these raters only, or raters in general */
};

struct accord {
    size_t units, raters, values; /* number that occur */
    struct interval alpha;        /* clusters: units with two or more values */
    struct kappa_many many;
    struct interval fleiss, ac1;
    struct interval kappa[KAPPA_WEIGHTS]; /* two raters only; weighted ones from ORDINAL on */
    double concordance;                   /* Kendall's W; complete designs, from ORDINAL on */
    struct icc icc;                       /* from ORDINAL on; otherwise all NaN */
};

/* Cells must be sorted. Undefined results are NaN. */
struct accord accord_of(const struct cells *c, const struct accord_how *how);

#endif
