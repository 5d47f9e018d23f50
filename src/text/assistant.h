/* assistant.h - finds phrases of a service desk in what a character should have said.
 *
 * There are two kinds: offers of help ("is there anything else I can help you with") and refusals
 * of the kind that AI services give ("I'm sorry, but I can't assist with that"). Words with which a
 * character might refuse are not listed. All languages are searched together. Works on folded runes
 * (text/fold.h). Pure. */
#ifndef TEXT_ASSISTANT_H
#define TEXT_ASSISTANT_H

#include "text/fold.h"

struct assistant; /* the phrases, folded, in the arena given to assistant_new() */

struct assistant *assistant_new(struct arena *a);

/* The first phrase of its kind in the text; empty if there is none. */
struct str assistant_serves(const struct assistant *p, struct str text, struct runes folded);
struct str assistant_refuses(const struct assistant *p, struct str text, struct runes folded);

#endif
