#include "report/values.h"

#include <math.h>
#include <stdlib.h>

#include "eval/derive.h"
#include "eval/score.h"
#include "panel/outcome.h"
#include "suite/suite.h"

#define LEVEL 0.95

/* ---- made ---- */

struct gather {
    struct arena *a;
    struct value_row *v;
    size_t n, cap;
};

static enum status gather_value(void *user, const struct score_value *v, struct err *e)
{
    struct gather *g = user;

    (void)e;
    if (!isfinite(v->value))
        return OK;
    g->v = arena_grow(g->a, g->v, &g->cap, g->n + 1, sizeof *g->v);
    g->v[g->n++] = (struct value_row){.sample = v->sample,
                                      .model = v->model,
                                      .item = v->item,
                                      .repeat = v->repeat,
                                      .value = v->value,
                                      .spread = v->spread,
                                      .rule = arena_dup(g->a, v->rule)};
    return OK;
}

/* A battle is about two samples, so a sample has no value of its own. */
static enum status compute(struct arena *a, struct store *s, const struct run_row *run,
                           struct value_list *out, struct err *e)
{
    struct gather g = {.a = a};
    struct suite suite = {0};
    struct jury jury = {0};

    *out = (struct value_list){0};
    if (suite_thaw(a, run->frozen, &suite, e) != OK ||
        jury_find(a, s, run->id, NULL, &jury, e) != OK)
        return e->code;
    if (suite.instrument.kind == INSTRUMENT_PAIR)
        return OK;
    if (score_value_each(s, run, &suite, &jury, gather_value, &g, e) != OK)
        return e->code;
    *out = (struct value_list){g.v, g.n};
    return OK;
}

static enum status refresh(struct arena *a, struct store *s, const struct run_row *run,
                           struct err *e)
{
    int64_t derived = 0, valued = 0;
    struct value_list l;

    if (store_valued(s, run->id, &derived, &valued, e) != OK || compute(a, s, run, &l, e) != OK)
        return e->code;
    return store_value_put(s, run->id, derived, &l, e) == OK
               ? store_words_put(s, run->id, derived, e)
               : e->code;
}

enum status values_refresh(struct store *s, struct run_row *run, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    int64_t derived = 0, valued = 0;

    /* Only unmasked campaigns: an open one would be rescored at every look. */
    if (outcome_refresh_run(s, run, CAMPAIGN_UNMASKED, e) != OK ||
        derive_refresh(s, run, e) != OK || store_valued(s, run->id, &derived, &valued, e) != OK)
        return e->code;
    if (derived == valued)
        return OK;
    return store_atomically(s, e, refresh(a, s, run, e));
}

/* ---- checked ---- */

static bool same(const struct value_row *x, const struct value_row *y)
{
    bool spreads = isfinite(x->spread) ? x->spread == y->spread : !isfinite(y->spread);

    return x->sample == y->sample && x->value == y->value && spreads &&
           strcmp(x->rule ? x->rule : "", y->rule ? y->rule : "") == 0;
}

static int by_sample(const void *x, const void *y)
{
    const struct value_row *a = x, *b = y;

    return a->sample < b->sample ? -1 : a->sample > b->sample;
}

enum status values_check(struct store *s, const struct run_row *run, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    int64_t derived = 0, valued = 0;
    struct value_list now, then;

    if (store_valued(s, run->id, &derived, &valued, e) != OK)
        return e->code;
    if (derived != valued) /* refreshed on demand */
        return OK;
    if (compute(a, s, run, &now, e) != OK || store_value_list(a, s, run->id, &then, e) != OK)
        return e->code;
    if (now.n)
        qsort(now.v, now.n, sizeof *now.v, by_sample);
    for (size_t i = 0; i < now.n && i < then.n; i++)
        if (!same(&now.v[i], &then.v[i]))
            return err_set(e, E_INPUT,
                           "the stored value of sample %lld does not follow from its marks",
                           (long long)then.v[i].sample);
    if (now.n != then.n)
        return err_set(e, E_INPUT, "%zu values of samples are stored, %zu follow from the marks",
                       then.n, now.n);
    return OK;
}

/* ---- shown ---- */

static size_t place(const int64_t *ids, size_t n, int64_t id)
{
    for (size_t i = 0; i < n; i++)
        if (ids[i] == id)
            return i;
    return SIZE_MAX;
}

struct values_map values_map(struct arena *a, const struct value_list *l, const int64_t *items,
                             size_t nitems, const int64_t *models, size_t nmodels)
{
    struct values_map m = {NEW_N(a, struct interval_cluster, nitems * nmodels + 1), nitems,
                           nmodels};
    size_t item = 0;

    for (size_t i = 0; i < l->n; i++) {
        struct interval_cluster *c;
        size_t model = place(models, nmodels, l->v[i].model);
        /* Samples come in the order in which they were planned, so the next item comes next, or
         * the first one again. */
        if (item < nitems && items[item] != l->v[i].item)
            item = item + 1 < nitems && items[item + 1] == l->v[i].item
                       ? item + 1
                       : place(items, nitems, l->v[i].item);
        if (item >= nitems || model == SIZE_MAX) {
            item = 0;
            continue;
        }
        c = &m.cells[item * nmodels + model];
        c->sum += l->v[i].value;
        c->n++;
    }
    return m;
}

double values_times(const struct suite *suite)
{
    const struct score_spec *k = &suite->score;

    return k->kind == SCORE_SUM || k->kind == SCORE_TOTALS ? 1 : k->times;
}

double values_mean(const struct interval_cluster *c)
{
    return c->n ? c->sum / (double)c->n : NAN;
}

int values_ahead(const struct interval *d)
{
    if (!isfinite(d->low) || !isfinite(d->high))
        return 0;
    return d->low > 0 ? 1 : d->high < 0 ? -1 : 0;
}

/* Values of one model, by item. */
static struct interval_cluster *column(struct arena *a, const struct values_map *m, size_t model)
{
    struct interval_cluster *v = NEW_N(a, struct interval_cluster, m->items + 1);

    for (size_t i = 0; i < m->items; i++)
        v[i] = m->cells[i * m->models + model];
    return v;
}

static bool holds(const struct interval_cluster *c, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (c[i].n)
            return true;
    return false;
}

static struct interval less(struct interval_cluster *const *c, size_t n, size_t at, size_t units,
                            struct interval_scale scale, double level)
{
    return interval_of_difference(c[at], c[at % n * n + at / n], c[at] ? units : 0, scale, level);
}

struct values_matrix values_apart(struct arena *a, struct interval_cluster *const *c, size_t n,
                                  size_t units, struct interval_scale scale, double factor)
{
    struct values_matrix x = {
        .n = n, .v = NEW_N(a, struct interval, n * n + 1), .ahead = NEW_N(a, int, n *n + 1)};
    size_t open = 0, told = 0;

    for (size_t at = 0; at < n * n; at++) {
        x.v[at] = interval_times(less(c, n, at, units, scale, LEVEL), factor);
        open += at / n < at % n && isfinite(x.v[at].low);
    }
    /* Holm: every difference that is told apart leaves a larger share of the 5 % to the others. */
    do {
        open -= told;
        told = 0;
        for (size_t at = 0; at < n * n; at++) {
            struct interval d;
            if (at / n >= at % n || x.ahead[at] || !values_ahead(&x.v[at]))
                continue;
            d = less(c, n, at, units, scale, 1 - (1 - LEVEL) / (double)open);
            x.ahead[at] = values_ahead(&d);
            x.ahead[at % n * n + at / n] = -x.ahead[at];
            told += x.ahead[at] != 0;
        }
    } while (told && told < open);
    return x;
}

struct values_matrix values_matrix(struct arena *a, const struct suite *suite, int64_t repeats,
                                   const struct values_map *m)
{
    struct score_bounds b = score_sample_bounds(suite);
    struct interval_scale scale = {b.min, b.max};
    size_t n = m->models, there = 0;
    int64_t items = (int64_t)m->items;
    struct interval_cluster **c = NEW_N(a, struct interval_cluster *, n * n + 1);
    struct values_matrix x;

    for (size_t at = 0; at < n * n; at++)
        c[at] = at % n ? c[at - 1] : column(a, m, at / n);
    x = values_apart(a, c, n, m->items, scale, score_factor(suite, items * repeats, items));
    x.first = NEW_N(a, size_t, n + 1);
    x.last = NEW_N(a, size_t, n + 1);
    for (size_t i = 0; i < n; i++)
        there += holds(c[i * n], m->items);
    for (size_t i = 0; i < n; i++) {
        size_t above = 0, below = 0;
        for (size_t k = 0; k < n; k++) {
            above += x.ahead[i * n + k] < 0;
            below += x.ahead[i * n + k] > 0;
        }
        if (holds(c[i * n], m->items)) {
            x.first[i] = 1 + above;
            x.last[i] = there - below;
        }
    }
    return x;
}
