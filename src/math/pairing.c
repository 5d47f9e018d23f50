#include "math/pairing.h"

#include <math.h>

#include "math/dense.h"

static const double at_random = 0.1; /* share of random picks */

static double sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}

/* ---- posterior ---- */

enum status pairing_fit(struct arena *a, const struct duel *duels, size_t nduels, size_t n,
                        struct pairing *out, struct err *e)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct bt_table t = bt_gather(scratch, duels, nduels, n, BT_HALF);
    struct pairing p = {.n = n};
    struct bt_fit fit;

    if (bt_fit(a, &t, BT_HALF, BT_RIDGE, &fit, e) != OK || bt_inverse(a, &t, &fit, &p.cov, e) != OK)
        return e->code;
    p.theta = fit.theta;
    *out = p;
    return OK;
}

double pairing_rd(const struct pairing *p)
{
    double most = 0;

    for (size_t m = 0; m < p->n; m++)
        most = fmax(most, p->cov[m * p->n + m]);
    return BT_ELO * sqrt(most);
}

/* Variance of theta_i - theta_j. */
static double spread(const struct pairing *p, size_t i, size_t j)
{
    return p->cov[i * p->n + i] + p->cov[j * p->n + j] - 2 * p->cov[i * p->n + j];
}

/* The expected information of a battle of the two. */
static double information(const struct pairing *p, size_t i, size_t j)
{
    double kappa = 1 / sqrt(1 + M_PI * spread(p, i, j) / 8);
    double win = sigmoid(kappa * (p->theta[i] - p->theta[j]));

    return kappa * win * (1 - win);
}

/* cov - h x x^T / (1 + h v). */
void pairing_meet(struct pairing *p, struct pairing_pick pick)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    size_t n = p->n, i = pick.i, j = pick.j;
    double h = information(p, i, j), part = h / (1 + h * spread(p, i, j));
    double *x = NEW_N(scratch, double, n);

    for (size_t m = 0; m < n; m++)
        x[m] = p->cov[i * n + m] - p->cov[j * n + m];
    for (size_t r = 0; r < n; r++)
        for (size_t c = 0; c < n; c++)
            p->cov[r * n + c] -= part * x[r] * x[c];
}

/* ---- choosing a pair ---- */

static double worth(const struct pairing *p, const double *urgent, size_t i, size_t j)
{
    const double *row_i = p->cov + i * p->n, *row_j = p->cov + j * p->n;
    double h = information(p, i, j), sum = 0;

    for (size_t m = 0; m < p->n; m++) {
        double x = row_i[m] - row_j[m];
        sum += urgent[m] * x * x;
    }
    return h * sum / (1 + h * spread(p, i, j));
}

/* (V_m / V_max)^3 */
static double *urgency(struct arena *a, const struct pairing *p)
{
    double *u = NEW_N(a, double, p->n), most = 0;

    for (size_t m = 0; m < p->n; m++)
        most = fmax(most, p->cov[m * p->n + m]);
    for (size_t m = 0; m < p->n; m++)
        u[m] = pow(p->cov[m * p->n + m] / most, 3);
    return u;
}

static bool best_pair(const struct pairing *p, const bool *open, struct pairing_pick *out)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    double *urgent = urgency(scratch, p), most = -1;

    for (uint32_t i = 0; i < p->n; i++)
        for (uint32_t j = i + 1; j < p->n; j++) {
            double w = open[i * p->n + j] ? worth(p, urgent, i, j) : -1;
            if (w <= most)
                continue;
            most = w;
            *out = (struct pairing_pick){i, j};
        }
    return most >= 0;
}

/* A random open pair, with probability proportional to its information. */
static bool any_pair(const struct pairing *p, const bool *open, struct rng *rng,
                     struct pairing_pick *out)
{
    double all = 0, at, sum = 0;
    bool found = false;

    for (size_t i = 0; i < p->n; i++)
        for (size_t j = i + 1; j < p->n; j++)
            all += open[i * p->n + j] ? information(p, i, j) : 0;
    at = all * rng_unit(rng);
    for (uint32_t i = 0; i < p->n; i++)
        for (uint32_t j = i + 1; j < p->n; j++) {
            if (!open[i * p->n + j])
                continue;
            *out = (struct pairing_pick){i, j};
            found = true;
            sum += information(p, i, j);
            if (sum > at)
                return true;
        }
    return found;
}

bool pairing_next(const struct pairing *p, const bool *open, struct rng *rng,
                  struct pairing_pick *out)
{
    if (rng_unit(rng) < at_random)
        return any_pair(p, open, rng, out);
    return best_pair(p, open, out);
}

size_t pairing_batch(size_t n, size_t planned)
{
    return planned / 20 > n / 2 ? planned / 20 : n / 2 ? n / 2 : 1;
}

void pairing_match(struct rng *rng, size_t n, struct pairing_pick *out)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    size_t *order = NEW_N(scratch, size_t, n);

    for (size_t i = 0; i < n; i++)
        order[i] = i;
    rng_shuffle(rng, order, n);
    for (size_t k = 0; k < n / 2; k++) {
        uint32_t x = (uint32_t)order[2 * k], y = (uint32_t)order[2 * k + 1];
        out[k] = x < y ? (struct pairing_pick){x, y} : (struct pairing_pick){y, x};
    }
}

/* ---- choosing an item ---- */

static const double item_prior = 0.25; /* sum x^2 of hypothetical battles on the line of slope 1 */

/* Rounded to thousandths, so that items with the same battles are equal
 * in any order of summation. */
static double item_weight(double slope)
{
    return round(1000 * fmin(fmax(slope, 0.5), 1.5)) / 1000;
}

double *pairing_items(struct arena *a, const struct pairing *p, const struct duel *duels,
                      size_t nduels, size_t items)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    double *xx = NEW_N(scratch, double, items), *weight = NEW_N(a, double, items);

    for (size_t k = 0; k < nduels; k++) {
        const struct duel *d = &duels[k];
        double x = tanh((p->theta[d->a] - p->theta[d->b]) / 2) / 2;
        weight[d->cluster] += d->weight * x * (d->outcome / 2.0 - 0.5);
        xx[d->cluster] += d->weight * x * x;
    }
    for (size_t i = 0; i < items; i++)
        weight[i] = item_weight((weight[i] + item_prior) / (xx[i] + item_prior));
    return weight;
}

size_t pairing_item(const struct pairing_item *v, size_t n, struct rng *rng)
{
    size_t best = 0, equal = 0;

    for (size_t i = 0; i < n; i++) {
        double here = (double)(v[i].used + 1) / v[i].weight,
               least = (double)(v[best].used + 1) / v[best].weight;
        if (here > least)
            continue;
        equal = here < least ? 1 : equal + 1;
        if (rng_below(rng, equal) == 0)
            best = i;
    }
    return best;
}

/* ---- round robin ---- */

/* The largest deviation after this many rounds, not necessarily an integer. */
static double rd_after(const struct pairing *p, double rounds)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct pairing all = {.n = p->n, .theta = p->theta};
    double *info = NEW_N(scratch, double, p->n * p->n);

    for (size_t i = 0; i < p->n; i++) {
        info[i * p->n + i] += BT_RIDGE;
        for (size_t j = i + 1; j < p->n; j++) {
            double win = sigmoid(p->theta[i] - p->theta[j]), h = rounds * win * (1 - win);
            info[i * p->n + i] += h;
            info[j * p->n + j] += h;
            info[i * p->n + j] -= h;
        }
    }
    if (!dense_invert(info, p->n))
        return NAN;
    all.cov = dense_contrasts(scratch, info, p->n, p->n);
    return pairing_rd(&all);
}

double pairing_round_robin(const struct pairing *p, double rd)
{
    enum { STEPS = 20 }; /* relative precision of one in a million */
    double low = 0, high = 1;

    while (rd_after(p, high) > rd && high < 1e6) {
        low = high;
        high *= 2;
    }
    if (high >= 1e6)
        return NAN;
    for (int step = 0; step < STEPS; step++) {
        double middle = (low + high) / 2;
        if (rd_after(p, middle) > rd)
            low = middle;
        else
            high = middle;
    }
    return ceil(high * (double)p->n * (double)(p->n - 1) / 2);
}
