/* circle.h - does a text go in circles: the same words again and again.
 *
 * Counts stretches of 4 runes in CJK texts, of 12 in others, of the folded text (text/fold.h). A
 * text goes in circles if half of its stretches occurred before and one of them occurs at least
 * four times: the refrain of a song may come three times. Laughter and stammering ("no, no, no",
 * 哈哈, ケロケロ) do not count, and very short texts are never judged. Pure. */
#ifndef TEXT_CIRCLE_H
#define TEXT_CIRCLE_H

#include "text/rune.h"

struct circle {
    double share;    /* of stretches that occurred before; 0: the text does not go in circles */
    size_t first, n; /* one round in the folded runes: the most frequent words */
};

struct circle circle_find(struct arena *scratch, struct runes folded);

#endif
