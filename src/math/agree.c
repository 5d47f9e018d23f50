#include "math/agree.h"

#include <math.h>
#include <stdlib.h>

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

/* Units with the same values, whoever gave them. There are few kinds where the scale has few
 * levels, however many units there are. */
struct kind {
    const uint32_t *code; /* [m], ascending: each value as its place among the different values */
    size_t m;
    double units; /* of this kind */
};

/* The units that take part. */
struct coded {
    enum agree_level level;
    struct kind *kinds;
    size_t nkinds, units, n, levels;
    double *value; /* [levels], ascending */
    double *count; /* [levels] how often each was given */
    double *at;    /* [levels] where each lies; ORDINAL: its mid-rank */
};

static int by_code(const void *x, const void *y)
{
    uint32_t a, b;

    memcpy(&a, x, sizeof a);
    memcpy(&b, y, sizeof b);
    return (a > b) - (a < b);
}

/* A scale has few levels: counting them is faster than comparing. */
static void sort_codes(uint32_t *code, size_t n, size_t levels, size_t *counts)
{
    size_t at = 0;

    if (levels > n) {
        qsort(code, n, sizeof *code, by_code);
        return;
    }
    memset(counts, 0, levels * sizeof *counts);
    for (size_t i = 0; i < n; i++)
        counts[code[i]]++;
    for (size_t k = 0; k < levels; k++)
        for (size_t i = 0; i < counts[k]; i++)
            code[at++] = (uint32_t)k;
}

static int by_values(const void *x, const void *y)
{
    const struct kind *a = x, *b = y;

    if (a->m != b->m)
        return a->m < b->m ? -1 : 1;
    for (size_t i = 0; i < a->m; i++)
        if (a->code[i] != b->code[i])
            return a->code[i] < b->code[i] ? -1 : 1;
    return 0;
}

static double distance(double x, double y, enum agree_level level)
{
    double off = level == AGREE_NOMINAL ? (double)(x != y) : x - y;

    if (level == AGREE_RATIO && off != 0)
        off /= x + y;
    return off * off;
}

/* Sum over pairs of the values of one unit of their squared differences: 2 m times the squares
 * about their mean. */
static double squares(const struct coded *s, const struct kind *k)
{
    struct describe d = {0};

    for (size_t i = 0; i < k->m; i++)
        describe_add(&d, s->at[k->code[i]]);
    return 2 * (double)k->m * d.squares;
}

/* The same for any distance. Equal values stand together, so that pairs of runs are looked at. */
static double differences(const struct coded *s, const struct kind *k)
{
    double sum = 0;

    for (size_t i = 0, next; i < k->m; i = next) {
        for (next = i; next < k->m && k->code[next] == k->code[i];)
            next++;
        if (s->level == AGREE_NOMINAL) {
            sum += (double)(next - i) * (double)(k->m - (next - i));
            continue;
        }
        for (size_t j = next; j < k->m; j++)
            sum +=
                2 * (double)(next - i) * distance(s->at[k->code[i]], s->at[k->code[j]], s->level);
    }
    return sum;
}

static double disagreement(const struct coded *s, const struct kind *k)
{
    bool by_squares = s->level == AGREE_ORDINAL || s->level == AGREE_INTERVAL;

    return (by_squares ? squares(s, k) : differences(s, k)) / (double)(k->m - 1);
}

/* One kind a unit, then those with the same values together. */
static void find_kinds(struct arena *a, const struct cells *coded, struct coded *s)
{
    uint32_t *code = NEW_N(a, uint32_t, coded->n + 1);
    size_t *counts = NEW_N(a, size_t, s->levels + 1);

    for (size_t i = 0; i < coded->n; i++)
        code[i] = (uint32_t)coded->v[i].value;
    s->kinds = NEW_N(a, struct kind, coded->n / 2 + 1);
    for (size_t from = 0, to = 0; cell_unit(coded, &from, &to);) {
        sort_codes(code + from, to - from, s->levels, counts);
        s->kinds[s->units++] = (struct kind){.code = code + from, .m = to - from};
    }
    if (s->units)
        qsort(s->kinds, s->units, sizeof *s->kinds, by_values);
    for (size_t u = 0; u < s->units; u++) {
        if (s->nkinds == 0 || by_values(&s->kinds[s->nkinds - 1], &s->kinds[u]) != 0)
            s->kinds[s->nkinds++] = s->kinds[u];
        s->kinds[s->nkinds - 1].units++;
    }
}

static struct coded coded_of(struct arena *a, const struct cells *c, enum agree_level level)
{
    struct coded s = {.level = level};
    struct cell *kept = NEW_N(a, struct cell, c->n + 1);
    struct cells coded;

    for (size_t from = 0, to = 0; cell_unit(c, &from, &to);)
        if (to - from >= 2) {
            memcpy(kept + s.n, c->v + from, (to - from) * sizeof *kept);
            s.n += to - from;
        }
    coded = cell_coded(a, &(struct cells){kept, s.n, c->units, c->raters}, &s.value, &s.levels);
    find_kinds(a, &coded, &s);
    s.count = NEW_N(a, double, s.levels + 1);
    s.at = level == AGREE_ORDINAL ? NEW_N(a, double, s.levels + 1) : s.value;
    return s;
}

/* The ordinal distance of two values is the difference of their mid-ranks: so ORDINAL is INTERVAL
 * on ranks. */
static void to_ranks(struct coded *s)
{
    double below = 0;

    for (size_t c = 0; c < s->levels; c++) {
        s->at[c] = below + s->count[c] / 2;
        below += s->count[c];
    }
}

/* Over all pairs of values, whoever gave them. */
static double expected(const struct coded *s, double total)
{
    double mean = 0, sum = 0;

    switch (s->level) {
    case AGREE_NOMINAL:
        for (size_t c = 0; c < s->levels; c++)
            sum += s->count[c] * (total - s->count[c]);
        return sum;
    case AGREE_RATIO:
        for (size_t c = 0; c < s->levels; c++)
            for (size_t k = c + 1; k < s->levels; k++)
                sum += 2 * s->count[c] * s->count[k] * distance(s->at[c], s->at[k], s->level);
        return sum;
    case AGREE_ORDINAL:
    case AGREE_INTERVAL:
        break;
    }
    for (size_t c = 0; c < s->levels; c++)
        mean += s->count[c] / total * s->at[c];
    for (size_t c = 0; c < s->levels; c++)
        sum += s->count[c] * (s->at[c] - mean) * (s->at[c] - mean);
    return 2 * total * sum;
}

static double alpha(struct coded *s)
{
    double observed = 0, total = 0, most;

    for (size_t k = 0; k < s->nkinds; k++) {
        const struct kind *kind = &s->kinds[k];
        total += kind->units * (double)kind->m;
        for (size_t i = 0; i < kind->m; i++)
            s->count[kind->code[i]] += kind->units;
    }
    if (s->level == AGREE_ORDINAL)
        to_ranks(s);
    for (size_t k = 0; k < s->nkinds; k++)
        observed += s->kinds[k].units * disagreement(s, &s->kinds[k]);
    most = expected(s, total);
    return most > 0 ? 1 - (total - 1) * observed / most : (double)NAN;
}

double agree_alpha(const struct cells *c, enum agree_level level)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct coded s = coded_of(scratch, c, level);

    return alpha(&s);
}
