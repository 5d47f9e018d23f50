/* fold.h - what is left of a text when the ways to write it are taken away.
 *
 * Two answers that differ in punctuation, width, case, kana or drawn-out vowels fold to the
 * same runes. The default of docs/STATISTICS: NFKC, case folding, katakana as hiragana; no
 * punctuation, symbols, controls or long-vowel marks; spaces collapsed, and none beside CJK;
 * runs of more than two equal runes cut to two. A text of signs alone ("……") keeps them:
 * otherwise all such texts would be equal. Results live in the arena. Pure. */
#ifndef TEXT_FOLD_H
#define TEXT_FOLD_H

#include "text/rune.h"

struct runes fold_text(struct arena *a, struct str s);

/* As fold_text(), without the particles that end each clause and carry its tone only
 * (zh 呀 啊 呢 …, ja ね よ です …). A clause made of nothing else keeps them. Meant for equality
 * of two texts folded in the same way, not for display. */
struct runes fold_particles(struct arena *a, struct str s);

/* Both, for the price of one normalisation. */
struct folded {
    struct runes text, bare; /* fold_text(), fold_particles() */
};
struct folded fold_both(struct arena *a, struct str s);

/* The part of `text` that count > 0 folded runes from index `first` came from. */
struct str fold_source(struct str text, struct runes folded, size_t first, size_t count);

bool fold_equal(struct runes a, struct runes b);

#endif
