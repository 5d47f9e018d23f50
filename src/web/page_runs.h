/* page_runs.h - the runs of the database and what came out of them. */
#ifndef WEB_PAGE_RUNS_H
#define WEB_PAGE_RUNS_H

#include "web/route.h"

page_fn page_runs_list, page_runs_show;

#endif
