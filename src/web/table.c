#include "web/page_login.h"
#include "web/page_runs.h"
#include "web/page_staff.h"
#include "web/page_static.h"

#define RESULTS (ROLE_ANALYST | ROLE_ADMIN)

/* clang-format off */
static const struct route table[] = {
    {METHOD_GET,  "/",                        ROLE_ANYONE, page_static_home,   0},
    {METHOD_GET,  "/healthz",                 ROLE_ANYONE, page_static_health, 0},
    {METHOD_GET,  "/static/{version}/{name}", ROLE_ANYONE, page_static_file,   ROUTE_BARE},
    /* signing in */
    {METHOD_GET,  "/login",         ROLE_ANYONE,             page_login_show,     0},
    {METHOD_POST, "/login",         ROLE_ANYONE,             page_login_enter,    ROUTE_SLOW},
    {METHOD_POST, "/logout",        ROLE_STAFF | ROLE_RATER, page_login_leave,    0},
    {METHOD_POST, "/stay",          ROLE_STAFF | ROLE_RATER, page_login_stay,     0},
    {METHOD_GET,  "/setup",         ROLE_ANYONE,             page_login_setup,    0},
    {METHOD_POST, "/setup",         ROLE_ANYONE,             page_login_set_up,   ROUTE_SLOW},
    /* staff */
    {METHOD_GET,  "/me",            ROLE_STAFF, page_staff_me,       0},
    {METHOD_POST, "/me/password",   ROLE_STAFF, page_staff_password, ROUTE_SLOW},
    {METHOD_GET,  "/accounts",      ROLE_ADMIN, page_staff_accounts, 0},
    {METHOD_POST, "/accounts",      ROLE_ADMIN, page_staff_add,      ROUTE_SLOW},
    {METHOD_GET,  "/accounts/{id}", ROLE_ADMIN, page_staff_account,  0},
    {METHOD_POST, "/accounts/{id}", ROLE_ADMIN, page_staff_change,   ROUTE_SLOW},
    {METHOD_GET,  "/audit",         ROLE_ADMIN, page_staff_audit,    0},
    /* runs */
    {METHOD_GET,  "/runs",          RESULTS, page_runs_list, ROUTE_SLOW},
    {METHOD_GET,  "/runs/{run}",    RESULTS, page_runs_show, ROUTE_SLOW},
};
/* clang-format on */

struct route_table route_all(void)
{
    return (struct route_table){table, COUNT(table)};
}
