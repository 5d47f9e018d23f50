#include "math/majority.h"

#include <math.h>

/* The most frequent mark; NaN if there is none or a tie. Ignores one rater. */
static double majority(const struct cell *v, size_t n, uint32_t without_rater)
{
    double best = (double)NAN;
    size_t most = 0, same;
    bool tie = false;

    for (size_t i = 0; i < n; i++) {
        same = 0;
        for (size_t k = 0; k < n; k++)
            same += v[k].value == v[i].value && v[k].rater != without_rater;
        if (v[i].rater == without_rater || same < most || (same == most && v[i].value == best))
            continue;
        tie = same == most;
        most = same;
        best = v[i].value;
    }
    return tie ? (double)NAN : best;
}

void majority_count(const struct cells *people, const double *machine, const uint32_t *cluster,
                    struct interval_cluster *right, struct interval_cluster *person)
{
    for (size_t from = 0, to = 0; cell_unit(people, &from, &to);) {
        const struct cell *v = people->v + from;
        uint32_t text = v->unit, at = cluster[text];
        double most = majority(v, to - from, UINT32_MAX);
        if (isnan(machine[text]))
            continue;
        if (!isnan(most)) {
            right[at].n++;
            right[at].sum += machine[text] == most;
        }
        for (size_t i = 0; i < to - from && to - from > 1; i++) {
            most = majority(v, to - from, v[i].rater);
            person[at].n += isnan(most) ? 0 : 1;
            person[at].sum += v[i].value == most;
        }
    }
}
