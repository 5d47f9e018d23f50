#include "eval/flag.h"

#include <math.h>

#include "base/json.h"
#include "base/map.h"
#include "eval/flag_find.h"
#include "suite/item.h"
#include "suite/mark.h"
#include "suite/models.h"
#include "suite/suite.h"

enum {
    EVIDENCE_RUNES = 2000, /* of each text: enough to see, bounded whatever a model wrote */
    SHARED_MAX = 1 << 26,  /* |a| |b|: beyond it no common part is looked for */
};

#define FINDER(kind, name) {RULE_##kind, flag_##name},
static const struct {
    enum rule_kind kind;
    flag_finder *find;
} finders[] = {FLAG_FINDERS(FINDER)};

/* ---- evidence ---- */

struct flag_shared flag_shared(struct arena *scratch, const struct flag_texts *t)
{
    const struct runes *f = t->folded;
    struct flag_shared shared = {STR(""), STR("")};
    struct similar_overlap o;

    if (f[1].n == 0 || f[0].n > SHARED_MAX / f[1].n)
        return shared;
    o = similar_overlap(scratch, f[0], f[1]);
    if (o.n) {
        shared.this = str_trim(fold_source(t->text[0], f[0], o.at[0], o.n));
        shared.other = str_trim(fold_source(t->text[1], f[1], o.at[1], o.n));
    }
    return shared;
}

static void set_text(json_t *j, const char *key, struct str text)
{
    (void)json_object_set_new(j, key, json_from_str(utf8_head(text, EVIDENCE_RUNES)));
}

static void set_ruling(json_t *j, const struct flag_ruling *r)
{
    (void)json_object_set_new(j, "judged", json_string(r->word));
    if (!*r->judges)
        return;
    set_text(j, "judge", str_of(r->judges));
    set_text(j, "said", r->said);
    if (r->quote.turn)
        (void)json_object_set_new(j, "quote",
                                  json_sprintf("[%lld] %.*s", (long long)r->quote.turn,
                                               (int)utf8_head(r->quote.text, EVIDENCE_RUNES).n,
                                               r->quote.text.p));
}

static const char *evidence_text(struct arena *keep, const struct flag_evidence *v)
{
    AUTO(json_freep) json_t *j = json_object();

    if (v->similar) {
        (void)json_object_set_new(j, "similarity", json_real(v->similar->score));
        (void)json_object_set_new(j, "indel", json_real(v->similar->indel));
        (void)json_object_set_new(j, "containment", json_real(v->similar->containment));
    }
    if (v->other_sample) {
        (void)json_object_set_new(j, "other_repeat", json_integer(v->other_repeat));
        (void)json_object_set_new(j, "other_sample", json_integer(v->other_sample));
    }
    if (v->why)
        set_text(j, "why", str_of(v->why));
    if (v->where)
        set_text(j, "where", str_of(v->where));
    set_text(j, "shared", v->shared.this);
    if (v->shared.other.p && !str_eq(v->shared.this, v->shared.other))
        set_text(j, "shared_other", v->shared.other);
    set_text(j, "this", v->this);
    if (v->other.p)
        set_text(j, "other", v->other);
    if (v->ruling)
        set_ruling(j, v->ruling);
    return json_text(keep, j);
}

static double share_of(const struct flag_ruling *r)
{
    return r && r->n ? (double)r->ayes / (double)r->n : NAN;
}

struct flag_found *flag_add(struct flag_found **list, struct arena *keep, int64_t sample,
                            enum rule_kind kind, const struct flag_evidence *v)
{
    struct flag_found *f = NEW(keep, struct flag_found);

    *f = (struct flag_found){
        .sample = sample,
        .kind = kind,
        .value = v->similar ? v->similar->score : share_of(v->ruling),
        .evidence = evidence_text(keep, v),
        .next = *list,
    };
    *list = f;
    return f;
}

/* ---- looking ---- */

static void fold_cards(struct flag_search *s)
{
    s->cards = NEW_N(s->keep, struct runes, s->suite->ncharacters + 1);
    for (size_t i = 0; i < s->suite->ncharacters; i++) {
        const struct character *c = &s->suite->characters[i];
        const char *text = arena_printf(s->keep, "%.*s\n%.*s", STR_ARG(c->name), STR_ARG(c->text));
        s->cards[i] = fold_text(s->keep, str_of(text));
    }
}

/* The card of the character with this id, or of the first one where there is no id; an empty card
 * where the suite has no character. */
static const struct runes *card_of(const struct flag_search *s, const char *id)
{
    size_t i = 0;

    while (id && i < s->suite->ncharacters && strcmp(s->suite->characters[i].id, id) != 0)
        i++;
    return &s->cards[i];
}

static enum status read_item(struct flag_search *s, const struct sample_row *row, struct err *e)
{
    if (s->item.id == row->item)
        return OK;
    arena_reset(s->item.arena);
    if (item_thaw(s->item.arena, row->body, &s->item.item, e) != OK)
        return err_wrap(e, "item %s", row->item_name);
    s->item.id = row->item;
    s->item.card = card_of(s, s->item.item.character);
    s->item.reference = fold_both(s->item.arena, s->item.item.reference);
    return OK;
}

/* A missing answer can only be flagged as missing. */
static bool is_about(enum rule_kind kind, enum state state)
{
    return (kind == RULE_EMPTY) == (state == STATE_FAILED);
}

static enum status look(struct flag_search *s, const struct flag_look *about, struct err *e)
{
    AUTO(cursor_close)
    struct cursor c = store_samples(about->store, &(struct sample_filter){.run = about->run}, e);
    struct sample_row row;

    while (store_sample_next(&c, &row)) {
        struct flag_answer now = {.row = &row};
        if (row.state != STATE_DONE && row.state != STATE_FAILED)
            continue;
        if (read_item(s, &row, e) != OK)
            return e->code;
        arena_reset(s->scratch);
        now.folded = fold_text(s->scratch, row.answer);
        for (size_t i = 0; i < COUNT(finders); i++)
            if (s->suite->rules.of[finders[i].kind].on && is_about(finders[i].kind, row.state))
                finders[i].find(s, &now);
    }
    return cursor_end(&c);
}

/* ---- writing ---- */

struct str flag_key(const struct flag_key *k)
{
    return (struct str){(const char *)k, sizeof *k};
}

/* Everything that is true of the run now. */
struct facts {
    const struct flag_look *about;
    const struct flag_training *training;
    struct arena *arena;
    struct map found;
};

/* A finder adds to the head of the list; the first flag found is to have the lowest number. */
static struct flag_found *reversed(struct flag_found *f)
{
    struct flag_found *r = NULL, *next;

    for (; f; f = next) {
        next = f->next;
        f->next = r;
        r = f;
    }
    return r;
}

static enum status put_found(struct facts *facts, const struct flag_found *f, struct err *e)
{
    for (; f; f = f->next) {
        struct flag_key fact = {f->sample, f->kind};
        (void)map_put(&facts->found, flag_key(&fact), facts);
        if (!f->past &&
            store_flag_put(facts->about->store, facts->about->run, f->sample,
                           suite_rule_name(f->kind), f->value, str_of(f->evidence), e) != OK)
            return e->code;
    }
    return OK;
}

/* A flag stays where nobody looked this time, unless its rule is gone. */
static bool is_kept(const struct facts *facts, enum rule_kind kind)
{
    return (flag_is_training(kind) ? !facts->training->searched : facts->about->same) &&
           facts->about->suite->rules.of[kind].on;
}

static enum status drop_untrue(const struct facts *facts, struct err *e)
{
    struct store *s = facts->about->store;
    struct cursor c = store_flags(s, facts->about->run, e);
    struct flag_fact f;
    int64_t *untrue = NULL;
    size_t n = 0, cap = 0;

    while (store_flag_next(&c, &f)) {
        struct flag_key fact = {f.sample, f.kind};
        if (is_kept(facts, f.kind) || map_get(&facts->found, flag_key(&fact)))
            continue;
        untrue = arena_grow(facts->arena, untrue, &cap, n + 1, sizeof *untrue);
        untrue[n++] = f.id;
    }
    if (cursor_end(&c) != OK)
        return e->code;
    for (size_t i = 0; i < n; i++)
        if (store_flag_drop(s, untrue[i], e) != OK)
            return e->code;
    return OK;
}

/* ---- the whole ---- */

/* *objective: the run has judges, and all of them are functions. */
static enum status find_judges(struct arena *a, const struct flag_look *about, bool *objective,
                               struct err *e)
{
    struct party_list judges;

    if (store_party_list(a, about->store, PARTY_JUDGE, about->run, &judges, e) != OK)
        return e->code;
    *objective = judges.n > 0;
    for (size_t i = 0; i < judges.n; i++) {
        struct err unknown = {0}; /* a judge that cannot be read is no function */
        struct endpoint ep = {0};
        *objective &= models_thaw(a, judges.v[i].config, &ep, &unknown) == OK &&
                      ep.kind == ENDPOINT_OBJECTIVE;
    }
    return OK;
}

enum status flag_find_all(struct arena *keep, const struct flag_look *about,
                          struct flag_found **out, struct err *e)
{
    AUTO(arena_freep) struct arena *group = arena_new();
    AUTO(arena_freep) struct arena *scratch = arena_new();
    AUTO(arena_freep) struct arena *item = arena_new();
    const struct rules *r = &about->suite->rules;
    struct identity_words words = {r->words, r->except, r->nwords, r->nexcept};
    struct flag_search s = {
        .suite = about->suite,
        .keep = keep,
        .group = group,
        .scratch = scratch,
        .item = {.arena = item},
        .identity = identity_new(keep, &words),
    };

    fold_cards(&s);
    if (find_judges(scratch, about, &s.objective, e) != OK || flag_ruling_load(&s, about, e) != OK)
        return e->code;
    arena_reset(scratch);
    if (look(&s, about, e) != OK)
        return e->code;
    *out = reversed(s.found);
    return OK;
}

/* Note what was searched; answers that came since then have still to be. */
static enum status keep_look(const struct facts *facts, bool *whole, struct err *e)
{
    const struct flag_look *about = facts->about;
    const struct look *searched = &facts->training->look;
    const char *key = "";

    *whole = true;
    if (!about->suite->rules.of[RULE_TRAINING].on)
        return OK;
    if (flag_training_key(facts->arena, about, &key, e) != OK)
        return e->code;
    *whole = searched->key[0] == '\0' || strcmp(searched->key, key) == 0;
    return store_look_put(about->store, about->run, searched, e);
}

enum status flag_refresh(const struct flag_look *about, const struct flag_training *training,
                         bool *whole, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct facts facts = {.about = about, .training = training, .arena = a};
    struct flag_found *found = NULL;

    map_init(&facts.found, a);
    if ((!about->same && flag_find_all(a, about, &found, e) != OK) ||
        put_found(&facts, found, e) != OK || put_found(&facts, training->found, e) != OK ||
        drop_untrue(&facts, e) != OK)
        return e->code;
    return keep_look(&facts, whole, e);
}
