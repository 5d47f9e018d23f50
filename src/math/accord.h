/* accord.h - everything that can be said about the agreement of raters on one dimension. Pure. */
#ifndef MATH_ACCORD_H
#define MATH_ACCORD_H

#include "math/agree.h"
#include "math/icc.h"
#include "math/kappa.h"

enum { ACCORD_ROUNDS = 1000 }; /* usual */

struct accord_how {
    enum agree_level level;
    uint64_t seed;
    size_t rounds; /* of the bootstrap of alpha; 0: no interval */
};

struct accord {
    size_t units, raters, values; /* that occur */
    struct interval alpha;        /* clusters: units of two values or more */
    struct kappa_many many;
    double kappa[KAPPA_WEIGHTS]; /* of two raters; weighted from ORDINAL on */
    double concordance;          /* Kendall's W; complete designs from ORDINAL on */
    struct icc icc;              /* from ORDINAL on; else all NaN */
};

/* Sorted cells. What is undefined is NaN. */
struct accord accord_of(const struct cells *c, const struct accord_how *how);

#endif
