/* majority.h - compares marks with the majority of people.
 *
 * If no mark has more votes than any other there is no majority, and nothing is counted. Pure. */
#ifndef MATH_MAJORITY_H
#define MATH_MAJORITY_H

#include "math/cell.h"
#include "math/interval.h"

/* For the texts that `machine` has marked: `right` counts how often its mark equals the
 * majority of people; `person` how often one person's mark equals the majority of the others,
 * which is the best that a machine can be expected to reach. Cells must be sorted; their units
 * are texts. machine (NaN: none) and cluster are indexed by text, right and person by cluster;
 * the latter two must be zeroed. */
void majority_count(const struct cells *people, const double *machine, const uint32_t *cluster,
                    struct interval_cluster *right, struct interval_cluster *person);

#endif
