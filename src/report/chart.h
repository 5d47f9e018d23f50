/* chart.h - pictures of numbers as SVG inside a page.
 *
 * Positions across are percentages, so that a chart is as wide as its place and its letters keep
 * their size on a telephone; there is no script, colours come from the page's style sheet by
 * class, and every mark has a <title>. */
#ifndef REPORT_CHART_H
#define REPORT_CHART_H

#include "report/html.h"
#include "report/show.h"

/* Numbers with their intervals, one below the other on a common axis. Nothing when there is no
 * stretch of numbers to show. */
struct chart_row {
    const char *name;
    const struct score_row *score; /* NULL: a name without a mark */
    const char *href;              /* where a click on it leads, or NULL */
};

struct chart_rows {
    const struct chart_row *v;
    size_t n;
    struct show_range range; /* of the axis; all 0: whatever holds the rows */
    int decimals;
    const char *label; /* for those who do not see it */
    const char *axis;  /* what it measures; NULL: not told */
};
int chart_rows(struct html *h, const struct chart_rows *rows); /* returns its height */

/* The scores of the models. A row links to `#m1`, `#m2`... when `links`. Nothing when no model has
 * a score. */
int chart_scores(struct html *h, const struct report *r, bool links); /* returns its height */

/* A table of numbers, its first column names (chart_grid.c): as a heat map, or a row of bars each.
 * Differences (TABLE_SIGNED) are shaded where their interval leaves out zero. Return their height.
 */
struct table;
struct chart_grid {
    const struct table *t;
    const char *label; /* for those who do not see it */
    const char *axis;  /* what the numbers are; NULL: not told */
    const char *up;    /* of bars and courses: what goes upwards */
    bool steps;        /* of a course: a number holds until the next one */
    bool nameless;     /* of points: there are many at one place */
    bool diagonal;     /* of points: both axes are the same, and where they agree is drawn */
};
int chart_heat(struct html *h, const struct chart_grid *g);
int chart_bars(struct html *h, const struct chart_grid *g);
/* A strip for each column: its numbers from row to row, with their bands. */
int chart_course(struct html *h, const struct chart_grid *g);

/* Points: the second column goes to the right, the third upwards. Names stand beside the plot, so
 * that they meet neither each other nor a mark; the nameless, and more than forty, have none
 * (chart_scatter.c). */
int chart_scatter(struct html *h, const struct chart_grid *g);

/* One interval as wide as its place, on an axis that stands in the head of its column. */
void chart_axis(struct html *h, struct show_range range);
void chart_interval(struct html *h, struct show_range range, int decimals, double v, double lo,
                    double hi);

/* A thin bar: how far v is from min to max. */
void chart_bar(struct html *h, double v, double min, double max);

#endif
