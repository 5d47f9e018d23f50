/* Charts of a table of numbers: heat map, bars in rows, and courses. */
#include <math.h>

#include "report/chart.h"
#include "report/grid.h"
#include "report/table.h"

enum {
    CELL = 28,
    HEADS = 96,
    BARS = 80,
    BAR = 38,
    FOOT = 44,
    NAME_PART = 26, /* percent of the width; if names stand above what they name: */
    NUMBER_PART = 12,
    NAME_ROOM = 18,
    NAME_COLUMNS = 24,
    HEAD_COLUMNS = 11,
    STEPS = 5,
    COURSE = 110,
    TICKS_MOST = 16,
    FIGURES_MOST = 12
};

static const struct table_style style = {.none = "–", .between = "–", .lower = "↓"};

struct drawing {
    struct html *h;
    const struct chart_grid *g;
    size_t columns; /* number of columns with numbers */
    int left;       /* where they begin, in percent */
    struct show_range range;
};

static const char *px(const struct drawing *d, int v)
{
    return arena_int(d->h->scratch, v);
}

/* The left edge of a column, or with a fraction added, a point inside it. */
static const char *across(const struct drawing *d, double column)
{
    double part = (100.0 - d->left) / (double)d->columns;

    return arena_printf(d->h->scratch, "%.2f%%", d->left + part * column);
}

static const char *wide(const struct drawing *d)
{
    return arena_printf(d->h->scratch, "%.2f%%", (100.0 - d->left) / (double)d->columns - 0.4);
}

static void text(const struct drawing *d, const char *cls, const char *x, int y, const char *words)
{
    html_say(d->h, "text", words, "class", cls, "x", x, "y", px(d, y));
}

static const char *short_name(const struct drawing *d, const char *name)
{
    return grid_name(d->h->scratch, str_of(name), NAME_COLUMNS, "…").p;
}

static bool is_drawn(const struct table_column *c)
{
    return c->head || c->word;
}

/* The table column of the n-th column of numbers; the first table column has the names. */
static size_t column_at(const struct drawing *d, size_t column)
{
    size_t c = 1;

    while (!is_drawn(&d->g->t->columns[c]) || column-- > 0)
        c++;
    return c;
}

static const char *shown(const struct drawing *d, size_t column, size_t row)
{
    return table_show(d->g->t, &style, &(struct table_shown){column, PART_VALUE, NULL}, row);
}

static struct drawing drawing_of(struct html *h, const struct chart_grid *g, int left,
                                 bool from_zero)
{
    struct drawing d = {.h = h, .g = g, .left = left, .range = {INFINITY, -INFINITY}};

    for (size_t c = 1; c < g->t->ncolumns; c++) {
        const struct table_column *k = &g->t->columns[c];
        if (!is_drawn(k))
            continue;
        d.columns++;
        if (k->range.lo < k->range.hi)
            show_reach(&d.range, k->range.lo, k->range.hi);
        for (size_t i = 0; i < g->t->nrows; i++) {
            const struct table_cell *one = &g->t->cells[c][i];
            show_reach(&d.range, one->there ? one->value : NAN);
            if (k->kind == TABLE_INTERVAL && one->there)
                show_reach(&d.range, one->lo, one->hi);
        }
    }
    if (from_zero || !(d.range.lo < d.range.hi))
        d.range.lo = fmin(d.range.lo, 0);
    if (!(d.range.lo < d.range.hi))
        d.range = (struct show_range){0, 1};
    return d;
}

static double share(const struct drawing *d, double v)
{
    return fmin(fmax((v - d->range.lo) / (d->range.hi - d->range.lo), 0), 1);
}

static void begin(const struct drawing *d, int height)
{
    html_open(d->h, "svg", "class", "chart", "role", "img", "width", "100%", "height",
              px(d, height), "aria-label", d->g->label);
}

/* Labels of the horizontal and the vertical axis. */
static void titles(const struct drawing *d, const char *x, int y)
{
    if (d->g->axis)
        text(d, "tick", x, y, d->g->axis);
    if (d->g->up)
        text(d, "tick left", "0", y, arena_printf(d->h->scratch, "↑ %s", d->g->up));
}

/* ---- heat map ---- */

/* Slanted, so that long heads do not overlap; vertical and shorter if there are many. */
static void head(const struct drawing *d, size_t column, const char *words)
{
    bool many = d->columns > FIGURES_MOST;

    html_open(d->h, "svg", "x", across(d, (double)column + 0.4), "y", px(d, HEADS - 8), "overflow",
              "visible");
    html_say(d->h, "text",
             many ? grid_name(d->h->scratch, str_of(words), HEAD_COLUMNS, "…").p
                  : short_name(d, words),
             "class", "name", "transform", many ? "translate(5) rotate(-90)" : "rotate(-38)");
    html_close(d->h);
}

static bool is_signed(const struct drawing *d)
{
    return d->g->t->columns[column_at(d, 0)].flags & TABLE_SIGNED;
}

/* Darkness from 0 to 1; NaN: not shaded. */
static double shade(const struct drawing *d, const struct table_cell *c)
{
    if (!c->there || !isfinite(c->value))
        return NAN;
    if (!is_signed(d))
        return share(d, c->value);
    return c->lo > 0 || c->hi < 0
               ? fabs(c->value) / fmax(fabs(d->range.lo), fabs(d->range.hi)) * 0.6 + 0.1
               : NAN;
}

static void heat_cell(const struct drawing *d, size_t column, size_t row)
{
    size_t at = column_at(d, column);
    const struct table_cell *c = &d->g->t->cells[at][row];
    double part = shade(d, c);
    int y = HEADS + (int)row * CELL;

    html_leaf(d->h, "rect", "class",
              !isfinite(part)                ? "void"
              : is_signed(d) && c->value < 0 ? "heat behind"
                                             : "heat",
              "x", across(d, (double)column), "y", px(d, y), "width", wide(d), "height",
              px(d, CELL - 3), "rx", "3", "fill-opacity",
              isfinite(part) ? arena_printf(d->h->scratch, "%.2f", 0.06 + 0.84 * part) : NULL);
    if (d->columns <= FIGURES_MOST)
        text(d, "figure", across(d, (double)column + 0.48), y + 17, shown(d, at, row));
}

/* The legend. */
static void scale_signed(const struct drawing *d, int y)
{
    static const struct {
        const char *cls;
        enum word word;
    } kinds[] = {{"heat", SEE_AHEAD}, {"heat behind", SEE_BEHIND}, {"void", SEE_NOT_TOLD}};

    for (int i = 0; i < (int)COUNT(kinds); i++) {
        html_leaf(d->h, "rect", "class", kinds[i].cls, "x",
                  arena_printf(d->h->scratch, "%d%%", 33 * i), "y", px(d, y), "width", "16",
                  "height", "12", "rx", "3", "fill-opacity", "0.5");
        text(d, "tick left", arena_printf(d->h->scratch, "%d%%", 33 * i + 4), y + 11,
             words_of(d->g->t->language, kinds[i].word));
    }
    if (d->g->axis)
        text(d, "tick left", "0", y + 30, d->g->axis);
}

static void scale(const struct drawing *d, int y)
{
    char number[SHOW_MAX];

    if (is_signed(d)) {
        scale_signed(d, y);
        return;
    }
    for (int i = 0; i < STEPS; i++) {
        const char *x = arena_printf(d->h->scratch, "%d%%", NAME_PART + 8 * i);
        double part = (double)i / (STEPS - 1);
        html_leaf(d->h, "rect", "class", "heat", "x", x, "y", px(d, y), "width", "7.6%", "height",
                  "8", "fill-opacity", arena_printf(d->h->scratch, "%.2f", 0.06 + 0.84 * part));
        text(d, "tick left", x, y + 22,
             show_number(number, d->range.lo + part * (d->range.hi - d->range.lo), 2, ""));
    }
    if (d->g->axis)
        text(d, "tick left", "0", y + 8, d->g->axis);
}

int chart_heat(struct html *h, const struct chart_grid *g)
{
    const struct drawing d = drawing_of(h, g, NAME_PART, false);
    int bottom = HEADS + (int)g->t->nrows * CELL;

    begin(&d, bottom + FOOT);
    for (size_t c = 0; c < d.columns; c++)
        head(&d, c, table_head(g->t, &style, column_at(&d, c)));
    for (size_t row = 0; row < g->t->nrows; row++) {
        /* clipped where the cells begin, however narrow the chart is */
        html_open(h, "svg", "y", px(&d, HEADS + (int)row * CELL), "width", "25%", "height",
                  px(&d, CELL));
        text(&d, "name", "0", 17, short_name(&d, g->t->cells[0][row].text));
        html_close(h);
        for (size_t c = 0; c < d.columns; c++)
            heat_cell(&d, c, row);
    }
    scale(&d, bottom + 10);
    html_close(h);
    return bottom + FOOT;
}

/* ---- bars ---- */

int chart_bars(struct html *h, const struct chart_grid *g)
{
    const struct drawing d = drawing_of(h, g, 0, true);
    int bottom = (int)g->t->nrows * BARS;

    begin(&d, bottom + FOOT);
    for (size_t row = 0; row < g->t->nrows; row++) {
        int floor_y = (int)(row + 1) * BARS - 4;
        text(&d, "name", "0", floor_y - BARS + NAME_ROOM, short_name(&d, g->t->cells[0][row].text));
        for (size_t c = 0; c < d.columns; c++) {
            size_t at = column_at(&d, c);
            const struct table_cell *one = &g->t->cells[at][row];
            int high = (int)(share(&d, one->value) * BAR);
            html_leaf(h, "rect", "class", "heat", "x", across(&d, (double)c), "y",
                      px(&d, floor_y - high), "width", wide(&d), "height", px(&d, high));
            if (one->value > 0)
                text(&d, "figure", across(&d, (double)c + 0.48), floor_y - high - 4,
                     shown(&d, at, row));
        }
        html_leaf(h, "line", "class", "axis", "x1", across(&d, 0), "x2", "100%", "y1",
                  px(&d, floor_y), "y2", px(&d, floor_y));
    }
    for (size_t c = 0; c < d.columns; c++)
        text(&d, c % 2 ? "tick odd" : "tick", across(&d, (double)c + 0.48), bottom + 14,
             table_head(g->t, &style, column_at(&d, c)));
    titles(&d, across(&d, (double)d.columns / 2), bottom + 34);
    html_close(h);
    return bottom + FOOT;
}

/* ---- courses ---- */

/* The x position of a row on the strip. */
static const char *along(const struct drawing *d, size_t row)
{
    double n = d->g->t->nrows > 1 ? (double)d->g->t->nrows - 1 : 1;

    return arena_printf(d->h->scratch, "%.2f%%",
                        d->left + 2 + 96.0 * (100 - d->left) / 100 * (double)row / n);
}

static const char *height_of(const struct drawing *d, int top, double v)
{
    return arena_printf(d->h->scratch, "%.1f", top + (COURSE - 20) * (1 - share(d, v)) + 8);
}

static void course_point(const struct drawing *d, size_t column, size_t row, int top)
{
    const struct table_cell *c = &d->g->t->cells[column][row];
    const char *x = along(d, row);

    if (!c->there || !isfinite(c->value))
        return;
    if (isfinite(c->lo) && isfinite(c->hi))
        html_leaf(d->h, "line", "class", "whisker", "x1", x, "x2", x, "y1",
                  height_of(d, top, c->lo), "y2", height_of(d, top, c->hi));
    html_open(d->h, "circle", "class", "point", "cx", x, "cy", height_of(d, top, c->value), "r",
              "3.5");
    html_element(
        d->h, "title", NULL,
        arena_printf(d->h->scratch, "%s: %s", d->g->t->cells[0][row].text, shown(d, column, row)));
    html_close(d->h);
}

static void course_part(const struct drawing *d, const char *x1, const char *x2, int top,
                        double from, double to)
{
    html_leaf(d->h, "line", "class", "course", "x1", x1, "x2", x2, "y1", height_of(d, top, from),
              "y2", height_of(d, top, to));
}

/* Connects each number to the next one that is known. */
static void course_line(const struct drawing *d, size_t column, int top)
{
    const struct table_cell *cells = d->g->t->cells[column];
    size_t last = SIZE_MAX;

    for (size_t i = 0; i < d->g->t->nrows; i++) {
        if (!cells[i].there || !isfinite(cells[i].value))
            continue;
        if (last != SIZE_MAX && d->g->steps) {
            course_part(d, along(d, last), along(d, i), top, cells[last].value, cells[last].value);
            course_part(d, along(d, i), along(d, i), top, cells[last].value, cells[i].value);
        } else if (last != SIZE_MAX) {
            course_part(d, along(d, last), along(d, i), top, cells[last].value, cells[i].value);
        }
        last = i;
    }
}

int chart_course(struct html *h, const struct chart_grid *g)
{
    const struct drawing d = drawing_of(h, g, NUMBER_PART, false);
    int bottom = (int)d.columns * (NAME_ROOM + COURSE);
    size_t every = g->t->nrows / TICKS_MOST + 1;
    char number[SHOW_MAX];

    begin(&d, bottom + FOOT);
    for (size_t c = 0; c < d.columns; c++) {
        size_t at = column_at(&d, c);
        int top = (int)c * (NAME_ROOM + COURSE) + NAME_ROOM;
        text(&d, "name", "0", top - 6, short_name(&d, table_head(g->t, &style, at)));
        for (int end = 0; end < 2; end++) {
            double v = end ? d.range.hi : d.range.lo;
            const char *y = height_of(&d, top, v);
            html_leaf(h, "line", "class", "axis", "x1", along(&d, 0), "x2", "100%", "y1", y, "y2",
                      y);
            text(&d, "tick", arena_printf(h->scratch, "%d%%", NUMBER_PART - 3),
                 top + (end ? 12 : COURSE - 8), show_number(number, v, fabs(v) < 100 ? 2 : 0, ""));
        }
        course_line(&d, at, top);
        for (size_t row = 0; row < g->t->nrows; row++)
            course_point(&d, at, row, top);
    }
    for (size_t row = 0; row < g->t->nrows; row += every) {
        bool end = row && row + 1 == g->t->nrows; /* keeps its name from being clipped */
        text(&d,
             end               ? "tick right"
             : row / every % 2 ? "tick odd"
                               : "tick",
             end ? "100%" : along(&d, row), bottom + 14, g->t->cells[0][row].text);
    }
    titles(&d, "60%", bottom + 34);
    html_close(h);
    return bottom + FOOT;
}
