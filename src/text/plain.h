/* plain.h - what in an answer is more than plain text, and what is no text at all.
 *
 * What role-play writes as a matter of course is plain: *actions*, （动作）, emoji, quotes, 「…」,
 * a scene break of dashes, **stress**. Each finding names its reason with one word and points at
 * the part of the text that gave it. Text is valid UTF-8. Pure. */
#ifndef TEXT_PLAIN_H
#define TEXT_PLAIN_H

#include "base/str.h"

struct plain_fault {
    const char *why; /* NULL: nothing was found */
    struct str part; /* of the text */
};

/* Added structure: "tag", "label" (Reply:), "class" (the answer sorts itself: Category:, [情绪:
 * …]), "heading", "list", "table", "fence", "json". The first line that has any. */
struct plain_fault plain_markup(struct str text);

/* Broken output: "replacement" (U+FFFD), "control" characters, "repetition" without end,
 * "signs" alone (but not the silence of "……" or "？！"), "unclosed" JSON, fence or tag. */
struct plain_fault plain_malformed(struct str text);

/* The text stops in the middle: behind a comma or an opening bracket ("cut"). */
struct plain_fault plain_cut(struct str text);

/* The text ends as speech ends: with a full stop, a closing quote or the like. */
bool plain_ended(struct str text);

#endif
