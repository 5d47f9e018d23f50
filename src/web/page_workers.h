/* page_workers.h - who works on runs, on which machine, and how fast. */
#ifndef WEB_PAGE_WORKERS_H
#define WEB_PAGE_WORKERS_H

#include "web/route.h"

page_fn page_workers_show, page_workers_evict;

#endif
