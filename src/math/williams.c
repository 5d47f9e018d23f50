#include "math/williams.h"

size_t williams_rows(size_t n)
{
    return n % 2 == 0 ? n : 2 * n;
}

/* The first row: 0, 1, n - 1, 2, n - 2, ... */
static size_t base_of(size_t n, size_t place)
{
    if (place == 0)
        return 0;
    return place % 2 ? (place + 1) / 2 : n - place / 2;
}

void williams_row(size_t n, size_t row, size_t *out)
{
    if (n == 0)
        return;
    row %= williams_rows(n);
    for (size_t i = 0; i < n; i++) {
        size_t place = row < n ? i : n - 1 - i;
        out[i] = (base_of(n, place) + row % n) % n;
    }
}
