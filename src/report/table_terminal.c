#include <math.h>

#include "report/grid.h"
#include "report/table.h"
#include "report/whisker.h"
#include "text/rune.h"

enum {
    NAME_MOST = 32,
    NAME_GOOD = 18,
    NAME_LEAST = 6,
    HEAD_MOST = 16, /* of a head that is text by others */
    HEAD_NARROW = 6,
    TEXT_MOST = 48,
    PLOT_MOST = 41,
    PLOT_GOOD = 21,
    PLOT_LEAST = 9,
    LIST_INDENT = 4,
    LIST_GAP = 3,
};

/* A table being written to the terminal. */
struct canvas {
    const struct table *t;
    const struct render_terminal *how;
    const struct whisker_signs *signs;
    struct table_style style;
    struct table_shown *shown;
    size_t nshown, from, to; /* the range of columns being written, besides the names */
    struct show_range range; /* of the whiskers */
    size_t name, plot;       /* widths; plot 0: nothing is drawn */
    bool close;              /* narrow gaps */
    bool cut;                /* heads are cut */
};

/* ---- whiskers ---- */

/* The range of the first drawn column: given by its builder, or that of its values. */
static bool range_of(struct canvas *c)
{
    const struct table *t = c->t;
    struct show_range range = {INFINITY, -INFINITY};
    size_t at = 0;

    while (at < c->nshown && c->shown[at].part != PART_DRAWN)
        at++;
    if (at == c->nshown)
        return false;
    at = c->shown[at].column;
    for (size_t i = 0; i < t->nrows; i++) {
        const struct table_cell *cell = &t->cells[at][i];
        if (cell->there)
            show_reach(&range, cell->value, cell->lo, cell->hi);
    }
    if (range.lo == range.hi)
        range = (struct show_range){range.lo - 1, range.hi + 1};
    c->range = t->columns[at].range.lo < t->columns[at].range.hi ? t->columns[at].range : range;
    return range.lo < range.hi;
}

static struct str drawn(const struct canvas *c, const struct table_cell *cell)
{
    struct whisker_scale scale = {c->range, c->plot, c->signs};

    if (!cell->there)
        return STR("");
    if (c->plot == 0)
        return str_of(isfinite(cell->lo) && isfinite(cell->hi) ? c->signs->dash : "");
    return whisker_draw(c->t->a, &scale, &(struct whisker){cell->value, cell->lo, cell->hi});
}

/* The ends of the common scale, below the whiskers. */
static struct str scale(const struct canvas *c, const struct table_column *column)
{
    char lo[SHOW_MAX], hi[SHOW_MAX];
    size_t used = strlen(show_number(lo, c->range.lo, column->decimals, "")) +
                  strlen(show_number(hi, c->range.hi, column->decimals, ""));

    if (used + 1 > c->plot)
        return STR("");
    return str_of(arena_printf(c->t->a, "%s%*s%s", lo, (int)(c->plot - used), "", hi));
}

/* ---- the grid ---- */

static struct str head_cell(const struct canvas *c, const struct table_shown *s)
{
    size_t most = c->cut                                         ? HEAD_NARROW
                  : c->t->columns[s->column].flags & TABLE_NAMED ? HEAD_MOST
                                                                 : SIZE_MAX;

    return grid_text(c->t->a, str_of(s->head), most, c->cut ? "." : c->signs->more);
}

static struct str cell(const struct canvas *c, size_t at, size_t row)
{
    const struct table_shown *s = &c->shown[at];
    const char *text;

    if (s->part == PART_DRAWN)
        return drawn(c, &c->t->cells[s->column][row]);
    text = table_show(c->t, &c->style, s, row);
    if (at == 0)
        return grid_name(c->t->a, str_of(text), c->name, c->signs->more);
    return grid_text(c->t->a, str_of(text), TEXT_MOST, c->signs->more);
}

/* Index into shown[] of column i of the grid: the names, then from..to. */
static size_t shown_at(const struct canvas *c, size_t i)
{
    return i ? c->from + i - 1 : 0;
}

static void fill(const struct canvas *c, struct grid *g)
{
    size_t n = 1 + c->to - c->from;

    g->close = c->close;
    (void)grid_row(g, GRID_HEAD);
    for (size_t i = 0; i < n; i++) {
        const struct table_shown *s = &c->shown[shown_at(c, i)];
        bool left = table_is_words(&c->t->columns[s->column]) || s->part == PART_DRAWN;
        g->rows[0].cells[grid_column(g, left, s->part == PART_DRAWN || s->part == PART_HI)] =
            head_cell(c, s);
    }
    for (size_t row = 0; row < c->t->nrows; row++) {
        struct grid_row *line;
        if (!table_row_seen(c->t, row))
            continue;
        line = grid_row(g, c->t->dim[row] ? GRID_DIM : GRID_PLAIN);
        for (size_t i = 0; i < n; i++)
            line->cells[i] = cell(c, shown_at(c, i), row);
    }
    for (size_t i = 0; i < n && c->plot; i++)
        if (c->shown[shown_at(c, i)].part == PART_DRAWN)
            grid_row(g, GRID_DIM)->cells[i] =
                scale(c, &c->t->columns[c->shown[shown_at(c, i)].column]);
}

/* ---- making it fit ---- */

/* By how many columns the table is too wide for the window. */
static size_t excess(const struct canvas *c)
{
    AUTO(grid_done) struct grid g = {0};
    size_t columns = (size_t)c->how->columns, width;

    fill(c, &g);
    width = grid_width(&g);
    return width > columns ? width - columns : 0;
}

static void print(const struct canvas *c, struct buf *out)
{
    AUTO(grid_done) struct grid g = {0};

    fill(c, &g);
    grid_print(&g, c->how->colour, out);
}

/* Reduces *part, a width of the canvas, until the table fits, but not below `least`. */
static void shrink(const struct canvas *c, size_t *part, size_t least)
{
    for (size_t over; *part > least && (over = excess(c)) > 0;)
        *part = *part > least + over ? *part - over : least;
}

/* First whiskers and names shrink in turn; then the whiskers are dropped, gaps narrowed, heads
 * cut, and finally names shrink further. */
static void fit(struct canvas *c)
{
    bool plot = c->plot > 0;

    shrink(c, &c->plot, PLOT_GOOD);
    if (plot)
        shrink(c, &c->name, NAME_GOOD);
    shrink(c, &c->plot, PLOT_LEAST);
    if (excess(c))
        c->plot = 0;
    c->close = plot && excess(c);
    c->cut = c->close && excess(c);
    if (plot)
        shrink(c, &c->name, NAME_LEAST);
}

/* Prints as many columns as fit, then the rest below; the parts of a drawn column stay together. */
static void blocks(struct canvas *c, struct buf *out)
{
    c->from = 1;
    do {
        c->to = c->nshown - c->from < GRID_COLUMNS ? c->nshown : c->from + GRID_COLUMNS - 1;
        if (c->from == 1 && c->to == c->nshown)
            fit(c);
        while (c->to > c->from + 1 &&
               (excess(c) || (c->to < c->nshown && c->shown[c->to].part >= PART_DRAWN)))
            c->to--;
        if (c->from > 1)
            buf_char(out, '\n');
        if (c->to == c->from + 1)
            shrink(c, &c->name, NAME_LEAST);
        print(c, out);
        c->from = c->to;
    } while (c->from < c->nshown);
}

static size_t longest_name(const struct canvas *c)
{
    size_t most = 0;

    for (size_t i = 0; i < c->t->nrows; i++) {
        size_t n = rune_columns(cell(c, 0, i));
        most = n > most ? n : most;
    }
    return most;
}

static void below(const struct canvas *c, const char **footnotes, struct buf *out)
{
    size_t columns = (size_t)c->how->columns;

    for (size_t i = 0; i < c->t->nnotes; i++)
        grid_note(c->t->a, c->t->notes[i], columns, c->how->colour, out);
    for (size_t i = 0; footnotes[i]; i++)
        grid_note(c->t->a, footnotes[i], columns, c->how->colour, out);
}

/* Sets up what is shown and prints the title; returns the footnotes. */
static const char **begin(struct canvas *c, const struct table *t,
                          const struct render_terminal *how, struct buf *out)
{
    struct table_shown *shown;
    const char **footnotes;

    *c = (struct canvas){.t = t, .how = how, .signs = whisker_signs(how->unicode)};
    c->style =
        (struct table_style){.parts = {[TABLE_INLINE] = {PART_INLINE},
                                       [TABLE_SPLIT] = {PART_VALUE, PART_RANGE},
                                       [TABLE_PLOT] = {PART_VALUE, PART_LO, PART_DRAWN, PART_HI},
                                       [TABLE_BRIEF] = {PART_VALUE},
                                       [TABLE_RANGE] = {PART_RANGE}},
                             .none = "-",
                             .between = c->signs->dash,
                             .lower = how->unicode ? "↓" : "(low)",
                             .brief = true};
    footnotes = table_footnotes(t, &c->style);
    c->nshown = table_parts(t, &c->style, &shown);
    c->shown = shown;
    c->plot = range_of(c) ? PLOT_MOST : 0;
    c->name = t->name ? t->name : NAME_MOST;
    c->name = longest_name(c);
    if (t->title)
        buf_fmt(out, how->colour ? "\n\033[1m%s\033[0m\n" : "\n%s\n", t->title);
    return footnotes;
}

size_t table_terminal(const struct table *t, const struct render_terminal *how, struct buf *out)
{
    struct canvas c;
    const char **footnotes = begin(&c, t, how, out);

    if (c.nshown > 1)
        blocks(&c, out);
    below(&c, footnotes, out);
    return c.name;
}

/* ---- a list, each row by itself ---- */

/* "samples: 10/10 state: done", as many per line as fit. */
static void put_cells(const struct canvas *c, size_t row, struct buf *out)
{
    size_t columns = (size_t)c->how->columns, at = 0;

    for (size_t i = 1; i < c->nshown; i++) {
        struct str text = cell(c, i, row), pair;
        size_t width;
        if (!text.n || c->shown[i].part == PART_DRAWN)
            continue;
        pair = str_of(words_two(c->t->a, c->t->language, WORD_LABELLED, c->shown[i].head,
                                arena_text(c->t->a, text)));
        width = rune_columns(pair);
        if (at && at + LIST_GAP + width > columns) {
            buf_char(out, '\n');
            at = 0;
        }
        buf_fmt(out, "%*s", at ? LIST_GAP : LIST_INDENT, "");
        at += (size_t)(at ? LIST_GAP : LIST_INDENT) + width;
        if (at <= columns) {
            buf_add(out, pair);
            continue;
        }
        grid_lines(out, pair, columns, LIST_INDENT, LIST_INDENT + 2);
        at = 0;
    }
    if (at)
        buf_char(out, '\n');
}

static void put_rows(const struct canvas *c, struct buf *out)
{
    for (size_t row = 0; row < c->t->nrows; row++) {
        if (!table_row_seen(c->t, row))
            continue;
        buf_text(out, c->how->colour ? "  \033[1m" : "  ");
        buf_add(out, cell(c, 0, row));
        buf_text(out, c->how->colour ? "\033[0m\n" : "\n");
        put_cells(c, row, out);
    }
}

void table_terminal_list(const struct table *t, const struct render_terminal *how, struct buf *out)
{
    struct canvas c;
    const char **footnotes = begin(&c, t, how, out);

    c.from = 1;
    c.to = c.nshown < GRID_COLUMNS ? c.nshown : GRID_COLUMNS;
    if (c.nshown == c.to && !excess(&c))
        print(&c, out);
    else
        put_rows(&c, out);
    below(&c, footnotes, out);
}
