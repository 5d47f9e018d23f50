/* Any bytes as a document: parsed, shown, typed and turned into JSON without a fault of ours. */
#include <stdlib.h>

#include "base/doc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What every reader of a tree relies on. */
static void check_node(const struct node *n, const struct source *s, struct diags *d)
{
    static const char *const words[] = {"alpha", "beta"};
    size_t children = 0;

    if (n->at.source != s || n->at.line < 1 || n->at.column < 1 || !n->text.p)
        abort();
    if (utf8_check(n->text) != n->text.n)
        abort();
    (void)node_int(n, 0, 9, 0, d);
    (void)node_double(n, 0, 1, 0, d);
    (void)node_bool(n, false, d);
    (void)node_choice(n, words, COUNT(words), 0, d);
    (void)node_keys(n, words, COUNT(words), d);
    for (const struct node *m = n->first; m; m = m->next, children++) {
        if ((n->kind == NODE_MAP) != (m->key != NULL))
            abort();
        if (m->key && node_get(n, m->key->text.p) != m)
            abort();
        check_node(m, s, d);
    }
    if (children != n->n)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(buf_done) struct buf shown = BUF_MAX(1 << 20);
    struct source s = {"fuzz", arena_str(a, (struct str){(const char *)data, size}), 1};
    struct diags d;
    struct node *root;

    diags_init(&d, a);
    root = doc_parse(a, &s, &d);
    if (!root && d.errors == 0)
        abort();
    if (root) {
        AUTO(json_freep) json_t *j = doc_to_json(root);
        struct json_fault none;
        struct node *again = j ? json_tree_at(a, str_of(json_text(a, j)), root->at, &none) : NULL;
        if (!again || again->kind != root->kind || again->n != root->n)
            abort();
        check_node(root, &s, &d);
    }
    diags_show(&d, NULL, &shown);
    if (utf8_check(buf_str(&shown)) != shown.n)
        abort();
    return 0;
}
