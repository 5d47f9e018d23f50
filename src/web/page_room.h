/* page_room.h - the interview room: a rater examines a model, then scores what was said. */
#ifndef WEB_PAGE_ROOM_H
#define WEB_PAGE_ROOM_H

#include "web/page_rater.h"

/* The room of an assignment, unless its sitting is over: then *shown is false. */
CHECKED enum status page_room_show(struct request *q, struct response *r, const struct rating *g,
                                   const struct assignment *as, bool *shown, struct err *e);

page_fn page_room_ask;

#endif
