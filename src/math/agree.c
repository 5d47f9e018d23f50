#include "math/agree.h"

#include <math.h>

/* ---- interval, streaming ---- */

/* With squared distances the sums over pairs are sums of squares: the pairs of one unit add up to
 * 2 m times its squares about its mean, those of all n values to 2 n times theirs. */

void agree_interval_add(struct agree_interval *s, const double *v, size_t n)
{
    struct describe unit = {0};

    for (size_t i = 0; i < n; i++)
        if (!isnan(v[i]))
            describe_add(&unit, v[i]);
    if (unit.n < 2)
        return;
    for (size_t i = 0; i < n; i++)
        if (!isnan(v[i]))
            describe_add(&s->all, v[i]);
    s->within += unit.squares * (double)unit.n / (double)(unit.n - 1);
    s->units++;
}

double agree_interval_pooled(const struct agree_interval *s, size_t n)
{
    double observed = 0, expected = 0;

    for (size_t i = 0; i < n; i++) {
        double values = (double)s[i].all.n;
        if (s[i].all.n < 2)
            continue;
        observed += s[i].within;
        expected += s[i].all.squares * values / (values - 1);
    }
    return expected > 0 ? 1 - observed / expected : (double)NAN;
}

double agree_interval_alpha(const struct agree_interval *s)
{
    return agree_interval_pooled(s, 1);
}

/* ---- any level ---- */

/* The different values that take part, ascending, and how often each was given. */
struct values {
    double *v;
    double *count;
    size_t n;
    double total;
};

static size_t given(const double *unit, size_t raters)
{
    size_t n = 0;

    for (size_t i = 0; i < raters; i++)
        n += isnan(unit[i]) ? 0 : 1;
    return n;
}

static struct values values_of(struct arena *a, const struct agree_table *t)
{
    struct values s = {.v = NEW_N(a, double, t->units * t->raters + 1),
                       .count = NEW_N(a, double, t->units * t->raters + 1)};
    size_t n = 0;

    for (size_t u = 0; u < t->units; u++) {
        const double *unit = t->v + u * t->raters;
        for (size_t i = 0; i < t->raters && given(unit, t->raters) >= 2; i++)
            if (!isnan(unit[i]))
                s.v[n++] = unit[i];
    }
    describe_sort(s.v, n);
    s.total = (double)n;
    for (size_t i = 0; i < n; i++) {
        if (s.n == 0 || s.v[s.n - 1] < s.v[i])
            s.v[s.n++] = s.v[i];
        s.count[s.n - 1]++;
    }
    return s;
}

static size_t place_of(const struct values *s, double v)
{
    size_t low = 0, high = s->n;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (s->v[middle] <= v)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static double distance(double x, double y, enum agree_level level)
{
    double off = level == AGREE_NOMINAL ? (double)(x != y) : x - y;

    if (level == AGREE_RATIO && off != 0)
        off /= x + y;
    return off * off;
}

/* Sum over pairs of values in one unit, over m - 1. */
static double disagreement(const double *unit, size_t raters, enum agree_level level)
{
    size_t m = given(unit, raters);
    double sum = 0;

    for (size_t i = 0; i < raters && m >= 2; i++)
        for (size_t k = 0; k < raters; k++)
            if (!isnan(unit[i]) && !isnan(unit[k]))
                sum += distance(unit[i], unit[k], level);
    return m >= 2 ? sum / (double)(m - 1) : 0;
}

/* For NOMINAL and RATIO. */
static double alpha_by_pairs(const struct agree_table *t, const struct values *s,
                             enum agree_level level)
{
    double observed = 0, expected = 0;

    for (size_t u = 0; u < t->units; u++)
        observed += disagreement(t->v + u * t->raters, t->raters, level);
    for (size_t c = 0; c < s->n; c++)
        for (size_t k = 0; k < s->n; k++)
            expected += s->count[c] * s->count[k] * distance(s->v[c], s->v[k], level);
    return expected > 0 ? 1 - (s->total - 1) * observed / expected : (double)NAN;
}

/* The ordinal distance of two values is the difference of their mid-ranks: so ORDINAL is INTERVAL
 * on ranks. */
static void to_ranks(struct arena *a, const struct values *s, double *v, size_t n)
{
    double *rank = NEW_N(a, double, s->n + 1), below = 0;

    for (size_t c = 0; c < s->n; c++) {
        rank[c] = below + s->count[c] / 2;
        below += s->count[c];
    }
    for (size_t i = 0; i < n; i++)
        if (!isnan(v[i]) && s->n)
            v[i] = rank[place_of(s, v[i])];
}

double agree_alpha(struct arena *scratch, const struct agree_table *t, enum agree_level level)
{
    size_t n = t->units * t->raters;
    struct values s = values_of(scratch, t);
    double *v = arena_copy(scratch, t->v, n, sizeof *v);
    struct agree_interval sums = {0};

    if (level == AGREE_NOMINAL || level == AGREE_RATIO)
        return alpha_by_pairs(t, &s, level);
    if (level == AGREE_ORDINAL)
        to_ranks(scratch, &s, v, n);
    for (size_t u = 0; u < t->units; u++)
        agree_interval_add(&sums, v + u * t->raters, t->raters);
    return agree_interval_alpha(&sums);
}
