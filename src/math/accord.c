#include "math/accord.h"

#include <math.h>

#include "math/correlate.h"

static void count(const struct cells *c, struct accord *out)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    bool *seen = NEW_N(scratch, bool, c->raters + 1);

    for (size_t i = 0; i < c->n; i++) {
        out->units += i == 0 || c->v[i].unit != c->v[i - 1].unit;
        out->raters += !seen[c->v[i].rater];
        seen[c->v[i].rater] = true;
    }
    out->values = c->n;
}

/* The units that both of two raters have. */
static void kappas(const struct cells *c, enum agree_level level, double *kappa)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    double *x = NEW_N(scratch, double, c->n + 1), *y = NEW_N(scratch, double, c->n + 1);
    size_t n = 0;

    for (size_t from = 0, to = 0; cell_unit(c, &from, &to);)
        if (to - from == 2) {
            x[n] = c->v[from].value;
            y[n++] = c->v[from + 1].value;
        }
    for (int w = 0; w < (level == AGREE_NOMINAL ? 1 : (int)KAPPA_WEIGHTS); w++)
        kappa[w] = kappa_pairs(x, y, n, (enum kappa_weights)w).value;
}

static struct kappa_many agreement(const struct cells *c)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    double *levels;
    size_t n;
    struct cells coded = cell_coded(scratch, c, &levels, &n);

    return kappa_many(&coded, n);
}

struct accord accord_of(const struct cells *c, const struct accord_how *how)
{
    const struct interval_bootstrap boot = {how->seed, "alpha", how->rounds, 0.95};
    struct accord out = {.concordance = (double)NAN, .icc = icc_of(&(struct cells){0})};

    for (size_t w = 0; w < KAPPA_WEIGHTS; w++)
        out.kappa[w] = (double)NAN;
    count(c, &out);
    out.alpha = agree_alpha_interval(c, how->level, &boot);
    out.many = agreement(c);
    if (out.raters == 2)
        kappas(c, how->level, out.kappa);
    if (how->level == AGREE_NOMINAL)
        return out;
    out.icc = icc_of(c);
    out.concordance = correlate_concordance(c);
    return out;
}
