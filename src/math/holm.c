#include "math/holm.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

struct test {
    double p;
    size_t at;
};

static int by_p(const void *x, const void *y)
{
    const struct test *a = x, *b = y;

    return (a->p > b->p) - (a->p < b->p);
}

void holm_adjust(const double *p, size_t n, double *adjusted)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct test *tests = NEW_N(scratch, struct test, n + 1);
    double before = 0;
    size_t count = 0;

    for (size_t i = 0; i < n; i++) {
        if (!isnan(p[i]))
            tests[count++] = (struct test){p[i], i};
        adjusted[i] = (double)NAN;
    }
    qsort(tests, count, sizeof *tests, by_p);
    for (size_t i = 0; i < count; i++) {
        before = fmin(1, fmax(before, tests[i].p * (double)(count - i)));
        adjusted[tests[i].at] = before;
    }
}
