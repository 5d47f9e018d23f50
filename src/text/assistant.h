/* assistant.h - phrases by which a helper at a desk speaks instead of a character.
 *
 * Two kinds: to offer or close a service ("is there anything else I can help you with"), and to
 * refuse as services do ("I'm sorry, but I can't assist with that"). A character who will not tell
 * says so in words of his own, which are not among them. The phrases of all languages are looked
 * for together. Works on folded runes (text/fold.h). Pure. */
#ifndef TEXT_ASSISTANT_H
#define TEXT_ASSISTANT_H

#include "text/fold.h"

struct assistant; /* the phrases, folded, in the arena given to assistant_new() */

struct assistant *assistant_new(struct arena *a);

/* The first phrase of a kind in the text; empty when there is none. */
struct str assistant_serves(const struct assistant *p, struct str text, struct runes folded);
struct str assistant_refuses(const struct assistant *p, struct str text, struct runes folded);

#endif
