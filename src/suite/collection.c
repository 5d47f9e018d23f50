#include "suite/collection.h"

#include "base/file.h"
#include "suite/field.h"

#define AT(type, member) .at = offsetof(struct type, member)
#define N(type, member)  .count = offsetof(struct type, member)

enum { SUITES_MAX = 200 };

static const char *const overall_words[] = {[OVERALL_MEAN] = "mean", [OVERALL_NONE] = "none"};

static const struct shape_key suite_keys[] = {
    {"file", SHAPE_WORD, SHAPE_NEEDED, AT(collection_suite, file)},
    {"suite", SHAPE_WORD, SHAPE_STORE, AT(collection_suite, suite)},
    {"kind", SHAPE_WORD, SHAPE_SPARE, AT(collection_suite, kind)},
    {"title", SHAPE_TEXT, SHAPE_SPARE, AT(collection_suite, title)},
    {"weight", SHAPE_REAL, AT(collection_suite, weight), .min = 0, .max = 1e6, .otherwise = 1},
    {"group", SHAPE_WORD, SHAPE_SPARE, AT(collection_suite, group)},
    {"judges", SHAPE_TEXTS, SHAPE_SPARE, AT(collection_suite, judges), N(collection_suite, njudges),
     .min = 1, .max = 20},
    {"examiner", SHAPE_WORD, SHAPE_SPARE, AT(collection_suite, examiner)},
    {"user", SHAPE_WORD, SHAPE_SPARE, AT(collection_suite, user)},
};
static const struct shape member_shape = {SHAPE_OF("member", suite_keys, struct collection_suite)};

static const struct shape_key collection_keys[] = {
    {"collection", SHAPE_ID, SHAPE_NEEDED, AT(collection, id)},
    {"title", SHAPE_TEXT, AT(collection, title)},
    {"description", SHAPE_TEXT, AT(collection, description)},
    {"language", SHAPE_WORD, SHAPE_SPARE, AT(collection, language)},
    {"canary", SHAPE_WORD, SHAPE_SPARE, AT(collection, canary)},
    {"overall", SHAPE_CHOICE, AT(collection, overall), SHAPE_WORDS(overall_words)},
    {"scale", SHAPE_REAL, AT(collection, scale), .min = 1, .max = 1e6, .otherwise = 100},
    {"models", SHAPE_TEXTS, SHAPE_SPARE, AT(collection, models), N(collection, nmodels), .min = 1,
     .max = 1000},
    {"judges", SHAPE_TEXTS, SHAPE_SPARE, AT(collection, judges), N(collection, njudges), .min = 1,
     .max = 20},
    {"suites", SHAPE_LIST, SHAPE_NEEDED, AT(collection, suites), N(collection, nsuites),
     .of = &member_shape, .min = 1, .max = SUITES_MAX},
};
const struct shape collection_shape = {SHAPE_OF("collection", collection_keys, struct collection)};

/* One value of a file that is read again later. A pipe can be read only once, so it is left
 * alone. */
static const struct node *begin_of(struct arena *a, const char *path, const char *key,
                                   struct diags *d)
{
    const struct node *root = NULL;

    if (file_begins(path) != EOF)
        root = doc_load(a, path, (struct place){0}, d);
    return root && root->kind == NODE_MAP ? node_get(root, key) : NULL;
}

bool collection_is(const char *path)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct diags unsaid;

    diags_init(&unsaid, a);
    return begin_of(a, path, "collection", &unsaid);
}

const char *collection_suite_id(struct arena *a, const char *path, struct diags *d)
{
    const struct node *id = begin_of(a, path, "suite", d);

    return id && id->kind == NODE_SCALAR ? arena_text(a, id->text) : NULL;
}

/* Finds a member's suite file and reads its id. */
static void find_suite(struct collection *c, size_t i, struct arena *a, const char *path,
                       const struct node *member, struct diags *d)
{
    struct collection_suite *s = &c->suites[i];
    const struct node *file = field_get(member, "file");
    size_t before = d->errors;
    const char *id;

    s->suite = "";
    s->path = file ? field_file(a, file, path, "suite", d) : NULL;
    if (!s->path)
        return;
    id = collection_suite_id(a, s->path, d);
    if (!id) {
        if (d->errors == before)
            diags_error(d, file->at, "%s is not a suite", s->path);
        return;
    }
    s->suite = id;
    for (size_t k = 0; k < i; k++)
        if (strcmp(c->suites[k].suite, s->suite) == 0)
            diags_error(d, file->at, "two suites of this collection are called '%s'", s->suite);
}

static void check_weights(const struct collection *c, const struct node *suites, struct diags *d)
{
    double sum = 0;

    for (size_t i = 0; i < c->nsuites; i++)
        sum += c->suites[i].weight;
    if (c->nsuites && c->overall == OVERALL_MEAN && !(sum > 0))
        diags_error(d, suites->at, "all weights are 0: there would be no overall score");
}

struct collection *collection_load(struct arena *a, const char *path, struct diags *d)
{
    struct collection *c = NEW(a, struct collection);
    const struct node *root = doc_load(a, path, (struct place){0}, d);
    const struct node *language =
        root && root->kind == NODE_MAP ? field_get(root, "language") : NULL;
    const struct shape_reading r = {a, d, language ? arena_text(a, language->text) : "en", false};
    size_t i = 0;

    if (!root || !shape_read(&r, &collection_shape, root, c))
        return NULL;
    for (const struct node *m = c->nsuites ? field_get(root, "suites")->first : NULL; m;
         m = m->next)
        find_suite(c, i++, a, path, m, d);
    check_weights(c, field_get(root, "suites"), d);
    return c;
}

const char *collection_freeze(struct arena *a, const struct collection *c)
{
    return shape_text(a, &collection_shape, c);
}

enum status collection_thaw(struct arena *a, struct str frozen, struct collection *out,
                            struct err *e)
{
    struct collection c = {0};

    if (shape_thaw(a, &collection_shape, frozen, "stored collection", &c, e) != OK)
        return e->code;
    *out = c;
    return OK;
}
