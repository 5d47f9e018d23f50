#include "report/chart.h"

#include <math.h>

#include "report/wording.h"

enum { ROW = 44, NAME_Y = 15, MARK_Y = 29, TOP = 4, AXIS = 26, TITLE = 18, TICKS = 5 };

struct chart {
    struct html *h;
    const struct chart_rows *rows;
    struct show_range range;
};

/* The x position of v. Both ends stay free for round caps and half letters. */
static const char *across(const struct chart *c, double v)
{
    double part = (v - c->range.lo) / (c->range.hi - c->range.lo);

    return arena_printf(c->h->scratch, "%.2f%%", 3 + 94 * part);
}

static const char *pixels(const struct chart *c, int y)
{
    return arena_int(c->h->scratch, y);
}

static void line(const struct chart *c, const char *cls, const char *x1, const char *x2, int y1,
                 int y2)
{
    html_leaf(c->h, "line", "class", cls, "x1", x1, "x2", x2, "y1", pixels(c, y1), "y2",
              pixels(c, y2));
}

static void label(const struct chart *c, const char *cls, const char *x, int y, const char *text)
{
    html_say(c->h, "text", text, "class", cls, "x", x, "y", pixels(c, y));
}

static void axis(const struct chart *c, int bottom)
{
    double step = show_step(c->range, TICKS);
    int decimals = show_step_decimals(step);
    char number[SHOW_MAX];

    for (double i = ceil(c->range.lo / step - 1e-9); i * step <= c->range.hi + step * 1e-9; i++) {
        const char *x = across(c, i * step);
        line(c, "grid", x, x, TOP, bottom);
        label(c, "tick", x, bottom + 16, show_number(number, i * step, decimals, ""));
    }
    line(c, "axis", "0", "100%", bottom, bottom);
    if (c->rows->axis)
        label(c, "tick", "50%", bottom + AXIS + TITLE - 8, c->rows->axis);
}

static void whisker(const struct chart *c, const struct score_row *s, int y)
{
    if (isfinite(s->lo) && isfinite(s->hi)) {
        const char *lo = across(c, s->lo), *hi = across(c, s->hi);
        line(c, "whisker", lo, hi, y, y);
        line(c, "whisker", lo, lo, y - 4, y + 4);
        line(c, "whisker", hi, hi, y - 4, y + 4);
    }
    html_leaf(c->h, "circle", "class", "point", "cx", across(c, s->value), "cy", pixels(c, y), "r",
              "5");
}

static void row(const struct chart *c, size_t i)
{
    const struct chart_row *one = &c->rows->v[i];
    const struct score_row *s = one->score;
    int y = TOP + (int)i * ROW, decimals = c->rows->decimals;
    double v = show_value(s);
    char value[SHOW_MAX];

    html_open(c->h, "a", "href", one->href);
    html_open(c->h, "title", NULL);
    html_fmt(c->h, "%s: %s", one->name, show_score(c->h->scratch, s, decimals, "–"));
    if (s)
        html_fmt(c->h, ", n = %lld", (long long)s->n);
    html_close(c->h);
    html_leaf(c->h, "rect", "class", "hit", "x", "0", "width", "100%", "y", pixels(c, y), "height",
              pixels(c, ROW));
    html_open(c->h, "text", "class", "name", "x", "0", "y", pixels(c, y + NAME_Y));
    html_text(c->h, one->name);
    html_say(c->h, "tspan", show_number(value, v, decimals, "–"), "class", "value", "dx", "10");
    html_close(c->h);
    if (s && isfinite(v))
        whisker(c, s, y + MARK_Y);
    html_close(c->h);
}

static struct show_range range_of(const struct chart_rows *rows)
{
    struct show_range range = {INFINITY, -INFINITY};

    if (rows->range.lo < rows->range.hi)
        return rows->range;
    for (size_t i = 0; i < rows->n; i++) {
        const struct score_row *s = rows->v[i].score;
        if (s)
            show_reach(&range, s->value, s->lo, s->hi);
    }
    return range;
}

int chart_rows(struct html *h, const struct chart_rows *rows)
{
    const struct chart c = {h, rows, range_of(rows)};
    int bottom = TOP + (int)rows->n * ROW + 4, height = bottom + AXIS + (rows->axis ? TITLE : 0);

    if (!(c.range.lo < c.range.hi))
        return 0;
    html_open(h, "svg", "class", "chart", "role", "group", "width", "100%", "height",
              pixels(&c, height), "aria-label", rows->label);
    axis(&c, bottom);
    for (size_t i = 0; i < rows->n; i++)
        row(&c, i);
    html_close(h);
    return height;
}

int chart_scores(struct html *h, const struct report *r, bool links)
{
    struct chart_row *v = NEW_N(h->scratch, struct chart_row, r->nmodels);
    struct chart_rows rows = {.v = v,
                              .n = r->nmodels,
                              .decimals = show_headline(r),
                              .label = words_of(r->suite.language, WORD_BOARD),
                              .axis = words_of(r->suite.language, wording_headline(&r->suite))};

    if (!show_range(r, &rows.range))
        return 0;
    for (size_t i = 0; i < r->nmodels; i++)
        v[i] = (struct chart_row){r->models[i].name, r->models[i].score,
                                  links ? arena_printf(h->scratch, "#m%zu", i + 1) : NULL};
    return chart_rows(h, &rows);
}

void chart_bar(struct html *h, double v, double min, double max)
{
    double part = (v - min) / (max - min);

    if (!isfinite(part))
        return;
    part = fmin(fmax(part, 0), 1);
    html_open(h, "svg", "class", "bar", "width", "100%", "height", "4", "aria-hidden", "true");
    html_leaf(h, "rect", "class", "rail", "width", "100%", "height", "4", "rx", "2");
    html_leaf(h, "rect", "class", "fill", "width", arena_printf(h->scratch, "%.1f%%", 100 * part),
              "height", "4", "rx", "2");
    html_close(h);
}

/* ---- in the rows of a table ---- */

enum { LINES = 4 }; /* about this many steps */
#define ROUNDING 1e-9

static const char *part_of(struct html *h, struct show_range r, double v)
{
    double part = (v - r.lo) / (r.hi - r.lo);

    return arena_printf(h->scratch, "%.2f%%", 100 * fmin(fmax(part, 0), 1));
}

/* Extends the range to multiples of a round step, which is stored in *step. */
static struct show_range rounded(struct show_range r, double *step)
{
    *step = show_step(r, LINES);
    r.lo = *step * floor(r.lo / *step + ROUNDING);
    r.hi = *step * ceil(r.hi / *step - ROUNDING);
    return r;
}

void chart_axis(struct html *h, struct show_range range)
{
    char text[SHOW_MAX];
    double step;
    int n, each, decimals;

    html_open(h, "svg", "class", "iv", "height", "16", "aria-hidden", "true");
    if (range.lo < range.hi) {
        range = rounded(range, &step);
        n = (int)lround((range.hi - range.lo) / step);
        each = n < LINES ? 1 : 2;
        decimals = show_step_decimals(step);
        for (int i = 0; i <= n; i += each)
            html_say(h, "text", show_number(text, range.lo + i * step, decimals, "–"), "x",
                     part_of(h, range, range.lo + i * step), "y", "13", "text-anchor",
                     i == 0   ? "start"
                     : i == n ? "end"
                              : "middle");
    }
    html_close(h);
}

static void upright(struct html *h, const char *cls, const char *x)
{
    html_leaf(h, "line", "class", cls, "x1", x, "x2", x, "y1", "-40", "y2", "64");
}

void chart_interval(struct html *h, struct show_range range, int decimals, double v, double lo,
                    double hi)
{
    double step;

    if (!(range.lo < range.hi))
        return;
    html_open(h, "svg", "class", "iv", "height", "24", "role", "img", "aria-label",
              show_interval(h->scratch, v, (struct show_range){lo, hi}, decimals, "–"));
    range = rounded(range, &step);
    for (int i = 0; i <= lround((range.hi - range.lo) / step); i++)
        upright(h, "grid-line", part_of(h, range, range.lo + i * step));
    if (range.lo < 0 && range.hi > 0)
        upright(h, "zero", part_of(h, range, 0));
    if (isfinite(lo) && isfinite(hi))
        html_leaf(h, "line", "class", "range", "x1", part_of(h, range, lo), "x2",
                  part_of(h, range, hi), "y1", "12", "y2", "12");
    if (isfinite(v))
        html_leaf(h, "circle", "class", "dot", "cx", part_of(h, range, v), "cy", "12", "r", "5");
    html_close(h);
}
