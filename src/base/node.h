/* node.h - documents that people write, or JSON, as values with their places.
 *
 * Scalars are text until code that knows the schema gives them a type: `NO`, `on` and `1.10` stay
 * what was written. Every node remembers its place, so that checks far from the parser can point at
 * it. Nodes live in an arena. doc.h makes trees of them, and so does json.h, some with texts that
 * do not end in NUL: see there. */
#ifndef BASE_NODE_H
#define BASE_NODE_H

#include "base/diag.h"
#include "base/map.h"

enum node_kind { NODE_SCALAR, NODE_LIST, NODE_MAP };

struct node {
    enum node_kind kind;
    bool quoted;     /* scalar: in quotes or a block, so never null or a number */
    struct str text; /* scalar */
    struct place at;
    const struct node *key; /* its key, in a map */
    struct node *first;     /* children of a list or map, in order */
    struct node *next;      /* sibling */
    size_t n;               /* number of children */
};

struct node *node_new(struct arena *a, enum node_kind kind, struct place at);

/* Member of a map, or NULL. */
const struct node *node_get(const struct node *map, const char *key);
/* The same if it has the right type (a quoted text, or an unquoted integer), else `otherwise`. */
struct str node_str_at(const struct node *map, const char *key, struct str otherwise);
int64_t node_int_at(const struct node *map, const char *key, int64_t otherwise);
/* The first of a list, or NULL. */
const struct node *node_first(const struct node *list);
/* Whether a map that is being read has the key already. *seen is initialized with {0} and belongs
 * to the map: it indexes maps with many keys, in scratch. */
bool node_has(const struct node *map, struct node *key, struct map *seen, struct arena *scratch);
/* Whether it is an unquoted null, ~ or nothing at all. */
bool node_is_null(const struct node *n);

/* Read a typed value. On a wrong value, add a fault that says what was expected and return
 * `otherwise`. n may be NULL (absent), which gives `otherwise` without a fault. */
struct str node_text(const struct node *n, struct str otherwise, struct diags *d);
int64_t node_int(const struct node *n, int64_t min, int64_t max, int64_t otherwise,
                 struct diags *d);
double node_double(const struct node *n, double min, double max, double otherwise, struct diags *d);
bool node_bool(const struct node *n, bool otherwise, struct diags *d); /* true/false/yes/no */
/* Index of the scalar among words, or `otherwise` (the fault lists the words). */
int node_choice(const struct node *n, const char *const *words, size_t count, int otherwise,
                struct diags *d);
/* Adds a fault for every key that is not among keys (with a suggestion), and if n is not a map.
 * False if it is not a map. */
bool node_keys(const struct node *n, const char *const *keys, size_t count, struct diags *d);

#endif
