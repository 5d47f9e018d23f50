#include "base/node.h"

#include "base/message.h"

#include <float.h>
#include <strings.h>

enum {
    SCAN_MAX = 16,   /* a map with so many keys or more is indexed */
    FOUND_MAX = 40,  /* code points of a scalar in a message */
    WORDS_MAX = 2000 /* bytes of a list of words in a message */
};

struct node *node_new(struct arena *a, enum node_kind kind, struct place at)
{
    struct node *n = arena_room(a, sizeof *n);

    *n = (struct node){.kind = kind, .text = STR(""), .at = at};
    return n;
}

const struct node *node_get(const struct node *map, const char *key)
{
    struct str name = str_of(key);

    if (!map || map->kind != NODE_MAP)
        return NULL;
    for (const struct node *m = map->first; m; m = m->next)
        if (str_eq(m->key->text, name))
            return m;
    return NULL;
}

struct str node_str_at(const struct node *map, const char *key, struct str otherwise)
{
    const struct node *n = node_get(map, key);

    return n && n->quoted ? n->text : otherwise;
}

int64_t node_int_at(const struct node *map, const char *key, int64_t otherwise)
{
    const struct node *n = node_get(map, key);
    int64_t v;

    return n && !n->quoted && str_int(n->text, &v) ? v : otherwise;
}

const struct node *node_first(const struct node *list)
{
    return list && list->kind == NODE_LIST ? list->first : NULL;
}

bool node_has(const struct node *map, struct node *key, struct map *seen, struct arena *scratch)
{
    struct node *m = map->first;

    if (map->n < SCAN_MAX) {
        while (m && !str_eq(m->key->text, key->text))
            m = m->next;
        return m != NULL;
    }
    if (seen->n == 0) {
        map_init(seen, scratch);
        for (; m; m = m->next)
            (void)map_put(seen, m->key->text, m);
    }
    return map_put(seen, key->text, key) != NULL;
}

bool node_is_null(const struct node *n)
{
    return n->kind == NODE_SCALAR && !n->quoted &&
           (n->text.n == 0 || str_is(n->text, "~") || str_is(n->text, "null"));
}

/* Adds the fault that n is not what was expected. */
static void refuse(const struct node *n, struct diags *d, const char *expected)
{
    struct str text = utf8_head(n->text, FOUND_MAX);
    const char *cut = text.n < n->text.n ? "\u2026" : "";

    if (n->kind != NODE_SCALAR)
        diags_error(d, n->at, "expected %s; found %s", expected,
                    n->kind == NODE_LIST ? N_("a list") : N_("a map"));
    else if (node_is_null(n))
        diags_error(d, n->at, "expected %s; it is empty", expected);
    else if (n->quoted)
        diags_error(d, n->at, "expected %s; found '%.*s%s' in quotes", expected, STR_ARG(text),
                    cut);
    else
        diags_error(d, n->at, "expected %s; found '%.*s%s'", expected, STR_ARG(text), cut);
}

struct str node_text(const struct node *n, struct str otherwise, struct diags *d)
{
    if (!n)
        return otherwise;
    if (n->kind == NODE_SCALAR && !node_is_null(n))
        return n->text;
    refuse(n, d, N_("plain text"));
    return otherwise;
}

int64_t node_int(const struct node *n, int64_t min, int64_t max, int64_t otherwise, struct diags *d)
{
    AUTO(buf_done) struct buf expected = BUF_MAX(200);
    int64_t v;

    if (!n)
        return otherwise;
    if (n->kind == NODE_SCALAR && !n->quoted && str_int(n->text, &v) && v >= min && v <= max)
        return v;
    if (min > INT64_MIN && max < INT64_MAX)
        buf_fmt(&expected, N_("a whole number from %lld to %lld"), (long long)min, (long long)max);
    else if (min > INT64_MIN)
        buf_fmt(&expected, N_("a whole number of at least %lld"), (long long)min);
    else if (max < INT64_MAX)
        buf_fmt(&expected, N_("a whole number of at most %lld"), (long long)max);
    else
        buf_text(&expected, N_("a whole number"));
    refuse(n, d, expected.p);
    return otherwise;
}

double node_double(const struct node *n, double min, double max, double otherwise, struct diags *d)
{
    AUTO(buf_done) struct buf expected = BUF_MAX(200);
    bool low = min > -DBL_MAX, high = max < DBL_MAX;
    double v;

    if (!n)
        return otherwise;
    if (n->kind == NODE_SCALAR && !n->quoted && str_double(n->text, &v) && v >= min && v <= max)
        return v;
    if (low && high)
        buf_fmt(&expected, N_("a number from %g to %g"), min, max);
    else if (low)
        buf_fmt(&expected, N_("a number of at least %g"), min);
    else if (high)
        buf_fmt(&expected, N_("a number of at most %g"), max);
    else
        buf_text(&expected, N_("a number"));
    refuse(n, d, expected.p);
    return otherwise;
}

bool node_bool(const struct node *n, bool otherwise, struct diags *d)
{
    static const char *const words[] = {"false", "true", "no", "yes"};

    if (!n)
        return otherwise;
    for (size_t i = 0; n->kind == NODE_SCALAR && !n->quoted && i < COUNT(words); i++)
        if (strcasecmp(n->text.p, words[i]) == 0)
            return i % 2 == 1;
    refuse(n, d, N_("true or false"));
    return otherwise;
}

static void list_words(struct buf *out, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        buf_fmt(out, "%s%s", i ? ", " : "", words[i]);
}

int node_choice(const struct node *n, const char *const *words, size_t count, int otherwise,
                struct diags *d)
{
    AUTO(buf_done) struct buf expected = BUF_MAX(WORDS_MAX);
    const char *near;

    if (!n)
        return otherwise;
    for (size_t i = 0; n->kind == NODE_SCALAR && i < count; i++)
        if (str_is(n->text, words[i]))
            return (int)i;
    if (count > 1)
        buf_fmt(&expected, N_("one of %s"), "");
    list_words(&expected, words, count);
    near = n->kind == NODE_SCALAR ? diag_suggest(n->text, words, count) : NULL;
    if (near)
        diags_error(d, n->at, "expected %s; found '%.*s' (did you mean '%s'?)", expected.p,
                    STR_ARG(n->text), near);
    else
        refuse(n, d, expected.p);
    return otherwise;
}

static void refuse_key(const struct node *key, const char *const *keys, size_t count,
                       struct diags *d)
{
    AUTO(buf_done) struct buf list = BUF_MAX(WORDS_MAX);
    const char *near = diag_suggest(key->text, keys, count);
    struct str text = utf8_head(key->text, FOUND_MAX);

    list_words(&list, keys, count);
    if (near)
        diags_error(d, key->at, "unknown key '%.*s' (did you mean '%s'?)", STR_ARG(text), near);
    else
        diags_error(d, key->at, "unknown key '%.*s'; expected %s", STR_ARG(text),
                    count ? list.p : "none");
}

bool node_keys(const struct node *n, const char *const *keys, size_t count, struct diags *d)
{
    AUTO(buf_done) struct buf expected = BUF_MAX(WORDS_MAX);

    if (n->kind != NODE_MAP) {
        buf_fmt(&expected, N_("a map with the keys %s"), "");
        list_words(&expected, keys, count);
        refuse(n, d, expected.p);
        return false;
    }
    for (const struct node *m = n->first; m; m = m->next) {
        bool known = false;
        for (size_t i = 0; i < count && !known; i++)
            known = str_is(m->key->text, keys[i]);
        if (!known)
            refuse_key(m->key, keys, count, d);
    }
    return true;
}
