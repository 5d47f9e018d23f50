/* identity.h - does an answer give away that a program wrote it, or which one.
 *
 * There are two kinds of leaks: to speak of oneself as an AI ("as a language model", 我是AI,
 * AIとして), and to name models or their makers. Neither is a leak if the role card says the same,
 * nor is a name that the other side has just used. Denials ("I am no AI") and questions ("Do I look
 * as if I were an AI?") are no leaks. The word lists of all languages are used together: models
 * fall out of their role in English too. Works on folded runes (text/fold.h). Pure. */
#ifndef TEXT_IDENTITY_H
#define TEXT_IDENTITY_H

#include "text/fold.h"

struct identity; /* the words, folded, in the arena given to identity_new() */

/* Names to look for besides the built-in words, and built-in words to leave alone. */
struct identity_words {
    const struct str *also, *except;
    size_t nalso, nexcept;
};

struct identity *identity_new(struct arena *a, const struct identity_words *words);

struct identity_text {
    struct str text;
    struct runes folded; /* fold_text() of it */
    struct runes card;   /* folded: who is played */
    struct runes said;   /* folded: what the other side has said */
};

struct identity_fault {
    const char *why; /* NULL: none. "self", "name" */
    struct str part; /* of the text */
};

struct identity_fault identity_find(const struct identity *id, const struct identity_text *t);

#endif
