/* pattern.h - POSIX extended regular expressions from outside, within limits.
 *
 * Matched by code points, whatever the locale of the process; `^` and `$` are also the ends of
 * lines. Back references and large nested repetitions are refused: what they cost cannot be
 * bounded. Safe from any thread. */
#ifndef TEXT_PATTERN_H
#define TEXT_PATTERN_H

#include "base/mem.h"

enum { PATTERN_MAX = 1000, PATTERN_TEXT_MAX = 1 << 16 }; /* bytes */

struct pattern {
    struct str text;
    bool any_case;
};

/* Does it occur in the text (the first PATTERN_TEXT_MAX bytes of it)? *match, where it does, is a
 * view into text. NULL, or why the pattern cannot be used; that text lives in the arena. */
const char *pattern_search(struct arena *a, struct pattern pattern, struct str text, bool *found,
                           struct str *match);

#endif
