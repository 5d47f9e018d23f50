#include "math/cell.h"

#include <stdlib.h>

#include "math/describe.h"

static int by_unit(const void *x, const void *y)
{
    const struct cell *a = x, *b = y;

    if (a->unit != b->unit)
        return a->unit < b->unit ? -1 : 1;
    return (a->rater > b->rater) - (a->rater < b->rater);
}

void cell_sort(struct cell *v, size_t n)
{
    if (n)
        qsort(v, n, sizeof *v, by_unit);
}

bool cell_unit(const struct cells *c, size_t *from, size_t *to)
{
    *from = *to;
    while (*to < c->n && c->v[*to].unit == c->v[*from].unit)
        ++*to;
    return *to > *from;
}

/* The place of v, which is among them. */
static size_t place_of(const double *levels, size_t n, double v)
{
    size_t low = 0, high = n;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (levels[middle] <= v)
            low = middle;
        else
            high = middle;
    }
    return low;
}

struct cells cell_coded(struct arena *a, const struct cells *c, double **levels, size_t *n)
{
    struct cell *v = arena_copy(a, c->v, c->n, sizeof *v);
    double *all = NEW_N(a, double, c->n + 1);
    size_t different = 0;

    for (size_t i = 0; i < c->n; i++)
        all[i] = v[i].value;
    describe_sort(all, c->n);
    for (size_t i = 0; i < c->n; i++)
        if (different == 0 || all[different - 1] < all[i])
            all[different++] = all[i];
    for (size_t i = 0; i < c->n; i++)
        v[i].value = (double)place_of(all, different, v[i].value);
    *levels = all;
    *n = different;
    return (struct cells){v, c->n, c->units, c->raters};
}
