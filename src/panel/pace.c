#include "panel/pace.h"

enum { POINTS_A_SECOND = 60 };

int64_t pace_begin(int64_t wait_ms, int64_t whole_ms)
{
    int64_t waits;

    if (wait_ms <= 0)
        return whole_ms;
    waits = (whole_ms + wait_ms - 1) / wait_ms;
    return (waits > 0 ? waits : 1) * wait_ms;
}

size_t pace_points(int64_t shown_ms, size_t points)
{
    size_t out = shown_ms > 0 ? (size_t)(shown_ms * POINTS_A_SECOND / 1000) : 0;

    return out < points ? out : points;
}
