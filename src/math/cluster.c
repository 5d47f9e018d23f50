#include "math/cluster.h"

uint32_t *cluster_order(struct arena *a, const struct duel *duels, const uint32_t *of,
                        size_t nduels, size_t clusters, size_t *first)
{
    uint32_t *order = NEW_N(a, uint32_t, nduels);
    size_t *at = NEW_N(a, size_t, clusters);

    for (size_t k = 0; k < nduels; k++)
        first[(of ? of[k] : duels[k].cluster) + 1]++;
    for (size_t i = 0; i < clusters; i++) {
        first[i + 1] += first[i];
        at[i] = first[i];
    }
    for (size_t k = 0; k < nduels; k++)
        order[at[of ? of[k] : duels[k].cluster]++] = (uint32_t)k;
    return order;
}

struct cluster_score cluster_score_new(struct arena *a, size_t m)
{
    return (struct cluster_score){m, NEW_N(a, double, m), NEW_N(a, bool, m), NEW_N(a, size_t, m),
                                  0};
}

void cluster_add(struct cluster_score *c, size_t parameter, double score)
{
    c->s[parameter] += score;
    if (!c->listed[parameter])
        c->touched[c->n++] = parameter;
    c->listed[parameter] = true;
}

void cluster_end(struct cluster_score *c, double others, double *meat)
{
    for (size_t i = 0; i < c->n; i++)
        for (size_t j = 0; j < c->n; j++)
            meat[c->touched[i] * c->m + c->touched[j]] +=
                c->s[c->touched[i]] * c->s[c->touched[j]] / others;
    for (size_t i = 0; i < c->n; i++) {
        c->s[c->touched[i]] = 0;
        c->listed[c->touched[i]] = false;
    }
    c->n = 0;
}
