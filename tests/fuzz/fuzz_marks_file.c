/* Any bytes as a file of ratings, at every level: what is read is sound, and what is computed from
 * it is a number or nothing. */
#include <math.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "exchange/marks_file.h"
#include "math/accord.h"
#include "math/severity.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_cells(const struct cells *c)
{
    if (c->n == 0 || c->units == 0 || c->raters == 0)
        abort();
    for (size_t i = 0; i < c->n; i++) {
        const struct cell *v = &c->v[i];
        if (v->unit >= c->units || v->rater >= c->raters || !isfinite(v->value))
            abort();
        if (i > 0 && (v[-1].unit > v->unit || (v[-1].unit == v->unit && v[-1].rater >= v->rater)))
            abort();
    }
}

static void check_accord(const struct cells *c, enum agree_level level)
{
    struct accord got = accord_of(c, &(struct accord_how){.level = level});

    if (got.values != c->n || got.units != c->units || got.raters != c->raters)
        abort();
    if (got.alpha.value > 1 + 1e-9 || got.many.agreement > 1 + 1e-9 || got.many.agreement < 0)
        abort();
    if (got.alpha.low > got.alpha.high)
        abort();
}

static void check_level(const char *path, enum agree_level level)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct marks_set s = {0};
    struct severity fit;
    struct err e = {0};

    if (marks_file_read(a, path, level, &s, &e) != OK) {
        if (!e.msg[0] || s.v)
            abort();
        return;
    }
    for (size_t d = 0; d < s.n; d++) {
        check_cells(&s.v[d].cells);
        check_accord(&s.v[d].cells, level);
        severity_solve(a, &s.v[d].cells, &fit);
        if (fit.groups == 0)
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int fd = memfd_create("fuzz", MFD_CLOEXEC);
    char path[64];

    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    for (int level = AGREE_NOMINAL; level <= AGREE_RATIO; level++)
        check_level(path, (enum agree_level)level);
    (void)close(fd);
    return 0;
}
