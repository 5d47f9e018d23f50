#include "base/log.h"

#include <stdarg.h>

#include "base/clock.h"

/* The only variable of the program that outlives a call: the level that the operator chose. */
static enum log_level log_level_now = LOG_WARN;

void log_set_level(enum log_level level)
{
    log_level_now = level;
}

/* Bytes of the control character at c; 0: it is none. C1 characters have two in UTF-8. */
static size_t control_at(const unsigned char *c)
{
    return *c < ' ' || *c == 0x7F ? 1 : *c == 0xC2 && (c[1] & 0xE0) == 0x80 ? 2 : 0;
}

/* Log lines may quote a browser or a server, which must not be able to add lines. */
static void flatten(char *text)
{
    for (char *c = text; *c; c++)
        memset(c, ' ', control_at((const unsigned char *)c));
}

void log_line(enum log_level level, const char *module, const char *fmt, ...)
{
    static const char *const names[] = {"error", "warn", "info", "debug"};
    char when[CLOCK_TEXT], text[1024];
    va_list ap;

    if (level > log_level_now)
        return;
    va_start(ap, fmt);
    (void)vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    flatten(text);
    clock_text(clock_utc_ms(), when);
    (void)fprintf(stderr, "%s level=%s module=%s %s\n", when, names[level], module, text);
}
