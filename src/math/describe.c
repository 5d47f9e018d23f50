#include "math/describe.h"

#include <math.h>
#include <stdlib.h>

void describe_add(struct describe *d, double x)
{
    double from = x - d->mean;

    d->min = d->n == 0 || x < d->min ? x : d->min;
    d->max = d->n == 0 || x > d->max ? x : d->max;
    d->n++;
    d->mean += from / (double)d->n;
    d->squares += from * (x - d->mean);
}

struct describe describe_of(const double *values, size_t n)
{
    struct describe d = {0};

    for (size_t i = 0; i < n; i++)
        describe_add(&d, values[i]);
    return d;
}

double describe_mean(const struct describe *d)
{
    return d->n ? d->mean : (double)NAN;
}

double describe_variance(const struct describe *d)
{
    return d->n < 2 ? (double)NAN : d->squares / (double)(d->n - 1);
}

double describe_sd(const struct describe *d)
{
    return sqrt(describe_variance(d));
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

double describe_equals(const double *sizes, size_t n)
{
    double all = 0, squares = 0;

    for (size_t i = 0; i < n; i++) {
        all += sizes[i];
        squares += sizes[i] * sizes[i];
    }
    return all * all / squares;
}

void describe_sort(double *values, size_t n)
{
    if (n)
        qsort(values, n, sizeof *values, by_value);
}

double describe_quantile(const double *sorted, size_t n, double q)
{
    double at, below;
    size_t i;

    if (n == 0 || !(q >= 0 && q <= 1))
        return (double)NAN;
    at = (double)(n - 1) * q;
    below = floor(at);
    i = (size_t)below;
    if (i + 1 >= n)
        return sorted[n - 1];
    return sorted[i] + (at - below) * (sorted[i + 1] - sorted[i]);
}
