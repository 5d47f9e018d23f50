/* census.h - how often categories were said, together and apart: sums over units.
 *
 * Coefficients of agreement on categories follow from these sums alone, and sums can be taken back:
 * what is left without some units, or without some raters, costs those units and no pass over the
 * rest. Pure; memory is the arena's. */
#ifndef MATH_CENSUS_H
#define MATH_CENSUS_H

#include "math/jackknife.h"

enum { CENSUS_LEVELS = 32 }; /* most categories for which pairs are counted */

struct census {
    size_t levels;
    double *share;  /* [levels] summed over units, of each unit's values */
    double *total;  /* [levels] how often it was said */
    double *paired; /* [levels] ... in units of two values or more */
    double *pairs;  /* [levels * levels] ordered pairs inside a unit / (its values - 1),
                     * Krippendorff's  coincidences; NULL: more than CENSUS_LEVELS */
    double agreed;  /* summed over units of two values or more: share of their pairs */
    double units, pairable, values;
};

/* Sorted cells, whose values are category numbers below `levels`. */
struct census census_of(struct arena *a, const struct cells *c, size_t levels);

/* A coefficient between -1 and 1; NaN: undefined. */
typedef double census_fn(const struct census *t, void *user);

/* jackknife_of() such a coefficient; levels <= CENSUS_LEVELS. */
struct jackknife census_jackknife(const struct cells *c, size_t levels, census_fn *fn, void *user);

#endif
