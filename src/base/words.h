/* words.h - what pages and reports say, in the languages the program speaks.
 *
 * The texts are share/words/{en,zh,ja}, embedded; gen/words.h makes one enum of their keys. Pages
 * choose the language with each request, reports with each suite. Pure. */
#ifndef BASE_WORDS_H
#define BASE_WORDS_H

#include "base/message.h"
#include "gen/words.h"

struct words_entry {
    const char *key, *text[LANGUAGES];
};
extern const struct words_entry words_table[WORDS];

const char *words_of(const char *language, enum word w);
/* The text of PREFIX_NAME, as ("FLAG_", "training-near"); NULL when there is none. */
const char *words_find(const char *language, const char *prefix, const char *name);

/* A text, in arena a, with `value` in place of its first %s. */
const char *words_fill(struct arena *a, const char *text, const char *value);
const char *words_with(struct arena *a, const char *language, enum word w, const char *value);
/* The same with two values; the first may hold a %s of its own. */
const char *words_two(struct arena *a, const char *language, enum word w, const char *first,
                      const char *second);

#endif
