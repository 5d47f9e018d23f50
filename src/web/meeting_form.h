/* meeting_form.h - the page of a meeting: what was said to one model or two, what to say next. */
#ifndef WEB_MEETING_FORM_H
#define WEB_MEETING_FORM_H

#include "panel/meeting.h"
#include "web/page_rater.h"

struct meeting_form {
    const struct visit *g;
    const struct meeting *meeting;
    const struct ballot_marks *votes;
    const char *notice; /* said at the top; NULL */
};

enum status meeting_form_page(struct request *q, struct response *r, const struct meeting_form *f);

#endif
