/* str.h - text: views, bounded buffers to build it, UTF-8.
 *
 * struct str is a view: it owns nothing and need not end in NUL. struct buf owns its bytes, is
 * created with a maximum, and remembers if that was exceeded (`full`), so that a writer checks only
 * once, at the end. Text inside the program is valid UTF-8; it is checked where it enters. */
#ifndef BASE_STR_H
#define BASE_STR_H

#include "base/base.h"

struct str {
    const char *p;
    size_t n;
};

#define STR(literal) ((struct str){"" literal, sizeof(literal) - 1})
/* For printf("%.*s"). */
#define STR_ARG(s) (int)(s).n, (s).p ? (s).p : ""

/* NULL gives the empty view. These four are inline so that lengths of literals are computed at
 * compile time. */
static inline struct str str_of(const char *cstr)
{
    return cstr ? (struct str){cstr, strlen(cstr)} : (struct str){"", 0};
}
static inline bool str_eq(struct str a, struct str b)
{
    return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}
static inline bool str_is(struct str a, const char *cstr)
{
    return str_eq(a, str_of(cstr));
}
static inline bool str_starts(struct str s, struct str with) /* usually the first byte decides */
{
    return s.n >= with.n &&
           (with.n == 0 || (s.p[0] == with.p[0] && memcmp(s.p, with.p, with.n) == 0));
}
/* ..._nocase: ignoring the case of ASCII letters. */
bool str_is_nocase(struct str a, const char *cstr);
bool str_eq_nocase(struct str a, struct str b);
/* Whether it has 1 to max bytes, none of them space or control characters: a name of something. */
bool str_is_word(struct str s, size_t max);
bool str_starts_nocase(struct str s, struct str with);
bool str_ends(struct str s, struct str with);
bool str_holds(struct str s, struct str what);
/* Whether the test is true for one of these words. The list ends with NULL. */
bool str_any(struct str s, bool (*test)(struct str s, struct str word), const char *const *words);
/* Whether it is not empty and consists of ASCII letters, digits and these characters. */
bool str_made_of(struct str s, const char *signs);
/* Removes it from the beginning or the end of *s; false if it is not there. */
bool str_drop(struct str *s, struct str head);
bool str_drop_end(struct str *s, struct str end);
struct str str_trim(struct str s); /* without ASCII white space at both ends */
/* ... and without U+3000, the space of Chinese and Japanese. */
struct str str_trim_wide(struct str s);
struct str str_from(struct str s, size_t at); /* the rest of s from byte `at` */
struct str str_unmarked(struct str s);        /* without a byte order mark at the beginning */
/* Byte offset of the first `what` in s, or SIZE_MAX. */
size_t str_find(struct str s, struct str what);
size_t str_find_nocase(struct str s, struct str what);
/* Splits at the first `sep` and sets *head and *rest; false if there is none. */
bool str_cut(struct str s, char sep, struct str *head, struct str *rest);
/* Removes the next part from *s, up to `sep` or the end; false if *s is empty. */
bool str_part(struct str *s, char sep, struct str *part);
/* Removes the next line from *s, without its LF or CRLF; false if *s is empty. */
bool str_line(struct str *s, struct str *line);
/* ASCII letters in lower case; other characters unchanged. */
static inline char str_lower(char c)
{
    if (c >= 'A' && c <= 'Z')
        c = (char)(c - 'A' + 'a');
    return c;
}
static inline bool str_alnum(char c) /* an ASCII letter or digit */
{
    return (str_lower(c) >= 'a' && str_lower(c) <= 'z') || (c >= '0' && c <= '9');
}
int str_hex(char c); /* value of a hexadecimal digit; -1: it is none */
/* Whether all of s is a number. */
bool str_int(struct str s, int64_t *out);
bool str_double(struct str s, double *out); /* finite, decimal point, any locale */

struct buf {
    char *p; /* NUL-terminated whenever it is not NULL */
    size_t n, cap, max;
    bool full; /* something did not fit and was dropped */
};

#define BUF_MAX(limit)                                                                             \
    {                                                                                              \
        .max = (limit)                                                                             \
    }

void buf_done(struct buf *b);
void buf_clear(struct buf *b); /* keeps the memory */
void buf_add(struct buf *b, struct str s);
void buf_text(struct buf *b, const char *cstr);
void buf_char(struct buf *b, char c);
void buf_rune(struct buf *b, uint32_t rune); /* as UTF-8 */
void buf_fmt(struct buf *b, const char *fmt, ...) PRINTF(2, 3);
struct str buf_str(const struct buf *b);

/* The shortest decimal text that reads back as the same number; "" when undefined. Returns out. */
enum { STR_EXACT = 32 };
const char *str_exact(char out[STR_EXACT], double v);
/* "8 MB", "64 kB", "500 bytes": a limit in words. Returns `out`. */
enum { STR_BYTES = 32 };
const char *str_bytes(char out[STR_BYTES], size_t n);

/* Number of ASCII bytes at the beginning, in steps of eight: fast, but not exact. */
size_t utf8_ascii(struct str s);
/* Offset of the first byte that is not valid UTF-8, or s.n if there is none. */
size_t utf8_check(struct str s);
/* Decodes one code point and advances *s. For invalid UTF-8 it returns U+FFFD and advances. *s must
 * not be empty. */
uint32_t utf8_next(struct str *s);
size_t utf8_count(struct str s); /* code points */
/* The longest prefix of at most n code points. */
struct str utf8_head(struct str s, size_t n);

#endif
