/* shape_help.h - what the keys of a file mean: from its tables and the words in share/keys.
 *
 * The same two make what `audition help suite` says, the key lists of the documentation and the
 * JSON Schema for editors, so that none of them can lag behind. */
#ifndef SUITE_SHAPE_HELP_H
#define SUITE_SHAPE_HELP_H

#include "suite/shape.h"

enum { SHAPE_SECTIONS = 64 };

/* A kind of file: its tables, each once, and its words. */
struct shape_book {
    const char *name; /* "suite" */
    const struct shape *section[SHAPE_SECTIONS];
    size_t n;
    const struct node *words;
};

/* The words of share/keys/NAME.yaml, which are the program's own: faults in them are a defect. */
void shape_help_open(struct arena *a, const char *name, const struct shape *root,
                     struct shape_book *out);

/* What a key means, in a language; of a section as a whole with the key "all". NULL: no word. */
const char *shape_help_text(struct arena *a, const struct shape_book *b, const struct shape *s,
                            const char *key, const char *language);
/* What it is by default, as one would write it; "" when nothing simple can be said. */
const char *shape_help_default(struct arena *a, const struct shape_key *k);
/* What it may be: "1..1000", "higher, lower"; "" when its meaning says it. */
const char *shape_help_range(struct arena *a, const struct shape_key *k);

/* Tables of every section, in Markdown, each below a line "### NAME". */
void shape_help_markdown(struct arena *a, const struct shape_book *b, struct buf *out);
/* The JSON Schema (2020-12). */
json_t *shape_help_schema(struct arena *a, const struct shape_book *b);

#endif
