#include "math/graph.h"

#include <stdlib.h>

#include "base/mem.h"

/* ---- groups, by union-find ---- */

static uint32_t root_of(uint32_t *parent, uint32_t node)
{
    while (parent[node] != node) {
        parent[node] = parent[parent[node]]; /* path halving */
        node = parent[node];
    }
    return node;
}

size_t graph_groups(const struct graph_arc *arcs, size_t narcs, size_t nodes, uint32_t *group)
{
    uint32_t *parent = mem_new(nodes * sizeof *parent);
    uint32_t groups = 0;

    for (uint32_t i = 0; i < nodes; i++)
        parent[i] = i;
    for (size_t k = 0; k < narcs; k++) {
        uint32_t a = root_of(parent, arcs[k].from), b = root_of(parent, arcs[k].to);
        parent[a > b ? a : b] = a > b ? b : a; /* the lowest node is the root */
    }
    for (uint32_t i = 0; i < nodes; i++) {
        uint32_t root = root_of(parent, i);
        group[i] = root == i ? groups++ : group[root];
    }
    free(parent);
    return groups;
}

/* ---- strong components: Tarjan's algorithm with an explicit stack ---- */

enum { UNSEEN = 0 };

struct walk {
    size_t *first;     /* [nodes + 1]: arcs of a node are to[first[node]..first[node + 1]) */
    uint32_t *to;      /* [narcs] */
    size_t *next;      /* [nodes]: next arc to follow */
    uint32_t *seen;    /* [nodes]: order of first visit, from 1 */
    uint32_t *low;     /* [nodes]: earliest node reachable from it */
    bool *open;        /* [nodes]: not assigned to a part yet */
    uint32_t *path;    /* [nodes]: stack from the start to the current node */
    uint32_t *waiting; /* [nodes]: open nodes, in order of visit */
    size_t npath, nwaiting;
    uint32_t clock;
};

static void walk_init(struct walk *w, struct arena *a, const struct graph_arc *arcs, size_t narcs,
                      size_t nodes)
{
    *w = (struct walk){
        .first = NEW_N(a, size_t, nodes + 1),
        .to = NEW_N(a, uint32_t, narcs),
        .next = NEW_N(a, size_t, nodes),
        .seen = NEW_N(a, uint32_t, nodes),
        .low = NEW_N(a, uint32_t, nodes),
        .open = NEW_N(a, bool, nodes),
        .path = NEW_N(a, uint32_t, nodes),
        .waiting = NEW_N(a, uint32_t, nodes),
    };
    for (size_t k = 0; k < narcs; k++)
        w->first[arcs[k].from + 1]++;
    for (size_t i = 0; i < nodes; i++) {
        w->first[i + 1] += w->first[i];
        w->next[i] = w->first[i];
    }
    for (size_t k = 0; k < narcs; k++)
        w->to[w->next[arcs[k].from]++] = arcs[k].to;
    for (size_t i = 0; i < nodes; i++)
        w->next[i] = w->first[i];
}

static void walk_enter(struct walk *w, uint32_t node)
{
    w->seen[node] = w->low[node] = ++w->clock;
    w->open[node] = true;
    w->path[w->npath++] = node;
    w->waiting[w->nwaiting++] = node;
}

static void lower(uint32_t *value, uint32_t to)
{
    *value = to < *value ? to : *value;
}

/* Leaves the last node of the path. If no earlier node is reachable from it, the nodes
 * visited since form a part. */
static void walk_leave(struct walk *w, uint32_t *part, uint32_t *parts)
{
    uint32_t node = w->path[--w->npath], member;

    if (w->npath)
        lower(&w->low[w->path[w->npath - 1]], w->low[node]);
    if (w->low[node] != w->seen[node])
        return;
    do {
        member = w->waiting[--w->nwaiting];
        w->open[member] = false;
        part[member] = *parts;
    } while (member != node);
    ++*parts;
}

static void walk_from(struct walk *w, uint32_t start, uint32_t *part, uint32_t *parts)
{
    walk_enter(w, start);
    while (w->npath) {
        uint32_t node = w->path[w->npath - 1], to;
        if (w->next[node] == w->first[node + 1]) {
            walk_leave(w, part, parts);
            continue;
        }
        to = w->to[w->next[node]++];
        if (w->seen[to] == UNSEEN)
            walk_enter(w, to);
        else if (w->open[to])
            lower(&w->low[node], w->seen[to]);
    }
}

size_t graph_parts(const struct graph_arc *arcs, size_t narcs, size_t nodes, uint32_t *part)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct walk w;
    uint32_t parts = 0;

    walk_init(&w, a, arcs, narcs, nodes);
    for (uint32_t i = 0; i < nodes; i++)
        if (w.seen[i] == UNSEEN)
            walk_from(&w, i, part, &parts);
    return parts;
}
