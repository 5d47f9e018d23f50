/* The server on a socket: many at once, slow pages, bodies that are produced, stopping. */
/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <arpa/inet.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "store/store_web.h"
#include "unit/store_world.h"
#include "web/server.h"

enum {
    ANSWER_MAX = 32 << 20,
    LINES = 100000,
    CLIENTS = 16,
    EACH = 6,
    ROUNDS = 4 * EACH,
    AT_ONCE = 3,    /* connections of one address */
    REQUESTS = 100, /* of one connection, as the server has it */
    SILENT = 4600,  /* more connections than the server holds */
    STREAMS = 256,  /* as many as the server produces at once */
};

static atomic_int abandoned; /* producers that learned that nobody listens */
static atomic_int waiting;   /* producers before the gate */
static atomic_bool gate;

/* ---- pages of this test ---- */

static enum status page_echo(struct request *q, struct response *r, struct err *e)
{
    (void)e;
    r->type = "text/plain";
    buf_fmt(&r->body, "%.*s %.*s", STR_ARG(request_param(q, "word")),
            STR_ARG(request_query(q, "x")));
    return OK;
}

static enum status page_slow(struct request *q, struct response *r, struct err *e)
{
    struct run_list runs;

    if (store_run_list(q->arena, q->store, &runs, e) != OK)
        return e->code;
    r->type = "text/plain";
    buf_fmt(&r->body, "%zu runs", runs.n);
    return OK;
}

static enum status produce(struct stream *out, struct store *store, void *user, struct err *e)
{
    const int64_t *lines = user;
    char line[32];

    assert_non_null(store);
    for (int64_t i = 0; i < *lines; i++) {
        int n = snprintf(line, sizeof line, "line %lld\n", (long long)i);
        if (stream_write(out, (struct str){line, (size_t)n}, e) != OK) {
            atomic_fetch_add(&abandoned, 1);
            return e->code;
        }
    }
    return OK;
}

static enum status page_lines(struct request *q, struct response *r, struct err *e)
{
    int64_t *lines = NEW(q->arena, int64_t);

    (void)e;
    *lines = request_int(request_query(q, "n"), 0);
    response_stream(r, "text/csv", produce, lines);
    return OK;
}

static enum status produce_late(struct stream *out, struct store *store, void *user, struct err *e)
{
    (void)store;
    (void)user;
    atomic_fetch_add(&waiting, 1);
    while (!atomic_load(&gate))
        (void)usleep(10000);
    return stream_write(out, STR("late\n"), e);
}

static enum status page_late(struct request *q, struct response *r, struct err *e)
{
    (void)q;
    (void)e;
    response_stream(r, "text/plain", produce_late, NULL);
    return OK;
}

/* Writes a row and then another in a transaction. "fail" rolls that back, "half" answers 409. */
static enum status page_save(struct request *q, struct response *r, struct err *e)
{
    struct str how = request_param(q, "how");
    struct audit_row row = {.at_ms = q->now_ms, .who = "test", .what = how.p};

    if (store_audit_add(q->store, &row, e) != OK || store_begin(q->store, e) != OK)
        return e->code;
    if (str_is(how, "fail")) {
        store_rollback(q->store);
        return err_set(e, E_INPUT, "as asked");
    }
    if (store_audit_add(q->store, &row, e) != OK || store_commit(q->store, e) != OK)
        return e->code;
    if (str_is(how, "half"))
        r->status = 409;
    if (str_is(how, "break")) { /* a statement that the database refuses */
        row.what = NULL;
        return store_audit_add(q->store, &row, e);
    }
    return OK;
}

static const struct route pages[] = {
    {METHOD_POST, "/save/{how}", ROLE_ANYONE, page_save, ROUTE_SAVE},
    {METHOD_GET, "/echo/{word}", ROLE_ANYONE, page_echo, ROUTE_BARE},
    {METHOD_GET, "/slow", ROLE_ANYONE, page_slow, ROUTE_SLOW},
    {METHOD_GET, "/lines", ROLE_ANYONE, page_lines, 0},
    {METHOD_GET, "/late", ROLE_ANYONE, page_late, 0},
};

/* ---- a server and clients ---- */

struct hall {
    struct world *world;
    struct site site;
    struct server *server;
    int port;
};

static int hall_open_at(void **state, bool postgres, unsigned per_address)
{
    struct hall *h = mem_new(sizeof *h);
    struct site_config how = {.bind = "127.0.0.1", .routes = {pages, COUNT(pages)}};
    struct server_config c = {.bind = "127.0.0.1", .threads = 3, .per_address = per_address};
    void *world;
    struct err e;

    (void)world_new(&world, postgres);
    h->world = world;
    assert_ok(site_init(h->world->arena, &how, &h->site, &e));
    c.site = &h->site;
    c.db = h->world->url;
    assert_ok(server_open(&h->server, &c, &e));
    h->port = server_listens(h->server);
    *state = h;
    return 0;
}

static int hall_open(void **state)
{
    return hall_open_at(state, false, 0);
}

static int hall_open_narrow(void **state)
{
    return hall_open_at(state, false, AT_ONCE);
}

static int hall_open_pg(void **state)
{
    return hall_open_at(state, true, 0);
}

static int hall_close(void **state)
{
    struct hall *h = *state;
    void *world = h->world;

    server_close(h->server);
    site_done(&h->site);
    (void)world_free(&world);
    free(h);
    return 0;
}

/* From one of this machine's own addresses, 127.0.0.n. */
static int dial_from(int port, uint32_t n)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    struct sockaddr_in from = {.sin_family = AF_INET};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    from.sin_addr.s_addr = htonl(INADDR_LOOPBACK - 1 + n);
    assert_true(fd >= 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&from, sizeof from), 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof to), 0);
    return fd;
}

static int dial(int port)
{
    return dial_from(port, 1);
}

static void say(int fd, const char *text)
{
    size_t n = strlen(text);

    while (n) {
        ssize_t sent = send(fd, text, n, MSG_NOSIGNAL);
        if (sent <= 0)
            return;
        text += sent;
        n -= (size_t)sent;
    }
}

/* All that comes until the end. */
static void hear(int fd, struct buf *out)
{
    char block[16 << 10];
    ssize_t n;

    while ((n = recv(fd, block, sizeof block, 0)) > 0)
        buf_add(out, (struct str){block, (size_t)n});
    (void)close(fd);
}

static bool has(const struct buf *b, const char *text)
{
    return str_find(buf_str(b), str_of(text)) != SIZE_MAX;
}

static void get(int port, const char *target, struct buf *out)
{
    char head[256];
    int fd = dial(port);

    (void)snprintf(head, sizeof head,
                   "GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", target);
    say(fd, head);
    hear(fd, out);
}

/* ---- tests ---- */

static void *client_main(void *user)
{
    const struct hall *h = user;
    bool good = true;

    for (int i = 0; i < ROUNDS; i++) {
        AUTO(buf_done)
        struct buf a = BUF_MAX(ANSWER_MAX), b = BUF_MAX(ANSWER_MAX), c = BUF_MAX(ANSWER_MAX);
        get(h->port, "/echo/word?x=%E4%BD%A0", &a);
        get(h->port, "/slow", &b);
        get(h->port, "/lines?n=500", &c);
        /* beyond its queue the server may say that it is busy, and nothing else */
        good = good && has(&a, "word 你") && (has(&b, "0 runs") || has(&b, " 503 ")) &&
               (has(&c, "line 499\n") || has(&c, " 503 "));
    }
    return good ? NULL : user;
}

static void many_at_once(void **state)
{
    pthread_t threads[CLIENTS];
    void *bad;

    for (size_t i = 0; i < CLIENTS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, client_main, *state), 0);
    for (size_t i = 0; i < CLIENTS; i++) {
        (void)pthread_join(threads[i], &bad);
        assert_null(bad);
    }
}

static const char hex64[] = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

static void save(int port, const char *how, struct buf *out)
{
    char head[512];
    int fd = dial(port);

    (void)snprintf(head, sizeof head,
                   "POST /save/%s HTTP/1.1\r\nHost: localhost\r\nCookie: form=%s\r\n"
                   "X-CSRF-Token: %s\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
                   how, hex64, hex64);
    say(fd, head);
    hear(fd, out);
}

static void *saver_main(void *user)
{
    static const struct {
        const char *how, *status;
    } acts[] = {{"good", " 200 "}, {"fail", " 400 "}, {"half", " 409 "}, {"break", " 500 "}};
    const struct hall *h = user;
    bool good = true;

    for (size_t i = 0; i < ROUNDS; i++) {
        AUTO(buf_done) struct buf b = BUF_MAX(ANSWER_MAX);
        save(h->port, acts[i % COUNT(acts)].how, &b);
        good = good && has(&b, acts[i % COUNT(acts)].status);
    }
    return good ? NULL : user;
}

/* Many are saved together; each stands or falls alone. */
static void saves_share_a_flush(void **state)
{
    struct hall *h = *state;
    pthread_t threads[CLIENTS];
    size_t good = 0, half = 0, fail = 0;
    struct audit_list log;
    struct err e;
    void *bad;

    for (size_t i = 0; i < CLIENTS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, saver_main, h), 0);
    for (size_t i = 0; i < CLIENTS; i++) {
        (void)pthread_join(threads[i], &bad);
        assert_null(bad);
    }
    assert_ok(store_audit_list(h->world->arena, h->world->store, 0, 10000, &log, &e));
    for (size_t i = 0; i < log.n; i++) {
        good += strcmp(log.v[i].what, "good") == 0;
        half += strcmp(log.v[i].what, "half") == 0;
        fail += strcmp(log.v[i].what, "fail") == 0;
    }
    assert_int_equal(good, CLIENTS * EACH * 2);
    assert_int_equal(half, CLIENTS * EACH * 2);
    assert_int_equal(fail, CLIENTS * EACH);      /* what it wrote before its transaction */
    assert_int_equal(log.n, good + half + fail); /* and nothing of those that broke */
}

static void several_on_one_connection(void **state)
{
    struct hall *h = *state;
    AUTO(buf_done) struct buf b = BUF_MAX(ANSWER_MAX);
    int fd = dial(h->port);

    say(fd, "GET /echo/one HTTP/1.1\r\nHost: localhost\r\n\r\n"
            "GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n"
            "GET /lines?n=3 HTTP/1.1\r\nHost: localhost\r\n\r\n"
            "HEAD /lines?n=3 HTTP/1.1\r\nHost: localhost\r\n\r\n"
            "GET /echo/last HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    hear(fd, &b);
    assert_true(has(&b, "one "));
    assert_true(has(&b, "0 runs"));
    assert_true(has(&b, "line 2\n"));
    assert_true(has(&b, "last "));
}

/* More than any buffer holds: whole and in order. */
static void a_long_body_is_whole(void **state)
{
    struct hall *h = *state;
    AUTO(buf_done) struct buf b = BUF_MAX(ANSWER_MAX);
    char last[32], target[32];

    (void)snprintf(target, sizeof target, "/lines?n=%d", LINES);
    (void)snprintf(last, sizeof last, "line %d\n", LINES - 1);
    get(h->port, target, &b);
    assert_true(has(&b, "Transfer-Encoding: chunked"));
    assert_true(has(&b, "line 0\n"));
    assert_true(has(&b, last));
    assert_true(str_ends(buf_str(&b), STR("\r\n0\r\n\r\n")));
}

/* A client that goes away in the middle ends the producer; so does stopping the server. */
static void producers_learn_that_nobody_listens(void **state)
{
    struct hall *h = *state;
    char block[1024];
    int fd = dial(h->port), still = dial(h->port);
    struct server_config c = {0};
    struct err e;

    atomic_store(&abandoned, 0);
    say(fd, "GET /lines?n=100000000 HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assert_true(recv(fd, block, sizeof block, 0) > 0);
    (void)close(fd);
    for (int i = 0; i < 1000 && atomic_load(&abandoned) < 1; i++)
        (void)usleep(10000);
    assert_int_equal(atomic_load(&abandoned), 1);

    say(still, "GET /lines?n=100000000 HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assert_true(recv(still, block, sizeof block, 0) > 0);
    server_close(h->server);
    assert_int_equal(atomic_load(&abandoned), 2);
    (void)close(still);
    c = (struct server_config){
        .bind = "127.0.0.1", .threads = 2, .site = &h->site, .db = h->world->url};
    assert_ok(server_open(&h->server, &c, &e));
}

/* One more than are produced at once is told so, and does not wait for ever. */
static void too_many_producers_are_refused(void **state)
{
    struct hall *h = *state;
    AUTO(buf_done) struct buf more = BUF_MAX(ANSWER_MAX);
    int fds[STREAMS];

    atomic_store(&waiting, 0);
    atomic_store(&gate, false);
    for (size_t i = 0; i < STREAMS; i++) {
        fds[i] = dial(h->port);
        say(fds[i], "GET /late HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    }
    for (int i = 0; i < 2000 && atomic_load(&waiting) < STREAMS; i++)
        (void)usleep(10000);
    assert_int_equal(atomic_load(&waiting), STREAMS);
    get(h->port, "/late", &more);
    assert_true(has(&more, " 503 "));
    assert_true(has(&more, "Retry-After"));
    atomic_store(&gate, true);
    for (size_t i = 0; i < STREAMS; i++) {
        AUTO(buf_done) struct buf b = BUF_MAX(ANSWER_MAX);
        hear(fds[i], &b);
        assert_true(has(&b, "late\n"));
    }
}

/* One address has a few connections, and gets another when one is closed. Others do not notice. */
static void an_address_has_few_connections(void **state)
{
    static const char hello[] = "GET /echo/hello HTTP/1.1\r\nHost: localhost\r\n\r\n";
    struct hall *h = *state;
    int held[AT_ONCE], fd;
    char block[4096];
    ssize_t n = 0;

    for (size_t i = 0; i < AT_ONCE; i++) {
        held[i] = dial(h->port);
        say(held[i], hello);
        assert_true(recv(held[i], block, sizeof block, 0) > 0);
    }
    fd = dial(h->port);
    say(fd, hello);
    assert_true(recv(fd, block, sizeof block, 0) <= 0);
    (void)close(fd);
    fd = dial_from(h->port, 2);
    say(fd, hello);
    assert_true(recv(fd, block, sizeof block, 0) > 0);
    (void)close(fd);
    (void)close(held[0]);
    for (int i = 0; i < 1000 && n <= 0; i++) { /* until the server has seen that it is closed */
        (void)usleep(10000);
        fd = dial(h->port);
        say(fd, hello);
        n = recv(fd, block, sizeof block, 0);
        (void)close(fd);
    }
    assert_true(n > 0);
    for (size_t i = 1; i < AT_ONCE; i++)
        (void)close(held[i]);
}

/* Thousands who say nothing: whoever comes next is answered, and not only when these have run out
 * of time. */
static void silent_ones_delay_nobody(void **state)
{
    struct hall *h = *state;
    AUTO(buf_done) struct buf b = BUF_MAX(ANSWER_MAX);
    struct rlimit limit;
    int fds[SILENT], n = SILENT;
    char c;

    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0); /* the server raised it */
    if (limit.rlim_cur < 2 * SILENT + 200)
        n = (int)(limit.rlim_cur - 200) / 2;
    for (int i = 0; i < n; i++)
        fds[i] = dial(h->port);
    get(h->port, "/echo/hello", &b);
    assert_true(has(&b, "hello "));
    assert_int_equal(recv(fds[n - 1], &c, 1, MSG_DONTWAIT), -1);
    for (int i = 0; i < n; i++)
        (void)close(fds[i]);
}

/* So that no client holds a place for ever by asking a little again and again. */
static void a_connection_has_an_end(void **state)
{
    struct hall *h = *state;
    AUTO(buf_done) struct buf b = BUF_MAX(ANSWER_MAX);
    int fd = dial(h->port), answers = 0;

    for (int i = 0; i < REQUESTS + 5; i++)
        say(fd, "GET /echo/again HTTP/1.1\r\nHost: localhost\r\n\r\n");
    hear(fd, &b);
    for (struct str rest = buf_str(&b); str_find(rest, STR("again ")) != SIZE_MAX; answers++)
        rest = str_from(rest, str_find(rest, STR("again ")) + 1);
    assert_int_equal(answers, REQUESTS);
    assert_true(has(&b, "Connection: close"));
}

/* More is on its way than any buffer holds, and nobody reads it: the producer is told in the end,
 * and the place is free. */
static void who_takes_nothing_is_cut_off(void **state)
{
    struct hall *h = *state;
    int fd = dial(h->port);

    atomic_store(&abandoned, 0);
    say(fd, "GET /lines?n=100000000 HTTP/1.1\r\nHost: localhost\r\n\r\n");
    for (int i = 0; i < 9000 && atomic_load(&abandoned) < 1; i++)
        (void)usleep(10000);
    assert_int_equal(atomic_load(&abandoned), 1);
    (void)close(fd);
}

static void a_taken_port_is_named(void **state)
{
    struct hall *h = *state;
    struct server_config c = {
        .bind = "127.0.0.1", .port = h->port, .threads = 2, .site = &h->site, .db = h->world->url};
    struct server *second;
    struct err e;

    assert_int_equal(server_open(&second, &c, &e), E_USAGE);
    assert_says(&e, "--port");
}

static void a_missing_database_is_said_at_once(void **state)
{
    struct hall *h = *state;
    struct server_config c = {
        .bind = "127.0.0.1", .threads = 2, .site = &h->site, .db = "/nowhere/at/all.db"};
    struct server *second;
    struct err e;

    assert_int_not_equal(server_open(&second, &c, &e), OK);
    assert_says(&e, "/nowhere/at/all.db");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, hall_open, hall_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(many_at_once),
        TEST(saves_share_a_flush),
        TEST(several_on_one_connection),
        TEST(a_long_body_is_whole),
        TEST(producers_learn_that_nobody_listens),
        TEST(too_many_producers_are_refused),
        cmocka_unit_test_setup_teardown(an_address_has_few_connections, hall_open_narrow,
                                        hall_close),
        TEST(silent_ones_delay_nobody),
        TEST(a_connection_has_an_end),
        TEST(who_takes_nothing_is_cut_off),
        TEST(a_taken_port_is_named),
        TEST(a_missing_database_is_said_at_once),
    };

    const struct CMUnitTest on_pg[] = {
        cmocka_unit_test_setup_teardown(many_at_once, hall_open_pg, hall_close),
        cmocka_unit_test_setup_teardown(saves_share_a_flush, hall_open_pg, hall_close),
    };
    int failed = cmocka_run_group_tests_name("server", tests, NULL, NULL);

    if (getenv("AUDITION_TEST_PG"))
        failed += cmocka_run_group_tests_name("server on PostgreSQL", on_pg, NULL, NULL);
    else
        print_message("SKIP server on PostgreSQL: run through tests/pg.sh\n");
    return failed;
}
