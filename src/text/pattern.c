#include "text/pattern.h"

#include <locale.h>
#include <regex.h>

enum { REPEAT_MAX = 1000 }; /* the bounds of all repetitions, multiplied */

/* The larger bound of {m,n} at *p, which is moved behind it. */
static long read_bound(const char **p)
{
    long n = 0, most = 1;

    for (++*p; **p && **p != '}'; ++*p) {
        n = **p >= '0' && **p <= '9' && n <= REPEAT_MAX ? n * 10 + (**p - '0') : 0;
        most = n > most ? n : most;
    }
    return most;
}

/* Repetitions are expanded when a pattern is compiled, nested ones multiply. */
static const char *refuse(const char *pattern)
{
    long size = 1;

    for (const char *p = pattern; *p; p++) {
        if (*p == '\\' && p[1]) {
            p++;
            if (*p >= '1' && *p <= '9')
                return "back references are not supported";
        } else if (*p == '{') {
            size *= read_bound(&p);
            if (size > REPEAT_MAX)
                return "its repetitions are too large";
            if (!*p)
                break;
        }
    }
    return NULL;
}

/* Bytes of text that are looked at: whole characters, no NUL. */
static struct str searched(struct str text)
{
    size_t n = text.n;

    if (n > PATTERN_TEXT_MAX)
        for (n = PATTERN_TEXT_MAX; n && ((unsigned char)text.p[n] & 0xC0) == 0x80;)
            n--;
    return (struct str){text.p, n ? strnlen(text.p, n) : 0};
}

static const char *search(struct arena *a, const char *pattern, struct str text, bool *found,
                          struct str *match)
{
    const char *subject = arena_text(a, searched(text));
    char why[200];
    regmatch_t at;
    regex_t re;
    int rc = regcomp(&re, pattern, REG_EXTENDED | REG_NEWLINE);

    if (rc != 0) {
        (void)regerror(rc, &re, why, sizeof why);
        return arena_text(a, str_of(why));
    }
    *found = regexec(&re, subject, 1, &at, 0) == 0;
    if (*found)
        *match = (struct str){text.p + at.rm_so, (size_t)(at.rm_eo - at.rm_so)};
    regfree(&re);
    return NULL;
}

const char *pattern_search(struct arena *a, struct str pattern, struct str text, bool *found,
                           struct str *match)
{
    const char *own = arena_text(a, pattern), *why;
    locale_t unicode, before = (locale_t)0;

    if (pattern.n > PATTERN_MAX || strlen(own) != pattern.n)
        return arena_printf(a, "a pattern has at most %d bytes and no NUL", PATTERN_MAX);
    why = refuse(own);
    if (why)
        return why;
    unicode = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    if (unicode)
        before = uselocale(unicode);
    why = search(a, own, text, found, match);
    if (unicode) {
        (void)uselocale(before);
        freelocale(unicode);
    }
    return why;
}
