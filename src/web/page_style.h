/* page_style.h - /style: every component of the design system on one page, for those who build
 * pages and those who look at screenshots of it. */
#ifndef WEB_PAGE_STYLE_H
#define WEB_PAGE_STYLE_H

#include "web/route.h"

page_fn page_style_show;

#endif
