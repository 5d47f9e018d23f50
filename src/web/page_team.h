/* page_team.h - teams, and who may do what in one campaign. */
#ifndef WEB_PAGE_TEAM_H
#define WEB_PAGE_TEAM_H

#include "web/route.h"

/* In a transaction of the caller's; act: add (the team, and the account where one is named), remove
 * (the account), delete (the team). */
CHECKED enum status page_team_set(struct request *q, struct str team, struct str account,
                                  const char *act, struct err *e);

page_fn page_team_list, page_team_change, page_team_grants, page_team_grant;

#endif
