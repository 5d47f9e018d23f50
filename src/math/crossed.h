/* crossed.h - means of ratings whose raters and units were both sampled.
 *
 * The "pigeonhole" bootstrap (Owen 2007): in each round raters and units are drawn with
 * replacement, each on its own, and a rating counts as often as its rater was drawn times its unit.
 * That holds for other raters and other passages than these, and is never too narrow. All systems
 * share the draws of a round, so that differences between them can be taken round by round. Pure;
 * depends on seed, purpose and cells only. */
#ifndef MATH_CROSSED_H
#define MATH_CROSSED_H

#include "math/cell.h"
#include "math/interval.h"

struct crossed {
    double *mean;  /* [systems]; NaN: has no rating */
    double *round; /* [rounds * systems]; NaN: none of its ratings was drawn */
    size_t systems, rounds;
    double level;
    double df; /* the fewer of the raters and units that there are, less one */
};

/* system[n]: which system each cell is about; a cell's unit is the passage. In the arena. */
struct crossed crossed_means(struct arena *a, const struct cells *c, const uint32_t *system,
                             size_t systems, const struct interval_bootstrap *how);

/* n and clusters are left 0. */
struct interval crossed_interval(const struct crossed *x, size_t system);
/* Of one system less another. */
struct interval crossed_difference(const struct crossed *x, size_t one, size_t other);
/* Two-sided p-value of no difference, by Student's t on the spread of the rounds. The share of
 * rounds on the other side of 0 would end at 1 / rounds, where corrections for many tests begin.
 * NaN with a single rater or unit. */
double crossed_p(const struct crossed *x, size_t one, size_t other);

#endif
