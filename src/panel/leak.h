/* leak.h - does a text tell who wrote it?
 *
 * Looked for before a rater ever sees it: words of a program about itself, names of models (those
 * of the run too), what is no text at all, such as an error message, and what was cut off. Lives in
 * the arena. */
#ifndef PANEL_LEAK_H
#define PANEL_LEAK_H

#include "store/store_read.h"
#include "suite/vocab.h"

struct leak;

struct leak *leak_new(struct arena *a, const struct suite *suite, const struct party_list *models);

struct leak_found {
    const char *why;  /* NULL: nothing. "self", "name", "malformed", "truncated" */
    struct str words; /* in the answer */
};
CHECKED enum status leak_find(struct leak *l, const struct sample_row *row, struct leak_found *out,
                              struct err *e);

/* The same for a text that is not an answer of the store; the words are in it. */
struct leak_found leak_look(struct arena *a, const struct leak *l, const struct item *item,
                            struct str text);
/* The text with everything that tells who speaks replaced by black bars. */
struct str leak_blot(struct arena *a, const struct leak *l, const struct item *item,
                     struct str text);

#endif
