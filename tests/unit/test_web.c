/* Requests taken apart, routes, addresses, limits, markup: what needs no store. */
/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <sys/socket.h>
#include <unistd.h>

#include "base/sieve.h"
#include "report/html.h"
#include "web/address.h"
#include "web/guard.h"
#include "web/head.h"
#include "web/password.h"
#include "web/route.h"
#include "web/throttle.h"

static int setup(void **state)
{
    *state = arena_new();
    return 0;
}

static int teardown(void **state)
{
    arena_free(*state);
    return 0;
}

/* ---- heads ---- */

static void heads_are_read(void **state)
{
    struct str text = STR("POST /a?b HTTP/1.1\r\nHost: x\r\nA-B:\t c d \t\r\nC:\r\n"
                          "Connection: Upgrade, Close\r\n\r\nGET / HTTP/1.1\r\n");
    size_t seen = 0, n = 0, all = text.n - strlen("GET / HTTP/1.1\r\n");
    struct head h;

    for (size_t i = 0; i < all; i++) { /* however it comes */
        assert_int_equal(n, 0);
        n = head_size((struct str){text.p, i + 1}, &seen);
    }
    assert_int_equal(n, all);
    seen = 0;
    assert_int_equal(head_size(text, &seen), all);
    h = head_read(*state, (struct str){text.p, all});
    assert_int_equal(h.fault, 0);
    assert_int_equal(h.minor, 1);
    assert_string_equal(h.method.p, "POST");
    assert_string_equal(h.target.p, "/a?b");
    assert_int_equal(h.headers.n, 4);
    assert_string_equal(h.headers.v[1].name.p, "A-B");
    assert_string_equal(h.headers.v[1].value.p, "c d");
    assert_string_equal(h.headers.v[2].value.p, "");
    assert_false(head_keeps(&h));
    h = head_read(*state, STR("GET / HTTP/1.1\r\nExpect: 100-Continue\r\n\r\n"));
    assert_true(head_keeps(&h));
    assert_true(head_expects(&h));
    h = head_read(*state, STR("GET / HTTP/1.0\r\nExpect: 100-continue\r\n\r\n"));
    assert_int_equal(h.fault, 0);
    assert_false(head_keeps(&h));
    assert_false(head_expects(&h));
}

static void bad_heads_are_told_at_once(void **state)
{
    static const struct {
        const char *text; /* up to the byte that ends it */
        int fault;
    } cases[] = {
        {"\n", 400},
        {"GET / HTTP/1.1\n", 400},
        {"GET / HTTP/1.1\r\nA: b\n", 400},
        {"GET / HTTP/1.1\r\nA: b\rc", 400},
        {"GET / HTTP/1.1\r\nA: b\r\r", 400},
        {"\r\n\r\n", 400},
        {"GET /\r\n\r\n", 400},
        {"GET / HTTP/2.0\r\n\r\n", 505},
        {"GET / HTTP/1.10\r\n\r\n", 400},
        {"GET / HTTP/1.1 \r\n\r\n", 400},
        {"GET  / HTTP/1.1\r\n\r\n", 400},
        {"G(T / HTTP/1.1\r\n\r\n", 400},
        {"GET /\t HTTP/1.1\r\n\r\n", 400},
        {"GET /\x7f HTTP/1.1\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nA\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\n: a\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nA : b\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\n A: b\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nA: b\r\n c\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nA: b\r\n\tc: d\r\n\r\n", 400},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct str text = str_of(cases[i].text);
        size_t seen = 0, n = head_size(text, &seen);
        struct head h = head_read(*state, text);
        if (n != text.n || h.fault != cases[i].fault)
            fail_msg("%zu: %zu of %zu bytes, %d", i, n, text.n, h.fault);
        assert_false(head_keeps(&h));
    }
}

static void heads_have_an_end(void **state)
{
    static char long_line[HEAD_MAX + 10];
    struct str text = {long_line, sizeof long_line};
    size_t seen = 0;

    memset(long_line, 'a', sizeof long_line);
    assert_int_equal(head_size((struct str){long_line, HEAD_MAX - 1}, &seen), 0);
    assert_int_equal(head_size(text, &seen), HEAD_MAX);
    text.n = HEAD_MAX;
    assert_int_equal(head_read(*state, text).fault, 414);
    memcpy(long_line + 100, "\r\n", 2);
    assert_int_equal(head_read(*state, text).fault, 431);
    long_line[200] = '\0';
    assert_int_equal(head_read(*state, text).fault, 400);
}

static void answers_have_one_head(void **state)
{
    AUTO(buf_done) struct buf out = BUF_MAX(4 << 10);
    struct response r = {.arena = *state, .status = 404};

    response_header(&r, "A", "b");
    response_header(&r, "Evil", "b\r\n\r\nHTTP/1.1 200 OK");
    head_write(&out, &r, 7, true);
    assert_true(str_starts(buf_str(&out), STR("HTTP/1.1 404 Not Found\r\nDate: ")));
    assert_true(str_ends(buf_str(&out),
                         STR(" GMT\r\nA: b\r\nContent-Length: 7\r\nConnection: close\r\n\r\n")));
    buf_clear(&out);
    head_write(&out, &r, HEAD_CHUNKS, false);
    assert_true(str_ends(buf_str(&out), STR("\r\nA: b\r\nTransfer-Encoding: chunked\r\n\r\n")));
}

/* ---- the request line ---- */

static void paths_are_decoded(void **state)
{
    struct pairs query;
    struct str path;
    struct err e;

    assert_int_equal(
        request_target(*state, STR("/rate/%E4%BD%A0%20a+b?x=1+2&y=%26&z&=q"), &path, &query, &e),
        OK);
    assert_string_equal(path.p, "/rate/你 a+b");
    assert_int_equal(query.n, 4);
    assert_string_equal(pairs_get(&query, "x").p, "1 2");
    assert_string_equal(pairs_get(&query, "y").p, "&");
    assert_int_equal(pairs_get(&query, "z").n, 0);
    assert_non_null(pairs_get(&query, "z").p);
    assert_null(pairs_get(&query, "absent").p);
    assert_int_equal(request_target(*state, STR("/"), &path, &query, &e), OK);
    assert_string_equal(path.p, "/");
    assert_int_equal(request_target(*state, STR("/a/"), &path, &query, &e), OK);
    assert_string_equal(path.p, "/a/");
}

static void path_tricks_are_refused(void **state)
{
    static const char *const bad[] = {
        "",          "a",       "http://x/", "/..",    "/../x",      "/a/../b",  "/a/./b",
        "/%2e%2e/x", "/%2E%2e", "/a%2fb",    "/a%2Fb", "/a%5cb",     "/a\\b",    "/a%00",
        "/%",        "/%4",     "/%zz",      "/a//b",  "//evil.org", "/%ff",     "/%c0%ae%c0%ae",
        "/a%0d%0ab", "/a\tb",   "/a%7f",     "/x?a=%", "/x?a=%00",   "/x?%ff=1", "/%ed%a0%80",
    };
    struct pairs query;
    struct str path;
    struct err e;

    for (size_t i = 0; i < COUNT(bad); i++)
        if (request_target(*state, str_of(bad[i]), &path, &query, &e) != E_INPUT)
            fail_msg("%s was taken", bad[i]);
}

static void forms_have_a_limit(void **state)
{
    AUTO(buf_done) struct buf b = BUF_MAX(100000);
    struct pairs form;
    struct err e;

    for (int i = 0; i < REQUEST_PAIRS; i++)
        buf_fmt(&b, "%sf%d=%d", i ? "&" : "", i, i);
    assert_int_equal(request_urlencoded(*state, buf_str(&b), &form, &e), OK);
    assert_int_equal(form.n, REQUEST_PAIRS);
    assert_string_equal(pairs_get(&form, "f999").p, "999");
    buf_text(&b, "&one=more");
    assert_int_equal(request_urlencoded(*state, buf_str(&b), &form, &e), E_INPUT);
}

/* ---- headers ---- */

struct head_case {
    const char *name, *value, *name2, *value2;
    enum status want;
};

static void headers_are_checked(void **state)
{
    static const struct head_case cases[] = {
        {"Host", "a.example:80", "X", "y\tz", OK},
        {"Host", "[::1]:8080", "content-length", "12", OK},
        {"Host", "a", "Transfer-Encoding", "Chunked", OK},
        {"X", "y", "Z", "z", E_INPUT},
        {"Host", "a", "host", "a", E_INPUT},
        {"Host", "a b", "X", "", E_INPUT},
        {"Host", "a/b", "X", "", E_INPUT},
        {"Host", "", "X", "", E_INPUT},
        {"Host", "a", "X ", "y", E_INPUT},
        {"Host", "a", "", "y", E_INPUT},
        {"Host", "a", "X", "y\rz", E_INPUT},
        {"Host", "a", "Content-Length", "-1", E_INPUT},
        {"Host", "a", "Content-Length", "0x10", E_INPUT},
        {"Host", "a", "Content-Length", "1, 1", E_INPUT},
        {"Host", "a", "Content-Length", "", E_INPUT},
        {"Host", "a", "Transfer-Encoding", "gzip, chunked", E_INPUT},
        {"Host", "a", "Transfer-Encoding", "identity", E_INPUT},
    };
    struct err e;

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct pair v[] = {{str_of(cases[i].name), str_of(cases[i].value)},
                           {str_of(cases[i].name2), str_of(cases[i].value2)}};
        struct pairs h = {v, 2};
        if (request_headers_check(&h, &e) != cases[i].want)
            fail_msg("%s: %s, %s: %s", cases[i].name, cases[i].value, cases[i].name2,
                     cases[i].value2);
    }
}

static void a_body_has_one_length(void **state)
{
    struct pair v[] = {{STR("Host"), STR("a")},
                       {STR("Content-Length"), STR("3")},
                       {STR("Transfer-Encoding"), STR("chunked")},
                       {STR("Content-Length"), STR("3")}};
    struct pairs both = {v, 3};
    struct err e;

    (void)state;
    assert_int_equal(request_headers_check(&both, &e), E_INPUT);
    v[2] = v[3];
    assert_int_equal(request_headers_check(&both, &e), E_INPUT);
    both.n = 2;
    assert_int_equal(request_headers_check(&both, &e), OK);
    assert_int_equal(request_body_length(&both), 3);
    both.n = 1;
    assert_int_equal(request_body_length(&both), -1);
}

static void too_many_headers(void **state)
{
    struct pair v[REQUEST_HEADERS + 1];
    struct pairs h = {v, COUNT(v)};
    struct err e;

    (void)state;
    v[0] = (struct pair){STR("Host"), STR("a")};
    for (size_t i = 1; i < COUNT(v); i++)
        v[i] = (struct pair){STR("X"), STR("y")};
    assert_int_equal(request_headers_check(&h, &e), E_FULL);
    h.n--;
    assert_int_equal(request_headers_check(&h, &e), OK);
}

static void cookies_are_read(void **state)
{
    struct pairs c = request_cookies(*state, STR(" a=1;b=2=3 ; =x; c; d=\xff; e="));

    assert_int_equal(c.n, 3);
    assert_string_equal(pairs_get(&c, "a").p, "1");
    assert_string_equal(pairs_get(&c, "b").p, "2=3");
    assert_int_equal(pairs_get(&c, "e").n, 0);
    assert_null(pairs_get(&c, "d").p);
}

static void languages_by_weight(void **state)
{
    (void)state;
    assert_string_equal(request_accept_language(STR("ja")), "ja");
    assert_string_equal(request_accept_language(STR("fr, zh-Hant;q=0.5, ja;q=0.8")), "ja");
    assert_string_equal(request_accept_language(STR("zh-CN,zh;q=0.9,en;q=0.8")), "zh");
    assert_string_equal(request_accept_language(STR("EN-gb")), "en");
    assert_null(request_accept_language(STR("fr, de;q=0.5")));
    assert_null(request_accept_language(STR("zh;q=0")));
    assert_null(request_accept_language(STR("zhx, enormous")));
    assert_null(request_accept_language((struct str){NULL, 0}));
}

static void a_weight_of_zero_refuses(void **state)
{
    (void)state;
    assert_true(request_accepts(STR("br, gzip"), "gzip"));
    assert_true(request_accepts(STR("GZIP;q=0.5,br"), "gzip"));
    assert_false(request_accepts(STR("gzip;q=0"), "gzip"));
    assert_false(request_accepts(STR("gzip; q=0, br"), "gzip"));
    assert_false(request_accepts(STR("br,gzip;q=0.000"), "gzip"));
    assert_false(request_accepts(STR("not-gzip"), "gzip"));
    assert_false(request_accepts(STR(""), "gzip"));
}

/* ---- routes ---- */

static enum status nothing(struct request *q, struct response *r, struct err *e)
{
    (void)q;
    (void)r;
    (void)e;
    return OK;
}

static void routes_match_whole_paths(void **state)
{
    static const struct route v[] = {
        {METHOD_GET, "/", ROLE_ANYONE, nothing, 0},
        {METHOD_GET, "/rate/new", ROLE_RATER, nothing, 0},
        {METHOD_GET, "/rate/{id}", ROLE_RATER, nothing, 0},
        {METHOD_PUT, "/rate/{id}/{dimension}", ROLE_RATER, nothing, 0},
    };
    struct route_table t = {v, COUNT(v)};
    struct pairs p;
    bool others;

    assert_ptr_equal(route_find(*state, &t, METHOD_GET, STR("/"), &p, &others), &v[0]);
    assert_ptr_equal(route_find(*state, &t, METHOD_HEAD, STR("/rate/new"), &p, &others), &v[1]);
    assert_ptr_equal(route_find(*state, &t, METHOD_GET, STR("/rate/17"), &p, &others), &v[2]);
    assert_string_equal(pairs_get(&p, "id").p, "17");
    assert_ptr_equal(route_find(*state, &t, METHOD_PUT, STR("/rate/17/tone"), &p, &others), &v[3]);
    assert_string_equal(pairs_get(&p, "dimension").p, "tone");
    assert_null(route_find(*state, &t, METHOD_POST, STR("/rate/17"), &p, &others));
    assert_true(others);
    assert_null(route_find(*state, &t, METHODS, STR("/rate/17"), &p, &others));
    assert_true(others);
    assert_null(route_find(*state, &t, METHOD_GET, STR("/rate/"), &p, &others));
    assert_null(route_find(*state, &t, METHOD_GET, STR("/rate"), &p, &others));
    assert_null(route_find(*state, &t, METHOD_GET, STR("/rate/1/2/3"), &p, &others));
    assert_false(others);
}

static void every_page_says_who_may(void **state)
{
    struct route_table t = route_all();

    (void)state;
    for (size_t i = 0; i < t.n; i++) {
        const struct route *r = &t.v[i];
        bool open = r->allow & ROLE_NOBODY;
        if (!r->allow || !r->run || r->pattern[0] != '/' || r->method == METHOD_HEAD)
            fail_msg("%s: the line is not whole", r->pattern);
        if (!open && (r->flags & ROUTE_BARE))
            fail_msg("%s: nobody knows who asks", r->pattern);
        for (size_t k = 0; k < i; k++)
            if (t.v[k].method == r->method && strcmp(t.v[k].pattern, r->pattern) == 0)
                fail_msg("%s stands twice", r->pattern);
    }
}

/* ---- addresses ---- */

static struct address address(const char *text)
{
    struct address a;

    assert_true(address_read(str_of(text), &a));
    return a;
}

static struct network network(const char *text)
{
    struct network n;
    struct err e;

    assert_int_equal(network_read(str_of(text), &n, &e), OK);
    return n;
}

static void networks_have_addresses(void **state)
{
    static const char *const bad[] = {"",  "10.0.0.0/33", "10.0.0/8", "::/129",
                                      "x", "1.2.3.4/",    "/8"};
    struct network ten = network("10.0.0.0/8"), odd = network("192.168.128.0/17"),
                   six = network("2001:db8::/33"), one = network("::1");
    struct address a;
    struct err e;

    (void)state;
    a = address("10.255.1.2");
    assert_true(network_has(&ten, &a));
    a = address("11.0.0.1");
    assert_false(network_has(&ten, &a));
    a = address("192.168.127.255");
    assert_false(network_has(&odd, &a));
    a = address("192.168.200.1");
    assert_true(network_has(&odd, &a));
    a = address("2001:db8:7fff::1");
    assert_true(network_has(&six, &a));
    a = address("2001:db8:8000::1");
    assert_false(network_has(&six, &a));
    a = address("::1");
    assert_true(network_has(&one, &a));
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_int_equal(network_read(str_of(bad[i]), &ten, &e), E_USAGE);
}

static const char *seen(struct arena *a, const char *peer, const char *forwarded)
{
    struct network trusted[] = {network("10.0.0.0/8"), network("127.0.0.1")};
    struct address x = address_behind(trusted, 2, address(peer), str_of(forwarded));

    return address_text(a, &x);
}

static void proxies_are_believed_when_trusted(void **state)
{
    assert_string_equal(seen(*state, "203.0.113.9", "1.1.1.1"), "203.0.113.9");
    assert_string_equal(seen(*state, "127.0.0.1", "203.0.113.9"), "203.0.113.9");
    /* what stands left of the first stranger was written by the stranger */
    assert_string_equal(seen(*state, "127.0.0.1", "8.8.8.8, 203.0.113.9, 10.1.1.1"), "203.0.113.9");
    assert_string_equal(seen(*state, "127.0.0.1", "10.1.1.1"), "10.1.1.1");
    assert_string_equal(seen(*state, "127.0.0.1", "nonsense"), "127.0.0.1");
    assert_string_equal(seen(*state, "127.0.0.1", ""), "127.0.0.1");
    assert_string_equal(seen(*state, "127.0.0.1", "2001:db8::7"), "2001:db8::7");
}

static void six_is_counted_by_half(void **state)
{
    struct address a = address("2001:db8:1:2:3:4:5:6"), b = address("198.51.100.7");

    assert_string_equal(address_network_text(*state, &a), "2001:db8:1:2::/64");
    assert_string_equal(address_network_text(*state, &b), "198.51.100.7");
    a = address("127.9.9.9");
    assert_true(address_is_loopback(&a));
    a = address("::1");
    assert_true(address_is_loopback(&a));
    a = address("::2");
    assert_false(address_is_loopback(&a));
}

/* ---- limits ---- */

/* Whoever has a network of IPv6 has addresses without end, and still no more connections. */
static void connections_are_counted_by_network(void **state)
{
    static const struct {
        const char *from;
        bool room;
    } cases[] = {{"2001:db8::1", true},
                 {"2001:db8::2", true},
                 {"2001:db8::ffff:0:0:1", false},
                 {"2001:db8:0:1::1", true},
                 {"192.0.2.1", true},
                 {"192.0.2.2", true},
                 {"192.0.2.1", true},
                 {"192.0.2.1", false},
                 {"::1", true},
                 {"::2", true}, /* the last of eight */
                 {"198.51.100.1", false}};
    struct peer *peers[COUNT(cases)];
    struct guard *g;
    struct err e;

    (void)state;
    assert_int_equal(
        guard_new(&g, (struct guard_limits){.all = 8, .crowded = 100, .network = 2}, &e), OK);
    for (size_t i = 0; i < COUNT(cases); i++) {
        peers[i] = guard_add(g, -1, address(cases[i].from));
        assert_int_equal(peers[i] != NULL, cases[i].room);
    }
    guard_remove(g, peers[0]);
    peers[0] = guard_add(g, -1, address("2001:db8::3"));
    assert_non_null(peers[0]);
    for (size_t i = 0; i < COUNT(cases); i++)
        if (peers[i])
            guard_remove(g, peers[i]);
    guard_free(g);
}

static void silent_ones_make_room(void **state)
{
    enum { MANY = 40, CROWDED = 32 };
    struct peer *peers[MANY];
    struct guard *g;
    struct err e;
    int pair[MANY][2], gone = 0;
    char c;

    (void)state;
    assert_int_equal(guard_new(&g, (struct guard_limits){.all = 1000, .crowded = CROWDED}, &e), OK);
    for (int i = 0; i < MANY; i++) {
        assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair[i]), 0);
        peers[i] = guard_add(g, pair[i][0], address("192.0.2.1"));
        if (i == 0)
            guard_phase(peers[0], PHASE_BODY); /* it is being served */
    }
    for (int i = 0; i < MANY; i++)
        gone += recv(pair[i][1], &c, 1, MSG_DONTWAIT) == 0;
    assert_int_equal(gone, MANY - CROWDED);
    assert_int_equal(recv(pair[0][1], &c, 1, MSG_DONTWAIT), -1);
    assert_int_equal(recv(pair[1][1], &c, 1, MSG_DONTWAIT), 0); /* the oldest that is silent */
    assert_int_equal(recv(pair[MANY - 1][1], &c, 1, MSG_DONTWAIT), -1);
    for (int i = 0; i < MANY; i++) {
        guard_remove(g, peers[i]);
        (void)close(pair[i][0]);
        (void)close(pair[i][1]);
    }
    guard_free(g);
}

/* Bodies that drip in, or answers that drip out, do so until somebody needs the place. */
static void slow_ones_make_room(void **state)
{
    enum { MANY = 6, CROWDED = 4 };
    struct peer *peers[MANY];
    struct guard *g;
    struct err e;
    int pair[MANY][2];
    char c;

    (void)state;
    assert_int_equal(guard_new(&g, (struct guard_limits){.all = 1000, .crowded = CROWDED}, &e), OK);
    for (int i = 0; i < MANY; i++) {
        assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair[i]), 0);
        peers[i] = guard_add(g, pair[i][0], address("192.0.2.1"));
        guard_phase(peers[i], i == 0 ? PHASE_ANSWER : i == 1 ? PHASE_TAKE : PHASE_BODY);
    }
    for (int i = 0; i < MANY; i++)
        assert_int_equal(recv(pair[i][1], &c, 1, MSG_DONTWAIT), i == 1 || i == 2 ? 0 : -1);
    for (int i = 0; i < MANY; i++) {
        guard_remove(g, peers[i]);
        (void)close(pair[i][0]);
        (void)close(pair[i][1]);
    }
    guard_free(g);
}

/* Those that were shut keep their descriptors until they are removed, however many come at once. */
static void shut_ones_count_until_they_are_removed(void **state)
{
    enum { MANY = 6, CROWDED = 4 };
    struct peer *peers[MANY];
    struct guard *g;
    struct err e;
    int pair[MANY][2];

    (void)state;
    assert_int_equal(guard_new(&g, (struct guard_limits){.all = MANY, .crowded = CROWDED}, &e), OK);
    for (int i = 0; i < MANY; i++) {
        assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair[i]), 0);
        peers[i] = guard_add(g, pair[i][0], address("192.0.2.1"));
        assert_non_null(peers[i]);
    }
    assert_true(guard_is_clearing(g));
    assert_null(guard_add(g, pair[0][0], address("192.0.2.1")));
    guard_remove(g, peers[0]);
    assert_false(guard_is_clearing(g));
    peers[0] = guard_add(g, pair[0][0], address("192.0.2.1"));
    assert_non_null(peers[0]);
    for (int i = 0; i < MANY; i++) {
        guard_remove(g, peers[i]);
        (void)close(pair[i][0]);
        (void)close(pair[i][1]);
    }
    guard_free(g);
}

static void common_passwords_are_few_pieces(void **state)
{
    static const char *const bad[] = {
        "password1234",
        "Password123!",
        "P@ssw0rd2024",
        "123456789012",
        "qwertyuiop12",
        "1q2w3e4r5t6y",
        "1qaz2wsx3edc",
        "abcdefghijkl",
        "aaaaaaaaaaaa",
        "abcabcabcabc",
        "iloveyou2023",
        "administrator",
        "q1w2e3r4t5y6",
        "147258369147",
        "111222333444",
        "jessica12345",
        "woaini1314520",
        "thisisapassword",
        "密码密码密码密码密码密码",
        "passwordpassword",
        "qwerty123456",
        "letmein12345",
        "zaq12wsxcde3",
        "welcome2024!!",
        "Summer2024!!!",
        "ada-ada-ada-ada",
        "哈哈哈哈哈哈哈哈哈哈哈哈",
    };
    static const char *const good[] = {"correct horse battery", "mV9#kd-Lq2xZ", "gentle otter 71 x",
                                       "春眠不觉晓处处闻啼鸟夜来"};

    (void)state;
    for (size_t i = 0; i < COUNT(bad); i++)
        if (password_pieces(str_of(bad[i]), STR("ada")) >= PASSWORD_PIECES_MIN)
            fail_msg("%s: %zu", bad[i], password_pieces(str_of(bad[i]), STR("ada")));
    for (size_t i = 0; i < COUNT(good); i++)
        if (password_pieces(str_of(good[i]), STR("ada")) < PASSWORD_PIECES_MIN)
            fail_msg("%s: %zu", good[i], password_pieces(str_of(good[i]), STR("ada")));
}

static void words_of_the_dictionary(void **state)
{
    static const char *const bad[] = {"administrative", "Extraordinary1!", "2024extraordinary",
                                      "extr40rdinary99"};
    static const char *const good[] = {"correct horse battery", "extra-ordinary-otter",
                                       "extraordinaryx otter", "", "1234567890123"};

    (void)state;
    if (!sieve_size) {
        print_message("built without a word list: cracklib-runtime has one\n");
        skip();
    }
    for (size_t i = 0; i < COUNT(bad); i++)
        if (!password_is_word(str_of(bad[i])))
            fail_msg("%s", bad[i]);
    for (size_t i = 0; i < COUNT(good); i++)
        assert_false(password_is_word(str_of(good[i])));
}

static void forwarded_is_read(void **state)
{
    struct str list = address_forwarded(
        *state, STR("for=\"[2001:db8::7]:443\";proto=https, For=203.0.113.9:80 ;by=10.0.0.1"));

    assert_true(str_is(list, "\"[2001:db8::7]:443\",203.0.113.9:80"));
    assert_string_equal(seen(*state, "127.0.0.1", list.p), "203.0.113.9");
    assert_string_equal(seen(*state, "127.0.0.1", "\"[2001:db8::7]:443\", 10.0.0.1"),
                        "2001:db8::7");
    assert_string_equal(seen(*state, "127.0.0.1", "_hidden"), "127.0.0.1");
}

static void tries_run_out_and_come_back(void **state)
{
    struct throttle *t = throttle_new();
    struct str ada = STR("ada"), bob = STR("bob");
    int64_t now = 1000000, wait;

    (void)state;
    for (int i = 0; i < 5; i++)
        assert_int_equal(throttle_take(t, THROTTLE_LOGIN_ACCOUNT, ada, now), 0);
    wait = throttle_take(t, THROTTLE_LOGIN_ACCOUNT, ada, now);
    assert_int_equal(wait, 12000);
    assert_int_equal(throttle_take(t, THROTTLE_LOGIN_ACCOUNT, bob, now), 0);
    assert_int_equal(throttle_take(t, THROTTLE_LOGIN_NETWORK, ada, now), 0);
    /* who goes on waits longer */
    assert_int_equal(throttle_take(t, THROTTLE_LOGIN_ACCOUNT, ada, now), 24000);
    assert_int_equal(throttle_take(t, THROTTLE_LOGIN_ACCOUNT, ada, now + 23999), 48000);
    assert_int_equal(throttle_take(t, THROTTLE_LOGIN_ACCOUNT, ada, now + 23999 + 48000), 0);
    for (int i = 0; i < 40; i++)
        wait = throttle_take(t, THROTTLE_LOGIN_ACCOUNT, ada, now + 23999 + 48000);
    assert_int_equal(wait, 15 * 60 * 1000);
    throttle_free(t);
}

/* A right try does not count, and does not make wrong ones undone. */
static void being_right_resets_nothing(void **state)
{
    struct throttle *t = throttle_new();
    struct str net = STR("192.0.2.1");

    (void)state;
    for (int i = 0; i < 100; i++) { /* a room of raters, each with a link of their own */
        assert_int_equal(throttle_take(t, THROTTLE_TOKEN, net, 1000), 0);
        throttle_give_back(t, THROTTLE_TOKEN, net);
    }
    for (int i = 0; i < 10; i++) {
        assert_int_equal(throttle_take(t, THROTTLE_TOKEN, net, 1000), 0); /* a guess */
        if (i < 9) {
            assert_int_equal(throttle_take(t, THROTTLE_TOKEN, net, 1000), 0); /* one's own link */
            throttle_give_back(t, THROTTLE_TOKEN, net);
        }
    }
    assert_true(throttle_take(t, THROTTLE_TOKEN, net, 1000) > 0);
    throttle_free(t);
}

/* A clock that is set back gives nothing and takes nothing. */
static void time_that_goes_back_harms_nobody(void **state)
{
    struct throttle *t = throttle_new();
    struct str ada = STR("ada");
    const int64_t now = 10000000, back = now - 90000;

    (void)state;
    for (int i = 0; i < 3; i++)
        assert_int_equal(throttle_take(t, THROTTLE_LOGIN_ACCOUNT, ada, now), 0);
    assert_int_equal(throttle_take(t, THROTTLE_LOGIN_ACCOUNT, ada, back), 0);
    assert_int_equal(throttle_take(t, THROTTLE_LOGIN_ACCOUNT, ada, back), 0);
    assert_in_range(throttle_take(t, THROTTLE_LOGIN_ACCOUNT, ada, back), 1, 12000);
    throttle_free(t);
}

/* Names that are made up by the hundred thousand do not push out the one who is refused, nor give
 * back tries that were made. */
static void a_flood_washes_no_refusal_away(void **state)
{
    struct throttle *t = throttle_new();
    struct str ada = STR("ada"), bob = STR("bob");
    char name[32];

    (void)state;
    while (throttle_take(t, THROTTLE_LOGIN_ACCOUNT, ada, 1000) == 0)
        ;
    for (int i = 0; i < 4; i++)
        assert_int_equal(throttle_take(t, THROTTLE_LOGIN_ACCOUNT, bob, 1000), 0);
    for (int i = 0; i < 300000; i++) {
        (void)snprintf(name, sizeof name, "n%d", i);
        (void)throttle_take(t, THROTTLE_LOGIN_ACCOUNT, str_of(name), 1001);
    }
    assert_true(throttle_take(t, THROTTLE_LOGIN_ACCOUNT, ada, 1002) > 0);
    assert_int_equal(throttle_take(t, THROTTLE_LOGIN_ACCOUNT, bob, 1002), 0);
    assert_true(throttle_take(t, THROTTLE_LOGIN_ACCOUNT, bob, 1002) > 0);
    throttle_free(t);
}

/* More names than there is room for: each still gets its first try. */
static void a_crowd_is_survived(void **state)
{
    struct throttle *t = throttle_new();
    char name[32];

    (void)state;
    for (int i = 0; i < 50000; i++) {
        (void)snprintf(name, sizeof name, "n%d", i);
        assert_int_equal(throttle_take(t, THROTTLE_LOGIN_ACCOUNT, str_of(name), 1000 + i), 0);
    }
    throttle_free(t);
}

/* Whoever was refused long ago holds no place any more. */
static void old_refusals_make_room(void **state)
{
    struct throttle *t = throttle_new();
    char name[32];
    int refused = 0;

    (void)state;
    for (int i = 0; i < 100000; i++) {
        (void)snprintf(name, sizeof name, "n%d", i);
        for (int k = 0; k < 5; k++)
            (void)throttle_take(t, THROTTLE_LOGIN_ACCOUNT, str_of(name), 1000);
    }
    for (int i = 0; i < 1000; i++) {
        (void)snprintf(name, sizeof name, "m%d", i);
        refused += throttle_take(t, THROTTLE_LOGIN_ACCOUNT, str_of(name), 3600000) != 0;
    }
    assert_int_equal(refused, 0);
    throttle_free(t);
}

/* However many strangers are refused: whoever is signed in saves. */
static void strangers_crowd_nobody_out(void **state)
{
    struct throttle *t = throttle_new();
    int64_t wait = 0;
    char name[32];

    (void)state;
    for (int i = 0; i < 100000; i++) {
        (void)snprintf(name, sizeof name, "n%d", i);
        for (int k = 0; k < 10; k++)
            (void)throttle_take(t, THROTTLE_TOKEN, str_of(name), 1000);
    }
    assert_true(throttle_take(t, THROTTLE_TOKEN, STR("new"), 1000) > 0);
    for (int i = 0; i < 100 && !wait; i++) {
        (void)snprintf(name, sizeof name, "1 %d", i);
        wait = throttle_take(t, THROTTLE_WRITE, str_of(name), 1000);
    }
    assert_int_equal(wait, 0);
    throttle_free(t);
}

/* ---- markup ---- */

static void foreign_text_is_harmless_and_seen(void **state)
{
    AUTO(buf_done) struct buf b = BUF_MAX(10000);
    struct html h = {.out = &b, .scratch = *state};

    html_foreign(&h, "zh", STR("<script>\"'&\x1b[31m\xE2\x80\xAE你\xE2\x81\xA6"));
    assert_string_equal(b.p,
                        "<span lang=\"zh\" dir=\"auto\">&lt;script&gt;&quot;&#39;&amp;\xEF\xBF\xBD"
                        "[31m\xEF\xBF\xBD你\xEF\xBF\xBD</span>");
    buf_clear(&b);
    html_foreign(&h, NULL, STR("plain"));
    assert_string_equal(b.p, "<span dir=\"auto\">plain</span>");
}

static void headers_cannot_be_split(void **state)
{
    struct response r = {.arena = *state};

    response_header(&r, "X", "a\r\nSet-Cookie: b");
    response_header(&r, "X\n", "a");
    assert_int_equal(r.nheaders, 0);
    response_header(&r, "X", "a");
    assert_int_equal(r.nheaders, 1);
    for (int i = 0; i < 2 * RESPONSE_HEADERS; i++)
        response_header(&r, "X", "a");
    assert_int_equal(r.nheaders, RESPONSE_HEADERS);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(heads_are_read),
        TEST(bad_heads_are_told_at_once),
        TEST(heads_have_an_end),
        TEST(answers_have_one_head),
        TEST(paths_are_decoded),
        TEST(path_tricks_are_refused),
        TEST(forms_have_a_limit),
        TEST(headers_are_checked),
        TEST(a_body_has_one_length),
        TEST(too_many_headers),
        TEST(cookies_are_read),
        TEST(languages_by_weight),
        TEST(a_weight_of_zero_refuses),
        TEST(routes_match_whole_paths),
        TEST(every_page_says_who_may),
        TEST(networks_have_addresses),
        TEST(proxies_are_believed_when_trusted),
        TEST(six_is_counted_by_half),
        TEST(connections_are_counted_by_network),
        TEST(tries_run_out_and_come_back),
        TEST(being_right_resets_nothing),
        TEST(time_that_goes_back_harms_nobody),
        TEST(a_flood_washes_no_refusal_away),
        TEST(silent_ones_make_room),
        TEST(slow_ones_make_room),
        TEST(shut_ones_count_until_they_are_removed),
        TEST(words_of_the_dictionary),
        TEST(common_passwords_are_few_pieces),
        TEST(forwarded_is_read),
        TEST(a_crowd_is_survived),
        TEST(old_refusals_make_room),
        TEST(strangers_crowd_nobody_out),
        TEST(foreign_text_is_harmless_and_seen),
        TEST(headers_cannot_be_split),
    };

    return cmocka_run_group_tests_name("web", tests, NULL, NULL);
}
