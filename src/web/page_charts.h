/* page_charts.h - pictures on the pages of a run, each with the table behind it.
 *
 * A picture of which the run has nothing is left out. */
#ifndef WEB_PAGE_CHARTS_H
#define WEB_PAGE_CHARTS_H

#include "report/charts.h"
#include "web/page.h"

CHECKED enum status page_charts(struct page *p, const struct report *r,
                                const enum charts_kind *kinds, size_t n, struct err *e);

#endif
