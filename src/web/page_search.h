/* page_search.h - /search: words in all answers, and in what judges wrote. */
#ifndef WEB_PAGE_SEARCH_H
#define WEB_PAGE_SEARCH_H

#include "web/route.h"

page_fn page_search_show;

#endif
