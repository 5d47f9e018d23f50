#include "math/survive.h"

#include <stdlib.h>

#include "math/dist.h"

enum { FEW = 2 };

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

/* Bounds of a share: Jeffreys interval of a binomial share with Greenwood's variance, where `sum`
 * is Greenwood's sum; this gives the effective sample size. If few have ended, the upper bound is
 * Clopper-Pearson's: a single early end says little about how rare that is. */
static void bound(struct survive_step *s, double sum, double tail, double highest, bool few)
{
    double watched, last;

    if (s->share <= 0) {
        s->low = 0;
        s->high = highest; /* all have ended: no more is known than one step before */
        return;
    }
    watched = (1 - s->share) / (s->share * sum);
    last = watched * s->share;
    s->low = dist_beta_quantile(tail, last + 0.5, watched - last + 0.5);
    s->high = few ? dist_beta_quantile(1 - tail, last + 1, watched - last)
                  : dist_beta_quantile(1 - tail, last + 0.5, watched - last + 0.5);
}

struct survive_curve survive_curve(struct arena *a, const struct survive_one *v, size_t n,
                                   double level)
{
    struct survive_one *sorted = arena_copy(a, v, n, sizeof *v);
    struct survive_curve c = {0};
    double share = 1, sum = 0, highest = 1, tail;
    size_t steps, gone = 0;

    qsort(sorted, n, sizeof *sorted, by_time);
    steps = count_steps(sorted, n);
    c.v = NEW_N(a, struct survive_step, steps);
    tail = (1 - level) / (2 * (double)(steps + !steps));
    for (size_t i = 0, next; i < n; i = next) {
        struct survive_step s = {.time = sorted[i].time, .there = n - i};
        for (next = i; next < n && sorted[next].time == s.time; next++)
            s.ended += sorted[next].ended;
        if (s.ended == 0)
            continue;
        share *= 1 - (double)s.ended / (double)s.there;
        sum += (double)s.ended / ((double)s.there * (double)(s.there - s.ended));
        s.share = share;
        gone += s.ended;
        bound(&s, sum, tail, highest, gone <= FEW);
        highest = s.high;
        c.v[c.n++] = s;
    }
    return c;
}

/* The sum of S(1) to S(most), given how many ended in each step and were censored after it. */
static double area(const double *ended, const double *left, double there, int64_t most)
{
    double sum = 0, share = 1;

    for (int64_t t = 1; t <= most; t++) {
        if (ended[t] > 0)
            share *= 1 - ended[t] / there;
        sum += share;
        there -= ended[t] + left[t];
    }
    return sum;
}

/* The counter for a subject: those that ended in its step, or were censored after it. */
static double *place(double *const counts[2], const struct survive_one *v, int64_t most)
{
    return v->time > most ? &counts[1][most] : &counts[!v->ended][v->time];
}

struct interval survive_mean(struct arena *a, const struct survive_one *v, size_t n, int64_t most,
                             double level)
{
    double *counts[] = {NEW_N(a, double, (size_t)most + 1), NEW_N(a, double, (size_t)most + 1)};
    struct interval_cluster *c = NEW_N(a, struct interval_cluster, n);
    double all = (double)n, value;
    struct interval i;

    for (size_t k = 0; k < n; k++)
        ++*place(counts, &v[k], most);
    value = area(counts[0], counts[1], all, most);
    for (size_t k = 0; k < n; k++) {
        double *same = place(counts, &v[k], most);
        --*same;
        c[k] = (struct interval_cluster){
            all * value - (all - 1) * area(counts[0], counts[1], all - 1, most), 1};
        ++*same;
    }
    i = interval_of_means(c, n, (struct interval_scale){0, (double)most}, level);
    i.value = value;
    return i;
}
