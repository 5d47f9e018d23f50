/* word.h - words in folded texts (text/fold.h). A word of Latin letters is whole: none of its
 * neighbours is a letter. Languages without spaces have no such borders. Pure. */
#ifndef TEXT_WORD_H
#define TEXT_WORD_H

#include "text/fold.h"

bool word_is_latin(uint32_t r);

/* Runes of the word when it stands at t[at], else 0. */
size_t word_at(struct runes t, size_t at, struct runes word);
bool word_in(struct runes t, struct runes word);

/* Where a word that somebody listed stands in the text; empty when it does not. More careful with
 * numbers (26 is not in 1826) and less with plurals (telephones are telephones). */
struct str word_find(struct str text, struct runes folded, struct runes word);
/* The first of n such words that stands in it, as it stands there. */
struct str word_first(struct arena *a, struct str text, const struct str *words, size_t n);

#endif
