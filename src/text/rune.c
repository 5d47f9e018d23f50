#include "text/rune.h"

#include <stdlib.h>

#include <assert.h>
#include <utf8proc.h>

enum { REPLACEMENT = 0xFFFD };

int rune_width(uint32_t r)
{
    int width = utf8proc_charwidth((utf8proc_int32_t)r);

    return width < 0 ? 0 : width > 2 ? 2 : width;
}

bool rune_is_cjk(uint32_t r)
{
    static const struct {
        uint32_t first, last;
    } ranges[] = {
        {0x1100, 0x11FF},   /* hangul jamo */
        {0x2E80, 0x2FDF},   /* radicals */
        {0x3005, 0x3007},   /* iteration mark, closing mark, ideographic zero */
        {0x3041, 0x312F},   /* kana, bopomofo */
        {0x3131, 0x318E},   /* compatibility jamo */
        {0x31A0, 0x31BF},   /* bopomofo extended */
        {0x31F0, 0x31FF},   /* small katakana */
        {0x3400, 0x4DBF},   /* ideographs, extension A */
        {0x4E00, 0x9FFF},   /* ideographs */
        {0xAC00, 0xD7A3},   /* hangul syllables */
        {0xF900, 0xFAFF},   /* compatibility ideographs */
        {0xFF66, 0xFF9F},   /* half-width katakana */
        {0x1B000, 0x1B16F}, /* kana supplement */
        {0x20000, 0x3FFFD}, /* ideographs, extensions B and later */
    };

    for (size_t i = 0; i < COUNT(ranges) && r >= ranges[i].first; i++)
        if (r <= ranges[i].last)
            return true;
    return false;
}

bool rune_is_space(uint32_t r)
{
    if (r < 0x80)
        return r == ' ' || (r >= '\t' && r <= '\r');
    return utf8proc_category_string((utf8proc_int32_t)r)[0] == 'Z';
}

bool rune_is_sign(uint32_t r)
{
    char major;

    if (r < 0x80)
        return r != ' ' && !(r >= '0' && r <= '9') && !((r | 0x20) >= 'a' && (r | 0x20) <= 'z');
    major = utf8proc_category_string((utf8proc_int32_t)r)[0];
    return major == 'P' || major == 'S' || major == 'C';
}

size_t rune_columns(struct str s)
{
    size_t columns = 0;

    while (s.n)
        columns += (size_t)rune_width(utf8_next(&s));
    return columns;
}

int rune_gap(const char *text, size_t columns)
{
    size_t taken = rune_columns(str_of(text));

    return taken < columns ? (int)(columns - taken) : 0;
}

size_t rune_cluster(struct str s)
{
    struct str rest = s;
    utf8proc_int32_t state = 0, last, next;
    size_t end;

    if (s.n == 0)
        return 0;
    last = (utf8proc_int32_t)utf8_next(&rest);
    for (end = s.n - rest.n; rest.n; end = s.n - rest.n, last = next) {
        next = (utf8proc_int32_t)utf8_next(&rest);
        if (utf8proc_grapheme_break_stateful(last, next, &state))
            break;
    }
    return end;
}

struct runes rune_decode(struct arena *a, struct str s)
{
    uint32_t *p = NEW_N(a, uint32_t, s.n), *at = NEW_N(a, uint32_t, s.n);
    struct str rest = s;
    size_t n = 0;

    assert(s.n < UINT32_MAX);
    while (rest.n) {
        at[n] = (uint32_t)(s.n - rest.n);
        p[n++] = utf8_next(&rest);
    }
    return (struct runes){p, at, n};
}

/* s with a '?' for every byte that utf8proc would refuse; offsets stay as they are. */
static struct str valid(struct arena *a, struct str s)
{
    size_t bad = utf8_check(s);
    char *copy;

    if (bad == s.n)
        return s;
    copy = arena_alloc(a, s.n + 1);
    memcpy(copy, s.p, s.n);
    for (; bad < s.n; bad += utf8_check(str_from((struct str){copy, s.n}, bad)))
        copy[bad] = '?';
    return (struct str){copy, s.n};
}

/* True for an ASCII character that another one follows: it is a cluster, and normal but for its
 * case. False for CR, which forms a cluster with an LF after it. */
static bool is_plain(struct str s)
{
    unsigned char here = (unsigned char)s.p[0], next = s.n > 1 ? (unsigned char)s.p[1] : 0;

    return here < 0x80 && next < 0x80 && here != '\r';
}

static bool is_ascii(struct str s)
{
    unsigned char all = 0;

    for (size_t i = 0; i < s.n; i++)
        all |= (unsigned char)s.p[i];
    return all < 0x80;
}

/* One cluster at a time, because utf8proc keeps no offsets. Nothing composes across the border
 * of an extended grapheme cluster, so that the result is that of the whole text. */
struct runes rune_normal(struct arena *a, struct str s)
{
    const utf8proc_option_t how =
        UTF8PROC_STABLE | UTF8PROC_COMPAT | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD | UTF8PROC_IGNORE;
    struct str rest = valid(a, s);
    utf8proc_ssize_t room = is_ascii(rest)
                                ? (utf8proc_ssize_t)rest.n
                                : utf8proc_decompose((const utf8proc_uint8_t *)rest.p,
                                                     (utf8proc_ssize_t)rest.n, NULL, 0, how);
    utf8proc_int32_t *p;
    uint32_t *at;
    size_t n = 0;

    assert(s.n < UINT32_MAX && room >= 0);
    /* One more than is needed: utf8proc_decompose() with no room at all only counts. */
    p = NEW_N(a, utf8proc_int32_t, (size_t)room + 1);
    at = NEW_N(a, uint32_t, (size_t)room + 1);
    while (rest.n) {
        size_t bytes, begin = n;
        utf8proc_ssize_t made;
        if (is_plain(rest)) {
            bool capital = rest.p[0] >= 'A' && rest.p[0] <= 'Z';
            at[n] = (uint32_t)(s.n - rest.n);
            p[n++] = rest.p[0] + (capital ? 'a' - 'A' : 0);
            rest = str_from(rest, 1);
            continue;
        }
        bytes = rune_cluster(rest);
        made = utf8proc_decompose((const utf8proc_uint8_t *)rest.p, (utf8proc_ssize_t)bytes, p + n,
                                  room + 1 - (utf8proc_ssize_t)n, how);
        assert(made >= 0);
        n += (size_t)utf8proc_normalize_utf32(p + n, made, how);
        for (size_t i = begin; i < n; i++)
            at[i] = (uint32_t)(s.n - rest.n);
        rest = str_from(rest, bytes);
    }
    return (struct runes){(const uint32_t *)p, at, n};
}

static bool is_bidi_control(uint32_t r)
{
    return r == 0x061C || r == 0x200E || r == 0x200F || (r >= 0x202A && r <= 0x202E) ||
           (r >= 0x2066 && r <= 0x2069);
}

static bool is_control(uint32_t r)
{
    return (r < 0x20 && r != '\n' && r != '\t') || (r >= 0x7F && r <= 0x9F);
}

struct str rune_clean(struct arena *a, struct str s)
{
    static const char replacement[] = "\xEF\xBF\xBD";
    char *out = arena_array(a, s.n + 1, 3); /* a control of one byte becomes three */
    struct str rest = s;
    size_t n = 0;

    while (rest.n) {
        struct str here = rest;
        uint32_t r = utf8_next(&rest);
        here.n -= rest.n;
        if (is_bidi_control(r) || (r == '\r' && rest.n && rest.p[0] == '\n'))
            continue;
        if (is_control(r) || r == REPLACEMENT)
            here = (struct str){replacement, 3};
        memcpy(out + n, here.p, here.n);
        n += here.n;
    }
    return (struct str){out, n};
}

struct str rune_composed(struct arena *a, struct str s)
{
    utf8proc_uint8_t *out = NULL;
    utf8proc_ssize_t n = utf8proc_map((const utf8proc_uint8_t *)s.p, (utf8proc_ssize_t)s.n, &out,
                                      UTF8PROC_STABLE | UTF8PROC_COMPOSE);
    struct str composed = n > 0 ? arena_str(a, (struct str){(const char *)out, (size_t)n}) : s;

    free(out);
    return composed;
}
