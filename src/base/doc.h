/* doc.h - documents that people write: YAML and JSON as one tree with places.
 *
 * Scalars are text until somebody who knows the schema types them: `NO`, `on` and
 * `1.10` stay what was written. Every node remembers where it stood, so that a check far from the
 * parser can point at it. Trees live in the arena, text included; marks point to the source. */
#ifndef BASE_DOC_H
#define BASE_DOC_H

#include "base/diag.h"
#include "base/json.h"

enum node_kind { NODE_SCALAR, NODE_LIST, NODE_MAP };

struct node {
    enum node_kind kind;
    bool quoted;     /* scalar: written with quotes or as a block, so never null or a number */
    struct str text; /* scalar */
    struct place at;
    const struct node *key; /* member of a map: its key */
    struct node *first;     /* children of a list or map, in order */
    struct node *next;      /* sibling */
    size_t n;               /* number of children */
};

/* Parse a YAML (or JSON) document. Faults go to d; NULL when there is no tree to look at.
 * Duplicate keys, aliases, anchors, tags, directives, several documents, control characters and
 * invalid UTF-8 are faults; depth, size and number of nodes have limits. */
struct node *doc_parse(struct arena *a, const struct source *source, struct diags *d);

/* Read the file and parse it. An unreadable file is a fault at `from` (where it was named). */
struct node *doc_load(struct arena *a, const char *path, struct place from, struct diags *d);

/* The same tree from a JSON value; all marks are `at`. Fast, for data files. */
struct node *doc_from_json(struct arena *a, const json_t *j, struct place at);
/* The other way: maps, lists and strings; unquoted true, false, null and numbers get their type. */
json_t *doc_to_json(const struct node *n);

/* Append a JSON value as YAML for people: texts of several lines as blocks, the rest quoted.
 * doc_parse() reads it back as the same, given texts without control characters. */
void doc_write(struct buf *out, json_t *j);

/* Member of a map, or NULL. */
const struct node *node_get(const struct node *map, const char *key);
/* Unquoted null, ~ or nothing at all. */
bool node_is_null(const struct node *n);

/* Typed reading: the value, or a fault that says what was expected and `otherwise`. n may be
 * NULL (absent), which is `otherwise` without a fault. */
struct str node_text(const struct node *n, struct str otherwise, struct diags *d);
int64_t node_int(const struct node *n, int64_t min, int64_t max, int64_t otherwise,
                 struct diags *d);
double node_double(const struct node *n, double min, double max, double otherwise, struct diags *d);
bool node_bool(const struct node *n, bool otherwise, struct diags *d); /* true/false/yes/no */
/* Index of the scalar among words, or `otherwise` (a fault lists the words). */
int node_choice(const struct node *n, const char *const *words, size_t count, int otherwise,
                struct diags *d);
/* Fault for every key of map that is not among keys (with a suggestion), and when n is not a map.
 * False when it is not a map. */
bool node_keys(const struct node *n, const char *const *keys, size_t count, struct diags *d);

#endif
