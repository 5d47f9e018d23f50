/* page_login.h - signing in and out, and setting up a server that nobody uses yet. */
#ifndef WEB_PAGE_LOGIN_H
#define WEB_PAGE_LOGIN_H

#include "web/route.h"

page_fn page_login_show, page_login_enter, page_login_leave, page_login_stay;
page_fn page_login_setup, page_login_set_up;

#endif
