/* card_key.h - does a key of a lorebook occur in a text? Part of card.h, see there. */
#ifndef SUITE_CARD_KEY_H
#define SUITE_CARD_KEY_H

#include "suite/card.h"
#include "text/rune.h"

/* A text that is scanned. */
struct card_text {
    struct str text;
    struct runes normal; /* without case and width */
};

struct card_text card_text_of(struct arena *a, struct str text);

/* Any of the keys occurs in any of the n texts, in the way that the entry asks for: as a pattern,
 * as it is written, or whatever its case and width. */
bool card_key_any(struct arena *a, const struct card_entry *entry, struct card_list keys,
                  const struct card_text *texts, size_t n);

/* Why a key cannot be used as a pattern; NULL: it can. */
const char *card_key_fault(struct arena *a, struct str key);

#endif
