/* accord.h - everything that can be said about the agreement of raters on one dimension.
 *
 * Intervals are by jackknife on Fisher's scale (jackknife.h). Where one category has more than
 * 70 % of the marks and units are fewer than 100 they cover too seldom and are refused, but for
 * AC1's. Where agreement is nearly perfect nothing varies: alpha of names and AC1 then get a lower
 * end from how much disagreement so many units could have missed; the others none. Pure. */
#ifndef MATH_ACCORD_H
#define MATH_ACCORD_H

#include "math/agree.h"
#include "math/icc.h"
#include "math/jackknife.h"
#include "math/kappa.h"

struct accord_how {
    enum agree_level level;
    enum jackknife_for whom; /* of alpha and AC1: these raters, or others like them */
};

struct accord {
    size_t units, raters, values; /* that occur */
    struct interval alpha;        /* clusters: units of two values or more */
    struct kappa_many many;
    struct interval fleiss, ac1;
    struct interval kappa[KAPPA_WEIGHTS]; /* of two raters; weighted from ORDINAL on */
    double concordance;                   /* Kendall's W; complete designs from ORDINAL on */
    struct icc icc;                       /* from ORDINAL on; else all NaN */
};

/* Sorted cells. What is undefined is NaN. */
struct accord accord_of(const struct cells *c, const struct accord_how *how);

#endif
