#include "web/page_sso.h"

#include "base/hash.h"
#include "base/log.h"
#include "store/store_people.h"
#include "store/store_sign_in.h"
#include "text/rune.h"
#include "web/account.h"
#include "web/page_login.h"
#include "web/page_me.h"
#include "web/pages.h"

enum { STEP_MS = 10 * 60 * 1000, CODE_MAX = 4096, SHOWN = 100 };

static const char cookie[] = "sso"; /* ties what was begun to the browser */

void page_sso_button(struct page *p, const char *what, const char *next)
{
    const struct sso *s = p->q->site->oidc ? oidc_sso(p->q->site->oidc) : NULL;
    enum word label = strcmp(what, "enter") == 0     ? PHRASE_SSO_ENTER
                      : strcmp(what, "confirm") == 0 ? PHRASE_SSO_CONFIRM
                                                     : PHRASE_SSO_LINK;

    if (!s)
        return;
    page_form(p, "/login/sso");
    page_hidden(p, "next", next);
    html_say(&p->h, "button", page_with(p, label, s->title), "type", "submit", "name", "what",
             "value", what);
    html_close(&p->h);
}

static enum status the_provider(struct request *q, struct oidc **out, struct err *e)
{
    *out = q->site->oidc;
    return *out ? OK : err_set(e, E_ABSENT, "this server has no single sign-on provider");
}

static const char *our_address(struct request *q)
{
    return arena_printf(q->arena, "%s/login/sso/back", page_origin(q));
}

/* A provider that does not answer may do so later: 503. */
static enum status not_there(struct err *e)
{
    if (e->code == E_NET)
        e->code = E_BUSY;
    return e->code;
}

/* ---- there ---- */

static const char *random_text(struct request *q)
{
    char text[SESSION_TOKEN];

    session_random(text);
    return arena_text(q->arena, str_of(text));
}

static const char *kind_of(const struct request *q)
{
    struct str what = request_form(q, "what");

    if (!q->session || q->session->kind != SESSION_STAFF)
        return "enter";
    return str_is(what, "confirm") ? "confirm" : str_is(what, "link") ? "link" : "enter";
}

/* By our Content-Security-Policy (form-action) forms may lead only to us, redirections included. So
 * the answer is a page that goes on by itself. */
static enum status lead_to(struct request *q, struct response *r, const char *url)
{
    struct page p;

    response_header(r, "Refresh", arena_printf(q->arena, "0; url=%s", url));
    page_open(&p, q, r, words_of(q->language, PHRASE_CONTINUE));
    html_open(&p.h, "p", NULL);
    page_link(&p, url, oidc_sso(q->site->oidc)->title);
    return page_close(&p);
}

enum status page_sso_begin(struct request *q, struct response *r, struct err *e)
{
    const char *browser = random_text(q), *url, *kind = kind_of(q);
    struct oidc_step step = {.state = random_text(q),
                             .nonce = random_text(q),
                             .verifier = random_text(q),
                             .back = our_address(q),
                             .again = strcmp(kind, "confirm") == 0};
    struct sign_in row = {.kind = kind,
                          .browser = session_hash(q->arena, str_of(browser)),
                          .nonce = step.nonce,
                          .verifier = step.verifier,
                          .next = page_local(q, request_form(q, "next"), "/"),
                          .session = q->session ? q->session->token : "",
                          .created_ms = q->now_ms};
    struct oidc *o;

    if (the_provider(q, &o, e) != OK)
        return e->code;
    if (strcmp(kind, "link") == 0 &&
        (!page_me_is_confirmed(q, r, "/me") || !page_me_is_strong(q, r, e)))
        return e->code;
    if (site_throttle(q, r, THROTTLE_LOGIN_NETWORK, str_of(q->network)))
        return OK;
    if (oidc_begin(q->arena, o, &step, &url, e) != OK)
        return not_there(e);
    if (store_sign_in_begin(q->store, session_hash(q->arena, str_of(step.state)), &row,
                            q->now_ms - STEP_MS, e) != OK)
        return e->code;
    response_cookie(q, r, cookie, browser, 0);
    return lead_to(q, r, url);
}

/* ---- and back: is it what was begun here? ---- */

static enum status take(struct request *q, struct sign_in *row, struct err *e)
{
    struct str state = request_query(q, "state"),
               held = request_cookie(q, response_cookie_name(q, cookie)),
               issuer = request_query(q, "iss");
    bool found = false;

    if (state.n &&
        store_sign_in_take(q->arena, q->store, session_hash(q->arena, state), row, &found, e) != OK)
        return e->code;
    if (!found || q->now_ms - row->created_ms > STEP_MS || strcmp(row->kind, "passkey") == 0 ||
        !held.n || !hash_same(str_of(session_hash(q->arena, held)), str_of(row->browser)))
        return err_set(
            e, E_INPUT,
            "this sign-in was not started in this browser, or has expired; please start again");
    if (issuer.p && !str_is(issuer, oidc_sso(q->site->oidc)->issuer)) /* RFC 9207 */
        return err_set(e, E_INPUT, "the answer comes from another provider");
    return OK;
}

static enum status ask_who(struct request *q, const struct sign_in *row, json_t **claims,
                           struct err *e)
{
    struct str code = request_query(q, "code"), error = request_query(q, "error");
    const struct oidc_step step = {.state = "",
                                   .nonce = row->nonce,
                                   .verifier = row->verifier,
                                   .back = our_address(q),
                                   .again = strcmp(row->kind, "confirm") == 0,
                                   .begun_ms = row->created_ms};

    if (error.p)
        return err_set(e, E_INPUT, "the provider did not let you in: %.*s",
                       STR_ARG(utf8_head(rune_clean(q->arena, error), SHOWN)));
    if (!code.n || code.n > CODE_MAX)
        return err_set(e, E_INPUT, "the provider's answer cannot be used");
    return oidc_finish(q->arena, q->site->oidc, &step, code, q->now_ms, claims, e) == OK
               ? OK
               : not_there(e);
}

/* ---- whose account it is ---- */

static const char *subject_of(struct request *q, const json_t *claims)
{
    return arena_text(q->arena, json_str_at(claims, "sub", STR("")));
}

/* An account must not have the name of a team, or it would get the team's roles in campaigns. */
static enum status is_team(struct request *q, const char *name, bool *is, struct err *e)
{
    const struct sso *s = oidc_sso(q->site->oidc);

    if (store_people_is_team(q->store, name, is, e) != OK)
        return e->code;
    for (size_t i = 0; i < s->nrules; i++)
        *is = *is || strcmp(s->rules[i].team, name) == 0;
    return OK;
}

static enum status new_account(struct request *q, const json_t *claims, enum sso_role role,
                               struct account_row *out, struct err *e)
{
    const struct sso *s = oidc_sso(q->site->oidc);
    const struct account_new n = {.name = json_str_at(claims, s->name_claim, STR("")),
                                  .role = sso_role_word(role),
                                  .issuer = s->issuer,
                                  .subject = subject_of(q, claims)};
    struct account_row other = {0};
    bool taken = false;

    if (!account_name_ok(n.name))
        return err_set(e, E_INPUT,
                       "the provider gives no '%s' that could be the name of an account: letters, "
                       "digits and . _ - @",
                       s->name_claim);
    if (store_account_get(q->arena, q->store, 0, arena_text(q->arena, n.name), &other, &taken, e))
        return e->code;
    if (taken) /* or whoever can choose a name at the provider could take over any account */
        return err_set(e, E_INPUT,
                       "there is an account '%s' here already; sign in with its password and "
                       "connect it on the page of your account",
                       other.name);
    if (is_team(q, arena_text(q->arena, n.name), &taken, e) != OK)
        return e->code;
    if (taken)
        return err_set(e, E_INPUT, "'%.*s' is the name of a team here, and nobody's account",
                       STR_ARG(n.name));
    return account_add(q, &n, out, e);
}

/* End everything that lets an account in. Its passkeys stay only as second factor of a password. */
static enum status end_all(struct request *q, int64_t id, struct err *e)
{
    struct account_row account = {0};
    bool found = false;

    if (store_account_get(q->arena, q->store, id, NULL, &account, &found, e) != OK ||
        store_session_drop_who(q->store, "staff", id, e) != OK ||
        (found && !account_has_password(&account) &&
         store_passkey_drop(q->store, id, NULL, e) != OK))
        return e->code;
    return store_people_token_revoke(q->store, id, 0, q->now_ms, e);
}

/* The provider does not let them in any more: end what they still have, and refuse. */
static enum status shut_out(struct request *q, int64_t account, struct err *e)
{
    if (account && store_atomically(q->store, e, end_all(q, account, e)) != OK)
        return e->code;
    return err_set(e, E_INPUT, "your account at the provider gives you no role here");
}

static enum status same_teams(struct request *q, const json_t *claims, const char *name,
                              struct err *e)
{
    const struct sso *s = oidc_sso(q->site->oidc);

    for (size_t i = 0; i < s->nrules; i++) {
        const struct sso_rule *rule = &s->rules[i];
        bool in = false;
        for (size_t k = 0; k < s->nrules; k++)
            in = in || (strcmp(s->rules[k].team, rule->team) == 0 &&
                        sso_claims(claims, s->rules[k].claim, str_of(s->rules[k].value)));
        if (!*rule->team)
            continue;
        if (store_people_team_add(q->store, rule->team, e) != OK)
            return e->code;
        if (store_people_team_member(q->store, rule->team, name, in, e) != OK &&
            e->code != E_ABSENT)
            return e->code;
    }
    return OK;
}

static enum status find_account(struct request *q, const json_t *claims, struct account_row *out,
                                struct err *e)
{
    const struct sso *s = oidc_sso(q->site->oidc);
    enum sso_role role = sso_role_of(s, claims);
    bool found = false;
    int64_t id;

    if (store_sign_in_account(q->store, s->issuer, subject_of(q, claims), &id, e) != OK)
        return e->code;
    if (role == SSO_NOBODY)
        return shut_out(q, id, e);
    if (!id)
        return new_account(q, claims, role, out, e);
    if (store_account_get(q->arena, q->store, id, NULL, out, &found, e) != OK)
        return e->code;
    if (!found || out->disabled_ms)
        return err_set(e, E_INPUT, "this account is disabled");
    if (strcmp(out->role, sso_role_word(role)) == 0)
        return OK;
    out->role = sso_role_word(role);
    return account_change(q, out, ACCOUNT_ROLE, "account-role", e);
}

/* ---- what was begun ---- */

static enum status enter(struct request *q, struct response *r, const struct sign_in *row,
                         const json_t *claims, struct err *e)
{
    struct account_row account = {0};

    if (find_account(q, claims, &account, e) != OK ||
        store_atomically(q->store, e, same_teams(q, claims, account.name, e)) != OK)
        return e->code;
    return page_login_begin(q, r, &account, sso_is_strong(oidc_sso(q->site->oidc), claims),
                            str_of(row->next), e);
}

static enum status of_session(const struct request *q, const struct sign_in *row, struct err *e)
{
    return q->session && strcmp(q->session->token, row->session) == 0
               ? OK
               : err_set(e, E_INPUT, "the session in which this was begun is over");
}

static enum status confirm(struct request *q, struct response *r, const struct sign_in *row,
                           const json_t *claims, struct err *e)
{
    const char *issuer = oidc_sso(q->site->oidc)->issuer;
    int64_t account;

    if (of_session(q, row, e) != OK ||
        store_sign_in_account(q->store, issuer, subject_of(q, claims), &account, e) != OK)
        return e->code;
    if (account != q->session->who)
        return err_set(e, E_INPUT, "the provider says you are someone else");
    if (store_people_confirm(q->store, q->session->token, q->now_ms, e) != OK)
        return e->code;
    return response_redirect(r, row->next);
}

static enum status tie_session(struct request *q, const json_t *claims, struct err *e)
{
    bool fresh = false;

    if (store_sign_in_tie(q->store, oidc_sso(q->site->oidc)->issuer, subject_of(q, claims),
                          q->session->who, &fresh, e) != OK)
        return e->code;
    if (!fresh)
        return err_set(e, E_INPUT, "the provider says you are someone else");
    return account_audit(q, "sso-link", q->session->name, "", e);
}

static enum status tie(struct request *q, struct response *r, const struct sign_in *row,
                       const json_t *claims, struct err *e)
{
    if (of_session(q, row, e) != OK ||
        store_atomically(q->store, e, tie_session(q, claims, e)) != OK)
        return e->code;
    return response_done(r, "/me");
}

static enum status finish(struct request *q, struct response *r, struct err *e)
{
    AUTO(json_freep) json_t *claims = NULL;
    struct sign_in row = {.kind = ""};

    if (take(q, &row, e) != OK || ask_who(q, &row, &claims, e) != OK)
        return e->code;
    return strcmp(row.kind, "link") == 0      ? tie(q, r, &row, claims, e)
           : strcmp(row.kind, "confirm") == 0 ? confirm(q, r, &row, claims, e)
                                              : enter(q, r, &row, claims, e);
}

/* A GET that changes something, since the provider redirects browsers here. It only completes what
 * a form of ours began in this browser, once. */
enum status page_sso_back(struct request *q, struct response *r, struct err *e)
{
    struct oidc *o;
    struct err ignored;

    if (the_provider(q, &o, e) != OK)
        return e->code;
    if (site_throttle(q, r, THROTTLE_LOGIN_NETWORK, str_of(q->network)))
        return OK;
    if (finish(q, r, e) == OK) { /* neither the way there nor the way back counts as a try */
        throttle_give_back(q->site->throttle, THROTTLE_LOGIN_NETWORK, str_of(q->network));
        throttle_give_back(q->site->throttle, THROTTLE_LOGIN_NETWORK, str_of(q->network));
        return OK;
    }
    log_line(LOG_WARN, "web", "refused=sso from=%s %s", q->address, e->msg);
    if (e->code == E_INPUT)
        (void)!account_refused(q, "sign-in-failed", "sso", &ignored);
    return e->code;
}
