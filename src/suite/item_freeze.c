/* The keys of an item, and its stored form. */
#include "suite/item.h"
#include "suite/suite_read.h"

static bool write_vars(const struct shape_writing *w, const void *in)
{
    const struct item *item = in;

    buf_char(w->b, '{');
    for (size_t i = 0; i < item->nvars; i++) {
        buf_text(w->b, i ? "," : "");
        shape_put_text(w->b, str_of(item->vars[i].name));
        buf_char(w->b, ':');
        shape_put_text(w->b, item->vars[i].value);
    }
    buf_char(w->b, '}');
    return true;
}

/* Already JSON. */
static bool write_paper(const struct shape_writing *w, const void *in)
{
    const struct item *item = in;

    buf_add(w->b, item->paper);
    return item->paper.n > 0;
}

#define CARD(member) .at = offsetof(struct item_card, member)

static const struct shape_key card_keys[] = {
    {"skills", SHAPE_TEXTS, SHAPE_SPARE, CARD(skills), .count = offsetof(struct item_card, nskills),
     .min = 1, .max = 20},
    {"difficulty", SHAPE_INT, SHAPE_SPARE, CARD(difficulty), .min = 1, .max = 5},
    {"hard", SHAPE_PLAIN, SHAPE_SPARE, CARD(hard)},
    {"weak", SHAPE_PLAIN, SHAPE_SPARE, CARD(weak)},
};
const struct shape suite_item_card_shape = {SHAPE_OF("item_card", card_keys, struct item_card)};

/* Items without a card are stored as they were before cards existed. */
static bool write_card(const struct shape_writing *w, const void *in)
{
    const struct item_card *card = &((const struct item *)in)->card;
    bool there = card->nskills || card->difficulty || card->hard.n || card->weak.n;

    if (there)
        shape_write(w, &suite_item_card_shape, card);
    return there;
}

static const struct shape_key turn_keys[] = {
    {"role", SHAPE_WORD, SHAPE_NEEDED, .at = offsetof(struct item_turn, role)},
    {"text", SHAPE_PLAIN, .at = offsetof(struct item_turn, text)},
};
static const struct shape turn_shape = {SHAPE_OF("turn", turn_keys, struct item_turn)};

#define AT(member) .at = offsetof(struct item, member)

static const struct shape_key item_keys[] = {
    {"id", SHAPE_WORD, AT(id)},
    {"character", SHAPE_WORD, SHAPE_SPARE, AT(character)},
    {"prompt", SHAPE_PLAIN, AT(prompt)},
    {"reference", SHAPE_PLAIN, AT(reference)},
    {"turns", SHAPE_LIST, AT(turns), .count = offsetof(struct item, nturns), .of = &turn_shape},
    {"tag", SHAPE_OWN, .is = SHAPE_FILE},
    {"group", SHAPE_OWN, .is = SHAPE_FILE},
    {"slots", SHAPE_OWN, .is = SHAPE_FILE},
    {"holds", SHAPE_OWN, .is = SHAPE_FILE},
    {"keeps", SHAPE_PLAIN, SHAPE_SPARE, AT(keeps)},
    {"card", SHAPE_OWN, .write = write_card, .of = &suite_item_card_shape},
    {"vars", SHAPE_OWN, SHAPE_STORE, .write = write_vars},
    {"paper", SHAPE_OWN, SHAPE_STORE, .write = write_paper},
};
const struct shape suite_item_shape = {SHAPE_OF("item", item_keys, struct item)};

const char *item_freeze(struct arena *a, const struct item *item)
{
    return shape_text(a, &suite_item_shape, item);
}

const char *item_asked(struct arena *a, const struct item *item)
{
    struct item bare = *item;

    bare.card = (struct item_card){0};
    return item_freeze(a, &bare);
}

static void thaw_vars(struct arena *a, const struct node *map, struct item *out)
{
    struct item_var *vars = NEW_N(a, struct item_var, map->n);

    for (const struct node *m = map->first; m; m = m->next)
        vars[out->nvars++] = (struct item_var){arena_text(a, m->key->text), arena_str(a, m->text)};
    out->vars = vars;
}

enum status item_thaw(struct arena *a, struct str frozen, struct item *out, struct err *e)
{
    AUTO(json_freep) json_t *paper = NULL;
    struct node *n;
    struct item item = {0};
    struct diags d;
    const struct shape_reading r = {.a = a, .d = &d, .stored = true};

    if (json_tree_lent(a, frozen, &n, e) != OK) /* everything taken from it is copied */
        return err_wrap(e, "stored item");
    diags_init(&d, a);
    (void)shape_read(&r, &suite_item_shape, n, &item);
    if (!field_get(n, "id") || !field_get(n, "prompt"))
        return err_set(e, E_INPUT, "stored item: it has no id or no prompt");
    if (d.errors)
        return err_set(e, E_INPUT, "stored item: %s", d.first->msg);
    if (!field_get(n, "character"))
        item.character = NULL;
    if (field_get(n, "vars"))
        thaw_vars(a, field_get(n, "vars"), &item);
    (void)shape_read(&r, &suite_item_card_shape, field_get(n, "card"), &item.card);
    if (field_get(n, "paper")) {
        paper = doc_to_json(field_get(n, "paper"));
        item.paper = str_of(json_text(a, paper));
    }
    *out = item;
    return OK;
}
