#include "web/pages.h"

#include "report/pick.h"
#include "report/wording.h"
#include "web/explore.h"

/* ---- all of them ---- */

static void row(struct page *p, const struct explore *x, const struct explore_battle *b)
{
    page_row(p);
    page_row_head(p);
    page_link(p,
              page_printf(p, "/runs/%s/battles/%lld/%lld", x->run.name, (long long)b->sample,
                          (long long)b->other),
              b->item);
    html_close(&p->h);
    page_cell(p, b->model);
    page_cell(p, b->against);
    page_cell_fmt(p, "%lld : %lld", (long long)b->won, (long long)b->lost);
    page_cell_fmt(p, "%lld", (long long)b->tied);
    page_cell_fmt(p, "%lld", (long long)(b->verdicts - b->won - b->lost - b->tied));
    html_close(&p->h);
}

enum status page_battles_list(struct request *q, struct response *r, struct err *e)
{
    int64_t sample = request_int(request_query(q, "after"), 0);
    int64_t other = request_int(request_query(q, "other"), 0);
    const char *next = NULL;
    struct explore_battles l;
    struct explore x;
    struct page p;
    size_t n;

    if (explore_load(q, &x, e) != OK || store_battle_page(q->arena, q->store, x.run.id, sample,
                                                          other, EXPLORE_PAGE + 1, &l, e) != OK)
        return e->code;
    n = l.n < EXPLORE_PAGE ? l.n : EXPLORE_PAGE;
    if (l.n > n)
        next = explore_to(q, explore_run_to(q, &x.run, "/battles"), "after",
                          arena_int(q->arena, l.v[n - 1].sample), "other",
                          arena_int(q->arena, l.v[n - 1].other), NULL);
    explore_open(&p, q, r, &x, TAB_BATTLES, NULL);
    if (!n)
        widget_empty(&p, SEE_NOTHING_FOUND);
    html_open(&p.h, "div", "class", "card flush");
    page_table(&p, SEE_ITEM, SEE_BATTLE_A, SEE_BATTLE_B, SEE_WON, WORD_TIED, WORD_UNSCORED);
    for (size_t i = 0; i < n; i++)
        row(&p, &x, &l.v[i]);
    page_table_end(&p);
    html_close(&p.h);
    if (next) {
        html_open(&p.h, "nav", "class", "pager", "aria-label", page_phrase(&p, SEE_PAGES));
        widget_go(&p, "small", next, SEE_NEXT);
        html_close(&p.h);
    }
    return page_close(&p);
}

/* ---- one of them ---- */

struct battle {
    struct explore x;
    struct report a, b; /* of one sample each */
};

static enum status take(struct request *q, const struct explore *x, const char *param,
                        struct report *out, struct err *e)
{
    const struct sample_filter one = {.run = x->run.id,
                                      .id = request_int(request_param(q, param), -1)};

    *out = (struct report){.run = x->run, .suite = x->suite};
    if (jury_find(q->arena, q->store, x->run.id, NULL, &out->jury, e) != OK ||
        pick_those(q->arena, q->store, &one, out, e) != OK)
        return e->code;
    return out->nsamples ? OK
                         : err_set(e, E_ABSENT, "there is no such answer in run %s", x->run.name);
}

static bool between(const struct report_verdict *v, const char *one, const char *other)
{
    return v->shown_a && ((strcmp(v->shown_a, one) == 0 && strcmp(v->shown_b, other) == 0) ||
                          (strcmp(v->shown_a, other) == 0 && strcmp(v->shown_b, one) == 0));
}

/* Does the verdict count in the scores? Where a suite asks in both orders, a judge's verdict counts
 * only if the other order is there too. People choose once. */
static bool counts(const struct battle *b, const struct report_verdict *v)
{
    const struct report_sample *x = b->a.samples;

    if (v->state != STATE_DONE || !between(v, x->model, b->b.samples->model))
        return false;
    if (!b->x.suite.instrument.both_orders || str_starts(str_of(v->judge), str_of(JURY_PEOPLE)))
        return true;
    for (size_t i = 0; i < x->nverdicts; i++) {
        const struct report_verdict *w = &x->verdicts[i];
        if (w->state == STATE_DONE && w->repeat == v->repeat && strcmp(w->judge, v->judge) == 0 &&
            w->shown_a && strcmp(w->shown_a, v->shown_b) == 0 &&
            strcmp(w->shown_b, v->shown_a) == 0)
            return true;
    }
    return false;
}

static const char *outcome(struct page *p, const struct battle *b, const int wins[2], int judged)
{
    if (!judged)
        return page_phrase(p, SEE_BATTLE_NONE);
    return wins[0] == wins[1]
               ? page_phrase(p, SEE_BATTLE_TIE)
               : page_with(p, SEE_BATTLE_WON,
                           wins[0] > wins[1] ? b->a.samples->model : b->b.samples->model);
}

static void side(struct page *p, const struct battle *b, const struct report_sample *s,
                 const char *letter, bool won)
{
    html_open(&p->h, "article", "class", won ? "card winner" : "card");
    html_open(&p->h, "div", "class", "spread");
    html_open(&p->h, "h2", NULL);
    html_fmt(&p->h, "%s · ", letter);
    page_link(p, explore_sample_to(p->q, b->x.run.name, s->id), s->model);
    html_close(&p->h);
    if (won)
        widget_state(p, "good", page_phrase(p, SEE_WINNER));
    html_close(&p->h);
    explore_text(p, "text", b->x.suite.language, s->answer);
    html_close(&p->h);
}

static void reasons(struct page *p, const struct battle *b)
{
    const struct report_sample *x = b->a.samples, *y = b->b.samples;

    widget_section(p, "verdicts", page_phrase(p, PHRASE_VERDICTS), page_phrase(p, SEE_ORDERS_NOTE));
    for (size_t i = 0; i < x->nverdicts; i++) {
        const struct report_verdict *v = &x->verdicts[i];
        if (!between(v, x->model, y->model))
            continue;
        html_open(&p->h, "div", "class", "card block-s");
        html_open(&p->h, "p", "class", "row");
        html_open(&p->h, "strong", "class", "strong");
        explore_judge(p, v->judge);
        html_close(&p->h);
        html_element(&p->h, "span", "soft", page_two(p, SEE_SHOWN_ORDER, v->shown_a, v->shown_b));
        if (v->winner)
            widget_state(p, "good", v->winner);
        else
            widget_state(p, v->state == STATE_DONE ? "" : "bad",
                         page_phrase(p, v->state == STATE_DONE ? WORD_TIED : WORD_UNSCORED));
        html_close(&p->h);
        if (v->reason.n)
            explore_text(p, "said", b->x.suite.language, v->reason);
        if (v->why && v->state != STATE_DONE)
            html_element(&p->h, "p", "why", wording_why(p->h.scratch, p->q->language, v->why, ""));
        page_fold(p, WORD_REPLY);
        explore_text(p, "raw", b->x.suite.language, v->reply);
        html_close_n(&p->h, 2);
    }
    html_close(&p->h);
}

enum status page_battles_show(struct request *q, struct response *r, struct err *e)
{
    const struct report_sample *x, *y;
    struct battle b = {0};
    int wins[2] = {0, 0}, judged = 0;
    const char *title;
    struct page p;

    if (explore_load(q, &b.x, e) != OK)
        return e->code;
    if (b.x.suite.sensitive)
        return err_set(e, E_ABSENT, "the suite of run %s is sensitive", b.x.run.name);
    if (take(q, &b.x, "a", &b.a, e) != OK || take(q, &b.x, "b", &b.b, e) != OK)
        return e->code;
    x = b.a.samples;
    y = b.b.samples;
    for (size_t i = 0; i < x->nverdicts; i++)
        if (counts(&b, &x->verdicts[i])) {
            judged++;
            if (x->verdicts[i].winner)
                wins[strcmp(x->verdicts[i].winner, x->model) != 0]++;
        }
    title = arena_printf(q->arena, "%s · %s : %s", x->item, x->model, y->model);
    explore_open(&p, q, r, &b.x, TAB_BATTLES, title);
    widget_head(&p, title, NULL);
    html_element(&p.h, "p", "finding", outcome(&p, &b, wins, judged));
    html_open(&p.h, "div", "class", "card");
    explore_text(&p, "text", b.x.suite.language, x->prompt);
    html_close(&p.h);
    html_open(&p.h, "div", "class", "columns two block-s");
    side(&p, &b, x, "A", wins[0] > wins[1]);
    side(&p, &b, y, "B", wins[1] > wins[0]);
    html_close(&p.h);
    if (explore_warn_of(&p, x, e) != OK)
        return e->code;
    reasons(&p, &b);
    return page_close(&p);
}
