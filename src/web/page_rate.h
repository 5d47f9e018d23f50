/* page_rate.h - rating: the page of a passage, saving, handing in, practice with its answers. */
#ifndef WEB_PAGE_RATE_H
#define WEB_PAGE_RATE_H

#include "web/route.h"

page_fn page_rate_show, page_rate_next, page_rate_form, page_rate_mark;
page_fn page_rate_report, page_rate_feedback;
page_all_fn page_rate_mark_all;

#endif
