/* chart.h - pictures of numbers as SVG inside a page.
 *
 * Positions across are percentages, so that a chart is as wide as its place and its letters keep
 * their size on a telephone; there is no script, colours come from the page's style sheet by
 * class, and every mark has a <title>. */
#ifndef REPORT_CHART_H
#define REPORT_CHART_H

#include "report/html.h"
#include "report/report.h"

/* Scores with their intervals: one row per model on a common axis. A row links to `#m1`, `#m2`...
 * when `links`. Nothing when no model has a score. */
void chart_scores(struct html *h, const struct report *r, bool links);

/* A thin bar: how far v is from min to max. */
void chart_bar(struct html *h, double v, double min, double max);

#endif
