/* page_battles.h - the battles of a run, and one of them: A beside B, and what judges said. */
#ifndef WEB_PAGE_BATTLES_H
#define WEB_PAGE_BATTLES_H

#include "web/route.h"

page_fn page_battles_list;
page_fn page_battles_show;

#endif
