/* An item as stored in a run, and back. */
#include "base/json.h"
#include "suite/suite.h"

static void put_member(struct buf *b, const char *name, struct str value)
{
    json_quote(b, str_of(name));
    buf_char(b, ':');
    json_quote(b, value);
}

/* Written by hand: this is done for every item of every run, and a document of values would cost
 * ten times as much. */
const char *item_freeze(struct arena *a, const struct item *item)
{
    AUTO(buf_done)
    struct buf b = BUF_MAX(SIZE_MAX / 2); /* as large as its parts, which are bounded */

    buf_char(&b, '{');
    put_member(&b, "id", str_of(item->id));
    if (item->character) {
        buf_char(&b, ',');
        put_member(&b, "character", str_of(item->character));
    }
    buf_char(&b, ',');
    put_member(&b, "prompt", item->prompt);
    buf_char(&b, ',');
    put_member(&b, "reference", item->reference);
    buf_text(&b, ",\"turns\":[");
    for (size_t i = 0; i < item->nturns; i++) {
        buf_text(&b, i ? ",{" : "{");
        put_member(&b, "role", str_of(item->turns[i].role));
        buf_char(&b, ',');
        put_member(&b, "text", item->turns[i].text);
        buf_char(&b, '}');
    }
    buf_text(&b, "],\"vars\":{");
    for (size_t i = 0; i < item->nvars; i++) {
        buf_text(&b, i ? "," : "");
        put_member(&b, item->vars[i].name, item->vars[i].value);
    }
    buf_char(&b, '}');
    if (item->paper.n) {
        buf_text(&b, ",\"paper\":");
        buf_add(&b, item->paper);
    }
    buf_char(&b, '}');
    return arena_text(a, buf_str(&b));
}

static struct str text_at(struct arena *a, const json_t *j, const char *key)
{
    return arena_str(a, json_str_at(j, key, STR("")));
}

static void thaw_turns(struct arena *a, const json_t *list, struct item *out)
{
    size_t n = json_array_size(list);
    struct item_turn *turns = NEW_N(a, struct item_turn, n);

    for (size_t i = 0; i < n; i++) {
        const json_t *turn = json_array_get(list, i);
        turns[i].role = text_at(a, turn, "role").p;
        turns[i].text = text_at(a, turn, "text");
    }
    out->turns = turns;
    out->nturns = n;
}

static void thaw_vars(struct arena *a, json_t *object, struct item *out)
{
    struct item_var *vars = NEW_N(a, struct item_var, json_object_size(object));
    const char *key;
    json_t *value;

    json_object_foreach(object, key, value)
    {
        struct str text = {json_string_value(value), json_string_length(value)};
        vars[out->nvars++] = (struct item_var){arena_text(a, str_of(key)), arena_str(a, text)};
    }
    out->vars = vars;
}

enum status item_thaw(struct arena *a, struct str frozen, struct item *out, struct err *e)
{
    AUTO(json_freep) json_t *j = NULL;
    struct item item = {0};

    if (json_read(frozen, &j, e) != OK)
        return err_wrap(e, "stored item");
    if (!json_is_string(json_object_get(j, "id")) || !json_is_string(json_object_get(j, "prompt")))
        return err_set(e, E_INPUT, "stored item: it has no id or no prompt");
    item.id = text_at(a, j, "id").p;
    if (json_object_get(j, "character"))
        item.character = text_at(a, j, "character").p;
    item.prompt = text_at(a, j, "prompt");
    item.reference = text_at(a, j, "reference");
    thaw_turns(a, json_object_get(j, "turns"), &item);
    thaw_vars(a, json_object_get(j, "vars"), &item);
    if (json_object_get(j, "paper"))
        item.paper = str_of(json_text(a, json_object_get(j, "paper")));
    *out = item;
    return OK;
}
