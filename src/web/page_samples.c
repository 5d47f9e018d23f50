#include "web/pages.h"

#include <math.h>
#include <stdlib.h>

#include "eval/score.h"
#include "report/wording.h"
#include "store/store_compare.h"
#include "suite/rule.h"
#include "web/explore.h"

/* ---- what was asked for ---- */

static double number(struct request *q, const char *name, double otherwise)
{
    const char *text = request_asked(q, name);
    char *end;
    double v = strtod(text, &end);

    return *text && !*end && isfinite(v) ? v : otherwise;
}

/* The id of a name; 0: any ("" was asked for); -1: there is none, so that nothing is found. */
static int64_t id_of(const struct party_list *l, const char *name)
{
    const struct party *p = store_party_named(l, name);

    return p ? p->id : *name ? -1 : 0;
}

static enum status ids(struct request *q, const struct explore *x, const struct party_list *models,
                       const struct party_list *judges, struct explore_sample_filter *f,
                       struct err *e)
{
    const char *model = request_asked(q, "model"), *judge = request_asked(q, "judge"),
               *item = request_asked(q, "item");
    bool found = true;

    f->model = id_of(models, model);
    f->judge = id_of(judges, judge);
    if (*item && store_item_find(q->store, x->run.id, item, &f->item, &found, e) != OK)
        return e->code;
    if (!found)
        f->item = -1;
    return OK;
}

/* Judges disagree if their marks differ by a quarter of the scale. */
static double apart(const struct suite *suite)
{
    struct score_bounds b = score_sample_bounds(suite);

    return (b.max - b.min) / 4;
}

static enum status filter_of(struct request *q, const struct explore *x,
                             struct explore_sample_filter *f, struct err *e)
{
    struct run_row baseline;
    struct err none;

    f->run = x->run.id;
    f->order = request_asked(q, "order");
    f->flag = request_asked(q, "flag");
    f->from = number(q, "from", -INFINITY) / values_times(&x->suite);
    f->to = number(q, "to", INFINITY) / values_times(&x->suite);
    f->unscored = str_is(request_query(q, "unscored"), "1");
    f->spread = str_is(request_query(q, "apart"), "1") ? apart(&x->suite) : 0;
    f->words = request_asked(q, "words");
    if (str_is(request_query(q, "changed"), "1")) {
        if (store_baseline_get(q->arena, q->store, x->run.suite, &baseline, &none) != OK)
            return OK;
        if (values_refresh(q->store, &baseline, e) != OK)
            return e->code;
        f->baseline = baseline.id != x->run.id ? baseline.id : 0;
    }
    return OK;
}

/* ---- the form ---- */

static void parties(struct page *p, const char *name, enum word label, const struct party_list *l)
{
    struct widget_option *v = NEW_N(p->q->arena, struct widget_option, l->n + 1);

    v[0] = (struct widget_option){"", page_phrase(p, SEE_ANY)};
    for (size_t i = 0; i < l->n; i++)
        v[i + 1] = (struct widget_option){l->v[i].name, l->v[i].name};
    widget_select(p, name, label, v, l->n + 1);
}

static void flags(struct page *p)
{
    struct widget_option v[RULE_KINDS + 2] = {{"", page_phrase(p, SEE_ANY)},
                                              {"any", page_phrase(p, SEE_FLAGGED)}};

    for (size_t i = 0; i < RULE_KINDS; i++) {
        const char *kind = suite_rule_name((enum rule_kind)i);
        v[i + 2] = (struct widget_option){kind, wording_flag(p->q->language, kind)};
    }
    widget_select(p, "flag", SEE_FLAG, v, COUNT(v));
}

static void form(struct page *p, const struct explore *x, const struct party_list *models,
                 const struct party_list *judges)
{
    const struct widget_option orders[] = {{"", page_phrase(p, SEE_IN_ORDER)},
                                           {"low", page_phrase(p, SEE_LOWEST)},
                                           {"high", page_phrase(p, SEE_HIGHEST)},
                                           {"spread", page_phrase(p, SEE_MOST_APART)},
                                           {"long", page_phrase(p, SEE_LONGEST)}};
    static const char *const names[] = {"words", "model", "item",     "judge", "flag",   "from",
                                        "to",    "order", "unscored", "apart", "changed"};
    const char *here = explore_run_to(p->q, &x->run, "/samples");

    widget_filters_fold(p, here, SEE_FIND_SAMPLES, names, COUNT(names));
    widget_input(p, "words", SEE_ANSWER_WORDS, "search");
    parties(p, "model", SEE_MODEL, models);
    widget_input(p, "item", SEE_ITEM, "text");
    parties(p, "judge", SEE_JUDGE, judges);
    flags(p);
    widget_input(p, "from", SEE_FROM, "number");
    widget_input(p, "to", SEE_TO, "number");
    widget_select(p, "order", SEE_ORDER, orders, COUNT(orders));
    widget_check(p, "unscored", SEE_UNSCORED);
    widget_check(p, "apart", SEE_APART);
    widget_check(p, "changed", SEE_CHANGED);
    widget_filters_end(p, here);
}

/* ---- the list ---- */

static void row(struct page *p, const struct explore *x, const struct explore_sample *s)
{
    struct html *h = &p->h;

    page_row_of(p, explore_sample_to(p->q, x->run.name, s->id),
                page_printf(p, "%s · %lld", s->item, (long long)s->repeat + 1));
    page_cell(p, s->model);
    page_cell_open(p, "num");
    if (x->suite.instrument.kind != INSTRUMENT_PAIR)
        explore_chip(p, &x->suite, "chip", s->value);
    html_close(h);
    page_cell_open(p, NULL);
    if (s->state == STATE_FAILED)
        widget_state(p, "bad", page_phrase(p, WORD_FAILED));
    else if (s->state != STATE_DONE)
        widget_state(p, "info", page_phrase(p, SEE_WAITING));
    if (s->flags)
        widget_pill(p, "warn", page_with(p, SEE_FLAGS_N, page_number(p, s->flags)));
    html_close(h);
    page_cell_open(p, "long soft");
    html_foreign(h, x->suite.language, explore_excerpt(p->q, &x->suite, s->excerpt));
    html_close_n(h, 2);
}

static void list(struct page *p, const struct explore *x, const struct explore_samples *l)
{
    size_t n = l->n < EXPLORE_PAGE ? l->n : EXPLORE_PAGE;

    html_open(&p->h, "div", "class", "card flush block-s");
    page_table(p, SEE_ITEM_REPEAT, SEE_MODEL, SEE_VALUE, SEE_STATE, WORD_ANSWER);
    for (size_t i = 0; i < n; i++)
        row(p, x, &l->v[i]);
    page_table_end(p);
    html_close(&p->h);
    explore_pager(p, n, l->total,
                  l->n > n ? explore_next(p->q, l->v[n - 1].key, l->v[n - 1].id) : NULL);
}

enum status page_samples_list(struct request *q, struct response *r, struct err *e)
{
    struct explore_sample_filter f = {0};
    struct party_list models, judges;
    struct explore_samples l = {0};
    struct explore x;
    struct page p;

    if (explore_load(q, &x, e) != OK ||
        store_party_list(q->arena, q->store, PARTY_MODEL, x.run.id, &models, e) != OK ||
        store_party_list(q->arena, q->store, PARTY_JUDGE, x.run.id, &judges, e) != OK ||
        filter_of(q, &x, &f, e) != OK || ids(q, &x, &models, &judges, &f, e) != OK)
        return e->code;
    if (!x.suite.sensitive &&
        store_sample_page(q->arena, q->store, &f, explore_place(q), EXPLORE_PAGE + 1, &l, e) != OK)
        return e->code;
    explore_open(&p, q, r, &x, TAB_SAMPLES, NULL);
    if (!q->publish && !x.suite.sensitive)
        form(&p, &x, &models, &judges);
    if (l.n)
        list(&p, &x, &l);
    else if (!x.suite.sensitive)
        widget_empty_go(&p, page_phrase(&p, SEE_NOTHING_FOUND),
                        explore_run_to(q, &x.run, "/samples"), SEE_CLEAR);
    return page_close(&p);
}
