/* page_team.h - teams, and who may do what in one campaign. */
#ifndef WEB_PAGE_TEAM_H
#define WEB_PAGE_TEAM_H

#include "web/route.h"

page_fn page_team_list, page_team_change, page_team_grants, page_team_grant;

#endif
