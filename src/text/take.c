#include "text/take.h"

static bool is_full_stop(uint32_t r)
{
    return r == 0x3002 || r == 0xFF01 || r == 0xFF1F || r == '.' || r == '!' || r == '?';
}

/* Bytes up to and including the closing quote; 0 if there is none. */
static size_t speech_length(struct str text, struct str close)
{
    size_t at = str_find(text, close);

    return at == SIZE_MAX ? 0 : at + close.n;
}

/* Bytes up to and including the end of the first unit outside quotes; 0 if it does not end. Text
 * that leads up to an opening quote introduces that speech and forms one unit with it. */
static size_t narration_length(struct str text, struct take_quotes quotes)
{
    struct str rest = text;
    bool stopped = false, blank = true;

    while (rest.n) {
        struct str here = rest;
        uint32_t r = utf8_next(&rest);
        if (stopped && !is_full_stop(r))
            return text.n - here.n;
        if (!stopped && str_starts(here, quotes.open)) {
            size_t intro = text.n - here.n + quotes.open.n;
            size_t speech = speech_length(str_from(text, intro), quotes.close);
            return speech ? intro + speech : 0;
        }
        if (r == '\n' && !blank)
            return text.n - rest.n;
        stopped = is_full_stop(r);
        blank = blank && (r == '\n' || r == '\r' || r == ' ' || r == '\t');
    }
    return stopped ? text.n : 0;
}

struct str take_units(struct str text, struct take_quotes quotes, size_t n)
{
    size_t taken = 0;

    if (n == 1 && speech_length(text, quotes.close) == 0)
        return text;
    for (size_t i = 0; i < n; i++) {
        struct str rest = str_from(text, taken);
        size_t more = i == 0 ? speech_length(rest, quotes.close) : narration_length(rest, quotes);
        if (more == 0)
            break;
        taken += more;
    }
    return (struct str){text.p, taken};
}

struct str take_lines(struct arena *a, struct str text, size_t n)
{
    char *out = arena_alloc(a, text.n + 1);
    struct str line;
    size_t used = 0;

    while (n && str_line(&text, &line)) {
        line = str_trim_wide(line);
        if (line.n == 0)
            continue;
        if (used)
            out[used++] = '\n';
        memcpy(out + used, line.p, line.n);
        used += line.n;
        n--;
    }
    return (struct str){out, used};
}
