/* page_api.h - what pages show and do, for programs: JSON under /api/v1.
 *
 * Described by share/web/openapi.json, which the server serves and a test holds against it. Who
 * asks is an API token of an account (session.h) or a browser that is signed in; roles are the
 * same. */
#ifndef WEB_PAGE_API_H
#define WEB_PAGE_API_H

#include "web/route.h"

page_fn page_api_description, page_api_runs, page_api_run, page_api_samples, page_api_verdicts;
page_fn page_api_campaigns, page_api_new, page_api_campaign, page_api_state, page_api_invite;
page_fn page_api_results;
/* People, and what they decide: page_api_people.c. */
page_fn page_api_flags, page_api_flag_act, page_api_raters, page_api_rater_exclude;
page_fn page_api_rater_erase, page_api_withheld, page_api_withheld_decide, page_api_invitations;
page_fn page_api_invitation_revoke, page_api_people, page_api_people_grant, page_api_teams;
page_fn page_api_team_change, page_api_accounts, page_api_account_add, page_api_account_change;
page_fn page_api_sessions, page_api_session_end, page_api_audit;

#endif
