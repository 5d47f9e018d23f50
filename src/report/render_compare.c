#include "report/render_compare.h"

#include <math.h>

#include "math/band.h"
#include "report/grid.h"
#include "report/markdown.h"
#include "report/show.h"

enum { ITEMS_SHOWN = 20, NAME_MOST = 32, ANSWER_SHOWN = 200 };

static int decimals_of(const struct compare *c)
{
    double most = 0;

    for (size_t i = 0; i < c->nmodels; i++)
        most = fmax(most, fmax(c->models[i].now, c->models[i].then)); /* fmax passes NaN over */
    return most < 1.5 ? 3 : 2;
}

static const char *number(struct arena *a, double v, int decimals)
{
    char text[SHOW_MAX];

    return arena_text(a, str_of(show_number(text, v, decimals, "-")));
}

/* The mean of a model; "4.31 (4.5)" where it makes a band. */
static const char *mean(struct arena *a, const struct compare *c, double v, int decimals)
{
    return c->band && isfinite(v)
               ? arena_printf(a, "%s (%.1f)", number(a, v, decimals), band_of_mean(v))
               : number(a, v, decimals);
}

static const char *signed_number(struct arena *a, double v, int decimals)
{
    return arena_printf(a, "%s%s", v > 0 ? "+" : "", number(a, v, decimals));
}

static const char *interval(struct arena *a, struct interval i, int decimals)
{
    if (!isfinite(i.low) || !isfinite(i.high))
        return "-";
    return arena_printf(a, "[%s, %s]", signed_number(a, i.low, decimals),
                        signed_number(a, i.high, decimals));
}

static const char *model_name(struct arena *a, const struct compare_model *m)
{
    return strcmp(m->name, m->against) == 0 ? m->name
                                            : arena_printf(a, "%s against %s", m->name, m->against);
}

/* What the marks of a suite are called: an interview has sub-scores. */
static const char *marks_title(const struct compare *c)
{
    return c->band ? "sub-scores" : "dimensions";
}

/* What the reader must know besides, one sentence a line. */
static void notes(const struct compare *c, const char *before, struct buf *out)
{
    if (c->only_now || c->only_then)
        buf_fmt(out, "%sOnly in one of the runs: %lld items of %s, %lld of %s.\n", before,
                (long long)c->only_now, c->run.name, (long long)c->only_then, c->baseline.name);
    if (c->edited)
        buf_fmt(out, "%sEdited since the baseline, and not compared: %lld items.\n", before,
                (long long)c->edited);
    if (c->band)
        buf_fmt(out, "%sIn brackets: the band that the mean makes.\n", before);
    if (!c->judged_alike)
        buf_fmt(out, "%sThe two runs were not judged by the same judges.\n", before);
}

/* ---- terminal ---- */

static const char *const heads[] = {"model", "now",       "before",   "difference",
                                    "95 %",  "regressed", "improved", "unchanged"};

/* The first `names` columns hold names, the others numbers. */
static void head_row(struct grid *g, const char *const *titles, size_t n, size_t names)
{
    struct grid_row *row;

    for (size_t i = 0; i < n; i++)
        (void)grid_column(g, i < names, false);
    row = grid_row(g, GRID_HEAD);
    for (size_t i = 0; i < n; i++)
        row->cells[i] = str_of(titles[i]);
}

static void model_row(struct grid *g, const struct compare *c, const struct compare_model *m,
                      int decimals)
{
    struct arena *a = g->a;
    struct grid_row *row = grid_row(g, GRID_PLAIN);
    const char *cells[] = {
        NULL,
        mean(a, c, m->now, decimals),
        mean(a, c, m->then, decimals),
        signed_number(a, m->difference.value, decimals),
        interval(a, m->difference, decimals),
        arena_printf(a, "%zu", m->counts[COMPARE_REGRESSED]),
        arena_printf(a, "%zu", m->counts[COMPARE_IMPROVED]),
        arena_printf(a, "%zu", m->counts[COMPARE_UNCHANGED]),
    };

    row->cells[0] = grid_name(a, str_of(model_name(a, m)), NAME_MOST, "..");
    for (size_t i = 1; i < COUNT(cells); i++)
        row->cells[i] = str_of(cells[i]);
}

/* Each dimension of each model, where there are several. */
static const char *const mark_heads[] = {"model",  "dimension",  "now",
                                         "before", "difference", "95 %"};

static void mark_cells(struct arena *a, const struct compare_mark *m, const char *cells[4])
{
    cells[0] = number(a, m->now, 2);
    cells[1] = number(a, m->then, 2);
    cells[2] = signed_number(a, m->difference.value, 2);
    cells[3] = interval(a, m->difference, 2);
}

static void list_marks(struct arena *a, const struct compare *c, const struct render_terminal *how,
                       struct buf *out)
{
    struct grid g;

    if (c->nmodels == 0 || !c->models[0].marks)
        return;
    buf_fmt(out, "\n%s\n", marks_title(c));
    grid_init(&g, a);
    head_row(&g, mark_heads, COUNT(mark_heads), 2);
    for (size_t i = 0; i < c->nmodels * c->ndimensions; i++) {
        const struct compare_model *m = &c->models[i / c->ndimensions];
        size_t d = i % c->ndimensions;
        struct grid_row *row = grid_row(&g, GRID_PLAIN);
        const char *cells[4];
        mark_cells(a, &m->marks[d], cells);
        row->cells[0] = d ? STR("") : grid_name(a, str_of(model_name(a, m)), NAME_MOST, "..");
        row->cells[1] = grid_text(a, c->dimensions[d].title, NAME_MOST, "..");
        for (size_t k = 0; k < COUNT(cells); k++)
            row->cells[2 + k] = str_of(cells[k]);
    }
    grid_print(&g, how->colour, out);
    grid_done(&g);
}

static void list_changed(struct arena *a, const struct compare_model *m, enum compare_change change,
                         const struct render_terminal *how, int decimals, struct buf *out)
{
    static const char *const titles[] = {"item", "before", "now", "change"};
    struct grid g;
    size_t shown = 0;

    if (m->counts[change] == 0)
        return;
    buf_fmt(out, "\n%.*s, %s\n", STR_ARG(grid_name(a, str_of(model_name(a, m)), NAME_MOST, "..")),
            compare_change_name(change));
    grid_init(&g, a);
    head_row(&g, titles, COUNT(titles), 1);
    for (size_t i = 0; i < m->nitems && shown < ITEMS_SHOWN; i++) {
        const struct compare_item *item = &m->items[i];
        struct grid_row *row;
        if (item->change != change)
            continue;
        row = grid_row(&g, GRID_PLAIN);
        row->cells[0] = grid_text(a, str_of(item->name), NAME_MOST, "..");
        row->cells[1] = str_of(number(a, item->then, decimals));
        row->cells[2] = str_of(number(a, item->now, decimals));
        row->cells[3] = str_of(signed_number(a, item->now - item->then, decimals));
        shown++;
    }
    grid_print(&g, how->colour, out);
    grid_done(&g);
    if (shown < m->counts[change])
        buf_fmt(out, "  and %zu more\n", m->counts[change] - shown);
}

void render_compare_terminal(const struct compare *c, const struct render_terminal *how,
                             struct buf *out)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    int decimals = decimals_of(c);
    struct grid g;

    buf_add(out, grid_text(a, str_of(c->title), (size_t)how->columns, ".."));
    buf_fmt(out, " %s run %s against baseline %s\n\n", how->unicode ? "·" : "|", c->run.name,
            c->baseline.name);
    grid_init(&g, a);
    head_row(&g, heads, COUNT(heads), 1);
    for (size_t i = 0; i < c->nmodels; i++)
        model_row(&g, c, &c->models[i], decimals);
    grid_print(&g, how->colour, out);
    grid_done(&g);
    list_marks(a, c, how, out);
    for (size_t i = 0; i < c->nmodels; i++) {
        list_changed(a, &c->models[i], COMPARE_REGRESSED, how, decimals, out);
        list_changed(a, &c->models[i], COMPARE_IMPROVED, how, decimals, out);
    }
    buf_char(out, '\n');
    notes(c, "", out);
    buf_text(out, "95 % t interval of the difference over items that both runs scored\n");
}

/* ---- Markdown ---- */

static void markdown_row(struct arena *a, const struct compare *c, const struct compare_model *m,
                         int decimals, struct buf *out)
{
    buf_text(out, "| ");
    markdown_text(a, out, str_of(model_name(a, m)));
    buf_fmt(out, " | %s | %s | %s | %s | %zu | %zu | %zu |\n", mean(a, c, m->now, decimals),
            mean(a, c, m->then, decimals), signed_number(a, m->difference.value, decimals),
            interval(a, m->difference, decimals), m->counts[COMPARE_REGRESSED],
            m->counts[COMPARE_IMPROVED], m->counts[COMPARE_UNCHANGED]);
}

static void markdown_marks(struct arena *a, const struct compare *c, struct buf *out)
{
    if (c->nmodels == 0 || !c->models[0].marks)
        return;
    buf_fmt(out, "\n## %s\n\n|", marks_title(c));
    for (size_t i = 0; i < COUNT(mark_heads); i++)
        buf_fmt(out, " %s |", mark_heads[i]);
    buf_text(out, "\n|---|---|--:|--:|--:|--:|\n");
    for (size_t i = 0; i < c->nmodels * c->ndimensions; i++) {
        const struct compare_model *m = &c->models[i / c->ndimensions];
        size_t d = i % c->ndimensions;
        const char *cells[4];
        mark_cells(a, &m->marks[d], cells);
        buf_text(out, "| ");
        markdown_text(a, out, str_of(model_name(a, m)));
        buf_text(out, " | ");
        markdown_text(a, out, c->dimensions[d].title);
        buf_fmt(out, " | %s | %s | %s | %s |\n", cells[0], cells[1], cells[2], cells[3]);
    }
}

static void markdown_answer(struct arena *a, const char *when, struct str answer, struct buf *out)
{
    struct str head = utf8_head(answer, ANSWER_SHOWN);

    if (!answer.n)
        return;
    buf_fmt(out, "  - %s: ", when);
    markdown_text(a, out, head);
    buf_text(out, head.n < answer.n ? " ...\n" : "\n");
}

static void markdown_changed(struct arena *a, const struct compare_model *m,
                             enum compare_change change, int decimals, struct buf *out)
{
    if (m->counts[change] == 0)
        return;
    buf_text(out, "\n## ");
    markdown_text(a, out, str_of(model_name(a, m)));
    buf_fmt(out, ", %s\n\n", compare_change_name(change));
    for (size_t i = 0; i < m->nitems; i++) {
        const struct compare_item *item = &m->items[i];
        if (item->change != change)
            continue;
        buf_text(out, "- ");
        markdown_text(a, out, str_of(item->name));
        buf_fmt(out, ": %s → %s\n", number(a, item->then, decimals),
                number(a, item->now, decimals));
        markdown_answer(a, "before", item->before, out);
        markdown_answer(a, "now", item->answer, out);
    }
}

void render_compare_markdown(const struct compare *c, struct buf *out)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    int decimals = decimals_of(c);

    buf_text(out, "# ");
    markdown_text(a, out, str_of(c->title));
    buf_fmt(out, "\n\nrun %s against baseline %s\n\n|", c->run.name, c->baseline.name);
    for (size_t i = 0; i < COUNT(heads); i++)
        buf_fmt(out, " %s |", heads[i]);
    buf_text(out, "\n|---|");
    for (size_t i = 1; i < COUNT(heads); i++)
        buf_text(out, "--:|");
    buf_char(out, '\n');
    for (size_t i = 0; i < c->nmodels; i++)
        markdown_row(a, c, &c->models[i], decimals, out);
    markdown_marks(a, c, out);
    for (size_t i = 0; i < c->nmodels; i++) {
        markdown_changed(a, &c->models[i], COMPARE_REGRESSED, decimals, out);
        markdown_changed(a, &c->models[i], COMPARE_IMPROVED, decimals, out);
    }
    buf_text(out, "\n");
    notes(c, "- ", out);
    buf_text(out, "- The interval is a 95 % Student t interval of the difference over items that "
                  "both runs scored.\n");
}
