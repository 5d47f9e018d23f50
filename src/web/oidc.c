#include "web/oidc.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/signature.h"
#include "net/http.h"
#include "text/base64.h"
#include "web/jwt.h"
#include "web/request.h"

enum {
    REPLY_MAX = 1 << 20,
    ASK_MS = 10 * 1000,
    LEARNED_MS = 60 * 60 * 1000, /* documents of the provider are remembered this long */
    SKEW_S = 60,                 /* clocks may differ by this */
    SUBJECT_MAX = 255,
};

/* A document of the provider's, remembered as text. */
struct learned {
    char *text;
    int64_t at_ms;
};

struct oidc {
    const struct sso *sso;
    pthread_mutex_t lock;
    struct learned itself, keys; /* behind the lock */
};

struct oidc *oidc_new(const struct sso *s)
{
    struct oidc *o = mem_new(sizeof *o);

    o->sso = s;
    (void)pthread_mutex_init(&o->lock, NULL);
    return o;
}

void oidc_free(struct oidc *o)
{
    if (!o)
        return;
    free(o->itself.text);
    free(o->keys.text);
    (void)pthread_mutex_destroy(&o->lock);
    free(o);
}

const struct sso *oidc_sso(const struct oidc *o)
{
    return o->sso;
}

/* ---- asking ---- */

/* Send a request and read the reply as JSON. Errors say `what` instead of codes and secrets. */
static enum status fetch(struct arena *a, const char *what, const struct http_request *req,
                         json_t **out, struct str *text, struct err *e)
{
    struct http_reply reply;

    if (http_ask(a, req, &reply, e) != OK)
        return e->code;
    if (reply.end != HTTP_DONE)
        return err_set(e, E_NET, "%s: %s", what, reply.why);
    if (reply.status != 200)
        return err_set(e, reply.status >= 500 ? E_NET : E_INPUT, "%s: status %d", what,
                       reply.status);
    if (json_read(reply.body, out, e) != OK)
        return err_wrap(e, "%s", what);
    if (!json_is_object(*out))
        return err_set(e, E_INPUT, "%s: expected an object", what);
    *text = reply.body;
    return OK;
}

static enum status get(struct arena *a, const char *what, const char *url, const char *bearer,
                       json_t **out, struct str *text, struct err *e)
{
    const char *const headers[] = {"Accept: application/json",
                                   bearer ? arena_printf(a, "Authorization: Bearer %s", bearer)
                                          : NULL};
    const struct http_request req = {.url = url,
                                     .headers = headers,
                                     .nheaders = bearer ? 2 : 1,
                                     .timeout_ms = ASK_MS,
                                     .max_reply = REPLY_MAX};

    return fetch(a, what, &req, out, text, e);
}

/* ---- what it says of itself ---- */

static const char *recall(struct arena *a, struct oidc *o, const struct learned *l, int64_t max_ms)
{
    const char *text = NULL;

    (void)pthread_mutex_lock(&o->lock);
    if (l->text && clock_mono_ms() - l->at_ms < max_ms)
        text = arena_text(a, str_of(l->text));
    (void)pthread_mutex_unlock(&o->lock);
    return text;
}

static void learn(struct oidc *o, struct learned *l, struct str text)
{
    char *copy = mem_new(text.n + 1);

    if (text.n)
        memcpy(copy, text.p, text.n);
    (void)pthread_mutex_lock(&o->lock);
    free(l->text);
    *l = (struct learned){copy, clock_mono_ms()};
    (void)pthread_mutex_unlock(&o->lock);
}

/* Another provider's document, or addresses without TLS, are refused. */
static enum status check_itself(const struct sso *s, const json_t *j, struct err *e)
{
    static const char *const needed[] = {"authorization_endpoint", "token_endpoint", "jwks_uri"};

    if (!str_is(json_str_at(j, "issuer", STR("")), s->issuer))
        return err_set(e, E_INPUT, "the provider calls itself '%.*s', not '%s'",
                       STR_ARG(utf8_head(json_str_at(j, "issuer", STR("")), 100)), s->issuer);
    for (size_t i = 0; i < COUNT(needed); i++)
        if (!sso_url_ok(json_str_at(j, needed[i], STR(""))))
            return err_set(e, E_INPUT, "the provider names no usable %s", needed[i]);
    return OK;
}

/* The document as it is remembered, or as the provider gives it now. What cannot be used is not
 * remembered: the provider may have a better one in a minute. */
static enum status look_up(struct arena *a, struct oidc *o, struct learned *l, const char *what,
                           const char *url, int64_t max_ms, json_t **out, struct err *e)
{
    const char *known = recall(a, o, l, max_ms);
    struct str text = {0};

    if (known)
        return json_read(str_of(known), out, e);
    if (get(a, what, url, NULL, out, &text, e) != OK ||
        (l == &o->itself && check_itself(o->sso, *out, e) != OK))
        return e->code;
    learn(o, l, text);
    return OK;
}

static enum status discover(struct arena *a, struct oidc *o, json_t **out, struct err *e)
{
    struct str issuer = str_of(o->sso->issuer);
    const char *url;

    while (str_ends(issuer, STR("/")))
        issuer.n--;
    url = arena_printf(a, "%.*s/.well-known/openid-configuration", STR_ARG(issuer));
    return look_up(a, o, &o->itself, "discovery", url, LEARNED_MS, out, e);
}

/* ---- there ---- */

static void put_pair(struct buf *b, const char *name, const char *value)
{
    buf_fmt(b, "%s%s=", b->n ? "&" : "", name);
    request_encode(b, str_of(value));
}

const char *oidc_challenge(struct arena *a, const char *verifier)
{
    unsigned char hash[SIGNATURE_SHA256];

    signature_sha256(str_of(verifier), hash);
    return base64_url(a, (struct str){(const char *)hash, sizeof hash});
}

static const char *scopes_of(struct arena *a, const struct sso *s)
{
    const char *all = "";

    for (size_t i = 0; i < s->nscopes; i++)
        all = arena_printf(a, "%s%s%.*s", all, *all ? " " : "", STR_ARG(s->scopes[i]));
    return all;
}

enum status oidc_begin(struct arena *a, struct oidc *o, const struct oidc_step *step,
                       const char **url, struct err *e)
{
    AUTO(json_freep) json_t *itself = NULL;
    AUTO(buf_done) struct buf b = BUF_MAX(8 << 10);
    struct str to;

    if (discover(a, o, &itself, e) != OK)
        return e->code;
    put_pair(&b, "response_type", "code");
    put_pair(&b, "client_id", o->sso->client_id);
    put_pair(&b, "redirect_uri", step->back);
    put_pair(&b, "scope", scopes_of(a, o->sso));
    put_pair(&b, "state", step->state);
    put_pair(&b, "nonce", step->nonce);
    put_pair(&b, "code_challenge", oidc_challenge(a, step->verifier));
    put_pair(&b, "code_challenge_method", "S256");
    if (step->again) {
        put_pair(&b, "prompt", "login");
        put_pair(&b, "max_age", "0");
    }
    to = json_str_at(itself, "authorization_endpoint", STR(""));
    *url = arena_printf(a, "%.*s%c%s", STR_ARG(to), memchr(to.p, '?', to.n) ? '&' : '?', b.p);
    return OK;
}

/* ---- and back ---- */

static bool meant_for(const json_t *claims, const char *client)
{
    const json_t *aud = json_object_get(claims, "aud");
    struct str azp = json_str_at(claims, "azp", str_of(client));

    return sso_claims(claims, "aud", str_of(client)) && str_is(azp, client) &&
           (json_array_size(aud) <= 1 || json_object_get(claims, "azp"));
}

enum status oidc_check(const struct sso *s, const struct oidc_step *step, const json_t *claims,
                       int64_t now_ms, struct err *e)
{
    int64_t now = now_ms / 1000, begun = step->begun_ms / 1000;
    struct str subject = json_str_at(claims, "sub", STR(""));

    if (!str_is(json_str_at(claims, "iss", STR("")), s->issuer))
        return err_set(e, E_INPUT, "the token comes from another provider");
    if (!meant_for(claims, s->client_id))
        return err_set(e, E_INPUT, "the token is meant for another program");
    if (json_int_at(claims, "exp", 0) + SKEW_S <= now)
        return err_set(e, E_INPUT, "the token has expired");
    if (json_int_at(claims, "iat", INT64_MAX) - SKEW_S > now ||
        json_int_at(claims, "nbf", 0) - SKEW_S > now)
        return err_set(e, E_INPUT, "the token is dated in the future");
    if (!hash_same(json_str_at(claims, "nonce", STR("")), str_of(step->nonce)))
        return err_set(e, E_INPUT, "the token belongs to another sign-in");
    if (!subject.n || subject.n > SUBJECT_MAX)
        return err_set(e, E_INPUT, "the token does not say who it is about");
    if (step->again && json_int_at(claims, "auth_time", 0) + SKEW_S < begun)
        return err_set(e, E_INPUT, "the provider did not ask them to sign in again");
    return OK;
}

/* RFC 6749, 2.3.1: name and secret are escaped, then encoded in base64. */
static const char *basic(struct arena *a, const struct sso *s)
{
    AUTO(buf_done) struct buf b = BUF_MAX(8 << 10);

    request_encode(&b, str_of(s->client_id));
    buf_char(&b, ':');
    request_encode(&b, str_of(s->secret));
    return arena_printf(a, "Authorization: Basic %s", base64_write(a, buf_str(&b)));
}

static enum status redeem(struct arena *a, const struct oidc *o, const json_t *itself,
                          const struct oidc_step *step, struct str code, json_t **out,
                          struct err *e)
{
    AUTO(buf_done) struct buf b = BUF_MAX(32 << 10);
    const char *headers[] = {"Accept: application/json", NULL};
    struct http_request req = {
        .url = arena_text(a, json_str_at(itself, "token_endpoint", STR(""))),
        .headers = headers,
        .nheaders = 1,
        .type = "Content-Type: application/x-www-form-urlencoded",
        .timeout_ms = ASK_MS,
        .max_reply = REPLY_MAX,
    };
    struct str text;

    put_pair(&b, "grant_type", "authorization_code");
    put_pair(&b, "code", arena_text(a, code));
    put_pair(&b, "redirect_uri", step->back);
    put_pair(&b, "code_verifier", step->verifier);
    if (o->sso->secret)
        headers[req.nheaders++] = basic(a, o->sso);
    else
        put_pair(&b, "client_id", o->sso->client_id);
    req.body = buf_str(&b);
    return fetch(a, "the provider's answer to the code", &req, out, &text, e);
}

/* If no remembered key fits, ask for the keys again: the provider may have new ones. Nobody else
 * can make us ask, since the token comes straight from the provider. */
static enum status read_token(struct arena *a, struct oidc *o, const json_t *itself,
                              struct str token, json_t **claims, struct err *e)
{
    const char *url = arena_text(a, json_str_at(itself, "jwks_uri", STR("")));
    static const int64_t ages[] = {LEARNED_MS, 0};
    enum status st = E_ABSENT;

    for (size_t i = 0; i < COUNT(ages) && st == E_ABSENT; i++) {
        AUTO(json_freep) json_t *keys = NULL;
        if (look_up(a, o, &o->keys, "keys of the provider", url, ages[i], &keys, e) != OK)
            return e->code;
        st = jwt_read(a, token, keys, claims, e);
    }
    return st == E_ABSENT ? err_set(e, E_INPUT, "the provider has no key of that name") : st;
}

/* Add the claims of the userinfo endpoint: some providers leave names and groups out of the token.
 * Where both have a claim, the token's counts. */
static enum status ask_more(struct arena *a, const json_t *itself, const json_t *answer,
                            json_t *claims, struct err *e)
{
    AUTO(json_freep) json_t *more = NULL;
    struct str url = json_str_at(itself, "userinfo_endpoint", STR("")),
               access = json_str_at(answer, "access_token", STR("")), text;

    if (!url.n || !access.n)
        return OK;
    if (!sso_url_ok(url) || memchr(access.p, '\r', access.n) || memchr(access.p, '\n', access.n))
        return err_set(e, E_INPUT, "the provider's answer cannot be used");
    if (get(a, "what the provider knows about them", arena_text(a, url), arena_text(a, access),
            &more, &text, e) != OK)
        return e->code;
    if (!str_eq(json_str_at(more, "sub", STR("")), json_str_at(claims, "sub", STR("-"))))
        return err_set(e, E_INPUT, "the provider describes someone else");
    (void)json_object_update_missing(claims, more);
    return OK;
}

enum status oidc_finish(struct arena *a, struct oidc *o, const struct oidc_step *step,
                        struct str code, int64_t now_ms, json_t **claims, struct err *e)
{
    AUTO(json_freep) json_t *itself = NULL, *answer = NULL, *got = NULL;

    *claims = NULL;
    if (discover(a, o, &itself, e) != OK || redeem(a, o, itself, step, code, &answer, e) != OK ||
        read_token(a, o, itself, json_str_at(answer, "id_token", STR("")), &got, e) != OK ||
        oidc_check(o->sso, step, got, now_ms, e) != OK || ask_more(a, itself, answer, got, e) != OK)
        return e->code;
    *claims = got;
    got = NULL;
    return OK;
}
