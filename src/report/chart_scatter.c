/* Scatter plot, with the names of the points in a column of their own. */
#include <math.h>
#include <stdlib.h>

#include "report/chart.h"
#include "report/grid.h"
#include "report/table.h"

enum {
    TOP = 30, /* leaves room for the label of the vertical axis */
    PLOT = 300,
    FOOT = 46,
    LEFT = 8,   /* percent of the width: left edge of the plot */
    RIGHT = 72, /* ... right edge */
    NAMES = 76, /* ... left edge of the names */
    NAME_COLUMNS = 24,
    NAME_ROW = 17,
    NAMED_MOST = 40, /* more points than this have no names: they are in the table */
    TICKS = 5
};

static const struct table_style style = {.none = "–", .between = "–", .lower = "↓"};

struct plot {
    struct html *h;
    const struct chart_grid *g;
    struct show_range x, y;
    int height; /* of the plot area */
};

struct point {
    size_t row;
    double x;
    const struct table_cell *y;
};

static const char *px(const struct plot *p, double v)
{
    return arena_printf(p->h->scratch, "%.1f", v);
}

static const char *across(const struct plot *p, double v)
{
    double part = (v - p->x.lo) / (p->x.hi - p->x.lo);

    return arena_printf(p->h->scratch, "%.2f%%", LEFT + 2 + (RIGHT - LEFT - 4) * part);
}

static double upward(const struct plot *p, double v)
{
    double part = (v - p->y.lo) / (p->y.hi - p->y.lo);

    return TOP + 8 + (p->height - 16) * (1 - part);
}

static void text(const struct plot *p, const char *cls, const char *x, double y, const char *words)
{
    html_say(p->h, "text", words, "class", cls, "x", x, "y", px(p, y));
}

static void line(const struct plot *p, const char *cls, const char *x1, double y1, const char *x2,
                 double y2)
{
    html_leaf(p->h, "line", "class", cls, "x1", x1, "x2", x2, "y1", px(p, y1), "y2", px(p, y2));
}

static void widen(struct show_range *r)
{
    if (r->lo > r->hi)
        *r = (struct show_range){0, 1};
    else if (!(r->lo < r->hi))
        *r = (struct show_range){r->lo - 0.5, r->hi + 0.5};
}

static size_t points_of(struct plot *p, struct point *out)
{
    const struct table *t = p->g->t;
    size_t n = 0;

    p->x = p->y = (struct show_range){INFINITY, -INFINITY};
    for (size_t i = 0; i < t->nrows; i++) {
        const struct table_cell *x = &t->cells[1][i], *y = &t->cells[2][i];
        if (!x->there || !y->there || !isfinite(x->value) || !isfinite(y->value))
            continue;
        out[n++] = (struct point){i, x->value, y};
        show_reach(&p->x, x->value);
        show_reach(&p->y, y->value);
        if (t->columns[2].kind == TABLE_INTERVAL)
            show_reach(&p->y, y->lo, y->hi);
    }
    if (p->g->diagonal) {
        show_reach(&p->x, p->y.lo, p->y.hi);
        p->y = p->x;
    }
    widen(&p->x);
    widen(&p->y);
    return n;
}

static void axes(const struct plot *p)
{
    const char *left = arena_printf(p->h->scratch, "%d%%", LEFT);
    const char *right = arena_printf(p->h->scratch, "%d%%", RIGHT);
    double floor_y = TOP + p->height, sx = show_step(p->x, TICKS), sy = show_step(p->y, TICKS);
    char number[SHOW_MAX];

    for (double i = ceil(p->x.lo / sx - 1e-9); i * sx <= p->x.hi + sx * 1e-9; i++) {
        line(p, "grid", across(p, i * sx), TOP, across(p, i * sx), floor_y);
        text(p, "tick", across(p, i * sx), floor_y + 16,
             show_number(number, i * sx, show_step_decimals(sx), ""));
    }
    for (double i = ceil(p->y.lo / sy - 1e-9); i * sy <= p->y.hi + sy * 1e-9; i++) {
        line(p, "grid", left, upward(p, i * sy), right, upward(p, i * sy));
        text(p, "tick right", arena_printf(p->h->scratch, "%d%%", LEFT - 1), upward(p, i * sy) + 4,
             show_number(number, i * sy, show_step_decimals(sy), ""));
    }
    line(p, "axis", left, floor_y, right, floor_y);
    line(p, "axis", left, TOP, left, floor_y);
    text(p, "tick", arena_printf(p->h->scratch, "%d%%", (LEFT + RIGHT) / 2), floor_y + 36,
         table_head(p->g->t, &style, 1));
    text(p, "tick left", "0", 14, table_head(p->g->t, &style, 2));
    if (p->g->diagonal)
        line(p, "zero", across(p, p->x.lo), upward(p, p->x.lo), across(p, p->x.hi),
             upward(p, p->x.hi));
}

static void mark(const struct plot *p, const struct point *o)
{
    const struct table *t = p->g->t;

    if (t->columns[2].kind == TABLE_INTERVAL && isfinite(o->y->lo) && isfinite(o->y->hi))
        line(p, "whisker", across(p, o->x), upward(p, o->y->lo), across(p, o->x),
             upward(p, o->y->hi));
    html_open(p->h, "circle", "class", "point", "cx", across(p, o->x), "cy",
              px(p, upward(p, o->y->value)), "r", "5", "fill-opacity",
              p->g->nameless ? "0.35" : NULL);
    html_element(
        p->h, "title", NULL,
        arena_printf(p->h->scratch, "%s: %s, %s", t->cells[0][o->row].text,
                     table_show(t, &style, &(struct table_shown){1, PART_VALUE, NULL}, o->row),
                     table_show(t, &style, &(struct table_shown){2, PART_VALUE, NULL}, o->row)));
    html_close(p->h);
}

static int from_above(const void *x, const void *y)
{
    const struct point *a = x, *b = y;

    if (a->y->value != b->y->value)
        return a->y->value > b->y->value ? -1 : 1;
    return a->row < b->row ? -1 : 1;
}

/* Each name stands at the height of its point, or as near as the others leave room. */
static void names(const struct plot *p, const struct point *v, size_t n)
{
    double *at = NEW_N(p->h->scratch, double, n);
    double bottom = TOP + p->height - 4;

    for (size_t i = 0; i < n; i++)
        at[i] = fmax(upward(p, v[i].y->value), i ? at[i - 1] + NAME_ROW : TOP + 8);
    for (size_t i = n; i-- > 0; bottom = at[i] - NAME_ROW)
        at[i] = fmin(at[i], bottom);
    for (size_t i = 0; i < n; i++) {
        const char *name = p->g->t->cells[0][v[i].row].text;
        line(p, "leader", across(p, v[i].x), upward(p, v[i].y->value),
             arena_printf(p->h->scratch, "%.1f%%", NAMES - 0.8), at[i]);
        text(p, "name", arena_printf(p->h->scratch, "%d%%", NAMES), at[i] + 4,
             grid_name(p->h->scratch, str_of(name), NAME_COLUMNS, "…").p);
    }
}

int chart_scatter(struct html *h, const struct chart_grid *g)
{
    struct plot p = {.h = h, .g = g};
    struct point *v = NEW_N(h->scratch, struct point, g->t->nrows + 1);
    size_t n = points_of(&p, v);
    bool named = n <= NAMED_MOST && !g->nameless;
    int all;

    p.height = named && (int)n * NAME_ROW + 16 > PLOT ? (int)n * NAME_ROW + 16 : PLOT;
    all = TOP + p.height + FOOT;
    if (n)
        qsort(v, n, sizeof *v, from_above);
    html_open(h, "svg", "class", "chart", "role", "img", "width", "100%", "height",
              arena_int(h->scratch, all), "aria-label", g->label);
    axes(&p);
    if (named)
        names(&p, v, n);
    for (size_t i = 0; i < n; i++)
        mark(&p, &v[i]);
    html_close(h);
    return all;
}
