/* graph.h - which models can be compared at all.
 *
 * Models are nodes. Those joined by battles, however indirectly, form a group; between groups no
 * rating means anything. Inside a group finite Bradley-Terry ratings exist exactly when every
 * model can be reached from every other along wins (Ford 1957): when there is one strong part.
 * Pure; scratch memory is freed before returning. */
#ifndef MATH_GRAPH_H
#define MATH_GRAPH_H

#include "base/base.h"

/* An arc from one node to another; for an undirected graph either way round. */
struct graph_arc {
    uint32_t from, to;
};

/* Number the groups from 0 in the order of their lowest node: group[node]. Returns how many. */
size_t graph_groups(const struct graph_arc *arcs, size_t narcs, size_t nodes, uint32_t *group);

/* The same for strongly connected parts (Tarjan 1972), numbered so that arcs between parts lead
 * from a higher number to a lower one. */
size_t graph_parts(const struct graph_arc *arcs, size_t narcs, size_t nodes, uint32_t *part);

#endif
