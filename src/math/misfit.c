#include "math/misfit.h"

#include <math.h>

static const double EXACT = 1e-12; /* relative to the squares of the values: only rounding */

/* Share of the variance left for mark i; 0 if nobody else rated the unit,
 * or the rater nothing else. */
static double share(const struct cells *c, const double *in_unit, const double *of_rater, size_t i)
{
    return (1 - 1 / in_unit[c->v[i].unit]) * (1 - 1 / of_rater[c->v[i].rater]);
}

void misfit_add(const struct cells *c, const struct severity *s, struct misfit *raters)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    double *in_unit = NEW_N(a, double, c->units + 1), *of_rater = NEW_N(a, double, c->raters + 1);
    double shares = 0, values = 0, variance;

    for (size_t i = 0; i < c->n; i++) {
        in_unit[c->v[i].unit]++;
        of_rater[c->v[i].rater]++;
        values += c->v[i].value * c->v[i].value;
    }
    for (size_t i = 0; i < c->n; i++)
        shares += share(c, in_unit, of_rater, i);
    if (!(shares > 0) || s->residual <= EXACT * values)
        return;
    variance = s->residual / shares;
    for (size_t i = 0; i < c->n; i++) {
        const struct cell *x = &c->v[i];
        struct misfit *m = &raters[x->rater];
        double off = x->value - s->unit[x->unit] + s->rater[x->rater];
        double of = share(c, in_unit, of_rater, i), square = off * off / variance;
        if (!(of > 0))
            continue;
        m->expected += of;
        m->squares += square;
        m->standard += square / of;
        m->n++;
    }
}

double misfit_infit(const struct misfit *m)
{
    return m->n ? m->squares / m->expected : (double)NAN;
}

double misfit_outfit(const struct misfit *m)
{
    return m->n ? m->standard / (double)m->n : (double)NAN;
}
