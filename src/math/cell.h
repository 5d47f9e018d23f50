/* cell.h - ratings as numbers: which rater gave which unit what value.
 *
 * The input of agreement statistics. Units (whatever is rated) and raters are indices from 0; the
 * caller keeps the names. Not everyone rates everything, so this is a list and not a table. */
#ifndef MATH_CELL_H
#define MATH_CELL_H

#include "base/mem.h"

struct cell {
    uint32_t unit, rater;
    double value; /* finite */
};

struct cells {
    const struct cell *v; /* by unit, then by rater, if a function requires "sorted" */
    size_t n, units, raters;
};

void cell_sort(struct cell *v, size_t n);
/* Iterates over units: the cells of the next one are [*from, *to) of sorted cells. Start
 * with 0, 0; false at the end. */
bool cell_unit(const struct cells *c, size_t *from, size_t *to);

/* Returns a copy in which each value is replaced by its index among the distinct values, which go
 * to levels[*n], ascending. Everything lives in the arena. */
struct cells cell_coded(struct arena *a, const struct cells *c, double **levels, size_t *n);

#endif
