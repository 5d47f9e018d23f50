/* page_samples.h - the samples of a run: found and sorted, one by one, by item, in battles. */
#ifndef WEB_PAGE_SAMPLES_H
#define WEB_PAGE_SAMPLES_H

#include "web/route.h"

page_fn page_samples_list;

#endif
