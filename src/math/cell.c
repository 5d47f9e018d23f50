#include "math/cell.h"

#include <stdlib.h>

#include "math/describe.h"

/* Stable counting sort of cells by unit or by rater. `from` is overwritten with a copy. */
static void deal(struct cell *v, size_t n, struct cell *from, bool by_unit)
{
    size_t most = 0, *place;

    memcpy(from, v, n * sizeof *v);
    for (size_t i = 0; i < n; i++) {
        uint32_t key = by_unit ? v[i].unit : v[i].rater;
        most = key > most ? key : most;
    }
    place = mem_new((most + 2) * sizeof *place);
    for (size_t i = 0; i < n; i++)
        place[(by_unit ? v[i].unit : v[i].rater) + 1]++;
    for (size_t k = 0; k < most; k++)
        place[k + 1] += place[k];
    for (size_t i = 0; i < n; i++)
        v[place[by_unit ? from[i].unit : from[i].rater]++] = from[i];
    free(place);
}

void cell_sort(struct cell *v, size_t n)
{
    struct cell *copy = mem_new((n + 1) * sizeof *copy);
    bool raters = true; /* already in order, common if each rater's marks are contiguous */

    for (size_t i = 1; i < n; i++)
        raters = raters && v[i - 1].rater <= v[i].rater;
    if (!raters)
        deal(v, n, copy, false);
    if (n)
        deal(v, n, copy, true);
    free(copy);
}

bool cell_unit(const struct cells *c, size_t *from, size_t *to)
{
    *from = *to;
    while (*to < c->n && c->v[*to].unit == c->v[*from].unit)
        ++*to;
    return *to > *from;
}

/* Index of v, which must be among the levels. */
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

enum { LEVELS_FEW = 32 };

/* Finds the distinct values, ascending, by insertion. False if there are more than LEVELS_FEW. */
static bool few_levels(const struct cells *c, double *levels, size_t *n)
{
    *n = 0;
    for (size_t i = 0; i < c->n; i++) {
        size_t at = 0;
        while (at < *n && levels[at] < c->v[i].value)
            at++;
        if (at < *n && !(levels[at] > c->v[i].value))
            continue;
        if (*n == LEVELS_FEW)
            return false;
        memmove(levels + at + 1, levels + at, (*n - at) * sizeof *levels);
        levels[at] = c->v[i].value;
        ++*n;
    }
    return true;
}

static double *levels_of(struct arena *a, const struct cells *c, size_t *n)
{
    double few[LEVELS_FEW + 1] = {0}, *all;

    if (few_levels(c, few, n))
        return arena_copy(a, few, *n + 1, sizeof *few);
    all = NEW_N(a, double, c->n + 1);
    for (size_t i = 0; i < c->n; i++)
        all[i] = c->v[i].value;
    describe_sort(all, c->n);
    *n = 0;
    for (size_t i = 0; i < c->n; i++)
        if (*n == 0 || all[*n - 1] < all[i])
            all[(*n)++] = all[i];
    return all;
}

struct cells cell_coded(struct arena *a, const struct cells *c, double **levels, size_t *n)
{
    struct cell *v = arena_copy(a, c->v, c->n, sizeof *v);

    *levels = levels_of(a, c, n);
    for (size_t i = 0; i < c->n; i++)
        v[i].value = (double)place_of(*levels, *n, v[i].value);
    return (struct cells){v, c->n, c->units, c->raters};
}
