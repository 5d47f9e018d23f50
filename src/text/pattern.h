/* pattern.h - regular expressions from outside (PCRE2), within limits.
 *
 * Matched by code points, whatever the locale of the process. A pattern that takes too many steps
 * on a text is given up with a reason: what it costs is bounded, not what it may say. Safe from any
 * thread. */
#ifndef TEXT_PATTERN_H
#define TEXT_PATTERN_H

#include "base/mem.h"

enum { PATTERN_MAX = 1000, PATTERN_TEXT_MAX = 1 << 16 }; /* bytes */

enum pattern_flag {
    PATTERN_ANY_CASE = 1,
    PATTERN_LINES = 2,   /* ^ and $ are also the ends of lines */
    PATTERN_DOT_ALL = 4, /* . is also the end of a line */
    PATTERN_BROWSER =
        8, /* as JavaScript reads it: \w, \d, \b know ASCII alone; \u00e9; [] is empty */
};

struct pattern {
    struct str text;
    unsigned flags;
};

/* Searches the first PATTERN_TEXT_MAX bytes of the text. *match is a view into text if *found.
 * Returns NULL, or why the pattern cannot be used; that text lives in the arena. */
const char *pattern_search(struct arena *a, struct pattern pattern, struct str text, bool *found,
                           struct str *match);

#endif
