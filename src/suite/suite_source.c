/* Finds the items of a suite. */

#include "base/file.h"
#include "suite/suite_read.h"

enum { SOURCES_MAX = 1000 };

const struct source *suite_source(struct arena *a, const char *path, struct place at,
                                  struct diags *d)
{
    struct source *source = NEW(a, struct source);
    struct err e = {0};

    *source = (struct source){.path = path, .first_line = 1};
    if (file_read(a, path, DOC_MAX, &source->text, &e) == OK)
        return source;
    diags_error(d, at, e.code == E_INPUT ? "%s: move the items to a .jsonl or .csv file" : "%s",
                e.msg);
    return NULL;
}

/* JSON allows what YAML does not (escaped surrogate pairs): if the YAML parser, which knows
 * locations, refuses a file that is valid JSON, it is loaded without them. */
static const struct node *load_document(struct suite_reading *r, const char *path, struct place at)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    const struct source *source = suite_source(r->a, path, at, r->d);
    const struct node *root;
    struct json_fault none;
    struct diags probe;

    if (!source)
        return NULL;
    diags_init(&probe, scratch);
    root = doc_parse(r->a, source, &probe);
    if (root && probe.errors == 0)
        return root;
    root = json_tree_at(r->a, source->text, (struct place){.source = source}, &none);
    return root ? root : doc_parse(r->a, source, r->d);
}

static bool is_list_of_items(struct suite_reading *r, const struct node *n)
{
    if (n->kind == NODE_LIST && n->n > 0)
        return true;
    diags_error(r->d, n->at,
                n->kind == NODE_LIST ? "the list of items is empty" : "expected a list of items");
    return false;
}

static bool open_document(struct suite_reading *r, const char *path, struct place at,
                          struct item_source *out)
{
    const struct node *root = load_document(r, path, at);

    out->format = ITEMS_INLINE;
    out->inline_items = root;
    return root && is_list_of_items(r, root);
}

static struct item_source *source_of_file(struct suite_reading *r, const struct node *n)
{
    static const char *const lines[] = {".jsonl", ".ndjson", NULL};
    static const char *const whole[] = {".yaml", ".yml", ".json", NULL};
    const char *path = field_file(r->a, n, r->path, "item file", r->d);
    struct item_source *out = NEW(r->a, struct item_source);
    bool jsonl = str_any(str_of(path), str_ends, lines);

    out->at = n->at;
    if (!path)
        return NULL;
    /* A .jsonl file may really be a single JSON list. */
    if (str_any(str_of(path), str_ends, whole) || (jsonl && file_begins(path) == '['))
        return open_document(r, path, n->at, out) ? out : NULL;
    out->path = path;
    if (jsonl) {
        out->format = ITEMS_JSONL;
    } else if (str_ends(str_of(path), STR(".csv"))) {
        out->format = ITEMS_CSV;
    } else {
        diags_error(r->d, n->at, "items must be in .jsonl, .json, .yaml or .csv files");
        return NULL;
    }
    return out;
}

static struct item_source *source_inline(struct suite_reading *r, const struct node *list)
{
    struct item_source *out = NEW(r->a, struct item_source);

    *out = (struct item_source){.format = ITEMS_INLINE, .inline_items = list, .at = list->at};
    return out;
}

static struct item_source *sources_of_list(struct suite_reading *r, const struct node *list)
{
    struct item_source *first = NULL, **tail = &first;

    if (list->n > SOURCES_MAX) {
        diags_error(r->d, list->at, "at most %d item files can be named", SOURCES_MAX);
        return NULL;
    }
    for (const struct node *m = list->first; m; m = m->next)
        if (m->kind != NODE_SCALAR)
            diags_error(r->d, m->at, "expected an item file, like the first entry of this list");
        else if ((*tail = source_of_file(r, m)) != NULL)
            tail = &(*tail)->next;
    return first;
}

/* The sittings of an interview are its items. */
static struct item_source *source_of_bank(struct suite_reading *r, const struct node *root)
{
    static const char *const others[] = {"items", "pick"};
    struct item_source *out = NEW(r->a, struct item_source);

    for (size_t i = 0; i < COUNT(others); i++)
        if (field_get(root, others[i]))
            diags_error(r->d, field_get(root, others[i])->key->at,
                        "an interview draws its questions from its bank: leave out '%s'",
                        others[i]);
    out->format = ITEMS_BANK;
    out->bank = r->bank;
    out->at = root->at;
    return r->bank ? out : NULL;
}

struct item_source *suite_read_items(struct suite_reading *r, const struct node *root)
{
    const struct node *n = field_get(root, "items");

    if (r->s->elicit.kind == ELICIT_INTERVIEW)
        return source_of_bank(r, root);
    if (!n) {
        diags_error(r->d, root->at, "the suite has no 'items': a file or a list");
        return NULL;
    }
    if (n->kind == NODE_SCALAR)
        return source_of_file(r, n);
    if (!is_list_of_items(r, n))
        return NULL;
    return n->first->kind == NODE_SCALAR ? sources_of_list(r, n) : source_inline(r, n);
}
