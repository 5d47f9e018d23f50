#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "net/http.h"

/* --- a small server in a child process, one thread per connection --- */

enum after { KEEP, CLOSE, RESET, SILENT };

static const struct canned {
    const char *path, *reply;
    enum after after;
} canned[] = {
    {"/ok", "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
     KEEP},
    {"/empty", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", KEEP},
    {"/old", "HTTP/1.0 200 OK\r\n\r\nuntil the end", CLOSE},
    {"/chunks",
     "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n", KEEP},
    {"/cut", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this", CLOSE},
    {"/cut-chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n9\r\nc",
     CLOSE},
    {"/reset", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nx", RESET},
    {"/reset-at-once", "", RESET},
    {"/close", "", CLOSE},
    {"/silent", "", SILENT},
    {"/silent-inside", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nx", SILENT},
    {"/no-http", "220 smtp.example.org\r\n", CLOSE},
    {"/moved", "HTTP/1.1 302 Found\r\nLocation: /ok\r\nContent-Length: 0\r\n\r\n", KEEP},
    {"/busy",
     "HTTP/1.1 429 Too Many Requests\r\nretry-AFTER:  7 \r\nX-RateLimit-Remaining-Requests: 0\r\n"
     "x-ratelimit-remaining-tokens: 149\r\nx-ratelimit-reset-requests: 6m0s\r\n"
     "x-ratelimit-reset-tokens: 20ms\r\nContent-Length: 4\r\n\r\nbusy",
     KEEP},
    {"/busy2",
     "HTTP/1.1 503 No\r\nRetry-After: 1.5\r\nX-RateLimit-Remaining-Requests: -5\r\n"
     "x-ratelimit-remaining-tokens: many\r\nx-ratelimit-reset-requests: 1h2m3.5s\r\n"
     "x-ratelimit-reset-tokens: 12\r\nContent-Length: 0\r\n\r\n",
     KEEP},
    {"/busy3",
     "HTTP/1.1 503 No\r\nRetry-After: soon\r\nx-ratelimit-reset-requests: 5x\r\n"
     "x-ratelimit-reset-tokens: 1733333333\r\nContent-Length: 0\r\n\r\n",
     KEEP},
    {"/busy4",
     "HTTP/1.1 503 No\r\nRetry-After: 99999999999999999999\r\nx-ratelimit-reset-requests: \r\n"
     "x-ratelimit-reset-tokens: s\r\nContent-Length: 0\r\n\r\n",
     KEEP},
    {"/busy5",
     "HTTP/1.1 429 No\r\nanthropic-ratelimit-requests-remaining: 3\r\n"
     "anthropic-ratelimit-tokens-remaining: 1000\r\n"
     "Anthropic-RateLimit-Requests-Reset: 2999-01-01T00:00:00Z\r\n"
     "anthropic-ratelimit-tokens-reset: 2020-01-01T00:00:00Z\r\nContent-Length: 0\r\n\r\n",
     KEEP},
    {"/past",
     "HTTP/1.1 503 No\r\nRetry-After: Sun, 06 Nov 1994 08:49:37 GMT\r\nContent-Length: 0\r\n\r\n",
     KEEP},
    {"/interim",
     "HTTP/1.1 103 Early Hints\r\nRetry-After: 5\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: "
     "2\r\n\r\n{}",
     KEEP},
};

struct counters {
    atomic_int accepted, received; /* connections, requests */
};

struct visit {
    int fd;
    struct counters *counters;
};

struct server {
    pid_t pid;
    int port;
    struct counters *counters; /* shared with the child */
};

static bool send_all(int fd, const char *p, size_t n)
{
    while (n) {
        ssize_t sent = send(fd, p, n, MSG_NOSIGNAL);
        if (sent <= 0)
            return false;
        p += sent;
        n -= (size_t)sent;
    }
    return true;
}

static bool send_text(int fd, const char *text)
{
    return send_all(fd, text, strlen(text));
}

static void pause_ms(long ms)
{
    struct timespec t = {ms / 1000, ms % 1000 * 1000000};

    (void)nanosleep(&t, NULL);
}

/* One byte every 20 ms. */
static bool serve_drip(int fd, int length)
{
    char head[80];

    (void)snprintf(head, sizeof head, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n", length);
    if (!send_text(fd, head))
        return false;
    for (int i = 0; i < length; i++) {
        pause_ms(20);
        if (!send_text(fd, "x"))
            return false;
    }
    return true;
}

static bool serve_huge(int fd)
{
    char *block = mem_new(1 << 16);
    bool up = send_text(fd, "HTTP/1.1 200 OK\r\nContent-Length: 16777216\r\n\r\n");

    for (int i = 0; up && i < 256; i++)
        up = send_all(fd, block, 1 << 16);
    free(block);
    return up;
}

/* Back comes what was sent: head and body. */
static bool serve_echo(int fd, struct str request)
{
    char head[80];

    (void)snprintf(head, sizeof head, "HTTP/1.1 200 OK\r\nContent-Length: %zu\r\n\r\n", request.n);
    return send_text(fd, head) && send_all(fd, request.p, request.n);
}

static bool serve_packed(int fd)
{
    static const char reply[] = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n"
                                "Content-Length: 28\r\n\r\n\x1f\x8b\x08\0\0\0\0\0\x02\x03"
                                "+\xcd+HL\xceNM\x01\0\x96\x62/\xca\x08\0\0";

    return send_all(fd, reply, sizeof reply); /* with the NUL, which is part of it */
}

static bool serve_date(int fd)
{
    time_t at = time(NULL) + 3600;
    char head[160];
    struct tm tm;

    (void)strftime(head, sizeof head,
                   "HTTP/1.1 503 No\r\nRetry-After: %a, %d %b %Y %H:%M:%S GMT\r\n"
                   "Content-Length: 0\r\n\r\n",
                   gmtime_r(&at, &tm));
    return send_text(fd, head);
}

static bool serve_canned(int fd, const struct canned *c)
{
    struct linger hard = {1, 0};

    if (!send_text(fd, c->reply))
        return false;
    if (c->after == RESET) {
        pause_ms(50); /* or the reset overtakes the bytes */
        (void)setsockopt(fd, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
    }
    if (c->after == SILENT) {
        char byte;
        (void)recv(fd, &byte, 1, 0); /* until the client hangs up */
    }
    return c->after == KEEP;
}

static bool serve(int fd, struct str request)
{
    struct str path = STR(""), rest;

    if (str_cut(request, ' ', &path, &rest))
        (void)str_cut(rest, ' ', &path, &rest);
    for (size_t i = 0; i < COUNT(canned); i++)
        if (str_is(path, canned[i].path))
            return serve_canned(fd, &canned[i]);
    if (str_is(path, "/drip"))
        return serve_drip(fd, 20);
    if (str_is(path, "/drip-long"))
        return serve_drip(fd, 1 << 20);
    if (str_is(path, "/huge"))
        return serve_huge(fd);
    if (str_is(path, "/date"))
        return serve_date(fd);
    if (str_is(path, "/packed"))
        return serve_packed(fd);
    return serve_echo(fd, request);
}

/* Bytes of the whole request at the front of the buffer; 0 while it is not all there. */
static size_t request_length(const struct buf *b)
{
    size_t head = str_find(buf_str(b), STR("\r\n\r\n"));
    const char *length = b->p ? strcasestr(b->p, "\r\nContent-Length:") : NULL;
    size_t n;

    if (head == SIZE_MAX)
        return 0;
    n = head + 4 + (length ? strtoul(length + 17, NULL, 10) : 0);
    return b->n >= n ? n : 0;
}

static void *connection(void *arg)
{
    struct visit *v = arg;
    int fd = v->fd;
    AUTO(buf_done) struct buf b = BUF_MAX(32 << 20);
    bool up = true;

    while (up) {
        char block[16384];
        ssize_t n = recv(fd, block, sizeof block, 0);
        if (n <= 0 || block[0] == 0x16) /* a TLS greeting: not spoken here */
            break;
        buf_add(&b, (struct str){block, (size_t)n});
        if (request_length(&b)) { /* the client does not pipeline */
            atomic_fetch_add(&v->counters->received, 1);
            up = serve(fd, buf_str(&b));
            buf_clear(&b);
        }
    }
    (void)close(fd);
    free(v);
    return NULL;
}

NORETURN static void server_run(int listener, struct counters *counters)
{
    pthread_attr_t attr;

    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)pthread_attr_init(&attr);
    (void)pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    for (;;) {
        pthread_t thread;
        struct visit *v;
        int fd = accept(listener, NULL, NULL);
        if (fd < 0)
            continue;
        atomic_fetch_add(&counters->accepted, 1);
        v = mem_new(sizeof *v);
        *v = (struct visit){fd, counters};
        if (pthread_create(&thread, &attr, connection, v) != 0) {
            (void)close(fd);
            free(v);
        }
    }
}

static int listen_on_loopback(int *port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t n = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    assert_true(fd >= 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(fd, 512), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &n), 0);
    *port = ntohs(address.sin_port);
    return fd;
}

static void server_start(struct server *s)
{
    int listener = listen_on_loopback(&s->port);

    s->counters =
        mmap(NULL, sizeof *s->counters, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(s->counters != MAP_FAILED);
    s->pid = fork();
    assert_true(s->pid >= 0);
    if (s->pid == 0)
        server_run(listener, s->counters);
    (void)close(listener);
}

static void server_stop(struct server *s)
{
    (void)kill(s->pid, SIGKILL);
    (void)waitpid(s->pid, NULL, 0);
    (void)munmap(s->counters, sizeof *s->counters);
}

/* --- the client under test --- */

struct fixture {
    struct server server;
    struct loop *loop;
    struct http *http;
    struct arena *arena;
};

struct outcome {
    struct fixture *fixture;
    int calls;
    struct http_reply reply; /* texts copied */
};

static int setup(void **state)
{
    struct fixture *f = mem_new(sizeof *f);
    struct err e;

    server_start(&f->server);
    f->arena = arena_new();
    assert_int_equal(loop_new(&f->loop, &e), OK);
    assert_int_equal(http_new(&f->http, f->loop, 200, &e), OK);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    http_free(f->http);
    loop_free(f->loop);
    arena_free(f->arena);
    server_stop(&f->server);
    free(f);
    return 0;
}

static void on_done(void *user, const struct http_reply *reply)
{
    struct outcome *o = user;
    struct arena *a = o->fixture->arena;

    o->calls++;
    o->reply = *reply;
    o->reply.body = arena_str(a, reply->body);
    o->reply.content_type = arena_text(a, str_of(reply->content_type));
    o->reply.why = arena_text(a, str_of(reply->why));
}

static const char *address(struct fixture *f, const char *path)
{
    return arena_printf(f->arena, "http://127.0.0.1:%d%s", f->server.port, path);
}

/* Step until *value reaches `wanted`; far longer than anything takes. */
static void step_until(struct fixture *f, const int *value, int wanted)
{
    struct err e;

    for (int i = 0; i < 100000 && *value < wanted; i++)
        assert_int_equal(loop_step(f->loop, 1000, &e), OK);
    assert_int_equal(*value, wanted);
}

static struct http_call *start(struct fixture *f, struct http_request req, struct outcome *o)
{
    struct http_call *call;
    struct err e;

    if (req.max_reply == 0)
        req.max_reply = 1 << 20;
    o->fixture = f;
    assert_int_equal(http_start(f->http, &req, on_done, o, &call, &e), OK);
    assert_int_equal(o->calls, 0);
    return call;
}

static struct http_reply ask(struct fixture *f, struct http_request req)
{
    struct outcome o = {0};

    (void)start(f, req, &o);
    step_until(f, &o.calls, 1);
    assert_int_equal(http_in_flight(f->http), 0);
    return o.reply;
}

static struct http_reply get(struct fixture *f, const char *path)
{
    return ask(f, (struct http_request){.url = address(f, path)});
}

static void ordinary_replies(void **state)
{
    static const struct {
        const char *path;
        int status;
        const char *body, *type;
    } cases[] = {
        {"/ok", 200, "{}", "application/json"},
        {"/empty", 200, "", ""},
        {"/old", 200, "until the end", ""},
        {"/chunks", 200, "abc", ""},
        {"/moved", 302, "", ""},
        {"/busy", 429, "busy", ""},
        {"/interim", 200, "{}", ""},
        {"/drip", 200, "xxxxxxxxxxxxxxxxxxxx", ""},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct http_reply r = get(*state, cases[i].path);
        assert_int_equal(r.end, HTTP_DONE);
        assert_int_equal(r.status, cases[i].status);
        assert_string_equal(r.body.p, cases[i].body);
        assert_string_equal(r.content_type, cases[i].type);
        assert_string_equal(r.why, "");
        assert_true(r.elapsed_ms >= 0);
    }
}

/* ---- parts ---- */

struct parts {
    struct outcome o; /* first: on_done() knows nothing else */
    struct buf heard;
    int n;
};

static void on_part(void *user, struct str bytes)
{
    struct parts *p = user;

    assert_int_equal(p->o.calls, 0);
    assert_true(bytes.n > 0);
    buf_add(&p->heard, bytes);
    p->n++;
}

/* What comes in parts is the body, in order, before the end; a broken reply, as far as it came. */
static void bodies_in_parts(void **state)
{
    static const struct {
        const char *path, *heard;
        int least;
    } cases[] = {
        {"/ok", "{}", 1},         {"/chunks", "abc", 1}, {"/drip", "xxxxxxxxxxxxxxxxxxxx", 2},
        {"/cut", "only this", 1}, {"/empty", "", 0},     {"/reset-at-once", "", 0},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct parts p = {.heard = BUF_MAX(1000)};
        (void)start(*state,
                    (struct http_request){.url = address(*state, cases[i].path), .part = on_part},
                    &p.o);
        step_until(*state, &p.o.calls, 1);
        assert_true(str_is(buf_str(&p.heard), cases[i].heard));
        assert_true(p.n >= cases[i].least);
        buf_done(&p.heard);
    }
    /* A handle that is used again forgets who listened. */
    assert_int_equal(get(*state, "/ok").status, 200);
}

static void broken_replies(void **state)
{
    static const struct {
        const char *path;
        enum http_end end;
    } cases[] = {
        {"/cut", HTTP_CUT},        {"/cut-chunks", HTTP_CUT},    {"/reset", HTTP_CUT},
        {"/close", HTTP_CUT},      {"/reset-at-once", HTTP_CUT}, {"/no-http", HTTP_REFUSED},
        {"/huge", HTTP_TOO_LARGE},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct http_reply r = get(*state, cases[i].path);
        assert_int_equal(r.end, cases[i].end);
        assert_true(r.why[0] != '\0');
        assert_int_equal(r.status, 0);
    }
    assert_int_equal(get(*state, "/ok").end, HTTP_DONE); /* and it goes on */
}

static void what_arrived_is_kept(void **state)
{
    assert_string_equal(get(*state, "/cut").body.p, "only this");
}

static void limits_of_time(void **state)
{
    struct fixture *f = *state;
    static const struct {
        const char *path;
        int64_t timeout_ms, stall_ms;
        enum http_end end;
    } cases[] = {
        {"/silent", 100, 0, HTTP_TIMEOUT},        {"/silent", 300, 100, HTTP_TIMEOUT},
        {"/silent-inside", 0, 100, HTTP_STALLED}, {"/drip-long", 300, 60000, HTTP_TIMEOUT},
        {"/drip", 600000, 600000, HTTP_DONE},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct http_reply r = ask(f, (struct http_request){.url = address(f, cases[i].path),
                                                           .timeout_ms = cases[i].timeout_ms,
                                                           .stall_ms = cases[i].stall_ms});
        assert_int_equal(r.end, cases[i].end);
    }
}

static void size_limit_is_exact(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(ask(f, (struct http_request){.url = address(f, "/old"), .max_reply = 13}).end,
                     HTTP_DONE);
    assert_int_equal(ask(f, (struct http_request){.url = address(f, "/old"), .max_reply = 12}).end,
                     HTTP_TOO_LARGE);
}

static void limit_headers(void **state)
{
    static const struct {
        const char *path;
        int64_t retry, requests, tokens, requests_reset, tokens_reset;
    } cases[] = {
        {"/ok", -1, -1, -1, -1, -1},
        {"/busy", 7000, 0, 149, 360000, 20},
        {"/busy2", 1500, -1, -1, 3723500, 12000},
        {"/busy3", -1, -1, -1, -1, -1},
        {"/busy4", 86400000, -1, -1, 0, -1},
        {"/busy5", -1, 3, 1000, 86400000, 0},
        {"/past", 0, -1, -1, -1, -1},
        {"/interim", -1, -1, -1, -1, -1},
    };
    struct http_reply r;

    for (size_t i = 0; i < COUNT(cases); i++) {
        r = get(*state, cases[i].path);
        assert_int_equal(r.retry_after_ms, cases[i].retry);
        assert_int_equal(r.limit_requests_left, cases[i].requests);
        assert_int_equal(r.limit_tokens_left, cases[i].tokens);
        assert_int_equal(r.limit_requests_reset_ms, cases[i].requests_reset);
        assert_int_equal(r.limit_tokens_reset_ms, cases[i].tokens_reset);
    }
    r = get(*state, "/date");
    assert_in_range(r.retry_after_ms, 1, 3600000);
}

static bool holds(struct str text, const char *part)
{
    return str_find(text, str_of(part)) != SIZE_MAX;
}

static void requests_as_sent(void **state)
{
    struct fixture *f = *state;
    const char *headers[] = {"Authorization: Bearer one", "X-Extra: 1"};
    struct http_request req = {
        .url = address(f, "/echo"), .headers = headers, .nheaders = 2, .body = STR("{\"a\":1}")};
    struct http_reply r = ask(f, req);

    assert_true(str_starts(r.body, STR("POST /echo HTTP/1.1\r\n")));
    assert_true(holds(r.body, "\r\nContent-Type: application/json\r\n"));
    assert_true(holds(r.body, "\r\nUser-Agent: audition/"));
    assert_true(holds(r.body, "\r\nAuthorization: Bearer one\r\n"));
    assert_true(holds(r.body, "\r\nX-Extra: 1\r\n"));
    assert_true(holds(r.body, "\r\nAccept-Encoding: gzip\r\n"));
    assert_false(holds(r.body, "Expect"));
    assert_true(str_ends(r.body, STR("\r\n\r\n{\"a\":1}")));

    headers[0] = "Authorization: Bearer two"; /* the same array with another key */
    r = ask(f, req);
    assert_true(holds(r.body, "Bearer two"));
    assert_false(holds(r.body, "Bearer one"));

    headers[1] = "user-agent: mine";
    r = ask(f, req);
    assert_true(holds(r.body, "\r\nuser-agent: mine\r\n"));
    assert_false(holds(r.body, "audition/"));

    req.nheaders = 0;
    req.body = STR("");
    r = ask(f, req);
    assert_true(str_starts(r.body, STR("GET /echo HTTP/1.1\r\n")));
    assert_false(holds(r.body, "Bearer"));
    assert_false(holds(r.body, "Content-Type"));
    assert_true(str_is(get(f, "/packed").body, "unpacked"));
}

static void large_body(void **state)
{
    struct fixture *f = *state;
    size_t n = 5 << 20;
    char *text = mem_new(n);
    struct http_reply r;

    memset(text, 'y', n);
    r = ask(f, (struct http_request){.url = address(f, "/echo"),
                                     .body = {text, n},
                                     .max_reply = 2 * n,
                                     .stall_ms = 60000});
    assert_int_equal(r.end, HTTP_DONE);
    assert_true(r.body.n > n);
    assert_memory_equal(r.body.p + r.body.n - n, text, n);
    free(text);
}

static void no_connection(void **state)
{
    struct fixture *f = *state;
    int port, fd = listen_on_loopback(&port);
    const char *urls[] = {
        arena_printf(f->arena, "http://127.0.0.1:%d/?key=sesame", port),
        arena_printf(f->arena, "https://me:sesame@127.0.0.1:%d/",
                     f->server.port), /* no TLS there */
        "ftp://127.0.0.1/",
        "file:///etc/passwd",
        "http://",
        "http://127.0.0.1:99999/",
    };
    const char *headers[] = {"Authorization: Bearer sesame"};

    (void)close(fd);
    for (size_t i = 0; i < COUNT(urls); i++) {
        struct http_reply r =
            ask(f, (struct http_request){.url = urls[i], .headers = headers, .nheaders = 1});
        assert_int_equal(r.end, HTTP_REFUSED);
        assert_true(r.why[0] != '\0');
        assert_null(strstr(r.why, "sesame"));
    }
}

/* --- many --- */

enum { MANY = 200 };

static void connections_are_reused(void **state)
{
    struct fixture *f = *state;

    for (int wave = 0; wave < 3; wave++) {
        struct outcome all[MANY] = {0};
        for (int i = 0; i < MANY; i++)
            (void)start(f,
                        (struct http_request){.url = address(f, i % 4 ? "/ok" : "/drip"),
                                              .body = STR("{}"),
                                              .stall_ms = 60000},
                        &all[i]);
        assert_int_equal(http_in_flight(f->http), MANY);
        for (int i = 0; i < MANY; i++) {
            step_until(f, &all[i].calls, 1);
            assert_int_equal(all[i].reply.end, HTTP_DONE);
            assert_int_equal(all[i].reply.status, 200);
        }
        assert_int_equal(http_in_flight(f->http), 0);
    }
    assert_true(atomic_load(&f->server.counters->accepted) <= MANY);
}

/* What was started is received though the loop takes no step. */
static void sent_at_once(void **state)
{
    struct fixture *f = *state;
    const atomic_int *received = &f->server.counters->received;
    struct outcome o = {0};

    (void)get(f, "/ok"); /* there is a connection */
    (void)start(f, (struct http_request){.url = address(f, "/ok")}, &o);
    http_send(f->http);
    for (int i = 0; i < 1000 && atomic_load(received) < 2; i++)
        pause_ms(10);
    assert_int_equal(atomic_load(received), 2);
    step_until(f, &o.calls, 1);
}

struct chain {
    struct fixture *fixture;
    const char *url;
    int done;
};

static void chain_next(void *user, const struct http_reply *reply)
{
    struct chain *c = user;
    struct http_request req = {.url = c->url, .max_reply = 100};
    struct http_call *call;
    struct err e;

    assert_int_equal(reply->end, HTTP_DONE);
    c->done++;
    if (c->done < 50)
        assert_int_equal(http_start(c->fixture->http, &req, chain_next, c, &call, &e), OK);
    assert_true(str_is(reply->body, "{}")); /* still lent, although another call has begun */
}

static void a_callback_may_start_calls(void **state)
{
    struct chain c = {*state, address(*state, "/ok"), 0};
    struct http_request req = {.url = c.url, .max_reply = 100};
    struct http_call *call;
    struct err e;

    assert_int_equal(http_start(c.fixture->http, &req, chain_next, &c, &call, &e), OK);
    step_until(c.fixture, &c.done, 50);
    assert_in_range(atomic_load(&c.fixture->server.counters->accepted), 1, 2);
}

static void cancelled_calls_are_silent(void **state)
{
    struct fixture *f = *state;
    struct outcome gone[3] = {0};
    struct http_call *calls[3];
    struct err e;

    /* However slow the machine: those that are cancelled are still under way. */
    for (int i = 0; i < 3; i++)
        calls[i] = start(
            f,
            (struct http_request){.url = address(f, "/silent"), .timeout_ms = i == 2 ? 50 : 60000},
            &gone[i]);
    http_cancel(calls[1]); /* before it was sent */
    assert_int_equal(loop_step(f->loop, 0, &e), OK);
    http_cancel(calls[0]);
    assert_int_equal(http_in_flight(f->http), 1 - gone[2].calls);
    step_until(f, &gone[2].calls, 1);
    assert_int_equal(gone[2].reply.end, HTTP_TIMEOUT);
    assert_int_equal(get(f, "/ok").end, HTTP_DONE);
    assert_int_equal(gone[0].calls, 0);
    assert_int_equal(gone[1].calls, 0);
}

static void freed_with_calls_under_way(void **state)
{
    struct fixture *f = *state;
    struct outcome all[20] = {0};
    struct err e;

    for (size_t i = 0; i < COUNT(all); i++)
        (void)start(f,
                    (struct http_request){.url = address(f, i % 2 ? "/drip-long" : "/silent"),
                                          .timeout_ms = 60000,
                                          .stall_ms = 60000},
                    &all[i]);
    for (int i = 0; i < 10; i++)
        assert_int_equal(loop_step(f->loop, 10, &e), OK);
    http_free(f->http);
    f->http = NULL;
    for (int i = 0; i < 3; i++)
        assert_int_equal(loop_step(f->loop, 0, &e), OK);
    for (size_t i = 0; i < COUNT(all); i++)
        assert_int_equal(all[i].calls, 0);
}

/* Our server plays the proxy: a request by way of one names the whole address. */
static void no_proxy_for_loopback(void **state)
{
    struct fixture *f = *state;
    struct http_request far_away = {.url = "http://host.invalid/echo"};
    struct err e;

    assert_int_equal(setenv("http_proxy", address(f, ""), 1), 0);
    assert_int_equal(setenv("no_proxy", "example.org", 1), 0);
    http_free(f->http);
    assert_int_equal(http_new(&f->http, f->loop, 4, &e), OK);
    assert_true(str_starts(get(f, "/echo").body, STR("GET /echo ")));
    assert_true(str_starts(ask(f, far_away).body, STR("GET http://host.invalid/echo ")));
    assert_int_equal(setenv("no_proxy", "*", 1), 0);
    http_free(f->http);
    assert_int_equal(http_new(&f->http, f->loop, 4, &e), OK);
    assert_int_equal(ask(f, far_away).end, HTTP_REFUSED);
    assert_int_equal(unsetenv("http_proxy"), 0);
    assert_int_equal(unsetenv("no_proxy"), 0);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(ordinary_replies),
        TEST(bodies_in_parts),
        TEST(broken_replies),
        TEST(what_arrived_is_kept),
        TEST(limits_of_time),
        TEST(size_limit_is_exact),
        TEST(limit_headers),
        TEST(requests_as_sent),
        TEST(large_body),
        TEST(no_connection),
        TEST(connections_are_reused),
        TEST(sent_at_once),
        TEST(a_callback_may_start_calls),
        TEST(cancelled_calls_are_silent),
        TEST(freed_with_calls_under_way),
        TEST(no_proxy_for_loopback),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
