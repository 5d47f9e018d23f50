#include "eval/flag.h"

#include <math.h>

#include "base/json.h"
#include "base/map.h"
#include "eval/flag_find.h"
#include "eval/suite.h"

enum {
    EVIDENCE_RUNES = 2000, /* of each text: enough to see, bounded whatever a model wrote */
    SHARED_MAX = 1 << 26,  /* |a| |b|: beyond it no common part is looked for */
};

/* The facts, and who finds them; training lines are searched by flag_training(). */
static const struct {
    enum rule_kind kind;
    flag_finder *find;
} finders[] = {
    {RULE_DUPLICATE, flag_duplicate}, {RULE_LEAK, flag_leak},
    {RULE_MARKUP, flag_markup},       {RULE_MALFORMED, flag_malformed},
    {RULE_TRUNCATED, flag_truncated}, {RULE_LANGUAGE, flag_language},
    {RULE_IDENTITY, flag_identity},
};

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

static const char *evidence_text(struct arena *keep, const struct flag_evidence *v)
{
    AUTO(json_freep) json_t *j = json_object();

    if (v->similar) {
        (void)json_object_set_new(j, "similarity", json_real(v->similar->score));
        (void)json_object_set_new(j, "indel", json_real(v->similar->indel));
        (void)json_object_set_new(j, "containment", json_real(v->similar->containment));
    }
    if (v->sample) {
        (void)json_object_set_new(j, "other_repeat", json_integer(v->sample->repeat));
        (void)json_object_set_new(j, "other_sample", json_integer(v->sample->id));
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
    return json_text(keep, j);
}

struct flag_found *flag_add(struct flag_found **list, struct arena *keep, int64_t sample,
                            enum rule_kind kind, const struct flag_evidence *v)
{
    struct flag_found *f = NEW(keep, struct flag_found);

    *f = (struct flag_found){
        .sample = sample,
        .kind = kind,
        .value = v->similar ? v->similar->score : NAN,
        .evidence = evidence_text(keep, v),
        .next = *list,
    };
    *list = f;
    return f;
}

/* ---- looking ---- */

static const struct character *card_of(const struct suite *s, const char *id)
{
    for (size_t i = 0; i < s->ncharacters; i++)
        if (!id || strcmp(s->characters[i].id, id) == 0)
            return &s->characters[i];
    return NULL;
}

static void join(struct buf *b, struct str s)
{
    buf_add(b, s);
    buf_char(b, '\n');
}

/* What the item says about who is played, and what was said to them. */
static void fold_item(struct flag_item *i, const struct suite *suite)
{
    AUTO(buf_done) struct buf card = BUF_MAX(SIZE_MAX / 2); /* as large as its bounded parts */
    AUTO(buf_done) struct buf said = BUF_MAX(SIZE_MAX / 2);
    const struct character *c = card_of(suite, i->item.character);

    if (c) {
        join(&card, c->name);
        join(&card, c->text);
    }
    for (size_t n = 0; n < i->item.nvars; n++)
        join(&card, i->item.vars[n].value);
    for (size_t n = 0; n < i->item.nturns; n++)
        join(&said, i->item.turns[n].text);
    join(&said, i->item.prompt);
    i->card = fold_text(i->arena, arena_str(i->arena, buf_str(&card)));
    i->said = fold_text(i->arena, arena_str(i->arena, buf_str(&said)));
    i->reference = fold_both(i->arena, i->item.reference);
}

static enum status read_item(struct flag_search *s, const struct sample_row *row, struct err *e)
{
    if (s->item.id == row->item)
        return OK;
    arena_reset(s->item.arena);
    if (item_thaw(s->item.arena, row->body, &s->item.item, e) != OK)
        return err_wrap(e, "item %s", row->item_name);
    s->item.id = row->item;
    fold_item(&s->item, s->suite);
    return OK;
}

static enum status look(void *user, const struct sample_row *row, struct err *e)
{
    struct flag_search *s = user;
    struct flag_answer now = {.row = row};

    if (row->state != STATE_DONE)
        return OK;
    if (read_item(s, row, e) != OK)
        return e->code;
    arena_reset(s->scratch);
    now.folded = fold_both(s->scratch, row->answer);
    for (size_t i = 0; i < COUNT(finders); i++)
        if (s->suite->rules.of[finders[i].kind].on)
            finders[i].find(s, &now);
    return OK;
}

static enum status look_at_all(struct flag_search *s, struct store *st, int64_t run, struct err *e)
{
    AUTO(arena_freep) struct arena *group = arena_new();
    AUTO(arena_freep) struct arena *scratch = arena_new();
    AUTO(arena_freep) struct arena *item = arena_new();
    const struct rules *rules = &s->suite->rules;
    struct identity_words words = {rules->words, rules->except, rules->nwords, rules->nexcept};
    struct sample_filter all = {.run = run};

    s->group = group;
    s->scratch = scratch;
    s->item.arena = item;
    s->identity = identity_new(s->keep, &words);
    return store_sample_each(st, &all, look, s, e);
}

/* ---- writing ---- */

/* Of a flag: which sample, which kind. */
struct fact {
    int64_t sample, kind;
};

static struct str fact_key(const struct fact *f)
{
    return (struct str){(const char *)f, sizeof *f};
}

/* What is stored, by fact. */
struct stored {
    struct map by;
    struct flag_list list;
};

static enum status load_stored(struct arena *a, struct store *st, int64_t run, struct stored *out,
                               struct err *e)
{
    map_init(&out->by, a);
    if (store_flag_list(a, st, run, &out->list, e) != OK)
        return e->code;
    for (size_t i = 0; i < out->list.n; i++) {
        struct flag_row *row = &out->list.v[i];
        struct fact fact = {.sample = row->sample};
        enum rule_kind kind;
        if (!vocab_rule_find(row->kind, &kind))
            continue;
        fact.kind = kind;
        (void)map_put(&out->by, fact_key(&fact), row);
    }
    return OK;
}

static bool is_same(const struct flag_row *was, const struct flag_found *f)
{
    return str_is(was->evidence, f->evidence) &&
           (was->value == f->value || (isnan(was->value) && isnan(f->value)));
}

/* Write the flags that are new or have changed; *stored forgets those that are still true. */
static enum status put_found(struct store *st, int64_t run, const struct flag_found *f,
                             struct map *true_now, const struct stored *stored, struct err *e)
{
    for (; f; f = f->next) {
        struct fact fact = {f->sample, f->kind};
        const struct flag_row *was = map_get(&stored->by, fact_key(&fact));
        (void)map_put(true_now, fact_key(&fact), true_now);
        if (was && is_same(was, f))
            continue;
        if (store_flag_put(st, run, f->sample, vocab_rule_name(f->kind), f->value,
                           str_of(f->evidence), e) != OK)
            return e->code;
    }
    return OK;
}

/* Training flags stay when the lines were not searched now, unless the rule is gone. */
static bool is_kept(const struct flag_search *s, const struct flag_training *t, enum rule_kind kind)
{
    return (kind == RULE_TRAINING || kind == RULE_TRAINING_NEAR) && !t->searched &&
           s->suite->rules.of[kind].on;
}

static enum status drop_untrue(struct flag_search *s, struct store *st,
                               const struct flag_training *t, const struct map *true_now,
                               const struct stored *stored, struct err *e)
{
    for (size_t i = 0; i < stored->list.n; i++) {
        const struct flag_row *row = &stored->list.v[i];
        struct fact fact = {.sample = row->sample};
        enum rule_kind kind;
        if (!vocab_rule_find(row->kind, &kind) || is_kept(s, t, kind))
            continue;
        fact.kind = kind;
        if (!map_get(true_now, fact_key(&fact)) && store_flag_drop(st, row->id, e) != OK)
            return e->code;
    }
    return OK;
}

static enum status write_all(struct flag_search *s, struct store *st, int64_t run,
                             const struct flag_training *t, struct err *e)
{
    struct stored stored;
    struct map true_now;

    map_init(&true_now, s->keep);
    if (load_stored(s->keep, st, run, &stored, e) != OK ||
        put_found(st, run, s->found, &true_now, &stored, e) != OK ||
        put_found(st, run, t->found, &true_now, &stored, e) != OK)
        return e->code;
    return drop_untrue(s, st, t, &true_now, &stored, e);
}

/* Note what was searched; answers that came since then have still to be. */
static enum status keep_training(const struct flag_search *s, struct store *st, int64_t run,
                                 const struct flag_training *t, bool *whole, struct err *e)
{
    const char *key;

    *whole = true;
    if (!s->suite->rules.of[RULE_TRAINING].on)
        return OK;
    if (flag_training_key(s->keep, st, run, s->suite, &key, e) != OK)
        return e->code;
    *whole = t->look.key[0] == '\0' || strcmp(t->look.key, key) == 0;
    return store_look_put(st, run, &t->look, e);
}

enum status flag_refresh(struct store *st, const struct run_row *run, const struct suite *suite,
                         const struct flag_training *training, bool *whole, struct err *e)
{
    AUTO(arena_freep) struct arena *keep = arena_new();
    struct flag_search s = {.suite = suite, .keep = keep};

    if (look_at_all(&s, st, run->id, e) != OK || write_all(&s, st, run->id, training, e) != OK)
        return e->code;
    return keep_training(&s, st, run->id, training, whole, e);
}
