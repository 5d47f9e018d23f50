#include "math/kappa.h"

#include <math.h>

/* ---- two raters ---- */

/* Shares of each rater, and the loss expected by chance. */
struct margins {
    double *rows, *columns; /* [k] */
    double n, lost, expected, worst;
};

static struct margins margins_of(struct arena *a, const double *joint, const double *loss, size_t k)
{
    struct margins m = {.rows = NEW_N(a, double, k + 1), .columns = NEW_N(a, double, k + 1)};

    for (size_t i = 0; i < k * k; i++) {
        m.rows[i / k] += joint[i];
        m.columns[i % k] += joint[i];
        m.n += joint[i];
        m.lost += joint[i] * loss[i];
        m.worst = fmax(m.worst, loss[i]);
    }
    m.lost /= m.n;
    for (size_t i = 0; i < k; i++) {
        m.rows[i] /= m.n;
        m.columns[i] /= m.n;
    }
    for (size_t i = 0; i < k * k; i++)
        m.expected += m.rows[i / k] * m.columns[i % k] * loss[i];
    return m;
}

/* With credit = 1 - loss / worst: the mean credit of each row and
 * column against the other rater. */
static void mean_credit(const struct margins *m, const double *loss, size_t k, double *rows,
                        double *columns)
{
    for (size_t i = 0; i < k * k; i++) {
        double credit = 1 - loss[i] / m->worst;
        rows[i / k] += credit * m->columns[i % k];
        columns[i % k] += credit * m->rows[i / k];
    }
}

static double kappa_se(struct arena *a, const struct margins *m, const double *joint,
                       const double *loss, size_t k)
{
    double *rows = NEW_N(a, double, k + 1), *columns = NEW_N(a, double, k + 1);
    double left = m->lost / m->expected, chance = 1 - m->expected / m->worst, sum = 0, off;

    mean_credit(m, loss, k, rows, columns);
    for (size_t i = 0; i < k * k; i++) {
        off = 1 - loss[i] / m->worst - (rows[i / k] + columns[i % k]) * left;
        sum += joint[i] / m->n * off * off;
    }
    off = 1 - left - chance * left;
    return sqrt(fmax(0, sum - off * off) / m->n) / (1 - chance);
}

struct kappa kappa_table(const double *joint, const double *loss, size_t k)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct margins m = margins_of(scratch, joint, loss, k);
    struct kappa out = {(double)NAN, (double)NAN, (double)NAN, m.n};

    if (m.n > 0)
        out.agreement = m.worst > 0 ? 1 - m.lost / m.worst : 1;
    if (m.expected > 0) {
        out.value = 1 - m.lost / m.expected;
        out.se = kappa_se(scratch, &m, joint, loss, k);
    }
    return out;
}

void kappa_loss(const double *levels, size_t k, enum kappa_weights w, double *loss)
{
    for (size_t i = 0; i < k * k; i++) {
        double off = fabs(levels[i / k] - levels[i % k]);
        loss[i] = w == KAPPA_PLAIN ? (double)(off > 0) : w == KAPPA_LINEAR ? off : off * off;
    }
}

struct kappa kappa_pairs(const double *x, const double *y, size_t n, enum kappa_weights w)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct cell *v = NEW_N(scratch, struct cell, 2 * n + 1);
    double *levels, *joint, *loss;
    struct cells coded;
    size_t k;

    for (size_t i = 0; i < n; i++) {
        v[2 * i].value = x[i];
        v[2 * i + 1].value = y[i];
    }
    coded = cell_coded(scratch, &(struct cells){v, 2 * n, 0, 0}, &levels, &k);
    if (k > KAPPA_LEVELS_MAX)
        return (struct kappa){(double)NAN, (double)NAN, (double)NAN, (double)n};
    joint = NEW_N(scratch, double, k *k + 1);
    loss = NEW_N(scratch, double, k *k + 1);
    for (size_t i = 0; i < n; i++)
        joint[(size_t)coded.v[2 * i].value * k + (size_t)coded.v[2 * i + 1].value]++;
    kappa_loss(levels, k, w, loss);
    return kappa_table(joint, loss, k);
}

/* ---- any number of raters ---- */

static double beyond(double agreement, double chance)
{
    return chance < 1 ? (agreement - chance) / (1 - chance) : (double)NAN;
}

struct kappa_many kappa_of_census(const struct census *t)
{
    struct kappa_many out = {(double)NAN, (double)NAN, (double)NAN, (double)NAN, (double)NAN};
    double chance = 0, spread = 0, q = (double)t->levels;

    if (t->pairable < 0.5) /* subtracting sums leaves rounding errors */
        return out;
    out.agreement = t->agreed / t->pairable;
    if (t->levels < 2) /* nothing to agree about */
        return out;
    for (size_t k = 0; k < t->levels; k++) {
        double said = t->total[k] / t->values, mean = t->share[k] / t->units;
        chance += said * said;
        spread += mean * (1 - mean);
    }
    out.uneven = beyond(out.agreement, chance);
    out.ac1 = beyond(out.agreement, spread / (q - 1));
    out.even = beyond(out.agreement, 1 / q);
    return out;
}

/* True if all units have the same number of values, at least two. */
static bool is_even(const struct cells *c)
{
    size_t each = 0;

    for (size_t from = 0, to = 0; cell_unit(c, &from, &to); each = to - from)
        if (each && each != to - from)
            return false;
    return each > 1;
}

struct kappa_many kappa_many(const struct cells *c, size_t categories)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct census t = census_of(a, c, categories);
    struct kappa_many out = kappa_of_census(&t);

    if (is_even(c))
        out.fleiss = out.uneven;
    return out;
}
