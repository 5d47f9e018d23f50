#include "math/correlate.h"

#include <math.h>
#include <stdlib.h>

#include "math/describe.h"

double correlate_pearson(const double *x, const double *y, size_t n)
{
    struct describe a = describe_of(x, n), b = describe_of(y, n);
    double both = 0;

    for (size_t i = 0; i < n; i++)
        both += (x[i] - a.mean) * (y[i] - b.mean);
    return a.squares > 0 && b.squares > 0 ? both / sqrt(a.squares * b.squares) : (double)NAN;
}

struct placed {
    double value;
    size_t at;
};

static int by_value(const void *x, const void *y)
{
    const struct placed *a = x, *b = y;

    return (a->value > b->value) - (a->value < b->value);
}

/* Ranks of v from 1 into ranks[n]. */
static void find_ranks(struct arena *scratch, const double *v, size_t n, double *ranks)
{
    struct placed *p = NEW_N(scratch, struct placed, n + 1);

    for (size_t i = 0; i < n; i++)
        p[i] = (struct placed){v[i], i};
    qsort(p, n, sizeof *p, by_value);
    for (size_t from = 0, to = 0; from < n; from = to) {
        while (to < n && !(p[to].value > p[from].value))
            to++;
        for (size_t i = from; i < to; i++)
            ranks[p[i].at] = (double)(from + to + 1) / 2;
    }
}

double correlate_spearman(struct arena *scratch, const double *x, const double *y, size_t n)
{
    double *a = NEW_N(scratch, double, n + 1), *b = NEW_N(scratch, double, n + 1);

    find_ranks(scratch, x, n, a);
    find_ranks(scratch, y, n, b);
    return correlate_pearson(a, b, n);
}

static int sign(double v)
{
    return (v > 0) - (v < 0);
}

double correlate_tau(const double *x, const double *y, size_t n)
{
    double both = 0, of_x = 0, of_y = 0;

    for (size_t i = 0; i < n; i++)
        for (size_t k = i + 1; k < n; k++) {
            int a = sign(x[i] - x[k]), b = sign(y[i] - y[k]);
            both += a * b;
            of_x += a * a;
            of_y += b * b;
        }
    return of_x > 0 && of_y > 0 ? both / sqrt(of_x * of_y) : (double)NAN;
}

/* Sum of t^3 - t over groups of t tied ranks: n^3 - n minus 12 times the
 * sum of squares of the ranks. */
static double ties(const double *ranks, size_t n)
{
    double count = (double)n;

    return count * (count * count - 1) - 12 * describe_of(ranks, n).squares;
}

double correlate_concordance(const struct cells *c)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    size_t n = c->units, m = c->raters;
    double *table, *ranks, *sums, tied = 0, most, raters = (double)m, units = (double)n;

    if (m < 2 || c->n == 0 || c->n / n != m || c->n % n != 0)
        return (double)NAN;
    table = NEW_N(a, double, c->n); /* [rater][unit] */
    ranks = NEW_N(a, double, n);
    sums = NEW_N(a, double, n);
    for (size_t i = 0; i < c->n; i++)
        table[c->v[i].rater * n + c->v[i].unit] = c->v[i].value;
    for (size_t r = 0; r < m; r++) {
        find_ranks(a, table + r * n, n, ranks);
        tied += ties(ranks, n);
        for (size_t u = 0; u < n; u++)
            sums[u] += ranks[u];
    }
    most = raters * raters * units * (units * units - 1) - raters * tied;
    return most > 0 ? 12 * describe_of(sums, n).squares / most : (double)NAN;
}
