/* style.h - what an answer looks like, in four numbers: how long it is, how much of it is action,
 * emoji, markup. Judges may like such things for their own sake; ratings can take them out.
 *
 * Text is valid UTF-8. Pure. */
#ifndef TEXT_STYLE_H
#define TEXT_STYLE_H

#include "base/str.h"

enum style_feature {
    STYLE_LENGTH, /* code points */
    STYLE_ACTION, /* share of them, 0 to 1, between *…*, ＊…＊ or （…） on one line */
    STYLE_EMOJI, /* pictures as a reader counts them: a flag or a family is one; ♪ and ♡ are none */
    STYLE_MARKUP, /* headings, list items and **bold** parts */
    STYLE_FEATURES,
};

struct style {
    double v[STYLE_FEATURES];
};

struct style style_of(struct str text);

const char *style_name(enum style_feature f); /* "length" */

#endif
