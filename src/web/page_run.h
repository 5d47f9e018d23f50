/* page_run.h - one run: overview, items, judges, method. Samples are page_samples.h. */
#ifndef WEB_PAGE_RUN_H
#define WEB_PAGE_RUN_H

#include "web/route.h"

page_fn page_run_overview;
page_fn page_run_items;
page_fn page_run_judges;
page_fn page_run_method;

#endif
