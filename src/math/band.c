#include "math/band.h"

#include <math.h>

/* Means closer than this are equal: thirds are not exact in binary. */
#define SAME 1e-9

double band_of_sum(int64_t sum)
{
    int64_t halves = (2 * sum + 2) / BAND_MARKS;

    return (double)halves / 2;
}

/* Every tie is the mean of four whole marks and follows the rule above. */
double band_of_mean(double mean)
{
    double sum = BAND_MARKS * mean, whole = nearbyint(sum);

    if (fabs(sum - whole) <= SAME)
        return band_of_sum((int64_t)whole);
    return floor(2 * mean + 0.5) / 2; /* NaN stays NaN */
}
