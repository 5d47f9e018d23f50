#include <math.h>

#include "base/asset.h"
#include "base/clock.h"
#include "report/battles.h"
#include "report/chart.h"
#include "report/part.h"
#include "report/show.h"

/* ---- tables ---- */

/* On a phone a row stands as lines of its own, so that every cell carries the title of its column:
 * see the style sheet. */
enum { TABLE_COLUMNS = 128 };

struct table {
    const struct part *p;
    const char *titles[TABLE_COLUMNS];
    size_t n, at; /* columns; the one whose cell comes next */
};

static void table_open(struct table *t, const struct part *p, const char *names)
{
    *t = (struct table){.p = p};
    html_open(p->h, "div", "class", "scroll");
    html_open(p->h, "table", NULL);
    html_open(p->h, "tr", NULL);
    html_element(p->h, "th", NULL, names);
}

static void table_column(struct table *t, const char *title)
{
    html_element(t->p->h, "th", "num", title);
    if (t->n < TABLE_COLUMNS)
        t->titles[t->n++] = title;
}

/* A row begins with its name; the row before it, at first that of titles, ends. */
static void table_row(struct table *t, const char *href, const char *name)
{
    struct html *h = t->p->h;

    t->at = 0;
    html_close(h);
    html_open(h, "tr", NULL);
    html_open(h, "th", "scope", "row");
    html_open(h, href ? "a" : "span", "href", href);
    html_text(h, name);
    html_close(h);
    html_close(h);
}

static void table_close(const struct table *t)
{
    html_close(t->p->h);
    html_close(t->p->h);
    html_close(t->p->h);
}

static void cell_open(struct table *t, const char *cls)
{
    html_open(t->p->h, "td", "class", cls, "data-title", t->at < t->n ? t->titles[t->at] : NULL);
    t->at++;
}

static void cell(struct table *t, const char *text)
{
    cell_open(t, "num");
    html_text(t->p->h, text);
    html_close(t->p->h);
}

static const char *count(const struct part *p, int64_t n)
{
    return arena_printf(p->h->scratch, "%lld", (long long)n);
}

/* A number that leads to what is behind it, unless there is nothing. */
static void linked(struct table *t, int64_t n, const char *href)
{
    struct html *h = t->p->h;

    cell_open(t, "num");
    if (n > 0)
        html_open(h, "a", "href", href);
    html_text(h, count(t->p, n));
    if (n > 0)
        html_close(h);
    html_close(h);
}

/* A value and its interval as they are shown. */
struct figures {
    const char *value, *lo, *hi;
};

/* The interval stands below the value and, where there is a scale, a bar below that. */
static void value_cell(struct table *t, const struct score_row *row, const struct figures *f,
                       const struct dimension *scale)
{
    struct html *h = t->p->h;

    cell_open(t, "num");
    html_open(h, "div", NULL);
    html_text(h, f->value);
    if (row && isfinite(row->lo) && isfinite(row->hi)) {
        html_open(h, "small", NULL);
        html_fmt(h, "%s – %s", f->lo, f->hi);
        html_close(h);
    }
    if (scale)
        chart_bar(h, show_value(row), scale->min, scale->max);
    html_close(h);
    html_close(h);
}

/* ---- the head of the page ---- */

static void head(const struct part *p)
{
    struct html *h = p->h;
    const struct asset *css = asset_find("share/report/style.css");

    html_open(h, "head", NULL);
    html_leaf(h, "meta", "charset", "utf-8");
    html_leaf(h, "meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
    html_leaf(h, "meta", "name", "color-scheme", "content", "light dark");
    /* Nothing is loaded and nothing runs, whatever a model wrote. */
    html_leaf(h, "meta", "http-equiv", "Content-Security-Policy", "content",
              "default-src 'none'; style-src 'unsafe-inline'");
    html_open(h, "title", NULL);
    html_str(h, p->r->suite.title.n ? p->r->suite.title : str_of(p->r->suite.id));
    html_fmt(h, " · %s", p->r->run.name);
    html_close(h);
    html_style(h, css ? css->bytes : STR(""));
    html_close(h);
}

static void banner(const struct part *p)
{
    struct html *h = p->h;
    const struct report *r = p->r;
    char when[CLOCK_TEXT];

    clock_text(r->run.created_ms, when);
    html_open(h, "header", NULL);
    html_open(h, "h1", NULL);
    html_str(h, r->suite.title.n ? r->suite.title : str_of(r->suite.id));
    html_close(h);
    if (r->suite.description.n)
        part_quote(p, "lead", r->suite.description, STR(""));
    html_open(h, "p", "class", "meta");
    html_fmt(h, "%s %s · %s · %.10s", part_word(p, WORD_RUN), r->run.name,
             wording_extent(h->scratch, p->language, r->items, r->run.repeats), when);
    html_close(h);
    html_close(h);
}

static void nav_link(const struct part *p, const char *href, enum word w)
{
    html_open(p->h, "a", "href", href);
    html_text(p->h, part_word(p, w));
    html_close(p->h);
    html_text(p->h, " ");
}

static void nav(const struct part *p)
{
    const struct report *r = p->r;

    html_open(p->h, "nav", NULL);
    nav_link(p, "#board", WORD_BOARD);
    if (r->nmodels && r->suite.instrument.ndimensions > 1)
        nav_link(p, "#dimensions", WORD_DIMENSIONS);
    if (r->njudges)
        nav_link(p, "#judges", WORD_JUDGES);
    nav_link(p, "#unscored", WORD_UNSCORED_WHY);
    if (r->flags.n)
        nav_link(p, "#flags", WORD_FLAGS);
    if (r->nsamples)
        nav_link(p, "#samples", WORD_SAMPLES);
    html_close(p->h);
}

/* ---- the board ---- */

static void board_head(struct table *t, const struct part *p)
{
    table_open(t, p, part_word(p, WORD_MODEL));
    table_column(t, part_word(p, wording_headline(&p->r->suite)));
    table_column(t, part_word(p, WORD_INTERVAL));
    table_column(t, part_word(p, WORD_ANSWERS));
    if (show_duplicates(p->r))
        table_column(t, part_word(p, WORD_DUPLICATES));
    table_column(t, part_word(p, WORD_UNSCORED));
    table_column(t, part_word(p, WORD_FAILED));
    for (size_t i = 0; i < p->r->nclassifiers; i++)
        table_column(t, p->r->classifiers[i]);
    table_column(t, part_word(p, WORD_TOKENS));
    table_column(t, part_word(p, WORD_COST));
}

/* Where the answers of a model stand on this page, or NULL. */
static const char *model_link(const struct part *p, size_t i)
{
    return p->r->nsamples ? arena_printf(p->h->scratch, "#m%zu", i + 1) : NULL;
}

/* A classifier's rate with its interval. */
static void rate_cell(struct table *t, const struct score_row *row)
{
    char value[SHOW_MAX], lo[SHOW_MAX], hi[SHOW_MAX];
    struct figures f = {show_number(value, show_value(row), SHOW_RATE, "-"),
                        show_number(lo, row ? row->lo : NAN, SHOW_RATE, "-"),
                        show_number(hi, row ? row->hi : NAN, SHOW_RATE, "-")};

    value_cell(t, row, &f, NULL);
}

static void board_row(struct table *t, size_t i)
{
    const struct part *p = t->p;
    const struct report_model *m = &p->r->models[i];
    const struct score_row *s = m->score;
    struct part top = *p;
    char cost[SHOW_MAX];

    top.decimals = show_headline(p->r);
    table_row(t, model_link(p, i), m->name);
    cell_open(t, "num score");
    html_text(p->h, part_number(&top, show_value(s)));
    html_close(p->h);
    if (s && isfinite(s->lo) && isfinite(s->hi))
        cell(t, arena_printf(p->h->scratch, "%s – %s", part_number(&top, s->lo),
                             part_number(&top, s->hi)));
    else
        cell(t, "–");
    cell(t, count(p, s ? s->n : 0));
    if (show_duplicates(p->r))
        linked(t, m->duplicates, "#flags");
    linked(t, m->unscored, "#unscored");
    linked(t, m->failed, "#unscored");
    for (size_t c = 0; c < p->r->nclassifiers; c++)
        rate_cell(t, m->rates[c]);
    cell(t, count(p, m->tokens));
    cell(t, show_number(cost, m->cost, 4, "–"));
}

/* The models from..to, with a picture of them. */
static void board_table(const struct part *p, const struct report *slice, size_t from)
{
    bool all = slice->nmodels == p->r->nmodels;
    int64_t group = slice->models[0].battles.group;
    struct arena *a = p->h->scratch;
    struct table t;

    if (!all)
        html_element(p->h, "p", "meta",
                     group ? words_with(a, p->language, WORD_GROUP, count(p, group))
                           : part_word(p, WORD_NOTHING_SCORED));
    chart_scores(p->h, slice, all && p->r->nsamples > 0);
    board_head(&t, p);
    for (size_t i = from; i < from + slice->nmodels; i++)
        board_row(&t, i);
    table_close(&t);
}

static void board(const struct part *p)
{
    struct show_range range;
    struct report slice;
    size_t from = 0;

    part_section(p, "board", WORD_BOARD);
    if (p->r->nmodels == 0) {
        html_element(p->h, "p", NULL, part_word(p, WORD_NO_MODELS));
    } else {
        if (!show_range(p->r, &range))
            html_element(p->h, "p", NULL, part_word(p, WORD_NOTHING_SCORED));
        while (show_group(p->r, &from, &slice))
            board_table(p, &slice, from - slice.nmodels);
        html_element(p->h, "p", "meta", part_word(p, wording_method(&p->r->suite)));
        if (p->r->nclassifiers)
            html_element(p->h, "p", "meta", part_word(p, WORD_RATES));
    }
    html_close(p->h);
}

/* ---- battles ---- */

static void battles(const struct part *p)
{
    struct battles_table tables[BATTLES_TABLES];
    size_t n = battles_tables(p->h->scratch, p->r, p->language, "–", tables);
    struct table shown;

    for (size_t i = 0; i < n; i++) {
        const struct battles_table *t = &tables[i];
        html_open(p->h, "section", NULL);
        html_element(p->h, "h2", NULL, t->title);
        table_open(&shown, p, t->heads[0]);
        for (size_t c = 1; c < t->columns; c++)
            table_column(&shown, t->heads[c]);
        for (size_t k = 0; k < t->nrows; k++) {
            table_row(&shown, NULL, t->rows[k][0]);
            for (size_t c = 1; c < t->columns; c++)
                cell(&shown, t->rows[k][c]);
        }
        table_close(&shown);
        for (size_t k = 0; k < t->nnotes; k++)
            html_element(p->h, "p", "meta", t->notes[k]);
        html_close(p->h);
    }
}

/* ---- dimensions ---- */

static void dimension_cell(struct table *t, const struct score_row *row, const struct dimension *d)
{
    struct figures f = {part_number(t->p, show_value(row)), part_number(t->p, row ? row->lo : NAN),
                        part_number(t->p, row ? row->hi : NAN)};

    value_cell(t, row, &f, d);
}

static void dimensions(const struct part *p, bool totals)
{
    const struct instrument *in = &p->r->suite.instrument;
    struct table t;

    part_section(p, totals ? "totals" : "dimensions", totals ? WORD_TOTALS : WORD_DIMENSIONS);
    table_open(&t, p, part_word(p, WORD_MODEL));
    for (size_t d = 0; d < in->ndimensions; d++)
        table_column(&t, arena_text(p->h->scratch, in->dimensions[d].title));
    for (size_t i = 0; i < p->r->nmodels; i++) {
        const struct report_model *m = &p->r->models[i];
        const struct score_row **rows = totals ? m->totals : m->marks;
        struct part cells = *p;
        if (!totals)
            cells.decimals = show_marks(p->r, m);
        table_row(&t, model_link(p, i), m->name);
        t.p = &cells;
        for (size_t d = 0; d < in->ndimensions; d++)
            dimension_cell(&t, rows ? rows[d] : NULL, totals ? NULL : &in->dimensions[d]);
        t.p = p;
    }
    table_close(&t);
    if (show_ruled(p->r))
        html_element(p->h, "p", "meta", part_word(p, WORD_AS_JUDGED));
    html_close(p->h);
}

/* ---- judges ---- */

static void judge_row(struct table *t, const struct report_judge *j)
{
    const struct part *p = t->p;
    struct arena *a = p->h->scratch;
    char cost[SHOW_MAX], agreement[SHOW_MAX];

    table_row(t, NULL, j->name);
    cell(t, arena_printf(a, "%lld / %lld", (long long)j->done, (long long)j->planned));
    linked(t, j->unscored, "#unscored");
    linked(t, j->failed, "#unscored");
    cell(t, count(p, j->repaired));
    cell(t, j->compared
                ? arena_printf(a, "%lld / %lld", (long long)j->differs, (long long)j->compared)
                : "–");
    cell(t, count(p, j->tokens));
    cell(t, show_number(cost, j->cost, 4, "–"));
    if (show_panel(p->r))
        cell(t, show_number(agreement, j->agreement, SHOW_AGREEMENT, "–"));
}

static void judges(const struct part *p)
{
    static const enum word columns[] = {WORD_VERDICTS, WORD_UNSCORED, WORD_FAILED, WORD_REPAIRED,
                                        WORD_DIFFERS,  WORD_TOKENS,   WORD_COST};
    char text[SHOW_MAX];
    struct table t;

    if (p->r->njudges == 0)
        return;
    part_section(p, "judges", WORD_JUDGES);
    table_open(&t, p, part_word(p, WORD_JUDGE));
    for (size_t i = 0; i < COUNT(columns); i++)
        table_column(&t, part_word(p, columns[i]));
    if (show_panel(p->r))
        table_column(&t, part_word(p, WORD_AGREEMENT));
    for (size_t i = 0; i < p->r->njudges; i++)
        judge_row(&t, &p->r->judges[i]);
    table_close(&t);
    if (show_panel(p->r))
        html_element(p->h, "p", "meta",
                     words_with(p->h->scratch, p->r->suite.language, WORD_AGREEMENT_IS,
                                show_number(text, p->r->agreement, SHOW_AGREEMENT, "–")));
    html_close(p->h);
}

/* ---- what was not scored, and how to read the rest ---- */

static void faults(const struct part *p)
{
    struct html *h = p->h;

    part_section(p, "unscored", WORD_UNSCORED_WHY);
    if (p->r->faults.n == 0) {
        html_element(h, "p", NULL,
                     part_word(p, show_all_scored(p->r) ? WORD_ALL_SCORED : WORD_NO_FAULT_YET));
        html_close(h);
        return;
    }
    html_open(h, "ul", "class", "faults");
    for (size_t i = 0; i < p->r->faults.n; i++) {
        const struct fault_count *f = &p->r->faults.v[i];
        html_open(h, "li", NULL);
        html_element(h, "b", NULL, count(p, f->n));
        html_fmt(h, " × %s %s ", part_word(p, f->is_judge ? WORD_JUDGE : WORD_MODEL), f->who);
        html_element(h, "span", "badge bad",
                     part_word(p, f->state == STATE_UNSCORED ? WORD_UNSCORED : WORD_FAILED));
        html_open(h, "div", "class", "why");
        html_text(h, f->why && *f->why ? f->why : f->fault);
        html_close(h);
        html_open(h, "div", "class", "advice");
        html_fmt(h, "→ %s", wording_advice(p->language, f->fault, f->state));
        html_close(h);
        html_close(h);
    }
    html_close(h);
    html_close(h);
}

static void reading(const struct part *p)
{
    const char *sentences[WORDING_READING];
    size_t n = wording_reading(p->h->scratch, &p->r->suite, sentences);

    part_section(p, "reading", WORD_HOW_TO_READ);
    html_open(p->h, "ul", NULL);
    for (size_t i = 0; i < n; i++)
        html_element(p->h, "li", NULL, sentences[i]);
    html_close(p->h);
    html_close(p->h);
}

static void parts(const struct part *p)
{
    board(p);
    if (p->r->nmodels && p->r->suite.instrument.ndimensions > 1)
        dimensions(p, false);
    if (p->r->nmodels && p->r->suite.score.kind == SCORE_TOTALS)
        dimensions(p, true);
    battles(p);
    judges(p);
    faults(p);
    reading(p);
    part_flags(p);
    if (p->r->withheld)
        html_element(p->h, "p", "meta", part_word(p, WORD_WITHHELD));
    part_samples(p);
}

void render_html_parts(const struct report *r, struct html *h)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct html own = *h; /* parts reset their scratch, which the page may not lose */
    struct part p = {&own, r, r->suite.language, show_decimals(r)};

    own.scratch = scratch;
    banner(&p);
    nav(&p);
    parts(&p);
}

void render_html(const struct report *r, struct buf *out)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct html h = {.out = out, .scratch = scratch};
    struct part p = {&h, r, r->suite.language, show_decimals(r)};

    html_doctype(&h);
    html_open(&h, "html", "lang", r->suite.language ? r->suite.language : "en");
    head(&p);
    html_open(&h, "body", NULL);
    banner(&p);
    nav(&p);
    html_open(&h, "main", NULL);
    parts(&p);
    html_close(&h);
    html_close(&h);
    html_close(&h);
    buf_char(out, '\n');
}
