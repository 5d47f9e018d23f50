#include "math/combine.h"

#include <math.h>

static double square(double x)
{
    return x * x;
}

struct interval combine_sum(const struct interval *v, const double *weights, size_t n)
{
    struct interval out = {.why = INTERVAL_FINE};
    double below = 0, above = 0, variance = 0;
    bool refused = false;

    for (size_t i = 0; i < n; i++) {
        out.n += v[i].n;
        out.clusters += v[i].clusters;
        if (!(weights[i] > 0)) /* it need not have limits */
            continue;
        out.value += weights[i] * v[i].value;
        variance += square(weights[i] * v[i].se);
        below += square(weights[i] * (v[i].value - v[i].low));
        above += square(weights[i] * (v[i].high - v[i].value));
        if (out.why == INTERVAL_FINE || (isnan(v[i].low) && !refused))
            out.why = v[i].why;
        refused |= isnan(v[i].low);
    }
    out.se = sqrt(variance);
    out.low = out.value - sqrt(below);
    out.high = out.value + sqrt(above);
    return out;
}
