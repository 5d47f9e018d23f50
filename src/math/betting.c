#include "math/betting.h"

#include <math.h>

static const double rich = 3.6888794541139363; /* ln 40: 2.5 % to each side */

void betting_start(struct betting *b)
{
    *b = (struct betting){.sum = 0.5, .squares = 0.25, .variance = 0.25};
}

void betting_add(struct betting *b, double x)
{
    double i = (double)++b->n, stake = sqrt(2 * rich / (b->variance * i * log(i + 1)));

    for (size_t j = 0; j < BETTING_CANDIDATES; j++) {
        double mu = ((double)j + 0.5) / BETTING_CANDIDATES;
        b->up[j] += log1p(fmin(stake, 0.5 / mu) * (x - mu));
        b->down[j] += log1p(-fmin(stake, 0.5 / (1 - mu)) * (x - mu));
        b->dropped[j] |= fmax(b->up[j], b->down[j]) >= rich;
    }
    b->sum += x;
    b->squares += (x - b->sum / (i + 1)) * (x - b->sum / (i + 1));
    b->variance = b->squares / (i + 1);
}

void betting_interval(const struct betting *b, double *low, double *high)
{
    size_t first = 0, last = BETTING_CANDIDATES;

    while (first < BETTING_CANDIDATES && b->dropped[first])
        first++;
    while (last > first && b->dropped[last - 1])
        last--;
    *low = (double)first / BETTING_CANDIDATES;
    *high = (double)last / BETTING_CANDIDATES;
}
