/* role.h - a character's description as the conversation at hand calls for it. */
#ifndef SUITE_ROLE_H
#define SUITE_ROLE_H

#include "base/doc.h"
#include "suite/turn.h"
#include "suite/vocab.h"

/* The text of the card, with the entries of its lorebook that the item's dialogue and prompt call
 * for. Judges are shown the same as models. */
struct str role_text(struct arena *a, const struct character *who, const struct item *item);
/* The same for a conversation that goes on. */
struct str role_told(struct arena *a, const struct character *who, const struct turn_list *turns);

/* A lorebook as character files have it; NULL when n is. Faults go to d. */
const struct card_book *role_lorebook(struct arena *a, const struct node *n, struct diags *d);

#endif
