#include "web/session.h"

#include "base/hash.h"
#include "store/store_people.h"
#include "store/store_web.h"
#include "text/rune.h"
#include "web/account.h"
#include "web/response.h"
#include "web/site.h"

enum { AGENT_POINTS = 120 };
enum { SEEN_MS = 60 * 1000 }; /* the time of the last request is stored this often */

static const char cookie[] = "sid";       /* the session */
static const char form_cookie[] = "form"; /* without a session: the token of the reader's forms */

static const char *const kinds[] = {
    [SESSION_STAFF] = "staff", [SESSION_RATER] = "rater", [SESSION_PASS] = "pass"};

void session_random(char out[SESSION_TOKEN])
{
    hash_random_letters(out, SESSION_TOKEN, "0123456789abcdef0123456789abcdef");
}

void session_code(char *out, size_t n, const char letters[33])
{
    hash_random_letters(out, n, letters);
    for (size_t i = 4; i < n - 1; i += 5)
        out[i] = '-';
}

static bool is_token(struct str s)
{
    if (s.n != SESSION_TOKEN - 1)
        return false;
    for (size_t i = 0; i < s.n; i++)
        if (!memchr("0123456789abcdef", s.p[i], 16))
            return false;
    return true;
}

const char *session_hash(struct arena *a, struct str token)
{
    char hex[HASH_HEX];

    hash_hex_of(token, hex);
    return arena_text(a, str_of(hex));
}

unsigned session_role(const char *word)
{
    static const struct {
        const char *word;
        unsigned role;
    } roles[] = {
        {"admin", ROLE_ADMIN},
        {"coordinator", ROLE_COORDINATOR},
        {"analyst", ROLE_ANALYST},
        {"member", ROLE_MEMBER},
    };

    for (size_t i = 0; i < COUNT(roles); i++)
        if (strcmp(word, roles[i].word) == 0)
            return roles[i].role;
    return 0;
}

bool session_may(const struct request *q, unsigned roles)
{
    return q->session && (q->session->role & roles);
}

/* ---- loading ---- */

static bool is_raters(const struct session_row *row)
{
    return strcmp(row->kind, kinds[SESSION_STAFF]) != 0;
}

static int64_t ends_at(const struct session_row *row, int64_t seen_ms)
{
    int64_t idle = seen_ms + (is_raters(row) ? SESSION_RATER_IDLE_MS : SESSION_STAFF_IDLE_MS);

    return idle < row->expires_ms ? idle : row->expires_ms;
}

/* Add the roles that the account has in the campaign of the address. */
static enum status grants(struct request *q, struct session *s, struct err *e)
{
    struct str campaign = request_param(q, "name");
    struct grant_list l;

    if (!campaign.p || !q->route || !str_holds(str_of(q->route->pattern), STR("/campaigns/{name}")))
        return OK;
    if (store_people_grants_of(q->arena, q->store, s->who, campaign.p, &l, e) != OK)
        return e->code;
    for (size_t i = 0; i < l.n; i++)
        s->role |= session_role(l.v[i].role) & (ROLE_COORDINATOR | ROLE_ANALYST);
    return OK;
}

/* Fill in name and roles and make it the session of this request, or none where the account is
 * disabled or gone. */
static enum status adopt(struct request *q, struct session *s, struct err *e)
{
    struct account_row account = {0};
    bool found = false;

    s->name = "";
    if (s->kind == SESSION_RATER)
        s->role = ROLE_RATER;
    else if (store_account_get(q->arena, q->store, s->who, NULL, &account, &found, e) != OK)
        return e->code;
    if (found && !account.disabled_ms) {
        s->name = account.name;
        s->role = s->own = session_role(account.role);
        s->totp = account.totp != NULL;
        s->local = account_has_password(&account);
        if (grants(q, s, e) != OK)
            return e->code;
    }
    q->session = s->role ? s : NULL;
    return OK;
}

static enum status adopt_row(struct request *q, const char *token, const struct session_row *row,
                             struct err *e)
{
    struct session *s = NEW(q->arena, struct session);

    *s = (struct session){.kind = is_raters(row) ? SESSION_RATER : SESSION_STAFF,
                          .who = row->who,
                          .csrf = arena_text(q->arena, str_of(row->csrf)),
                          .token = token,
                          .ends_ms = ends_at(row, q->now_ms),
                          .secret = row->secret ? arena_text(q->arena, str_of(row->secret)) : NULL,
                          .confirmed_ms = row->confirmed_ms,
                          .strong = row->strong};
    return adopt(q, s, e);
}

static bool is_api(const struct request *q)
{
    return q->route && str_starts(str_of(q->route->pattern), STR("/api/"));
}

/* A program with a token: for the API alone. */
static enum status load_program(struct request *q, struct str token, struct err *e)
{
    struct session *s = NEW(q->arena, struct session);
    struct api_token t;
    const char *hash;
    bool found;

    if (!str_starts(token, STR(SESSION_API_PREFIX)) ||
        !is_token(str_from(token, strlen(SESSION_API_PREFIX))))
        return OK;
    hash = session_hash(q->arena, token);
    if (store_people_token(q->arena, q->store, hash, q->now_ms, &t, &found, e) != OK)
        return e->code;
    if (!found)
        return OK;
    *s = (struct session){.kind = SESSION_STAFF,
                          .who = t.account,
                          .csrf = "",
                          .token = hash,
                          .program = true,
                          .strong = t.strong,
                          .writes = strcmp(t.scope, "write") == 0};
    return adopt(q, s, e);
}

/* The session token that a pass begins with; p == NULL: there is no pass. */
static struct str token_of_pass(const struct request *q)
{
    struct str pass = request_form(q, "csrf");

    return pass.n == 2 * (SESSION_TOKEN - 1) ? (struct str){pass.p, SESSION_TOKEN - 1}
                                             : (struct str){0};
}

/* The token of the cookie, or else of the pass; p == NULL: there is none in the right form. */
static struct str token_of(const struct request *q, bool *pass)
{
    struct str token = request_cookie(q, response_cookie_name(q, cookie));

    *pass = !token.p;
    token = *pass ? token_of_pass(q) : token;
    return is_token(token) ? token : (struct str){0};
}

/* Adopt the row of a token, unless the session has ended or is of the other kind. */
static enum status resume(struct request *q, struct str token, bool pass, const char *hash,
                          const struct session_row *row, struct err *e)
{
    if (q->now_ms >= ends_at(row, row->seen_ms) ||
        pass != (strcmp(row->kind, kinds[SESSION_PASS]) == 0))
        return OK;
    if (adopt_row(q, hash, row, e) != OK)
        return e->code;
    if (q->session && pass)
        q->session->pass = arena_text(q->arena, token);
    if (q->session && q->now_ms - row->seen_ms > SEEN_MS)
        return store_session_seen(q->store, hash, q->now_ms, e);
    return OK;
}

enum status session_load(struct request *q, struct err *e)
{
    struct str bearer = request_header(q, "Authorization"), token;
    bool pass, found;
    struct session_row row;
    const char *hash;

    if (is_api(q) && str_starts(bearer, STR("Bearer ")))
        return load_program(q, str_trim(str_from(bearer, strlen("Bearer "))), e);
    token = token_of(q, &pass);
    if (!token.p)
        return OK;
    hash = session_hash(q->arena, token);
    if (store_session_get(q->arena, q->store, hash, &row, &found, e) != OK)
        return e->code;
    return found ? resume(q, token, pass, hash, &row, e) : OK;
}

enum status session_load_all(struct guest *const *g, size_t n, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct session_row *rows = NEW_N(a, struct session_row, n + 1);
    const char **hashes = NEW_N(a, const char *, n + 1);
    struct str token;
    bool pass;

    for (size_t i = 0; i < n; i++) {
        token = token_of(g[i]->q, &pass);
        hashes[i] = token.p ? session_hash(g[i]->q->arena, token) : NULL;
    }
    if (n && store_session_get_all(a, g[0]->q->store, hashes, n, rows, e) != OK)
        return e->code;
    for (size_t i = 0; i < n; i++) {
        token = token_of(g[i]->q, &pass);
        if (rows[i].kind && resume(g[i]->q, token, pass, hashes[i], &rows[i], e) != OK)
            return e->code;
    }
    return OK;
}

/* ---- beginning and ending ---- */

/* The browser's name for itself, by which people recognise their sessions. */
static const char *agent_of(const struct request *q)
{
    struct str agent = rune_clean(q->arena, request_header(q, "User-Agent"));

    return arena_text(q->arena, utf8_head(agent, AGENT_POINTS));
}

enum status session_begin(struct request *q, struct response *r, enum session_kind kind,
                          int64_t who, bool strong, struct err *e)
{
    char token[SESSION_TOKEN], csrf[SESSION_TOKEN];
    struct session_row row = {.kind = kinds[kind],
                              .csrf = csrf,
                              .address = kind == SESSION_STAFF ? q->address : "",
                              .agent = kind == SESSION_STAFF ? agent_of(q) : "",
                              .confirmed_ms = q->now_ms,
                              .strong = strong,
                              .who = who,
                              .created_ms = q->now_ms,
                              .expires_ms = q->now_ms + SESSION_WHOLE_MS};
    const char *hash;

    session_random(token);
    session_random(csrf);
    hash = session_hash(q->arena, str_of(token));
    if ((q->session && store_session_drop(q->store, q->session->token, e) != OK) ||
        store_session_sweep(q->store, q->now_ms, e) != OK ||
        store_session_add(q->store, hash, &row, e) != OK || adopt_row(q, hash, &row, e) != OK)
        return e->code;
    if (kind == SESSION_PASS && q->session) {
        q->session->pass = arena_text(q->arena, str_of(token));
        return OK;
    }
    response_cookie(q, r, cookie, token, kind == SESSION_STAFF ? COOKIE_STRICT : 0);
    response_cookie(q, r, form_cookie, "", COOKIE_GONE);
    return OK;
}

enum status session_end(struct request *q, struct response *r, bool everywhere, struct err *e)
{
    if (!q->session)
        return OK;
    if (everywhere ? store_session_drop_who(q->store, kinds[q->session->kind], q->session->who, e)
                   : store_session_drop(q->store, q->session->token, e))
        return e->code;
    if (!q->session->pass)
        response_cookie(q, r, cookie, "", COOKIE_GONE);
    q->session = NULL;
    return OK;
}

/* ---- forms ---- */

const char *session_csrf(struct request *q, struct response *r)
{
    struct str held = request_cookie(q, response_cookie_name(q, form_cookie));
    char fresh[SESSION_TOKEN];

    if (q->session)
        return q->session->csrf;
    if (!q->form_token && is_token(held))
        q->form_token = arena_text(q->arena, held);
    if (!q->form_token) {
        session_random(fresh);
        q->form_token = arena_text(q->arena, str_of(fresh));
        response_cookie(q, r, form_cookie, fresh, 0);
    }
    return q->form_token;
}

/* What a pass is valid for: a conversation with all addresses below it, or one address. */
static struct str scope_of(struct str path)
{
    static const char rate[] = "/rate/";
    size_t n = sizeof rate - 1;

    if (!str_starts(path, STR("/rate/")))
        return path;
    while (n < path.n && str_hex(path.p[n]) >= 0)
        n++;
    return n < path.n && path.p[n] != '/' ? path : (struct str){path.p, n};
}

/* Nobody can derive another pass from one: the key is the session's secret, which is in no page. */
static const char *pass_for(const struct request *q, struct str path)
{
    char hex[HASH_HEX];
    struct hash h;

    hash_init_keyed(&h, str_of(q->session->csrf));
    hash_str(&h, scope_of(path));
    hash_hex(&h, hex);
    return arena_printf(q->arena, "%s%s", q->session->pass, hex);
}

const char *session_form(struct request *q, struct response *r, const char *action)
{
    return q->session && q->session->pass ? pass_for(q, str_of(action)) : session_csrf(q, r);
}

bool session_bare(const struct request *q)
{
    return !request_cookie(q, response_cookie_name(q, form_cookie)).p &&
           !request_cookie(q, response_cookie_name(q, cookie)).p;
}

enum status session_spend(struct request *q, bool *good, struct err *e)
{
    char fresh[SESSION_TOKEN];

    *good = true;
    if (!q->session || !q->session->pass)
        return OK;
    session_random(fresh);
    if (store_session_turn(q->store, q->session->token, q->session->csrf, fresh, good, e) != OK)
        return e->code;
    q->session->csrf = arena_text(q->arena, str_of(fresh));
    return OK;
}

bool session_csrf_ok(const struct request *q)
{
    struct str want = q->session ? str_of(q->session->csrf)
                                 : request_cookie(q, response_cookie_name(q, form_cookie));
    struct str got = request_form(q, "csrf");

    if (q->session && q->session->pass)
        return hash_same(str_of(pass_for(q, q->path)), got);
    if (!got.p)
        got = request_header(q, "X-CSRF-Token");
    return got.p && is_token(want) && hash_same(want, got);
}
