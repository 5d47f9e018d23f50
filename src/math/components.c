#include "math/components.h"

#include <math.h>
#include <stdlib.h>

enum { PARTS = COMPONENTS_MOST + 1 };

/* ---- numbering ---- */

struct slot {
    uint64_t key;
    uint32_t number; /* from 1; 0: empty */
};

static uint32_t greatest(const uint32_t *x, size_t n)
{
    uint32_t most = 0;

    for (size_t i = 0; i < n; i++)
        most = x[i] > most ? x[i] : most;
    return most;
}

/* Numbers pairs with a table of all possible ones. */
static size_t join_dense(const uint32_t *x, const uint32_t *y, size_t n, size_t width, size_t room,
                         uint32_t *out)
{
    uint32_t *number = mem_new(room * sizeof *number), used = 0;

    for (size_t i = 0; i < n; i++) {
        uint32_t *at = &number[x[i] * width + y[i]];
        if (*at == 0)
            *at = ++used;
        out[i] = *at - 1;
    }
    free(number);
    return used;
}

size_t components_join(const uint32_t *x, const uint32_t *y, size_t n, uint32_t *out)
{
    size_t room = 16, used = 0, width = (size_t)greatest(y, n) + 1, dense;
    struct slot *slots;

    dense = ((size_t)greatest(x, n) + 1) * width;
    if (dense / 8 <= n)
        return join_dense(x, y, n, width, dense, out);
    while (room < 2 * n)
        room *= 2;
    slots = mem_new(room * sizeof *slots);
    for (size_t i = 0; i < n; i++) {
        uint64_t key = (uint64_t)x[i] << 32 | y[i];
        /* multiplicative hashing spreads adjacent keys (Knuth 6.4) */
        size_t at = (size_t)(key * 0x9e3779b97f4a7c15U >> 20) & (room - 1);
        while (slots[at].number && slots[at].key != key)
            at = (at + 1) & (room - 1);
        if (!slots[at].number)
            slots[at] = (struct slot){key, (uint32_t)++used};
        out[i] = slots[at].number - 1;
    }
    free(slots);
    return used;
}

/* ---- sums of squares and their expectations ---- */

/* The equations: squares[f] = sum over g of expected[f][g] variance[g]. Row and column `nfactors`
 * are for single values, the residual. */
struct system {
    const struct components_data *d;
    size_t strata;             /* strata with values */
    double *value;             /* minus the mean of its stratum */
    uint32_t *order;           /* values sorted by level of the current factor */
    size_t *first;             /* [levels + 1] offset of each level */
    uint32_t *count, *touched; /* counts of another factor's levels within one */
    double squares[PARTS];     /* sum over levels of sum^2 / n */
    double expected[PARTS][PARTS];
    double apart[PARTS];        /* expectations for strata, which are subtracted */
    size_t joint[PARTS][PARTS]; /* number of pairs of levels that occur */
};

static void sort_by(struct system *s, const struct components_factor *f)
{
    size_t n = s->d->n;

    memset(s->first, 0, (f->levels + 1) * sizeof *s->first);
    for (size_t i = 0; i < n; i++)
        s->first[f->level[i] + 1]++;
    for (size_t k = 0; k < f->levels; k++)
        s->first[k + 1] += s->first[k];
    for (size_t i = 0; i < n; i++)
        s->order[s->first[f->level[i]]++] = (uint32_t)i;
    for (size_t k = f->levels; k > 0; k--)
        s->first[k] = s->first[k - 1];
    s->first[0] = 0;
}

/* Sum over levels a of f and b of g of n(a and b)^2 / n(a). Values must be sorted by f. */
static double shared(struct system *s, size_t levels, const struct components_factor *g,
                     size_t *joint)
{
    double sum = 0;

    *joint = 0;
    for (size_t k = 0; k < levels; k++) {
        size_t from = s->first[k], to = s->first[k + 1], n = 0;
        double squares = 0;
        for (size_t i = from; i < to; i++) {
            uint32_t level = g->level[s->order[i]];
            if (s->count[level]++ == 0)
                s->touched[n++] = level;
        }
        for (size_t i = 0; i < n; i++) {
            squares += (double)s->count[s->touched[i]] * (double)s->count[s->touched[i]];
            s->count[s->touched[i]] = 0;
        }
        sum += to > from ? squares / (double)(to - from) : 0;
        *joint += n;
    }
    return sum;
}

static double squares_of(const struct system *s, size_t levels)
{
    double all = 0;

    for (size_t k = 0; k < levels; k++) {
        double sum = 0;
        for (size_t i = s->first[k]; i < s->first[k + 1]; i++)
            sum += s->value[s->order[i]];
        if (s->first[k + 1] > s->first[k])
            all += sum * sum / (double)(s->first[k + 1] - s->first[k]);
    }
    return all;
}

static void centre(struct system *s)
{
    const struct components_factor *strata = &s->d->strata;

    for (size_t k = 0; k < strata->levels; k++) {
        size_t from = s->first[k], to = s->first[k + 1];
        double sum = 0;
        for (size_t i = from; i < to; i++)
            sum += s->d->value[s->order[i]];
        for (size_t i = from; i < to; i++)
            s->value[s->order[i]] = s->d->value[s->order[i]] - sum / (double)(to - from);
    }
}

static void set_up(struct system *s)
{
    const struct components_data *d = s->d;
    size_t m = d->nfactors, ignored;
    double strata = (double)s->strata;

    centre(s);
    for (size_t g = 0; g < m; g++)
        s->apart[g] = shared(s, d->strata.levels, &d->factors[g], &ignored);
    s->apart[m] = strata;
    for (size_t f = 0; f < m; f++) {
        sort_by(s, &d->factors[f]);
        s->squares[f] = squares_of(s, d->factors[f].levels);
        for (size_t g = 0; g < m; g++)
            s->expected[f][g] =
                shared(s, d->factors[f].levels, &d->factors[g], &s->joint[f][g]) - s->apart[g];
        s->expected[f][m] = (double)d->factors[f].levels - strata;
        s->expected[m][f] = (double)d->n - s->apart[f];
    }
    s->expected[m][m] = (double)d->n - strata;
    for (size_t i = 0; i < d->n; i++)
        s->squares[m] += s->value[i] * s->value[i];
}

/* ---- solution ---- */

/* Gaussian elimination with pivoting, on the equations and unknowns listed
 * in `in`. False if singular. */
static bool solve(const struct system *s, const size_t *in, size_t n, double *x)
{
    double a[PARTS][PARTS + 1];

    for (size_t r = 0; r < n; r++) {
        for (size_t c = 0; c < n; c++)
            a[r][c] = s->expected[in[r]][in[c]];
        a[r][n] = s->squares[in[r]];
    }
    for (size_t c = 0; c < n; c++) {
        size_t best = c;
        for (size_t r = c + 1; r < n; r++)
            best = fabs(a[r][c]) > fabs(a[best][c]) ? r : best;
        if (fabs(a[best][c]) < 1e-9 * (double)s->d->n)
            return false;
        for (size_t k = 0; k <= n; k++) {
            double t = a[c][k];
            a[c][k] = a[best][k];
            a[best][k] = t;
        }
        for (size_t r = 0; r < n; r++) {
            double times = r == c ? 0 : a[r][c] / a[c][c];
            for (size_t k = c; k <= n && times != 0; k++)
                a[r][k] -= times * a[c][k];
        }
    }
    for (size_t r = 0; r < n; r++)
        x[r] = a[r][n] / a[r][r];
    return true;
}

/* Lists the identifiable factors, the residual last: none with only one level per stratum, none
 * that partitions the values like an earlier one or into single values. */
static size_t choose(const struct system *s, size_t *in, struct components *out)
{
    const struct components_data *d = s->d;
    size_t m = d->nfactors, n = 0;

    for (size_t f = 0; f < m; f++) {
        struct component *c = &out->of[f];
        c->same = f;
        c->levels = d->factors[f].levels;
        if (c->levels <= s->strata)
            c->same = COMPONENTS_MOST;
        for (size_t g = 0; g < f && c->same == f; g++)
            if (d->factors[g].levels == c->levels && s->joint[f][g] == c->levels)
                c->same = g;
        if (c->same == f && c->levels == d->n)
            c->same = m;
        c->variance = (double)NAN;
        if (c->same == f)
            in[n++] = f;
    }
    out->of[m].same = m;
    out->of[m].levels = d->n;
    in[n++] = m;
    return n;
}

/* Index of the most negative one; n if none is. The residual, which is last, is never negative. */
static size_t lowest(const double *x, size_t n)
{
    size_t least = n;

    for (size_t i = 0; i + 1 < n; i++)
        if (x[i] < 0 && (least == n || x[i] < x[least]))
            least = i;
    return least;
}

static void estimate(const struct system *s, struct components *out)
{
    size_t in[PARTS], n = choose(s, in, out), gone;
    double x[PARTS];

    for (;;) {
        if (!solve(s, in, n, x)) { /* drop the finest remaining factor */
            in[n - 2] = in[n - 1];
            n--;
            continue;
        }
        gone = lowest(x, n);
        if (gone == n)
            break;
        out->of[in[gone]].variance = 0;
        memmove(in + gone, in + gone + 1, (n - gone - 1) * sizeof *in);
        n--;
    }
    for (size_t i = 0; i < n; i++)
        out->of[in[i]].variance = fmax(0, x[i]);
}

/* Mean over strata of the sum over levels of (n(level) / n(stratum))^2. */
static void measure_reach(struct system *s, struct components *out)
{
    const struct components_data *d = s->d;

    sort_by(s, &d->strata);
    for (size_t f = 0; f <= d->nfactors; f++) {
        double all = 0;
        for (size_t k = 0; k < d->strata.levels; k++) {
            size_t from = s->first[k], to = s->first[k + 1];
            double n = (double)(to - from), squares = 0;
            for (size_t i = from; f < d->nfactors && i < to; i++)
                s->count[d->factors[f].level[s->order[i]]]++;
            for (size_t i = from; f < d->nfactors && i < to; i++) {
                uint32_t *c = &s->count[d->factors[f].level[s->order[i]]];
                squares += (double)*c * (double)*c;
                *c = 0;
            }
            all += to == from ? 0 : f == d->nfactors ? 1 / n : squares / (n * n);
        }
        out->of[f].reach = all / (double)s->strata;
    }
}

static void sum_up(const struct components_data *d, struct components *out)
{
    out->total = out->noise = 0;
    for (size_t f = 0; f <= d->nfactors; f++) {
        const struct component *c = &out->of[f];
        out->total += isnan(c->variance) ? 0 : c->variance;
        out->noise += isnan(c->variance) ? 0 : c->variance * c->reach;
    }
}

static size_t most_levels(const struct components_data *d)
{
    size_t most = d->strata.levels;

    for (size_t f = 0; f < d->nfactors; f++)
        most = d->factors[f].levels > most ? d->factors[f].levels : most;
    return most;
}

bool components_estimate(const struct components_data *d, struct components *out)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    size_t levels = most_levels(d);
    struct system s = {.d = d,
                       .value = NEW_N(a, double, d->n),
                       .order = NEW_N(a, uint32_t, d->n),
                       .first = NEW_N(a, size_t, levels + 2),
                       .count = NEW_N(a, uint32_t, levels + 1),
                       .touched = NEW_N(a, uint32_t, levels + 1)};

    *out = (struct components){0};
    if (d->nfactors > COMPONENTS_MOST)
        return false;
    sort_by(&s, &d->strata);
    for (size_t k = 0; k < d->strata.levels; k++)
        s.strata += s.first[k + 1] > s.first[k];
    if (d->n <= s.strata)
        return false;
    set_up(&s);
    estimate(&s, out);
    measure_reach(&s, out);
    sum_up(d, out);
    out->strata = s.strata;
    return true;
}
