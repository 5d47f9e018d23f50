#include "math/agree.h"

#include <math.h>
#include <stdlib.h>

#include "base/rng.h"

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

/* The units that take part, each value as its place among the different values. */
struct coded {
    struct arena *a;
    enum agree_level level;
    size_t units, n, levels;
    size_t *start;   /* [units + 1] into code */
    uint32_t *code;  /* [n], ascending within a unit */
    double *value;   /* [levels], ascending */
    double *count;   /* [levels] how often each was given, in the present round */
    double *at;      /* [levels] where each lies; ORDINAL: its mid-rank in the present round */
    double *differs; /* [units] disagreement inside, for the levels where it is always the same */
};

static int by_code(const void *x, const void *y)
{
    uint32_t a, b;

    memcpy(&a, x, sizeof a);
    memcpy(&b, y, sizeof b);
    return (a > b) - (a < b);
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
static double squares(const struct coded *s, const uint32_t *code, size_t m)
{
    struct describe d = {0};

    for (size_t i = 0; i < m; i++)
        describe_add(&d, s->at[code[i]]);
    return 2 * (double)m * d.squares;
}

/* The same for any distance. Equal values stand together, so that pairs of runs are looked at. */
static double differences(const struct coded *s, const uint32_t *code, size_t m)
{
    double sum = 0;

    for (size_t i = 0, next; i < m; i = next) {
        for (next = i; next < m && code[next] == code[i];)
            next++;
        if (s->level == AGREE_NOMINAL) {
            sum += (double)(next - i) * (double)(m - (next - i));
            continue;
        }
        for (size_t k = next; k < m; k++)
            sum += 2 * (double)(next - i) * distance(s->at[code[i]], s->at[code[k]], s->level);
    }
    return sum;
}

static double disagreement(const struct coded *s, size_t unit)
{
    const uint32_t *code = s->code + s->start[unit];
    size_t m = s->start[unit + 1] - s->start[unit];
    bool by_squares = s->level == AGREE_ORDINAL || s->level == AGREE_INTERVAL;

    return (by_squares ? squares(s, code, m) : differences(s, code, m)) / (double)(m - 1);
}

static struct coded coded_of(struct arena *a, const struct cells *c, enum agree_level level)
{
    struct coded s = {.a = a, .level = level};
    struct cell *kept = NEW_N(a, struct cell, c->n + 1);
    struct cells coded;

    s.start = NEW_N(a, size_t, c->units + 1);
    for (size_t from = 0, to = 0; cell_unit(c, &from, &to);)
        if (to - from >= 2) {
            memcpy(kept + s.n, c->v + from, (to - from) * sizeof *kept);
            s.n += to - from;
            s.start[++s.units] = s.n;
        }
    coded = cell_coded(a, &(struct cells){kept, s.n, c->units, c->raters}, &s.value, &s.levels);
    s.code = NEW_N(a, uint32_t, s.n + 1);
    for (size_t i = 0; i < s.n; i++)
        s.code[i] = (uint32_t)coded.v[i].value;
    for (size_t u = 0; u < s.units; u++)
        qsort(s.code + s.start[u], s.start[u + 1] - s.start[u], sizeof *s.code, by_code);
    s.count = NEW_N(a, double, s.levels + 1);
    s.at = level == AGREE_ORDINAL ? NEW_N(a, double, s.levels + 1) : s.value;
    s.differs = NEW_N(a, double, s.units + 1);
    for (size_t u = 0; u < s.units && level != AGREE_ORDINAL; u++)
        s.differs[u] = disagreement(&s, u);
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

/* Each unit as often as `times` says; NULL: once. */
static double alpha(struct coded *s, const uint32_t *times)
{
    double observed = 0, total = 0, most;

    memset(s->count, 0, s->levels * sizeof *s->count);
    for (size_t u = 0; u < s->units; u++) {
        double n = times ? times[u] : 1;
        total += n * (double)(s->start[u + 1] - s->start[u]);
        for (size_t i = s->start[u]; i < s->start[u + 1] && n > 0; i++)
            s->count[s->code[i]] += n;
    }
    if (s->level == AGREE_ORDINAL)
        to_ranks(s);
    for (size_t u = 0; u < s->units; u++)
        if (!times || times[u])
            observed += (times ? times[u] : 1) *
                        (s->level == AGREE_ORDINAL ? disagreement(s, u) : s->differs[u]);
    most = expected(s, total);
    return most > 0 ? 1 - (total - 1) * observed / most : (double)NAN;
}

double agree_alpha(const struct cells *c, enum agree_level level)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct coded s = coded_of(scratch, c, level);

    return alpha(&s, NULL);
}

/* Alpha of every round that has one; returns how many. */
static size_t draw(struct coded *s, const struct interval_bootstrap *how, double *rounds)
{
    uint32_t *times = NEW_N(s->a, uint32_t, s->units + 1);
    size_t n = 0;

    for (size_t k = 0; k < how->rounds; k++) {
        struct rng r = rng_keyed(how->seed, how->purpose, (const int64_t[]){(int64_t)k}, 1);
        double v;
        memset(times, 0, s->units * sizeof *times);
        for (size_t u = 0; u < s->units; u++)
            times[rng_below(&r, s->units)]++;
        v = alpha(s, times);
        if (!isnan(v))
            rounds[n++] = v;
    }
    return n;
}

struct interval agree_alpha_interval(const struct cells *c, enum agree_level level,
                                     const struct interval_bootstrap *how)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct coded s = coded_of(scratch, c, level);
    double *rounds = NEW_N(scratch, double, how->rounds + 1);
    struct interval i = {.value = alpha(&s, NULL), .n = s.n, .clusters = s.units};
    struct describe spread = {0};
    size_t n = isnan(i.value) || s.units < 2 ? 0 : draw(&s, how, rounds);

    i.se = i.low = i.high = (double)NAN;
    if (n == 0)
        return i;
    for (size_t k = 0; k < n; k++)
        describe_add(&spread, rounds[k]);
    describe_sort(rounds, n);
    i.se = describe_sd(&spread);
    i.low = describe_quantile(rounds, n, (1 - how->level) / 2);
    i.high = describe_quantile(rounds, n, (1 + how->level) / 2);
    return i;
}
