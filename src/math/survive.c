#include "math/survive.h"

#include <math.h>
#include <stdlib.h>

#include "math/dist.h"

static int by_time(const void *a, const void *b)
{
    const struct survive_one *x = a, *y = b;

    return (x->time > y->time) - (x->time < y->time);
}

static size_t count_steps(const struct survive_one *v, size_t n)
{
    size_t steps = 0;
    int64_t last = 0;

    for (size_t i = 0; i < n; i++)
        if (v[i].ended && v[i].time != last) {
            last = v[i].time;
            steps++;
        }
    return steps;
}

/* Bounds of a share between 0 and 1; `sum` is that of Greenwood. */
static void bound(struct survive_step *s, double sum, double z, double highest)
{
    double l, se;

    if (s->share <= 0) {
        s->low = 0;
        s->high = highest; /* all have ended: no more is known than one step before */
        return;
    }
    l = log(-log(s->share));
    se = sqrt(sum) / fabs(log(s->share));
    s->low = exp(-exp(l + z * se));
    s->high = exp(-exp(l - z * se));
}

struct survive_curve survive_curve(struct arena *a, const struct survive_one *v, size_t n,
                                   double level)
{
    struct survive_one *sorted = arena_copy(a, v, n, sizeof *v);
    struct survive_curve c = {0};
    double share = 1, sum = 0, highest = 1, z;
    size_t steps;

    qsort(sorted, n, sizeof *sorted, by_time);
    steps = count_steps(sorted, n);
    c.v = NEW_N(a, struct survive_step, steps);
    z = steps ? dist_normal_quantile(1 - (1 - level) / (2 * (double)steps)) : 0;
    for (size_t i = 0, next; i < n; i = next) {
        struct survive_step s = {.time = sorted[i].time, .there = n - i};
        for (next = i; next < n && sorted[next].time == s.time; next++)
            s.ended += sorted[next].ended;
        if (s.ended == 0)
            continue;
        share *= 1 - (double)s.ended / (double)s.there;
        sum += (double)s.ended / ((double)s.there * (double)(s.there - s.ended));
        s.share = share;
        bound(&s, sum, z, highest);
        highest = s.high;
        c.v[c.n++] = s;
    }
    return c;
}

/* The sum of S(t) for t from `from` to `most`. */
static double area(const struct survive_curve *c, int64_t from, int64_t most)
{
    double sum = 0, share = 1;
    size_t k = 0;

    for (int64_t t = 1; t <= most; t++) {
        while (k < c->n && c->v[k].time <= t)
            share = c->v[k++].share;
        if (t >= from)
            sum += share;
    }
    return sum;
}

struct interval survive_mean(const struct survive_curve *c, size_t n, int64_t most, double level)
{
    struct interval i = {.value = area(c, 1, most), .n = n, .clusters = n};
    double variance = 0, ends = 0, t;

    for (size_t k = 0; k < c->n; k++) {
        const struct survive_step *s = &c->v[k];
        double rest = area(c, s->time, most);
        ends += (double)s->ended;
        if (s->there > s->ended)
            variance +=
                rest * rest * (double)s->ended / ((double)s->there * (double)(s->there - s->ended));
    }
    if (n < INTERVAL_UNITS_MIN)
        return interval_refuse(i, INTERVAL_FEW_UNITS);
    if (ends > 1)
        variance *= ends / (ends - 1);
    i.se = sqrt(variance);
    t = dist_t_quantile(1 - (1 - level) / 2, (double)n - 1);
    i.low = i.value - t * i.se;
    i.high = i.value + t * i.se;
    if (i.se <= 0)
        i.why = INTERVAL_ALIKE;
    return interval_clip(i, (struct interval_scale){0, (double)most});
}
