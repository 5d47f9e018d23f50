#include "math/calibrate.h"

#include <math.h>

#include "math/kappa.h"

static const double slack = 0.5, limit = 5, step = 1 + 1e-9;

struct calibrate calibrate_of(const double *given, const double *key, size_t n)
{
    double exact = 0, near = 0, bias = 0, count = (double)n;

    for (size_t i = 0; i < n; i++) {
        double off = given[i] - key[i];
        exact += fabs(off) < step - 1;
        near += fabs(off) <= step;
        bias += off;
    }
    return (struct calibrate){
        .n = n,
        .exact = exact / count,
        .near = near / count,
        .bias = bias / count,
        .kappa = kappa_pairs(given, key, n, KAPPA_QUADRATIC).value,
    };
}

unsigned calibrate_faults(const struct calibrate *c, const struct calibrate_gate *gate)
{
    unsigned faults = 0;

    if (c->n == 0)
        return CALIBRATE_NOTHING;
    faults |= c->exact < gate->exact ? CALIBRATE_EXACT : 0;
    faults |= c->near < gate->near ? CALIBRATE_NEAR : 0;
    faults |= fabs(c->bias) > gate->bias ? CALIBRATE_BIAS : 0;
    /* kappa is NaN if both always gave the same value, which is not a fault. */
    faults |= c->n >= gate->kappa_from && c->kappa < gate->kappa ? CALIBRATE_KAPPA : 0;
    return faults;
}

void calibrate_drift_add(struct calibrate_drift *d, double error)
{
    d->n++;
    d->up = fmax(0, d->up + error - slack);
    d->down = fmax(0, d->down - error - slack);
    if (d->alarm == 0 && fmax(d->up, d->down) >= limit)
        d->alarm = d->n;
}
