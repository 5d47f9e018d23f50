/* choice.h - which option of a multiple-choice question an answer states. Sure or silent.
 *
 * Options are A to J, of any width. Understood are an answer that is the letter alone ("b", "(C)",
 * "**D**."), a statement ("The answer is B", "答案是Ｂ", "正解はC"), and, where nothing is stated,
 * a letter that heads a line ("C. Paris") or stands in brackets. Two different letters, and a
 * letter that merely occurs ("Vitamin C"), are no choice. The arena is scratch. Pure. */
#ifndef TEXT_CHOICE_H
#define TEXT_CHOICE_H

#include "base/mem.h"

enum { CHOICE_NONE = 0, CHOICE_SEVERAL = -1 };

/* 'A' to 'J', or one of the above. */
int choice_read(struct arena *a, struct str text);

#endif
