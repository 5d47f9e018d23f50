/* page_me.h - one's own account: password, sessions, the second factor; and giving the password
 * once more before something that matters. */
#ifndef WEB_PAGE_ME_H
#define WEB_PAGE_ME_H

#include "web/route.h"
#include "web/second.h"

/* Was the password given here a few minutes ago? Else *r asks for it, and leads back to `next`. */
bool page_me_is_confirmed(struct request *q, struct response *r, const char *next);
/* Whoever has a second factor gives it before anything about it is changed: else *r asks for it, or
 * *e says what went wrong. */
bool page_me_is_strong(struct request *q, struct response *r, struct err *e);
/* Once a second factor was taken away (`done`), in the same transaction: whoever signed in with it
 * is signed out, and this browser begins anew, with a session that is strong while there is another
 * factor (totp: an app). */
CHECKED enum status page_me_begin_again(struct request *q, struct response *r, bool totp,
                                        enum status done, struct err *e);
/* Codes to recover with, shown once. */
void page_me_codes(struct request *q, struct response *r, char codes[SECOND_RECOVERY][SECOND_CODE]);

#endif
