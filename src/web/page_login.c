#include "web/page_login.h"

#include "base/hash.h"
#include "base/log.h"
#include "web/account.h"
#include "web/device.h"
#include "web/page.h"
#include "web/page_passkey.h"
#include "web/page_sso.h"
#include "web/pages.h"
#include "web/second.h"

/* ---- signing in ---- */

static enum status login_page(struct request *q, struct response *r)
{
    struct str asked = request_query(q, "next");
    const char *next = page_local(q, asked.p ? asked : request_form(q, "next"), NULL);
    struct page p;

    page_open(&p, q, r, words_of(q->language, PHRASE_SIGN_IN));
    if (q->method == METHOD_POST)
        page_alert(&p, page_phrase(&p, PHRASE_WRONG_LOGIN));
    page_form(&p, "/login");
    if (next)
        page_hidden(&p, "next", next);
    page_ask(&p, .label = PHRASE_NAME, .name = "name", .value = request_form(q, "name").p,
             .autocomplete = "username");
    page_ask(&p, .label = PHRASE_PASSWORD, .name = "password", .type = "password",
             .autocomplete = "current-password");
    page_ask(&p, .label = PHRASE_SECOND_CODE, .name = "code", .autocomplete = "one-time-code",
             .hint = page_phrase(&p, PHRASE_SECOND_IF), .optional = true);
    page_button(&p, PHRASE_SIGN_IN, NULL, NULL);
    html_close(&p.h);
    page_sso_button(&p, "enter", next ? next : "/");
    page_passkey_button(&p, PHRASE_PASSKEY_ENTER, next ? next : "/");
    page_way(&p, "/return", PHRASE_RETURN_INSTEAD);
    return page_close(&p);
}

enum status page_login_show(struct request *q, struct response *r, struct err *e)
{
    int64_t all, admins;

    if (store_account_counts(q->store, &all, &admins, e) != OK)
        return e->code;
    return all ? login_page(q, r) : response_redirect(r, "/setup");
}

/* Does the account of this name have a second factor? Then guesses at both are hopeless. */
static enum status has_second(struct request *q, struct str name, bool *out, struct err *e)
{
    struct account_row account = {0};
    bool found;

    *out = false;
    if (account_named(q, name, &account, &found, e) != OK)
        return e->code;
    return found ? second_has(q, &account, out, e) : OK;
}

/* Tries are counted by network, by name and network (*here), and by name alone; the last only where
 * the browser is unknown and no second factor is given, so that strangers cannot lock an owner out.
 * Names that do not exist are counted too, or the limits would tell which do. */
static enum status too_often(struct request *q, struct response *r, struct str name,
                             struct str *here, bool *out, struct err *e)
{
    bool known, second;

    if (device_tries(q, name, q->network, here, &known, e) != OK ||
        has_second(q, name, &second, e) != OK)
        return e->code;
    *out = (!known && site_throttle(q, r, THROTTLE_LOGIN_NETWORK, str_of(q->network))) ||
           site_throttle(q, r, THROTTLE_LOGIN_ACCOUNT, *here) ||
           (!known && !(second && request_form(q, "code").n) &&
            site_throttle(q, r, THROTTLE_LOGIN_ALL, name));
    return *out ? account_refused(q, "refused.login", "", e) : OK;
}

enum status page_login_begin(struct request *q, struct response *r,
                             const struct account_row *account, bool strong, struct str next,
                             struct err *e)
{
    if (store_atomically(q->store, e,
                         session_begin(q, r, SESSION_STAFF, account->id, strong, e) == OK &&
                                 device_remember(q, r, account, e) == OK
                             ? account_audit(q, "sign-in", account->name, q->address, e)
                             : e->code) != OK)
        return e->code;
    return response_redirect(r, page_local(q, next, "/"));
}

/* Names of nobody are not logged: people type passwords into the wrong field. */
static enum status note_failure(struct request *q, struct str name, struct err *e)
{
    struct account_row account = {0};
    bool found;

    log_warn("web", "refused=login from=%s", q->address);
    if (account_named(q, name, &account, &found, e) != OK)
        return e->code;
    return account_audit(q, "sign-in-failed", found ? account.name : "", q->address, e);
}

enum status page_login_enter(struct request *q, struct response *r, struct err *e)
{
    struct str name = request_form(q, "name"), password = request_form(q, "password"), here;
    struct account_row account;
    bool ok = false, often = false, strong = false;

    if (too_often(q, r, name, &here, &often, e) != OK)
        return e->code;
    if (often)
        return OK;
    if (account_check(q, name, password, &account, &ok, e) != OK)
        return e->code;
    if (ok && second_check(q, &account, request_form(q, "code"), &ok, &strong, e) != OK)
        return e->code;
    if (ok) { /* this try does not count */
        throttle_give_back(q->site->throttle, THROTTLE_LOGIN_ACCOUNT, here);
        throttle_give_back(q->site->throttle, THROTTLE_LOGIN_ALL, name);
        return page_login_begin(q, r, &account, strong, request_form(q, "next"), e);
    }
    if (note_failure(q, name, e) != OK)
        return e->code;
    r->status = 401;
    return login_page(q, r);
}

enum status page_login_leave(struct request *q, struct response *r, struct err *e)
{
    bool everywhere = str_is(request_form(q, "everywhere"), "1");
    bool rater = q->session->kind == SESSION_RATER;

    if (account_audit(q, "sign-out", everywhere ? "everywhere" : "", account_address(q), e) != OK ||
        session_end(q, r, everywhere, e) != OK)
        return e->code;
    return response_redirect(r, rater ? "/return" : "/login");
}

/* Nothing to do: every request extends the session. */
enum status page_login_stay(struct request *q, struct response *r, struct err *e)
{
    (void)e;
    return response_redirect(r, q->session->kind == SESSION_RATER ? "/rate" : "/");
}

/* ---- setting up ---- */

struct setup_faults {
    bool code, name, password;
};

static enum status setup_page(struct request *q, struct response *r, struct setup_faults bad)
{
    struct page p;

    page_open(&p, q, r, words_of(q->language, PHRASE_SETUP));
    page_say(&p, "p", NULL, PHRASE_SETUP_LEAD);
    page_form(&p, "/setup");
    page_ask(&p, .label = PHRASE_SETUP_CODE, .name = "code", .value = request_form(q, "code").p,
             .error = bad.code ? page_phrase(&p, PHRASE_SETUP_WRONG) : NULL);
    page_ask(&p, .label = PHRASE_NAME, .name = "name", .value = request_form(q, "name").p,
             .autocomplete = "username",
             .error = bad.name ? page_phrase(&p, PHRASE_NAME_BAD) : NULL);
    page_new_password(&p, "password", PHRASE_PASSWORD, bad.password);
    page_button(&p, PHRASE_SETUP, NULL, NULL);
    return page_close(&p);
}

enum status page_login_setup(struct request *q, struct response *r, struct err *e)
{
    int64_t all, admins;

    if (store_account_counts(q->store, &all, &admins, e) != OK)
        return e->code;
    return all ? response_redirect(r, "/login") : setup_page(q, r, (struct setup_faults){0});
}

enum status page_login_set_up(struct request *q, struct response *r, struct err *e)
{
    struct account_new n = {.name = request_form(q, "name"),
                            .password = request_form(q, "password"),
                            .role = "admin",
                            .first = true};
    struct setup_faults bad = {
        .code = !hash_same(str_trim(request_form(q, "code")), str_of(q->site->setup_code)),
        .name = !account_name_ok(n.name),
        .password = !account_password_ok(n.password, n.name),
    };
    struct account_row account;

    if (site_throttle(q, r, THROTTLE_TOKEN, str_of(q->network)))
        return OK;
    if (bad.code || bad.name || bad.password) {
        r->status = 400;
        return setup_page(q, r, bad);
    }
    if (account_add(q, &n, &account, e) != OK)
        return e->code;
    return page_login_begin(q, r, &account, false, request_form(q, "next"), e);
}
