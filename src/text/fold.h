/* fold.h - texts without differences in how they are written, for comparison.
 *
 * Two answers that differ only in punctuation, width, case, kana or drawn-out vowels fold to the
 * same runes. The rules, as in docs/STATISTICS: NFKC, case folding, katakana as hiragana; no
 * punctuation, symbols, controls or long-vowel marks; spaces collapsed, and none beside CJK; runs
 * of more than two equal runes cut to two. A text of signs alone ("……") keeps them: otherwise all
 * such texts would be equal. Results live in the arena. Pure. */
#ifndef TEXT_FOLD_H
#define TEXT_FOLD_H

#include "text/rune.h"

struct runes fold_text(struct arena *a, struct str s);

/* Like fold_text(), also without the particles that end a clause and carry only its tone (zh 呀 啊
 * 呢 …, ja ね よ です …). A clause that consists of them keeps them. For comparing texts folded in
 * the same way, not for display. */
struct runes fold_particles(struct arena *a, struct str s);

/* Both, with a single normalisation. */
struct folded {
    struct runes text, bare; /* fold_text(), fold_particles() */
};
struct folded fold_both(struct arena *a, struct str s);

/* The part of `text` from which `count` > 0 folded runes, beginning with index `first`, were
 * made. */
struct str fold_source(struct str text, struct runes folded, size_t first, size_t count);

bool fold_equal(struct runes a, struct runes b);

#endif
