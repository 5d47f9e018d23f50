/* word.h - words in folded texts (text/fold.h). Words of Latin letters are found only as whole
 * words; scripts without spaces have no such boundaries. Pure. */
#ifndef TEXT_WORD_H
#define TEXT_WORD_H

#include "text/fold.h"

bool word_is_latin(uint32_t r);

/* The length of the word if it stands at t[at], else 0. */
size_t word_at(struct runes t, size_t at, struct runes word);
bool word_in(struct runes t, struct runes word);

/* The first occurrence in the text of a word from somebody's list; empty if there is none. Stricter
 * with numbers (26 is not in 1826) and lenient with plurals (telephones match telephone). */
struct str word_find(struct str text, struct runes folded, struct runes word);
/* The occurrence of the first of n such words that the text contains. */
struct str word_first(struct arena *a, struct str text, const struct str *words, size_t n);

#endif
