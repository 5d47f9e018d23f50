/* Our reader of JSON against jansson's: the same texts are taken, with the same values, be it as
 * values or as a tree. */
#include <stdlib.h>

#include "base/doc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* jansson allows deeper nesting, and real numbers that overflow the other way. */
static bool beyond_both(struct str text)
{
    size_t depth = 0, deepest = 0;

    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] == '[' || text.p[i] == '{')
            depth++;
        else if ((text.p[i] == ']' || text.p[i] == '}') && depth)
            depth--;
        if (depth > deepest)
            deepest = depth;
        if (text.p[i] == '\0')
            return true;
    }
    return deepest > 200 || text.n > 60; /* numbers longer than str_double() takes */
}

/* Numbers of a tree have no type, and those of jansson no text. */
static bool same_scalar(struct arena *a, const struct node *n, const json_t *j)
{
    double v;

    if (n->quoted != json_is_string(j) || strlen(n->text.p) != n->text.n)
        return false;
    if (json_is_string(j))
        return str_eq(n->text, (struct str){json_string_value(j), json_string_length(j)});
    if (json_is_real(j))
        return str_double(n->text, &v) && v == json_real_value(j);
    return str_is(n->text, json_text(a, j));
}

static bool same(struct arena *a, const struct node *n, json_t *j)
{
    void *at = json_object_iter(j);
    const struct node *m = n->first;

    if (n->kind == NODE_SCALAR)
        return same_scalar(a, n, j);
    if ((n->kind == NODE_MAP) != json_is_object(j) || (n->kind == NODE_LIST) != json_is_array(j) ||
        n->n != (at ? json_object_size(j) : json_array_size(j)))
        return false;
    for (size_t i = 0; i < n->n; i++, m = m->next) {
        if (!same(a, m, at ? json_object_iter_value(at) : json_array_get(j, i)) ||
            (at && !str_is(m->key->text, json_object_iter_key(at))))
            return false;
        at = at ? json_object_iter_next(j, at) : NULL;
    }
    return !m;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct str text = {(const char *)data, size};
    struct json_fault value_fault, tree_fault;
    json_t *ours = json_read_at(text, &value_fault), *theirs;
    struct node *tree = json_tree_at(a, text, (struct place){0}, &tree_fault);

    theirs = json_loadb((const char *)data, size, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, NULL);
    if (!beyond_both(text) && ((ours == NULL) != (theirs == NULL) || !json_equal(ours, theirs)) &&
        (ours || theirs))
        abort();
    if ((tree == NULL) != (ours == NULL) || (tree && !same(a, tree, ours)))
        abort();
    if (!tree && (tree_fault.line != value_fault.line || tree_fault.column != value_fault.column ||
                  tree_fault.what != value_fault.what))
        abort();
    json_decref(ours);
    json_decref(theirs);
    return 0;
}
