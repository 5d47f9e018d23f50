/* leak.h - does a text reveal its author?
 *
 * Checked before any rater sees it: statements of a program about itself, names of models
 * (including those of the run), text that is no answer, such as an error message, and truncated
 * text. Lives in the arena. */
#ifndef PANEL_LEAK_H
#define PANEL_LEAK_H

#include "store/store_read.h"
#include "suite/vocab.h"

struct leak;

struct leak *leak_new(struct arena *a, const struct suite *suite, const struct party_list *models);

struct leak_found {
    const char *why;  /* NULL: nothing found. "self", "name", "malformed", "truncated" */
    struct str words; /* part of the answer */
};
CHECKED enum status leak_find(struct leak *l, const struct sample_row *row, struct leak_found *out,
                              struct err *e);

/* The same for a text that is not a stored answer; the words are part of it. */
struct leak_found leak_look(struct arena *a, const struct leak *l, const struct item *item,
                            struct str text);
/* The text with everything that identifies the speaker replaced by black bars. */
struct str leak_blot(struct arena *a, const struct leak *l, const struct item *item,
                     struct str text);

#endif
