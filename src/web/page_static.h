/* page_static.h - files of the program itself, and a sign of life. */
#ifndef WEB_PAGE_STATIC_H
#define WEB_PAGE_STATIC_H

#include "web/route.h"

page_fn page_static_file, page_static_health, page_static_home;

#endif
