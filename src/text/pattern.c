#include "text/pattern.h"

#include <locale.h>
#include <regex.h>

/* A pattern that is compiled grows: x+ becomes xx*, x{9} nine copies of x, and nested ones
 * multiply. NODES_MAX bounds the result, and with it the time that a match takes. */
enum { NODES_MAX = 2000, DEPTH_MAX = 50 };

/* How large the pattern gets, group by group. */
struct group {
    long before, last; /* nodes of what stands before the last atom, and of that */
};

struct growth {
    const char *p;
    struct group open[DEPTH_MAX + 1];
    size_t depth;
    const char *why; /* it is refused; NULL: it is not */
};

static void add_atom(struct growth *g, long nodes)
{
    struct group *now = &g->open[g->depth];

    now->before += now->last;
    now->last = nodes;
}

static void repeat_atom(struct growth *g, long times)
{
    struct group *now = &g->open[g->depth];

    now->last *= times;
    if (now->before + now->last > NODES_MAX)
        g->why = "its repetitions are too large";
}

/* The larger bound of {m,n}; p is left on its brace. */
static long read_bound(struct growth *g)
{
    long n = 0, most = 1;

    for (; g->p[1] && *g->p != '}'; g->p++) {
        n = g->p[1] >= '0' && g->p[1] <= '9' && n <= NODES_MAX ? n * 10 + (g->p[1] - '0') : 0;
        most = n > most ? n : most;
    }
    return most;
}

/* Past [^]...], with classes such as [:alpha:] inside; p is left on the closing bracket. */
static void skip_bracket(struct growth *g)
{
    const char *p = g->p + 1;

    p += *p == '^';
    p += *p == ']';
    for (; *p && *p != ']'; p++)
        if (*p == '[' && p[1] && strchr(":.=", p[1])) {
            const char end[] = {p[1], ']', '\0'}, *close = strstr(p + 2, end);
            p = close ? close + 1 : p;
        }
    g->p = *p ? p : p - 1;
}

static void open_group(struct growth *g)
{
    if (g->depth == DEPTH_MAX)
        g->why = "its groups are nested too deeply";
    else
        g->open[++g->depth] = (struct group){0, 0};
}

static void close_group(struct growth *g)
{
    const struct group *inner = &g->open[g->depth];

    if (g->depth == 0) { /* nothing was opened: a plain character */
        add_atom(g, 1);
        return;
    }
    g->depth--;
    add_atom(g, inner->before + inner->last + 1);
}

static void step(struct growth *g)
{
    switch (*g->p) {
    case '\\':
        g->p += g->p[1] != '\0';
        if (*g->p >= '1' && *g->p <= '9')
            g->why = "back references are not supported";
        add_atom(g, 1);
        break;
    case '[':
        skip_bracket(g);
        add_atom(g, 1);
        break;
    case '(':
        open_group(g);
        break;
    case ')':
        close_group(g);
        break;
    case '+':
        repeat_atom(g, 2);
        break;
    case '{':
        repeat_atom(g, read_bound(g));
        break;
    default:
        add_atom(g, 1);
    }
}

/* Why a pattern is too costly, or NULL. */
static const char *refuse(const char *pattern)
{
    struct growth g = {.p = pattern};

    for (; *g.p && !g.why; g.p++)
        step(&g);
    return g.why;
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

static const char *search(struct arena *a, struct pattern pattern, struct str text, bool *found,
                          struct str *match)
{
    const char *subject = arena_text(a, searched(text));
    char why[200];
    regmatch_t at;
    regex_t re;
    int how = REG_EXTENDED | REG_NEWLINE | (pattern.any_case ? REG_ICASE : 0);
    int rc = regcomp(&re, pattern.text.p, how);

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

const char *pattern_search(struct arena *a, struct pattern pattern, struct str text, bool *found,
                           struct str *match)
{
    struct pattern own = {arena_str(a, pattern.text), pattern.any_case};
    locale_t unicode, before = (locale_t)0;
    const char *why;

    if (own.text.n > PATTERN_MAX || strlen(own.text.p) != own.text.n)
        return arena_printf(a, "a pattern has at most %d bytes and no NUL", PATTERN_MAX);
    why = refuse(own.text.p);
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
