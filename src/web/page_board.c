#include "web/pages.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/message.h"
#include "report/render_compare.h"
#include "report/show.h"
#include "report/wording.h"
#include "web/explore.h"

enum { SUITES_MOST = 12, SUITES_NAMED = 60, LANGUAGES_MOST = 12, ENTRIES_MOST = 2000 };

/* ---- the newest number of each model ---- */

static const struct explore_entry *entry_of(const struct explore_entries *l, const char *model)
{
    for (size_t i = 0; i < l->n; i++)
        if (strcmp(l->v[i].model, model) == 0)
            return &l->v[i];
    return NULL;
}

static int best_first(const void *x, const void *y, void *lower)
{
    const struct explore_entry *a = x, *b = y;

    if (a->value == b->value)
        return strcmp(a->model, b->model);
    return (a->value < b->value) == *(const bool *)lower ? -1 : 1;
}

/* The best first. */
static enum status newest(struct request *q, const char *suite, const char *metric, bool lower,
                          struct explore_entries *out, struct err *e)
{
    struct explore_entries all, kept;

    if (store_board_of(q->arena, q->store, suite, metric, ENTRIES_MOST, &all, e) != OK)
        return e->code;
    kept = (struct explore_entries){all.v, 0};
    for (size_t i = 0; i < all.n; i++)
        if (!entry_of(&kept, all.v[i].model))
            kept.v[kept.n++] = all.v[i];
    if (kept.n)
        qsort_r(kept.v, kept.n, sizeof *kept.v, best_first, &lower);
    *out = kept;
    return OK;
}

static enum status is_open(struct request *q, const char *run, struct suite *suite, bool *yes,
                           struct err *e)
{
    struct run_row row;

    if (store_run_get(q->arena, q->store, run, &row, e) != OK)
        return e->code;
    (void)explore_suite(q, &row, suite);
    *yes = !q->publish || !suite->sensitive;
    return OK;
}

/* ---- one suite by one measure ---- */

static void entry(struct page *p, const struct explore_entry *x, const struct widget_axis *axis,
                  size_t place)
{
    page_row_of(p, explore_to(p->q, "/model", "name", x->model, NULL), x->model);
    page_cell_fmt(p, "%zu", place);
    explore_cell_number(p, x->value);
    widget_interval(p, axis, x->value, x->lo, x->hi);
    page_cell_open(p, "num");
    html_fmt(&p->h, "%s – %s", explore_number(p, x->lo, 2), explore_number(p, x->hi, 2));
    html_close(&p->h);
    page_cell_fmt(p, "%lld", (long long)x->n);
    page_cell_open(p, NULL);
    page_link(p, page_printf(p, "/runs/%s", x->run), x->run);
    html_element(&p->h, "small", NULL, x->judges);
    html_close(&p->h);
    page_cell_time(p, x->created_ms);
    html_close(&p->h);
}

static void board_table(struct page *p, const struct explore_entries *l, const char *measure)
{
    const char *heads[] = {page_phrase(p, SEE_MODEL),
                           page_phrase(p, SEE_PLACE),
                           measure,
                           "",
                           page_phrase(p, WORD_INTERVAL),
                           "n",
                           page_phrase(p, PHRASE_RUN),
                           page_phrase(p, PHRASE_CREATED)};
    struct show_range range = {INFINITY, -INFINITY};
    struct widget_axis axis;

    for (size_t i = 0; i < l->n; i++)
        show_reach(&range, l->v[i].value, l->v[i].lo, l->v[i].hi);
    range = show_room(range);
    axis = (struct widget_axis){range.lo, range.hi, 2, page_phrase(p, SEE_INTERVAL), 3, 0};
    widget_axis_table(p, page_phrase(p, SEE_LEADERBOARD), heads, COUNT(heads), &axis);
    for (size_t i = 0; i < l->n; i++)
        entry(p, &l->v[i], &axis, i + 1);
    html_close_n(&p->h, 4);
}

static const char *metric_of(struct arena *a, const struct dimension *d)
{
    return arena_printf(a, "mark:%s", d->id);
}

/* The measures of a suite, as tabs: the score and every dimension. */
static void measures(struct page *p, const struct explore_suite *s, const struct suite *suite,
                     const char *metric)
{
    const struct instrument *in = &suite->instrument;
    size_t n = in->kind == INSTRUMENT_PAIR ? 0 : in->ndimensions;
    struct widget_tab *tabs = NEW_N(p->q->arena, struct widget_tab, n + 1);

    tabs[0] = (struct widget_tab){explore_to(p->q, "/leaderboard", "suite", s->suite, NULL),
                                  page_phrase(p, WORD_SCORE), -1, strcmp(metric, "score") == 0};
    for (size_t d = 0; d < n; d++) {
        const char *m = metric_of(p->q->arena, &in->dimensions[d]);
        tabs[d + 1] = (struct widget_tab){
            explore_to(p->q, "/leaderboard", "suite", s->suite, "by", m, NULL),
            explore_dimension(p->q, &in->dimensions[d]), -1, strcmp(metric, m) == 0};
    }
    widget_tabs(p, page_phrase(p, SEE_MEASURE), tabs, n + 1);
}

static enum status one_suite(struct request *q, struct response *r, const struct explore_suite *s,
                             struct err *e)
{
    const char *by = request_asked(q, "by"), *metric = *by ? by : "score";
    const char *title = explore_title(q, s);
    const struct dimension *by_dimension = NULL;
    struct explore_entries l = {0};
    struct suite suite;
    struct page p;
    bool open = false;

    if (is_open(q, s->run, &suite, &open, e) != OK)
        return e->code;
    if (!open)
        return err_set(e, E_ABSENT, "the suite is sensitive");
    for (size_t d = 0; d < suite.instrument.ndimensions; d++)
        if (strcmp(metric_of(q->arena, &suite.instrument.dimensions[d]), metric) == 0)
            by_dimension = &suite.instrument.dimensions[d];
    if (newest(q, s->suite, metric, by_dimension && by_dimension->lower_is_better, &l, e) != OK)
        return e->code;
    page_frame(&p, q, r, title);
    widget_crumbs(&p,
                  (const struct widget_step[]){{"/leaderboard", page_phrase(&p, SEE_LEADERBOARD)},
                                               {NULL, title}},
                  2);
    widget_head(&p, title, page_phrase(&p, SEE_BOARD_NOTE));
    measures(&p, s, &suite, metric);
    if (l.n)
        board_table(&p, &l,
                    by_dimension ? explore_dimension(q, by_dimension)
                                 : page_phrase(&p, wording_headline(&suite)));
    else
        widget_empty_go(&p, page_phrase(&p, WORD_NOTHING_SCORED), "/runs", PHRASE_RUNS);
    return page_close(&p);
}

/* ---- all suites ---- */

struct glance {
    const struct explore_suite *suites[SUITES_MOST], *others[SUITES_NAMED];
    struct explore_entries entries[SUITES_MOST];
    size_t n, nothers; /* others: suites for which there is no room in the table */
    const char **models;
    size_t nmodels;
};

static void add_models(struct arena *a, struct glance *g, const struct explore_entries *l)
{
    const char **all = NEW_N(a, const char *, g->nmodels + l->n + 1);

    for (size_t i = 0; i < g->nmodels; i++)
        all[i] = g->models[i];
    g->models = all;
    for (size_t i = 0; i < l->n; i++) {
        bool known = false;
        for (size_t k = 0; k < g->nmodels && !known; k++)
            known = strcmp(all[k], l->v[i].model) == 0;
        if (!known)
            all[g->nmodels++] = l->v[i].model;
    }
}

/* The judges of all entries; NULL: they differ. */
static const char *judges_of(const struct explore_entries *l)
{
    for (size_t i = 1; i < l->n; i++)
        if (strcmp(l->v[i].judges, l->v[0].judges) != 0)
            return NULL;
    return l->v[0].judges;
}

static void cell(struct page *p, const struct explore_entries *l, const char *model)
{
    const struct explore_entry *x = entry_of(l, model);

    if (x)
        explore_heat_cell(p, x->value, (struct show_range){l->v[l->n - 1].value, l->v[0].value}, 2,
                          page_printf(p, "/runs/%s", x->run), judges_of(l) ? NULL : x->judges);
    else
        explore_heat_cell(p, NAN, (struct show_range){0, 0}, 2, NULL, NULL);
}

static void glance_table(struct page *p, const struct glance *g)
{
    struct explore_head heads[SUITES_MOST];

    for (size_t s = 0; s < g->n; s++)
        heads[s] = (struct explore_head){
            explore_to(p->q, "/leaderboard", "suite", g->suites[s]->suite, NULL),
            explore_title(p->q, g->suites[s]), judges_of(&g->entries[s])};
    explore_heat(p, "heat", SEE_LEADERBOARD, SEE_MODEL, heads, g->n);
    for (size_t m = 0; m < g->nmodels; m++) {
        explore_heat_row(p, explore_to(p->q, "/model", "name", g->models[m], NULL), g->models[m]);
        for (size_t s = 0; s < g->n; s++)
            cell(p, &g->entries[s], g->models[m]);
        html_close(&p->h);
    }
    explore_heat_end(p);
}

static void other_suites(struct page *p, const struct glance *g)
{
    if (!g->nothers)
        return;
    widget_section(p, "others", page_phrase(p, SEE_OTHER_SUITES), NULL);
    html_open(&p->h, "ul", "class", "list");
    for (size_t i = 0; i < g->nothers; i++) {
        html_open(&p->h, "li", NULL);
        page_link(p, explore_to(p->q, "/leaderboard", "suite", g->others[i]->suite, NULL),
                  explore_title(p->q, g->others[i]));
        html_close(&p->h);
    }
    html_close_n(&p->h, 2);
}

/* Languages of the suites, shown as tabs where there are several. */
struct tongues {
    const char *v[LANGUAGES_MOST];
    size_t n;
};

static void add_tongue(struct tongues *x, const char *language)
{
    size_t i = 0;

    while (i < x->n && strcmp(x->v[i], language) != 0)
        i++;
    if (i == x->n && x->n < LANGUAGES_MOST)
        x->v[x->n++] = language;
}

static void tongues(struct page *p, const struct tongues *x, struct str chosen)
{
    struct widget_tab tabs[LANGUAGES_MOST + 1] = {
        {"/leaderboard", page_phrase(p, SEE_ANY), -1, !chosen.n}};

    for (size_t i = 0; i < x->n; i++)
        tabs[i + 1] =
            (struct widget_tab){explore_to(p->q, "/leaderboard", "language", x->v[i], NULL),
                                page_tongue(x->v[i]), -1, str_is(chosen, x->v[i])};
    if (x->n > 1)
        widget_tabs(p, page_phrase(p, PHRASE_LANGUAGE), tabs, x->n + 1);
}

enum status page_board_show(struct request *q, struct response *r, struct err *e)
{
    struct str wanted = request_query(q, "suite"), language = request_query(q, "language");
    struct tongues spoken = {0};
    struct explore_suites suites;
    struct glance g = {0};
    struct suite suite;
    struct page p;

    if (store_suite_list(q->arena, q->store, wanted.n ? INT32_MAX : SUITES_NAMED, &suites, e) != OK)
        return e->code;
    for (size_t i = 0; i < suites.n; i++) {
        bool open = false;
        if (wanted.n && str_is(wanted, suites.v[i].suite))
            return one_suite(q, r, &suites.v[i], e);
        if (wanted.n)
            continue;
        if (is_open(q, suites.v[i].run, &suite, &open, e) != OK)
            return e->code;
        if (!open)
            continue;
        if (*suite.language)
            add_tongue(&spoken, suite.language);
        if (language.n && !str_is(language, suite.language))
            continue;
        if (g.n == SUITES_MOST) {
            g.others[g.nothers++] = &suites.v[i];
            continue;
        }
        if (newest(q, suites.v[i].suite, "score", false, &g.entries[g.n], e) != OK)
            return e->code;
        if (!g.entries[g.n].n)
            continue;
        add_models(q->arena, &g, &g.entries[g.n]);
        g.suites[g.n++] = &suites.v[i];
    }
    if (wanted.n)
        return err_set(e, E_ABSENT, "there is no suite %.*s", STR_ARG(wanted));
    explore_frame(&p, q, r, words_of(q->language, SEE_LEADERBOARD),
                  words_of(q->language, SEE_GLANCE_NOTE));
    tongues(&p, &spoken, language);
    if (g.n)
        glance_table(&p, &g);
    else
        widget_empty(&p, suites.n ? WORD_NOTHING_SCORED : PHRASE_NO_RUNS);
    other_suites(&p, &g);
    return page_close(&p);
}

/* ---- two runs ---- */

static void changes(struct page *p, const struct compare *c, const struct compare_model *m,
                    enum compare_change which, enum word title)
{
    enum { SHOWN = 40 };
    const struct compare_item *changed = render_compare_items(p->q->arena, m, which);
    size_t n = m->counts[which];

    if (!n)
        return;
    html_open(&p->h, "div", NULL);
    html_element(&p->h, "h3", NULL, page_printf(p, "%s · %zu", page_phrase(p, title), n));
    html_open(&p->h, "ul", "class", "list");
    for (size_t i = 0; i < n && i < SHOWN; i++) {
        const struct compare_item *x = &changed[i];
        html_open(&p->h, "li", "class", "spread");
        page_link(p,
                  explore_to(p->q, explore_run_to(p->q, &c->run, "/samples"), "model", m->name,
                             "item", x->name, NULL),
                  x->name);
        html_fmt(&p->h, "%s → %s", explore_number(p, x->then, 2), explore_number(p, x->now, 2));
        html_close(&p->h);
    }
    html_close_n(&p->h, 2);
}

static void differences(struct page *p, const struct compare *c)
{
    const char *heads[] = {page_phrase(p, SEE_MODEL), page_phrase(p, SEE_BEFORE),
                           page_phrase(p, SEE_NOW), page_phrase(p, SEE_DIFFERENCE),
                           page_phrase(p, WORD_INTERVAL)};
    struct show_range range = {0, 0};
    struct widget_axis axis;
    struct html *h = &p->h;

    for (size_t i = 0; i < c->nmodels; i++) {
        const struct interval *d = &c->models[i].difference;
        show_reach(&range, d->value, d->low, d->high);
    }
    range.hi = fmax(range.hi, -range.lo);
    axis = (struct widget_axis){-range.hi, range.hi, 2, heads[3], 3, 1};
    widget_axis_table(p, heads[3], heads, COUNT(heads), &axis);
    for (size_t i = 0; i < c->nmodels; i++) {
        const struct compare_model *m = &c->models[i];
        page_row_of(p, explore_to(p->q, "/model", "name", m->name, NULL), m->name);
        explore_cell_number(p, m->then);
        explore_cell_number(p, m->now);
        widget_interval(p, &axis, m->difference.value, m->difference.low, m->difference.high);
        page_cell_open(p, "num");
        html_text(h, explore_number(p, m->difference.value, 2));
        html_element(h, "small", NULL,
                     arena_printf(h->scratch, "%s … %s", explore_number(p, m->difference.low, 2),
                                  explore_number(p, m->difference.high, 2)));
        html_close_n(h, 2);
    }
    html_close_n(&p->h, 4);
}

static const char *said(struct page *p, const struct compare *c)
{
    size_t up = 0, down = 0;

    for (size_t i = 0; i < c->nmodels; i++) {
        int way = values_ahead(&c->models[i].difference);
        up += way > 0;
        down += way < 0;
    }
    return page_two(p, SEE_COMPARED, page_printf(p, "%zu", up), page_printf(p, "%zu", down));
}

enum { RUNS_MOST = 200 };

/* The newest runs to choose from; once one is chosen, only those of its suite can be compared. */
static enum status choices(struct page *p, struct widget_option *out, size_t *n, struct err *e)
{
    const struct explore_run_filter all = {"", "", "", "", ""};
    struct str a = request_query(p->q, "a"), b = request_query(p->q, "b");
    const char *suite = NULL;
    struct explore_runs l;
    char when[CLOCK_TEXT];

    if (store_run_page(p->q->arena, p->q->store, &all, EXPLORE_FIRST, RUNS_MOST, &l, e) != OK)
        return e->code;
    for (size_t i = 0; i < l.n && !suite; i++)
        if (str_is(a, l.v[i].name) || str_is(b, l.v[i].name))
            suite = l.v[i].suite;
    out[(*n)++] = (struct widget_option){"", "–"};
    for (size_t i = 0; i < l.n; i++) {
        const struct explore_run *x = &l.v[i];
        clock_text(x->created_ms, when);
        if (!suite || strcmp(suite, x->suite) == 0)
            out[(*n)++] = (struct widget_option){
                x->name, page_printf(p, "%s · %s · %.10s", x->name,
                                     *x->label ? x->label : explore_title(p->q, x), when)};
    }
    return OK;
}

/* Offer the run of the address too, which may be older than all others in the list. */
static void ask_run(struct page *p, const char *name, enum word label, struct widget_option *v,
                    size_t n)
{
    struct str asked = request_query(p->q, name);
    bool known = !asked.n;

    for (size_t i = 0; i < n && !known; i++)
        known = str_is(asked, v[i].value);
    if (!known)
        v[n++] =
            (struct widget_option){arena_text(p->q->arena, asked), arena_text(p->q->arena, asked)};
    widget_select(p, name, label, v, n);
}

static enum status ask_runs(struct page *p, struct err *e)
{
    struct widget_option v[RUNS_MOST + 2];
    size_t n = 0;

    if (choices(p, v, &n, e) != OK)
        return e->code;
    widget_filters(p, "/compare", SEE_COMPARE);
    ask_run(p, "a", SEE_BEFORE, v, n);
    ask_run(p, "b", SEE_NOW, v, n);
    html_open(&p->h, "div", "class", "row");
    widget_button(p, "filled", SEE_COMPARE, NULL, NULL);
    html_close_n(&p->h, 2);
    return OK;
}

static enum status compared(struct request *q, struct str a, struct str b, struct compare *c,
                            struct err *e)
{
    const struct compare_options o = {.least = NAN};
    struct run_row before, now;

    if (store_run_get(q->arena, q->store, arena_text(q->arena, a), &before, e) != OK ||
        store_run_get(q->arena, q->store, arena_text(q->arena, b), &now, e) != OK ||
        values_refresh(q->store, &before, e) != OK || values_refresh(q->store, &now, e) != OK)
        return e->code;
    return compare_runs(q->arena, q->store, &now, &before, &o, c, e);
}

enum status page_board_compare(struct request *q, struct response *r, struct err *e)
{
    struct str a = request_query(q, "a"), b = request_query(q, "b");
    const char *refused = NULL; /* shown above the form, so that others can be chosen */
    struct compare c = {0};
    struct page p;

    if (a.n && b.n && compared(q, a, b, &c, e) != OK) {
        if (q->publish || (e->code != E_ABSENT && e->code != E_USAGE))
            return e->code;
        refused = message_show(q->arena, q->language, arena_text(q->arena, str_of(e->msg)));
        r->status = 422;
        c = (struct compare){0};
    }
    explore_frame(&p, q, r, words_of(q->language, SEE_COMPARE),
                  store_title(q->arena, (struct suite_title){c.run.suite, c.title, c.run.titles},
                              q->language));
    if (refused)
        page_alert(&p, refused);
    if (!q->publish && ask_runs(&p, e) != OK)
        return e->code;
    if (c.nmodels) {
        html_element(&p.h, "p", "finding", said(&p, &c));
        widget_notice(&p, c.judged_alike ? "" : "warn", compare_whose(q->arena, &c, q->language));
        differences(&p, &c);
    } else if (a.n && b.n && !refused) {
        widget_empty(&p, SEE_NOTHING_FOUND);
    }
    for (size_t i = 0; i < c.nmodels; i++) {
        const size_t *counts = c.models[i].counts;
        if (!counts[COMPARE_IMPROVED] && !counts[COMPARE_REGRESSED])
            continue;
        widget_section(&p, arena_printf(q->arena, "m%zu", i + 1), c.models[i].name, NULL);
        html_open(&p.h, "div", "class", "columns two");
        changes(&p, &c, &c.models[i], COMPARE_IMPROVED, SEE_IMPROVED);
        changes(&p, &c, &c.models[i], COMPARE_REGRESSED, SEE_REGRESSED);
        html_close_n(&p.h, 2);
    }
    return page_close(&p);
}
