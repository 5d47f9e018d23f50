/* page_login.h - signing in and out, and setting up a server that nobody uses yet. */
#ifndef WEB_PAGE_LOGIN_H
#define WEB_PAGE_LOGIN_H

#include "store/store_web.h"
#include "web/route.h"

/* They are this account's owner: begin a session and go on to `next`. */
CHECKED enum status page_login_begin(struct request *q, struct response *r,
                                     const struct account_row *account, bool strong,
                                     struct str next, struct err *e);

#endif
