/* chart.h - pictures of numbers as SVG inside a page.
 *
 * Horizontal positions are percentages: a chart fills its container, and text keeps its size on
 * a phone. There is no script; colours come from the page's style sheet by class, and every mark
 * has a <title>. */
#ifndef REPORT_CHART_H
#define REPORT_CHART_H

#include "report/html.h"
#include "report/show.h"

/* Numbers with their intervals, below each other on a common axis. Draws nothing if there is no
 * range to show. */
struct chart_row {
    const char *name;
    const struct score_row *score; /* NULL: only the name */
    const char *href;              /* link target, or NULL */
};

struct chart_rows {
    const struct chart_row *v;
    size_t n;
    struct show_range range; /* of the axis; all 0: computed from the rows */
    int decimals;
    const char *label; /* accessible name */
    const char *axis;  /* what it measures; NULL: not shown */
};
int chart_rows(struct html *h, const struct chart_rows *rows); /* returns its height */

/* The scores of the models. If `links`, rows link to `#m1`, `#m2`... Draws nothing if no model
 * has a score. */
int chart_scores(struct html *h, const struct report *r, bool links); /* returns its height */

/* A table of numbers whose first column has the names (chart_grid.c), as a heat map or as a row
 * of bars each. Differences (TABLE_SIGNED) are shaded if their interval excludes zero. Return
 * the height. */
struct table;
struct chart_grid {
    const struct table *t;
    const char *label; /* accessible name */
    const char *axis;  /* what the numbers are; NULL: not shown */
    const char *up;    /* bars and courses: label of the vertical axis */
    bool steps;        /* courses: a value holds until the next one */
    bool nameless;     /* points: too many of them to name */
    bool diagonal;     /* points: both axes have the same scale, and the diagonal is drawn */
};
int chart_heat(struct html *h, const struct chart_grid *g);
int chart_bars(struct html *h, const struct chart_grid *g);
/* A strip per column: its numbers from row to row, with their bands. */
int chart_course(struct html *h, const struct chart_grid *g);

/* Points: the second column is x, the third y. Names stand beside the plot, so that they overlap
 * neither each other nor a mark. There are none if `nameless`, or for more than forty points
 * (chart_scatter.c). */
int chart_scatter(struct html *h, const struct chart_grid *g);

/* One interval, as wide as its cell, and the axis for the head of its column. */
void chart_axis(struct html *h, struct show_range range);
void chart_interval(struct html *h, struct show_range range, int decimals, double v, double lo,
                    double hi);

/* A thin bar: where v lies between min and max. */
void chart_bar(struct html *h, double v, double min, double max);

#endif
