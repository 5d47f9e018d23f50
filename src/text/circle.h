/* circle.h - does a text go round in circles: the same words again and again.
 *
 * Counted are stretches of 4 runes in CJK texts, of 12 otherwise, in the folded text
 * (text/fold.h). A text goes round when half of its stretches stood in it before and one of them
 * stands four times: a refrain is sung three times, and then the song goes on. Laughter and
 * stammering ("no, no, no", 哈哈, ケロケロ) count for nothing, and neither does a text that is
 * hardly longer than a cheer. Pure. */
#ifndef TEXT_CIRCLE_H
#define TEXT_CIRCLE_H

#include "text/rune.h"

struct circle {
    double share;    /* of the stretches that stood in the text before; 0: it does not go round */
    size_t first, n; /* folded runes of one round: the words that come back most often */
};

struct circle circle_find(struct arena *scratch, struct runes folded);

#endif
