/* Trees of JSON values, and JSON values of trees. */
#include <stdlib.h>

#include "base/doc.h"

static struct node *json_scalar(struct arena *a, struct str text, bool quoted, struct place at)
{
    struct node *n = node_new(a, NODE_SCALAR, at);

    n->text = arena_str(a, text);
    n->quoted = quoted;
    return n;
}

/* The shortest decimal text that reads back as the same number. */
static struct node *json_double(struct arena *a, double v, struct place at)
{
    char text[40];

    for (int digits = 15; digits <= 17; digits++) {
        (void)snprintf(text, sizeof text, "%.*g", digits, v);
        if (strtod(text, NULL) == v)
            break;
    }
    return json_scalar(a, str_of(text), false, at);
}

static void json_members(struct arena *a, const json_t *j, struct node *n)
{
    struct node **tail = &n->first;
    json_t *object = (json_t *)(uintptr_t)j; /* jansson has no iterator over const */

    for (void *at = json_object_iter(object); at; at = json_object_iter_next(object, at)) {
        *tail = doc_from_json(a, json_object_iter_value(at), n->at);
        (*tail)->key = json_scalar(a, str_of(json_object_iter_key(at)), true, n->at);
        tail = &(*tail)->next;
        n->n++;
    }
}

struct node *doc_from_json(struct arena *a, const json_t *j, struct place at)
{
    struct node *n, **tail;

    switch (json_typeof(j)) {
    case JSON_OBJECT:
        n = node_new(a, NODE_MAP, at);
        json_members(a, j, n);
        return n;
    case JSON_ARRAY:
        n = node_new(a, NODE_LIST, at);
        tail = &n->first;
        for (n->n = 0; n->n < json_array_size(j); n->n++) {
            *tail = doc_from_json(a, json_array_get(j, n->n), at);
            tail = &(*tail)->next;
        }
        return n;
    case JSON_STRING:
        return json_scalar(a, (struct str){json_string_value(j), json_string_length(j)}, true, at);
    case JSON_REAL:
        return json_double(a, json_real_value(j), at);
    case JSON_INTEGER:
    case JSON_TRUE:
    case JSON_FALSE:
    case JSON_NULL:
        break;
    }
    return json_scalar(a, str_of(json_text(a, j)), false, at);
}

/* What JSON would not call a number (007, a number too large for 64 bits) stays text, so that
 * nothing is lost. */
static json_t *scalar_to_json(const struct node *n)
{
    json_t *v;

    if (node_is_null(n))
        return json_null();
    if (!n->quoted) {
        v = json_loadb(n->text.p, n->text.n, JSON_DECODE_ANY, NULL);
        if (json_is_number(v) || json_is_boolean(v))
            return v;
        json_decref(v);
    }
    return json_from_str(n->text);
}

json_t *doc_to_json(const struct node *n)
{
    json_t *j;

    if (n->kind == NODE_SCALAR)
        return scalar_to_json(n);
    j = n->kind == NODE_MAP ? json_object() : json_array();
    for (const struct node *m = n->first; m; m = m->next) {
        if (n->kind == NODE_MAP)
            (void)json_object_set_new(j, m->key->text.p, doc_to_json(m));
        else
            (void)json_array_append_new(j, doc_to_json(m));
    }
    return j;
}
