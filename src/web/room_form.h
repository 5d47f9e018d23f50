/* room_form.h - the page of the interview room: what was said, what can be asked, the clock. */
#ifndef WEB_ROOM_FORM_H
#define WEB_ROOM_FORM_H

#include "panel/room.h"
#include "web/page_rater.h"

struct room_form {
    const struct visit *g;
    const struct room *room;
    const char *notice; /* said at the top; NULL */
};

enum status room_form_page(struct request *q, struct response *r, const struct room_form *f);

#endif
