#include "web/pages.h"

#include "report/remark.h"
#include "web/account.h"
#include "web/explore.h"
#include "web/page_live.h"

/* ---- how a run stands, in one word ---- */

static void state_of(struct page *p, const struct explore_stand *c)
{
    if (c->phase != PHASE_OVER)
        page_live_state(p, c->phase);
    else if (c->failed > 0 || c->judged < c->verdicts)
        widget_state(p, "warn", page_phrase(p, SEE_GAPS));
    else if (!c->verdicts && !c->best)
        widget_state(p, "info", page_phrase(p, COLUMN_NOT_JUDGED));
    else
        page_live_state(p, PHASE_OVER);
}

/* ---- rows ---- */

static const char *names_of(struct arena *a, const struct explore_names *l)
{
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 12);
    enum { NAMED = 4 };

    for (size_t i = 0; i < l->n && i < NAMED; i++)
        buf_fmt(&b, "%s%s", i ? ", " : "", l->v[i]);
    if (l->n > NAMED)
        buf_fmt(&b, " +%zu", l->n - NAMED);
    return arena_text(a, buf_str(&b));
}

static void name_cell(struct page *p, const struct explore_run *run)
{
    struct html *h = &p->h;
    const char *name = *run->label ? run->label : explore_title(p->q, run);
    struct str tags = str_trim(str_of(run->tags)), tag;

    page_row_head(p);
    page_link(p, page_printf(p, "/runs/%s", run->name), name);
    html_element(h, "small", NULL, arena_printf(h->scratch, "%s · %s", run->name, run->suite));
    while (str_part(&tags, ' ', &tag)) {
        widget_pill(p, "line", arena_text(p->q->arena, tag));
        html_text(h, " ");
    }
    html_close(h);
}

static void row(struct page *p, const struct explore_run *run, const struct explore_stand *c,
                const struct explore_cast *cast)
{
    struct arena *a = p->q->arena;

    page_row(p);
    name_cell(p, run);
    page_cell_open(p, NULL);
    state_of(p, c);
    html_close(&p->h);
    page_cell(p, names_of(a, &cast->models));
    page_cell(p, names_of(a, &cast->judges));
    page_cell_fmt(p, "%lld / %lld", (long long)c->answered, (long long)c->samples);
    page_cell_fmt(p, "%lld / %lld", (long long)c->judged, (long long)c->verdicts);
    page_cell_open(p, "num");
    if (c->best) {
        html_element(&p->h, "strong", "strong", explore_number(p, c->score, 2));
        html_element(&p->h, "small", NULL, c->best);
    } else {
        html_text(&p->h, "–");
    }
    html_close(&p->h);
    page_cell_time(p, run->created_ms);
    html_close(&p->h);
}

/* ---- the page ---- */

static enum status filters(struct page *p, struct err *e)
{
    struct widget_option *models;
    const struct widget_option states[] = {{"", page_phrase(p, SEE_ANY)},
                                           {"left", page_phrase(p, SEE_LEFT)},
                                           {"done", page_phrase(p, SEE_FINISHED)}};
    const struct widget_option orders[] = {{"", page_phrase(p, SEE_NEWEST)},
                                           {"worked", page_phrase(p, SEE_WORKED)},
                                           {"old", page_phrase(p, SEE_OLDEST)}};
    static const char *const fields[] = {"words", "model", "state", "tag", "order"};
    struct explore_names names;
    enum { MODELS = 200 };

    if (store_party_names(p->q->arena, p->q->store, PARTY_MODEL, "", MODELS, &names, e) != OK)
        return e->code;
    models = NEW_N(p->q->arena, struct widget_option, names.n + 1);
    models[0] = (struct widget_option){"", page_phrase(p, SEE_ANY)};
    for (size_t i = 0; i < names.n; i++)
        models[i + 1] = (struct widget_option){names.v[i], names.v[i]};
    widget_filters_fold(p, "/runs", SEE_FIND_RUNS, fields, COUNT(fields));
    widget_input(p, "words", SEE_WORDS, "search");
    widget_select(p, "model", SEE_MODEL, models, names.n + 1);
    widget_select(p, "state", SEE_STATE, states, COUNT(states));
    widget_input(p, "tag", SEE_TAG, "text");
    widget_select(p, "order", SEE_ORDER, orders, COUNT(orders));
    widget_filters_end(p, "/runs");
    return OK;
}

static enum status table(struct page *p, const struct explore_runs *runs, struct err *e)
{
    size_t n = runs->n < EXPLORE_PAGE ? runs->n : EXPLORE_PAGE;
    const struct explore_run *last = n ? &runs->v[n - 1] : NULL;
    struct explore_stand *stands = NEW_N(p->q->arena, struct explore_stand, n);
    struct explore_cast *casts = NEW_N(p->q->arena, struct explore_cast, n);
    int64_t *ids = NEW_N(p->q->arena, int64_t, n);

    for (size_t i = 0; i < n; i++)
        ids[i] = runs->v[i].id;
    if (store_run_stand(p->q->arena, p->q->store, ids, n, stands, e) != OK ||
        store_run_cast(p->q->arena, p->q->store, ids, n, casts, e) != OK)
        return e->code;
    html_open(&p->h, "div", "class", "card flush block-s");
    page_table(p, PHRASE_RUN, SEE_STATE, SEE_MODELS, SEE_JUDGES, PHRASE_ANSWERS, PHRASE_VERDICTS,
               SEE_BEST_SCORE, PHRASE_CREATED);
    for (size_t i = 0; i < n; i++) {
        bool yes;
        if (explore_listed(p->q, runs->v[i].id, &yes, e) != OK)
            return e->code;
        if (yes)
            row(p, &runs->v[i], &stands[i], &casts[i]);
    }
    page_table_end(p);
    html_close(&p->h);
    explore_pager(p, n, runs->total,
                  runs->n > n ? explore_next(p->q, (double)last->key, last->id) : NULL);
    return OK;
}

enum status page_runs_list(struct request *q, struct response *r, struct err *e)
{
    const struct explore_run_filter f = {request_asked(q, "order"), request_asked(q, "words"),
                                         request_asked(q, "model"), request_asked(q, "tag"),
                                         request_asked(q, "state")};
    struct explore_runs runs;
    struct page p;

    if (store_run_page(q->arena, q->store, &f, explore_place(q), EXPLORE_PAGE + 1, &runs, e) != OK)
        return e->code;
    explore_frame(&p, q, r, words_of(q->language, PHRASE_RUNS), NULL);
    if (!q->publish && filters(&p, e) != OK)
        return e->code;
    if (runs.n == 0 && q->query.n == 0)
        widget_empty(&p, PHRASE_NO_RUNS);
    else if (runs.n == 0)
        widget_empty_go(&p, page_phrase(&p, SEE_NOTHING_FOUND), "/runs", SEE_CLEAR);
    else if (table(&p, &runs, e) != OK)
        return e->code;
    return page_close(&p);
}

/* ---- what people call it ---- */

/* Tags are separated by blanks, commas and line ends. */
static enum status read_tags(struct request *q, struct str text, const char **out, struct err *e)
{
    *out = "";
    for (size_t n; text.n; text = str_from(text, n + (n < text.n))) {
        for (n = 0; n < text.n && !strchr(" \t\r\n,", text.p[n]);)
            n++;
        if (n && remark_add_tag(q->arena, out, (struct str){text.p, n}, e) != OK)
            return e->code;
    }
    return OK;
}

enum status page_runs_describe(struct request *q, struct response *r, struct err *e)
{
    struct str label = str_trim(request_form(q, "label")), note = str_trim(request_form(q, "note"));
    struct str tags = request_form(q, "tags");
    struct run_row run;

    if (store_run_get(q->arena, q->store, request_param(q, "run").p, &run, e) != OK)
        return e->code;
    run.label = arena_text(q->arena, label);
    run.note = arena_text(q->arena, note);
    if (remark_check_name(run.label, e) != OK || remark_check_note(run.note, e) != OK ||
        read_tags(q, tags, &run.tags, e) != OK ||
        store_atomically(q->store, e,
                         store_run_describe(q->store, &run, e) == OK
                             ? account_audit(q, "run.describe", run.name, run.label, e)
                             : e->code) != OK)
        return e->code;
    return response_done(r, arena_printf(q->arena, "/runs/%s", run.name));
}
