/* census.h - counts of categories and of pairs of categories, summed over units.
 *
 * Coefficients of agreement on categories depend on these sums only, and sums can be
 * subtracted: leaving out some units or raters costs time for those units only. Pure;
 * memory comes from the arena. */
#ifndef MATH_CENSUS_H
#define MATH_CENSUS_H

#include "math/jackknife.h"

enum { CENSUS_LEVELS = 32 }; /* maximum number of categories for which pairs are counted */

struct census {
    size_t levels;
    double *share;  /* [levels] sum over units of the category's share of the unit's values */
    double *total;  /* [levels] number of occurrences */
    double *paired; /* [levels] number of occurrences in units with two or more values */
    double *pairs;  /* [levels * levels] ordered pairs within a unit / (its values - 1),
                       Krippendorff's coincidences; NULL: more than CENSUS_LEVELS */
    double agreed;  /* sum over units with two or more values of their share of agreeing pairs */
    double units, pairable, values;
};

/* Cells must be sorted; their values are category numbers below `levels`. */
struct census census_of(struct arena *a, const struct cells *c, size_t levels);

/* A coefficient between -1 and 1; NaN if undefined. */
typedef double census_fn(const struct census *t, void *user);

/* jackknife_of() for such a coefficient; levels <= CENSUS_LEVELS. */
struct jackknife census_jackknife(const struct cells *c, size_t levels, census_fn *fn, void *user);

#endif
