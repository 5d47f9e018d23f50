/* cluster.h - the "meat" of a sandwich estimator: scores summed by cluster,
 * and their outer products.
 *
 * Only the parameters that a cluster touches are listed, so a battle costs the same among two
 * models and among a thousand. Pure; everything lives in the arena. */
#ifndef MATH_CLUSTER_H
#define MATH_CLUSTER_H

#include "base/mem.h"
#include "math/duel.h"

/* Indices of the duels sorted by cluster: of[nduels], or (NULL) that of the duel itself.
 * first[clusters + 1], which must be zeroed, gets the offset of each cluster. */
uint32_t *cluster_order(struct arena *a, const struct duel *duels, const uint32_t *of,
                        size_t nduels, size_t clusters, size_t *first);

struct cluster_score {
    size_t m;        /* parameters */
    double *s;       /* [m] score of the current cluster */
    bool *listed;    /* [m] whether in `touched` */
    size_t *touched; /* [n] parameters with a score */
    size_t n;
};

struct cluster_score cluster_score_new(struct arena *a, size_t m);
void cluster_add(struct cluster_score *c, size_t parameter, double score);
/* meat[m][m] += s s^T / others, then resets s. The others' share of the battles corrects for the
 * fit that this cluster bends its own way: C / (C - 1) where all C are of one size. Its square
 * times C / (C - 1) does so too where sizes are very unequal. */
void cluster_end(struct cluster_score *c, double others, double *meat);

#endif
