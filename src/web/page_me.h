/* page_me.h - one's own account: password, sessions, second factor; and confirming the password
 * before something that matters. */
#ifndef WEB_PAGE_ME_H
#define WEB_PAGE_ME_H

#include "web/route.h"
#include "web/second.h"

/* Was the password confirmed in the last ten minutes? Else *r asks for it, and leads to `next`. */
bool page_me_is_confirmed(struct request *q, struct response *r, const char *next);
/* Was the second factor given in this session, or is there none? Else *r asks for it, or *e says
 * what went wrong. Required before anything about it is changed. */
bool page_me_is_strong(struct request *q, struct response *r, struct err *e);
/* To be called in the transaction that removed a second factor, with its result (`done`): ends all
 * sessions of the account and begins a new one for this browser, which stays strong while there is
 * another factor (totp: an app). */
CHECKED enum status page_me_begin_again(struct request *q, struct response *r, bool totp,
                                        enum status done, struct err *e);
/* A page with the recovery codes, which are shown once. */
void page_me_codes(struct request *q, struct response *r, char codes[SECOND_RECOVERY][SECOND_CODE]);

#endif
