/* page_flags.h - flags that rules raised in a run, with their evidence; overruling them. */
#ifndef WEB_PAGE_FLAGS_H
#define WEB_PAGE_FLAGS_H

#include "store/store_read.h"
#include "suite/vocab.h"
#include "web/page.h"
#include "web/route.h"

/* A card for one flag with its evidence and the form to overrule it; the caller may add to it
 * between the two calls. `here`: it is on the page of its answer, to which the form leads back. */
void page_flags_open(struct page *p, const struct run_row *run, const struct flag_row *f,
                     bool here);
void page_flags_close(struct page *p, const struct run_row *run, const struct suite *suite,
                      const struct flag_row *f, bool here);

#endif
