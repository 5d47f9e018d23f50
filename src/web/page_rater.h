/* page_rater.h - becoming a rater: invitation, consent, about you, coming back, leaving. */
#ifndef WEB_PAGE_RATER_H
#define WEB_PAGE_RATER_H

#include "web/route.h"

page_fn page_rater_invite, page_rater_accept, page_rater_join, page_rater_joined;
page_fn page_rater_return, page_rater_back, page_rater_words;
page_fn page_rater_consent, page_rater_about, page_rater_withdraw;

#endif
