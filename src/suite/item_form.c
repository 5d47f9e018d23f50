#include "suite/item_form.h"

#include "base/message.h"
#include "suite/endpoint.h"
#include "suite/item.h"
#include "suite/prompt.h"
#include "suite/slot.h"
#include "suite/suite_read.h"
#include "suite/tag.h"

enum {
    KEYS_MAX = 10000, /* limit of `keys` */
    NEED_FAULTS = 20, /* items reported per missing name */
    ITEM_ID_MAX = 200,
};

/* A name used by a template, or by a system message by tag, that items must provide. */
struct item_need {
    struct str name;
    const struct str *system; /* only items with this system message; NULL: all */
    const char *who;          /* the template, as named in errors */
    int faults;
    struct item_need *next;
};

/* Adds the names in one text that items must provide; `want` has the other members. */
static void add_needs(struct item_form *f, struct str text, struct item_need want)
{
    while (prompt_name(&text, &want.name)) {
        struct item_need *need = f->needs;
        while (need && (need->system != want.system || need->who != want.who ||
                        !str_eq(need->name, want.name)))
            need = need->next;
        if (need || suite_knows(want.name) || suite_hides(want.name))
            continue;
        want.next = f->needs;
        f->needs = arena_copy(f->kept, &want, 1, sizeof want);
        f->wants_topic = f->wants_topic || str_is(want.name, "topic");
    }
}

void item_form_init(struct item_form *f, const struct suite *s)
{
    const struct elicit *e = &s->elicit;
    const char *who;

    *f = (struct item_form){.suite = s, .kept = arena_new()};
    map_init(&f->keys, f->kept);
    who = arena_printf(f->kept, N_("the template '%s'"), e->template.name);
    add_needs(f, e->template.system,
              (struct item_need){.system = e->nsystems ? &e->template.system : NULL, .who = who});
    add_needs(f, e->template.user, (struct item_need){.who = who});
    for (size_t i = 0; i < e->nsystems; i++)
        add_needs(
            f, e->systems[i].text,
            (struct item_need){.system = &e->systems[i].text, .who = "the template 'systems'"});
}

void item_form_model(struct item_form *f, const struct endpoint *model, struct diags *d)
{
    struct str texts[] = {model->template.system, model->template.user}, name;
    const char *who = arena_printf(f->kept, N_("the template of %s"), model->name);

    if (vocab_is_talk(f->suite))
        return; /* conversations have their own templates */
    for (size_t i = 0; i < COUNT(texts); i++) {
        add_needs(f, texts[i], (struct item_need){.who = who});
        while (prompt_name(&texts[i], &name))
            if (suite_needs_character(name) && f->suite->ncharacters == 0)
                diags_error(d, model->template_at,
                            "%s uses {{%.*s}}, but the suite has no character", who, STR_ARG(name));
    }
}

bool item_form_needs(const struct item_form *f, struct str name)
{
    for (const struct item_need *need = f->needs; need; need = need->next)
        if (str_eq(need->name, name))
            return true;
    return false;
}

void item_form_done(struct item_form *f)
{
    id_set_done(&f->ids);
    arena_free(f->kept);
}

/* ---- parts of an item ---- */

static const char *const item_keys[] = {"id",    "prompt", "reference", "character", "turns",
                                        "slots", "holds",  "card",      "keeps",     NULL};

static bool is_item_key(struct str key)
{
    return str_any(key, str_eq, item_keys);
}

/* These three never hold a text, so a text under one of them is a key of the user's own. */
static bool is_var(const struct node *m)
{
    return m->kind == NODE_SCALAR &&
           (str_is(m->key->text, "slots") || str_is(m->key->text, "holds") ||
            str_is(m->key->text, "card"));
}

/* Unknown keys are allowed; one that looks like a typo of a known key gets a single warning. */
static void look_at_key(const struct item_check *c, const struct node *key)
{
    struct map *keys = &c->form->keys;
    const char *near;

    if (map_get(keys, key->text) || keys->n >= KEYS_MAX)
        return;
    near = is_item_key(key->text) ? NULL : diag_suggest(key->text, item_keys, COUNT(item_keys) - 1);
    if (near)
        diags_warn(c->d, key->at, "the key '%.*s' is not '%s': did you mean that?",
                   STR_ARG(utf8_head(key->text, 40)), near);
    else if (suite_knows(key->text))
        diags_warn(c->d, key->at, "templates take '%.*s' from the suite, not from the item",
                   STR_ARG(key->text));
    if (c->pass == ITEM_REPORT || (!near && !suite_knows(key->text)))
        (void)map_put(keys, key->text, c->form);
}

/* Adds the second half of the tag as `topic`; always present if tags select the system message. */
static void add_topic(const struct item_check *c, struct item_var *vars, struct item *out)
{
    struct str topic = tag_read(tag_member(out, "tag")).topic;

    if (c->form->wants_topic && !tag_var(out, STR("topic")) &&
        (tag_var(out, STR("tag")) || c->form->suite->elicit.systems))
        vars[out->nvars++] = (struct item_var){"topic", topic};
}

static void read_vars(const struct item_check *c, const struct node *n, struct item *out)
{
    struct arena *a = c->a;
    struct item_var *vars = NEW_N(a, struct item_var, n->n + 1); /* plus a topic */

    if (n->n > ITEM_VARS_MAX) {
        diags_error(c->d, n->at, "an item has at most %d keys", ITEM_VARS_MAX);
        return;
    }
    for (const struct node *m = n->first; m; m = m->next) {
        if (is_item_key(m->key->text) && !is_var(m))
            continue;
        look_at_key(c, m->key);
        if (m->kind != NODE_SCALAR)
            diags_warn(c->d, m->key->at, "'%.*s' is a %s, which templates cannot use: ignored",
                       STR_ARG(utf8_head(m->key->text, 40)), m->kind == NODE_LIST ? "list" : "map");
        else if (!node_is_null(m))
            vars[out->nvars++] =
                (struct item_var){arena_text(a, m->key->text), field_plain(a, m, c->d)};
    }
    out->vars = vars;
    add_topic(c, vars, out);
}

static void read_turn(const struct item_check *c, const struct node *n, struct item_turn *out)
{
    static const char *const keys[] = {"role", "text"}, *const roles[] = {"user", "assistant"};

    *out = (struct item_turn){.role = roles[0], .text = STR("")};
    if (!node_keys(n, keys, COUNT(keys), c->d))
        return;
    if (!field_get(n, "role") || !field_get(n, "text"))
        diags_error(c->d, n->at, "a turn needs a 'role' (user, assistant) and a 'text'");
    out->role = roles[node_choice(field_get(n, "role"), roles, COUNT(roles), 0, c->d)];
    out->text = field_plain(c->a, field_get(n, "text"), c->d);
}

static void read_turns(const struct item_check *c, const struct node *n, struct item *out)
{
    struct item_turn *turns;

    if (!n)
        return;
    if (n->kind != NODE_LIST || n->n > ITEM_TURNS_MAX) {
        diags_error(c->d, n->at, "expected a list of at most %d turns {role, text}",
                    ITEM_TURNS_MAX);
        return;
    }
    if (c->form->suite->elicit.dialogue.cast.nmembers)
        diags_error(c->d, n->at, "a scene begins with its 'prompt': leave out 'turns'");
    turns = NEW_N(c->a, struct item_turn, n->n);
    for (const struct node *m = n->first; m; m = m->next)
        read_turn(c, m, &turns[out->nturns++]);
    out->turns = turns;
}

/* The prompt. Without one it is the final user turn of the dialogue or, if tags select the system
 * message, the tag as written. */
static void read_prompt(const struct item_check *c, const struct node *n, struct item *out)
{
    const struct node *prompt = field_get(n, "prompt"), *tag = field_get(n, "tag");

    out->prompt = field_plain(c->a, prompt, c->d);
    if (!prompt && out->nturns && strcmp(out->turns[out->nturns - 1].role, "user") == 0)
        out->prompt = out->turns[--out->nturns].text;
    else if (!prompt && tag && c->form->suite->elicit.systems)
        out->prompt = field_plain(c->a, tag, c->d);
    else if (!prompt)
        diags_error(c->d, n->at, "the item has no 'prompt'");
    else if (out->prompt.n == 0 && prompt->kind == NODE_SCALAR)
        diags_error(c->d, prompt->at, "the prompt is empty");
}

static void read_id(const struct item_check *c, const struct node *n, struct item *out)
{
    const struct node *id = field_get(n, "id");
    struct arena *a = c->a;
    struct str text = node_text(id, STR(""), c->d);
    bool good = text.n <= ITEM_ID_MAX && str_trim(text).n == text.n;

    for (size_t i = 0; i < text.n; i++)
        good = good && (unsigned char)text.p[i] >= ' ' && text.p[i] != 0x7F;
    if (id && text.n == 0 && id->kind == NODE_SCALAR)
        diags_error(c->d, id->at, "the id is empty");
    else if (id && !good)
        diags_error(c->d, id->at,
                    "an id has at most %d bytes, no control characters and no surrounding spaces",
                    ITEM_ID_MAX);
    out->id = good && text.n ? arena_text(a, text) : arena_int(a, c->position);
    if (id_set_has(&c->form->ids, str_of(out->id)))
        diags_error(c->d, id ? id->at : n->at, "'%s' is also the id of another item", out->id);
}

/* The one of n ids that m names; NULL if it names none of them, which is an error. */
static const char *read_one_of(const struct item_check *c, const struct node *m, const char **ids,
                               size_t n, bool user)
{
    struct str id = node_text(m, STR(""), c->d);
    const char *near;

    if (m->kind != NODE_SCALAR)
        return NULL;
    for (size_t i = 0; i < n; i++)
        if (str_is(id, ids[i]))
            return ids[i];
    near = diag_suggest(id, ids, n);
    id = utf8_head(id, 40);
    if (user)
        diags_error(c->d, m->at,
                    near ? "the suite has no user '%.*s' (did you mean '%s'?)"
                         : "the suite has no user '%.*s'",
                    STR_ARG(id), near);
    else
        diags_error(c->d, m->at,
                    near ? "the suite has no character '%.*s' (did you mean '%s'?)"
                         : "the suite has no character '%.*s'",
                    STR_ARG(id), near);
    return NULL;
}

static void read_character(const struct item_check *c, const struct node *n, struct item *out)
{
    const struct suite *s = c->form->suite;
    const struct node *m = field_get(n, "character");
    const char **ids;

    if (!m)
        return;
    ids = (const char **)arena_array(c->a, s->ncharacters, sizeof *ids);
    for (size_t i = 0; i < s->ncharacters; i++)
        ids[i] = s->characters[i].id;
    out->character = read_one_of(c, m, ids, s->ncharacters, false);
}

/* Checks the user of a dialogue. */
static void check_user(const struct item_check *c, const struct node *n)
{
    const struct elicit *e = &c->form->suite->elicit;
    const struct node *m = field_get(n, "user");
    const char **ids;

    if (!m || e->kind != ELICIT_DIALOGUE)
        return; /* elsewhere it is a key of the author's own */
    ids = (const char **)arena_array(c->a, e->dialogue.nusers, sizeof *ids);
    for (size_t i = 0; i < e->dialogue.nusers; i++)
        ids[i] = e->dialogue.users[i].id;
    (void)read_one_of(c, m, ids, e->dialogue.nusers, true);
}

/* The author's notes: see struct item_card. */
static void read_card(const struct item_check *c, const struct node *n, struct item *out)
{
    const struct shape_reading reading = {c->a, c->d, c->form->suite->language, false};
    const struct node *skills = field_get(n, "skills");

    if (!n || is_var(n))
        return;
    (void)shape_read(&reading, &suite_item_card_shape, n, &out->card);
    for (const struct node *m = skills ? skills->first : NULL; m; m = m->next)
        if (m->kind == NODE_SCALAR)
            (void)field_name(c->a, m, "", c->d);
}

/* A missing name would be reported for every item: stop after NEED_FAULTS. */
static void check_needs(const struct item_check *c, const struct node *n, const struct item *item)
{
    const struct str *system = tag_system(&c->form->suite->elicit, item);

    for (struct item_need *need = c->form->needs; need; need = need->next) {
        const char *near;
        if ((need->system && need->system != system) || tag_var(item, need->name))
            continue;
        if (need->faults >= NEED_FAULTS) {
            c->d->errors++;
            continue;
        }
        need->faults += c->pass == ITEM_REPORT;
        near = diag_suggest(need->name, suite_names, SUITE_NAMES);
        diags_error(c->d, n->at,
                    near ? "the item has no '%.*s', which %s uses (did you mean '%s'?)"
                         : "the item has no '%.*s', which %s uses",
                    STR_ARG(utf8_head(need->name, 40)), need->who, near);
    }
}

/* If tags select the system message, every item must get one. */
static void check_system(const struct item_check *c, const struct node *n, const struct item *item)
{
    const struct elicit *e = &c->form->suite->elicit;
    const struct node *tag = field_get(n, "tag");
    const char **kinds, *near;
    struct str kind;

    if (tag_system(e, item))
        return;
    if (c->form->untagged >= NEED_FAULTS) {
        c->d->errors++;
        return;
    }
    c->form->untagged += c->pass == ITEM_REPORT;
    kinds = (const char **)arena_array(c->a, e->nsystems, sizeof *kinds);
    for (size_t i = 0; i < e->nsystems; i++)
        kinds[i] = arena_text(c->a, e->systems[i].kind);
    kind = utf8_head(tag_read(tag_member(item, "tag")).kind, 40);
    near = diag_suggest(kind, kinds, e->nsystems);
    if (!tag)
        diags_error(c->d, n->at, "the item has no 'tag', and 'systems' has no default");
    else
        diags_error(c->d, tag->at,
                    near ? "'systems' has no message for the kind '%.*s' (did you mean '%s'?), and "
                           "no default"
                         : "'systems' has no message for the kind '%.*s', and no default",
                    STR_ARG(kind), near);
}

bool item_form_read(const struct item_check *c, const struct node *n, struct item *out)
{
    size_t errors = c->d->errors;
    struct item item = {.reference = STR("")};

    if (n->kind != NODE_MAP) {
        diags_error(c->d, n->at, "expected an item: a map with 'prompt', 'reference', ...");
        return false;
    }
    c->form->varies = c->form->varies || slot_varies(n);
    n = slot_fill(c->a, n, c->form->suite->form, c->d);
    if (!n)
        return false;
    read_id(c, n, &item);
    read_turns(c, field_get(n, "turns"), &item);
    read_prompt(c, n, &item);
    item.reference = field_plain(c->a, field_get(n, "reference"), c->d);
    item.keeps = field_plain(c->a, field_get(n, "keeps"), c->d);
    read_character(c, n, &item);
    check_user(c, n);
    read_vars(c, n, &item);
    read_card(c, field_get(n, "card"), &item);
    check_needs(c, n, &item);
    check_system(c, n, &item);
    if (c->d->errors != errors)
        return false;
    *out = item;
    return true;
}
