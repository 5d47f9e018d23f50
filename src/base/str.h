/* str.h - text: views into it, bounded buffers to build it, UTF-8.
 *
 * struct str is a view: it owns nothing and need not end in NUL. struct buf owns
 * its bytes, must be given a maximum when it is made, and remembers that the
 * maximum was passed (`full`), so that a writer checks once, at the end.
 * Text inside the program is valid UTF-8; it is checked where it enters. */
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

/* NULL gives the empty view. These four are here so that the length of a literal is known when the
 * program is compiled. */
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
static inline bool str_starts(struct str s, struct str with) /* mostly the first byte tells */
{
    return s.n >= with.n &&
           (with.n == 0 || (s.p[0] == with.p[0] && memcmp(s.p, with.p, with.n) == 0));
}
/* ..._nocase: whatever the case of ASCII letters. */
bool str_is_nocase(struct str a, const char *cstr);
bool str_eq_nocase(struct str a, struct str b);
/* 1 to max bytes without spaces and control characters: a name of something. */
bool str_is_word(struct str s, size_t max);
bool str_starts_nocase(struct str s, struct str with);
bool str_ends(struct str s, struct str with);
bool str_holds(struct str s, struct str what);
/* Is it so of one of these words? The list ends with NULL. */
bool str_any(struct str s, bool (*test)(struct str s, struct str word), const char *const *words);
/* Are there bytes, all of them ASCII letters, digits or one of these signs? */
bool str_made_of(struct str s, const char *signs);
/* Take it off the head or the end of *s; false when it does not stand there. */
bool str_drop(struct str *s, struct str head);
bool str_drop_end(struct str *s, struct str end);
struct str str_trim(struct str s);            /* ASCII white space off both ends */
struct str str_trim_wide(struct str s);       /* ... and that of Chinese and Japanese, U+3000 */
struct str str_from(struct str s, size_t at); /* the rest of s from byte `at` */
struct str str_unmarked(struct str s);        /* without a byte order mark before it */
/* Byte offset of the first `what` in s, or SIZE_MAX. */
size_t str_find(struct str s, struct str what);
size_t str_find_nocase(struct str s, struct str what);
/* Split at the first `sep`: true and *head, *rest set; false when there is none. */
bool str_cut(struct str s, char sep, struct str *head, struct str *rest);
/* Take the next part off *s, up to `sep` or the end; false when *s is empty. */
bool str_part(struct str *s, char sep, struct str *part);
/* Take the next line off *s, without its LF or CRLF; false when *s is empty. */
bool str_line(struct str *s, struct str *line);
/* An ASCII letter as a small one; anything else as it is. */
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
int str_hex(char c); /* what a hexadecimal digit is worth; -1: it is none */
/* The whole of s is a number. */
bool str_int(struct str s, int64_t *out);
bool str_double(struct str s, double *out); /* finite, decimal point, any locale */

struct buf {
    char *p; /* NUL-terminated whenever it is not NULL */
    size_t n, cap, max;
    bool full; /* something did not fit and was left out */
};

#define BUF_MAX(limit)                                                                             \
    {                                                                                              \
        .max = (limit)                                                                             \
    }

void buf_done(struct buf *b);
void buf_clear(struct buf *b); /* empty it, keep the memory */
void buf_add(struct buf *b, struct str s);
void buf_text(struct buf *b, const char *cstr);
void buf_char(struct buf *b, char c);
void buf_rune(struct buf *b, uint32_t rune); /* as UTF-8 */
void buf_fmt(struct buf *b, const char *fmt, ...) PRINTF(2, 3);
struct str buf_str(const struct buf *b);

/* The shortest decimal text that reads back as the same number; "" when undefined. Returns out. */
enum { STR_EXACT = 32 };
const char *str_exact(char out[STR_EXACT], double v);
/* "8 MB", "64 kB", "500 bytes": a limit as people say it. Written to and returns `out`. */
enum { STR_BYTES = 32 };
const char *str_bytes(char out[STR_BYTES], size_t n);

/* Bytes from the beginning that are ASCII, in steps of eight: a quick look, not a full count. */
size_t utf8_ascii(struct str s);
/* First byte that is not part of valid UTF-8, or s.n when all of it is. */
size_t utf8_check(struct str s);
/* Decode one code point and advance *s. Undefined for invalid UTF-8 except that it
 * always advances; returns U+FFFD for what it cannot read. *s must not be empty. */
uint32_t utf8_next(struct str *s);
size_t utf8_count(struct str s); /* code points */
/* The longest prefix of at most n code points. */
struct str utf8_head(struct str s, size_t n);

#endif
