#include "suite/role.h"

#include <float.h>

#include "suite/card.h"
#include "suite/item.h"

/* The description for a conversation with these messages, `replies` of them by the character. */
static struct str text_for(struct arena *a, const struct character *who, const struct str *texts,
                           size_t n, size_t replies)
{
    struct card_scene scene = {.texts = texts, .n = n, .replies = (int64_t)replies, .greeting = -1};

    if (!who->lorebook)
        return who->text;
    return card_lore_text(a, who->text, card_lore_find(a, who->lorebook, &scene));
}

struct str role_text(struct arena *a, const struct character *who, const struct item *item)
{
    struct str *texts = NEW_N(a, struct str, item->nturns + 1);
    size_t n = 0, replies = 0;

    for (size_t i = 0; i < item->nturns; i++) {
        texts[n++] = item->turns[i].text;
        replies += strcmp(item->turns[i].role, "assistant") == 0;
    }
    if (item->prompt.n)
        texts[n++] = item->prompt;
    return text_for(a, who, texts, n, replies);
}

struct str role_told(struct arena *a, const struct character *who, const struct turn_list *turns)
{
    struct str *texts = NEW_N(a, struct str, turns->n + 1);
    size_t replies = 0;

    for (size_t i = 0; i < turns->n; i++) {
        texts[i] = turns->v[i].text;
        replies += turns->v[i].speaker == SPEAKER_MODEL;
    }
    return text_for(a, who, texts, turns->n, replies);
}

struct str role_cast(struct arena *a, const struct suite *s, const struct item *item)
{
    const struct cast *c = &s->elicit.dialogue.cast;
    const char *all = "";

    for (size_t i = 0; i < c->nmembers; i++) {
        const struct character *who = vocab_character_by(s, c->members[i].character);
        struct str text = role_text(a, who, item);
        all = arena_printf(a, "%s%s## %.*s\n\n%.*s", all, *all ? "\n\n" : "", STR_ARG(who->name),
                           STR_ARG(text));
    }
    return str_of(all);
}

/* ---- lorebooks written by hand ---- */

enum lore { LORE_ANY, LORE_YES_NO, LORE_COUNT, LORE_NUMBER, LORE_PLACE };

struct lore_key {
    const char *name;
    enum lore kind;
};

static const struct lore_key book_keys[] = {
    {"entries", LORE_ANY},        {"scan_depth", LORE_COUNT},
    {"token_budget", LORE_COUNT}, {"recursive_scanning", LORE_YES_NO},
    {"name", LORE_ANY},           {"description", LORE_ANY},
    {"extensions", LORE_ANY},
};

static const struct lore_key entry_keys[] = {
    {"keys", LORE_ANY},
    {"content", LORE_ANY},
    {"insertion_order", LORE_NUMBER},
    {"enabled", LORE_YES_NO},
    {"constant", LORE_YES_NO},
    {"selective", LORE_YES_NO},
    {"secondary_keys", LORE_ANY},
    {"case_sensitive", LORE_YES_NO},
    {"use_regex", LORE_YES_NO},
    {"priority", LORE_NUMBER},
    {"position", LORE_PLACE},
    {"name", LORE_ANY},
    {"comment", LORE_ANY},
    {"id", LORE_ANY},
    {"extensions", LORE_ANY},
};

/* Converts a value as suites write it (yes, no) to JSON; NULL: doc_to_json() has done so. */
static json_t *lore_value(const struct node *n, enum lore kind, struct diags *d)
{
    static const char *const places[] = {"before_char", "after_char"};

    switch (kind) {
    case LORE_YES_NO:
        return json_boolean(node_bool(n, false, d));
    case LORE_COUNT:
        return json_integer(node_int(n, 0, INT32_MAX, 0, d));
    case LORE_NUMBER:
        return json_real(node_double(n, -DBL_MAX, DBL_MAX, 0, d));
    case LORE_PLACE:
        (void)node_choice(n, places, COUNT(places), 0, d);
        break;
    case LORE_ANY:
        break;
    }
    return NULL;
}

/* Faults in cards of others are ignored, but those of the author of a suite are reported. */
static void read_values(const struct node *n, const struct lore_key *keys, size_t nkeys, json_t *j,
                        struct diags *d)
{
    const char *names[COUNT(entry_keys)];

    for (size_t i = 0; i < nkeys; i++)
        names[i] = keys[i].name;
    if (!node_keys(n, names, nkeys, d))
        return;
    for (size_t i = 0; i < nkeys; i++) {
        const struct node *m = node_get(n, names[i]);
        json_t *v = m && !node_is_null(m) ? lore_value(m, keys[i].kind, d) : NULL;
        if (v)
            json_put(j, names[i], v);
    }
}

static void read_book(const struct node *n, json_t *j, struct diags *d)
{
    const struct node *entries = node_get(n, "entries");
    const json_t *list = json_object_get(j, "entries");
    size_t i = 0;

    read_values(n, book_keys, COUNT(book_keys), j, d);
    if (entries && entries->kind == NODE_LIST)
        for (const struct node *m = entries->first; m; m = m->next)
            read_values(m, entry_keys, COUNT(entry_keys), json_array_get(list, i++), d);
}

const struct card_book *role_lorebook(struct arena *a, const struct node *n, struct diags *d)
{
    AUTO(json_freep) json_t *j = n ? doc_to_json(n) : NULL;
    struct card_book *book;
    struct err e = {0};

    if (!n)
        return NULL;
    if (n->kind == NODE_MAP)
        read_book(n, j, d);
    book = NEW(a, struct card_book);
    if (card_book_from_json(&(struct card_desk){a, n->at, d}, j, book, &e) != OK)
        diags_error(d, n->at, "%s", e.msg);
    return book;
}
