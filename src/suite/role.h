/* role.h - a character's description for a given conversation. */
#ifndef SUITE_ROLE_H
#define SUITE_ROLE_H

#include "base/doc.h"
#include "suite/turn.h"
#include "suite/vocab.h"

/* The character's text with the lorebook entries that match the item's dialogue and prompt. Judges
 * and models see the same text. */
struct str role_text(struct arena *a, const struct character *who, const struct item *item);
/* Same, for a conversation in progress. */
struct str role_told(struct arena *a, const struct character *who, const struct turn_list *turns);

/* All members of a cast under their names, as for the item's prompt. */
struct str role_cast(struct arena *a, const struct suite *s, const struct item *item);

/* Reads a lorebook from a character file; NULL if n is NULL. Errors go to d. */
const struct card_book *role_lorebook(struct arena *a, const struct node *n, struct diags *d);

#endif
