#include "web/site.h"

#include "base/asset.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/log.h"
#include "text/rune.h"
#include "text/unpack.h"
#include "web/account.h"
#include "web/page.h"
#include "web/pages.h"

/* ---- making one ---- */

static const char *assets_word(struct arena *a)
{
    const struct asset *f = NULL;
    char hex[HASH_HEX];
    struct hash h;

    hash_init(&h);
    while ((f = asset_next(f, "share/")))
        hash_str(&h, f->bytes);
    hash_hex(&h, hex);
    return arena_printf(a, "%.12s", hex);
}

/* "https://rate.example.org/": its origin and host. */
static enum status public_url(struct arena *a, const char *url, struct site *s, struct err *e)
{
    struct str u = str_of(url), host;
    bool https = str_starts(u, STR("https://"));

    while (str_ends(u, STR("/")))
        u.n--;
    host = str_from(u, https ? 8 : 7);
    if ((!https && !str_starts(u, STR("http://"))) || !host.n || memchr(host.p, '/', host.n))
        return err_set(e, E_USAGE,
                       "--public-url %s: expected https://HOST or http://HOST, without a path",
                       url);
    s->origin = arena_text(a, u);
    s->host = arena_text(a, host);
    s->secure = https;
    return OK;
}

static enum status check_open(const struct site *s, const struct site_config *c, struct err *e)
{
    if (s->loopback || s->secure || (s->host && address_names_loopback(str_of(s->host))))
        return OK;
    return err_set(e, E_USAGE,
                   "--bind %s: passwords would cross the network in clear text; give --tls-cert "
                   "and --tls-key, or --public-url https://... when a proxy in front of this "
                   "server has the certificate",
                   c->bind);
}

enum status site_init(struct arena *a, const struct site_config *config, struct site *out,
                      struct err *e)
{
    struct site s = {.routes = config->routes};
    struct address bind;

    if (!address_read(str_of(config->bind), &bind))
        return err_set(e, E_USAGE, "--bind %s: expected an address such as 127.0.0.1",
                       config->bind);
    s.loopback = address_is_loopback(&bind);
    if (config->public_url && public_url(a, config->public_url, &s, e) != OK)
        return e->code;
    s.secure = s.secure || config->tls;
    s.scheme = s.secure ? "https" : "http";
    if (check_open(&s, config, e) != OK)
        return e->code;
    s.nproxies = config->nproxies;
    s.proxies = NEW_N(a, struct network, s.nproxies + 1);
    for (size_t i = 0; i < s.nproxies; i++)
        if (network_read(str_of(config->proxies[i]), &s.proxies[i], e) != OK)
            return err_wrap(e, "--trusted-proxy");
    for (size_t i = 0; i < config->nsecond; i++) {
        if (!session_role(config->second[i]))
            return err_set(e, E_USAGE,
                           "--second-factor %s: expected admin, coordinator, analyst or member",
                           config->second[i]);
        s.second |= session_role(config->second[i]);
    }
    session_code(s.setup_code, SITE_CODE, "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"); /* none look alike */
    s.assets = assets_word(a);
    s.throttle = throttle_new();
    s.shelf = shelf_new();
    s.oidc = config->sso ? oidc_new(config->sso) : NULL;
    *out = s;
    return OK;
}

void site_done(struct site *s)
{
    throttle_free(s->throttle);
    shelf_free(s->shelf);
    oidc_free(s->oidc);
}

/* ---- what every answer has ---- */

static void common_headers(const struct request *q, struct response *r)
{
    static const char *const always[][2] = {
        {"Content-Security-Policy",
         "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
         "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"},
        {"X-Content-Type-Options", "nosniff"},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Permissions-Policy", "camera=(), microphone=(), geolocation=(), interest-cohort=()"},
    };

    for (size_t i = 0; i < COUNT(always); i++)
        response_header(r, always[i][0], always[i][1]);
    if (!r->cached)
        response_header(r, "Cache-Control", "no-store");
    if (q->site->secure)
        response_header(r, "Strict-Transport-Security", "max-age=31536000");
    response_header(r, "Content-Type", r->type ? r->type : "text/html; charset=utf-8");
}

enum { FOLLOW_MAX = 4 }; /* redirections in a row */
enum { SQUEEZE_MIN = 1400, SQUEEZE_NOISE = 200 };

static bool is_text(const char *type)
{
    static const char *const kinds[] = {"text/", "application/json", "image/svg+xml", NULL};

    return str_any(str_of(type), str_starts, kinds);
}

/* Pages contain a secret (the token of their forms) and words of the address. A name of random
 * length in the gzip header hides how well the two compress together. */
static void squeeze(const struct request *q, struct response *r)
{
    struct str whole = r->fixed.p ? r->fixed : buf_str(&r->body), packed;
    unsigned char noise;

    if (r->stream || r->status != 200 || whole.n < SQUEEZE_MIN || r->body.full ||
        !is_text(r->type ? r->type : "text/html"))
        return;
    response_header(r, "Vary", "Accept-Encoding");
    if (!request_accepts(request_header_all(q, "Accept-Encoding"), "gzip"))
        return;
    hash_random(&noise, sizeof noise);
    packed = unpack_gzip(q->arena, whole, noise % SQUEEZE_NOISE);
    if (!packed.n)
        return;
    r->fixed = packed;
    response_header(r, "Content-Encoding", "gzip");
}

/* Always false, which site_begin() returns. */
static bool error_answer(struct request *q, struct response *r, int status, const char *detail)
{
    page_error(q, r, status, detail);
    common_headers(q, r);
    return false;
}

void site_refuse(struct request *q, struct response *r, int status)
{
    if (status == 503)
        response_header(r, "Retry-After", "5");
    (void)error_answer(q, r, status, NULL);
}

bool site_throttle(struct request *q, struct response *r, enum throttle_what what, struct str who)
{
    int64_t wait = throttle_take(q->site->throttle, what, who, clock_mono_ms());
    const char *seconds;

    if (!wait)
        return false;
    seconds = arena_int(q->arena, (wait + 999) / 1000);
    response_header(r, "Retry-After", seconds);
    page_error(q, r, 429, words_with(q->arena, q->language, PHRASE_TOO_MANY, seconds));
    return true;
}

/* ---- the head ---- */

/* A Host that is not ours: somebody made their name point at us (DNS rebinding). */
static bool host_ok(const struct site *s, struct str host)
{
    if (s->host && str_is_nocase(host, s->host))
        return true;
    if (address_names_loopback(host))
        return s->loopback || s->host;
    return !s->host && !s->loopback;
}

static void choose_language(struct request *q, struct response *r)
{
    struct str asked = request_query(q, "lang"), kept = request_cookie(q, "lang");
    const char *l = request_accept_language(asked);

    if (l)
        response_header(r, "Set-Cookie",
                        arena_printf(q->arena, "lang=%s; Path=/; SameSite=Lax; Max-Age=31536000%s",
                                     l, q->site->secure ? "; Secure" : ""));
    else
        l = request_accept_language(kept);
    if (!l)
        l = request_accept_language(request_header(q, "Accept-Language"));
    q->language = l ? l : "en";
}

static void whence(struct request *q, struct address peer)
{
    struct str list = request_header_all(q, "X-Forwarded-For"),
               other = address_forwarded(q->arena, request_header_all(q, "Forwarded"));
    const struct site *s = q->site;
    struct address from = address_behind(s->proxies, s->nproxies, peer, list.n ? list : other),
                   same = address_behind(s->proxies, s->nproxies, peer, other.n ? other : list);

    /* A proxy sets one of the two headers, and a client may have forged the other: where they
     * disagree, neither is trusted. */
    if (!address_same_network(&from, &same))
        from = peer;
    q->address = address_text(q->arena, &from);
    q->network = address_network_text(q->arena, &from);
}

bool site_begin(struct site *s, const struct head *head, struct address peer, struct request *q,
                struct response *r)
{
    struct err e = {0};
    bool others = false;

    q->site = s;
    q->language = "en";
    q->now_ms = clock_utc_ms();
    q->headers = head->headers;
    r->arena = q->arena;
    r->status = 200;
    r->body.max = RESPONSE_BODY_MAX;
    whence(q, peer);
    if (head->fault)
        return error_answer(q, r, head->fault,
                            head->fault == 400 ? N_("the request head is malformed") : NULL);
    if (request_headers_check(&q->headers, &e) != OK)
        return error_answer(q, r, e.code == E_FULL ? 431 : 400, e.msg);
    /* A body in chunks is a second way to say where a request ends, which programs read
     * differently. No browser sends one, and by RFC 9112, 6.3 a server may insist on a length. */
    if (request_header(q, "Transfer-Encoding").p)
        return error_answer(q, r, 411, "a body needs a Content-Length");
    q->cookies = request_cookies(q->arena, request_header(q, "Cookie"));
    if (request_target(q->arena, head->target, &q->path, &q->query, &e) != OK)
        return error_answer(q, r, head->target.n > REQUEST_TARGET_MAX ? 414 : 400, e.msg);
    q->target = head->target;
    choose_language(q, r);
    if (!host_ok(s, request_header(q, "Host")))
        return error_answer(q, r, 400, s->host ? s->host : "localhost");
    q->method = request_method(head->method);
    q->route = route_find(q->arena, &s->routes, q->method, q->path, &q->params, &others);
    if (!q->route)
        return error_answer(q, r, others ? 405 : 404, NULL);
    if (request_body_length(&q->headers) > REQUEST_BODY_MAX)
        return error_answer(q, r, 413, NULL);
    return true;
}

/* ---- the answer ---- */

static bool changes(const struct request *q)
{
    return q->method != METHOD_GET && q->method != METHOD_HEAD;
}

/* Read the fields of a form; JSON, CSV and text are left to the page. False: it is answered. */
static bool read_body(struct request *q, struct response *r)
{
    static const char *const others[] = {"application/json", "text/csv", "text/plain", NULL};
    struct str type = request_header(q, "Content-Type"), word = type, rest;
    struct err e;

    if (!changes(q) || !q->body.n)
        return true;
    (void)str_cut(type, ';', &word, &rest);
    word = str_trim(word);
    if (str_is(word, "application/x-www-form-urlencoded")) {
        if (request_urlencoded(q->arena, q->body, &q->form, &e) == OK)
            return true;
        page_error(q, r, 400, e.msg);
    } else if (!str_any(word, str_eq, others)) {
        page_error(q, r, 415, NULL);
    } else {
        if (utf8_check(q->body) == q->body.n)
            return true;
        page_error(q, r, 400, "it is not UTF-8");
    }
    return false;
}

/* Was this sent by a page of ours? Browsers say so in Sec-Fetch-Site, older ones in Origin. */
static bool origin_ok(struct request *q, struct response *r)
{
    struct str site = request_header(q, "Sec-Fetch-Site"), origin = request_header(q, "Origin");
    const char *want = page_origin(q), *both;

    if (site.p ? str_is(site, "same-origin") || str_is(site, "none")
               : !origin.p || str_is(origin, want))
        return true;
    both = arena_printf(q->arena, "expected %s, got %.100s", want,
                        rune_clean(q->arena, origin.p ? origin : site).p);
    log_warn("web", "refused=origin route=%s %s", q->route->pattern, both);
    page_error(q, r, 403, words_with(q->arena, q->language, PHRASE_FORM_ORIGIN, both));
    return false;
}

/* The request is refused even if this cannot be logged. */
static void note_refusal(struct request *q, const char *what)
{
    struct err e;

    if (q->store && account_refused(q, what, q->route->pattern, &e) != OK)
        log_line(LOG_WARN, "web", "audit: %s", e.msg);
}

static void refuse_form(struct request *q, struct response *r)
{
    bool pass = q->session && q->session->pass;

    note_refusal(q, "refused.form");
    q->session = pass ? NULL : q->session; /* an old pass must not earn a new one */
    page_error(q, r, 403, words_of(q->language, pass ? PHRASE_FORM_SPENT : PHRASE_FORM_OLD));
}

static bool sent_by_us(struct request *q, struct response *r)
{
    if (!changes(q))
        return true;
    if (q->session && q->session->program) { /* browsers do not add API tokens by themselves */
        if (q->session->writes)
            return true;
        page_error(q, r, 403, "this token may only read");
        return false;
    }
    if (!origin_ok(q, r)) {
        note_refusal(q, "refused.origin");
        return false;
    }
    /* A form that comes without cookies can change nothing in anybody's name. */
    if ((q->route->flags & ROUTE_OPEN && !q->session && session_bare(q)) || session_csrf_ok(q))
        return true;
    refuse_form(q, r);
    return false;
}

/* The address to sign in at, which leads back to this one if that has no special characters. */
static const char *sign_in_for(const struct request *q)
{
    if (!str_made_of(q->path, "/-._"))
        return "/login";
    return arena_printf(q->arena, "/login?next=%s", q->path.p);
}

/* Browsers do not send the cookies of staff when another site (mail read in the browser) leads
 * here, so that its forms and links can do nothing in their name. A reader without a session who
 * comes so gets a page of ours that leads to the same address, and then the cookies are sent. */
static bool from_elsewhere(struct request *q, struct response *r)
{
    struct str site = request_header(q, "Sec-Fetch-Site");
    struct page p;

    if (q->session || q->method != METHOD_GET || !(q->route->allow & ROLE_STAFF) ||
        !str_is(request_header(q, "Sec-Fetch-Mode"), "navigate") ||
        !(str_is(site, "cross-site") || str_is(site, "same-site")))
        return false;
    response_header(r, "Refresh", arena_printf(q->arena, "0; url=%.*s", STR_ARG(q->target)));
    page_open(&p, q, r, words_of(q->language, PHRASE_CONTINUE));
    html_open(&p.h, "p", NULL);
    page_link(&p, q->target.p, page_phrase(&p, PHRASE_CONTINUE));
    page_close(&p);
    return true;
}

/* Is this open to somebody who has yet to set up the second factor that their role needs? */
static bool before_second(const struct request *q)
{
    static const char *const open[] = {"/me/second",
                                       "/confirm",
                                       "/logout",
                                       "/login/sso",
                                       "/login/sso/back",
                                       "/passkey/challenge",
                                       "/login/passkey",
                                       "/me/passkeys",
                                       "/static/{version}/{name}",
                                       NULL};

    return str_any(str_of(q->route->pattern), str_eq, open);
}

static bool let_in(struct request *q, struct response *r)
{
    unsigned role = q->session ? q->session->role : ROLE_NOBODY;

    if (q->session && !q->session->strong && (role & q->site->second) && !before_second(q)) {
        if (q->session->program)
            page_error(q, r, 403, words_of(q->language, PHRASE_TOKEN_WEAK));
        else
            response_redirect(r, "/me/second");
        return false;
    }
    if (q->route->allow & role)
        return true;
    if (q->session) {
        note_refusal(q, "refused.role");
        page_error(q, r, 403, NULL);
    } else if (str_starts(q->path, STR("/api/")) || changes(q) || !(q->route->allow & ROLE_STAFF)) {
        page_error(q, r, 401, NULL);
    } else {
        response_redirect(r, sign_in_for(q));
    }
    return false;
}

static bool too_many_writes(struct request *q, struct response *r)
{
    if (!changes(q) || !q->session || q->counted)
        return false;
    q->counted = true;
    return site_throttle(q, r, THROTTLE_WRITE,
                         str_of(arena_printf(q->arena, "%d %lld", (int)q->session->kind,
                                             (long long)q->session->who)));
}

static void fault_page(struct request *q, struct response *r, struct err *e)
{
    store_explain(q->store, e);
    switch (e->code) {
    case E_ABSENT:
        page_error(q, r, 404, e->msg);
        return;
    case E_USAGE:
    case E_INPUT:
        page_error(q, r, 400, e->msg);
        return;
    case OK:
    case E_BUSY:
    case E_NET:
    case E_STORE:
    case E_FULL:
    case E_SYSTEM:
    case E_STOP:
        break;
    }
    log_line(LOG_ERROR, "web", "route=%s error=%d %s", q->route->pattern, (int)e->code, e->msg);
    if (e->code == E_BUSY)
        response_header(r, "Retry-After", "5");
    page_error(q, r, e->code == E_BUSY ? 503 : 500, NULL);
}

static bool store_fault(const struct err *e)
{
    return e->code == E_BUSY || e->code == E_STORE || e->code == E_FULL;
}

/* A browser without cookies would lose its session by a redirect: show the next page at once. */
static enum status show_next(struct request *q, struct response *r, struct err *e)
{
    for (int i = 0; i < FOLLOW_MAX && r->status == 303; i++) {
        struct str target = response_back(r);
        bool others;

        if (request_target(q->arena, target, &q->path, &q->query, e) != OK)
            return e->code;
        q->target = target;
        q->method = METHOD_GET;
        q->form = (struct pairs){0};
        q->route = route_find(q->arena, &q->site->routes, q->method, q->path, &q->params, &others);
        if (!q->route || !(q->route->allow & q->session->role)) {
            page_error(q, r, 404, NULL);
            return OK;
        }
        if (q->route->run(q, r, e) != OK)
            return e->code;
    }
    return OK;
}

/* Check everything about the request but its body. Not *admitted: it is answered. */
static enum status admit(struct request *q, struct response *r, bool *admitted, struct err *e)
{
    bool good;

    *admitted = false;
    if (from_elsewhere(q, r) || !let_in(q, r) || !sent_by_us(q, r) || too_many_writes(q, r))
        return OK;
    if (session_spend(q, &good, e) != OK)
        return e->code;
    if (!good)
        refuse_form(q, r);
    *admitted = good;
    return OK;
}

static enum status run_page(struct request *q, struct response *r, struct err *e)
{
    bool bare = q->route->flags & ROUTE_BARE, admitted;

    if (!bare && !q->store)
        return err_set(e, E_BUSY, "the database does not respond");
    if ((!bare && session_load(q, e) != OK) || admit(q, r, &admitted, e) != OK)
        return e->code;
    if (!admitted)
        return OK;
    if ((q->route->flags & ROUTE_JSON ? page_api_act : q->route->run)(q, r, e) != OK)
        return e->code;
    return q->session && q->session->pass ? show_next(q, r, e) : OK;
}

static void finish(struct request *q, struct response *r, struct err *e)
{
    if (e->code != OK)
        fault_page(q, r, e);
    if (r->body.full) {
        (void)err_set(e, E_SYSTEM, "the page grew beyond %d MB", RESPONSE_BODY_MAX >> 20);
        fault_page(q, r, e);
    }
    squeeze(q, r);
    common_headers(q, r);
}

bool site_answer(struct request *q, struct response *r)
{
    struct err e = {0};
    bool answered = !read_body(q, r) || run_page(q, r, &e) == OK, good = !store_fault(&e);

    if (answered)
        e.code = OK;
    finish(q, r, &e);
    return good;
}

/* The requests that are admitted; all others are answered. */
static enum status admit_all(struct guest *const *all, size_t n, struct guest **in, size_t *nin,
                             struct err *e)
{
    struct guest **read = in;
    size_t k = 0;

    for (size_t i = 0; i < n; i++)
        if (read_body(all[i]->q, all[i]->r))
            read[k++] = all[i];
    *nin = 0;
    if (session_load_all(read, k, e) != OK)
        return e->code;
    for (size_t i = 0; i < k; i++) {
        bool admitted;
        if (admit(read[i]->q, read[i]->r, &admitted, e) != OK)
            return e->code;
        if (admitted)
            in[(*nin)++] = read[i];
    }
    return OK;
}

bool site_answer_all(struct guest *const *g, size_t n)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct guest **in = NEW_N(a, struct guest *, n + 1);
    size_t *headers = NEW_N(a, size_t, n + 1), nin;
    struct err e = {0};
    bool good;

    for (size_t i = 0; i < n; i++)
        headers[i] = g[i]->r->nheaders;
    good = admit_all(g, n, in, &nin, &e) == OK && route_together(g[0]->q->route)(in, nin, &e) == OK;
    for (size_t i = 0; i < nin; i++)
        good = good && !store_fault(&in[i]->e);
    for (size_t i = 0; i < n; i++) {
        struct response *r = g[i]->r;
        if (good) {
            finish(g[i]->q, r, &g[i]->e);
            continue;
        }
        g[i]->q->session = NULL;
        buf_clear(&r->body);
        r->status = 200;
        r->type = NULL;
        r->nheaders = headers[i];
    }
    return good;
}
