#include "math/elo.h"

#include <math.h>

double elo_expected(double a, double b)
{
    return 1 / (1 + pow(10, (b - a) / ELO_SCALE));
}

void elo_play(double *ratings, const struct duel *duels, size_t n, const size_t *order, double k)
{
    for (size_t i = 0; i < n; i++) {
        const struct duel *d = &duels[order ? order[i] : i];
        double won = d->outcome / 2.0 - elo_expected(ratings[d->a], ratings[d->b]);
        ratings[d->a] += k * won;
        ratings[d->b] -= k * won;
    }
}
