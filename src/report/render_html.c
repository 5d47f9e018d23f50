#include <math.h>

#include "base/asset.h"
#include "base/clock.h"
#include "report/battles.h"
#include "report/chart.h"
#include "report/part.h"
#include "report/show.h"

static void cell(const struct part *p, const char *tag, const char *text)
{
    html_element(p->h, tag, "num", text);
}

static const char *count(const struct part *p, int64_t n)
{
    return arena_printf(p->h->scratch, "%lld", (long long)n);
}

/* A number that leads to what is behind it, unless there is nothing. */
static void linked(const struct part *p, int64_t n, const char *href)
{
    struct html *h = p->h;

    html_open(h, "td", "class", "num");
    if (n > 0)
        html_open(h, "a", "href", href);
    html_text(h, count(p, n));
    if (n > 0)
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
    html_fmt(h, "%s %s · %lld %s × %lld %s · %.10s", part_word(p, WORD_RUN), r->run.name,
             (long long)r->items, part_word(p, WORD_ITEMS), (long long)r->run.repeats,
             part_word(p, WORD_REPEATS), when);
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

static void table_open(const struct part *p)
{
    html_open(p->h, "div", "class", "scroll");
    html_open(p->h, "table", NULL);
}

static void table_close(const struct part *p)
{
    html_close(p->h);
    html_close(p->h);
}

static void board_head(const struct part *p)
{
    html_open(p->h, "tr", NULL);
    html_element(p->h, "th", NULL, part_word(p, WORD_MODEL));
    cell(p, "th", part_word(p, show_pair(p->r) ? WORD_RATING : WORD_SCORE));
    cell(p, "th", part_word(p, WORD_INTERVAL));
    cell(p, "th", part_word(p, WORD_ANSWERS));
    if (show_duplicates(p->r))
        cell(p, "th", part_word(p, WORD_DUPLICATES));
    cell(p, "th", part_word(p, WORD_UNSCORED));
    cell(p, "th", part_word(p, WORD_FAILED));
    for (size_t i = 0; i < p->r->nclassifiers; i++)
        cell(p, "th", p->r->classifiers[i]);
    cell(p, "th", part_word(p, WORD_TOKENS));
    cell(p, "th", part_word(p, WORD_COST));
    html_close(p->h);
}

static void board_name(const struct part *p, size_t i)
{
    const char *href = p->r->nsamples ? arena_printf(p->h->scratch, "#m%zu", i + 1) : NULL;

    html_open(p->h, "th", "scope", "row");
    html_open(p->h, href ? "a" : "span", "href", href);
    html_text(p->h, p->r->models[i].name);
    html_close(p->h);
    html_close(p->h);
}

/* A classifier's rate with its interval. */
static void rate_cell(const struct part *p, const struct score_row *row)
{
    char value[SHOW_MAX], lo[SHOW_MAX], hi[SHOW_MAX];

    html_open(p->h, "td", "class", "num");
    html_text(p->h, show_number(value, show_value(row), SHOW_RATE, "-"));
    if (row && isfinite(row->lo) && isfinite(row->hi)) {
        html_open(p->h, "small", NULL);
        html_fmt(p->h, "%s – %s", show_number(lo, row->lo, SHOW_RATE, "-"),
                 show_number(hi, row->hi, SHOW_RATE, "-"));
        html_close(p->h);
    }
    html_close(p->h);
}

static void board_row(const struct part *p, size_t i)
{
    const struct report_model *m = &p->r->models[i];
    const struct score_row *s = m->score;
    char cost[SHOW_MAX];

    html_open(p->h, "tr", NULL);
    board_name(p, i);
    html_element(p->h, "td", "num score", part_number(p, show_value(s)));
    html_open(p->h, "td", "class", "num");
    if (s && isfinite(s->lo) && isfinite(s->hi))
        html_fmt(p->h, "%s – %s", part_number(p, s->lo), part_number(p, s->hi));
    else
        html_text(p->h, "–");
    html_close(p->h);
    cell(p, "td", count(p, s ? s->n : 0));
    if (show_duplicates(p->r))
        linked(p, m->duplicates, "#flags");
    linked(p, m->unscored, "#unscored");
    linked(p, m->failed, "#unscored");
    for (size_t c = 0; c < p->r->nclassifiers; c++)
        rate_cell(p, m->rates[c]);
    cell(p, "td", count(p, m->tokens));
    cell(p, "td", show_number(cost, m->cost, 4, "–"));
    html_close(p->h);
}

/* The models from..to, with a picture of them. */
static void board_table(const struct part *p, const struct report *slice, size_t from)
{
    bool all = slice->nmodels == p->r->nmodels;
    int64_t group = slice->models[0].battles.group;
    struct arena *a = p->h->scratch;

    if (!all)
        html_element(p->h, "p", "meta",
                     group ? words_with(a, p->language, WORD_GROUP, count(p, group))
                           : part_word(p, WORD_NOTHING_SCORED));
    chart_scores(p->h, slice, all && p->r->nsamples > 0);
    table_open(p);
    board_head(p);
    for (size_t i = from; i < from + slice->nmodels; i++)
        board_row(p, i);
    table_close(p);
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
        html_element(p->h, "p", "meta",
                     part_word(p, show_pair(p->r) ? WORD_METHOD_RATING : WORD_METHOD));
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

    for (size_t i = 0; i < n; i++) {
        const struct battles_table *t = &tables[i];
        html_open(p->h, "section", NULL);
        html_element(p->h, "h2", NULL, t->title);
        table_open(p);
        html_open(p->h, "tr", NULL);
        for (size_t c = 0; c < t->columns; c++)
            html_element(p->h, "th", c ? "num" : NULL, t->heads[c]);
        html_close(p->h);
        for (size_t k = 0; k < t->nrows; k++) {
            html_open(p->h, "tr", NULL);
            for (size_t c = 0; c < t->columns; c++)
                html_element(p->h, c ? "td" : "th", c ? "num" : NULL, t->rows[k][c]);
            html_close(p->h);
        }
        table_close(p);
        for (size_t k = 0; k < t->nnotes; k++)
            html_element(p->h, "p", "meta", t->notes[k]);
        html_close(p->h);
    }
}

/* ---- dimensions ---- */

static void dimension_cell(const struct part *p, const struct score_row *row,
                           const struct dimension *d)
{
    html_open(p->h, "td", "class", "num");
    html_text(p->h, part_number(p, show_value(row)));
    if (row && isfinite(row->lo) && isfinite(row->hi)) {
        html_open(p->h, "small", NULL);
        html_fmt(p->h, "%s – %s", part_number(p, row->lo), part_number(p, row->hi));
        html_close(p->h);
    }
    if (d)
        chart_bar(p->h, show_value(row), d->min, d->max);
    html_close(p->h);
}

static void dimensions(const struct part *p, bool totals)
{
    const struct instrument *in = &p->r->suite.instrument;

    part_section(p, totals ? "totals" : "dimensions", totals ? WORD_TOTALS : WORD_DIMENSIONS);
    table_open(p);
    html_open(p->h, "tr", NULL);
    html_element(p->h, "th", NULL, part_word(p, WORD_MODEL));
    for (size_t d = 0; d < in->ndimensions; d++) {
        html_open(p->h, "th", "class", "num");
        html_str(p->h, in->dimensions[d].title);
        html_close(p->h);
    }
    html_close(p->h);
    for (size_t i = 0; i < p->r->nmodels; i++) {
        const struct report_model *m = &p->r->models[i];
        const struct score_row **rows = totals ? m->totals : m->marks;
        html_open(p->h, "tr", NULL);
        board_name(p, i);
        for (size_t d = 0; d < in->ndimensions; d++)
            dimension_cell(p, rows ? rows[d] : NULL, totals ? NULL : &in->dimensions[d]);
        html_close(p->h);
    }
    table_close(p);
    if (show_ruled(p->r))
        html_element(p->h, "p", "meta", part_word(p, WORD_AS_JUDGED));
    html_close(p->h);
}

/* ---- judges ---- */

static void judge_row(const struct part *p, const struct report_judge *j)
{
    struct arena *a = p->h->scratch;
    char cost[SHOW_MAX], agreement[SHOW_MAX];

    html_open(p->h, "tr", NULL);
    html_open(p->h, "th", "scope", "row");
    html_text(p->h, j->name);
    html_close(p->h);
    cell(p, "td", arena_printf(a, "%lld / %lld", (long long)j->done, (long long)j->planned));
    linked(p, j->unscored, "#unscored");
    linked(p, j->failed, "#unscored");
    cell(p, "td", count(p, j->repaired));
    cell(p, "td",
         j->compared ? arena_printf(a, "%lld / %lld", (long long)j->differs, (long long)j->compared)
                     : "–");
    cell(p, "td", count(p, j->tokens));
    cell(p, "td", show_number(cost, j->cost, 4, "–"));
    if (show_panel(p->r))
        cell(p, "td", show_number(agreement, j->agreement, SHOW_AGREEMENT, "–"));
    html_close(p->h);
}

static void judges(const struct part *p)
{
    static const enum word columns[] = {WORD_VERDICTS, WORD_UNSCORED, WORD_FAILED, WORD_REPAIRED,
                                        WORD_DIFFERS,  WORD_TOKENS,   WORD_COST};
    char text[SHOW_MAX];

    if (p->r->njudges == 0)
        return;
    part_section(p, "judges", WORD_JUDGES);
    table_open(p);
    html_open(p->h, "tr", NULL);
    html_element(p->h, "th", NULL, part_word(p, WORD_JUDGE));
    for (size_t i = 0; i < COUNT(columns); i++)
        cell(p, "th", part_word(p, columns[i]));
    if (show_panel(p->r))
        cell(p, "th", part_word(p, WORD_AGREEMENT));
    html_close(p->h);
    for (size_t i = 0; i < p->r->njudges; i++)
        judge_row(p, &p->r->judges[i]);
    table_close(p);
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
        html_element(h, "p", NULL, part_word(p, WORD_ALL_SCORED));
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
        html_fmt(h, "→ %s", words_advice(p->language, f->fault, f->state));
        html_close(h);
        html_close(h);
    }
    html_close(h);
    html_close(h);
}

static void reading(const struct part *p)
{
    const char *sentences[WORDS_READING];
    size_t n = words_reading(p->h->scratch, &p->r->suite, sentences);

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
