/* page_login.h - signing in and out, and setting up a new server. */
#ifndef WEB_PAGE_LOGIN_H
#define WEB_PAGE_LOGIN_H

#include "store/store_web.h"
#include "web/route.h"

/* Sign the owner of this account in and redirect to `next`. `strong`: a second factor was given. */
CHECKED enum status page_login_begin(struct request *q, struct response *r,
                                     const struct account_row *account, bool strong,
                                     struct str next, struct err *e);

#endif
