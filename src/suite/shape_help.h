/* shape_help.h - documentation of the keys of a file, from its tables and the texts in share/keys.
 *
 * `audition help suite`, the key lists in the documentation and the JSON Schema for editors are all
 * generated from these, so none of them can become outdated. */
#ifndef SUITE_SHAPE_HELP_H
#define SUITE_SHAPE_HELP_H

#include "suite/shape.h"

enum { SHAPE_SECTIONS = 64 };

/* A kind of file: its tables, each once, and the texts that explain them. */
struct shape_book {
    const char *name; /* "suite" */
    const struct shape *section[SHAPE_SECTIONS];
    size_t n;
    const struct node *words;
};

/* Loads share/keys/NAME.yaml, which is built in. */
void shape_help_open(struct arena *a, const char *name, const struct shape *root,
                     struct shape_book *out);

/* The meaning of a key in a language; with the key "all", that of the whole section. NULL if there
 * is no text. */
const char *shape_help_text(struct arena *a, const struct shape_book *b, const struct shape *s,
                            const char *key, const char *language);
/* The default value as one would write it; "" if there is no simple one. */
const char *shape_help_default(struct arena *a, const struct shape_key *k);
/* The valid values: "1..1000", "higher, lower"; "" if only the description tells. */
const char *shape_help_range(struct arena *a, const struct shape_key *k);

/* Appends a Markdown table for each section below a line "### NAME". */
void shape_help_markdown(struct arena *a, const struct shape_book *b, struct buf *out);
/* The JSON Schema (2020-12). The caller owns the result. */
json_t *shape_help_schema(struct arena *a, const struct shape_book *b);

#endif
