#include "suite/shape_help.h"

#include <math.h>

#include "suite/field.h"

static void add_section(struct shape_book *b, const struct shape *s)
{
    for (size_t i = 0; i < b->n; i++)
        if (b->section[i] == s)
            return;
    if (b->n < SHAPE_SECTIONS)
        b->section[b->n++] = s;
    for (size_t i = 0; i < s->n; i++)
        if (s->keys[i].of && !(s->keys[i].is & SHAPE_STORE))
            add_section(b, s->keys[i].of);
}

void shape_help_open(struct arena *a, const char *name, const struct shape *root,
                     struct shape_book *out)
{
    struct diags d;

    *out = (struct shape_book){.name = name};
    add_section(out, root);
    diags_init(&d, a);
    out->words = doc_built_in(a, arena_printf(a, "share/keys/%s.yaml", name), &d);
}

/* ---- one key ---- */

/* The entry of a key; if the section has none and is `like` another one, that of the other. */
static const struct node *entry(const struct shape_book *b, const char *section, const char *key)
{
    const struct node *words = field_get(b->words, section), *own = field_get(words, key);
    const struct node *like = field_get(words, "like");

    if (own || !like || strcmp(key, "all") == 0)
        return own;
    return entry(b, like->text.p, key);
}

const char *shape_help_text(struct arena *a, const struct shape_book *b, const struct shape *s,
                            const char *key, const char *language)
{
    const struct node *n = field_get(entry(b, s->name, key), language);

    return n ? arena_text(a, n->text) : NULL;
}

const char *shape_help_default(struct arena *a, const struct shape_key *k)
{
    bool number = k->type == SHAPE_INT || k->type == SHAPE_LONG || k->type == SHAPE_REAL ||
                  k->type == SHAPE_SECONDS;

    if ((k->is & SHAPE_NEEDED) || isnan(k->otherwise))
        return "";
    if (k->words)
        return k->words[(size_t)k->otherwise];
    if (k->type == SHAPE_BOOL)
        return k->otherwise > 0 ? "yes" : "no";
    return number && k->otherwise >= k->min ? arena_printf(a, "%.15g", k->otherwise) : "";
}

const char *shape_help_range(struct arena *a, const struct shape_key *k)
{
    AUTO(buf_done) struct buf b = BUF_MAX(2000);

    if (k->words)
        for (size_t i = 0; i < k->nwords; i++)
            buf_fmt(&b, "%s%s", i ? ", " : "", k->words[i]);
    else if (k->type == SHAPE_BOOL)
        buf_text(&b, "yes, no");
    else if (k->max > 0 && k->max < 1e15)
        buf_fmt(&b, "%.15g..%.15g", k->min, k->max);
    return arena_text(a, buf_str(&b));
}

/* ---- Markdown ---- */

static void put_row(struct arena *a, const struct shape_book *b, const struct shape *s,
                    const struct shape_key *k, struct buf *out)
{
    const char *usual = shape_help_default(a, k), *text = shape_help_text(a, b, s, k->name, "en");
    const char *range = k->words || k->type == SHAPE_BOOL ? "" : shape_help_range(a, k);

    buf_fmt(out, "| `%s` | ", k->name);
    if (k->is & SHAPE_NEEDED)
        buf_text(out, "required");
    else if (*usual)
        buf_fmt(out, k->words ? "`%s`" : "%s", usual);
    buf_fmt(out, " | %s", text ? text : "");
    if (k->words && !(text && strchr(text, '`')))
        buf_fmt(out, ": %s", shape_help_range(a, k));
    if (*range)
        buf_fmt(out, " (%s)", range);
    buf_text(out, " |\n");
}

void shape_help_markdown(struct arena *a, const struct shape_book *b, struct buf *out)
{
    for (size_t i = 0; i < b->n; i++) {
        const struct shape *s = b->section[i];
        buf_fmt(out, "%s### %s\n\n| key | default | meaning |\n|---|---|---|\n", i ? "\n" : "",
                s->name);
        for (size_t k = 0; k < s->n; k++)
            if (!(s->keys[k].is & SHAPE_STORE))
                put_row(a, b, s, &s->keys[k], out);
    }
}

/* ---- JSON Schema ---- */

static json_t *reference(struct arena *a, const char *name)
{
    return json_pack("{ss}", "$ref", arena_printf(a, "#/$defs/%s", name));
}

static json_t *value_of(const struct shape_key *k, double v)
{
    bool whole = k->type != SHAPE_REAL && k->type != SHAPE_SECONDS;

    return whole ? json_integer((json_int_t)v) : json_real(v);
}

static void set_range(json_t *j, const struct shape_key *k, const char *low, const char *high)
{
    json_put(j, low, value_of(k, k->min));
    if (k->max > 0 && k->max < 1e15)
        json_put(j, high, value_of(k, k->max));
}

static json_t *list_of(const struct shape_key *k, json_t *items)
{
    json_t *j = json_pack("{ssso}", "type", "array", "items", items);

    set_range(j, k, "minItems", "maxItems");
    return j;
}

static json_t *words_of_choice(const struct shape_key *k)
{
    json_t *list = json_array();

    for (size_t i = 0; i < k->nwords; i++)
        (void)json_array_append_new(list, json_string(k->words[i]));
    return json_pack("{so}", "enum", list);
}

/* A number with its range and default. */
static json_t *number(const struct shape_key *k, const char *type)
{
    json_t *j = json_pack("{ss}", "type", type);

    set_range(j, k, "minimum", "maximum");
    if (!isnan(k->otherwise) && k->otherwise >= k->min && !(k->is & SHAPE_NEEDED))
        json_put(j, "default", value_of(k, k->otherwise));
    return j;
}

static json_t *form_of_type(struct arena *a, const struct shape_key *k)
{
    switch (k->type) {
    case SHAPE_OWN:
        return k->of ? json_pack("{s[{ss}o]}", "anyOf", "type", "string", reference(a, k->of->name))
                     : json_object();
    case SHAPE_ID:
    case SHAPE_NAME:
        return json_pack("{sssisi}", "type", "string", "minLength", 1, "maxLength", 100);
    case SHAPE_WORD:
    case SHAPE_PLAIN:
        return json_pack("{s[sss]}", "type", "string", "number", "null");
    case SHAPE_SAID:
        return k->count ? list_of(k, json_pack("{ss}", "type", "string"))
                        : json_pack("{ss}", "type", "string");
    case SHAPE_TEXT:
        return reference(a, "text");
    case SHAPE_TEXTS:
    case SHAPE_FIXED:
        return list_of(k, reference(a, "text"));
    case SHAPE_INT:
    case SHAPE_LONG:
        return number(k, "integer");
    case SHAPE_REAL:
    case SHAPE_SECONDS:
        return number(k, "number");
    case SHAPE_BOOL:
        return json_pack("{s[bbss]}", "enum", 1, 0, "yes", "no");
    case SHAPE_CHOICE:
    case SHAPE_EITHER:
        return words_of_choice(k);
    case SHAPE_JSON:
        return json_pack("{sss{sbsbsb}}", "type", "object", "properties", "model", 0, "messages", 0,
                         "stream", 0);
    case SHAPE_MAP:
        return reference(a, k->of->name);
    case SHAPE_LIST:
        return list_of(k, reference(a, k->of->name));
    }
    return json_object();
}

/* In a form, "least" and "most" stand for the range of its key. */
static void fill_range(json_t *form, const struct shape_key *k)
{
    const char *name;
    json_t *v;

    json_object_foreach(form, name, v)
    {
        if (str_is(json_str(v), "least"))
            json_put(form, name, value_of(k, k->min));
        else if (str_is(json_str(v), "most"))
            json_put(form, name, value_of(k, k->max));
        else
            fill_range(v, k);
    }
    for (size_t i = 0; i < json_array_size(form); i++)
        fill_range(json_array_get(form, i), k);
}

static json_t *key_schema(struct arena *a, const struct shape_book *b, const struct shape *s,
                          const struct shape_key *k)
{
    const struct node *form = field_get(entry(b, s->name, k->name), "form");
    const char *text = shape_help_text(a, b, s, k->name, "en");
    json_t *j = form ? doc_to_json(form) : form_of_type(a, k);

    fill_range(j, k);
    if (k->words && !form && !isnan(k->otherwise) && !(k->is & (SHAPE_NEEDED)))
        json_put_text(j, "default", k->words[(size_t)k->otherwise]);
    json_put_text(j, "description", text ? text : "");
    return j;
}

static json_t *section_schema(struct arena *a, const struct shape_book *b, const struct shape *s)
{
    const struct node *form = field_get(entry(b, s->name, "all"), "form");
    const char *text = shape_help_text(a, b, s, "all", "en");
    json_t *properties = json_object(), *needed = json_array();
    json_t *j = json_pack("{sssb}", "type", "object", "additionalProperties", 0);

    for (size_t i = 0; i < s->n; i++) {
        const struct shape_key *k = &s->keys[i];
        if (k->is & SHAPE_STORE)
            continue;
        json_put(properties, k->name, key_schema(a, b, s, k));
        if ((k->is & SHAPE_NEEDED) && !k->kinds && strcmp(k->name, "name") != 0)
            (void)json_array_append_new(needed, json_string(k->name));
    }
    if (text)
        json_put_text(j, "description", text);
    json_put(j, "properties", properties);
    json_put(j, "required", needed);
    if (form)
        (void)json_object_update_new(j, doc_to_json(form));
    return j;
}

json_t *shape_help_schema(struct arena *a, const struct shape_book *b)
{
    json_t *j = json_pack("{ss}", "$schema", "https://json-schema.org/draft/2020-12/schema");
    json_t *parts = json_object(), *root = section_schema(a, b, b->section[0]);

    (void)json_object_update(j, root);
    json_decref(root);
    for (size_t i = 1; i < b->n; i++)
        json_put(parts, b->section[i]->name, section_schema(a, b, b->section[i]));
    json_put(parts, "text",
             json_pack("{s[{s[sss]}{sss{ss}si}]}", "anyOf", "type", "string", "number", "boolean",
                       "type", "object", "additionalProperties", "type", "string", "minProperties",
                       1));
    json_put(j, "$defs", parts);
    return j;
}
