#include "base/clock.h"

#include <ctype.h>
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

/* The next number of exactly `digits` digits, between min and max. */
static bool take_number(struct str *s, size_t digits, int min, int max, int *out)
{
    int64_t v;

    if (s->n < digits || !isdigit((unsigned char)s->p[0]) ||
        !str_int((struct str){s->p, digits}, &v) || v < min || v > max)
        return false;
    *s = str_from(*s, digits);
    *out = (int)v;
    return true;
}

static bool take_char(struct str *s, const char *any)
{
    if (s->n == 0 || !strchr(any, s->p[0]))
        return false;
    *s = str_from(*s, 1);
    return true;
}

/* "Z", "+09:00", "+0900", or nothing; minutes east of Greenwich. */
static bool take_zone(struct str *s, int *minutes)
{
    bool west = s->n && s->p[0] == '-';
    int h, m;

    *minutes = 0;
    if (s->n == 0 || take_char(s, "Z"))
        return true;
    if (!take_char(s, "+-") || !take_number(s, 2, 0, 14, &h))
        return false;
    (void)take_char(s, ":");
    if (!take_number(s, 2, 0, 59, &m))
        return false;
    *minutes = (h * 60 + m) * (west ? -1 : 1);
    return true;
}

static bool take_time(struct str *s, struct tm *tm)
{
    if (!take_char(s, " T") || !take_number(s, 2, 0, 23, &tm->tm_hour) || !take_char(s, ":") ||
        !take_number(s, 2, 0, 59, &tm->tm_min))
        return false;
    tm->tm_sec = 0;
    return !take_char(s, ":") || take_number(s, 2, 0, 59, &tm->tm_sec);
}

bool clock_read(struct str text, int64_t *utc_ms)
{
    struct str s = str_trim(text);
    struct tm tm = {.tm_hour = 23, .tm_min = 59, .tm_sec = 59};
    int year, month, day, zone = 0;

    if (!take_number(&s, 4, 1970, 9999, &year) || !take_char(&s, "-") ||
        !take_number(&s, 2, 1, 12, &month) || !take_char(&s, "-") ||
        !take_number(&s, 2, 1, 31, &day) || (s.n && !take_time(&s, &tm)))
        return false;
    s = str_trim(s);
    if (!take_zone(&s, &zone) || s.n)
        return false;
    tm.tm_year = year - 1900;
    tm.tm_mon = month - 1;
    tm.tm_mday = day;
    *utc_ms = ((int64_t)timegm(&tm) - (int64_t)zone * 60) * 1000;
    return tm.tm_mday == day; /* timegm() makes 1 March of 30 February */
}
