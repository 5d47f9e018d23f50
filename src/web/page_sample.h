/* page_sample.h - one answer with what was said about it, and all answers to one item side by
 * side. */
#ifndef WEB_PAGE_SAMPLE_H
#define WEB_PAGE_SAMPLE_H

#include "web/route.h"

page_fn page_sample_show;
page_fn page_sample_item;

#endif
