/* choice.h - which option of a multiple-choice question an answer states. When in doubt, none.
 *
 * Options are A to J, of any width. Recognized are the letter alone ("b", "(C)", "**D**."), a
 * statement ("The answer is B", "答案是Ｂ", "正解はC") and, if there is no statement, a letter at
 * the start of a line ("C. Paris") or in brackets. Two different letters are not a choice, nor is a
 * letter that merely occurs ("Vitamin C"). The arena is scratch. Pure. */
#ifndef TEXT_CHOICE_H
#define TEXT_CHOICE_H

#include "base/mem.h"

enum { CHOICE_NONE = 0, CHOICE_SEVERAL = -1 };

/* 'A' to 'J', or one of the above. */
int choice_read(struct arena *a, struct str text);

#endif
