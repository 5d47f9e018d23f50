/* page_flags.h - the facts that rules found in a run, with their evidence; overruling them. */
#ifndef WEB_PAGE_FLAGS_H
#define WEB_PAGE_FLAGS_H

#include "store/store_read.h"
#include "suite/vocab.h"
#include "web/page.h"
#include "web/route.h"

/* One of them with its evidence and the way to overrule it, as a card; between the two calls more
 * can be said. `here`: it stands on the page of its answer, to which one comes back. */
void page_flags_open(struct page *p, const struct run_row *run, const struct flag_row *f,
                     bool here);
void page_flags_close(struct page *p, const struct run_row *run, const struct suite *suite,
                      const struct flag_row *f, bool here);

#endif
