/* Converts trees to JSON values. */
#include "base/doc.h"

/* What is no number in JSON (007, or too large for 64 bits) stays text, so that nothing is lost. */
static json_t *scalar_to_json(const struct node *n)
{
    json_t *v = n->quoted ? NULL : json_word(n->text);

    if (node_is_null(n))
        return json_null();
    return v ? v : json_stringn_nocheck(n->text.p, n->text.n);
}

json_t *doc_to_json(const struct node *n)
{
    json_t *j;

    if (n->kind == NODE_SCALAR)
        return scalar_to_json(n);
    j = n->kind == NODE_MAP ? json_object() : json_array();
    for (const struct node *m = n->first; m; m = m->next) {
        if (n->kind == NODE_MAP)
            (void)json_object_setn_new_nocheck(j, m->key->text.p, m->key->text.n, doc_to_json(m));
        else
            (void)json_array_append_new(j, doc_to_json(m));
    }
    return j;
}
