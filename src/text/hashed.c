#include "text/hashed.h"

#include <math.h>
#include <stdlib.h>

#include "text/fold.h"

/* No folded text holds control characters. */
enum { MARK_BEGIN = 2, MARK_END = 3 };

uint32_t hashed_place(const uint32_t *runes, size_t n)
{
    uint64_t h = 0xcbf29ce484222325;

    for (size_t i = 0; i < n; i++) {
        for (int shift = 0; shift < 32; shift += 8) {
            h ^= runes[i] >> shift & 0xFF;
            h *= 0x100000001b3;
        }
    }
    h ^= h >> 32; /* the low bits alone are FNV's weakest */
    return (uint32_t)((h ^ h >> HASHED_BITS) & (HASHED_SIZE - 1));
}

static int compare_cells(const void *x, const void *y)
{
    const struct hashed_cell *a = x, *b = y;

    return a->place < b->place ? -1 : a->place > b->place;
}

/* Equal places become one cell with their sum. */
static size_t merge(struct hashed_cell *cells, size_t n)
{
    size_t kept = 0;

    qsort(cells, n, sizeof *cells, compare_cells);
    for (size_t i = 0; i < n; i++) {
        if (kept && cells[kept - 1].place == cells[i].place)
            cells[kept - 1].value += cells[i].value;
        else
            cells[kept++] = cells[i];
    }
    return kept;
}

static void normalise(struct hashed v)
{
    double squares = 0;

    for (size_t i = 0; i < v.n; i++)
        squares += v.cells[i].value * v.cells[i].value;
    for (size_t i = 0; i < v.n; i++)
        v.cells[i].value /= sqrt(squares);
}

struct hashed hashed_text(struct arena *a, struct str text)
{
    struct runes folded = fold_text(a, text);
    size_t length = folded.n + 2;
    uint32_t *runes;
    struct hashed v = {0};

    if (folded.n == 0)
        return v;
    runes = NEW_N(a, uint32_t, length);
    runes[0] = MARK_BEGIN;
    memcpy(runes + 1, folded.p, folded.n * sizeof *runes);
    runes[length - 1] = MARK_END;
    v.cells = NEW_N(a, struct hashed_cell, length * HASHED_ORDER);
    for (size_t order = 1; order <= HASHED_ORDER; order++) {
        /* not the marks by themselves: every text has both */
        size_t from = order == 1, to = order == 1 ? length - 1 : length;
        for (size_t i = from; i + order <= to; i++)
            v.cells[v.n++] = (struct hashed_cell){hashed_place(runes + i, order), 1};
    }
    v.n = merge(v.cells, v.n);
    normalise(v);
    return v;
}
