#include "web/pages.h"

#include <math.h>

#include "report/chart.h"
#include "report/charts.h"
#include "report/finding.h"
#include "report/show.h"
#include "report/tables.h"
#include "store/store_compare.h"
#include "suite/item.h"
#include "web/explore.h"
#include "web/page_live.h"

/* What the pages of a run show: the report, in the reader's language, and the values behind it. */
struct overview {
    struct explore x;
    struct report r;
    const char *language; /* of the suite's own texts */
    struct tables_how how;
    struct item_names items;
    struct values_map map;
    struct values_matrix matrix;
    struct show_range range; /* of a single value, as it is shown */
};

/* ---- gathering ---- */

static enum status gather_values(struct request *q, struct overview *o, struct err *e)
{
    struct score_bounds b = score_sample_bounds(&o->x.suite);
    int64_t *models = NEW_N(q->arena, int64_t, o->r.nmodels + 1), *items;
    struct value_list values;
    struct party_list l;

    o->range =
        (struct show_range){b.min * values_times(&o->x.suite), b.max * values_times(&o->x.suite)};
    if (store_item_names(q->arena, q->store, o->x.run.id, &o->items, e) != OK ||
        store_party_list(q->arena, q->store, PARTY_MODEL, o->x.run.id, &l, e) != OK ||
        store_value_list(q->arena, q->store, o->x.run.id, &values, e) != OK)
        return e->code;
    for (size_t i = 0; i < o->r.nmodels; i++) {
        const struct party *model = store_party_named(&l, o->r.models[i].name);
        models[i] = model ? model->id : 0;
    }
    items = NEW_N(q->arena, int64_t, o->items.n + 1);
    for (size_t i = 0; i < o->items.n; i++)
        items[i] = o->items.v[i].id;
    o->map = values_map(q->arena, &values, items, o->items.n, models, o->r.nmodels);
    return OK;
}

static enum status load(struct request *q, struct overview *o, bool values, struct err *e)
{
    *o = (struct overview){0};
    if (explore_load(q, &o->x, e) != OK ||
        report_build(q->arena, q->store, &o->x.run, (struct report_take){0}, &o->r, e) != OK)
        return e->code;
    o->language = o->r.suite.language;
    o->r.suite.language = q->language; /* of the report's own words */
    o->how = (struct tables_how){.language = q->language, .dash = "–", .told = true};
    return values ? gather_values(q, o, e) : OK;
}

static const char *samples_of(struct page *p, const struct overview *o, const char *model,
                              const char *item)
{
    return explore_to(p->q, explore_run_to(p->q, &o->x.run, "/samples"), "model", model, "item",
                      item, NULL);
}

/* ---- tiles ---- */

/* How many verdicts are unscored or failed; those that failed count once no work is left. */
static const char *lost(struct page *p, const struct explore_stand *c)
{
    int64_t failed = c->planned ? 0 : c->verdicts - c->judged - c->unscored;
    const char *unscored = page_with(p, SEE_UNSCORED_N, page_number(p, c->unscored));
    const char *broken = page_with(p, SEE_FAILED_N, page_number(p, failed));

    if (c->unscored && failed)
        return page_printf(p, "%s · %s", unscored, broken);
    return c->unscored ? unscored : failed ? broken : NULL;
}

static void tiles(struct page *p, const struct overview *o)
{
    const struct explore_stand *c = &o->x.stand;

    html_open(&p->h, "div", "class", "tiles");
    widget_tile(p, PHRASE_ANSWERS, page_number(p, c->answered),
                page_printf(p, "/ %lld", (long long)c->samples),
                wording_extent(p->q->arena, p->q->language, o->r.items, o->x.run.repeats));
    widget_tile(p, PHRASE_VERDICTS, page_number(p, c->judged),
                page_printf(p, "/ %lld", (long long)c->verdicts), lost(p, c));
    if (show_panel(&o->r))
        widget_tile(p, SEE_AGREEMENT, explore_number(p, o->r.agreement, 2), "α",
                    page_phrase(p, SEE_AGREEMENT_NOTE));
    else
        widget_tile(p, SEE_JUDGES, page_printf(p, "%zu", o->r.njudges), NULL,
                    o->r.njudges ? page_phrase(p, SEE_ONE_JUDGE_NOTE) : NULL);
    widget_tile(p, PHRASE_FLAGS, page_number(p, c->flags), NULL,
                page_phrase(p, c->flags ? SEE_FLAGS_NOTE : SEE_NO_FLAGS));
    html_close(&p->h);
}

/* ---- the board ---- */

/* Links within a report lead to other tabs here. */
static void elsewhere(struct page *p, const struct overview *o, struct table *t)
{
    const char *flags = explore_run_to(p->q, &o->x.run, "/flags");
    const char *unscored = explore_run_to(p->q, &o->x.run, "/method#unscored");

    for (size_t i = 0; i < t->nrows; i++)
        for (size_t c = 1; c < t->ncolumns; c++) {
            const char *href = t->cells[c][i].href;
            if (href && href[0] == '#')
                t->cells[c][i].href = strcmp(href, "#flags") == 0 ? flags : unscored;
        }
}

/* Make each name a link to its answers. */
static void lead(struct page *p, const struct overview *o, struct table *t)
{
    for (size_t i = 0; i < t->nrows; i++)
        t->cells[0][i].href = samples_of(p, o, t->cells[0][i].text, NULL);
    elsewhere(p, o, t);
}

/* Insert a second column: the places that each model could have. */
static void place_column(struct page *p, const struct overview *o, struct table *t)
{
    const struct table_column place = {.head = page_phrase(p, SEE_PLACE), .kind = TABLE_TEXT};
    struct table_cell *cells = table_column(t, &place);

    for (size_t i = 0; i < t->nrows; i++) {
        size_t first = o->matrix.first[i], last = o->matrix.last[i];
        if (first)
            cells[i] = table_text(first == last ? page_printf(p, "%zu", first)
                                                : page_printf(p, "%zu–%zu", first, last));
    }
    for (size_t c = t->ncolumns - 1; c > 1; c--) {
        t->columns[c] = t->columns[c - 1];
        t->cells[c] = t->cells[c - 1];
    }
    t->columns[1] = place;
    t->cells[1] = cells;
}

static void board(struct page *p, struct overview *o, const char *before)
{
    struct report slice;
    size_t from = 0;

    widget_section(p, "board", page_phrase(p, SEE_LEADERBOARD), finding_whose(p->q->arena, &o->r));
    while (show_group(&o->r, &from, &slice)) {
        struct table *t = tables_board(p->q->arena, &slice, &o->how, from - slice.nmodels);
        lead(p, o, t);
        if (slice.nmodels == o->r.nmodels && o->matrix.first)
            place_column(p, o, t);
        html_open(&p->h, "div", "class", "card flush");
        table_html(t, &p->h);
        html_close(&p->h);
    }
    if (before && !show_pair(&o->r))
        page_way(p, explore_to(p->q, "/compare", "a", before, "b", o->x.run.name, NULL),
                 SEE_COMPARE_BEFORE);
    else if (!p->q->publish && !show_pair(&o->r))
        page_way(p, explore_to(p->q, "/compare", "b", o->x.run.name, NULL), SEE_COMPARE);
    html_close(&p->h);
}

/* ---- who is ahead of whom ---- */

enum { MATRIX_MOST = 16 };

static const struct explore_head *model_heads(struct page *p, const struct overview *o)
{
    struct explore_head *heads = NEW_N(p->q->arena, struct explore_head, o->r.nmodels + 1);

    for (size_t i = 0; i < o->r.nmodels; i++)
        heads[i].text = o->r.models[i].name;
    return heads;
}

static void difference(struct page *p, const struct overview *o, size_t i, size_t k)
{
    const struct interval *d = &o->matrix.v[i * o->matrix.n + k];
    int ahead = i == k ? 0 : values_ahead(d), decimals = show_decimals(&o->r);
    char text[SHOW_MAX], low[SHOW_MAX], high[SHOW_MAX];

    html_open(&p->h, "td", "class", ahead > 0 ? "up" : ahead < 0 ? "dn" : "plain");
    html_open(&p->h, "span", NULL);
    if (i == k || !isfinite(d->value)) {
        html_text(&p->h, i == k ? "·" : "–");
    } else {
        html_text(&p->h, show_signed(text, d->value, decimals, "–"));
        if (isfinite(d->low))
            html_element(&p->h, "small", NULL,
                         page_printf(p, "%s … %s", show_signed(low, d->low, decimals, "–"),
                                     show_signed(high, d->high, decimals, "–")));
    }
    html_close_n(&p->h, 2);
}

static void legend(struct page *p, const char *cls, enum word text)
{
    html_open(&p->h, "li", NULL);
    html_element(&p->h, "span", page_printf(p, "sw %s", cls), "");
    html_text(&p->h, page_phrase(p, text));
    html_close(&p->h);
}

static void matrix(struct page *p, const struct overview *o)
{
    const struct explore_head *heads = model_heads(p, o);

    if (o->matrix.n < 2 || o->matrix.n > MATRIX_MOST)
        return;
    widget_section(p, "matrix", page_phrase(p, SEE_MATRIX),
                   page_phrase(p, show_pair(&o->r) ? SEE_MATRIX_BATTLES : SEE_MATRIX_NOTE));
    explore_heat(p, "heat matrix", SEE_MATRIX, SEE_MODEL, heads, o->matrix.n);
    for (size_t i = 0; i < o->matrix.n; i++) {
        explore_heat_row(p, NULL, heads[i].text);
        for (size_t k = 0; k < o->matrix.n; k++)
            difference(p, o, i, k);
        html_close(&p->h);
    }
    explore_heat_end(p);
    html_open(&p->h, "ul", "class", "legend");
    legend(p, "up", SEE_AHEAD);
    legend(p, "dn", SEE_BEHIND);
    legend(p, "plain", SEE_NOT_TOLD);
    html_close_n(&p->h, 2);
}

/* ---- heat ---- */

static void dimensions(struct page *p, const struct overview *o)
{
    const struct instrument *in = &o->r.suite.instrument;
    struct explore_head *heads = NEW_N(p->q->arena, struct explore_head, in->ndimensions + 1);

    if (in->ndimensions < 2 || show_pair(&o->r))
        return;
    for (size_t d = 0; d < in->ndimensions; d++)
        heads[d].text = explore_dimension(p->q, &in->dimensions[d]);
    widget_section(p, "dimensions", page_phrase(p, WORD_DIMENSIONS), page_phrase(p, SEE_HEAT_NOTE));
    explore_heat(p, "heat", WORD_DIMENSIONS, SEE_MODEL, heads, in->ndimensions);
    for (size_t i = 0; i < o->r.nmodels; i++) {
        const struct report_model *m = &o->r.models[i];
        explore_heat_row(p, samples_of(p, o, m->name, NULL), m->name);
        for (size_t d = 0; d < in->ndimensions; d++)
            explore_heat_cell(p, show_value(m->marks[d]), explore_worst_to_best(&in->dimensions[d]),
                              show_marks(&o->r, m), samples_of(p, o, m->name, NULL), NULL);
        html_close(&p->h);
    }
    explore_heat_end(p);
    html_close(&p->h);
}

static void item_row(struct page *p, const struct overview *o, size_t i)
{
    double times = values_times(&o->x.suite);
    const char *path =
        explore_to(p->q, explore_run_to(p->q, &o->x.run, "/item"), "id", o->items.v[i].name, NULL);

    explore_heat_row(p, o->x.suite.sensitive ? NULL : path, o->items.v[i].name);
    for (size_t m = 0; m < o->r.nmodels; m++)
        explore_heat_cell(p, times * values_mean(&o->map.cells[i * o->map.models + m]), o->range, 2,
                          samples_of(p, o, o->r.models[m].name, o->items.v[i].name), NULL);
    html_close(&p->h);
}

/* The mean over models: the lower, the harder the item. */
static double hardness(const struct overview *o, size_t i)
{
    double sum = 0;
    size_t n = 0;

    for (size_t m = 0; m < o->map.models; m++) {
        double v = values_mean(&o->map.cells[i * o->map.models + m]);
        if (isfinite(v)) {
            sum += v;
            n++;
        }
    }
    return n ? sum / (double)n : INFINITY;
}

enum { ITEMS_SHOWN = 20, ITEMS_PAGE = 100 };

/* The hardest items, hardest first. */
static void hardest(struct page *p, const struct overview *o)
{
    bool *taken = NEW_N(p->q->arena, bool, o->items.n + 1);
    size_t n = o->items.n < ITEMS_SHOWN ? o->items.n : ITEMS_SHOWN;

    if (!o->items.n || !o->r.nmodels || show_pair(&o->r))
        return;
    widget_section(p, "items", page_phrase(p, SEE_HARDEST), page_phrase(p, SEE_HARDEST_NOTE));
    explore_heat(p, "heat", SEE_HARDEST, SEE_ITEM, model_heads(p, o), o->r.nmodels);
    for (size_t k = 0; k < n; k++) {
        size_t least = SIZE_MAX;
        for (size_t i = 0; i < o->items.n; i++)
            if (!taken[i] && (least == SIZE_MAX || hardness(o, i) < hardness(o, least)))
                least = i;
        taken[least] = true;
        item_row(p, o, least);
    }
    explore_heat_end(p);
    if (n < o->items.n)
        page_way(p, explore_run_to(p->q, &o->x.run, "/items"), SEE_ALL_ITEMS);
    html_close(&p->h);
}

/* ---- conversations ---- */

/* What no chart shows: signs and slopes of each model, and each dimension over time. */
static void talks(struct page *p, const struct overview *o)
{
    struct tables tables;

    tables_beside(p->q->arena, &o->r, &o->how, &tables);
    for (size_t i = 0; i < tables.n; i++) {
        const char *id = tables.v[i].id ? tables.v[i].id : "";
        struct table *t = tables.v[i].table;
        bool drift = str_starts(str_of(id), STR("drift-"));
        if (!drift && strcmp(id, "sittings") != 0 && strcmp(id, "slopes") != 0)
            continue;
        widget_section(p, id, t->title, NULL);
        html_open(&p->h, "div", "class", drift ? "card" : "card flush");
        if (drift) {
            (void)chart_course(&p->h, &(struct chart_grid){.t = t, .label = t->title});
            page_fold(p, PHRASE_AS_TABLE);
        }
        table_html(t, &p->h);
        html_close_n(&p->h, drift ? 3 : 2);
    }
}

/* ---- provenance, name and note ---- */

static void provenance(struct page *p, const struct overview *o)
{
    struct table *t = tables_provenance(p->q->arena, &o->r, &o->how);

    widget_section(p, "provenance", page_phrase(p, PROVENANCE), NULL);
    html_open(&p->h, "dl", "class", "provenance card");
    for (size_t i = 0; i < t->nrows; i++) {
        html_open(&p->h, "div", NULL);
        html_element(&p->h, "dt", NULL, t->cells[0][i].text);
        const char *is = t->cells[1][i].text;
        html_element(&p->h, "dd", NULL, is && *is ? is : o->how.dash);
        html_close(&p->h);
    }
    html_close_n(&p->h, 2);
}

static void describe(struct page *p, const struct overview *o)
{
    const struct run_row *run = &o->x.run;

    if (p->q->publish)
        return;
    page_fold(p, SEE_DESCRIBE);
    page_form(p, explore_run_to(p->q, run, "/describe"));
    page_ask(p, .label = PHRASE_NAME, .name = "label", .value = run->label, .optional = true);
    page_ask(p, .label = SEE_NOTE, .name = "note", .value = run->note, .optional = true);
    page_ask(p, .label = SEE_TAGS, .name = "tags",
             .value = arena_text(p->q->arena, str_trim(str_of(run->tags))), .optional = true);
    widget_button(p, "", PHRASE_SAVE, NULL, NULL);
    html_close_n(&p->h, 2);
}

/* ---- pictures ---- */

static void chart(struct page *p, const struct report *r, enum charts_kind k, const struct table *t)
{
    widget_section(p, charts_name(k), charts_title(r, k), NULL);
    html_open(&p->h, "div", "class", "card");
    (void)charts_draw(&p->h, r, k, t);
    page_fold(p, PHRASE_AS_TABLE);
    table_html(t, &p->h);
    html_close_n(&p->h, 3);
}

/* Charts, each with its table in a fold; those for which the run has no data are left out. */
static enum status draw_charts(struct page *p, const struct report *r,
                               const enum charts_kind *kinds, size_t n, struct err *e)
{
    for (size_t i = 0; i < n; i++) {
        struct err none = {0};
        struct table *t;
        enum status st = charts_table(p->q->arena, p->q->store, r, kinds[i], &t, &none);
        if (st == OK && kinds[i] == CHARTS_HISTORY && t->nrows < 2)
            continue; /* this run alone */
        if (st == OK)
            chart(p, r, kinds[i], t);
        else if (st != E_INPUT) /* there is nothing of the kind */
            return err_set(e, st, "%s", none.msg);
    }
    return OK;
}

/* ---- pages ---- */

/* Nothing is scored: say why, or what to do about it. */
static void unscored(struct page *p, const struct overview *o)
{
    if (o->r.jury.masked)
        widget_empty(p, PHRASE_RESULTS_MASKED);
    else if (!o->x.stand.verdicts && o->x.stand.answered && !p->q->publish)
        widget_empty_go(p, page_with(p, SEE_JUDGE_IT, o->x.run.name),
                        session_may(p->q, ROLE_ADMIN)
                            ? explore_to(p->q, "/new-campaign", "run", o->x.run.name, NULL)
                            : NULL,
                        PHRASE_CAMPAIGN_NEW);
    else
        html_element(&p->h, "p", "finding", page_phrase(p, WORD_NOTHING_SCORED));
}

enum status page_run_overview(struct request *q, struct response *r, struct err *e)
{
    static const enum charts_kind turns[] = {CHARTS_DRIFT, CHARTS_SURVIVAL, CHARTS_MEMORY,
                                             CHARTS_CONTRADICTIONS},
                                  charts[] = {CHARTS_DISTRIBUTION, CHARTS_COST, CHARTS_HISTORY};
    struct overview o;
    struct live *live;
    const char *finding, *before;
    struct page p;

    if (load(q, &o, true, e) != OK ||
        store_run_before(q->arena, q->store, &o.x.run, &before, e) != OK)
        return e->code;
    if (!show_pair(&o.r) && !o.r.jury.masked)
        o.matrix = values_matrix(q->arena, &o.x.suite, o.r.run.repeats, &o.map);
    else if (!o.r.jury.masked && charts_battles(q->arena, q->store, &o.r, &o.matrix, e) != OK)
        return e->code;
    o.r.lead = o.matrix.v ? &o.matrix : NULL;
    if (page_live_look(q, r, &o.x.run, &live, e) != OK)
        return e->code;
    explore_open(&p, q, r, &o.x, TAB_OVERVIEW, NULL);
    page_live_card(&p, live);
    finding = finding_of(q->arena, &o.r);
    if (*finding)
        html_element(&p.h, "p", "finding", finding);
    else
        unscored(&p, &o);
    for (size_t j = 0; j < o.r.njudges; j++)
        if (explore_warn(&p, o.r.judges[j].name, e) != OK)
            return e->code;
    tiles(&p, &o);
    board(&p, &o, before);
    if (*finding) {
        matrix(&p, &o);
        dimensions(&p, &o);
        hardest(&p, &o);
    }
    if (!o.r.jury.masked) {
        if (draw_charts(&p, &o.r, turns, COUNT(turns), e) != OK)
            return e->code;
        talks(&p, &o);
        if (draw_charts(&p, &o.r, charts, COUNT(charts), e) != OK)
            return e->code;
    }
    provenance(&p, &o);
    describe(&p, &o);
    return page_close(&p);
}

enum status page_run_items(struct request *q, struct response *r, struct err *e)
{
    int64_t from = request_int(request_query(q, "after"), 0);
    struct overview o;
    struct page p;
    size_t begin, end;

    if (load(q, &o, true, e) != OK)
        return e->code;
    explore_open(&p, q, r, &o.x, TAB_ITEMS, NULL);
    begin = from > 0 && (size_t)from < o.items.n ? (size_t)from : 0;
    end = begin + ITEMS_PAGE < o.items.n ? begin + ITEMS_PAGE : o.items.n;
    page_say(&p, "p", "note", SEE_ITEMS_NOTE);
    explore_heat(&p, "heat", SEE_ITEMS, SEE_ITEM, model_heads(&p, &o), o.r.nmodels);
    for (size_t i = begin; i < end; i++)
        item_row(&p, &o, i);
    explore_heat_end(&p);
    explore_pager(&p, end - begin, (int64_t)o.items.n,
                  end < o.items.n ? explore_after(q, arena_printf(q->arena, "%zu", end)) : NULL);
    return page_close(&p);
}

enum status page_run_judges(struct request *q, struct response *r, struct err *e)
{
    static const enum charts_kind charts[] = {CHARTS_HUMAN, CHARTS_RELIABILITY};
    struct tables tables = {0};
    struct overview o;
    struct page p;

    if (load(q, &o, false, e) != OK)
        return e->code;
    explore_open(&p, q, r, &o.x, TAB_JUDGES, NULL);
    tables_beside(q->arena, &o.r, &o.how, &tables);
    for (size_t i = 0; i < tables.n; i++) {
        struct table *t = tables.v[i].table;
        if (!tables.v[i].id || tables.v[i].about != ABOUT_JUDGES)
            continue;
        for (size_t k = 0; k < t->nrows; k++)
            if (t->cells[0][k].text && !o.r.jury.campaign)
                t->cells[0][k].href = explore_to(q, "/judge", "name", t->cells[0][k].text, NULL);
        elsewhere(&p, &o, t);
        widget_section(&p, tables.v[i].id, t->title, NULL);
        html_open(&p.h, "div", "class", "card flush");
        table_html(t, &p.h);
        html_close_n(&p.h, 2);
    }
    if (draw_charts(&p, &o.r, charts, COUNT(charts), e) != OK)
        return e->code;
    return page_close(&p);
}

static void faults(struct page *p, const struct overview *o)
{
    widget_section(p, "unscored", page_phrase(p, WORD_UNSCORED_WHY), NULL);
    if (o->r.faults.n == 0)
        page_say(p, "p", NULL, show_all_scored(&o->r) ? WORD_ALL_SCORED : WORD_NO_FAULT_YET);
    else
        html_open(&p->h, "ul", "class", "list");
    for (size_t i = 0; i < o->r.faults.n; i++) {
        const struct fault_count *f = &o->r.faults.v[i];
        html_open(&p->h, "li", NULL);
        html_fmt(&p->h, "%lld × %s ", (long long)f->n, f->who);
        widget_pill(p, "bad",
                    page_phrase(p, f->state == STATE_UNSCORED ? WORD_UNSCORED : WORD_FAILED));
        html_element(&p->h, "div", "why",
                     wording_why(p->h.scratch, p->q->language, f->why, f->fault));
        html_element(&p->h, "div", "advice",
                     page_printf(p, "→ %s", wording_advice(p->q->language, f->fault, f->state)));
        html_close(&p->h);
    }
    if (o->r.faults.n)
        html_close(&p->h);
    html_close(&p->h);
}

enum status page_run_method(struct request *q, struct response *r, struct err *e)
{
    const char *sentences[WORDING_READING];
    struct overview o;
    struct page p;
    size_t n;

    if (load(q, &o, false, e) != OK)
        return e->code;
    explore_open(&p, q, r, &o.x, TAB_METHOD, NULL);
    if (o.x.suite.description.n)
        explore_text(&p, "prose lead", o.language, o.x.suite.description);
    widget_section(&p, "reading", page_phrase(&p, WORD_HOW_TO_READ), NULL);
    html_open(&p.h, "ul", "class", "prose");
    n = wording_reading(q->arena, &o.r.suite, sentences);
    for (size_t i = 0; i < n; i++)
        html_element(&p.h, "li", NULL, sentences[i]);
    n = finding_limits(q->arena, &o.r, sentences);
    for (size_t i = 0; i < n; i++)
        html_element(&p.h, "li", NULL, sentences[i]);
    html_close_n(&p.h, 2);
    faults(&p, &o);
    provenance(&p, &o);
    return page_close(&p);
}
