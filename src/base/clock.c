#include "base/clock.h"

#include <time.h>

static int64_t read_ms(clockid_t which)
{
    struct timespec t;

    (void)clock_gettime(which, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

int64_t clock_utc_ms(void)
{
    return read_ms(CLOCK_REALTIME);
}

int64_t clock_mono_ms(void)
{
    return read_ms(CLOCK_MONOTONIC);
}

void clock_text(int64_t utc_ms, char out[CLOCK_TEXT])
{
    time_t s = (time_t)(utc_ms / 1000);
    struct tm tm;

    if (!gmtime_r(&s, &tm) || strftime(out, CLOCK_TEXT, "%Y-%m-%dT%H:%M:%SZ", &tm) == 0)
        out[0] = '\0';
}
