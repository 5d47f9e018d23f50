/* A site without sockets: signing in, sessions, tokens of forms, roles; on both databases. */
/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include "base/clock.h"
#include "store/store_web.h"
#include "unit/store_world.h"
#include "web/account.h"
#include "web/page.h"

enum { JAR = 8, HEADERS = 12 };

/* A browser: its cookies and the last answer. */
struct browser {
    struct world *world;
    struct site *site;
    struct pair jar[JAR];
    size_t ncookies;
    struct pair extra[4]; /* headers of the next request */
    size_t nextra;
    const char *host;
    struct request q;
    struct response r;
    bool routed;
};

static const char secret[] = "correct horse battery";

static struct site make_site(struct world *w, const char *public_url)
{
    struct site_config c = {.public_url = public_url, .bind = "127.0.0.1", .routes = route_all()};
    struct site s;
    struct err e;

    assert_ok(site_init(w->arena, &c, &s, &e));
    return s;
}

static struct browser make_browser(struct world *w, struct site *s)
{
    return (struct browser){.world = w, .site = s, .host = "localhost"};
}

static void leave(struct browser *b)
{
    buf_done(&b->r.body);
    b->r = (struct response){0};
}

static void set_cookie(struct browser *b, struct str line)
{
    struct str pair = line, rest, name, value;
    size_t i = 0;

    (void)str_cut(line, ';', &pair, &rest);
    assert_true(str_cut(pair, '=', &name, &value));
    while (i < b->ncookies && !str_eq(b->jar[i].name, name))
        i++;
    assert_true(i < JAR);
    b->jar[i] = (struct pair){name, value};
    if (i == b->ncookies)
        b->ncookies++;
}

static struct str cookie(const struct browser *b, const char *name)
{
    struct pairs p = {(struct pair *)(uintptr_t)b->jar, b->ncookies};

    return pairs_get(&p, name);
}

static const char *cookie_line(struct browser *b)
{
    AUTO(buf_done) struct buf line = BUF_MAX(4096);

    for (size_t i = 0; i < b->ncookies; i++)
        buf_fmt(&line, "%s%.*s=%.*s", i ? "; " : "", STR_ARG(b->jar[i].name),
                STR_ARG(b->jar[i].value));
    return arena_text(b->world->arena, buf_str(&line));
}

/* Ask; returns the status. `body` NULL: a GET. */
static int ask(struct browser *b, const char *target, const char *body)
{
    struct pair *h = NEW_N(b->world->arena, struct pair, HEADERS);
    struct head head = {.method = body ? STR("POST") : STR("GET"), .target = str_of(target)};
    struct address peer;
    size_t n = 0;

    leave(b);
    h[n++] = (struct pair){STR("Host"), str_of(b->host)};
    h[n++] = (struct pair){STR("Cookie"), str_of(cookie_line(b))};
    if (body)
        h[n++] = (struct pair){STR("Content-Type"), STR("application/x-www-form-urlencoded")};
    for (size_t i = 0; i < b->nextra; i++)
        h[n++] = b->extra[i];
    b->nextra = 0;
    head.headers = (struct pairs){h, n};
    assert_true(address_read(STR("127.0.0.1"), &peer));
    b->q = (struct request){.arena = b->world->arena};
    b->routed = site_begin(b->site, &head, peer, &b->q, &b->r);
    if (b->routed) {
        b->q.body = str_of(body);
        b->q.store = b->world->store;
        (void)site_answer(&b->q, &b->r);
    }
    for (size_t i = 0; i < b->r.nheaders; i++)
        if (str_is(b->r.headers[i].name, "Set-Cookie"))
            set_cookie(b, b->r.headers[i].value);
    return b->r.status;
}

static void with(struct browser *b, const char *name, const char *value)
{
    b->extra[b->nextra++] = (struct pair){str_of(name), str_of(value)};
}

static struct str header(const struct browser *b, const char *name)
{
    struct pairs p = {(struct pair *)(uintptr_t)b->r.headers, b->r.nheaders};

    return pairs_get(&p, name);
}

static void shows(const struct browser *b, const char *text)
{
    if (str_find(buf_str(&b->r.body), str_of(text)) == SIZE_MAX)
        fail_msg("\"%s\" is not in: %.*s", text, STR_ARG(buf_str(&b->r.body)));
}

/* The token of the first form on the page. */
static const char *token(const struct browser *b)
{
    static const char mark[] = "name=\"csrf\" value=\"";
    struct str page = buf_str(&b->r.body);
    size_t at = str_find(page, str_of(mark));

    assert_true(at != SIZE_MAX);
    return arena_text(b->world->arena, (struct str){page.p + at + sizeof mark - 1, 64});
}

/* Look at `page`, then send its form. */
static int send_form(struct browser *b, const char *page, const char *action, const char *fields)
{
    assert_int_equal(ask(b, page, NULL), 200);
    return ask(b, action, arena_printf(b->world->arena, "csrf=%s&%s", token(b), fields));
}

static int set_up(struct browser *b, const char *code)
{
    return send_form(b, "/setup", "/setup",
                     arena_printf(b->world->arena, "code=%s&name=ada&password=%s", code,
                                  "correct+horse+battery"));
}

static int sign_in(struct browser *b, const char *name, const char *password)
{
    return send_form(b, "/login", "/login",
                     arena_printf(b->world->arena, "name=%s&password=%s", name, password));
}

static void add_account(struct world *w, struct site *s, const char *name, const char *role)
{
    struct request q = {.arena = w->arena, .store = w->store, .site = s, .now_ms = clock_utc_ms()};
    struct account_new n = {.name = str_of(name), .password = str_of(secret), .role = role};
    struct account_row row;
    struct err e;

    assert_ok(account_add(&q, &n, &row, &e));
}

/* ---- the first account ---- */

static void the_first_account_needs_the_code(void **state)
{
    struct world *w = *state;
    struct site s = make_site(w, NULL);
    struct browser b = make_browser(w, &s), c = make_browser(w, &s);

    assert_int_equal(ask(&b, "/", NULL), 303);
    assert_string_equal(header(&b, "Location").p, "/setup");
    assert_int_equal(set_up(&b, "AAAA-AAAA-AAAA-AAAA"), 400);
    shows(&b, "That is not the code");
    assert_int_equal(
        send_form(&b, "/setup", "/setup",
                  arena_printf(w->arena, "code=%s&name=ada&password=short", s.setup_code)),
        400);
    shows(&b, "at least 12");
    assert_int_equal(ask(&c, "/setup", NULL), 200);
    assert_int_equal(set_up(&b, s.setup_code), 303);
    assert_int_equal(ask(&b, "/accounts", NULL), 200);
    shows(&b, "ada");
    shows(&b, "<td data-title=\"Role\">Administrator");
    /* the code is worth nothing afterwards, even on a form opened before */
    assert_int_equal(ask(&c, "/setup",
                         arena_printf(w->arena, "csrf=%s&code=%s&name=eve&password=%s", token(&c),
                                      s.setup_code, "correct+horse+battery")),
                     400);
    assert_int_equal(ask(&c, "/setup", NULL), 303);
    leave(&b);
    leave(&c);
    site_done(&s);
}

/* ---- sessions ---- */

static void signing_in_makes_a_new_token(void **state)
{
    struct world *w = *state;
    struct site s = make_site(w, NULL);
    struct browser b = make_browser(w, &s);
    struct str first;
    static const char planted[] =
        "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

    add_account(w, &s, "ada", "admin");
    set_cookie(&b, str_of(arena_printf(w->arena, "sid=%s", planted)));
    assert_int_equal(ask(&b, "/me", NULL), 303);
    assert_int_equal(sign_in(&b, "ada", "wrong+horse+battery"), 401);
    assert_string_equal(cookie(&b, "sid").p, planted);
    assert_int_equal(sign_in(&b, "ada", "correct+horse+battery"), 303);
    first = cookie(&b, "sid");
    assert_false(str_is(first, planted));
    assert_int_equal(first.n, 64);
    assert_int_equal(ask(&b, "/me", NULL), 200);
    assert_string_equal(header(&b, "Cache-Control").p, "no-store");
    /* again: the old token is dead */
    assert_int_equal(sign_in(&b, "ada", "correct+horse+battery"), 303);
    assert_false(str_eq(first, cookie(&b, "sid")));
    set_cookie(&b, str_of(arena_printf(w->arena, "sid=%.*s", STR_ARG(first))));
    assert_int_equal(ask(&b, "/me", NULL), 303);
    leave(&b);
    site_done(&s);
}

static void tokens_are_not_in_the_store(void **state)
{
    struct world *w = *state;
    struct site s = make_site(w, NULL);
    struct browser b = make_browser(w, &s);
    struct session_row row;
    struct err e;
    bool found;

    add_account(w, &s, "ada", "admin");
    assert_int_equal(sign_in(&b, "ada", "correct+horse+battery"), 303);
    assert_ok(store_session_get(w->arena, w->store, cookie(&b, "sid").p, &row, &found, &e));
    assert_false(found);
    assert_ok(store_session_get(w->arena, w->store, b.q.session->token, &row, &found, &e));
    assert_true(found);
    leave(&b);
    site_done(&s);
}

/* The clock is the request's: go through the life of a session by hand. */
static bool alive(struct browser *b, int64_t at_ms)
{
    struct request q = b->q;
    struct pair c = {STR("sid"), cookie(b, "sid")};
    struct err e;

    q.session = NULL;
    q.store = b->world->store;
    q.now_ms = at_ms;
    q.cookies = (struct pairs){&c, 1};
    assert_ok(session_load(&q, &e));
    return q.session != NULL;
}

static void sessions_end(void **state)
{
    struct world *w = *state;
    struct site s = make_site(w, NULL);
    struct browser b = make_browser(w, &s);
    int64_t now, minute = 60 * 1000;

    add_account(w, &s, "ada", "admin");
    assert_int_equal(sign_in(&b, "ada", "correct+horse+battery"), 303);
    now = b.q.now_ms;
    assert_true(alive(&b, now + 29 * minute));
    assert_true(alive(&b, now + 58 * minute));
    assert_false(alive(&b, now + 89 * minute));
    assert_false(alive(&b, now + 58 * minute + 31 * minute));
    /* without a pause, twelve hours */
    assert_int_equal(sign_in(&b, "ada", "correct+horse+battery"), 303);
    now = b.q.now_ms;
    for (int64_t at = 20 * minute; at < 12 * 60 * minute; at += 20 * minute)
        assert_true(alive(&b, now + at));
    assert_false(alive(&b, now + 12 * 60 * minute));
    leave(&b);
    site_done(&s);
}

static void raters_have_two_hours(void **state)
{
    struct world *w = *state;
    struct site s = make_site(w, NULL);
    struct browser b = make_browser(w, &s);
    int64_t minute = 60 * 1000, now;
    struct err e;

    assert_int_equal(ask(&b, "/login", NULL), 303);
    b.q.store = w->store;
    assert_ok(session_begin(&b.q, &b.r, SESSION_RATER, 7, false, &e));
    for (size_t i = 0; i < b.r.nheaders; i++)
        if (str_is(b.r.headers[i].name, "Set-Cookie"))
            set_cookie(&b, b.r.headers[i].value);
    assert_int_equal(b.q.session->role, ROLE_RATER);
    /* an invitation that is read in the browser leads to them */
    assert_true(str_find(header(&b, "Set-Cookie"), STR("SameSite=Lax")) != SIZE_MAX);
    now = b.q.now_ms;
    assert_true(alive(&b, now + 119 * minute));
    assert_false(alive(&b, now + 119 * minute + 121 * minute));
    /* staff pages are not for raters */
    assert_int_equal(ask(&b, "/accounts", NULL), 403);
    assert_int_equal(ask(&b, "/runs", NULL), 403);
    assert_int_equal(ask(&b, "/audit", NULL), 403);
    leave(&b);
    site_done(&s);
}

static void signing_out_ends_it(void **state)
{
    struct world *w = *state;
    struct site s = make_site(w, NULL);
    struct browser a = make_browser(w, &s), b = make_browser(w, &s), c = make_browser(w, &s);

    add_account(w, &s, "ada", "admin");
    assert_int_equal(sign_in(&a, "ada", "correct+horse+battery"), 303);
    assert_int_equal(sign_in(&b, "ada", "correct+horse+battery"), 303);
    assert_int_equal(sign_in(&c, "ada", "correct+horse+battery"), 303);
    assert_int_equal(send_form(&a, "/me", "/logout", ""), 303);
    assert_int_equal(ask(&a, "/me", NULL), 303);
    assert_int_equal(ask(&b, "/me", NULL), 200);
    assert_int_equal(send_form(&b, "/me", "/logout", "everywhere=1"), 303);
    assert_int_equal(ask(&b, "/me", NULL), 303);
    assert_int_equal(ask(&c, "/me", NULL), 303);
    leave(&a);
    leave(&b);
    leave(&c);
    site_done(&s);
}

static void a_new_password_signs_others_out(void **state)
{
    struct world *w = *state;
    struct site s = make_site(w, NULL);
    struct browser a = make_browser(w, &s), b = make_browser(w, &s);

    add_account(w, &s, "ada", "admin");
    assert_int_equal(sign_in(&a, "ada", "correct+horse+battery"), 303);
    assert_int_equal(sign_in(&b, "ada", "correct+horse+battery"), 303);
    assert_int_equal(send_form(&a, "/me", "/me/password", "old=no&new=another+long+password"), 400);
    shows(&a, "current password is wrong");
    assert_int_equal(
        send_form(&a, "/me", "/me/password", "old=correct+horse+battery&new=another+long+password"),
        303);
    assert_int_equal(ask(&a, "/me", NULL), 200);
    assert_int_equal(ask(&b, "/me", NULL), 303);
    assert_int_equal(sign_in(&b, "ada", "another+long+password"), 303);
    leave(&a);
    leave(&b);
    site_done(&s);
}

/* ---- forms ---- */

static void forms_need_their_token(void **state)
{
    struct world *w = *state;
    struct site s = make_site(w, NULL);
    struct browser a = make_browser(w, &s), b = make_browser(w, &s);
    const char *mine;

    add_account(w, &s, "ada", "admin");
    /* before signing in too: nobody is signed in by a page elsewhere */
    assert_int_equal(ask(&a, "/login", "name=ada&password=correct+horse+battery"), 403);
    assert_int_equal(sign_in(&a, "ada", "correct+horse+battery"), 303);
    assert_int_equal(sign_in(&b, "ada", "correct+horse+battery"), 303);
    assert_int_equal(ask(&a, "/logout", ""), 403);
    shows(&a, "no longer valid");
    assert_int_equal(ask(&b, "/me", NULL), 200);
    mine = token(&b);
    assert_int_equal(ask(&a, "/logout", arena_printf(w->arena, "csrf=%s", mine)), 403);
    assert_int_equal(ask(&a, "/logout", "csrf="), 403);
    assert_int_equal(ask(&a, "/me", NULL), 200);
    /* as a header, for scripts */
    with(&b, "X-CSRF-Token", mine);
    assert_int_equal(ask(&b, "/logout", ""), 303);
    leave(&a);
    leave(&b);
    site_done(&s);
}

static int logout_from(struct browser *b, const char *site, const char *origin)
{
    assert_int_equal(ask(b, "/me", NULL), 200);
    if (site)
        with(b, "Sec-Fetch-Site", site);
    if (origin)
        with(b, "Origin", origin);
    return ask(b, "/stay", arena_printf(b->world->arena, "csrf=%s", token(b)));
}

static void forms_come_from_our_pages(void **state)
{
    struct world *w = *state;
    struct site s = make_site(w, NULL), p = make_site(w, "https://rate.example.org/");
    struct browser b = make_browser(w, &s), c = make_browser(w, &p);

    add_account(w, &s, "ada", "admin");
    assert_int_equal(sign_in(&b, "ada", "correct+horse+battery"), 303);
    assert_int_equal(logout_from(&b, "same-origin", "http://localhost"), 303);
    assert_int_equal(logout_from(&b, "cross-site", "http://localhost"), 403);
    assert_int_equal(logout_from(&b, "same-site", NULL), 403);
    assert_int_equal(logout_from(&b, NULL, "http://evil.example"), 403);
    shows(&b, "expected http://localhost, got http://evil.example");
    assert_int_equal(logout_from(&b, NULL, "null"), 403);
    assert_int_equal(logout_from(&b, NULL, NULL), 303);
    /* behind a proxy: the public name counts, and cookies are for TLS alone */
    c.host = "rate.example.org";
    assert_int_equal(sign_in(&c, "ada", "correct+horse+battery"), 303);
    assert_non_null(cookie(&c, "__Host-sid").p);
    assert_null(cookie(&c, "sid").p);
    assert_int_equal(logout_from(&c, NULL, "https://rate.example.org"), 303);
    assert_int_equal(logout_from(&c, NULL, "http://rate.example.org"), 403);
    shows(&c, "expected https://rate.example.org, got http://rate.example.org");
    assert_non_null(header(&c, "Strict-Transport-Security").p);
    c.host = "evil.example";
    assert_int_equal(ask(&c, "/login", NULL), 400);
    b.host = "evil.example";
    assert_int_equal(ask(&b, "/login", NULL), 400);
    leave(&b);
    leave(&c);
    site_done(&s);
    site_done(&p);
}

/* ---- who may ---- */

/* Staff who come from mail in the browser have left their cookie behind; a page of ours leads them
 * to the same address, and then they have it. */
static void cookies_of_staff_stay_on_this_site(void **state)
{
    struct world *w = *state;
    struct site s = make_site(w, NULL);
    struct browser b = make_browser(w, &s), away;
    size_t strict = 0;

    assert_int_equal(set_up(&b, s.setup_code), 303);
    for (size_t i = 0; i < b.r.nheaders; i++)
        if (str_starts(b.r.headers[i].value, STR("sid=")))
            strict += str_find(b.r.headers[i].value, STR("SameSite=Strict")) != SIZE_MAX;
    assert_int_equal(strict, 1);

    away = make_browser(w, &s);
    with(&away, "Sec-Fetch-Site", "cross-site");
    with(&away, "Sec-Fetch-Mode", "navigate");
    assert_int_equal(ask(&away, "/accounts?lang=en", NULL), 200);
    assert_string_equal(header(&away, "Refresh").p, "0; url=/accounts?lang=en");
    shows(&away, "href=\"/accounts?lang=en\"");
    assert_null(header(&away, "Location").p);
    leave(&away);

    with(&b, "Sec-Fetch-Site", "same-origin"); /* what that page then asks for */
    with(&b, "Sec-Fetch-Mode", "navigate");
    assert_int_equal(ask(&b, "/accounts?lang=en", NULL), 200);
    assert_null(header(&b, "Refresh").p);
    with(&away, "Sec-Fetch-Site", "same-origin"); /* and who is nobody signs in */
    with(&away, "Sec-Fetch-Mode", "navigate");
    assert_int_equal(ask(&away, "/accounts?lang=en", NULL), 303);
    assert_string_equal(header(&away, "Location").p, "/login?next=/accounts");

    with(&away, "Sec-Fetch-Site", "cross-site"); /* nothing but looking */
    with(&away, "Sec-Fetch-Mode", "navigate");
    assert_int_equal(ask(&away, "/accounts", "name=eve"), 401);
    leave(&away);
    leave(&b);
    site_done(&s);
}

static void roles_are_kept_apart(void **state)
{
    static const struct {
        const char *name, *path;
        int want;
    } cases[] = {
        {"admin", "/accounts", 200},     {"admin", "/audit", 200},
        {"admin", "/runs", 200},         {"analyst", "/runs", 200},
        {"analyst", "/accounts", 403},   {"analyst", "/audit", 403},
        {"coordinator", "/runs", 403},   {"coordinator", "/accounts", 403},
        {"coordinator", "/runs/x", 403}, {"coordinator", "/me", 200},
    };
    struct world *w = *state;
    struct site s = make_site(w, NULL);
    struct browser b = make_browser(w, &s);

    add_account(w, &s, "admin", "admin");
    add_account(w, &s, "analyst", "analyst");
    add_account(w, &s, "coordinator", "coordinator");
    for (size_t i = 0; i < COUNT(cases); i++) {
        if (i == 0 || strcmp(cases[i].name, cases[i - 1].name) != 0)
            assert_int_equal(sign_in(&b, cases[i].name, "correct+horse+battery"), 303);
        if (ask(&b, cases[i].path, NULL) != cases[i].want)
            fail_msg("%s at %s: %d", cases[i].name, cases[i].path, b.r.status);
    }
    /* as nobody: to the door, and back to where one wanted to go */
    b.ncookies = 0;
    assert_int_equal(ask(&b, "/accounts", NULL), 303);
    assert_string_equal(header(&b, "Location").p, "/login?next=/accounts");
    assert_int_equal(ask(&b, "/accounts", "name=x"), 401);
    leave(&b);
    site_done(&s);
}

static void nobody_is_sent_elsewhere(void **state)
{
    static const char *const bad[] = {"//evil.example",      "https://evil.example",
                                      "/\\evil.example",     "/%2f/evil.example",
                                      "javascript:alert(1)", "/../x"};
    struct world *w = *state;
    struct site s = make_site(w, NULL);
    struct browser b = make_browser(w, &s);

    add_account(w, &s, "ada", "admin");
    for (size_t i = 0; i < COUNT(bad); i++) {
        assert_int_equal(
            sign_in(&b, "ada", arena_printf(w->arena, "correct+horse+battery&next=%s", bad[i])),
            303);
        assert_string_equal(header(&b, "Location").p, "/");
    }
    assert_int_equal(sign_in(&b, "ada", "correct+horse+battery&next=/audit"), 303);
    assert_string_equal(header(&b, "Location").p, "/audit");
    leave(&b);
    site_done(&s);
}

static void accounts_are_looked_after(void **state)
{
    struct world *w = *state;
    struct site s = make_site(w, NULL);
    struct browser a = make_browser(w, &s), b = make_browser(w, &s);

    add_account(w, &s, "ada", "admin");
    add_account(w, &s, "bob", "analyst");
    assert_int_equal(sign_in(&a, "ada", "correct+horse+battery"), 303);
    assert_int_equal(sign_in(&b, "bob", "correct+horse+battery"), 303);
    assert_int_equal(send_form(&a, "/accounts", "/accounts/2", "act=disable"), 303);
    assert_int_equal(ask(&b, "/runs", NULL), 303);
    assert_int_equal(sign_in(&b, "bob", "correct+horse+battery"), 401);
    assert_int_equal(send_form(&a, "/accounts", "/accounts/2", "act=enable"), 303);
    assert_int_equal(sign_in(&b, "bob", "correct+horse+battery"), 303);
    /* a forgotten password, another role: both end the sessions there are */
    assert_int_equal(
        send_form(&a, "/accounts/2", "/accounts/2", "act=password&password=another+long+password"),
        303);
    assert_int_equal(ask(&b, "/runs", NULL), 303);
    assert_int_equal(sign_in(&b, "bob", "another+long+password"), 303);
    assert_int_equal(send_form(&a, "/accounts/2", "/accounts/2", "act=password&password=short"),
                     400);
    assert_int_equal(send_form(&a, "/accounts/2", "/accounts/2", "act=role&role=owner"), 400);
    assert_int_equal(send_form(&a, "/accounts/2", "/accounts/2", "act=role&role=coordinator"), 303);
    assert_int_equal(ask(&b, "/runs", NULL), 303);
    assert_int_equal(sign_in(&b, "bob", "another+long+password"), 303);
    assert_int_equal(ask(&b, "/runs", NULL), 403);
    /* somebody must be able to look after things */
    assert_int_equal(send_form(&a, "/accounts", "/accounts/1", "act=role&role=analyst"), 400);
    assert_int_equal(send_form(&a, "/accounts", "/accounts/1", "act=disable"), 400);
    shows(&a, "At least one administrator must remain");
    assert_int_equal(send_form(&a, "/accounts", "/accounts/99", "act=disable"), 404);
    leave(&a);
    leave(&b);
    site_done(&s);
}

static void guessing_is_slowed(void **state)
{
    struct world *w = *state;
    struct site s = make_site(w, NULL);
    struct browser b = make_browser(w, &s);

    add_account(w, &s, "ada", "admin");
    for (int i = 0; i < 5; i++)
        assert_int_equal(sign_in(&b, "ada", "guess+guess+guess"), 401);
    assert_int_equal(sign_in(&b, "ada", "correct+horse+battery"), 429);
    assert_non_null(header(&b, "Retry-After").p);
    /* a name that does not exist is treated the same */
    for (int i = 0; i < 5; i++)
        assert_int_equal(sign_in(&b, "nobody", "guess+guess+guess"), 401);
    assert_int_equal(sign_in(&b, "nobody", "guess+guess+guess"), 429);
    leave(&b);
    site_done(&s);
}

/* ---- what is written down ---- */

static void acts_are_logged_for_good(void **state)
{
    struct world *w = *state;
    struct site s = make_site(w, NULL);
    struct browser b = make_browser(w, &s);
    struct audit_list log;
    struct err e;

    assert_int_equal(set_up(&b, s.setup_code), 303);
    assert_int_equal(send_form(&b, "/accounts", "/accounts",
                               "name=bob&password=another+long+password&role=analyst"),
                     303);
    assert_int_equal(send_form(&b, "/accounts", "/accounts/2", "act=disable"), 303);
    assert_ok(store_audit_list(w->arena, w->store, 0, 10, &log, &e));
    assert_int_equal(log.n, 4);
    assert_string_equal(log.v[0].what, "account-disable");
    assert_string_equal(log.v[0].who, "ada");
    assert_string_equal(log.v[0].subject, "bob");
    assert_string_equal(log.v[1].what, "account-add");
    assert_string_equal(log.v[2].what, "sign-in");
    assert_string_equal(log.v[2].who, "ada");
    assert_string_equal(log.v[3].what, "set-up");
    assert_int_equal(ask(&b, "/audit", NULL), 200);
    shows(&b, "disabled account bob");
    assert_int_equal(db_script(w->store->db, "UPDATE audit SET who = 'eve'", &e), E_STORE);
    assert_int_equal(db_script(w->store->db, "DELETE FROM audit", &e), E_STORE);
    assert_ok(store_audit_list(w->arena, w->store, log.v[1].id, 1, &log, &e));
    assert_int_equal(log.n, 1);
    assert_string_equal(log.v[0].what, "sign-in");
    leave(&b);
    site_done(&s);
}

/* ---- answers ---- */

static void answers_are_guarded(void **state)
{
    static const char *const wanted[] = {"Content-Security-Policy", "X-Content-Type-Options",
                                         "Referrer-Policy", "Cross-Origin-Opener-Policy",
                                         "Cache-Control"};
    static const char *const paths[] = {"/login", "/nowhere", "/..", "/setup"};
    struct world *w = *state;
    struct site s = make_site(w, NULL);
    struct browser b = make_browser(w, &s);

    for (size_t i = 0; i < COUNT(paths); i++) {
        (void)ask(&b, paths[i], NULL);
        for (size_t k = 0; k < COUNT(wanted); k++)
            if (!header(&b, wanted[k]).p)
                fail_msg("%s has no %s", paths[i], wanted[k]);
    }
    leave(&b);
    site_done(&s);
}

static void errors_speak_the_readers_language(void **state)
{
    struct world *w = *state;
    struct site s = make_site(w, NULL);
    struct browser b = make_browser(w, &s);

    assert_int_equal(ask(&b, "/nowhere", NULL), 404);
    shows(&b, "There is no such page.");
    with(&b, "Accept-Language", "ja,en;q=0.5");
    assert_int_equal(ask(&b, "/nowhere", NULL), 404);
    shows(&b, "そのページはありません。");
    shows(&b, "<html lang=\"ja\">");
    assert_int_equal(ask(&b, "/nowhere?lang=zh", NULL), 404);
    shows(&b, "没有这个页面。");
    with(&b, "Accept-Language", "ja");
    assert_int_equal(ask(&b, "/nowhere", NULL), 404); /* kept in a cookie */
    shows(&b, "没有这个页面。");
    leave(&b);
    site_done(&s);
}

static void files_come_from_the_table(void **state)
{
    struct world *w = *state;
    struct site s = make_site(w, NULL);
    struct browser b = make_browser(w, &s);
    const char *css = arena_printf(w->arena, "/static/%s/style.css", s.assets);
    struct str tag;

    assert_int_equal(ask(&b, css, NULL), 200);
    assert_true(str_starts(header(&b, "Content-Type"), STR("text/css")));
    assert_true(b.r.fixed.n > 100);
    tag = header(&b, "ETag");
    with(&b, "If-None-Match", arena_text(w->arena, tag));
    assert_int_equal(ask(&b, css, NULL), 304);
    assert_int_equal(ask(&b, "/static/old/app.js", NULL), 200);
    assert_string_equal(header(&b, "Cache-Control").p, "no-cache");
    assert_int_equal(ask(&b, "/static/x/none.css", NULL), 404);
    assert_int_equal(ask(&b, "/static/x/style.css/y", NULL), 404);
    leave(&b);
    site_done(&s);
}

static void bodies_have_types(void **state)
{
    struct world *w = *state;
    struct site s = make_site(w, NULL);
    struct browser b = make_browser(w, &s);

    add_account(w, &s, "ada", "admin");
    assert_int_equal(sign_in(&b, "ada", "correct+horse+battery"), 303);
    assert_int_equal(ask(&b, "/logout", "csrf=%zz"), 400);
    assert_int_equal(ask(&b, "/logout", "csrf=%ff"), 400);
    leave(&b);
    site_done(&s);
}

static void where_plain_http_may_be(void **state)
{
    struct world *w = *state;
    struct site_config c = {.bind = "0.0.0.0", .routes = route_all()};
    struct site s;
    struct err e;

    assert_int_equal(site_init(w->arena, &c, &s, &e), E_USAGE);
    assert_says(&e, "--tls-cert");
    c.public_url = "http://rate.example.org";
    assert_int_equal(site_init(w->arena, &c, &s, &e), E_USAGE);
    c.public_url = "https://rate.example.org/path";
    assert_int_equal(site_init(w->arena, &c, &s, &e), E_USAGE);
    assert_says(&e, "without a path");
    c.public_url = "https://rate.example.org";
    assert_ok(site_init(w->arena, &c, &s, &e));
    site_done(&s);
    c.bind = "all";
    assert_int_equal(site_init(w->arena, &c, &s, &e), E_USAGE);
}

#define TESTS(setup)                                                                               \
    WORLD_TEST(the_first_account_needs_the_code, setup),                                           \
        WORLD_TEST(signing_in_makes_a_new_token, setup),                                           \
        WORLD_TEST(tokens_are_not_in_the_store, setup), WORLD_TEST(sessions_end, setup),           \
        WORLD_TEST(raters_have_two_hours, setup), WORLD_TEST(signing_out_ends_it, setup),          \
        WORLD_TEST(a_new_password_signs_others_out, setup),                                        \
        WORLD_TEST(forms_need_their_token, setup), WORLD_TEST(forms_come_from_our_pages, setup),   \
        WORLD_TEST(cookies_of_staff_stay_on_this_site, setup),                                     \
        WORLD_TEST(roles_are_kept_apart, setup), WORLD_TEST(nobody_is_sent_elsewhere, setup),      \
        WORLD_TEST(accounts_are_looked_after, setup), WORLD_TEST(guessing_is_slowed, setup),       \
        WORLD_TEST(acts_are_logged_for_good, setup), WORLD_TEST(answers_are_guarded, setup),       \
        WORLD_TEST(errors_speak_the_readers_language, setup),                                      \
        WORLD_TEST(files_come_from_the_table, setup), WORLD_TEST(bodies_have_types, setup),        \
        WORLD_TEST(where_plain_http_may_be, setup)

WORLD_MAIN("site", TESTS)
