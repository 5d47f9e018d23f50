#include "gauge/readings.h"

#include <stdlib.h>

#include "store/overall.h"
#include "store/store_flag.h"

struct readings_taker {
    struct readings *r;
    const struct instrument *in;
    struct party_list models;
    struct map left_out;
    const struct jury *jury;
    double weights;
    /* the current verdict: which dimensions have marks, and their weighted sum */
    int64_t sample, judge;
    size_t model, seat, item;
    bool *seen;
    size_t nseen;
    double sum;
};

size_t readings_place(const struct party_list *l, int64_t id)
{
    size_t i = 0;

    while (i < l->n && l->v[i].id != id)
        i++;
    return i;
}

void readings_put(struct readings *r, struct reading one)
{
    if (r->n == r->cap) {
        size_t cap = r->cap ? 2 * r->cap : 1024;
        r->value = mem_resize(r->value, cap * sizeof *r->value);
        r->model = mem_resize(r->model, cap * sizeof *r->model);
        r->item = mem_resize(r->item, cap * sizeof *r->item);
        r->answer = mem_resize(r->answer, cap * sizeof *r->answer);
        r->judge = mem_resize(r->judge, cap * sizeof *r->judge);
        r->cap = cap;
    }
    r->value[r->n] = one.value;
    r->model[r->n] = one.model;
    r->item[r->n] = one.item;
    r->answer[r->n] = one.answer;
    r->judge[r->n++] = one.judge;
}

/* A verdict counts if every dimension has a mark. */
static void close_verdict(struct readings_taker *t)
{
    if (t->nseen == t->in->ndimensions && t->model < t->models.n && t->seat < t->jury->members.n &&
        t->item < t->r->items)
        readings_put(t->r,
                     (struct reading){t->sum / t->weights, (uint32_t)t->model, (uint32_t)t->item,
                                      (uint32_t)(t->r->answers - 1), (uint32_t)t->seat});
    memset(t->seen, 0, t->in->ndimensions * sizeof *t->seen);
    t->nseen = 0;
    t->sum = 0;
}

/* Facts are ordered by sample, judge and verdict: a repeated dimension starts the next verdict. */
void readings_add(struct readings_taker *t, const struct mark_fact *f)
{
    size_t d = 0;

    if (!f->dimension)
        return;
    while (d < t->in->ndimensions && strcmp(t->in->dimensions[d].id, f->dimension) != 0)
        d++;
    if (d == t->in->ndimensions)
        return;
    if (f->sample != t->sample || f->judge != t->judge || t->seen[d]) {
        close_verdict(t);
        if (f->sample != t->sample) {
            t->r->answers++;
            t->model = map_get(&t->left_out, map_id(&f->sample))
                           ? t->models.n
                           : readings_place(&t->models, f->model);
            t->item = (size_t)(f->item - t->r->first_item);
        }
        if (f->judge != t->judge)
            t->seat = readings_place(&t->jury->members, f->judge);
        t->sample = f->sample;
        t->judge = f->judge;
    }
    t->seen[d] = true;
    t->nseen++;
    t->sum += t->in->dimensions[d].weight * overall_part(&t->in->dimensions[d], f->value);
}

enum status readings_begin(struct arena *a, struct store *s, int64_t run, const struct suite *suite,
                           const struct jury *jury, struct readings *out,
                           struct readings_taker **taker, struct err *e)
{
    struct readings_taker *t = NEW(a, struct readings_taker);
    const struct instrument *in = &suite->instrument;
    int64_t last;

    *out = (struct readings){0};
    *taker = t;
    *t = (struct readings_taker){
        .r = out, .in = in, .jury = jury, .seen = NEW_N(a, bool, in->ndimensions + 1)};
    for (size_t d = 0; d < in->ndimensions; d++)
        t->weights += in->dimensions[d].weight;
    if (store_party_list(a, s, PARTY_MODEL, run, &t->models, e) != OK ||
        store_flag_left_out(a, s, run, &suite->rules, &t->left_out, e) != OK ||
        store_item_span(s, run, &out->first_item, &last, e) != OK)
        return e->code;
    out->items = (size_t)(last - out->first_item + 1);
    out->models = t->models.n;
    out->judges = jury->members.n;
    return OK;
}

void readings_end(struct readings_taker *t)
{
    close_verdict(t);
}

static enum status step(void *user, const struct mark_fact *f, struct err *e)
{
    (void)e;
    readings_add(user, f);
    return OK;
}

enum status readings_take(struct arena *a, struct store *s, int64_t run, const struct suite *suite,
                          const struct jury *jury, struct readings *out, struct err *e)
{
    struct readings_taker *t;

    if (readings_begin(a, s, run, suite, jury, out, &t, e) != OK)
        return e->code;
    if (suite->instrument.kind != INSTRUMENT_PAIR &&
        store_mark_each(s, run, jury, step, t, e) != OK) {
        readings_done(out);
        return e->code;
    }
    readings_end(t);
    return OK;
}

void readings_done(struct readings *r)
{
    free(r->value);
    free(r->model);
    free(r->item);
    free(r->answer);
    free(r->judge);
    *r = (struct readings){0};
}
