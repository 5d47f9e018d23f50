/* page_login.h - signing in and out, and setting up a server that nobody uses yet. */
#ifndef WEB_PAGE_LOGIN_H
#define WEB_PAGE_LOGIN_H

#include "store/store_web.h"
#include "web/route.h"

page_fn page_login_show, page_login_enter, page_login_leave, page_login_stay;
page_fn page_login_setup, page_login_set_up;

/* They are this account's owner: begin a session and go on to `next`. */
CHECKED enum status page_login_begin(struct request *q, struct response *r,
                                     const struct account_row *account, bool strong,
                                     struct str next, struct err *e);

#endif
