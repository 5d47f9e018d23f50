/* graph.h - which models can be compared at all.
 *
 * Models are nodes. Models joined by battles, however indirectly, form a group; ratings cannot be
 * compared across groups. Within a group, finite Bradley-Terry ratings exist exactly if every model
 * can be reached from every other along wins (Ford 1957), that is, with a single strongly connected
 * part. Pure; scratch memory is freed before returning. */
#ifndef MATH_GRAPH_H
#define MATH_GRAPH_H

#include "base/base.h"

/* An arc from one node to another; in undirected graphs the direction does not matter. */
struct graph_arc {
    uint32_t from, to;
};

/* Numbers the groups from 0 in order of their lowest node: group[node]. Returns their number. */
size_t graph_groups(const struct graph_arc *arcs, size_t narcs, size_t nodes, uint32_t *group);

/* Same for strongly connected components (Tarjan 1972), numbered so that arcs between them lead
 * from a higher number to a lower one. */
size_t graph_parts(const struct graph_arc *arcs, size_t narcs, size_t nodes, uint32_t *part);

#endif
