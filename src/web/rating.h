/* rating.h - between the pages of raters: who is rating, in which campaign.
 *
 * Everything lives in the request's arena. */
#ifndef WEB_RATING_H
#define WEB_RATING_H

#include "panel/ballot.h"
#include "web/page.h"

struct rating {
    struct rater rater;
    struct campaign campaign;
};

/* The rater of the session and their campaign. E_ABSENT when the session is not a rater's. */
CHECKED enum status rating_of(struct request *q, struct rating *out, struct err *e);

/* Pages that end a rater's way, or go before it: shown instead of what was asked for. False when
 * the rater is to rate, or to practise. */
bool rating_elsewhere(struct request *q, struct response *r, const struct rating *g);

/* A paragraph for each line of somebody's text. */
void rating_lines(struct page *p, const char *language, struct str text);

#endif
