/* doc.h - documents that people write: YAML and JSON as one tree with places (node.h).
 *
 * Trees live in the arena, text included; marks point to the source. */
#ifndef BASE_DOC_H
#define BASE_DOC_H

#include "base/json.h"
#include "base/node.h"

/* Parse a YAML (or JSON) document. Faults go to d; NULL when there is no tree to look at.
 * Duplicate keys, aliases, anchors, tags, directives, several documents, control characters and
 * invalid UTF-8 are faults; depth, size and number of nodes have limits. */
struct node *doc_parse(struct arena *a, const struct source *source, struct diags *d);

/* Read the file and parse it. An unreadable file is a fault at `from` (where it was named). */
struct node *doc_load(struct arena *a, const char *path, struct place from, struct diags *d);

/* The same of a file inside the program; NULL without a fault when there is none. */
struct node *doc_built_in(struct arena *a, const char *name, struct diags *d);

/* As JSON: maps, lists and strings; unquoted true, false, null and numbers get their type. */
json_t *doc_to_json(const struct node *n);

/* Append a JSON value as YAML for people: texts of several lines as blocks, the rest quoted.
 * doc_parse() reads it back as the same, given texts without control characters. */
void doc_write(struct buf *out, json_t *j);

#endif
