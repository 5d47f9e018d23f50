/* cluster.h - the meat of a sandwich: sums of scores by cluster, and their outer products.
 *
 * Only the parameters that a cluster touches are listed, so that a battle costs the same among two
 * models and among a thousand. Pure; everything lives in the arena. */
#ifndef MATH_CLUSTER_H
#define MATH_CLUSTER_H

#include "base/mem.h"
#include "math/duel.h"

/* Indices of the duels in the order of their clusters; first[clusters + 1], zeroed, gets where each
 * cluster begins. */
uint32_t *cluster_order(struct arena *a, const struct duel *duels, size_t nduels, size_t clusters,
                        size_t *first);

struct cluster_score {
    size_t m;        /* parameters */
    double *s;       /* [m] */
    bool *listed;    /* [m] */
    size_t *touched; /* [m] */
    size_t n;
};

struct cluster_score cluster_score_new(struct arena *a, size_t m);
void cluster_add(struct cluster_score *c, size_t parameter, double score);
/* meat[m][m] += s s^T, and s is empty again. */
void cluster_end(struct cluster_score *c, double *meat);

#endif
