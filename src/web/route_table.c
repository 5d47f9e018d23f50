#include "web/page_api.h"
#include "web/page_battles.h"
#include "web/page_board.h"
#include "web/page_campaign.h"
#include "web/page_flags.h"
#include "web/page_live.h"
#include "web/page_login.h"
#include "web/page_me.h"
#include "web/page_party.h"
#include "web/page_passkey.h"
#include "web/page_rate.h"
#include "web/page_rater.h"
#include "web/page_room.h"
#include "web/page_run.h"
#include "web/page_runs.h"
#include "web/page_sample.h"
#include "web/page_samples.h"
#include "web/page_search.h"
#include "web/page_sso.h"
#include "web/page_staff.h"
#include "web/page_static.h"
#include "web/page_style.h"
#include "web/page_team.h"
#include "web/page_workers.h"

#define RESULTS (ROLE_ANALYST | ROLE_ADMIN)
/* What analysts look at, and what is published as files. */
#define SEEN    (ROUTE_SLOW | ROUTE_FILE)
#define INVITES (ROLE_COORDINATOR | ROLE_ADMIN)

/* clang-format off */
static const struct route table[] = {
    {METHOD_GET,  "/",                        ROLE_ANYONE, page_static_home,   0},
    {METHOD_GET,  "/healthz",                 ROLE_ANYONE, page_static_health, 0},
    {METHOD_GET,  "/static/{version}/{name}", ROLE_ANYONE, page_static_file,   ROUTE_BARE},
    /* signing in */
    {METHOD_GET,  "/login",         ROLE_ANYONE,             page_login_show,     0},
    {METHOD_POST, "/login",         ROLE_ANYONE,             page_login_enter,    ROUTE_SLOW},
    {METHOD_POST, "/logout",        ROLE_PEOPLE | ROLE_RATER, page_login_leave,    0},
    {METHOD_POST, "/stay",          ROLE_PEOPLE | ROLE_RATER, page_login_stay,     0},
    {METHOD_GET,  "/setup",         ROLE_ANYONE,             page_login_setup,    0},
    {METHOD_POST, "/setup",         ROLE_ANYONE,             page_login_set_up,   ROUTE_SLOW},
    {METHOD_POST, "/login/sso",      ROLE_ANYONE,            page_sso_begin,      ROUTE_SLOW},
    {METHOD_GET,  "/login/sso/back", ROLE_ANYONE,            page_sso_back,       ROUTE_SLOW},
    {METHOD_POST, "/passkey/challenge", ROLE_ANYONE,         page_passkey_challenge, 0},
    {METHOD_POST, "/login/passkey",  ROLE_ANYONE,            page_passkey_enter,  0},
    {METHOD_POST, "/me/passkeys",    ROLE_PEOPLE,            page_passkey_change, 0},
    /* becoming a rater */
    {METHOD_GET,  "/invite/{token}",  ROLE_ANYONE, page_rater_invite,   0},
    {METHOD_POST, "/invite/{token}",  ROLE_ANYONE, page_rater_accept,   ROUTE_SAVE},
    {METHOD_GET,  "/join/{campaign}", ROLE_ANYONE, page_rater_join,     0},
    {METHOD_POST, "/join/{campaign}", ROLE_ANYONE, page_rater_joined,   ROUTE_SAVE | ROUTE_OPEN},
    {METHOD_GET,  "/return",          ROLE_ANYONE, page_rater_return,   0},
    {METHOD_POST, "/return",          ROLE_ANYONE, page_rater_back,     ROUTE_SAVE | ROUTE_OPEN},
    {METHOD_POST, "/rate/words",      ROLE_RATER,  page_rater_words,    ROUTE_SAVE},
    {METHOD_POST, "/rate/consent",    ROLE_RATER,  page_rater_consent,  ROUTE_SAVE},
    {METHOD_POST, "/rate/about",      ROLE_RATER,  page_rater_about,    ROUTE_SAVE},
    {METHOD_POST, "/rate/withdraw",   ROLE_RATER,  page_rater_withdraw, ROUTE_SAVE},
    {METHOD_GET,  "/rate/my-data.json", ROLE_RATER, page_rater_data, 0},
    /* rating */
    {METHOD_GET,  "/rate",               ROLE_RATER, page_rate_show,      0},
    {METHOD_POST, "/rate/go",            ROLE_RATER, page_rate_show,      0},
    {METHOD_POST, "/rate/next",          ROLE_RATER, page_rate_next,      ROUTE_SAVE},
    {METHOD_POST, "/rate/{id}",          ROLE_RATER, page_rate_form,      ROUTE_SAVE},
    {METHOD_PUT,  "/rate/{id}/mark",     ROLE_RATER, page_rate_mark,      ROUTE_SAVE},
    {METHOD_POST, "/rate/{id}/report",   ROLE_RATER, page_rate_report,    ROUTE_SAVE},
    {METHOD_GET,  "/rate/{id}/feedback", ROLE_RATER, page_rate_feedback,  0},
    {METHOD_POST, "/rate/{id}/ask",      ROLE_RATER, page_room_ask,       0},
    /* staff */
    {METHOD_GET,  "/me",            ROLE_PEOPLE, page_me_show,       0},
    {METHOD_POST, "/me/password",   ROLE_PEOPLE, page_me_password,   ROUTE_SLOW},
    {METHOD_POST, "/me/sessions",   ROLE_PEOPLE, page_me_end,        0},
    {METHOD_POST, "/me/tokens",     ROLE_PEOPLE, page_me_token,      0},
    {METHOD_GET,  "/me/second",     ROLE_PEOPLE, page_me_second,     0},
    {METHOD_POST, "/me/second",     ROLE_PEOPLE, page_me_second_set, 0},
    {METHOD_GET,  "/confirm",       ROLE_PEOPLE, page_me_confirm,    0},
    {METHOD_POST, "/confirm",       ROLE_PEOPLE, page_me_confirmed,  ROUTE_SLOW},
    {METHOD_GET,  "/style",         ROLE_STAFF,  page_style_show,    0},
    {METHOD_GET,  "/teams",         ROLE_ADMIN, page_team_list,      0},
    {METHOD_POST, "/teams",         ROLE_ADMIN, page_team_change,    0},
    {METHOD_GET,  "/accounts",      ROLE_ADMIN, page_staff_accounts, 0},
    {METHOD_POST, "/accounts",      ROLE_ADMIN, page_staff_add,      ROUTE_SLOW},
    {METHOD_GET,  "/accounts/{id}", ROLE_ADMIN, page_staff_account,  0},
    {METHOD_POST, "/accounts/{id}", ROLE_ADMIN, page_staff_change,   ROUTE_SLOW},
    {METHOD_GET,  "/audit",         ROLE_ADMIN, page_staff_audit,    0},
    /* campaigns */
    {METHOD_GET,  "/campaigns",                            ROLE_PEOPLE, page_campaign_list,    0},
    {METHOD_GET,  "/new-campaign",                         ROLE_ADMIN,  page_campaign_new,     0},
    {METHOD_POST, "/campaigns",                            ROLE_ADMIN,  page_campaign_add,     ROUTE_SLOW},
    {METHOD_GET,  "/campaigns/{name}",                     ROLE_STAFF,  page_campaign_show,    0},
    {METHOD_GET,  "/campaigns/{name}/raters",              ROLE_STAFF,  page_campaign_raters,  0},
    {METHOD_GET,  "/campaigns/{name}/invitations",         INVITES,     page_campaign_invitations, 0},
    {METHOD_GET,  "/campaigns/{name}/held",                INVITES,     page_campaign_held,    0},
    {METHOD_GET,  "/campaigns/{name}/log",                 INVITES,     page_campaign_log,     0},
    {METHOD_GET,  "/campaigns/{name}/state",               ROLE_ADMIN,  page_campaign_sure,    0},
    {METHOD_POST, "/campaigns/{name}/state",               ROLE_ADMIN,  page_campaign_turn,    ROUTE_SLOW},
    {METHOD_POST, "/campaigns/{name}/compute",             ROLE_STAFF,  page_campaign_compute, ROUTE_SLOW},
    {METHOD_POST, "/campaigns/{name}/invites",             INVITES,     page_campaign_invite,  0},
    {METHOD_POST, "/campaigns/{name}/invites/{id}",        INVITES,     page_campaign_revoke,  0},
    {METHOD_POST, "/campaigns/{name}/withheld/{text}",     INVITES,     page_campaign_decide,  0},
    {METHOD_POST, "/campaigns/{name}/raters/{rater}",      ROLE_ADMIN,  page_campaign_exclude, 0},
    {METHOD_POST, "/campaigns/{name}/raters/{rater}/erase", ROLE_ADMIN, page_campaign_erase,   0},
    {METHOD_GET,  "/campaigns/{name}/people",              ROLE_ADMIN,  page_team_grants,      0},
    {METHOD_POST, "/campaigns/{name}/people",              ROLE_ADMIN,  page_team_grant,       0},
    {METHOD_GET,  "/campaigns/{name}/results",             RESULTS,     page_campaign_results, 0},
    {METHOD_GET,  "/campaigns/{name}/ratings.csv",         RESULTS,     page_campaign_csv,     0},
    {METHOD_GET,  "/campaigns/{name}/ratings.jsonl",       RESULTS,     page_campaign_jsonl,   0},
    {METHOD_GET,  "/campaigns/{name}/codebook.md",         RESULTS,     page_campaign_codebook, 0},
    /* programs */
    {METHOD_GET,  "/api/v1/openapi.json",                       ROLE_ANYONE, page_api_description, ROUTE_BARE},
    {METHOD_GET,  "/api/v1/runs",                               RESULTS,     page_api_runs,        ROUTE_SLOW},
    {METHOD_GET,  "/api/v1/runs/{run}",                         RESULTS,     page_api_run,         ROUTE_SLOW},
    {METHOD_GET,  "/api/v1/runs/{run}/samples",                 RESULTS,     page_api_samples,     0},
    {METHOD_GET,  "/api/v1/runs/{run}/verdicts",                RESULTS,     page_api_verdicts,    0},
    {METHOD_GET,  "/api/v1/campaigns",                          ROLE_STAFF,  page_api_campaigns,   0},
    {METHOD_POST, "/api/v1/campaigns",                          ROLE_ADMIN,  page_api_new,         ROUTE_SLOW},
    {METHOD_GET,  "/api/v1/campaigns/{name}",                   ROLE_STAFF,  page_api_campaign,    ROUTE_SLOW},
    {METHOD_POST, "/api/v1/campaigns/{name}/state",             ROLE_ADMIN,  page_api_state,       ROUTE_SLOW},
    {METHOD_POST, "/api/v1/campaigns/{name}/invitations",       INVITES,     page_api_invite,      0},
    {METHOD_GET,  "/api/v1/campaigns/{name}/results",           RESULTS,     page_api_results,     ROUTE_SLOW},
    {METHOD_GET,  "/api/v1/campaigns/{name}/ratings",           RESULTS,     page_campaign_jsonl,  0},
    {METHOD_GET,  "/api/v1/campaigns/{name}/invitations",       INVITES,     page_api_invitations, 0},
    {METHOD_POST, "/api/v1/campaigns/{name}/invitations/{id}",  INVITES,     page_api_invitation_revoke, 0},
    {METHOD_GET,  "/api/v1/campaigns/{name}/raters",            ROLE_STAFF,  page_api_raters,      0},
    {METHOD_POST, "/api/v1/campaigns/{name}/raters/{rater}",    ROLE_ADMIN,  page_api_rater_exclude, 0},
    {METHOD_POST, "/api/v1/campaigns/{name}/raters/{rater}/erase", ROLE_ADMIN, page_api_rater_erase, 0},
    {METHOD_GET,  "/api/v1/campaigns/{name}/withheld",          INVITES,     page_api_withheld,    0},
    {METHOD_POST, "/api/v1/campaigns/{name}/withheld/{text}",   INVITES,     page_api_withheld_decide, 0},
    {METHOD_GET,  "/api/v1/campaigns/{name}/people",            ROLE_ADMIN,  page_api_people,      0},
    {METHOD_POST, "/api/v1/campaigns/{name}/people",            ROLE_ADMIN,  page_api_people_grant, 0},
    {METHOD_GET,  "/api/v1/runs/{run}/flags",                   RESULTS,     page_api_flags,       ROUTE_SLOW},
    {METHOD_POST, "/api/v1/runs/{run}/flags/{id}",              RESULTS,     page_api_flag_act,    ROUTE_SLOW},
    {METHOD_GET,  "/api/v1/accounts",                           ROLE_ADMIN,  page_api_accounts,    0},
    {METHOD_POST, "/api/v1/accounts",                           ROLE_ADMIN,  page_api_account_add, ROUTE_SLOW},
    {METHOD_POST, "/api/v1/accounts/{id}",                      ROLE_ADMIN,  page_api_account_change, ROUTE_SLOW},
    {METHOD_GET,  "/api/v1/teams",                              ROLE_ADMIN,  page_api_teams,       0},
    {METHOD_POST, "/api/v1/teams",                              ROLE_ADMIN,  page_api_team_change, 0},
    {METHOD_GET,  "/api/v1/audit",                              ROLE_ADMIN,  page_api_audit,       0},
    {METHOD_GET,  "/api/v1/me/sessions",                        ROLE_PEOPLE, page_api_sessions,    0},
    {METHOD_POST, "/api/v1/me/sessions",                        ROLE_PEOPLE, page_api_session_end, 0},
    /* runs */
    {METHOD_GET,  "/leaderboard",                RESULTS, page_board_show,    SEEN},
    {METHOD_GET,  "/compare",                    RESULTS, page_board_compare, SEEN},
    {METHOD_GET,  "/models",                     RESULTS, page_party_models,  SEEN},
    {METHOD_GET,  "/model",                      RESULTS, page_party_model,   SEEN},
    {METHOD_GET,  "/judges",                     RESULTS, page_party_judges,  SEEN},
    {METHOD_GET,  "/judge",                      RESULTS, page_party_judge,   SEEN},
    {METHOD_GET,  "/search",                     RESULTS, page_search_show,   ROUTE_SLOW},
    {METHOD_GET,  "/runs",                       RESULTS, page_runs_list,     SEEN},
    {METHOD_GET,  "/runs/{run}",                 RESULTS, page_run_overview,  SEEN},
    {METHOD_GET,  "/runs/{run}/samples",         RESULTS, page_samples_list,  SEEN},
    {METHOD_GET,  "/runs/{run}/samples/{sample}", RESULTS, page_sample_show,  SEEN},
    {METHOD_GET,  "/runs/{run}/items",           RESULTS, page_run_items,     SEEN},
    {METHOD_GET,  "/runs/{run}/item",            RESULTS, page_sample_item,   SEEN},
    {METHOD_GET,  "/runs/{run}/battles",         RESULTS, page_battles_list,  SEEN},
    {METHOD_GET,  "/runs/{run}/battles/{a}/{b}", RESULTS, page_battles_show,  SEEN},
    {METHOD_GET,  "/runs/{run}/judges",          RESULTS, page_run_judges,    SEEN},
    {METHOD_GET,  "/runs/{run}/method",          RESULTS, page_run_method,    SEEN},
    {METHOD_GET,  "/runs/{run}/events",          RESULTS, page_live_events,   0},
    {METHOD_GET,  "/runs/{run}/order",           ROLE_ADMIN, page_live_sure,  0},
    {METHOD_POST, "/runs/{run}/order",           ROLE_ADMIN, page_live_order, 0},
    {METHOD_GET,  "/workers",                    RESULTS, page_workers_show,  0},
    {METHOD_POST, "/workers",                    ROLE_ADMIN, page_workers_evict, ROUTE_SLOW},
    {METHOD_POST, "/runs/{run}/describe",        RESULTS, page_runs_describe, 0},
    {METHOD_GET,  "/runs/{run}/flags",           RESULTS, page_flags_list,    SEEN},
    {METHOD_POST, "/runs/{run}/flags/{id}",      RESULTS, page_flags_act,     ROUTE_SLOW},
};
/* clang-format on */

page_all_fn *route_together(const struct route *r)
{
    return r->run == page_rate_mark ? page_rate_mark_all : NULL;
}

struct route_table route_all(void)
{
    return (struct route_table){table, COUNT(table)};
}
