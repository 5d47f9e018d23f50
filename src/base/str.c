#include "base/str.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

#include "base/mem.h"

bool str_eq_nocase(struct str a, struct str b)
{
    return a.n == b.n && str_starts_nocase(a, b);
}

bool str_is_nocase(struct str a, const char *cstr)
{
    return str_eq_nocase(a, str_of(cstr));
}

bool str_is_word(struct str s, size_t max)
{
    for (size_t i = 0; i < s.n; i++)
        if ((unsigned char)s.p[i] <= ' ' || s.p[i] == 0x7F)
            return false;
    return s.n > 0 && s.n <= max;
}

bool str_starts_nocase(struct str s, struct str with)
{
    size_t i = 0;

    while (i < s.n && i < with.n && str_lower(s.p[i]) == str_lower(with.p[i]))
        i++;
    return i == with.n;
}

bool str_ends(struct str s, struct str with)
{
    return s.n >= with.n && (with.n == 0 || memcmp(s.p + s.n - with.n, with.p, with.n) == 0);
}

bool str_holds(struct str s, struct str what)
{
    return str_find(s, what) != SIZE_MAX;
}

bool str_any(struct str s, bool (*test)(struct str s, struct str word), const char *const *words)
{
    for (; *words; words++)
        if (test(s, str_of(*words)))
            return true;
    return false;
}

bool str_made_of(struct str s, const char *signs)
{
    for (size_t i = 0; i < s.n; i++)
        if (!str_alnum(s.p[i]) && !memchr(signs, s.p[i], strlen(signs)))
            return false;
    return s.n > 0;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

bool str_drop(struct str *s, struct str head)
{
    if (!str_starts(*s, head))
        return false;
    *s = str_from(*s, head.n);
    return true;
}

bool str_drop_end(struct str *s, struct str end)
{
    if (!str_ends(*s, end))
        return false;
    s->n -= end.n;
    return true;
}

struct str str_trim(struct str s)
{
    while (s.n && is_space(s.p[0])) {
        s.p++;
        s.n--;
    }
    while (s.n && is_space(s.p[s.n - 1]))
        s.n--;
    return s;
}

struct str str_trim_wide(struct str s)
{
    do
        s = str_trim(s);
    while (str_drop(&s, STR("\u3000")) || str_drop_end(&s, STR("\u3000")));
    return s;
}

struct str str_from(struct str s, size_t at)
{
    if (at > s.n)
        at = s.n;
    return (struct str){s.n ? s.p + at : s.p, s.n - at};
}

struct str str_unmarked(struct str s)
{
    return str_starts(s, STR("\xEF\xBB\xBF")) ? str_from(s, 3) : s;
}

size_t str_find(struct str s, struct str what)
{
    const char *hit;

    if (what.n == 0)
        return 0;
    if (s.n < what.n)
        return SIZE_MAX;
    hit = memmem(s.p, s.n, what.p, what.n);
    return hit ? (size_t)(hit - s.p) : SIZE_MAX;
}

size_t str_find_nocase(struct str s, struct str what)
{
    bool sign;

    if (what.n == 0)
        return 0;
    sign = (unsigned)(str_lower(what.p[0]) - 'a') >= 26;
    for (size_t i = 0; i + what.n <= s.n; i++) {
        /* Characters other than letters have no case: memchr() finds them, or that there is
         * none. */
        const char *hit = sign ? memchr(s.p + i, what.p[0], s.n - i) : s.p + i;
        if (!hit)
            break;
        i = (size_t)(hit - s.p);
        if (str_starts_nocase(str_from(s, i), what))
            return i;
    }
    return SIZE_MAX;
}

bool str_cut(struct str s, char sep, struct str *head, struct str *rest)
{
    const char *hit = s.n ? memchr(s.p, sep, s.n) : NULL;

    if (!hit)
        return false;
    *head = (struct str){s.p, (size_t)(hit - s.p)};
    *rest = str_from(s, head->n + 1);
    return true;
}

bool str_part(struct str *s, char sep, struct str *part)
{
    if (s->n == 0)
        return false;
    if (!str_cut(*s, sep, part, s)) {
        *part = *s;
        *s = str_from(*s, s->n);
    }
    return true;
}

bool str_line(struct str *s, struct str *line)
{
    if (!str_part(s, '\n', line))
        return false;
    if (line->n && line->p[line->n - 1] == '\r')
        line->n--;
    return true;
}

int str_hex(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool str_int(struct str s, int64_t *out)
{
    enum { DIGITS_MAX = 31 };
    bool less = s.n && s.p[0] == '-';
    size_t i = less || (s.n && s.p[0] == '+');
    int64_t v = 0;

    if (i == s.n || s.n > DIGITS_MAX)
        return false;
    for (; i < s.n; i++) {
        int digit = s.p[i] - '0';
        if (digit < 0 || digit > 9 || __builtin_mul_overflow(v, 10, &v) ||
            __builtin_add_overflow(v, less ? -digit : digit, &v))
            return false;
    }
    *out = v;
    return true;
}

/* Accepts only digits, point and exponent: strtod() alone would take "inf", "nan" and hex. The C
 * locale is a static object in glibc: newlocale() neither allocates nor needs freeing. */
bool str_double(struct str s, double *out)
{
    char shorter[64], *text = shorter, *end;
    double v;
    bool whole;

    for (size_t i = 0; i < s.n; i++)
        if (!isdigit((unsigned char)s.p[i]) && !memchr("+-.eE", s.p[i], 5))
            return false;
    if (s.n >= sizeof shorter)
        text = mem_new(s.n + 1);
    memcpy(text, s.p, s.n);
    text[s.n] = '\0';
    v = strtod_l(text, &end, newlocale(LC_ALL_MASK, "C", NULL));
    whole = s.n && end == text + s.n && isfinite(v);
    if (text != shorter)
        free(text);
    if (whole)
        *out = v;
    return whole;
}

const char *str_exact(char out[STR_EXACT], double v)
{
    bool plain = v == 0 || (fabs(v) >= 1e-4 && fabs(v) < 1e15); /* 10 and not 1e+01 */

    out[0] = '\0';
    for (int digits = 1; isfinite(v) && digits <= 17; digits++) {
        (void)snprintf(out, STR_EXACT, "%.*g", digits, v);
        if (strtod(out, NULL) == v && (!strchr(out, 'e') || !plain))
            break;
    }
    return out;
}

const char *str_bytes(char out[STR_BYTES], size_t n)
{
    if (n >= 1 << 20)
        (void)snprintf(out, STR_BYTES, "%zu MB", n >> 20);
    else if (n >= 1 << 10)
        (void)snprintf(out, STR_BYTES, "%zu kB", n >> 10);
    else
        (void)snprintf(out, STR_BYTES, "%zu bytes", n);
    return out;
}

void buf_done(struct buf *b)
{
    free(b->p);
    *b = (struct buf){.max = b->max};
}

void buf_clear(struct buf *b)
{
    b->n = 0;
    b->full = false;
    if (b->p)
        b->p[0] = '\0';
}

/* True if n more bytes and a NUL fit. */
static bool buf_room(struct buf *b, size_t n)
{
    enum { LEAST = 256 }; /* texts are built from small pieces: avoid growing for each */
    size_t want = b->n + n + 1;

    if (b->full || n > b->max || b->n > b->max - n) {
        b->full = true;
        return false;
    }
    if (want > b->cap)
        b->p = mem_grow(b->p, &b->cap, want < LEAST ? LEAST : want, 1);
    return true;
}

void buf_add(struct buf *b, struct str s)
{
    if (!buf_room(b, s.n))
        return;
    if (s.n)
        memcpy(b->p + b->n, s.p, s.n);
    b->n += s.n;
    b->p[b->n] = '\0';
}

void buf_text(struct buf *b, const char *cstr)
{
    buf_add(b, str_of(cstr));
}

void buf_char(struct buf *b, char c)
{
    if (!buf_room(b, 1))
        return;
    b->p[b->n++] = c;
    b->p[b->n] = '\0';
}

void buf_rune(struct buf *b, uint32_t rune)
{
    char c[4];
    size_t n = 0;

    if (rune < 0x80) {
        c[n++] = (char)rune;
    } else if (rune < 0x800) {
        c[n++] = (char)(0xC0 | (rune >> 6));
        c[n++] = (char)(0x80 | (rune & 0x3F));
    } else if (rune < 0x10000) {
        c[n++] = (char)(0xE0 | (rune >> 12));
        c[n++] = (char)(0x80 | ((rune >> 6) & 0x3F));
        c[n++] = (char)(0x80 | (rune & 0x3F));
    } else {
        c[n++] = (char)(0xF0 | (rune >> 18));
        c[n++] = (char)(0x80 | ((rune >> 12) & 0x3F));
        c[n++] = (char)(0x80 | ((rune >> 6) & 0x3F));
        c[n++] = (char)(0x80 | (rune & 0x3F));
    }
    buf_add(b, (struct str){c, n});
}

void buf_fmt(struct buf *b, const char *fmt, ...)
{
    va_list ap, again;
    int n;

    va_start(ap, fmt);
    va_copy(again, ap);
    n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    if (n > 0 && buf_room(b, (size_t)n)) {
        (void)vsnprintf(b->p + b->n, (size_t)n + 1, fmt, again);
        b->n += (size_t)n;
    }
    va_end(again);
}

struct str buf_str(const struct buf *b)
{
    return b->p ? (struct str){b->p, b->n} : (struct str){"", 0};
}

/* Length of the valid sequence at p, 0 if there is none. Overlong forms, surrogates and values
 * above U+10FFFF are invalid (RFC 3629). */
static size_t utf8_length(const unsigned char *p, size_t n)
{
    unsigned char lo = 0x80, hi = 0xBF;
    size_t len;

    if (p[0] < 0x80)
        return 1;
    if (p[0] < 0xC2 || p[0] > 0xF4)
        return 0;
    len = p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : 4;
    if (n < len)
        return 0;
    if (p[0] == 0xE0)
        lo = 0xA0;
    else if (p[0] == 0xED)
        hi = 0x9F;
    else if (p[0] == 0xF0)
        lo = 0x90;
    else if (p[0] == 0xF4)
        hi = 0x8F;
    if (p[1] < lo || p[1] > hi)
        return 0;
    for (size_t i = 2; i < len; i++)
        if ((p[i] & 0xC0) != 0x80)
            return 0;
    return len;
}

size_t utf8_ascii(struct str s)
{
    const uint64_t high = UINT64_C(0x8080808080808080);
    uint64_t word[4];
    size_t n = 0;

    for (; s.n - n >= sizeof word; n += sizeof word) {
        memcpy(word, s.p + n, sizeof word);
        if ((word[0] | word[1] | word[2] | word[3]) & high)
            break;
    }
    for (; s.n - n >= sizeof *word; n += sizeof *word) {
        memcpy(word, s.p + n, sizeof *word);
        if (*word & high)
            break;
    }
    return n;
}

size_t utf8_check(struct str s)
{
    size_t at = 0;

    while (at < s.n) {
        size_t len;
        at += utf8_ascii(str_from(s, at));
        if (at == s.n)
            break;
        len = utf8_length((const unsigned char *)s.p + at, s.n - at);
        if (len == 0)
            return at;
        at += len;
    }
    return at;
}

uint32_t utf8_next(struct str *s)
{
    const unsigned char *p = (const unsigned char *)s->p;
    size_t len = utf8_length(p, s->n);
    uint32_t rune = 0xFFFD;

    if (len == 1)
        rune = p[0];
    else if (len == 2)
        rune = (uint32_t)(p[0] & 0x1F) << 6 | (p[1] & 0x3F);
    else if (len == 3)
        rune = (uint32_t)(p[0] & 0x0F) << 12 | (uint32_t)(p[1] & 0x3F) << 6 | (p[2] & 0x3F);
    else if (len == 4)
        rune = (uint32_t)(p[0] & 0x07) << 18 | (uint32_t)(p[1] & 0x3F) << 12 |
               (uint32_t)(p[2] & 0x3F) << 6 | (p[3] & 0x3F);
    *s = str_from(*s, len ? len : 1);
    return rune;
}

size_t utf8_count(struct str s)
{
    size_t n = 0;

    for (size_t i = 0; i < s.n; i++)
        n += ((unsigned char)s.p[i] & 0xC0) != 0x80;
    return n;
}

struct str utf8_head(struct str s, size_t n)
{
    struct str rest = s;

    while (n-- && rest.n)
        (void)utf8_next(&rest);
    return (struct str){s.p, s.n - rest.n};
}
