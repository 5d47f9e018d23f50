/* page_live.h - a run in progress: how far, how fast, what it waits for, what went wrong; pause,
 * resume, cancel.
 *
 * The card is a part of the run's page. Server-sent events update it, and end when the state of the
 * run changes or after a minute, upon which browsers connect again. Without scripts the whole page
 * is reloaded. */
#ifndef WEB_PAGE_LIVE_H
#define WEB_PAGE_LIVE_H

#include "store/store_explore.h"
#include "web/page.h"

struct live;

/* The state of the run; *out is NULL where it is over. Call it before the frame of the page is
 * written, which has to say when to reload. */
CHECKED enum status page_live_look(struct request *q, struct response *r, const struct run_row *run,
                                   struct live **out, struct err *e);
void page_live_card(struct page *p, const struct live *l); /* l NULL: nothing */
/* The phase as a pill, for lists. */
void page_live_state(struct page *p, enum explore_phase phase);

#endif
