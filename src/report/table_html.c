#include <math.h>

#include "report/chart.h"
#include "report/table.h"

/* An interval that is drawn or split has columns of its own; otherwise it stands below the
 * value. */
static const struct table_style style = {
    .parts = {[TABLE_INLINE] = {PART_VALUE},
              [TABLE_SPLIT] = {PART_VALUE, PART_RANGE},
              [TABLE_PLOT] = {PART_VALUE, PART_DRAWN, PART_RANGE},
              [TABLE_BRIEF] = {PART_VALUE},
              [TABLE_RANGE] = {PART_RANGE}},
    .scaled = true,
    .none = "–",
    .between = " – ",
    .lower = "↓",
    .roomy = true,
};

static void head(const struct table *t, struct html *h, const struct table_shown *v, size_t n)
{
    html_open(h, "thead", NULL);
    html_open(h, "tr", NULL);
    for (size_t i = 0; i < n; i++) {
        bool words = table_is_words(&t->columns[v[i].column]);
        if (v[i].part == PART_DRAWN) {
            html_open(h, "th", "scope", "col", "class", "ivc");
            html_element(h, "span", "vh", words_of(t->language, WORD_INTERVAL));
            chart_axis(h, t->columns[v[i].column].range);
        } else {
            html_open(h, "th", "scope", "col", "class", words ? NULL : "num");
            html_text(h, v[i].head);
        }
        html_close(h);
    }
    html_close_n(h, 2);
}

/* The interval below the value and, if there is a scale, a bar below that. */
static void below(const struct table *t, struct html *h, const struct table_shown *s, size_t row)
{
    const struct table_column *c = &t->columns[s->column];
    const struct table_cell *cell = &t->cells[s->column][row];
    const struct table_shown range = {s->column, PART_RANGE, NULL};

    if (cell->there && ((isfinite(cell->lo) && isfinite(cell->hi)) || cell->mark))
        html_element(h, "small", NULL, table_show(t, &style, &range, row));
    if (c->range.lo < c->range.hi)
        chart_bar(h, cell->there ? cell->value : NAN, c->range.lo, c->range.hi);
}

/* On a phone each row becomes several lines, so every cell carries the title of its column: see
 * the style sheet. */
static void written(const struct table *t, struct html *h, const struct table_shown *s, size_t row)
{
    const struct table_column *c = &t->columns[s->column];
    const struct table_cell *of = &t->cells[s->column][row];
    bool stacked = c->kind == TABLE_INTERVAL && s->part == PART_VALUE && !style.parts[c->look][1];

    html_open(h, "td", "class",
              table_is_words(c)                                ? NULL
              : c->look == TABLE_PLOT && s->part == PART_VALUE ? "num score"
                                                               : "num",
              "data-title", s->head);
    if (stacked)
        html_open(h, "div", NULL);
    if (of->href)
        html_open(h, "a", "href", of->href);
    html_text(h, table_show(t, &style, s, row));
    if (of->href)
        html_close(h);
    if (stacked) {
        below(t, h, s, row);
        html_close(h);
    }
    html_close(h);
}

static void cell(const struct table *t, struct html *h, const struct table_shown *s, size_t row)
{
    const struct table_column *c = &t->columns[s->column];
    const struct table_cell *of = &t->cells[s->column][row];

    if (s->part == PART_DRAWN) {
        html_open(h, "td", "class", "ivc", "data-title", s->head);
        if (of->there)
            chart_interval(h, c->range, c->decimals, of->value, of->lo, of->hi);
        html_close(h);
        return;
    }
    written(t, h, s, row);
}

/* A suite may use any text as a name. */
static void name(const struct table *t, struct html *h, size_t row)
{
    const struct table_cell *c = &t->cells[0][row];

    html_open(h, "th", "scope", "row");
    html_say(h, c->href ? "a" : "span", c->there ? c->text : "", "href", c->href);
    html_close(h);
}

void table_html(const struct table *t, struct html *h)
{
    const char **footnotes = table_footnotes(t, &style);
    struct table_shown *v;
    size_t n = table_parts(t, &style, &v);

    html_open(h, "div", "class", "scroll");
    html_open(h, "table", NULL);
    head(t, h, v, n);
    html_open(h, "tbody", NULL);
    for (size_t row = 0; row < t->nrows; row++) {
        if (!table_row_seen(t, row))
            continue;
        html_open(h, "tr", "class", t->dim[row] ? "dim" : NULL);
        name(t, h, row);
        for (size_t i = 1; i < n; i++)
            cell(t, h, &v[i], row);
        html_close(h);
    }
    html_close_n(h, 3);
    for (size_t i = 0; i < t->nnotes; i++)
        html_element(h, "p", "meta", t->notes[i]);
    for (size_t i = 0; footnotes[i]; i++)
        html_element(h, "p", "meta", footnotes[i]);
}
