#include "web/pages.h"

#include <math.h>

#include "audit/audit.h"
#include "eval/score.h"
#include "report/table.h"
#include "web/explore.h"

enum { NAMES = 200, RUNS_SHOWN = 50, MOMENTS = 3 };

/* Keep the runs that lists show. */
static enum status open_runs(struct request *q, struct explore_parts *l, struct err *e)
{
    size_t n = 0;
    bool listed;

    for (size_t i = 0; i < l->n; i++) {
        if (explore_listed(q, l->v[i].run, &listed, e) != OK)
            return e->code;
        if (listed)
            l->v[n++] = l->v[i];
    }
    l->n = n;
    return OK;
}

/* ---- lists of names ---- */

enum status page_party_names(struct request *q, struct response *r, struct err *e)
{
    bool model = str_is(q->path, "/models");
    enum party_kind kind = model ? PARTY_MODEL : PARTY_JUDGE;
    struct explore_names l;
    struct page p;

    if (store_party_names(q->arena, q->store, kind, request_asked(q, "after"), NAMES + 1, &l, e) !=
        OK)
        return e->code;
    explore_frame(&p, q, r, words_of(q->language, model ? SEE_MODELS : SEE_JUDGES), NULL);
    if (!l.n)
        widget_empty(&p, PHRASE_NO_RUNS);
    html_open(&p.h, "ul", "class", "list");
    for (size_t i = 0; i < l.n && i < NAMES; i++) {
        struct explore_parts runs = {0};
        if (q->publish) {
            if (store_runs_of(q->arena, q->store, kind, l.v[i], RUNS_SHOWN, &runs, e) != OK ||
                open_runs(q, &runs, e) != OK)
                return e->code;
            if (!runs.n)
                continue;
        }
        html_open(&p.h, "li", NULL);
        page_link(&p, explore_to(q, model ? "/model" : "/judge", "name", l.v[i], NULL), l.v[i]);
        html_close(&p.h);
    }
    html_close(&p.h);
    if (l.n > NAMES)
        widget_go(&p, "small", explore_after(q, l.v[NAMES - 1]), SEE_NEXT);
    return page_close(&p);
}

/* ---- a name over its runs ---- */

static void history_row(struct page *p, const struct explore_part *x,
                        const struct widget_axis *axis)
{
    page_row(p);
    page_row_head(p);
    page_link(p, page_printf(p, "/runs/%s", x->name), explore_title(p->q, x));
    html_element(&p->h, "small", NULL,
                 page_printf(p, "%s%s%s", x->name, *x->judges ? " · " : "", x->judges));
    html_close(&p->h);
    page_cell_time(p, x->created_ms);
    explore_cell_number(p, x->value);
    widget_interval(p, axis, x->value, x->lo, x->hi);
    page_cell_fmt(p, "%lld", (long long)x->n);
    html_close(&p->h);
}

/* Runs of one suite, on one axis: numbers of two suites do not compare. */
static void history(struct page *p, const struct explore_parts *l, enum word measure)
{
    const char *heads[] = {page_phrase(p, PHRASE_RUN), page_phrase(p, PHRASE_CREATED),
                           page_phrase(p, measure), page_phrase(p, SEE_INTERVAL), "n"};
    struct show_range range = {INFINITY, -INFINITY};
    struct widget_axis axis;

    for (size_t i = 0; i < l->n; i++)
        show_reach(&range, l->v[i].value, l->v[i].lo, l->v[i].hi);
    range = show_room(range);
    axis = (struct widget_axis){range.lo, range.hi, 2, heads[3], 3, 0};
    widget_axis_table(p, page_phrase(p, SEE_HISTORY), heads, COUNT(heads), &axis);
    for (size_t i = 0; i < l->n; i++)
        history_row(p, &l->v[i], &axis);
    html_close_n(&p->h, 4);
}

static enum status load(struct request *q, enum party_kind kind, struct explore_parts *l,
                        struct err *e)
{
    const char *name = request_asked(q, "name");

    if (store_runs_of(q->arena, q->store, kind, name, RUNS_SHOWN, l, e) != OK ||
        open_runs(q, l, e) != OK)
        return e->code;
    return l->n ? OK : err_set(e, E_ABSENT, "no run has a model or judge called '%s'", name);
}

/* ---- a model ---- */

/* Runs are listed newest first: is this the newest run of its suite? */
static bool is_newest(const struct explore_parts *l, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (strcmp(l->v[i].suite, l->v[at].suite) == 0)
            return false;
    return true;
}

/* Its marks in one run, by dimension. */
static enum status profile(struct page *p, const struct explore_part *x, const struct suite *suite,
                           const char *name, struct err *e)
{
    const struct instrument *in = &suite->instrument;
    struct score_list scores;

    if (store_score_list(p->q->arena, p->q->store, x->run, x->jury, &scores, e) != OK)
        return e->code;
    html_open(&p->h, "dl", "class", "kv");
    for (size_t d = 0; d < in->ndimensions && in->kind != INSTRUMENT_PAIR; d++) {
        const struct dimension *of = &in->dimensions[d];
        const struct show_range range = explore_worst_to_best(of);
        const struct score_row *row = score_find(&scores, page_printf(p, "model/%s", name),
                                                 page_printf(p, "mark:%s", of->id));
        html_say(&p->h, "dt", explore_dimension(p->q, of), "lang", suite->language);
        html_open(&p->h, "dd", NULL);
        html_element(&p->h, "span",
                     page_printf(p, "chip %s", widget_shade(show_value(row), range.lo, range.hi)),
                     explore_number(p, show_value(row), 2));
        html_close(&p->h);
    }
    html_close(&p->h);
    return OK;
}

/* The best answers, or the worst; where there are few, none is shown as both. */
static enum status moments(struct page *p, const struct explore_part *x, const struct suite *suite,
                           const char *order, enum word title, int64_t model, struct err *e)
{
    bool best = strcmp(order, "high") == 0;
    const struct explore_sample_filter f = {.run = x->run,
                                            .order = order,
                                            .model = model,
                                            .flag = "",
                                            .from = -1e299,
                                            .to = INFINITY,
                                            .words = ""};
    struct explore_samples l;

    if (store_sample_page(p->q->arena, p->q->store, &f, EXPLORE_FIRST, MOMENTS, &l, e) != OK)
        return e->code;
    l.n = (size_t)fmin((double)l.n, (double)(best ? l.total + 1 : l.total) / 2);
    if (!l.n)
        return OK;
    html_open(&p->h, "div", NULL);
    page_say(p, "h3", NULL, title);
    html_open(&p->h, "ul", "class", "list");
    for (size_t i = 0; i < l.n; i++) {
        html_open(&p->h, "li", NULL);
        page_link(p, explore_sample_to(p->q, x->name, l.v[i].id),
                  page_printf(p, "%s · %s", l.v[i].item,
                              explore_number(p, l.v[i].value * values_times(suite), 2)));
        explore_text(p, "soft t14", suite->language, explore_excerpt(p->q, suite, l.v[i].excerpt));
        html_close(&p->h);
    }
    html_close_n(&p->h, 2);
    return OK;
}

/* Those of the same suite as one of them. */
static struct explore_parts of_suite(struct arena *a, const struct explore_parts *l,
                                     const char *suite)
{
    struct explore_parts out = {NEW_N(a, struct explore_part, l->n + 1), 0};

    for (size_t i = 0; i < l->n; i++)
        if (strcmp(l->v[i].suite, suite) == 0)
            out.v[out.n++] = l->v[i];
    return out;
}

static enum status suite_part(struct page *p, const struct explore_parts *all,
                              const struct explore_part *x, size_t number, const char *name,
                              struct err *e)
{
    const struct explore_parts same = of_suite(p->q->arena, all, x->suite);
    struct suite suite;
    struct party_list models;
    const struct party *model;
    struct run_row run;
    int64_t id;

    if (store_run_by_id(p->q->arena, p->q->store, x->run, &run, e) != OK)
        return e->code;
    widget_section(p, page_printf(p, "suite%zu", number), explore_title(p->q, x), NULL);
    history(p, &same, WORD_SCORE);
    if (!explore_suite(p->q, &run, &suite)) {
        html_close(&p->h);
        return OK;
    }
    if (values_refresh(p->q->store, &run, e) != OK ||
        store_party_list(p->q->arena, p->q->store, PARTY_MODEL, x->run, &models, e) != OK)
        return e->code;
    model = store_party_named(&models, name);
    id = model ? model->id : -1;
    if (profile(p, x, &suite, name, e) != OK)
        return e->code;
    html_open(&p->h, "div", "class", "columns two block-s");
    if (!suite.sensitive && (moments(p, x, &suite, "high", SEE_BEST_MOMENTS, id, e) != OK ||
                             moments(p, x, &suite, "low", SEE_WORST_MOMENTS, id, e) != OK))
        return e->code;
    html_close_n(&p->h, 2);
    return OK;
}

enum status page_party_model(struct request *q, struct response *r, struct err *e)
{
    enum { SUITES = 6 };
    const char *name = request_asked(q, "name");
    struct explore_parts l;
    struct page p;
    size_t shown = 0, scored = 0;

    if (load(q, PARTY_MODEL, &l, e) != OK)
        return e->code;
    for (size_t i = 0; i < l.n; i++)
        if (isfinite(l.v[i].value))
            l.v[scored++] = l.v[i];
    l.n = scored;
    widget_open_below(&p, q, r, "/models", SEE_MODELS, name);
    if (!l.n)
        widget_empty(&p, WORD_NOTHING_SCORED);
    for (size_t i = 0; i < l.n && shown < SUITES; i++)
        if (is_newest(&l, i) && suite_part(&p, &l, &l.v[i], ++shown, name, e) != OK)
            return e->code;
    return page_close(&p);
}

/* ---- a judge ---- */

static const struct {
    const char *metric;
    enum word label;
    enum table_kind kind;
} about[] = {
    {"verdicts", WORD_VERDICTS, TABLE_COUNT},
    {"unscored", WORD_UNSCORED, TABLE_COUNT},
    {"failed", WORD_FAILED, TABLE_COUNT},
    {"repaired", WORD_REPAIRED, TABLE_COUNT},
    {"agreement", WORD_AGREEMENT, TABLE_SCORE},
    {"first-shown", WORD_FIRST_SHOWN, TABLE_SCORE},
    {"swap-consistency", WORD_CONSISTENT, TABLE_SCORE},
    {"position-bias", WORD_BIAS, TABLE_SCORE},
    {"length", WORD_LIKES_LENGTH, TABLE_SCORE},
    {"own-family", WORD_LIKES_OWN, TABLE_SCORE},
    {"tokens", WORD_TOKENS, TABLE_COUNT},
    {"cost", WORD_COST, TABLE_MONEY},
};

/* What each of its runs says about it: a row a run, columns that hold something. */
static enum status conduct(struct page *p, const struct explore_parts *l, const char *name,
                           struct err *e)
{
    enum { SHOWN = 12 };
    struct arena *a = p->q->arena;
    size_t n = l->n < SHOWN ? l->n : SHOWN;
    struct table *t = table_new(a, p->q->language, n);
    struct table_cell *runs = table_add(t, .key = "run", .word = PHRASE_RUN, .kind = TABLE_LINK);
    struct table_cell *cells[COUNT(about)];

    for (size_t m = 0; m < COUNT(about); m++)
        cells[m] = table_add(t, .key = about[m].metric, .word = about[m].label,
                             .kind = about[m].kind, .decimals = 3,
                             .flags = about[m].kind == TABLE_SCORE ? TABLE_ZERO : TABLE_SPARSE);
    for (size_t i = 0; i < n; i++) {
        struct score_list scores;
        if (store_score_list(a, p->q->store, l->v[i].run, l->v[i].jury, &scores, e) != OK)
            return e->code;
        runs[i] = table_text(l->v[i].name);
        runs[i].href = arena_printf(a, "/runs/%s/judges", l->v[i].name);
        for (size_t m = 0; m < COUNT(about); m++) {
            const struct score_row *row =
                score_find(&scores, arena_printf(a, "judge/%s", name), about[m].metric);
            if (row && isfinite(row->value))
                cells[m][i] = about[m].kind == TABLE_COUNT
                                  ? table_count((int64_t)llround(row->value))
                                  : table_number(row->value);
        }
    }
    widget_section(p, "conduct", page_phrase(p, SEE_CONDUCT), page_phrase(p, SEE_CONDUCT_NOTE));
    html_open(&p->h, "div", "class", "card flush");
    table_html(t, &p->h);
    html_close_n(&p->h, 2);
    return OK;
}

/* The newest result of each trick, or nothing. */
static struct audit_result result_of(const struct trick_list *l, enum audit_probe p)
{
    struct audit_result r = {0};

    for (size_t i = 0; i < l->n && !r.n; i++)
        if (strcmp(l->v[i].probe, audit_name(p)) == 0) {
            r.n = l->v[i].n;
            r.fell = l->v[i].fell;
        }
    r.rate = audit_rate(r.fell, r.n);
    return r;
}

static void trick_row(struct page *p, enum audit_probe probe, const struct audit_result *r,
                      const struct widget_axis *axis)
{
    page_row(p);
    page_row_head(p);
    html_text(&p->h, words_find(p->q->language, "AUDIT_IS_", audit_name(probe)));
    html_element(&p->h, "small", NULL, audit_name(probe));
    html_close(&p->h);
    page_cell_fmt(p, "%lld / %lld", (long long)r->fell, (long long)r->n);
    widget_interval(p, axis, 100 * r->rate.value, 100 * r->rate.low, 100 * r->rate.high);
    html_close(&p->h);
}

static void trick_table(struct page *p, const struct audit_result results[AUDIT_PROBES])
{
    const struct widget_axis axis = {0, 100, 0, "%", 2, 1};
    const char *heads[] = {page_phrase(p, AUDIT_PROBE), page_phrase(p, AUDIT_FELL), "%"};

    widget_axis_table(p, page_phrase(p, AUDIT_TITLE), heads, COUNT(heads), &axis);
    for (enum audit_probe i = 0; i < AUDIT_PROBES; i++)
        if (results[i].n)
            trick_row(p, i, &results[i], &axis);
    html_close_n(&p->h, 4);
}

/* How often it falls for tricks. */
static enum status audit(struct page *p, const char *name, struct err *e)
{
    struct audit_result results[AUDIT_PROBES];
    struct trick_list l;
    enum word said;

    if (store_trick_list(p->q->arena, p->q->store, name, &l, e) != OK)
        return e->code;
    widget_section(p, "audit", page_phrase(p, AUDIT_TITLE), page_phrase(p, AUDIT_NOTE));
    if (l.n) {
        for (enum audit_probe i = 0; i < AUDIT_PROBES; i++)
            results[i] = result_of(&l, i);
        said = audit_verdict(results);
        widget_notice(p, said == AUDIT_HOLDS ? "good" : "warn", page_phrase(p, said));
        if (said != AUDIT_NOTHING)
            trick_table(p, results);
    } else {
        widget_empty_go(p, page_with(p, AUDIT_NONE, name), NULL, WORDS);
    }
    html_close(&p->h);
    return OK;
}

enum status page_party_judge(struct request *q, struct response *r, struct err *e)
{
    const char *name = request_asked(q, "name");
    struct explore_parts l;
    struct page p;

    if (load(q, PARTY_JUDGE, &l, e) != OK)
        return e->code;
    widget_open_below(&p, q, r, "/judges", SEE_JUDGES, name);
    if (audit(&p, name, e) != OK || conduct(&p, &l, name, e) != OK)
        return e->code;
    return page_close(&p);
}
