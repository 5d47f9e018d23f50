/* page_runs.h - /runs: all runs, found by words, state, model and tag. */
#ifndef WEB_PAGE_RUNS_H
#define WEB_PAGE_RUNS_H

#include "web/route.h"

page_fn page_runs_list;
page_fn page_runs_describe; /* name, note and tags of a run */

#endif
