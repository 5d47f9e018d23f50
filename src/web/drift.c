#include "web/drift.h"

#include <math.h>

enum { WIDTH = 320, HEIGHT = 120, ALARM = 5, TOP = 7 }; /* TOP: the greatest sum that is drawn */

static double across(size_t i, size_t n)
{
    return n < 2 ? 0 : (double)i * WIDTH / (double)(n - 1);
}

static double up(double v)
{
    v = fmin(fmax(v, -TOP), TOP);
    return HEIGHT * (1 - (v + TOP) / (2 * TOP));
}

static void level_line(struct page *p, double v, const char *cls)
{
    const char *y = arena_printf(p->q->arena, "%.1f", up(v));

    html_leaf(&p->h, "line", "x1", "0", "x2", arena_printf(p->q->arena, "%d", WIDTH), "y1", y, "y2",
              y, "class", cls);
}

/* The rows [from, to) of one rater. */
static void one_chart(struct page *p, const struct score_row *v, size_t n)
{
    AUTO(buf_done) struct buf points = BUF_MAX(1 << 20);
    const char *name = strchr(v->subject, '/') + 1;
    struct html *h = &p->h;

    for (size_t i = 0; i < n; i++)
        buf_fmt(&points, "%s%.1f,%.1f", i ? " " : "", across(i, n), up(v[i].value));
    html_open(h, "figure", NULL);
    html_element(h, "figcaption", NULL, name);
    html_open(h, "svg", "viewBox", arena_printf(p->q->arena, "0 0 %d %d", WIDTH, HEIGHT), "class",
              "drift", "role", "img", "aria-label",
              arena_printf(p->q->arena, "%s %s: %.1f", page_phrase(p, PHRASE_SIGN_DRIFT), name,
                           v[n - 1].value));
    level_line(p, 0, "axis");
    level_line(p, ALARM, "alarm-line");
    level_line(p, -ALARM, "alarm-line");
    html_leaf(h, "polyline", "points", arena_text(p->q->arena, buf_str(&points)), "class",
              "course");
    html_close_n(h, 2);
}

static bool is_point(const struct score_row *r)
{
    return str_starts(str_of(r->metric), STR("drift:"));
}

void drift_chart(struct page *p, const struct score_list *rows)
{
    bool any = false;

    for (size_t i = 0, n; i < rows->n; i += n) {
        n = 1;
        if (!is_point(&rows->v[i]))
            continue;
        while (i + n < rows->n && is_point(&rows->v[i + n]) &&
               strcmp(rows->v[i + n].subject, rows->v[i].subject) == 0)
            n++;
        if (!any)
            page_say(p, "h3", NULL, PHRASE_SIGN_DRIFT);
        any = true;
        one_chart(p, &rows->v[i], n);
    }
}
