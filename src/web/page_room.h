/* page_room.h - the room in which a rater talks with a model, or with two at once, before judging
 * what was said: as an examiner (panel/room.h) or as the user of a dialogue (panel/meeting.h). */
#ifndef WEB_PAGE_ROOM_H
#define WEB_PAGE_ROOM_H

#include "web/page_rater.h"

/* The room of an assignment, unless its sitting is over: then *shown is false. */
CHECKED enum status page_room_show(struct request *q, struct response *r, const struct visit *g,
                                   const struct assignment *as, bool *shown, struct err *e);

#endif
