#include "math/agree.h"

#include <math.h>
#include <stdlib.h>

/* ---- interval scale, streaming ---- */

/* With squared distances, sums over pairs are sums of squares: the pairs of one unit add up to 2 m
 * times its squares about the mean, those of all n values to 2 n times theirs. */

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

/* ---- any scale, from pair counts ---- */

/* The distinct values, how often each occurs, and its position on the scale. */
struct scale {
    enum agree_level level;
    size_t n;
    double *count, *at; /* [n]; ORDINAL: `at` is the mid-rank */
};

static double distance(double x, double y, enum agree_level level)
{
    double off = level == AGREE_NOMINAL ? (double)(x != y) : x - y;

    if (level == AGREE_RATIO && off != 0)
        off /= x + y;
    return off * off;
}

/* The ordinal distance of two values is the difference of their mid-ranks, so
 * ORDINAL is INTERVAL on ranks. */
static struct scale scale_of(struct arena *a, enum agree_level level, const double *levels,
                             const double *count, size_t n)
{
    struct scale s = {level, n, arena_copy(a, count, n, sizeof *count),
                      arena_copy(a, levels, n, sizeof *levels)};
    double below = 0;

    for (size_t c = 0; c < n && level == AGREE_ORDINAL; c++) {
        s.at[c] = below + count[c] / 2;
        below += count[c];
    }
    return s;
}

/* Sum of distances over all pairs of values, whoever gave them. */
static double expected(const struct scale *s, double total)
{
    double mean = 0, sum = 0;

    switch (s->level) {
    case AGREE_NOMINAL:
        for (size_t c = 0; c < s->n; c++)
            sum += s->count[c] * (total - s->count[c]);
        return sum;
    case AGREE_RATIO:
        for (size_t c = 0; c < s->n; c++)
            for (size_t k = c + 1; k < s->n; k++)
                sum += 2 * s->count[c] * s->count[k] * distance(s->at[c], s->at[k], s->level);
        return sum;
    case AGREE_ORDINAL:
    case AGREE_INTERVAL:
        break;
    }
    for (size_t c = 0; c < s->n; c++)
        mean += s->count[c] / total * s->at[c];
    for (size_t c = 0; c < s->n; c++)
        sum += s->count[c] * (s->at[c] - mean) * (s->at[c] - mean);
    return 2 * total * sum;
}

static double beyond_chance(const struct scale *s, double observed)
{
    double total = 0, most;

    for (size_t c = 0; c < s->n; c++)
        total += s->count[c];
    most = expected(s, total);
    return most > 0 ? 1 - (total - 1) * observed / most : (double)NAN;
}

double agree_of_census(const struct census *t, const double *levels, enum agree_level level)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct scale s = scale_of(a, level, levels, t->paired, t->levels);
    double observed = 0;

    for (size_t c = 0; c < s.n; c++)
        for (size_t k = c + 1; k < s.n; k++)
            observed += 2 * t->pairs[c * s.n + k] * distance(s.at[c], s.at[k], level);
    return beyond_chance(&s, observed);
}

/* ---- any scale, with too many distinct values to count pairs ---- */

static int by_code(const void *x, const void *y)
{
    uint32_t a, b;

    memcpy(&a, x, sizeof a);
    memcpy(&b, y, sizeof b);
    return (a > b) - (a < b);
}

/* Sum of squared differences over the pairs of values of one unit: 2 m times
 * their squares about the mean. */
static double squares(const struct scale *s, const uint32_t *code, size_t m)
{
    struct describe d = {0};

    for (size_t i = 0; i < m; i++)
        describe_add(&d, s->at[code[i]]);
    return 2 * (double)m * d.squares;
}

/* Same for any distance. Sorts the values, so that runs of equal values are compared at once. */
static double differences(const struct scale *s, uint32_t *code, size_t m)
{
    double sum = 0;

    qsort(code, m, sizeof *code, by_code);
    for (size_t i = 0, next; i < m; i = next) {
        for (next = i; next < m && code[next] == code[i];)
            next++;
        if (s->level == AGREE_NOMINAL) {
            sum += (double)(next - i) * (double)(m - (next - i));
            continue;
        }
        for (size_t j = next; j < m; j++)
            sum += 2 * (double)(next - i) * distance(s->at[code[i]], s->at[code[j]], s->level);
    }
    return sum;
}

static double unit_by_unit(const struct cells *coded, const struct scale *s)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    bool by_squares = s->level == AGREE_ORDINAL || s->level == AGREE_INTERVAL;
    uint32_t *code = NEW_N(a, uint32_t, coded->n + 1);
    double observed = 0;

    for (size_t from = 0, to = 0; cell_unit(coded, &from, &to);) {
        size_t m = to - from;
        for (size_t i = 0; i < m; i++)
            code[i] = (uint32_t)coded->v[from + i].value;
        if (m > 1)
            observed +=
                (by_squares ? squares(s, code, m) : differences(s, code, m)) / (double)(m - 1);
    }
    return observed;
}

double agree_alpha(const struct cells *c, enum agree_level level)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    double *levels;
    size_t n;
    struct cells coded = cell_coded(a, c, &levels, &n);
    struct census t = census_of(a, &coded, n);
    struct scale s;

    if (t.pairs)
        return agree_of_census(&t, levels, level);
    s = scale_of(a, level, levels, t.paired, n);
    return beyond_chance(&s, unit_by_unit(&coded, &s));
}
