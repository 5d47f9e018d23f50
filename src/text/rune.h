/* rune.h - Unicode: what a code point is, and texts as arrays of code points.
 *
 * The only door to utf8proc. A rune is one code point. Text inside the program is valid
 * UTF-8; a byte that is not is read as one sign and never trusted. Everything made here
 * lives in the arena that was passed. Pure; safe from any thread. */
#ifndef TEXT_RUNE_H
#define TEXT_RUNE_H

#include "base/mem.h"

/* Code points, and for each the byte of the source text where it began: evidence found
 * in a changed text can be shown in the original. Texts are shorter than 4 GiB. */
struct runes {
    const uint32_t *p;
    const uint32_t *at;
    size_t n;
};

int rune_width(uint32_t r);     /* terminal columns: 0, 1 or 2 */
bool rune_is_cjk(uint32_t r);   /* ideographs, kana, bopomofo, hangul: written without spaces */
bool rune_is_sign(uint32_t r);  /* punctuation, symbol, control (categories P, S, C) */
bool rune_is_space(uint32_t r); /* category Z and the ASCII white space */

static inline bool rune_among(uint32_t r, const uint32_t *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (v[i] == r)
            return true;
    return false;
}

struct str rune_composed(struct arena *a, struct str s); /* NFC (UAX 15) */
size_t rune_columns(struct str s);                       /* width of the text in terminal columns */
int rune_gap(const char *text, size_t columns);          /* spaces that pad it; for printf's %*s */
size_t rune_cluster(struct str s); /* bytes of the first grapheme cluster; 0 when s is empty */

struct runes rune_decode(struct arena *a, struct str s);
/* NFKC with full case folding (UAX 15); invisible code points such as variation selectors are
 * left out. `at` points to the grapheme cluster that a rune came from. */
struct runes rune_normal(struct arena *a, struct str s);

/* A copy of s, NUL-terminated, that is safe to show. Control characters except newline and tab
 * become U+FFFD, one each, so that an escape sequence is seen and not obeyed; CRLF becomes LF;
 * bidirectional controls, which would reorder what stands beside the text, are dropped. */
struct str rune_clean(struct arena *a, struct str s);

#endif
