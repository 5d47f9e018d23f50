/* page_flags.h - the facts that rules found in a run, with their evidence; overruling them. */
#ifndef WEB_PAGE_FLAGS_H
#define WEB_PAGE_FLAGS_H

#include "web/route.h"

page_fn page_flags_list, page_flags_act;

#endif
