/* page_staff.h - accounts, the audit log. */
#ifndef WEB_PAGE_STAFF_H
#define WEB_PAGE_STAFF_H

#include "web/route.h"

page_fn page_staff_accounts, page_staff_add, page_staff_account, page_staff_change;
page_fn page_staff_audit;

#endif
