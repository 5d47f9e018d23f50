/* cell.h - ratings as numbers: which rater gave which unit what value.
 *
 * Statistics of agreement are computed from arrays of these. Units (whatever is rated) and raters
 * are indices from 0; names stay with whoever read them. Not everybody rates everything, and that
 * is why this is a list and no table. */
#ifndef MATH_CELL_H
#define MATH_CELL_H

#include "base/mem.h"

struct cell {
    uint32_t unit, rater;
    double value; /* finite */
};

struct cells {
    const struct cell *v; /* by unit, then by rater, where a function says "sorted" */
    size_t n, units, raters;
};

void cell_sort(struct cell *v, size_t n);
/* The cells of one unit after the other: [*from, *to) of sorted cells. Start from 0, 0; false when
 * there is none left. */
bool cell_unit(const struct cells *c, size_t *from, size_t *to);

/* A copy in which each value is replaced by its place among the different values, which go to
 * levels[*n], ascending. All of it lives in the arena. */
struct cells cell_coded(struct arena *a, const struct cells *c, double **levels, size_t *n);

#endif
