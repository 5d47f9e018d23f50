/* card_key.h - matching lorebook keys against texts. Part of card.h, see there. */
#ifndef SUITE_CARD_KEY_H
#define SUITE_CARD_KEY_H

#include "suite/card.h"
#include "text/rune.h"

/* A text to scan. */
struct card_text {
    struct str text;
    struct runes normal; /* case and width folded */
};

struct card_text card_text_of(struct arena *a, struct str text);

/* True if any key occurs in any of the n texts, matched as the entry asks: as a regular expression,
 * literally, or ignoring case and width. `scratch` is reset for each key: a book may have more of
 * them than there is room for at once. */
bool card_key_any(struct arena *scratch, const struct card_entry *entry, struct card_list keys,
                  const struct card_text *texts, size_t n);

/* Why a key is not a valid regular expression; NULL if it is. */
const char *card_key_fault(struct arena *a, struct str key);

#endif
