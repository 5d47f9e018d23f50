/* page_rater.h - becoming a rater: invitation, consent, about you, coming back, leaving; and, for
 * the other pages of raters, who is rating.
 *
 * Everything lives in the request's arena. */
#ifndef WEB_PAGE_RATER_H
#define WEB_PAGE_RATER_H

#include "panel/ballot.h"
#include "web/page.h"
#include "web/route.h"

/* Who is rating, in which campaign. */
struct visit {
    struct rater rater;
    struct campaign campaign;
};

/* The rater of the session and their campaign. E_ABSENT when the session is not a rater's. */
CHECKED enum status page_rater_of(struct request *q, struct visit *out, struct err *e);

/* The address of one of their pages, and of what is done on it ("/ask"). */
const char *page_rater_address(struct request *q, const struct visit *g, int64_t assignment,
                               const char *rest);
/* The assignment of this rater that {id} of the address stands for; 0: none. */
int64_t page_rater_asked(const struct request *q);

/* A fold with the forms to withdraw and the link to one's own data. On every page of a rater, also
 * when they have finished or the campaign is closed. */
void page_rater_leaving(struct page *p);

/* Show the page of a rater who does not rate or practise now: consent, questions, the end. False:
 * they do, and nothing was shown. */
bool page_rater_elsewhere(struct request *q, struct response *r, const struct visit *g);
/* The rater practises, or has to before they go on rating. */
bool page_rater_practises(const struct request *q, const struct visit *g);

#endif
