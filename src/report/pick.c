#include "report/pick.h"

#include <math.h>
#include <stdlib.h>

#include "base/map.h"
#include "reply/about.h"
#include "store/overall.h"
#include "store/store_explore.h"
#include "suite/item.h"
#include "suite/mark.h"
#include "suite/suite.h"

/* A sample that may be selected. */
struct candidate {
    int64_t id;
    double value, unrounded; /* NaN: none */
    const char *rule;
    const struct flag_row *flag;
    size_t rank; /* lower ranks are selected first */
};

struct picker {
    struct arena *a;
    struct report *r;
    bool few; /* few samples: values and verdicts are queried one by one */
    struct candidate *v;
    size_t n, cap;
    struct map items;                /* item name -> struct item, shared by its samples */
    struct report_verdict *verdicts; /* of all selected samples, one after another */
    int64_t *owner;                  /* the sample of each verdict */
    const struct jury *jury;         /* the jury being read */
    size_t nverdicts, verdicts_cap, owner_cap;
};

/* ---- every sample, lightly ---- */

static enum status list_samples(struct picker *p, struct store *s, const struct sample_filter *f,
                                struct err *e)
{
    struct cursor c = store_samples(s, f, e);
    struct sample_row row;

    while (store_sample_next(&c, &row)) {
        if (row.state == STATE_PLANNED)
            continue;
        p->v = mem_grow(p->v, &p->cap, p->n + 1, sizeof *p->v);
        p->v[p->n++] = (struct candidate){.id = row.id, .value = NAN, .unrounded = NAN};
    }
    return cursor_end(&c);
}

static int compare_ids(const void *x, const void *y)
{
    const struct candidate *a = x, *b = y;

    return a->id < b->id ? -1 : a->id > b->id;
}

static struct candidate *find(const struct picker *p, int64_t id)
{
    struct candidate key = {.id = id};

    return p->n ? bsearch(&key, p->v, p->n, sizeof key, compare_ids) : NULL;
}

static enum status take_value(void *user, const struct score_value *v, struct err *e)
{
    struct picker *p = user;
    struct candidate *c = find(p, v->sample);

    (void)e;
    if (c) {
        c->value = v->value;
        c->unrounded = v->unrounded;
        c->rule = arena_dup(p->a, v->rule);
    }
    return OK;
}

/* For each sample, the first flag that stands. */
static void take_flags(struct picker *p)
{
    const struct flag_list *l = &p->r->flags;

    for (size_t i = 0; i < l->n; i++) {
        struct candidate *c = l->v[i].overruled_by ? NULL : find(p, l->v[i].sample);
        if (c && !c->flag)
            c->flag = &l->v[i];
    }
}

/* ---- the choice ---- */

static int compare_values(const void *x, const void *y)
{
    const struct candidate *a = x, *b = y;

    if (isnan(a->value) || isnan(b->value))
        return isnan(a->value) != isnan(b->value) ? (isnan(a->value) ? -1 : 1) : compare_ids(a, b);
    return a->value != b->value ? (a->value < b->value ? -1 : 1) : compare_ids(a, b);
}

static int compare_ranks(const void *x, const void *y)
{
    const struct candidate *a = x, *b = y;

    return a->rank != b->rank ? (a->rank < b->rank ? -1 : 1) : compare_ids(a, b);
}

/* Rank 0: flagged; rank 1: without a value; others: 2 plus the distance from the nearer end of
 * the values. */
static void choose(struct picker *p, size_t limit)
{
    size_t without = 0;

    if (p->n <= limit)
        return;
    qsort(p->v, p->n, sizeof *p->v, compare_values);
    while (without < p->n && isnan(p->v[without].value))
        without++;
    for (size_t i = 0; i < p->n; i++) {
        struct candidate *c = &p->v[i];
        if (c->flag)
            c->rank = 0;
        else if (i < without)
            c->rank = 1;
        else
            c->rank = 2 + (i - without < p->n - 1 - i ? i - without : p->n - 1 - i);
    }
    qsort(p->v, p->n, sizeof *p->v, compare_ranks);
    p->r->samples_left_out = (int64_t)(p->n - limit);
    p->n = limit;
    qsort(p->v, p->n, sizeof *p->v, compare_ids);
}

/* ---- those that were taken, with all that belongs to them ---- */

/* NULL on error. */
static const struct item *item_of(struct picker *p, const struct sample_row *row, struct err *e)
{
    struct item *item = map_get(&p->items, str_of(row->item_name));

    if (item)
        return item;
    item = NEW(p->a, struct item);
    if (item_thaw(p->a, arena_str(p->a, row->body), item, e) != OK) {
        (void)err_wrap(e, "item %s", row->item_name);
        return NULL;
    }
    (void)map_put(&p->items, str_of(row->item_name), item);
    return item;
}

static enum status take_sample(struct picker *p, const struct sample_row *row, struct err *e)
{
    const struct candidate *c = find(p, row->id);
    const struct item *item;

    if (!c || p->r->nsamples == p->n)
        return OK;
    item = item_of(p, row, e);
    if (!item)
        return e->code;
    p->r->samples[p->r->nsamples++] = (struct report_sample){
        .model = arena_dup(p->a, row->model_name),
        .item = arena_dup(p->a, row->item_name),
        .id = row->id,
        .repeat = row->repeat,
        .state = row->state,
        .prompt = item->prompt,
        .reference = item->reference,
        .answer = arena_str(p->a, row->answer),
        .asked = item,
        .turns = item->turns,
        .nturns = item->nturns,
        .fault = arena_dup(p->a, row->fault),
        .why = arena_dup(p->a, row->why),
        .value = c->value,
        .unrounded = c->unrounded,
        .rule = c->rule,
        .flag = c->flag,
    };
    return OK;
}

static enum status take_samples(struct picker *p, struct store *s, const struct sample_filter *f,
                                struct err *e)
{
    AUTO(cursor_close) struct cursor c = store_samples(s, f, e);
    struct sample_row row;

    p->r->samples = NEW_N(p->a, struct report_sample, p->n);
    while (store_sample_next(&c, &row))
        if (take_sample(p, &row, e) != OK)
            return e->code;
    return cursor_end(&c);
}

static void take_verdict(struct picker *p, const struct verdict_row *row)
{
    if (!find(p, row->sample) || (!p->jury->campaign && !jury_has(p->jury, row->judge_name)) ||
        row->state == STATE_PLANNED)
        return;
    p->verdicts = mem_grow(p->verdicts, &p->verdicts_cap, p->nverdicts + 1, sizeof *p->verdicts);
    p->owner = mem_grow(p->owner, &p->owner_cap, p->nverdicts + 1, sizeof *p->owner);
    p->owner[p->nverdicts] = row->sample;
    p->verdicts[p->nverdicts++] = (struct report_verdict){
        .judge = arena_dup(p->a, row->judge_name),
        .state = row->state,
        .reply = arena_str(p->a, row->reply),
        .reason = arena_str(p->a, row->reason),
        .why = arena_dup(p->a, row->why),
        .overall = row->overall,
        .repeat = row->repeat,
        .repairs = row->repairs,
        .id = row->id,
        .shown_a = arena_dup(p->a, row->shown_a),
        .shown_b = arena_dup(p->a, row->shown_b),
        .choice = arena_dup(p->a, row->choice),
        .winner = arena_dup(p->a, row->winner_name),
        .about = *row->about ? row->about : NULL,
        .shown = arena_str(p->a, row->shown),
    };
}

/* The store returns marks by name; people expect the instrument's order. */
static enum status take_marks(struct picker *p, struct store *s, const struct report_sample *sample,
                              struct report_verdict *v, struct err *e)
{
    const struct instrument *in =
        about_instrument(p->a, &p->r->suite, v->about ? v->about : "", sample->answer);
    struct mark_list l;

    if (store_mark_list(p->a, s, v->id, sample->id, &l, e) != OK)
        return e->code;
    v->mean = v->about ? NAN : overall_mean(in, &l);
    v->marks = NEW_N(p->a, struct report_mark, l.n);
    for (size_t d = 0; d < in->ndimensions; d++)
        for (size_t i = 0; i < l.n; i++)
            if (strcmp(l.v[i].dimension, in->dimensions[d].id) == 0 && v->nmarks < l.n)
                v->marks[v->nmarks++] =
                    (struct report_mark){.dimension = l.v[i].dimension,
                                         .value = l.v[i].value,
                                         .analysis = l.v[i].analysis,
                                         .advice = l.v[i].advice,
                                         .quotes = in->quotes ? evidence_read(p->a, l.v[i].evidence)
                                                              : (struct evidence_quotes){0}};
    return OK;
}

/* Samples and the verdicts of a jury come in the same order, so a sample's verdicts are
 * adjacent: they begin at *at. */
static enum status add_verdicts(struct picker *p, struct store *s, size_t *at,
                                struct report_sample *sample, struct err *e)
{
    size_t from = *at, n = sample->nverdicts;
    struct report_verdict *v;

    while (*at < p->nverdicts && p->owner[*at] == sample->id)
        ++*at;
    if (*at == from)
        return OK;
    v = NEW_N(p->a, struct report_verdict, n + *at - from);
    if (n)
        memcpy(v, sample->verdicts, n * sizeof *v);
    memcpy(v + n, p->verdicts + from, (*at - from) * sizeof *v);
    sample->verdicts = v;
    sample->nverdicts = n + *at - from;
    for (; n < sample->nverdicts; n++)
        if (take_marks(p, s, sample, &v[n], e) != OK)
            return e->code;
    return OK;
}

/* Adds a jury's verdicts on the selected samples. */
static enum status take_jury(struct picker *p, struct store *s, struct err *e)
{
    struct cursor c;
    struct verdict_row row;
    size_t at = 0;

    p->nverdicts = 0;
    c = store_verdicts(s, p->r->run.id, p->jury->campaign ? p->jury : NULL, e);
    while (store_verdict_next(&c, &row))
        take_verdict(p, &row);
    if (cursor_end(&c) != OK)
        return e->code;
    for (size_t i = 0; i < p->r->nsamples; i++)
        if (add_verdicts(p, s, &at, &p->r->samples[i], e) != OK)
            return e->code;
    return OK;
}

/* ---- the same of a few, without reading the whole run ---- */

static enum status values_of(struct picker *p, struct store *s, struct err *e)
{
    for (size_t i = 0; i < p->n; i++) {
        const struct value_row *v;
        if (store_value_of(p->a, s, p->v[i].id, &v, e) != OK)
            return e->code;
        if (!v)
            continue;
        p->v[i].value = p->v[i].unrounded = v->value;
        p->v[i].rule = v->rule;
    }
    return OK;
}

static enum status verdicts_of(struct picker *p, struct store *s, struct err *e)
{
    for (size_t i = 0; i < p->r->nsamples; i++) {
        const struct verdict_filter f = {.run = p->r->run.id,
                                         .sample = p->r->samples[i].id,
                                         .people = p->jury->campaign ? p->jury : NULL};
        struct verdict_list l;
        size_t at = 0;
        if (store_verdict_list(p->a, s, &f, &l, e) != OK)
            return e->code;
        p->nverdicts = 0;
        for (size_t k = 0; k < l.n; k++)
            take_verdict(p, &l.v[k]);
        if (add_verdicts(p, s, &at, &p->r->samples[i], e) != OK)
            return e->code;
    }
    return OK;
}

/* ---- */

static enum status take_verdicts(struct picker *p, struct store *s, const struct jury *jury,
                                 struct err *e)
{
    if (jury != &p->r->jury && strcmp(jury->key, p->r->jury.key) == 0)
        return OK; /* the same one, beside itself */
    p->jury = jury;
    return p->few ? verdicts_of(p, s, e) : take_jury(p, s, e);
}

static enum status pick(struct picker *p, struct store *s, const struct sample_filter *f,
                        size_t limit, struct err *e)
{
    const struct report *r = p->r;

    if (list_samples(p, s, f, e) != OK)
        return e->code;
    if (p->n)
        qsort(p->v, p->n, sizeof *p->v, compare_ids);
    take_flags(p);
    if ((p->few ? values_of(p, s, e)
                : score_value_each(s, &r->run, &r->suite, &r->jury, take_value, p, e)) != OK)
        return e->code;
    choose(p, limit);
    if (take_samples(p, s, f, e) != OK || take_verdicts(p, s, &r->jury, e) != OK)
        return e->code;
    for (size_t i = 0; i < r->nbeside; i++)
        if (take_verdicts(p, s, &r->beside[i].jury, e) != OK)
            return e->code;
    return OK;
}

static enum status pick_and_free(struct picker *p, struct store *s, const struct sample_filter *f,
                                 size_t limit, struct err *e)
{
    enum status st;

    map_init(&p->items, p->a);
    p->r->nsamples = 0;
    st = pick(p, s, f, limit, e);
    free(p->v);
    free(p->verdicts);
    free(p->owner);
    return st;
}

enum status pick_samples(struct arena *a, struct store *s, size_t limit, struct report *r,
                         struct err *e)
{
    struct picker p = {.a = a, .r = r};

    return pick_and_free(&p, s, &(struct sample_filter){.run = r->run.id}, limit, e);
}

enum status pick_those(struct arena *a, struct store *s, const struct sample_filter *f,
                       struct report *r, struct err *e)
{
    struct picker p = {.a = a, .r = r, .few = true};

    return pick_and_free(&p, s, f, SIZE_MAX, e);
}
