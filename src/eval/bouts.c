#include "eval/bouts.h"

#include "base/map.h"
#include "math/bt_style.h"
#include "store/store_flag.h"
#include "store/store_pair.h"
#include "store/store_read.h"
#include "suite/mark.h"

/* One battle, of one verdict or two. */
struct bout {
    int64_t judge, item, repeat, judge_repeat, a, b, sample_a, sample_b;
    size_t verdicts, done, open; /* open: planned or under way */
    bool silent;                 /* no judge saw it */
    int64_t winner[2];           /* 0: a tie */
    bool first_won[2];
};

struct reader {
    struct arena *arena;
    const struct bouts_want *want;
    struct bouts *out;
    size_t wanted;                                        /* verdicts of a battle */
    struct map models, judges, styles, flagged, left_out; /* by map_id() */
    struct bout bout;
    int64_t item; /* of the last battle that counted */
    int64_t first_item;
    size_t duels_cap, fought_cap, style_cap, matches_cap;
};

static struct bouts_model *model_of(const struct reader *r, int64_t id)
{
    return map_get(&r->models, map_id(&id));
}

static uint32_t index_of(const struct reader *r, int64_t model)
{
    return (uint32_t)(model_of(r, model) - r->out->models);
}

/* ---- who takes part ---- */

static enum status read_models(struct reader *r, struct err *e)
{
    struct bouts *b = r->out;
    struct party_list l;

    if (store_party_list(r->arena, r->want->store, PARTY_MODEL, r->want->run, &l, e) != OK)
        return e->code;
    b->nmodels = l.n;
    b->models = NEW_N(r->arena, struct bouts_model, l.n);
    b->model = NEW_N(r->arena, uint32_t, l.n);
    b->set.names = NEW_N(r->arena, const char *, l.n);
    for (size_t i = 0; i < l.n; i++) {
        b->models[i] =
            (struct bouts_model){.id = l.v[i].id, .name = l.v[i].name, .family = l.v[i].family};
        (void)map_put(&r->models, map_id(&l.v[i].id), &b->models[i]);
    }
    return OK;
}

static enum status read_items(struct reader *r, struct err *e)
{
    int64_t last;

    if (store_item_span(r->want->store, r->want->run, &r->first_item, &last, e) != OK)
        return e->code;
    r->out->items = (size_t)(last - r->first_item + 1);
    return OK;
}

static enum status read_judges(struct reader *r, struct err *e)
{
    struct bouts *b = r->out;
    struct party_list l;

    if (r->want->jury)
        l = r->want->jury->members;
    else if (store_party_list(r->arena, r->want->store, PARTY_JUDGE, r->want->run, &l, e) != OK)
        return e->code;
    b->njudges = l.n;
    b->judges = NEW_N(r->arena, struct bouts_judge, l.n);
    for (size_t i = 0; i < l.n; i++) {
        b->judges[i] = (struct bouts_judge){
            .id = l.v[i].id,
            .name = l.v[i].name,
            .family = l.v[i].family,
            .first = NEW_N(r->arena, struct interval_cluster, b->items + 1),
            .consistent = NEW_N(r->arena, struct interval_cluster, b->items + 1)};
        (void)map_put(&r->judges, map_id(&l.v[i].id), &b->judges[i]);
    }
    return OK;
}

static enum status read_styles(struct reader *r, struct err *e)
{
    struct cursor c = store_answers(r->want->store, r->want->run, e);
    struct answer_row row;

    while (store_answer_next(&c, &row)) {
        struct style *s = map_room(&r->styles, map_id(&row.sample), sizeof *s);
        *s = style_of(row.answer);
    }
    return cursor_end(&c);
}

static enum status read_flags(struct reader *r, struct err *e)
{
    struct cursor c = store_flags(r->want->store, r->want->run, e);
    struct flag_fact f;

    while (store_flag_next(&c, &f)) {
        const struct rule *rule = &r->want->suite->rules.of[f.kind];
        if (!f.overruled && rule->on && rule->effect != EFFECT_NOTE)
            (void)map_put(rule->effect == EFFECT_LEAVE_OUT ? &r->left_out : &r->flagged,
                          map_id(&f.sample), r);
    }
    return cursor_end(&c);
}

/* ---- from verdicts to battles ---- */

/* The model's number in the battle set: by first battle, without gaps. */
static uint32_t number_of(const struct reader *r, int64_t model)
{
    struct bouts_model *m = model_of(r, model);
    struct bouts *b = r->out;

    if (!m->met) {
        m->met = true;
        m->number = (uint32_t)b->set.models++;
        b->set.names[m->number] = m->name;
        b->model[m->number] = index_of(r, model);
    }
    return m->number;
}

static void add_style(struct reader *r, const struct bout *b)
{
    static const struct style none;
    struct battle_set *set = &r->out->set;
    const struct style *x = map_get(&r->styles, map_id(&b->sample_a)),
                       *y = map_get(&r->styles, map_id(&b->sample_b));

    x = x ? x : &none;
    y = y ? y : &none;
    set->style = arena_grow(r->arena, set->style, &r->style_cap, set->n + 1, sizeof *set->style);
    for (size_t f = 0; f < STYLE_FEATURES; f++)
        set->style[set->n][f] = bt_style_contrast(x->v[f], y->v[f]);
}

/* Apply the flags of both answers to a judged battle; false: it does not count. */
static bool heed_flags(struct reader *r, const struct bout *b, int64_t *winner)
{
    bool x = map_get(&r->flagged, map_id(&b->sample_a)) != NULL,
         y = map_get(&r->flagged, map_id(&b->sample_b)) != NULL;
    enum flagged flagged = r->want->suite->instrument.flagged;

    if (map_get(&r->left_out, map_id(&b->sample_a)) ||
        map_get(&r->left_out, map_id(&b->sample_b))) {
        r->out->left_out++;
        return false;
    }
    if (flagged == FLAGGED_IGNORE || (!x && !y))
        return true;
    r->out->flagged++;
    *winner = x && y ? 0 : x ? b->b : b->a;
    return flagged == FLAGGED_LOSE;
}

static enum status add_duel(struct reader *r, const struct bout *b, int64_t winner, struct err *e)
{
    struct battle_set *set = &r->out->set;
    struct duel d = {.outcome = winner == b->a   ? DUEL_WON
                                : winner == b->b ? DUEL_LOST
                                                 : DUEL_TIED,
                     .weight = 1};
    const struct bouts_judge *judge = map_get(&r->judges, map_id(&b->judge));

    if (set->n >= BATTLE_MAX)
        return err_set(e, E_INPUT, "more than %d battles", BATTLE_MAX);
    d.a = number_of(r, b->a);
    d.b = number_of(r, b->b);
    /* Battles come item by item. */
    if (set->n == 0 || r->item != b->item)
        set->clusters++;
    r->item = b->item;
    d.cluster = (uint32_t)(set->clusters - 1);
    if (set->styled[0])
        add_style(r, b);
    r->out->fought =
        arena_grow(r->arena, r->out->fought, &r->fought_cap, set->n + 1, sizeof *r->out->fought);
    r->out->fought[set->n] =
        (struct bouts_fought){(uint32_t)(judge - r->out->judges), (uint32_t)(r->out->nmatches - 1)};
    set->v = arena_grow(r->arena, set->v, &r->duels_cap, set->n + 1, sizeof *set->v);
    set->v[set->n++] = d;
    return OK;
}

static void count_judge(struct bouts_judge *j, const struct bout *b, size_t item)
{
    for (size_t i = 0; i < b->done; i++) {
        j->first[item].n += b->winner[i] != 0;
        j->first[item].sum += b->first_won[i];
    }
    if (b->done < 2)
        return;
    j->pairs++;
    j->consistent[item].n++;
    j->consistent[item].sum += b->winner[0] == b->winner[1];
    if (b->winner[0] != b->winner[1] && b->winner[0] && b->winner[1]) {
        j->first_twice += b->first_won[0];
        j->last_twice += !b->first_won[0];
    }
}

/* The judges of a match follow each other. */
static void note_match(struct reader *r, const struct bout *b)
{
    struct bouts *o = r->out;
    struct bouts_match m = {b->item, b->repeat, index_of(r, b->a), index_of(r, b->b)};
    const struct bouts_match *last = o->nmatches ? &o->matches[o->nmatches - 1] : NULL;

    if (last && last->item == m.item && last->repeat == m.repeat && last->a == m.a &&
        last->b == m.b)
        return;
    o->matches =
        arena_grow(r->arena, o->matches, &r->matches_cap, o->nmatches + 1, sizeof *o->matches);
    o->matches[o->nmatches++] = m;
}

static enum status close_bout(struct reader *r, struct err *e)
{
    const struct bout *b = &r->bout;
    struct bouts_model *side[2];
    int64_t winner;

    if (b->verdicts == 0)
        return OK;
    side[0] = model_of(r, b->a);
    side[1] = model_of(r, b->b);
    for (size_t i = 0; i < 2; i++) {
        side[i]->planned++;
        side[i]->unjudged += b->done < r->wanted && b->open > 0;
        side[i]->unscored += b->done < r->wanted && b->open == 0 && !b->silent;
    }
    r->out->open |= b->open > 0;
    if (!b->silent)
        count_judge(map_get(&r->judges, map_id(&b->judge)), b, (size_t)(b->item - r->first_item));
    note_match(r, b);
    if (b->done < r->wanted && !b->silent)
        return OK;
    winner = b->done == 2 && b->winner[0] != b->winner[1] ? 0 : b->winner[0];
    return heed_flags(r, b, &winner) ? add_duel(r, b, winner, e) : OK;
}

static bool same_bout(const struct bout *b, const struct battle_row *row)
{
    return b->verdicts && b->verdicts < 2 && b->judge == row->judge && b->item == row->item &&
           b->repeat == row->repeat && b->judge_repeat == row->judge_repeat && b->a == row->a &&
           b->b == row->b;
}

static enum status add_verdict(struct reader *r, const struct battle_row *row, struct err *e)
{
    struct bout *b = &r->bout;

    if (!same_bout(b, row)) {
        if (close_bout(r, e) != OK)
            return e->code;
        *b = (struct bout){.judge = row->judge,
                           .item = row->item,
                           .repeat = row->repeat,
                           .judge_repeat = row->judge_repeat,
                           .a = row->a,
                           .b = row->b,
                           .sample_a = row->sample_a,
                           .sample_b = row->sample_b};
    }
    b->silent = row->id == 0;
    b->verdicts++;
    b->open += row->state == STATE_PLANNED;
    if (row->state == STATE_DONE) {
        b->winner[b->done] = row->winner;
        b->first_won[b->done++] = row->winner == (row->a_first ? row->a : row->b);
    }
    return OK;
}

/* ---- the whole ---- */

/* False: its model or judge was added after those were read, or is another run's. */
static bool is_known(const struct reader *r, const struct battle_row *row)
{
    return model_of(r, row->a) && model_of(r, row->b) && map_get(&r->judges, map_id(&row->judge)) &&
           row->item >= r->first_item && (size_t)(row->item - r->first_item) < r->out->items;
}

static enum status read_verdicts(struct reader *r, struct err *e)
{
    const struct rule *empty = &r->want->suite->rules.of[RULE_EMPTY];
    bool silence = r->want->flags && empty->on && empty->effect == EFFECT_ZERO;
    AUTO(cursor_close)
    struct cursor c = store_battles(r->want->store, r->want->run, r->want->jury, silence, e);
    struct battle_row row;

    while (store_battle_next(&c, &row))
        if (is_known(r, &row) && add_verdict(r, &row, e) != OK)
            return e->code;
    return cursor_end(&c) == OK ? close_bout(r, e) : e->code;
}

static enum status read_all(struct reader *r, struct err *e)
{
    if (read_models(r, e) != OK || read_items(r, e) != OK || read_judges(r, e) != OK ||
        (r->want->style && read_styles(r, e) != OK) || (r->want->flags && read_flags(r, e) != OK))
        return e->code;
    return read_verdicts(r, e);
}

enum status bouts_read(struct arena *a, const struct bouts_want *want, struct bouts *out,
                       struct err *e)
{
    bool people = want->jury && want->jury->campaign; /* they choose once */
    struct bouts b = {.set.cluster = "item"};
    struct reader r = {.arena = a,
                       .want = want,
                       .out = &b,
                       .wanted = want->suite->instrument.both_orders && !people ? 2 : 1};
    struct map *maps[] = {&r.models, &r.judges, &r.styles, &r.flagged, &r.left_out};

    for (size_t i = 0; i < COUNT(maps); i++)
        map_init(maps[i], a);
    for (size_t f = 0; f < STYLE_FEATURES; f++)
        b.set.styled[f] = want->style;
    if (read_all(&r, e) != OK)
        return e->code;
    *out = b;
    return OK;
}

struct duel *bouts_weighted(struct arena *a, const struct bouts *b)
{
    struct duel *v = arena_copy(a, b->set.v, b->set.n, sizeof *v);

    for (size_t from = 0, to; from < b->set.n; from = to) {
        for (to = from; to < b->set.n && b->fought[to].match == b->fought[from].match; to++)
            ;
        for (size_t i = from; i < to; i++)
            v[i].weight = 1 / (double)(to - from);
    }
    return v;
}
