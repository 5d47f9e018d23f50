#include "web/explore.h"

#include <math.h>
#include <stdlib.h>

#include "audit/audit.h"
#include "base/clock.h"
#include "eval/score.h"
#include "report/show.h"
#include "suite/suite.h"
#include "suite/transcript.h"

enum { EXCERPT = 200 }; /* code points */

bool explore_suite(struct request *q, const struct run_row *run, struct suite *out)
{
    struct err damage;

    *out = (struct suite){0};
    if (suite_thaw(q->arena, run->frozen, out, &damage) == OK)
        return true;
    *out = (struct suite){.language = "", .sensitive = true};
    return false;
}

enum status explore_listed(struct request *q, int64_t run, bool *yes, struct err *e)
{
    struct suite suite;
    struct run_row row;

    *yes = true;
    if (!q->publish)
        return OK;
    if (store_run_by_id(q->arena, q->store, run, &row, e) != OK)
        return e->code;
    *yes = explore_suite(q, &row, &suite) && !suite.sensitive;
    return OK;
}

enum status explore_load(struct request *q, struct explore *x, struct err *e)
{
    *x = (struct explore){0};
    if (store_run_get(q->arena, q->store, request_param(q, "run").p, &x->run, e) != OK ||
        suite_thaw(q->arena, x->run.frozen, &x->suite, e) != OK)
        return e->code;
    if (q->publish && x->suite.sensitive)
        return err_set(e, E_ABSENT, "the suite of run %s is sensitive", x->run.name);
    if (values_refresh(q->store, &x->run, e) != OK)
        return e->code;
    return store_run_stand(q->arena, q->store, &x->run.id, 1, &x->stand, e);
}

/* The name that people gave it, or else its suite's title. */
static const char *name_of(const struct request *q, const struct explore *x)
{
    return *x->run.label ? x->run.label : explore_title(q, &x->run);
}

/* ---- addresses ---- */

static void add_pair(struct buf *b, bool *any, const char *name, struct str value)
{
    if (!value.n)
        return;
    buf_char(b, *any ? '&' : '?');
    *any = true;
    request_encode(b, str_of(name));
    buf_char(b, '=');
    request_encode(b, value);
}

const char *explore_address(const struct request *q, const char *path, const char *const *pairs)
{
    AUTO(buf_done) struct buf b = BUF_MAX(REQUEST_TARGET_MAX);
    bool any = false;

    buf_text(&b, path);
    for (; pairs[0]; pairs += 2)
        add_pair(&b, &any, pairs[0], str_of(pairs[1]));
    return arena_text(q->arena, buf_str(&b));
}

const char *explore_run_to(const struct request *q, const struct run_row *run, const char *rest)
{
    return arena_printf(q->arena, "/runs/%s%s", run->name, rest);
}

const char *explore_sample_to(const struct request *q, const char *run, int64_t sample)
{
    return arena_printf(q->arena, "/runs/%s/samples/%lld", run, (long long)sample);
}

/* This address, with another place in the list. */
static const char *address(const struct request *q, const char *const *pairs)
{
    static const char *const left_out[] = {"key", "after", "lang", "done", NULL};
    AUTO(buf_done) struct buf b = BUF_MAX(REQUEST_TARGET_MAX);
    bool any = false;

    buf_add(&b, q->path);
    for (size_t i = 0; i < q->query.n; i++)
        if (!str_any(q->query.v[i].name, str_eq, left_out))
            add_pair(&b, &any, arena_text(q->arena, q->query.v[i].name), q->query.v[i].value);
    for (; pairs[0]; pairs += 2)
        add_pair(&b, &any, pairs[0], str_of(pairs[1]));
    return arena_text(q->arena, buf_str(&b));
}

const char *explore_after(const struct request *q, const char *row)
{
    return address(q, (const char *const[]){"after", row, NULL});
}

const char *explore_next(const struct request *q, double key, int64_t id)
{
    const char *number = arena_int(q->arena, id);
    const char *at = arena_printf(q->arena, "%.17g", key);

    return address(q, (const char *const[]){"key", at, "after", number, NULL});
}

struct explore_place explore_place(const struct request *q)
{
    struct str key = request_query(q, "key");
    struct explore_place at = {.id = request_int(request_query(q, "after"), 0)};

    if (!key.n || !at.id)
        return EXPLORE_FIRST;
    at.key = strtod(arena_text(q->arena, key), NULL);
    return isfinite(at.key) ? at : EXPLORE_FIRST;
}

/* ---- the frame ---- */

void explore_frame(struct page *p, struct request *q, struct response *r, const char *title,
                   const char *meta)
{
    page_frame(p, q, r, title);
    widget_head(p, title, meta);
}

static const char *meta_of(struct page *p, const struct explore *x)
{
    char when[CLOCK_TEXT];

    clock_text(x->run.created_ms, when);
    return page_printf(p, "%s · %s · %.10s%s%s", x->run.name, x->run.suite, when,
                       *x->run.note ? " · " : "", x->run.note);
}

void explore_open(struct page *p, struct request *q, struct response *r, const struct explore *x,
                  enum explore_tab tab, const char *at)
{
    bool pairs = x->suite.instrument.kind == INSTRUMENT_PAIR;
    const struct explore_stand *c = &x->stand;
    const struct {
        const char *rest;
        enum word text;
        int64_t n;
    } all[] = {
        [TAB_OVERVIEW] = {"", SEE_OVERVIEW, -1},
        [TAB_SAMPLES] = {"/samples", SEE_SAMPLES, c->samples},
        [TAB_ITEMS] = {"/items", SEE_ITEMS, -1},
        [TAB_BATTLES] = {pairs ? "/battles" : NULL, SEE_BATTLES, -1},
        [TAB_JUDGES] = {"/judges", SEE_JUDGES, -1},
        [TAB_FLAGS] = {"/flags", PHRASE_FLAGS, c->flags},
        [TAB_METHOD] = {"/method", SEE_METHOD, -1},
    };
    struct widget_tab tabs[COUNT(all)] = {0};
    struct widget_step steps[4] = {{"/runs", words_of(q->language, PHRASE_RUNS)},
                                   {explore_run_to(q, &x->run, ""), name_of(q, x)}};
    size_t n = 2;

    for (size_t i = 0; i < COUNT(all); i++)
        if (all[i].rest)
            tabs[i] = (struct widget_tab){explore_run_to(q, &x->run, all[i].rest),
                                          words_of(q->language, all[i].text), all[i].n, i == tab};
    if (tab != TAB_OVERVIEW)
        steps[n++] = (struct widget_step){at ? tabs[tab].href : NULL, tabs[tab].text};
    else
        steps[1].href = NULL;
    if (at)
        steps[n++] = (struct widget_step){NULL, at};
    page_frame(p, q, r,
               arena_printf(q->arena, "%s%s%s", at ? at : "", at ? " · " : "", name_of(q, x)));
    widget_crumbs(p, steps, n);
    if (at)
        return; /* it has a title of its own */
    widget_head(p, name_of(q, x), meta_of(p, x));
    widget_tabs(p, name_of(q, x), tabs, COUNT(tabs));
    if (x->suite.sensitive && tab != TAB_JUDGES && tab != TAB_METHOD)
        widget_notice(p, "warn", page_phrase(p, WORD_WITHHELD));
}

/* ---- parts ---- */

void explore_pager(struct page *p, size_t shown, int64_t total, const char *next)
{
    html_open(&p->h, "nav", "class", "pager", "aria-label", page_phrase(p, SEE_PAGES));
    html_element(&p->h, "p", "soft",
                 page_two(p, SEE_SHOWN, page_printf(p, "%zu", shown), page_number(p, total)));
    html_open(&p->h, "div", "class", "row");
    if (request_query(p->q, "after").n)
        widget_go(p, "small", explore_after(p->q, ""), SEE_FIRST);
    if (next)
        widget_go(p, "small", next, SEE_NEXT);
    html_close_n(&p->h, 2);
}

const char *explore_number(struct page *p, double v, int decimals)
{
    char text[SHOW_MAX];

    /* Ratings are in the thousands: decimals would be noise. */
    return arena_text(p->q->arena,
                      str_of(show_number(text, v, fabs(v) >= 100 ? 0 : decimals, "–")));
}

void explore_chip(struct page *p, const struct suite *suite, const char *cls, double value)
{
    struct score_bounds b = score_sample_bounds(suite);

    html_element(&p->h, "span", page_printf(p, "%s %s", cls, widget_shade(value, b.min, b.max)),
                 explore_number(p, value * values_times(suite), 2));
}

void explore_cell_number(struct page *p, double v)
{
    page_cell_open(p, "num");
    html_text(&p->h, explore_number(p, v, 2));
    html_close(&p->h);
}

void explore_heat(struct page *p, const char *cls, enum word label, enum word first,
                  const struct explore_head *heads, size_t n)
{
    struct html *h = &p->h;

    html_open(h, "div", "class", "pan", "tabindex", "0", "role", "group", "aria-label",
              page_phrase(p, label));
    html_open(h, "table", "class", cls);
    html_open(h, "thead", NULL);
    html_open(h, "tr", NULL);
    html_say(h, "th", page_phrase(p, first), "scope", "col");
    for (size_t i = 0; i < n; i++) {
        html_open(h, "th", "scope", "col");
        if (heads[i].href)
            page_link(p, heads[i].href, heads[i].text);
        else
            html_text(h, heads[i].text);
        if (heads[i].whose)
            html_element(h, "small", NULL, heads[i].whose);
        html_close(h);
    }
    html_close_n(h, 2);
    html_open(h, "tbody", NULL);
}

void explore_heat_row(struct page *p, const char *href, const char *text)
{
    html_open(&p->h, "tr", NULL);
    html_open(&p->h, "th", "scope", "row");
    html_say(&p->h, href ? "a" : "span", text, "href", href);
    html_close(&p->h);
}

void explore_heat_cell(struct page *p, double v, struct show_range range, int decimals,
                       const char *href, const char *whose)
{
    bool leads = href && isfinite(v);

    html_open(&p->h, "td", "class", widget_shade(v, range.lo, range.hi));
    html_open(&p->h, leads ? "a" : "span", "href", leads ? href : NULL);
    html_text(&p->h, explore_number(p, v, decimals));
    if (whose)
        html_element(&p->h, "small", NULL, whose);
    html_close_n(&p->h, 2);
}

void explore_heat_end(struct page *p)
{
    html_close_n(&p->h, 3);
}

struct str explore_excerpt(const struct request *q, const struct suite *s, struct str answer)
{
    struct transcript said = {0};
    struct str head;
    size_t first = 0;

    if (vocab_is_talk(s))
        said = transcript_parse(q->arena, answer);
    while (first < said.n && vocab_is_other(s, said.v[first].who))
        first++;
    answer = first < said.n ? said.v[first].text : answer;
    head = utf8_head(answer, EXCERPT);
    return head.n < answer.n ? str_of(arena_printf(q->arena, "%.*s…", STR_ARG(head))) : answer;
}

void explore_text(struct page *p, const char *cls, const char *language, struct str text)
{
    html_quote(&p->h, "div", text, "class", cls, "lang", language, "dir", "auto");
}

const char *explore_dimension(const struct request *q, const struct dimension *d)
{
    return arena_printf(q->arena, "%.*s%s", STR_ARG(d->title), d->lower_is_better ? " ↓" : "");
}

struct show_range explore_worst_to_best(const struct dimension *d)
{
    return d->lower_is_better ? (struct show_range){d->max, d->min}
                              : (struct show_range){d->min, d->max};
}

void explore_judge(struct page *p, const char *judge)
{
    if (str_starts(str_of(judge), STR(JURY_PEOPLE)))
        html_text(&p->h, judge);
    else
        page_link(p, explore_to(p->q, "/judge", "name", judge, NULL), judge);
}

enum status explore_warn(struct page *p, const char *judge, struct err *e)
{
    bool falls;

    if (audit_falls(p->q->arena, p->q->store, judge, &falls, e) != OK)
        return e->code;
    if (!falls)
        return OK;
    html_open(&p->h, "p", "class", "notice warn");
    explore_judge(p, judge);
    html_text(&p->h, page_two(p, WORD_LABELLED, "", page_phrase(p, AUDIT_WARNS)));
    html_close(&p->h);
    return OK;
}

enum status explore_warn_of(struct page *p, const struct report_sample *s, struct err *e)
{
    for (size_t i = 0; i < s->nverdicts; i++) {
        const char *judge = s->verdicts[i].judge;
        size_t first = 0;
        while (strcmp(s->verdicts[first].judge, judge) != 0)
            first++;
        if (first == i && explore_warn(p, judge, e) != OK)
            return e->code;
    }
    return OK;
}
