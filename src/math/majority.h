/* majority.h - marks against what most people said.
 *
 * Where no mark has more votes than any other there is no majority, and nothing is counted. Pure.
 */
#ifndef MATH_MAJORITY_H
#define MATH_MAJORITY_H

#include "math/cell.h"
#include "math/interval.h"

/* Of the texts that `machine` has a mark for: right, how often that mark, one of the scale, is the
 * majority's; person, how often one person's is that of the majority of the others, which is what a
 * machine can at best be asked for. Cells are sorted, their units are texts; machine (NaN: none)
 * and cluster are by text; right and person, zeroed, by cluster. */
void majority_count(const struct cells *people, const double *machine, const uint32_t *cluster,
                    struct interval_cluster *right, struct interval_cluster *person);

#endif
