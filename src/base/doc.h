/* doc.h - documents that people write: YAML and JSON as one kind of tree with places (node.h).
 *
 * Trees live in the arena, including their texts; places point to the source. */
#ifndef BASE_DOC_H
#define BASE_DOC_H

#include "base/json.h"
#include "base/node.h"

enum { DOC_MAX = 8 << 20 }; /* bytes of a document */

/* Parses a YAML (or JSON) document. Faults are added to d; NULL if there is no usable tree.
 * Duplicate keys, aliases, anchors, tags, directives, multiple documents, control characters and
 * invalid UTF-8 are faults; depth, size and number of nodes are limited. */
struct node *doc_parse(struct arena *a, const struct source *source, struct diags *d);

/* Reads and parses a file. If it cannot be read, that is a fault at `from`, where the file is
 * named. */
struct node *doc_load(struct arena *a, const char *path, struct place from, struct diags *d);

/* The same for an embedded file; NULL without a fault if there is none. */
struct node *doc_built_in(struct arena *a, const char *name, struct diags *d);

/* Converts to JSON: maps, lists and strings; unquoted true, false, null and numbers get their
 * types. */
json_t *doc_to_json(const struct node *n);

/* Appends a JSON value as readable YAML: texts of several lines as blocks, others quoted.
 * doc_parse() reads it back unchanged if its texts have no control characters. */
void doc_write(struct buf *out, json_t *j);

#endif
