/* tag.h - what an item is about, as the published test sets write it: "<kind: topic>".
 *
 * The brackets may be absent, the colon ASCII or full-width, and there may be space (full-width
 * space too) around every part. */
#ifndef SUITE_TAG_H
#define SUITE_TAG_H

#include "suite/vocab.h"

struct tag {
    struct str kind;
    struct str topic; /* empty when there is no colon */
};

/* Views into text. */
struct tag tag_read(struct str text);

/* A member of the item by name; NULL when it has none, or as a text that is empty then. */
const struct item_var *tag_var(const struct item *item, struct str name);
struct str tag_member(const struct item *item, const char *name);

/* The system message for this item: that of its tag's kind, else the default; NULL when there is
 * neither. */
const struct str *tag_system(const struct elicit *e, const struct item *item);

#endif
