/* language.h - is a text in the language it should be in, by the scripts it is written with.
 *
 * Letters are counted by script: Han, kana, Hangul, Latin, Cyrillic, others; signs, digits and
 * emoji are nobody's. This tells Chinese, Japanese, Korean and alphabetic languages apart, but not
 * English from French. Pure. */
#ifndef TEXT_LANGUAGE_H
#define TEXT_LANGUAGE_H

#include "base/str.h"

enum { LANGUAGE_LETTERS_MIN = 4 }; /* shorter texts are never called foreign: "OK!" */

struct language_fault {
    const char *why; /* NULL: nothing to say. "script", "japanese" (in Chinese), "chinese" (in
                        Japanese) */
    double share;    /* of the language's own letters, in [0, 1] */
    struct str part; /* the longest stretch without them */
};

/* `language` is written as in suites: "zh", "ja-JP". There are no faults in unknown ones. In
 * Chinese, Japanese and Korean, a word of an alphabet counts as one letter: "我在用 Python" is
 * Chinese. */
struct language_fault language_find(struct str text, const char *language);
/* The one of "en", "zh" and "ja" that fits most letters; "en" if none fits. */
const char *language_guess(struct str text);

#endif
