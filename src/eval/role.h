/* role.h - a character's description as the conversation at hand calls for it. */
#ifndef EVAL_ROLE_H
#define EVAL_ROLE_H

#include "base/mem.h"
#include "eval/vocab.h"

/* The text of the card, with the entries of its lorebook that the item's dialogue and prompt call
 * for. Judges are shown the same as models. */
struct str role_text(struct arena *a, const struct character *who, const struct item *item);

#endif
