#include "panel/leak.h"

#include "suite/item.h"
#include "suite/models.h"
#include "suite/suite.h"
#include "text/identity.h"
#include "text/plain.h"
#include "text/rune.h"

struct leak {
    const struct suite *suite;
    const struct identity *identity;
};

/* Minimum length of a recognisable name; "a" or "m1" occur in every text. In columns: two
 * Chinese or Japanese characters are a name. */
enum { NAME_MIN = 4 };

static bool is_told(struct str name)
{
    size_t columns = 0;

    while (name.n && columns < NAME_MIN)
        columns += (size_t)rune_width(utf8_next(&name));
    return columns >= NAME_MIN;
}

/* Adds the name with and without its vendor ("acme/zorblax-7b"), which models leave out. */
static void add_name(struct identity_words *words, struct str *also, struct str name)
{
    struct str vendor, bare = name;

    while (str_cut(bare, '/', &vendor, &bare))
        ;
    if (is_told(name))
        also[words->nalso++] = name;
    if (bare.n < name.n && is_told(bare))
        also[words->nalso++] = bare;
}

/* The name used by its server; models that break their role may use it. */
static struct str served_as(struct arena *a, const struct party *model)
{
    struct endpoint ep;
    struct err e;

    return models_thaw(a, model->config, &ep, &e) == OK && ep.model ? str_of(ep.model) : STR("");
}

struct leak *leak_new(struct arena *a, const struct suite *suite, const struct party_list *models)
{
    const struct rules *rules = &suite->rules;
    struct str *also = NEW_N(a, struct str, rules->nwords + 4 * models->n);
    struct identity_words words = {also, rules->except, 0, rules->nexcept};
    struct leak *l = NEW(a, struct leak);

    for (size_t i = 0; i < rules->nwords; i++)
        also[words.nalso++] = rules->words[i];
    for (size_t i = 0; i < models->n; i++) {
        add_name(&words, also, str_of(models->v[i].name));
        add_name(&words, also, served_as(a, &models->v[i]));
    }
    l->suite = suite;
    l->identity = identity_new(a, &words);
    return l;
}

static struct identity_text to_look_at(struct arena *a, const struct leak *l,
                                       const struct item *item, struct str text)
{
    const struct character *who = vocab_character(l->suite, item);

    return (struct identity_text){
        .text = text,
        .folded = fold_text(a, text),
        .card = fold_text(a, who->text),
        .said = fold_text(a, item->prompt),
    };
}

struct leak_found leak_look(struct arena *a, const struct leak *l, const struct item *item,
                            struct str text)
{
    struct identity_text t = to_look_at(a, l, item, text);
    struct identity_fault f = identity_find(l->identity, &t);
    struct plain_fault broken = plain_malformed(text);

    if (f.why)
        return (struct leak_found){f.why, f.part};
    return broken.why ? (struct leak_found){"malformed", broken.part} : (struct leak_found){0};
}

/* Continues after n bytes without folding the rest again: a model that breaks its role may
 * repeat itself thousands of times. */
static void go_on(struct identity_text *t, uint32_t *at, size_t n)
{
    size_t from = 0;

    while (from < t->folded.n && at[from] < n)
        from++;
    t->text = str_from(t->text, n);
    t->folded = (struct runes){t->folded.p + from, at, t->folded.n - from};
    for (size_t i = 0; i < t->folded.n; i++)
        at[i] = at[i + from] - (uint32_t)n;
}

static const struct str blot = {"███", 9};

struct str leak_blot(struct arena *a, const struct leak *l, const struct item *item,
                     struct str text)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    AUTO(buf_done) struct buf b = BUF_MAX((blot.n + 1) * text.n);
    struct identity_text t = to_look_at(scratch, l, item, text);
    uint32_t *at = arena_copy(scratch, t.folded.at, t.folded.n, sizeof *at);
    struct identity_fault f;

    t.folded.at = at;
    while (t.text.n && (f = identity_find(l->identity, &t)).why && f.part.n) {
        size_t before = (size_t)(f.part.p - t.text.p);
        buf_add(&b, (struct str){t.text.p, before});
        buf_add(&b, blot);
        go_on(&t, at, before + f.part.n);
    }
    buf_add(&b, t.text);
    return arena_str(a, buf_str(&b));
}

/* A text that stops half-way reveals a limit, and raters would mark it down. */
static struct leak_found find_cut(const struct leak *l, const struct sample_row *row)
{
    bool whole = l->suite->elicit.take != TAKE_ALL && plain_ended(row->answer);
    struct plain_fault cut = plain_cut(row->answer);

    if (row->finish && strcmp(row->finish, "length") == 0 && !whole)
        return (struct leak_found){"truncated", STR("")};
    return cut.why ? (struct leak_found){"truncated", cut.part} : (struct leak_found){0};
}

enum status leak_find(struct leak *l, const struct sample_row *row, struct leak_found *out,
                      struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct item item;

    if (item_thaw(a, row->body, &item, e) != OK)
        return e->code;
    *out = leak_look(a, l, &item, row->answer);
    if (!out->why)
        *out = find_cut(l, row);
    return OK;
}
