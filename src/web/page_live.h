/* page_live.h - a run at work: how far, how fast, what it waits for, what went wrong; pause,
 * resume, cancel.
 *
 * The card stands on the run's page. Server-sent events bring it again when something has changed,
 * and end when its state turns or after a minute, when browsers come back by themselves; without a
 * script the page comes again as a whole. */
#ifndef WEB_PAGE_LIVE_H
#define WEB_PAGE_LIVE_H

#include "store/store_explore.h"
#include "web/page.h"

struct live;

/* How it stands; NULL where nothing is left to do and nobody is at work. To be asked before the
 * frame of the page is written, because that says when it comes again. */
CHECKED enum status page_live_look(struct request *q, struct response *r, const struct run_row *run,
                                   struct live **out, struct err *e);
void page_live_card(struct page *p, const struct live *l); /* l NULL: nothing */
/* The same in one word, for a list. */
void page_live_state(struct page *p, enum explore_phase phase);

#endif
