#include "store/facts.h"

#include <math.h>
#include <stdlib.h>

#include "base/map.h"
#include "gen/queries.h"

struct sample {
    int64_t id, item;
    int32_t repeat;
    uint32_t model; /* index in the list */
    bool done;
};

struct verdict {
    int64_t other;
    uint32_t sample, judge; /* indices in their lists */
    uint32_t shown;         /* a word */
    int32_t repeat;
    uint32_t marks; /* index of its first mark; the next verdict's is the end */
    uint8_t state;
    bool about; /* it is about something else than the answer */
};

struct mark_column {
    double *value;
    uint32_t *dimension; /* a word */
    size_t n, cap;
};

/* The sums over all rows of one model, or of one judge. */
struct sum {
    int64_t by[STATES], total, repaired, tokens, cost;
    bool priced;
};

struct facts {
    struct store *store;
    int64_t run;
    struct arena *arena;
    struct party_list models, judges; /* including those that were dropped */
    struct party_list seats;          /* only of judges that count */
    struct sum *of_model, *of_judge;
    struct sample *samples;
    size_t nsamples, sample_cap;
    struct verdict *verdicts; /* by id */
    size_t nverdicts, verdict_cap;
    uint32_t *order, *first; /* verdicts by sample; [samples + 1] offset of each sample */
    struct mark_column marks;
    bool overalls;
    struct map index; /* texts to numbers */
    const char **words;
    size_t nwords, word_cap;
    /* while reading: the last ones, which are likely to come again */
    size_t model, judge;
    uint32_t shown, dimension;
};

/* ---- reading ---- */

/* Index of the party with this id, tried first at *hint; l->n: there is none. */
static size_t place(const struct party_list *l, int64_t id, size_t *hint)
{
    if (*hint < l->n && l->v[*hint].id == id)
        return *hint;
    *hint = 0;
    while (*hint < l->n && l->v[*hint].id != id)
        ++*hint;
    return *hint;
}

/* Number of a text: an order of a pair, a stretch of turns, a dimension. There are few, and the
 * same ones often follow each other. */
static uint32_t word(struct facts *f, struct str s, uint32_t *hint)
{
    if (*hint < f->nwords && str_is(s, f->words[*hint]))
        return *hint;
    *hint = map_number(&f->index, s);
    if (*hint == f->nwords) {
        f->words = mem_grow(f->words, &f->word_cap, f->nwords + 1, sizeof *f->words);
        f->words[f->nwords++] = arena_text(f->arena, s);
    }
    return *hint;
}

/* Adds a row of either kind: column `state`, followed by tokens in, tokens out and the cost. */
static enum state add_to(struct sum *s, const struct rows *r, int state)
{
    enum state is = vocab_state_of(row_str(r, state));

    s->by[is]++;
    s->total++;
    s->tokens += row_int(r, state + 1) + row_int(r, state + 2);
    if (row_null(r, state + 3))
        return is;
    s->cost += llround(row_real(r, state + 3) * 1e9);
    s->priced = true;
    return is;
}

static enum status read_samples(struct facts *f, struct err *e)
{
    AUTO(cursor_close)
    struct cursor c = cursor_open(f->store, Q_SAMPLE_FACTS, ARGS(V_INT(f->run)), e);
    const struct rows *r = c.rows;

    while (rows_next(c.rows)) {
        size_t model = place(&f->models, row_int(r, C_SAMPLE_FACT_MODEL), &f->model);
        enum state is;
        if (model == f->models.n || f->nsamples == UINT32_MAX)
            return err_set(e, E_STORE, "sample %lld refers to a model or item of another run",
                           (long long)row_int(r, C_SAMPLE_FACT_ID));
        is = add_to(&f->of_model[model], r, C_SAMPLE_FACT_STATE);
        f->samples = mem_grow(f->samples, &f->sample_cap, f->nsamples + 1, sizeof *f->samples);
        f->samples[f->nsamples++] = (struct sample){
            row_int(r, C_SAMPLE_FACT_ID), row_int(r, C_SAMPLE_FACT_ITEM),
            (int32_t)row_int(r, C_SAMPLE_FACT_REPEAT), (uint32_t)model, is == STATE_DONE};
    }
    return cursor_end(&c);
}

static int by_id(const void *key, const void *element)
{
    int64_t id = *(const int64_t *)key, other = ((const struct sample *)element)->id;

    return id < other ? -1 : id > other;
}

/* Samples of a run are mostly planned together, so their ids have no gaps. */
static const struct sample *find_sample(const struct facts *f, int64_t id)
{
    size_t guess = f->nsamples ? (size_t)(id - f->samples[0].id) : 0;

    if (guess < f->nsamples && f->samples[guess].id == id)
        return &f->samples[guess];
    return f->nsamples ? bsearch(&id, f->samples, f->nsamples, sizeof *f->samples, by_id) : NULL;
}

static void put_mark(struct facts *f, const struct rows *r)
{
    struct mark_column *m = &f->marks;

    if (m->n == m->cap) {
        m->cap = m->cap ? 2 * m->cap : 1024;
        m->value = mem_resize(m->value, m->cap * sizeof *m->value);
        m->dimension = mem_resize(m->dimension, m->cap * sizeof *m->dimension);
    }
    m->value[m->n] = row_real(r, C_VERDICT_FACT_VALUE);
    m->dimension[m->n++] = word(f, row_str(r, C_VERDICT_FACT_DIMENSION), &f->dimension);
}

/* False if its sample or judge was added after those were read. */
static bool put_verdict(struct facts *f, const struct rows *r)
{
    const struct sample *sample = find_sample(f, row_int(r, C_VERDICT_FACT_SAMPLE));
    size_t judge = place(&f->judges, row_int(r, C_VERDICT_FACT_JUDGE), &f->judge);
    struct str shown = row_str(r, C_VERDICT_FACT_SHOWN);
    enum state is;

    if (!sample || judge == f->judges.n)
        return false;
    is = add_to(&f->of_judge[judge], r, C_VERDICT_FACT_STATE);
    f->overalls |= !row_null(r, C_VERDICT_FACT_OVERALL);
    f->of_judge[judge].repaired += row_int(r, C_VERDICT_FACT_REPAIRS) > 0;
    f->verdicts = mem_grow(f->verdicts, &f->verdict_cap, f->nverdicts + 2, sizeof *f->verdicts);
    f->verdicts[f->nverdicts++] =
        (struct verdict){.other = row_int(r, C_VERDICT_FACT_OTHER),
                         .sample = (uint32_t)(sample - f->samples),
                         .judge = (uint32_t)judge,
                         .shown = word(f, shown, &f->shown),
                         .repeat = (int32_t)row_int(r, C_VERDICT_FACT_REPEAT),
                         .marks = (uint32_t)f->marks.n,
                         .state = (uint8_t)is,
                         .about = str_is(shown, "user") || str_is(shown, "knowledge")};
    return true;
}

/* There is one row for each mark of a verdict. */
static enum status read_verdicts(struct facts *f, struct err *e)
{
    struct rows *r = db_stream(f->store->db, Q_VERDICT_FACTS, ARGS(V_INT(f->run)), e);
    int64_t now = 0;
    bool known = false;

    while (rows_next(r)) {
        int64_t id = row_int(r, C_VERDICT_FACT_ID);
        if (now != id)
            known = put_verdict(f, r);
        now = id;
        if (known && !row_null(r, C_VERDICT_FACT_DIMENSION))
            put_mark(f, r);
    }
    return rows_end(r, e);
}

static bool comes_before(const struct facts *f, uint32_t a, uint32_t b)
{
    const struct verdict *x = &f->verdicts[a], *y = &f->verdicts[b];
    int shown;

    if (x->judge != y->judge)
        return x->judge < y->judge;
    if (x->other != y->other)
        return x->other < y->other;
    shown = x->shown == y->shown ? 0 : strcmp(f->words[x->shown], f->words[y->shown]);
    return shown ? shown < 0 : x->repeat < y->repeat;
}

/* Counting sort by sample; the few verdicts of a sample are sorted by judge, other sample, order
 * shown and repeat. */
static void sort_verdicts(struct facts *f)
{
    f->order = mem_new((f->nverdicts + 1) * sizeof *f->order);
    f->first = mem_new((f->nsamples + 2) * sizeof *f->first);
    for (size_t k = 0; k < f->nverdicts; k++)
        f->first[f->verdicts[k].sample + 2]++;
    for (size_t i = 2; i < f->nsamples + 2; i++)
        f->first[i] += f->first[i - 1];
    for (uint32_t k = 0; k < f->nverdicts; k++)
        f->order[f->first[f->verdicts[k].sample + 1]++] = k;
    for (size_t i = 0; i < f->nsamples; i++)
        for (uint32_t k = f->first[i]; k < f->first[i + 1]; k++) {
            uint32_t one = f->order[k], at = k;
            for (; at > f->first[i] && comes_before(f, one, f->order[at - 1]); at--)
                f->order[at] = f->order[at - 1];
            f->order[at] = one;
        }
}

static enum status read_all(struct facts *f, struct err *e)
{
    struct store *s = f->store;

    if (store_party_list(f->arena, s, PARTY_MODEL, f->run, &f->models, e) != OK ||
        store_party_list(f->arena, s, PARTY_JUDGE_EVER, f->run, &f->judges, e) != OK ||
        db_list(s->db, Q_SEAT_LIST, ARGS(V_INT(f->run), V_INT(0)),
                ROWS_INTO(f->arena, &f->seats, COLUMNS_SEAT(struct party)), e) != OK)
        return e->code;
    f->of_model = NEW_N(f->arena, struct sum, f->models.n + 1);
    f->of_judge = NEW_N(f->arena, struct sum, f->judges.n + 1);
    if (read_samples(f, e) != OK || read_verdicts(f, e) != OK)
        return e->code;
    f->verdicts = mem_grow(f->verdicts, &f->verdict_cap, f->nverdicts + 1, sizeof *f->verdicts);
    f->verdicts[f->nverdicts] = (struct verdict){.marks = (uint32_t)f->marks.n};
    sort_verdicts(f);
    return OK;
}

enum status facts_read(struct store *s, int64_t run, struct facts **out, struct err *e)
{
    AUTO(facts_freep) struct facts *f = mem_new(sizeof *f);

    *f = (struct facts){.store = s, .run = run, .arena = arena_new()};
    map_init(&f->index, f->arena);
    if (read_all(f, e) != OK)
        return e->code;
    *out = f;
    f = NULL;
    return OK;
}

void facts_free(struct facts *f)
{
    if (!f)
        return;
    arena_free(f->arena);
    free(f->samples);
    free(f->verdicts);
    free(f->order);
    free(f->first);
    free(f->marks.value);
    free(f->marks.dimension);
    free(f->words);
    free(f);
}

bool facts_overalls(const struct facts *f)
{
    return f->overalls;
}

/* ---- the marks of a jury ---- */

/* [judges] whether each sits on the jury. */
static bool *members(struct arena *a, const struct facts *f, const struct jury *jury)
{
    bool *in = NEW_N(a, bool, f->judges.n + 1);

    for (size_t i = 0; jury->judge && i < f->judges.n; i++)
        in[i] = f->judges.v[i].id == jury->judge;
    for (size_t i = 0, at = 0; !jury->judge && i < f->seats.n; i++)
        in[place(&f->judges, f->seats.v[i].id, &at)] |= strcmp(f->seats.v[i].panel, jury->key) == 0;
    return in;
}

static enum status give_verdict(const struct facts *f, const struct verdict *v,
                                struct mark_fact fact, mark_fn *fn, void *user, struct err *e)
{
    fact.judge = f->judges.v[v->judge].id;
    if (v[0].marks == v[1].marks)
        return fn(user, &fact, e);
    for (uint32_t k = v[0].marks; k < v[1].marks; k++) {
        fact.dimension = f->words[f->marks.dimension[k]];
        fact.value = f->marks.value[k];
        if (fn(user, &fact, e) != OK)
            return e->code;
    }
    return OK;
}

static enum status give_sample(const struct facts *f, const bool *in, uint32_t at, mark_fn *fn,
                               void *user, struct err *e)
{
    const struct sample *s = &f->samples[at];
    const struct mark_fact fact = {
        f->models.v[s->model].id, s->item, s->repeat, s->id, 0, NULL, NAN};
    bool some = false;

    for (uint32_t k = f->first[at]; k < f->first[at + 1]; k++) {
        const struct verdict *v = &f->verdicts[f->order[k]];
        if (v->state != STATE_DONE || v->about || !in[v->judge])
            continue;
        some = true;
        if (give_verdict(f, v, fact, fn, user, e) != OK)
            return e->code;
    }
    return some ? OK : fn(user, &fact, e);
}

enum status facts_mark_each(const struct facts *f, const struct jury *jury, mark_fn *fn, void *user,
                            struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    const bool *in;

    if (jury->campaign)
        return store_people_mark_each(f->store, f->run, jury, fn, user, e);
    in = members(a, f, jury);
    for (uint32_t i = 0; i < f->nsamples; i++)
        if (f->samples[i].done && give_sample(f, in, i, fn, user, e) != OK)
            return e->code;
    return OK;
}

/* ---- progress ---- */

static struct tally tally_of(const struct sum *s, const char *name)
{
    return (struct tally){
        .name = name,
        .total = s->total,
        .done = s->by[STATE_DONE],
        .unscored = s->by[STATE_UNSCORED],
        .failed = s->by[STATE_FAILED],
        .repaired = s->repaired,
        .tokens = s->tokens,
        .cost = s->priced ? (double)s->cost / 1e9 : (double)NAN,
    };
}

/* Whether judges replied about the sample, but none of them with a mark. */
static bool is_unscored(const struct facts *f, const bool *in, uint32_t at)
{
    bool spoken = false;

    for (uint32_t k = f->first[at]; k < f->first[at + 1]; k++) {
        const struct verdict *v = &f->verdicts[f->order[k]];
        if (v->about || !in[v->judge])
            continue;
        if (v->state == STATE_DONE)
            return false;
        spoken |= v->state == STATE_FAILED || v->state == STATE_UNSCORED;
    }
    return spoken;
}

static void read_tally(struct arena *a, const struct rows *r, void *out)
{
    row_into(a, r, COLUMNS_TALLY(struct tally), out);
    ((struct tally *)out)->cost /= 1e9;
}

enum status facts_tally(struct arena *a, const struct facts *f, enum party_kind kind,
                        const struct jury *jury, struct tally_list *out, struct err *e)
{
    const struct party_list *l = kind == PARTY_MODEL ? &f->models : &f->judges;
    const bool *in = members(a, f, jury);
    int64_t *unscored = NEW_N(a, int64_t, f->models.n + 1);
    struct tally_list all = {NEW_N(a, struct tally, l->n + 1), 0};

    if (kind == PARTY_JUDGE && jury->campaign)
        return db_list(f->store->db, Q_PEOPLE_TALLY, ARGS(V_INT(f->run), V_INT(jury->campaign)),
                       INTO(a, out, read_tally), e);
    for (uint32_t i = 0; kind == PARTY_MODEL && i < f->nsamples; i++)
        unscored[f->samples[i].model] += is_unscored(f, in, i);
    for (size_t i = 0; i < l->n; i++) {
        const struct sum *s = kind == PARTY_MODEL ? &f->of_model[i] : &f->of_judge[i];
        struct tally *t = &all.v[all.n];
        if (s->total == 0 || (kind == PARTY_JUDGE && !in[i]))
            continue;
        *t = tally_of(s, arena_text(a, str_of(l->v[i].name)));
        if (kind == PARTY_MODEL)
            t->unscored = unscored[i];
        all.n++;
    }
    *out = all;
    return OK;
}
