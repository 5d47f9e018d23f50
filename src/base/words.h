/* words.h - texts of pages and reports, in the languages of the program.
 *
 * The texts are share/words/{en,zh,ja}, embedded; gen/words.h is an enum of their keys. Pages
 * choose the language for each request, reports for each suite. Pure. */
#ifndef BASE_WORDS_H
#define BASE_WORDS_H

#include "base/message.h"
#include "gen/words.h"

struct words_entry {
    const char *key, *text[LANGUAGES];
};
extern const struct words_entry words_table[WORDS];

const char *words_of(const char *language, enum word w);
/* The text of PREFIX_NAME, as in ("FLAG_", "training-near"); NULL if there is none. */
const char *words_find(const char *language, const char *prefix, const char *name);

/* A text, in arena a, with `value` in place of its first %s. */
const char *words_fill(struct arena *a, const char *text, const char *value);
const char *words_with(struct arena *a, const char *language, enum word w, const char *value);
/* The same with two values; the first may contain %s itself. */
const char *words_two(struct arena *a, const char *language, enum word w, const char *first,
                      const char *second);

#endif
