#include "eval/survival.h"

#include <math.h>
#include <stdlib.h>

#include "math/interval.h"
#include "store/store_turn.h"
#include "suite/item.h"
#include "suite/mark.h"
#include "suite/suite.h"
#include "suite/timeline.h"

#define LEVEL 0.95

/* A sitting that is over. */
struct sat {
    int64_t sample, item;
    size_t model; /* in the list of models */
};

struct survey {
    struct arena *a;
    struct store *store;
    const struct suite *suite;
    const struct timeline *timeline;
    struct party_list models;
    struct sat *v;
    size_t n, cap;
    /* the paper in hand */
    int64_t item;
    struct paper paper;
    struct str card, other;
};

static enum status list_sitting(void *user, const struct sample_row *row, struct err *e)
{
    struct survey *s = user;
    size_t model = 0;

    (void)e;
    while (model < s->models.n && s->models.v[model].id != row->model)
        model++;
    if (row->state != STATE_DONE || model == s->models.n)
        return OK;
    s->v = mem_grow(s->v, &s->cap, s->n + 1, sizeof *s->v);
    s->v[s->n++] = (struct sat){row->id, row->item, model};
    return OK;
}

static enum status take_paper(struct survey *s, int64_t item, struct err *e)
{
    struct item thawed;
    struct str body;

    if (item == s->item)
        return OK;
    if (store_item_body(s->a, s->store, item, &body, e) != OK ||
        item_thaw(s->a, body, &thawed, e) != OK ||
        (thawed.paper.n && paper_thaw(s->a, thawed.paper, &s->paper, e) != OK))
        return e->code;
    s->other = vocab_user(s->suite, &thawed)->name;
    s->card = vocab_character(s->suite, &thawed)->text;
    s->item = item;
    return OK;
}

static enum status measure(struct survey *s, const struct sat *one, struct timeline_span *out,
                           struct err *e)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    const struct timeline_case c = {&s->paper, s->card, s->suite->language, s->other};
    struct turn_list turns;
    struct sign_list signs;

    if (take_paper(s, one->item, e) != OK ||
        store_turn_list(scratch, s->store, one->sample, &turns, e) != OK)
        return e->code;
    signs = timeline_find(scratch, s->timeline, &c, &turns);
    *out = timeline_span(&turns, &signs);
    return OK;
}

/* Sittings come by model: those of one lie together. A sitting whose turns are not here (its answer
 * was imported) takes no part. */
static enum status measure_model(struct survey *s, size_t from, size_t to, struct score_row row[2],
                                 struct err *e)
{
    const char *subject = arena_printf(s->a, "model/%s", s->models.v[s->v[from].model].name);
    struct interval_cluster *c = NEW_N(s->a, struct interval_cluster, to - from);
    double most = 0, never = 0;
    struct interval i;

    for (size_t k = from; k < to; k++) {
        struct timeline_span span = {0};
        if (measure(s, &s->v[k], &span, e) != OK)
            return e->code;
        if (span.answers == 0)
            continue;
        c[k - from] = (struct interval_cluster){(double)span.unbroken, 1};
        most = fmax(most, (double)span.answers);
        never += span.unbroken == span.answers;
    }
    i = interval_of_means(c, to - from, (struct interval_scale){0, most}, LEVEL);
    row[0] = (struct score_row){
        subject,      "unbroken",          "restricted mean, M, sittings", i.value, i.low, i.high,
        (int64_t)i.n, (int64_t)i.clusters, interval_why_name(i.why)};
    row[1] = (struct score_row){subject, "never-broken", "count", never, NAN,
                                NAN,     (int64_t)i.n,   0,       NULL};
    return OK;
}

static enum status survey(struct survey *s, const struct run_row *run, struct score_list *out,
                          struct err *e)
{
    const struct sample_filter all = {.run = run->id};
    size_t to;

    if (store_party_list(s->a, s->store, PARTY_MODEL, run->id, &s->models, e) != OK ||
        store_sample_each(s->store, &all, list_sitting, s, e) != OK)
        return e->code;
    out->v = NEW_N(s->a, struct score_row, 2 * s->models.n);
    for (size_t from = 0; from < s->n; from = to) {
        for (to = from; to < s->n && s->v[to].model == s->v[from].model;)
            to++;
        if (measure_model(s, from, to, &out->v[out->n], e) != OK)
            return e->code;
        if (out->v[out->n].n)
            out->n += 2;
    }
    return OK;
}

enum status survival_compute(struct arena *a, struct store *s, const struct run_row *run,
                             const struct suite *suite, struct score_list *out, struct err *e)
{
    struct survey all = {.a = a, .store = s, .suite = suite, .timeline = timeline_new(a)};
    struct score_list rows = {0};
    enum status st = OK;

    if (vocab_is_talk(suite))
        st = survey(&all, run, &rows, e);
    free(all.v);
    if (st == OK)
        *out = rows;
    return st;
}
