/* tag.h - what an item is about, in the notation of published test sets: "<kind: topic>".
 *
 * The brackets are optional, the colon may be ASCII or full-width, and every part may have spaces
 * around it, full-width ones included. */
#ifndef SUITE_TAG_H
#define SUITE_TAG_H

#include "suite/vocab.h"

struct tag {
    struct str kind;
    struct str topic; /* empty if there is no colon */
};

/* The result points into text. */
struct tag tag_read(struct str text);

/* A member of the item by name: NULL, or an empty text, if it has none. */
const struct item_var *tag_var(const struct item *item, struct str name);
struct str tag_member(const struct item *item, const char *name);

/* The system message for this item: that of its tag's kind, else the default, else NULL. */
const struct str *tag_system(const struct elicit *e, const struct item *item);

#endif
