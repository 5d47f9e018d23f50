#include "suite/shape.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "suite/field.h"

enum { KEYS_MAX = 64, LIST_MAX = 10000 };

static void *at(void *out, size_t offset)
{
    return (char *)out + offset;
}

static const void *from(const void *in, size_t offset)
{
    return (const char *)in + offset;
}

/* The row of a key that the shape has. */
static const struct shape_key *row(const struct shape *s, const char *name)
{
    const struct shape_key *k = s->keys;

    for (; strcmp(k->name, name) != 0; k++)
        assert(k + 1 < s->keys + s->n);
    return k;
}

/* The key that determines the kind; NULL if there are no kinds. */
static const struct shape_key *deciding(const struct shape *s)
{
    return s->by ? row(s, s->by) : NULL;
}

/* The kind of *in as a bit. */
static unsigned kind_of(const struct shape *s, const void *in)
{
    const struct shape_key *by = deciding(s);

    return by ? 1U << *(const int *)from(in, by->at) : ~0U;
}

static bool belongs(const struct shape_key *k, unsigned kind)
{
    return !k->kinds || (k->kinds & kind);
}

/* ---- reading ---- */

/* Reports a key that belongs to another kind. */
static void refuse_kind(const struct shape_reading *r, const struct shape_key *k,
                        const struct shape_key *by, int kind, struct place where)
{
    int only = __builtin_ctz(k->kinds);

    if (k->kinds == 1U << only)
        diags_error(r->d, where, "'%s' applies to %s: %s only", k->name, by->name, by->words[only]);
    else
        diags_error(r->d, where, "'%s' has no meaning for %s: %s", k->name, by->name,
                    by->words[kind]);
}

static void check_keys(const struct shape_reading *r, const struct shape *s, const struct node *n,
                       const void *out)
{
    const struct shape_key *by = deciding(s);
    const char *names[KEYS_MAX];
    size_t count = 0;

    assert(s->n <= KEYS_MAX);
    for (size_t i = 0; i < s->n; i++)
        if (!(s->keys[i].is & (r->stored ? SHAPE_FILE : SHAPE_STORE)))
            names[count++] = s->keys[i].name;
    if (!node_keys(n, names, count, r->d) || !by)
        return;
    for (size_t i = 0; i < s->n; i++) {
        const struct node *m = field_get(n, s->keys[i].name);
        if (m && !belongs(&s->keys[i], kind_of(s, out)))
            refuse_kind(r, &s->keys[i], by, *(const int *)from(out, by->at), m->key->at);
    }
}

static double usual(const struct shape_reading *r, const struct shape_key *k)
{
    return r->stored && k->since ? k->before : k->otherwise;
}

static void read_str(const struct shape_reading *r, const struct shape_key *k, const struct node *n,
                     struct str *out)
{
    if (n)
        *out = k->type == SHAPE_TEXT ? field_text(r->a, n, r->language, r->d)
                                     : field_plain(r->a, n, r->d);
    else if (!out->p)
        *out = STR("");
    if (k->is & SHAPE_TRIM)
        *out = str_trim(*out);
}

static void read_word(const struct shape_reading *r, const struct shape_key *k,
                      const struct node *n, const char **out)
{
    const char *otherwise = *out ? *out : "";

    if (k->type == SHAPE_ID)
        *out = field_id(r->a, n, otherwise, r->d);
    else if (k->type == SHAPE_NAME)
        *out = field_name(r->a, n, otherwise, r->d);
    else if (k->type == SHAPE_JSON)
        *out = n || !*otherwise ? field_parameters(r->a, n, r->d) : otherwise;
    else
        *out = n ? arena_text(r->a, field_plain(r->a, n, r->d)) : otherwise;
}

static bool is_list(const struct shape_reading *r, const struct shape_key *k, const struct node *n)
{
    const char *what = k->type == SHAPE_LIST ? "" : " texts";
    double most = k->max > 0 ? k->max : LIST_MAX;

    if (n->kind == NODE_LIST && (double)n->n >= k->min && (double)n->n <= most)
        return true;
    if (k->min == most)
        diags_error(r->d, n->at, "expected a list of exactly %.0f%s", most, what);
    else if (k->min > 0)
        diags_error(r->d, n->at, "expected a list of %.0f to %.0f%s", k->min, most, what);
    else
        diags_error(r->d, n->at, "expected a list of at most %.0f%s", most, what);
    return false;
}

static struct shape_said read_said(const struct shape_reading *r, const struct shape_key *k,
                                   const struct node *n)
{
    struct shape_said said = {str_trim(field_plain(r->a, n, r->d)), n->at};

    if (said.text.n == 0 && n->kind == NODE_SCALAR)
        diags_error(r->d, n->at, "a text of '%s' is empty", k->name);
    return said;
}

static struct str read_text(const struct shape_reading *r, const struct shape_key *k,
                            const struct node *n)
{
    struct str text = field_text(r->a, n, r->language, r->d);

    if (k->is & SHAPE_TRIM)
        text = str_trim(text);
    if (text.n == 0 && !r->stored)
        diags_error(r->d, n->at, "a text of '%s' is empty", k->name);
    return text;
}

/* The members of a list: structs, texts with their locations, or texts. */
static void read_list(const struct shape_reading *r, const struct shape_key *k,
                      const struct node *n, void *out)
{
    size_t size = k->type == SHAPE_LIST   ? k->of->size
                  : k->type == SHAPE_SAID ? sizeof(struct shape_said)
                                          : sizeof(struct str);
    char *v, *to;

    if (!n || !is_list(r, k, n))
        return;
    v = to = k->type == SHAPE_FIXED ? at(out, k->at) : arena_array(r->a, n->n, size);
    for (const struct node *m = n->first; m; m = m->next, to += size)
        if (k->type == SHAPE_LIST)
            (void)shape_read(r, k->of, m, to);
        else if (k->type == SHAPE_SAID)
            *(struct shape_said *)(void *)to = read_said(r, k, m);
        else
            *(struct str *)(void *)to = read_text(r, k, m);
    if (k->type != SHAPE_FIXED) {
        *(void **)at(out, k->at) = v;
        *(size_t *)at(out, k->count) = n->n;
    }
}

static void read_number(const struct shape_reading *r, const struct shape_key *k,
                        const struct node *n, void *to)
{
    double otherwise = usual(r, k);

    if (k->type == SHAPE_INT)
        *(int *)to = (int)node_int(n, (int64_t)k->min, (int64_t)k->max, (int64_t)otherwise, r->d);
    else if (k->type == SHAPE_LONG)
        *(int64_t *)to = node_int(n, (int64_t)k->min, k->max < 9e18 ? (int64_t)k->max : INT64_MAX,
                                  (int64_t)otherwise, r->d);
    else if (k->type == SHAPE_SECONDS)
        *(int64_t *)to = llround(node_double(n, k->min, k->max, otherwise, r->d) * 1000);
    else
        *(double *)to = node_double(n, k->min, k->max, otherwise, r->d);
}

static void read_key(const struct shape_reading *r, const struct shape_key *k, const struct node *n,
                     void *out)
{
    void *to = at(out, k->at);

    switch (k->type) {
    case SHAPE_OWN:
        break;
    case SHAPE_ID:
    case SHAPE_NAME:
    case SHAPE_WORD:
    case SHAPE_JSON:
        read_word(r, k, n, to);
        break;
    case SHAPE_TEXT:
    case SHAPE_PLAIN:
        read_str(r, k, n, to);
        break;
    case SHAPE_SAID:
        if (k->count)
            read_list(r, k, n, out);
        else if (n)
            *(struct shape_said *)to = read_said(r, k, n);
        break;
    case SHAPE_INT:
    case SHAPE_LONG:
    case SHAPE_REAL:
    case SHAPE_SECONDS:
        read_number(r, k, n, to);
        break;
    case SHAPE_BOOL:
        *(bool *)to = node_bool(n, usual(r, k) > 0, r->d);
        break;
    case SHAPE_CHOICE:
        *(int *)to = node_choice(n, k->words, k->nwords, (int)usual(r, k), r->d);
        break;
    case SHAPE_EITHER:
        *(bool *)to = node_choice(n, k->words, 2, (int)usual(r, k), r->d) == 1;
        break;
    case SHAPE_MAP:
        (void)shape_read(r, k->of, n, to);
        break;
    case SHAPE_TEXTS:
    case SHAPE_FIXED:
    case SHAPE_LIST:
        read_list(r, k, n, out);
        break;
    }
}

static void check_needed(const struct shape_reading *r, const struct shape *s,
                         const struct shape_key *k, const struct node *map, const struct node *n)
{
    bool text = k->type == SHAPE_TEXT || k->type == SHAPE_PLAIN || k->type == SHAPE_WORD;

    if ((k->is & SHAPE_NEEDED) && !(k->is & SHAPE_HAND) && map &&
        (!n || (text && n->kind == NODE_SCALAR && !str_trim(n->text).n)))
        diags_error(r->d, map->at, "the %s has no '%s'", s->name, k->name);
}

void shape_read_key(const struct shape_reading *r, const struct shape *s, const char *name,
                    const struct node *map, void *out)
{
    read_key(r, row(s, name), field_get(map, name), out);
}

int64_t shape_int(const struct shape *s, const char *name, const struct node *n, int64_t otherwise,
                  struct diags *d)
{
    const struct shape_key *k = row(s, name);

    return node_int(n, (int64_t)k->min, (int64_t)k->max, otherwise, d);
}

bool shape_read(const struct shape_reading *r, const struct shape *s, const struct node *n,
                void *out)
{
    const struct node *map = n && n->kind == NODE_MAP ? n : NULL;
    const struct shape_key *by = deciding(s);
    unsigned kind;

    if (by && !(by->is & SHAPE_HAND))
        read_key(r, by, field_get(map, s->by), out);
    kind = kind_of(s, out);
    if (n)
        check_keys(r, s, n, out);
    for (size_t i = 0; i < s->n; i++) {
        const struct shape_key *k = &s->keys[i];
        const struct node *m;
        if (k->is & (r->stored ? SHAPE_FILE : SHAPE_STORE))
            continue;
        m = belongs(k, kind) ? field_get(map, k->name) : NULL;
        if (belongs(k, kind))
            check_needed(r, s, k, map, m);
        if (!(k->is & SHAPE_HAND) && k != by)
            read_key(r, k, m, out);
    }
    return !n || map;
}

enum status shape_thaw(struct arena *a, const struct shape *s, struct str frozen, const char *what,
                       void *out, struct err *e)
{
    struct node *n;
    struct diags d;
    struct shape_reading r = {.a = a, .d = &d, .language = "en", .stored = true};

    if (json_tree(a, frozen, &n, e) != OK)
        return err_wrap(e, "%s", what);
    diags_init(&d, a);
    (void)shape_read(&r, s, n, out);
    return d.errors ? err_set(e, E_INPUT, "%s: %s", what, d.first->msg) : OK;
}

/* ---- writing ---- */

static void put_json(struct buf *b, json_t *j)
{
    char text[64], *all = text;
    size_t n = json_dumpb(j, text, sizeof text, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));

    if (n > sizeof text) {
        all = mem_new(n);
        (void)json_dumpb(j, all, n, JSON_ENCODE_ANY);
    }
    buf_add(b, (struct str){all, n});
    if (all != text)
        free(all);
    json_decref(j);
}

void shape_put_real(struct buf *b, double v)
{
    if (isnan(v))
        buf_text(b, "null");
    else
        put_json(b, json_real(v));
}

/* Exactly as jansson writes it: run keys are hashes of its output. */
void shape_put_text(struct buf *b, struct str s)
{
    json_quote_short(b, s);
}

static void put_list(const struct shape_writing *w, const struct shape_key *k, const void *in)
{
    size_t n = k->type == SHAPE_FIXED ? (size_t)k->max : *(const size_t *)from(in, k->count);
    const void *there = from(in, k->at);
    const char *v = k->type == SHAPE_FIXED ? there : *(const char *const *)there;

    buf_char(w->b, '[');
    for (size_t i = 0; i < n; i++) {
        buf_text(w->b, i ? "," : "");
        if (k->type == SHAPE_LIST)
            shape_write(w, k->of, v + i * k->of->size);
        else
            shape_put_text(w->b, ((const struct str *)(const void *)v)[i]);
    }
    buf_char(w->b, ']');
}

/* The numeric value of a key with a numeric default; NaN for other types. */
static double number_of(const struct shape_key *k, const void *value)
{
    if (k->type == SHAPE_INT || k->type == SHAPE_CHOICE)
        return *(const int *)value;
    if (k->type == SHAPE_LONG)
        return (double)*(const int64_t *)value;
    if (k->type == SHAPE_BOOL || k->type == SHAPE_EITHER)
        return *(const bool *)value;
    return k->type == SHAPE_REAL ? *(const double *)value : (double)NAN;
}

/* True if the value is what its absence means. */
static bool is_spare(const struct shape_key *k, const void *in)
{
    const void *value = from(in, k->at);
    const char *const *word = value;

    if (k->since ? k->before != k->otherwise : !(k->is & SHAPE_SPARE))
        return false; /* absence means something else, so the default must be written */
    if (k->type == SHAPE_WORD || k->type == SHAPE_ID)
        return !*word || !**word;
    if (k->type == SHAPE_TEXT || k->type == SHAPE_PLAIN)
        return ((const struct str *)value)->n == 0;
    if (k->type == SHAPE_TEXTS || k->type == SHAPE_LIST)
        return *(const size_t *)from(in, k->count) == 0;
    return number_of(k, value) == k->otherwise;
}

static bool put_value(const struct shape_writing *w, const struct shape_key *k, const void *in)
{
    const void *value = from(in, k->at);
    const char *const *word = value;
    struct shape_writing own = *w;

    switch (k->type) {
    case SHAPE_OWN:
        own.key = k;
        return k->write && k->write(&own, in);
    case SHAPE_ID:
    case SHAPE_NAME:
    case SHAPE_WORD:
        shape_put_text(w->b, str_of(*word ? *word : ""));
        break;
    case SHAPE_JSON:
        buf_text(w->b, *word ? *word : "{}");
        break;
    case SHAPE_TEXT:
    case SHAPE_PLAIN:
        shape_put_text(w->b, *(const struct str *)value);
        break;
    case SHAPE_SAID:
        return false;
    case SHAPE_INT:
    case SHAPE_LONG:
    case SHAPE_SECONDS:
        buf_fmt(w->b, "%lld",
                k->type == SHAPE_INT ? (long long)*(const int *)value
                                     : (long long)*(const int64_t *)value);
        break;
    case SHAPE_REAL:
        shape_put_real(w->b, *(const double *)value);
        break;
    case SHAPE_BOOL:
        buf_text(w->b, *(const bool *)value ? "true" : "false");
        break;
    case SHAPE_CHOICE:
    case SHAPE_EITHER:
        shape_put_text(w->b, str_of(k->words[(size_t)number_of(k, value)]));
        break;
    case SHAPE_MAP:
        shape_write(w, k->of, value);
        break;
    case SHAPE_TEXTS:
    case SHAPE_FIXED:
    case SHAPE_LIST:
        put_list(w, k, in);
        break;
    }
    return true;
}

void shape_write(const struct shape_writing *w, const struct shape *s, const void *in)
{
    unsigned kind = kind_of(s, in);
    bool first = true;

    buf_char(w->b, '{');
    for (size_t i = 0; i < s->n; i++) {
        const struct shape_key *k = &s->keys[i];
        size_t before = w->b->n;
        if ((k->is & SHAPE_FILE) || !belongs(k, kind) || is_spare(k, in))
            continue;
        buf_text(w->b, first ? "\"" : ",\"");
        buf_text(w->b, k->name);
        buf_text(w->b, "\":");
        if (put_value(w, k, in))
            first = false;
        else
            w->b->n = before;
    }
    buf_char(w->b, '}');
}

const char *shape_text(struct arena *a, const struct shape *s, const void *in)
{
    AUTO(buf_done) struct buf b = BUF_MAX(SIZE_MAX / 2); /* its parts are bounded */
    const struct shape_writing w = {.a = a, .b = &b, .whole = in};

    shape_write(&w, s, in);
    return arena_text(a, buf_str(&b));
}

/* ---- the key of a run ---- */

static bool is_default(const struct shape_key *k, const json_t *v)
{
    AUTO(json_freep) json_t *usual_value = NULL;

    if (k->words)
        return str_is(json_str(v), k->words[(size_t)k->otherwise]);
    if (json_is_boolean(v))
        return json_is_true(v) == (k->otherwise > 0);
    if (json_is_number(v))
        return json_number_value(v) == k->otherwise;
    usual_value = json_loads(k->usual ? k->usual : "\"\"", JSON_DECODE_ANY, NULL);
    return json_equal(v, usual_value);
}

/* Removes later keys at their defaults; true if there were any. */
static bool drop_defaults(const struct shape *s, json_t *j)
{
    bool dropped = false;

    for (size_t i = 0; i < s->n; i++) {
        const struct shape_key *k = &s->keys[i];
        json_t *v = json_object_get(j, k->name);
        if (v && k->since && is_default(k, v)) {
            (void)json_object_del(j, k->name);
            dropped = true;
        } else if (v && k->of) {
            dropped |= json_is_object(v) && drop_defaults(k->of, v);
            for (size_t m = 0; m < json_array_size(v); m++)
                dropped |= drop_defaults(k->of, json_array_get(v, m));
        }
    }
    return dropped;
}

const char *shape_hashed(struct arena *a, const struct shape *s, const char *frozen)
{
    AUTO(json_freep) json_t *j = json_loads(frozen, 0, NULL);

    return j && drop_defaults(s, j) ? json_text(a, j) : frozen;
}
