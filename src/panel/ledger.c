#include "panel/ledger.h"

#include <math.h>

#include "base/map.h"
#include "panel/ballot.h"
#include "panel/practice.h"

/* Numbers names in the order of their first appearance. */
struct roll {
    struct map map;
    const char **names;
    size_t n, cap;
};

struct reading {
    struct arena *a;
    const struct campaign *c;
    struct ledger l;
    struct roll systems, raters, passages, texts;
    size_t samples_cap, items_cap, text_cap, system_cap, cap, anchors_cap, turns_cap;
    struct entry *again; /* marks of repeated passages */
    size_t nagain, again_cap;
    int64_t whole, talk; /* last assignment with a vote on the whole, and with a vote on a turn */
    int lead;            /* votes on turns for the first minus those for the second */
};

static uint32_t number(struct reading *r, struct roll *roll, const char *name, bool *fresh)
{
    uint32_t i = map_number(&roll->map, str_of(name));

    *fresh = i == roll->n;
    if (*fresh) {
        roll->names = arena_grow(r->a, roll->names, &roll->cap, roll->n + 1, sizeof *roll->names);
        roll->names[roll->n++] = arena_text(r->a, str_of(name));
    }
    return i;
}

static bool dimension_of(const struct campaign *c, const char *id, uint32_t *out)
{
    const struct instrument *in = &c->suite.instrument;

    *out = 0;
    if (in->kind == INSTRUMENT_PAIR)
        return strcmp(id, BALLOT_CHOICE) == 0;
    for (size_t i = 0; i < in->ndimensions; i++)
        if (strcmp(in->dimensions[i].id, id) == 0) {
            *out = (uint32_t)i;
            return true;
        }
    return false;
}

static uint32_t passage_number(struct reading *r, const struct fact *f)
{
    bool fresh;
    uint32_t i = number(r, &r->passages, f->item_name, &fresh);

    if (fresh) {
        r->l.items = arena_grow(r->a, r->l.items, &r->items_cap, r->passages.n, sizeof *r->l.items);
        r->l.items[i] = f->item;
    }
    return i;
}

static uint32_t text_number(struct reading *r, int64_t item, int64_t sample, uint32_t passage,
                            uint32_t system)
{
    char name[64];
    bool fresh;
    uint32_t i;

    (void)snprintf(name, sizeof name, "%lld/%lld", (long long)item, (long long)sample);
    i = number(r, &r->texts, name, &fresh);
    if (fresh) {
        struct ledger *l = &r->l;
        size_t n = r->texts.n;
        l->samples = arena_grow(r->a, l->samples, &r->samples_cap, n, sizeof *l->samples);
        l->text_of = arena_grow(r->a, l->text_of, &r->text_cap, n, sizeof *l->text_of);
        l->system_of = arena_grow(r->a, l->system_of, &r->system_cap, n, sizeof *l->system_of);
        l->samples[i] = sample;
        l->text_of[i] = passage;
        l->system_of[i] = system;
    }
    return i;
}

static void take_anchor(struct reading *r, const struct fact *f, uint32_t dimension)
{
    const struct spec *spec = &r->c->spec;
    struct ledger *l = &r->l;

    if (f->phase != PHASE_ANCHOR || !f->handed_in || (size_t)f->anchor >= spec->nanchors ||
        r->c->suite.instrument.kind == INSTRUMENT_PAIR)
        return;
    l->anchors = arena_grow(r->a, l->anchors, &r->anchors_cap, l->nanchors + 1, sizeof *l->anchors);
    l->anchors[l->nanchors++] = (struct anchor_entry){
        .rater = number(r, &r->raters, f->pseudonym, &(bool){false}),
        .dimension = dimension,
        .error = practice_steps(&r->c->suite.instrument.dimensions[dimension], f->value,
                                spec->anchors[f->anchor].scores[dimension]),
    };
}

static void add(struct reading *r, const struct entry *x)
{
    r->l.v = arena_grow(r->a, r->l.v, &r->cap, r->l.n + 1, sizeof *r->l.v);
    r->l.v[r->l.n++] = *x;
}

/* A vote on a turn. Facts come by assignment, votes on the whole first; without one, the battle
 * is decided by the votes on turns. */
static void take_turn(struct reading *r, const struct fact *f, const struct entry *x)
{
    bool begins = r->talk != f->assignment;
    struct entry *battle;

    r->l.turns = arena_grow(r->a, r->l.turns, &r->turns_cap, r->l.nturns + 1, sizeof *x);
    r->l.turns[r->l.nturns++] = *x;
    if (r->whole == f->assignment || !f->handed_in)
        return;
    if (begins)
        add(r, x);
    battle = &r->l.v[r->l.n - 1];
    r->talk = f->assignment;
    r->lead = (begins ? 0 : r->lead) + (x->value > 0.5) - (x->value < 0.5);
    battle->value = r->lead > 0 ? 1 : r->lead < 0 ? 0 : 0.5;
    battle->bad &= x->bad;
}

static void take(struct reading *r, const struct fact *f)
{
    struct entry x = {.counts = fact_counts(r->c, f), .value = f->value};
    bool pair = r->c->suite.instrument.kind == INSTRUMENT_PAIR,
         turn = pair && str_starts(str_of(f->dimension), STR(BALLOT_TURN)), fresh;

    r->whole = turn ? r->whole : f->assignment;
    if (f->cannot || (!turn && !dimension_of(r->c, f->dimension, &x.dimension)))
        return;
    x.bad = pair && f->value == BALLOT_BAD;
    x.value = x.bad ? 0.5 : f->value;
    if (!f->item_name || !f->system) {
        take_anchor(r, f, x.dimension);
        return;
    }
    if (f->phase == PHASE_REPEAT && !f->handed_in)
        return;
    x.rater = number(r, &r->raters, f->pseudonym, &fresh);
    x.passage = passage_number(r, f);
    x.system = number(r, &r->systems, f->system, &fresh);
    x.other = f->other_system ? number(r, &r->systems, f->other_system, &fresh) : x.system;
    x.text = text_number(r, f->item, f->sample, x.passage, x.system);
    x.second = f->other_system ? text_number(r, f->item, f->other, x.passage, x.other) : x.text;
    if (f->phase == PHASE_REPEAT) {
        r->again = arena_grow(r->a, r->again, &r->again_cap, r->nagain + 1, sizeof *r->again);
        r->again[r->nagain++] = x;
    } else if (turn) {
        take_turn(r, f, &x);
    } else {
        add(r, &x);
    }
}

/* The original of a repeated mark; NULL: none, for example after "cannot say". */
static const struct entry *first_of(const struct ledger *l, const struct entry *x)
{
    for (size_t i = l->first[x->rater]; i < l->first[x->rater + 1]; i++) {
        const struct entry *e = &l->v[i];
        if (e->dimension == x->dimension && ((e->text == x->text && e->second == x->second) ||
                                             (e->text == x->second && e->second == x->text)))
            return e;
    }
    return NULL;
}

static double apart(const struct campaign *c, const struct entry *x, const struct entry *first)
{
    if (c->suite.instrument.kind == INSTRUMENT_PAIR)
        return fabs((x->text == first->text ? x->value : 1 - x->value) - first->value);
    return fabs(
        practice_steps(&c->suite.instrument.dimensions[x->dimension], x->value, first->value));
}

static void keep_repeats(const struct reading *r, struct ledger *l)
{
    l->repeats = NEW_N(r->a, struct repeat_entry, r->nagain + 1);
    for (size_t i = 0; i < r->nagain; i++) {
        const struct entry *x = &r->again[i], *first = first_of(l, x);
        if (first)
            l->repeats[l->nrepeats++] =
                (struct repeat_entry){x->rater, x->dimension, apart(r->c, x, first)};
    }
}

/* Marks are ordered by rater number. */
static size_t *find_first(struct arena *a, const struct ledger *l)
{
    size_t *first = NEW_N(a, size_t, l->nraters + 1), i = 0;

    for (size_t k = 0; k <= l->nraters; k++) {
        while (i < l->n && l->v[i].rater < k)
            i++;
        first[k] = i;
    }
    return first;
}

enum status ledger_read(struct arena *a, struct store *s, const struct campaign *c,
                        struct ledger *out, struct err *e)
{
    struct reading r = {.a = a, .c = c};
    struct cursor facts = fact_list(s, c, e);
    struct fact f;

    map_init(&r.systems.map, a);
    map_init(&r.raters.map, a);
    map_init(&r.passages.map, a);
    map_init(&r.texts.map, a);
    while (fact_next(&facts, &f))
        take(&r, &f);
    if (cursor_end(&facts) != OK)
        return e->code;
    *out = r.l;
    out->systems = r.systems.names;
    out->nsystems = r.systems.n;
    out->raters = r.raters.names;
    out->nraters = r.raters.n;
    out->passages = r.passages.names;
    out->npassages = r.passages.n;
    out->ntexts = r.texts.n;
    out->first = find_first(a, out);
    keep_repeats(&r, out);
    return OK;
}

struct cells ledger_cells(struct arena *a, const struct ledger *l, size_t dimension, bool main)
{
    struct cell *v = NEW_N(a, struct cell, l->n + 1);
    size_t n = 0;

    for (size_t i = 0; i < l->n; i++)
        if (l->v[i].dimension == dimension && (!main || l->v[i].counts))
            v[n++] = (struct cell){l->v[i].text, l->v[i].rater, l->v[i].value};
    cell_sort(v, n);
    return (struct cells){v, n, l->ntexts, l->nraters};
}
