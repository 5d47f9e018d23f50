#include "base/clock.h"
#include "report/chart.h"
#include "report/charts.h"
#include "report/finding.h"
#include "report/part.h"
#include "report/remark.h"
#include "report/tables.h"
#include "suite/mark.h"

/* ---- the head of the page ---- */

static void head(const struct part *p)
{
    struct html *h = p->h;

    html_head(h, p->r->suite.language ? p->r->suite.language : "en");
    html_leaf(h, "meta", "name", "color-scheme", "content", "light dark");
    /* Nothing can be loaded or run, whatever a model wrote. */
    html_leaf(h, "meta", "http-equiv", "Content-Security-Policy", "content",
              "default-src 'none'; style-src 'unsafe-inline'");
    html_open(h, "title", NULL);
    html_str(h, p->r->suite.title.n ? p->r->suite.title : str_of(p->r->suite.id));
    html_fmt(h, " · %s", p->r->run.name);
    html_close(h);
    html_style(h, html_sheets(h->scratch, SHEETS_REPORT));
    html_close(h);
}

static void banner(const struct part *p)
{
    struct html *h = p->h;
    const struct report *r = p->r;
    const char *finding = finding_of(h->scratch, r);
    char when[CLOCK_TEXT];

    clock_text(r->run.created_ms, when);
    html_open(h, "header", NULL);
    html_quote(h, "h1", r->suite.title.n ? r->suite.title : str_of(r->suite.id), NULL);
    if (r->suite.description.n)
        part_quote(p, "lead", r->suite.description, STR(""));
    html_element(h, "p", "meta",
                 arena_printf(h->scratch, "%s %s · %s · %.10s", part_word(p, WORD_RUN),
                              remark_name(h->scratch, &r->run),
                              wording_extent(h->scratch, p->language, r->items, r->run.repeats),
                              when));
    if (*finding)
        html_element(h, "p", "finding", finding);
    html_close(h);
}

static void nav_link(const struct part *p, const char *href, enum word w)
{
    html_say(p->h, "a", part_word(p, w), "href", href);
    html_text(p->h, " ");
}

static void nav(const struct part *p)
{
    const struct report *r = p->r;

    html_open(p->h, "nav", "class", "contents", "aria-label", part_word(p, WORD_CONTENTS));
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

static struct tables_how tables_of(const struct part *p)
{
    return (struct tables_how){
        .language = p->language, .dash = "–", .links = p->r->nsamples ? "#m" : NULL};
}

/* The models from `from` on. */
static void board_table(const struct part *p, const struct report *slice, size_t from)
{
    bool all = slice->nmodels == p->r->nmodels;
    int64_t group = slice->models[0].battles.group;
    struct arena *a = p->h->scratch;
    const struct tables_how how = tables_of(p);

    if (!all)
        html_element(p->h, "p", "meta",
                     group ? words_with(a, p->language, WORD_GROUP, arena_int(a, group))
                           : part_word(p, WORD_NOTHING_SCORED));
    table_html(tables_board(a, slice, &how, from), p->h);
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
        html_element(p->h, "p", "meta", finding_whose(p->h->scratch, p->r));
        if (p->r->nclassifiers)
            html_element(p->h, "p", "meta", part_word(p, WORD_RATES));
    }
    html_close(p->h);
}

static void beside(const struct part *p)
{
    const struct tables_how how = tables_of(p);
    struct tables tables;

    tables_beside(p->h->scratch, p->r, &how, &tables);
    for (size_t i = 0; i < tables.n; i++) {
        if (!tables.v[i].id)
            continue;
        html_open(p->h, "section", "id", tables.v[i].id);
        html_element(p->h, "h2", NULL, tables.v[i].table->title);
        table_html(tables.v[i].table, p->h);
        if (strcmp(tables.v[i].id, "sittings") == 0 && p->r->suite.instrument.contradictions)
            (void)charts_draw(p->h, p->r, CHARTS_CONTRADICTIONS, NULL);
        if (tables.v[i].about == ABOUT_TURNS)
            (void)chart_course(
                p->h, &(struct chart_grid){.t = tables.v[i].table,
                                           .label = tables.v[i].table->title,
                                           .steps = strcmp(tables.v[i].id, "survival") == 0});
        html_close(p->h);
    }
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
        html_element(h, "b", NULL, arena_int(p->h->scratch, f->n));
        html_fmt(h, " × %s %s ", part_word(p, f->is_judge ? WORD_JUDGE : WORD_MODEL), f->who);
        html_element(h, "span", "badge bad",
                     part_word(p, f->state == STATE_UNSCORED ? WORD_UNSCORED : WORD_FAILED));
        html_element(h, "div", "why", wording_why(h->scratch, p->language, f->why, f->fault));
        html_element(
            h, "div", "advice",
            arena_printf(h->scratch, "→ %s", wording_advice(p->language, f->fault, f->state)));
        html_close(h);
    }
    html_close_n(h, 2);
}

static void reading(const struct part *p)
{
    const char *sentences[WORDING_READING + FINDING_LIMITS];
    size_t n = wording_reading(p->h->scratch, &p->r->suite, sentences);

    n += finding_limits(p->h->scratch, p->r, sentences + n);
    part_section(p, "reading", WORD_HOW_TO_READ);
    html_open(p->h, "ul", NULL);
    for (size_t i = 0; i < n; i++)
        html_element(p->h, "li", NULL, sentences[i]);
    html_close_n(p->h, 2);
}

static void provenance(const struct part *p)
{
    const struct tables_how how = tables_of(p);

    part_section(p, "provenance", PROVENANCE);
    table_html(tables_provenance(p->h->scratch, p->r, &how), p->h);
    html_close(p->h);
}

void render_html(const struct report *r, struct buf *out)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct html h = {.out = out, .scratch = scratch};
    struct part p = {&h, r, r->suite.language, NULL};

    head(&p);
    html_open(&h, "body", NULL);
    html_open(&h, "main", "class", "wrap");
    banner(&p);
    nav(&p);
    board(&p);
    beside(&p);
    faults(&p);
    reading(&p);
    part_flags(&p);
    if (r->withheld)
        html_element(&h, "p", "meta", part_word(&p, WORD_WITHHELD));
    part_samples(&p);
    provenance(&p);
    html_close_n(&h, 3);
    buf_char(out, '\n');
}
