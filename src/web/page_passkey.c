#include "web/page_passkey.h"

#include "base/hash.h"
#include "base/log.h"
#include "store/store_people.h"
#include "store/store_sign_in.h"
#include "text/base64.h"
#include "web/account.h"
#include "web/page_login.h"
#include "web/page_me.h"
#include "web/pages.h"
#include "web/passkey.h"
#include "web/second.h"

enum { STEP_MS = 5 * 60 * 1000, KEYS_MAX = 20, NAME_POINTS = 60 };

static const char kind[] = "passkey";

/* ---- forms ---- */

/* A form that the script fills in and sends; `what`: get, create. */
static void open_form(struct page *p, const char *action, const char *what)
{
    html_open(&p->h, "form", "method", "post", "action", action, "data-passkey", what, "hidden",
              "hidden");
    page_hidden(p, "csrf", session_csrf(p->q, p->r));
}

static void close_form(struct page *p)
{
    static const char *const filled[] = {"challenge", "id",   "client", "authenticator",
                                         "signature", "spki", "kind"};

    for (size_t i = 0; i < COUNT(filled); i++)
        page_hidden(p, filled[i], "");
    html_say(&p->h, "p", page_phrase(p, PHRASE_PASSKEY_FAILED), "role", "alert", "hidden",
             "hidden");
    html_close(&p->h);
    page_script(p, "passkey.js");
}

void page_passkey_button(struct page *p, enum word label, const char *next)
{
    open_form(p, "/login/passkey", "get");
    page_hidden(p, "next", next);
    page_button(p, label, NULL, NULL);
    close_form(p);
}

enum status page_passkey_part(struct page *p, struct err *e)
{
    struct passkey_list l;

    if (store_passkey_list(p->q->arena, p->q->store, p->q->session->who, &l, e) != OK)
        return e->code;
    page_say(p, "h2", NULL, PHRASE_PASSKEYS);
    page_say(p, "p", NULL, PHRASE_PASSKEYS_LEAD);
    if (l.n)
        page_table(p, PHRASE_NAME, PHRASE_CREATED, PHRASE_SESSION_SEEN, PHRASE_STATE);
    for (size_t i = 0; i < l.n; i++) {
        page_row(p);
        page_cell(p, l.v[i].name);
        page_cell_time(p, l.v[i].created_ms);
        page_cell_time(p, l.v[i].used_ms);
        page_cell_open(p, NULL);
        page_form(p, "/me/passkeys");
        page_hidden(p, "id", l.v[i].id);
        page_button(p, PHRASE_REMOVE, "act", "remove");
        html_close_n(&p->h, 3);
    }
    if (l.n)
        page_table_end(p);
    open_form(p, "/me/passkeys", "create");
    page_ask(p, .label = PHRASE_NAME, .name = "name", .id = "passkey-name");
    page_button(p, PHRASE_PASSKEY_ADD, NULL, NULL);
    close_form(p);
    return OK;
}

/* ---- a challenge ---- */

/* Passkeys belong to a host name without its port: "rate.example.org". */
static const char *host_of(struct request *q)
{
    struct str host = str_of(strstr(page_origin(q), "://") + 3), name = host, port;

    (void)str_cut(host, ':', &name, &port);
    return arena_text(q->arena, name);
}

static void put_known(json_t *to, const struct passkey_list *l)
{
    json_t *list = json_put_list(to, "known");

    for (size_t i = 0; i < l->n; i++)
        (void)json_array_append_new(list, json_string(l->v[i].id));
}

/* For a script: what to ask the authenticator. Valid once, for five minutes, in forms with the same
 * token. Raters count as nobody here, since their ids are ids of accounts, too. */
enum status page_passkey_challenge(struct request *q, struct response *r, struct err *e)
{
    const struct session *staff =
        q->session && q->session->kind == SESSION_STAFF ? q->session : NULL;
    char challenge[SESSION_TOKEN];
    struct passkey_list l = {0};
    json_t *j;
    const struct sign_in row = {.kind = kind,
                                .browser = session_hash(q->arena, str_of(session_csrf(q, r))),
                                .nonce = "",
                                .verifier = "",
                                .next = "",
                                .session = "",
                                .created_ms = q->now_ms};

    if (!staff && site_throttle(q, r, THROTTLE_LOGIN_NETWORK, str_of(q->network)))
        return OK;
    session_random(challenge);
    if (store_sign_in_begin(q->store, session_hash(q->arena, str_of(challenge)), &row,
                            q->now_ms - STEP_MS, e) != OK ||
        (staff && store_passkey_list(q->arena, q->store, staff->who, &l, e) != OK))
        return e->code;
    j = json_object();
    json_put_text(j, "challenge", challenge);
    json_put_text(j, "host", host_of(q));
    json_put_text(j, "name", staff ? staff->name : "");
    json_put_text(j, "account", staff ? arena_int(q->arena, staff->who) : "");
    put_known(j, &l);
    return response_json(r, j);
}

/* ---- what came back ---- */

static enum status said_of(struct request *q, struct passkey_asked *asked,
                           struct passkey_said *said, struct err *e)
{
    struct str challenge = request_form(q, "challenge"), csrf = request_form(q, "csrf");
    struct sign_in row;
    bool found = false;

    if (challenge.n && store_sign_in_take(q->arena, q->store, session_hash(q->arena, challenge),
                                          &row, &found, e) != OK)
        return e->code;
    if (!found || q->now_ms - row.created_ms > STEP_MS || strcmp(row.kind, kind) != 0 ||
        !hash_same(str_of(session_hash(q->arena, csrf)), str_of(row.browser)))
        return err_set(
            e, E_INPUT,
            "this sign-in was not started in this browser, or has expired; please start again");
    if (base64_read(q->arena, request_form(q, "client"), &said->client, e) != OK ||
        base64_read(q->arena, request_form(q, "authenticator"), &said->authenticator, e) != OK ||
        base64_read(q->arena, request_form(q, "signature"), &said->signature, e) != OK)
        return e->code;
    *asked = (struct passkey_asked){challenge.p, page_origin(q), host_of(q)};
    return OK;
}

static bool read_kind(struct str word, enum signature_kind *out)
{
    *out = str_is(word, "RS256") ? SIGNATURE_RS256 : SIGNATURE_ES256;
    return str_is(word, "RS256") || str_is(word, "ES256");
}

/* The passkey that was used, if it is registered and everything about it is valid. */
static enum status check_key(struct request *q, struct passkey_row *key, struct err *e)
{
    struct str id = request_form(q, "id");
    struct signature_key with = {0};
    struct passkey_asked asked;
    struct passkey_said said;
    bool found = false, fresh = false;
    int64_t counter;

    if (said_of(q, &asked, &said, e) != OK ||
        (id.n && store_passkey_get(q->arena, q->store, id.p, key, &found, e) != OK))
        return e->code;
    if (!found || !read_kind(str_of(key->kind), &with.kind))
        return err_set(e, E_INPUT, "this passkey is not registered");
    if (base64_read(q->arena, str_of(key->spki), &with.spki, e) != OK ||
        passkey_used(q->arena, &asked, &said, &with, &counter, e) != OK ||
        store_passkey_use(q->store, key->id, counter, q->now_ms, &fresh, e) != OK)
        return e->code;
    return fresh ? OK : err_set(e, E_INPUT, "there seems to be a copy of this passkey");
}

static enum status confirm(struct request *q, struct response *r, const struct passkey_row *key,
                           struct err *e)
{
    if (key->account != q->session->who)
        return err_set(e, E_INPUT, "this passkey is not registered");
    if (store_people_confirm(q->store, q->session->token, q->now_ms, e) != OK ||
        store_people_strong(q->store, q->session->token, e) != OK)
        return e->code;
    return response_redirect(r, page_local(q, request_form(q, "next"), "/me"));
}

static enum status enter(struct request *q, struct response *r, struct err *e)
{
    struct account_row account = {0};
    struct passkey_row key = {0};
    bool found = false;

    if (check_key(q, &key, e) != OK)
        return e->code;
    if (q->session && q->session->kind == SESSION_STAFF)
        return confirm(q, r, &key, e);
    if (store_account_get(q->arena, q->store, key.account, NULL, &account, &found, e) != OK)
        return e->code;
    if (!found || account.disabled_ms)
        return err_set(e, E_INPUT, "this account is disabled");
    throttle_give_back(q->site->throttle, THROTTLE_LOGIN_NETWORK, str_of(q->network));
    return page_login_begin(q, r, &account, true, request_form(q, "next"), e);
}

enum status page_passkey_enter(struct request *q, struct response *r, struct err *e)
{
    struct err ignored;

    if (enter(q, r, e) == OK)
        return OK;
    log_line(LOG_WARN, "web", "refused=passkey from=%s %s", q->address, e->msg);
    if (e->code == E_INPUT)
        (void)!account_refused(q, "sign-in-failed", kind, &ignored);
    return e->code;
}

/* ---- one's own ---- */

static enum status read_new(struct request *q, struct passkey_row *out, struct err *e)
{
    struct str name = utf8_head(str_trim(request_form(q, "name")), NAME_POINTS),
               spki = request_form(q, "spki"), form = request_form(q, "kind"), id;
    struct signature_key with = {0};
    struct passkey_asked asked;
    struct passkey_said said;

    if (said_of(q, &asked, &said, e) != OK ||
        passkey_made(q->arena, &asked, &said, &id, &out->counter, e) != OK ||
        base64_read(q->arena, spki, &with.spki, e) != OK)
        return e->code;
    if (!read_kind(form, &with.kind) || !with.spki.n || !signature_key_ok(&with))
        return err_set(e, E_INPUT, "this passkey uses an unsupported kind of key");
    out->id = base64_url(q->arena, id);
    out->spki = base64_url(q->arena, with.spki);
    out->kind = form.p;
    out->name = name.n ? arena_text(q->arena, name) : kind;
    out->account = q->session->who;
    out->created_ms = q->now_ms;
    return OK;
}

/* In a transaction of the caller's. `first`: it is the account's first second factor, and `codes`
 * is filled in. */
static enum status keep(struct request *q, const struct passkey_row *key, bool first,
                        char codes[SECOND_RECOVERY][SECOND_CODE], struct err *e)
{
    bool fresh = false;

    if (store_passkey_add(q->store, key, &fresh, e) != OK)
        return e->code;
    if (!fresh)
        return err_set(e, E_INPUT, "this passkey is already registered");
    if (store_people_strong(q->store, q->session->token, e) != OK ||
        (first && second_codes(q, q->session->who, codes, e) != OK))
        return e->code;
    return account_audit(q, "passkey-add", q->session->name, key->name, e);
}

static enum status add(struct request *q, struct response *r, struct err *e)
{
    char codes[SECOND_RECOVERY][SECOND_CODE];
    struct passkey_row key = {0};
    struct passkey_list l;
    bool first;

    if (store_passkey_list(q->arena, q->store, q->session->who, &l, e) != OK ||
        read_new(q, &key, e) != OK)
        return e->code;
    if (l.n >= KEYS_MAX)
        return err_set(e, E_INPUT, "an account has at most %d passkeys", KEYS_MAX);
    first = l.n == 0 && !q->session->totp;
    if (store_atomically(q->store, e, keep(q, &key, first, codes, e)) != OK)
        return e->code;
    q->session->strong = true;
    if (first)
        page_me_codes(q, r, codes);
    else
        response_done(r, "/me");
    return OK;
}

static enum status take_away(struct request *q, struct err *e)
{
    struct str id = request_form(q, "id");

    if (!id.n)
        return err_set(e, E_INPUT, "this passkey is not registered");
    if (store_passkey_drop(q->store, q->session->who, id.p, e) != OK)
        return e->code;
    return account_audit(q, "passkey-remove", q->session->name, "", e);
}

enum status page_passkey_change(struct request *q, struct response *r, struct err *e)
{
    if (!page_me_is_confirmed(q, r, "/me") || !page_me_is_strong(q, r, e))
        return e->code;
    if (!str_is(request_form(q, "act"), "remove"))
        return add(q, r, e);
    if (store_atomically(q->store, e,
                         page_me_begin_again(q, r, q->session->totp, take_away(q, e), e)) != OK)
        return e->code;
    return response_done(r, "/me");
}
