#include "web/page_me.h"

#include "base/clock.h"
#include "base/totp.h"
#include "store/store_sign_in.h"
#include "web/account.h"
#include "web/device.h"
#include "web/page.h"
#include "web/page_passkey.h"
#include "web/page_sso.h"
#include "web/pages.h"
#include "web/qr.h"
#include "web/second.h"
#include "web/widget.h"

enum { CONFIRMED_MS = 10 * 60 * 1000, TOKEN_DAYS = 366 };

/* ---- what the account is like ---- */

static void password_part(struct page *p, bool bad_old, bool bad_new)
{
    page_say(p, "h2", NULL, PHRASE_PASSWORD_CHANGE);
    page_form(p, "/me/password");
    page_ask(p, .label = PHRASE_PASSWORD_OLD, .name = "old", .type = "password",
             .autocomplete = "current-password",
             .error = bad_old ? page_phrase(p, PHRASE_PASSWORD_WRONG) : NULL);
    page_new_password(p, "new", PHRASE_PASSWORD_NEW, bad_new);
    page_button(p, PHRASE_PASSWORD_CHANGE, NULL, NULL);
    html_close(&p->h);
}

static void session_line(struct page *p, const struct signed_in *s)
{
    bool here = strcmp(s->token, p->q->session->token) == 0;

    page_row(p);
    page_cell_time(p, s->created_ms);
    page_cell_time(p, s->seen_ms);
    page_cell(p, s->address);
    page_cell(p, s->agent);
    page_cell_open(p, NULL);
    if (here) {
        html_text(&p->h, page_phrase(p, PHRASE_SESSION_HERE));
    } else {
        page_form(p, "/me/sessions");
        page_hidden(p, "session", s->token);
        page_button(p, PHRASE_SESSION_END, NULL, NULL);
        html_close(&p->h);
    }
    html_close_n(&p->h, 2);
}

static void sessions_part(struct page *p, const struct signed_in_list *l)
{
    page_say(p, "h2", NULL, PHRASE_SESSIONS);
    page_table(p, PHRASE_CREATED, PHRASE_SESSION_SEEN, PHRASE_SESSION_ADDRESS, PHRASE_SESSION_AGENT,
               PHRASE_STATE);
    for (size_t i = 0; i < l->n; i++)
        session_line(p, &l->v[i]);
    page_table_end(p);
    page_form(p, "/logout");
    page_button(p, PHRASE_SIGN_OUT_EVERYWHERE, "everywhere", "1");
    html_close(&p->h);
}

static void tokens_part(struct page *p, const struct api_token_list *l)
{
    static const struct page_choice scopes[] = {{"read", PHRASE_TOKEN_READ},
                                                {"write", PHRASE_TOKEN_WRITE}};

    page_say(p, "h2", NULL, PHRASE_TOKENS);
    page_say(p, "p", NULL, PHRASE_TOKENS_LEAD);
    if (l->n)
        page_table(p, PHRASE_TOKEN_NAME, PHRASE_TOKEN_SCOPE, PHRASE_INVITE_EXPIRES,
                   PHRASE_SESSION_SEEN, PHRASE_STATE);
    for (size_t i = 0; i < l->n; i++) {
        page_row(p);
        page_cell(p, l->v[i].name);
        page_cell(p, page_phrase(p, strcmp(l->v[i].scope, "write") == 0 ? PHRASE_TOKEN_WRITE
                                                                        : PHRASE_TOKEN_READ));
        page_cell_time(p, l->v[i].expires_ms);
        page_cell_time(p, l->v[i].used_ms);
        page_cell_open(p, NULL);
        page_form(p, "/me/tokens");
        page_hidden(p, "id", page_number(p, l->v[i].id));
        page_button(p, PHRASE_REVOKE, "act", "revoke");
        html_close_n(&p->h, 3);
    }
    if (l->n)
        page_table_end(p);
    page_form(p, "/me/tokens");
    page_ask(p, .label = PHRASE_TOKEN_NAME, .name = "name");
    page_ask(p, .label = PHRASE_INVITE_DAYS, .name = "days", .type = "number", .value = "90");
    page_choices(p, PHRASE_TOKEN_SCOPE, "scope", scopes, COUNT(scopes), "read");
    page_button(p, PHRASE_TOKEN_NEW, "act", "add");
    html_close(&p->h);
}

static void below_me(struct page *p, struct request *q, struct response *r, enum word title)
{
    widget_open_below(p, q, r, "/me", PHRASE_MY_ACCOUNT, words_of(q->language, title));
}

static enum status me_page(struct request *q, struct response *r, bool bad_old, bool bad_new,
                           struct err *e)
{
    struct signed_in_list sessions;
    struct api_token_list tokens;
    struct page p;
    bool tied = false;

    if (store_people_sessions(q->arena, q->store, q->session->who, &sessions, e) != OK ||
        store_people_tokens(q->arena, q->store, q->session->who, &tokens, e) != OK ||
        store_sign_in_tied(q->store, q->session->who, &tied, e) != OK)
        return e->code;
    page_open(&p, q, r, q->session->name);
    if (q->session->local)
        password_part(&p, bad_old, bad_new);
    if (!tied)
        page_sso_button(&p, "link", "/me");
    if (page_passkey_part(&p, e) != OK)
        return e->code;
    page_say(&p, "h2", NULL, PHRASE_SECOND_FACTOR);
    page_way(&p, "/me/second", q->session->totp ? PHRASE_SECOND_ON : PHRASE_SECOND_SET);
    sessions_part(&p, &sessions);
    tokens_part(&p, &tokens);
    return page_close(&p);
}

enum status page_me_show(struct request *q, struct response *r, struct err *e)
{
    return me_page(q, r, false, false, e);
}

enum status page_me_end(struct request *q, struct response *r, struct err *e)
{
    struct str token = request_form(q, "session");

    if (!token.p)
        return err_set(e, E_INPUT, "which session?");
    if (store_atomically(q->store, e,
                         store_people_end(q->store, q->session->who, token.p, e) == OK
                             ? account_audit(q, "session-end", q->session->name, "", e)
                             : e->code) != OK)
        return e->code;
    return response_done(r, "/me");
}

/* ---- tokens of programs ---- */

static enum status add_token(struct request *q, struct response *r, struct err *e)
{
    struct str name = request_form(q, "name");
    int64_t days = request_int(request_form(q, "days"), 90);
    struct api_token t = {.account = q->session->who,
                          .name = name.p ? name.p : "",
                          .scope = str_is(request_form(q, "scope"), "write") ? "write" : "read",
                          .strong = q->session->strong,
                          .created_ms = q->now_ms,
                          .expires_ms = q->now_ms + (days < 1            ? 1
                                                     : days > TOKEN_DAYS ? TOKEN_DAYS
                                                                         : days) *
                                                        CLOCK_DAY_MS};
    char random[SESSION_TOKEN];
    const char *token;
    struct page p;

    session_random(random);
    token = arena_printf(q->arena, SESSION_API_PREFIX "%s", random);
    if (store_atomically(
            q->store, e,
            store_people_token_add(q->store, &t, session_hash(q->arena, str_of(token)), e) == OK
                ? account_audit(q, "token-add", q->session->name, t.scope, e)
                : e->code) != OK)
        return e->code;
    below_me(&p, q, r, PHRASE_TOKENS);
    page_say(&p, "p", NULL, PHRASE_TOKEN_ONCE);
    html_open(&p.h, "p", "class", "words", "translate", "no");
    html_element(&p.h, "code", NULL, token);
    html_close(&p.h);
    page_way(&p, "/me", PHRASE_CONTINUE);
    return page_close(&p);
}

enum status page_me_token(struct request *q, struct response *r, struct err *e)
{
    int64_t id = request_int(request_form(q, "id"), -1);

    if (!str_is(request_form(q, "act"), "revoke"))
        return page_me_is_confirmed(q, r, "/me") ? add_token(q, r, e) : OK;
    if (store_atomically(q->store, e,
                         store_people_token_revoke(q->store, q->session->who, id > 0 ? id : -1,
                                                   q->now_ms, e) == OK
                             ? account_audit(q, "token-revoke", q->session->name, "", e)
                             : e->code) != OK)
        return e->code;
    return response_done(r, "/me");
}

/* ---- giving the password again ---- */

/* The account of the session; *ok if that is its password. *often: too many tries, and answered. */
static enum status check_again(struct request *q, struct response *r, struct str password,
                               struct account_row *account, bool *ok, bool *often, struct err *e)
{
    struct str who = str_of(arena_printf(q->arena, "%s %s", q->session->name, q->session->token));

    *often = site_throttle(q, r, THROTTLE_LOGIN_ACCOUNT, who);
    *ok = false;
    if (*often)
        return OK;
    if (account_check(q, str_of(q->session->name), password, account, ok, e) != OK)
        return e->code;
    if (*ok)
        throttle_give_back(q->site->throttle, THROTTLE_LOGIN_ACCOUNT, who);
    return OK;
}

enum status page_me_password(struct request *q, struct response *r, struct err *e)
{
    struct str new = request_form(q, "new");
    bool ok, often, fine = account_password_ok(new, str_of(q->session->name)),
                    strong = q->session->strong;
    struct account_row account;

    if (check_again(q, r, request_form(q, "old"), &account, &ok, &often, e) != OK)
        return e->code;
    if (often)
        return OK;
    if (!ok || !fine) {
        r->status = 400;
        return me_page(q, r, !ok, !fine, e);
    }
    /* This ended all sessions of the account; this browser gets a new one. */
    if (account_set_password(q, account, new, e) != OK ||
        session_begin(q, r, SESSION_STAFF, account.id, strong, e) != OK ||
        device_remember(q, r, &account, e) != OK)
        return e->code;
    return response_done(r, "/me");
}

bool page_me_is_confirmed(struct request *q, struct response *r, const char *next)
{
    if (q->now_ms - q->session->confirmed_ms < CONFIRMED_MS)
        return true;
    if (q->session->program) {
        page_error(q, r, 403, "this needs a person and their password: use the pages");
        return false;
    }
    response_redirect(r, arena_printf(q->arena, "/confirm?next=%s", next));
    return false;
}

enum status page_me_confirm(struct request *q, struct response *r, struct err *e)
{
    struct str asked = request_query(q, "next");
    const char *next = page_local(q, asked.p ? asked : request_form(q, "next"), NULL);
    struct passkey_list keys = {0};
    struct page p;

    if (store_passkey_list(q->arena, q->store, q->session->who, &keys, e) != OK)
        return e->code;
    page_open(&p, q, r, words_of(q->language, PHRASE_CONFIRM));
    page_say(&p, "p", NULL, PHRASE_CONFIRM_LEAD);
    page_sso_button(&p, "confirm", next ? next : "/me");
    if (keys.n)
        page_passkey_button(&p, PHRASE_PASSKEY_CONFIRM, next ? next : "/me");
    if (!q->session->local)
        return page_close(&p);
    page_form(&p, "/confirm");
    if (next)
        page_hidden(&p, "next", next);
    page_ask(&p, .label = PHRASE_PASSWORD, .name = "password", .type = "password",
             .autocomplete = "current-password",
             .error = q->method == METHOD_POST ? page_phrase(&p, PHRASE_PASSWORD_WRONG) : NULL);
    page_button(&p, PHRASE_CONTINUE, NULL, NULL);
    return page_close(&p);
}

enum status page_me_confirmed(struct request *q, struct response *r, struct err *e)
{
    struct account_row account;
    bool ok, often;

    if (check_again(q, r, request_form(q, "password"), &account, &ok, &often, e) != OK)
        return e->code;
    if (often)
        return OK;
    if (!ok) {
        if (page_me_confirm(q, r, e) != OK)
            return e->code;
        r->status = 400;
        return account_refused(q, "refused.confirm", q->session->name, e);
    }
    if (store_people_confirm(q->store, q->session->token, q->now_ms, e) != OK)
        return e->code;
    return response_redirect(r, page_local(q, request_form(q, "next"), "/me"));
}

/* ---- the second factor ---- */

/* Shows the secret as letters too, for people without a camera or with the app on this device. */
static enum status setup_page(struct request *q, struct response *r, const char *secret, bool wrong,
                              struct err *e)
{
    const char *uri = arena_printf(q->arena, "otpauth://totp/audition:%s?secret=%s&issuer=audition",
                                   q->session->name, secret);
    struct page p;

    below_me(&p, q, r, PHRASE_SECOND_FACTOR);
    page_say(&p, "p", NULL, PHRASE_SECOND_LEAD);
    qr_draw(&p.h, uri, page_phrase(&p, PHRASE_SECOND_QR));
    html_open(&p.h, "p", "class", "words", "translate", "no");
    html_element(&p.h, "code", NULL, secret);
    html_close(&p.h);
    page_form(&p, "/me/second");
    page_hidden(&p, "secret", secret);
    page_ask(&p, .label = PHRASE_SECOND_CODE, .name = "code", .autocomplete = "one-time-code",
             .error = wrong ? page_phrase(&p, PHRASE_SECOND_WRONG) : NULL);
    page_button(&p, PHRASE_SECOND_SET, "act", "set");
    html_close(&p.h);
    if (page_passkey_part(&p, e) != OK)
        return e->code;
    return page_close(&p);
}

/* For somebody who came by single sign-on from a provider that asked for no second factor. */
static void ask_code(struct request *q, struct response *r, bool wrong)
{
    struct page p;

    below_me(&p, q, r, PHRASE_SECOND_FACTOR);
    page_form(&p, "/me/second");
    page_ask(&p, .label = PHRASE_SECOND_CODE, .name = "code", .autocomplete = "one-time-code",
             .error = wrong ? page_phrase(&p, PHRASE_SECOND_WRONG) : NULL);
    page_button(&p, PHRASE_CONTINUE, "act", "give");
    page_close(&p);
}

static enum status give_code(struct request *q, struct response *r, struct err *e)
{
    struct str who = str_of(arena_printf(q->arena, "second %s", q->session->name));
    struct account_row account;
    bool found, ok = false, strong;

    if (site_throttle(q, r, THROTTLE_LOGIN_ACCOUNT, who))
        return OK;
    if (store_account_get(q->arena, q->store, q->session->who, NULL, &account, &found, e) != OK ||
        (found && second_check(q, &account, request_form(q, "code"), &ok, &strong, e) != OK))
        return e->code;
    if (!ok) {
        r->status = 400;
        ask_code(q, r, true);
        return account_refused(q, "refused.second", q->session->name, e);
    }
    throttle_give_back(q->site->throttle, THROTTLE_LOGIN_ACCOUNT, who);
    if (store_people_strong(q->store, q->session->token, e) != OK)
        return e->code;
    return response_redirect(r, "/");
}

bool page_me_is_strong(struct request *q, struct response *r, struct err *e)
{
    struct passkey_list keys = {0};
    struct page p;

    if (q->session->strong)
        return true;
    if (q->session->totp) {
        ask_code(q, r, false);
        return false;
    }
    if (store_passkey_list(q->arena, q->store, q->session->who, &keys, e) != OK)
        return false;
    if (!keys.n)
        return true;
    below_me(&p, q, r, PHRASE_SECOND_FACTOR);
    page_passkey_button(&p, PHRASE_PASSKEY_CONFIRM, "/me");
    page_close(&p);
    return false;
}

enum status page_me_second(struct request *q, struct response *r, struct err *e)
{
    char secret[TOTP_TEXT];
    struct page p;

    if (!page_me_is_strong(q, r, e) || !page_me_is_confirmed(q, r, "/me/second"))
        return e->code;
    if (!q->session->totp) {
        totp_secret(secret);
        return setup_page(q, r, secret, false, e);
    }
    below_me(&p, q, r, PHRASE_SECOND_FACTOR);
    page_say(&p, "p", NULL, PHRASE_SECOND_ON);
    page_form(&p, "/me/second");
    page_button(&p, PHRASE_SECOND_OFF, "act", "drop");
    return page_close(&p);
}

void page_me_codes(struct request *q, struct response *r, char codes[SECOND_RECOVERY][SECOND_CODE])
{
    struct page p;

    below_me(&p, q, r, PHRASE_SECOND_RECOVERY);
    page_say(&p, "p", NULL, PHRASE_SECOND_RECOVERY_LEAD);
    html_open(&p.h, "ul", "class", "words", "translate", "no");
    for (size_t i = 0; i < SECOND_RECOVERY; i++) {
        html_open(&p.h, "li", NULL);
        html_element(&p.h, "code", NULL, codes[i]);
        html_close(&p.h);
    }
    html_close(&p.h);
    page_way(&p, "/me", PHRASE_CONTINUE);
    page_close(&p);
}

static enum status begin_second(struct request *q, struct response *r, const char *secret,
                                struct err *e)
{
    char codes[SECOND_RECOVERY][SECOND_CODE];

    if (store_atomically(q->store, e,
                         store_people_totp(q->store, q->session->who, secret, e) == OK &&
                                 second_codes(q, q->session->who, codes, e) == OK &&
                                 store_people_strong(q->store, q->session->token, e) == OK
                             ? account_audit(q, "second-factor-set", q->session->name, "", e)
                             : e->code) != OK)
        return e->code;
    q->session->totp = q->session->strong = true;
    page_me_codes(q, r, codes);
    return OK;
}

enum status page_me_begin_again(struct request *q, struct response *r, bool totp, enum status done,
                                struct err *e)
{
    int64_t who = q->session->who;
    bool strong = q->session->strong;
    struct passkey_list keys;

    if (done != OK || store_passkey_list(q->arena, q->store, who, &keys, e) != OK ||
        store_session_drop_who(q->store, "staff", who, e) != OK)
        return e->code;
    return session_begin(q, r, SESSION_STAFF, who, strong && (totp || keys.n), e);
}

static enum status drop_totp(struct request *q, struct err *e)
{
    if (store_people_totp(q->store, q->session->who, NULL, e) != OK)
        return e->code;
    return account_audit(q, "second-factor-drop", q->session->name, "", e);
}

static enum status drop_second(struct request *q, struct response *r, struct err *e)
{
    if (store_atomically(q->store, e, page_me_begin_again(q, r, false, drop_totp(q, e), e)) != OK)
        return e->code;
    return response_done(r, "/me");
}

enum status page_me_second_set(struct request *q, struct response *r, struct err *e)
{
    struct str secret = request_form(q, "secret"), code = request_form(q, "code");

    if (q->session->totp && !q->session->strong)
        return give_code(q, r, e);
    if (!page_me_is_strong(q, r, e) || !page_me_is_confirmed(q, r, "/me/second"))
        return e->code;
    if (str_is(request_form(q, "act"), "drop"))
        return drop_second(q, r, e);
    if (secret.n != TOTP_TEXT - 1 || totp_code(secret.p, 1) < 0)
        return err_set(e, E_INPUT, "this secret was not issued by this server");
    if (totp_step(secret.p, code.p ? code : STR(""), q->now_ms))
        return begin_second(q, r, secret.p, e);
    r->status = 400;
    return setup_page(q, r, secret.p, true, e);
}
