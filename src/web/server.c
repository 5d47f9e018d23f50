#include "web/server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "web/guard.h"
#include "web/keeper.h"
#include "web/pool.h"
#include "web/stores.h"

enum {
    CONNECTIONS = 4096,
    /* For a head and what libmicrohttpd notes about it. All of it is touched sooner or later: a
     * thousand idle connections cost a thousand times this. */
    CONNECTION_MEMORY = 40 << 10,
    STALL_S = 30,   /* without a byte in either direction */
    REQUESTS = 100, /* of one connection */
    SLOW_THREADS = 4,
    SLOW_QUEUE = 64, /* pages that wait for one of these */
    SAVE_QUEUE = 2048,
    STREAMS = 256,
    GRACE_MS = 10 * 1000,
    BLOCK = 32 << 10, /* of a stream */
};

/* ---- what there is ---- */

/* One request and its answer. Held by libmicrohttpd and, meanwhile, by the thread that produces
 * the answer. */
struct exchange {
    struct server *server;
    struct MHD_Connection *connection;
    struct peer *peer;
    atomic_int holders;
    struct str target;
    struct request q;
    struct response r;
    struct buf body;
    struct stream stream;
    bool begun, refused, streaming, answered;
    const char *line_end; /* of the line of the head that was looked at last */
    bool gaps;            /* something lay between two lines */
    atomic_bool ready;    /* a slow page is done */
    int64_t begin_ms;
    size_t sent;
};

/* TLS 1.2 only with forward secrecy and ciphers that authenticate; all of 1.3 has both. */
#define TLS_SUITES                                                                                 \
    "SECURE128:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-KX-ALL:+ECDHE-ECDSA:+ECDHE-RSA:-CIPHER-ALL:"   \
    "+AES-256-GCM:+CHACHA20-POLY1305:+AES-128-GCM:-MAC-ALL:+AEAD"

struct server {
    struct server_config config;
    struct MHD_Daemon *daemon;
    struct stores *stores;
    struct guard *guard;
    struct keeper *keeper;
    struct pool *slow, *save;
    /* One lock for what changes seldom, held for a few instructions at a time. */
    pthread_mutex_t lock;
    pthread_cond_t quiet;
    int live, streams; /* requests, and threads that produce */
    struct exchange *streaming[STREAMS];
    bool stopping;
};

/* ---- exchanges ---- */

static struct exchange *exchange_new(struct server *s, struct MHD_Connection *c, const char *target)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(c, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    struct exchange *x = mem_new(sizeof *x);

    x->server = s;
    x->connection = c;
    x->peer = info ? info->socket_context : NULL;
    atomic_init(&x->holders, 1);
    x->q.arena = arena_new();
    x->target = arena_str(x->q.arena, str_of(target));
    x->begin_ms = clock_mono_ms();
    (void)pthread_mutex_lock(&s->lock);
    s->live++;
    (void)pthread_mutex_unlock(&s->lock);
    return x;
}

static void exchange_drop(struct exchange *x)
{
    struct server *s = x->server;

    if (atomic_fetch_sub(&x->holders, 1) > 1)
        return;
    if (x->streaming)
        stream_done(&x->stream);
    buf_done(&x->body);
    buf_done(&x->r.body);
    arena_free(x->q.arena);
    free(x);
    (void)pthread_mutex_lock(&s->lock);
    if (--s->live == 0)
        (void)pthread_cond_broadcast(&s->quiet);
    (void)pthread_mutex_unlock(&s->lock);
}

/* Make the answer, with a store if the page needs one. */
static void exchange_answer(struct exchange *x)
{
    bool bare = x->q.route->flags & ROUTE_BARE;
    struct err e = {0};
    bool good;

    x->q.body = buf_str(&x->body);
    if (!bare && stores_take(x->server->stores, &x->q.store, &e) != OK)
        log_line(LOG_ERROR, "web", "no store: %s", e.msg);
    good = site_answer(&x->q, &x->r);
    stores_give(x->server->stores, x->q.store, !good);
    x->q.store = NULL;
}

/* Instead of whatever answer there was. */
static void refuse(struct exchange *x, int status)
{
    x->r.stream = NULL;
    x->r.fixed = (struct str){NULL, 0};
    x->r.nheaders = 0;
    site_refuse(&x->q, &x->r, status);
}

/* ---- bodies that are produced ---- */

static void stream_resume(void *user)
{
    struct exchange *x = user;

    MHD_resume_connection(x->connection);
}

static void stream_suspend(void *user)
{
    struct exchange *x = user;

    MHD_suspend_connection(x->connection);
}

static ssize_t stream_read(void *user, uint64_t at, char *to, size_t max)
{
    struct exchange *x = user;
    size_t n = 0;

    (void)at;
    switch (stream_take(&x->stream, to, max, &n, stream_suspend)) {
    case STREAM_MORE:
        x->sent += n;
        return (ssize_t)n;
    case STREAM_WAIT:
        return 0;
    case STREAM_END:
        return MHD_CONTENT_READER_END_OF_STREAM;
    case STREAM_FAILED:
        break;
    }
    return MHD_CONTENT_READER_END_WITH_ERROR;
}

/* Put it into the list of those that a stop must tell, or take it out. */
static bool stream_list(struct server *s, const struct exchange *was, struct exchange *is)
{
    bool done = false;

    (void)pthread_mutex_lock(&s->lock);
    for (size_t i = 0; i < STREAMS && !done && !(is && s->stopping); i++) {
        done = s->streaming[i] == was;
        if (done)
            s->streaming[i] = is;
    }
    (void)pthread_mutex_unlock(&s->lock);
    return done;
}

static void stream_count(struct server *s, int by)
{
    (void)pthread_mutex_lock(&s->lock);
    s->streams += by;
    (void)pthread_cond_broadcast(&s->quiet);
    (void)pthread_mutex_unlock(&s->lock);
}

static void *stream_main(void *user)
{
    struct exchange *x = user;
    struct server *s = x->server;
    struct store *store = NULL;
    struct err e = {0};
    bool good;

    good = stores_take(x->server->stores, &store, &e) == OK &&
           x->r.stream(&x->stream, store, x->r.user, &e) == OK;
    if (!good && e.code != E_STOP)
        log_line(LOG_ERROR, "web", "route=%s stream: %s", x->q.route->pattern, e.msg);
    stores_give(x->server->stores, store, !good);
    stream_end(&x->stream, !good);
    (void)stream_list(s, x, NULL);
    exchange_drop(x);
    stream_count(s, -1); /* the last that this thread does with the server */
    return NULL;
}

/* Start the producer; false: there are too many. */
static bool stream_start(struct exchange *x)
{
    struct server *s = x->server;
    pthread_attr_t detached;
    pthread_t thread;
    bool started;

    stream_init(&x->stream, stream_resume, x);
    x->streaming = true;
    if (!stream_list(s, NULL, x))
        return false;
    stream_count(s, 1);
    atomic_fetch_add(&x->holders, 1);
    (void)pthread_attr_init(&detached);
    (void)pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    started = pthread_create(&thread, &detached, stream_main, x) == 0;
    (void)pthread_attr_destroy(&detached);
    if (!started) {
        (void)stream_list(s, x, NULL);
        atomic_fetch_sub(&x->holders, 1); /* it is still the caller's */
        stream_count(s, -1);
    }
    return started;
}

/* ---- sending ---- */

static struct MHD_Response *body_of(struct exchange *x)
{
    struct str whole = x->r.fixed.p ? x->r.fixed : buf_str(&x->r.body);
    union {
        const void *in;
        void *out;
    } bytes = {.in = whole.n ? whole.p : ""};

    if (x->streaming && x->r.stream) /* not when its producer could not be started */
        return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK, stream_read, x, NULL);
    x->sent = whole.n;
    return MHD_create_response_from_buffer(whole.n, bytes.out, MHD_RESPMEM_PERSISTENT);
}

/* libmicrohttpd holds the answer's bytes until request_completed(), which frees them. */
static enum MHD_Result send_answer(struct exchange *x)
{
    struct MHD_Response *out;
    enum MHD_Result sent;

    if (x->r.stream && x->q.method != METHOD_HEAD && !stream_start(x))
        refuse(x, 503);
    out = body_of(x);
    if (!out)
        return MHD_NO;
    for (size_t i = 0; i < x->r.nheaders; i++)
        (void)MHD_add_response_header(out, x->r.headers[i].name.p, x->r.headers[i].value.p);
    if (x->refused || (x->peer && guard_requests(x->peer) >= REQUESTS))
        (void)MHD_add_response_header(out, "Connection", "close");
    if (x->peer)
        guard_phase(x->peer, PHASE_ANSWER);
    x->answered = true;
    sent = MHD_queue_response(x->connection, (unsigned)x->r.status, out);
    MHD_destroy_response(out);
    return sent;
}

/* ---- pages on other threads ---- */

/* Hand it to a pool, while its connection sleeps; false: too many wait already. */
static bool hand_over(struct pool *to, struct exchange *x)
{
    if (!pool_reserve(to))
        return false;
    MHD_suspend_connection(x->connection); /* before anybody can resume it */
    pool_push(to, x);
    return true;
}

static void hand_back(struct exchange *x)
{
    atomic_store(&x->ready, true);
    MHD_resume_connection(x->connection);
}

static void do_slow(void *user, void *const *items, size_t n)
{
    (void)user;
    for (size_t i = 0; i < n; i++) {
        exchange_answer(items[i]);
        hand_back(items[i]);
    }
}

/* One piece of a group; a fault of the database in it must not be the fault of the others. */
static enum status save_one(struct exchange *x, struct store *store, struct err *e)
{
    if (db_group_part(store->db, e) != OK)
        return e->code;
    x->q.store = store;
    x->q.body = buf_str(&x->body);
    if (!site_answer(&x->q, &x->r))
        db_group_undo(store->db);
    x->q.store = NULL;
    return OK;
}

static enum status save_all(struct store *store, void *const *items, size_t n, struct err *e)
{
    if (db_group_begin(store->db, e) != OK)
        return e->code;
    for (size_t i = 0; i < n; i++)
        if (save_one(items[i], store, e) != OK)
            return e->code;
    return db_group_commit(store->db, e);
}

/* Nobody is told that something was saved before it is on the disk. */
static void do_saves(void *user, void *const *items, size_t n)
{
    struct server *s = user;
    struct store *store = NULL;
    struct err e = {0};
    bool good = stores_take(s->stores, &store, &e) == OK && save_all(store, items, n, &e) == OK;

    if (!good)
        log_line(LOG_ERROR, "web", "nothing saved: %s", e.msg);
    if (store)
        db_group_abandon(store->db);
    stores_give(s->stores, store, !good);
    for (size_t i = 0; i < n; i++) {
        struct exchange *x = items[i];
        if (!good)
            refuse(x, 503);
        hand_back(x);
    }
}

/* ---- what libmicrohttpd tells us ---- */

static void *request_line(void *user, const char *target, struct MHD_Connection *c)
{
    return exchange_new(user, c, target);
}

/* Paths and queries are decoded by request.c alone, from the line as it came. */
static size_t leave_escapes(void *user, struct MHD_Connection *c, char *text)
{
    (void)user;
    (void)c;
    return strlen(text);
}

/* libmicrohttpd 0.9.75 hides what a careful parser refuses: of "a\0b" it hands on "a", a folded
 * line it glues to the name of its header, a bare LF it takes for CRLF. A proxy in front of us may
 * read such heads differently, and two readings of one head are what request smuggling is made of.
 * In this version names and values lie in the buffer as they came, with CR and LF between them, and
 * the length of the whole is told, so that whatever was hidden shows as a gap: between two lines,
 * or between the last one and the end. Later versions refuse these themselves. */
static bool shows_gaps(void)
{
    return strcmp(MHD_get_version(), "0.9.75") == 0;
}

static void line_from(struct exchange *x, const char *begin, const char *end, size_t between)
{
    if (x->line_end && (uintptr_t)begin - (uintptr_t)x->line_end != between)
        x->gaps = true;
    x->line_end = end;
}

static enum MHD_Result take_header(void *user, enum MHD_ValueKind kind, const char *name,
                                   size_t name_n, const char *value, size_t value_n)
{
    struct exchange *x = user;
    struct pairs *h = &x->q.headers;

    (void)kind;
    line_from(x, name, value + value_n, 2);
    if (h->n > REQUEST_HEADERS)
        return MHD_NO; /* one more than allowed is enough to refuse them */
    h->v[h->n].name = arena_str(x->q.arena, (struct str){name, name_n});
    h->v[h->n++].value = arena_str(x->q.arena, (struct str){value, value_n});
    return MHD_YES;
}

static struct address peer_address(struct MHD_Connection *c)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(c, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    struct address a = {{0}};

    if (info)
        (void)address_from_socket(info->client_addr, &a);
    return a;
}

static enum MHD_Result begin(struct exchange *x, const char *url, const char *method,
                             const char *version)
{
    struct site_head head = {.method = str_of(method), .target = x->target};
    const union MHD_ConnectionInfo *size =
        MHD_get_connection_info(x->connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    const char *end = size ? method + size->header_size : NULL;

    x->begun = true;
    line_from(x, url, url + x->target.n, 0);
    line_from(x, version, version + strlen(version), 1);
    x->q.headers.v = NEW_N(x->q.arena, struct pair, REQUEST_HEADERS + 2);
    (void)MHD_get_connection_values_n(x->connection, MHD_HEADER_KIND, take_header, x);
    if (x->q.headers.n <= REQUEST_HEADERS) /* all of them have been seen */
        line_from(x, end, end, 4);         /* the last line's CRLF, and that of the empty one */
    head.headers = x->q.headers;
    head.garbled = x->gaps && shows_gaps();
    head.peer = peer_address(x->connection);
    if (x->peer)
        guard_phase(x->peer, PHASE_BODY);
    if (!site_begin(x->server->config.site, &head, &x->q, &x->r)) {
        x->refused = true;
        return send_answer(x);
    }
    x->body.max = site_body_max(&x->q);
    return MHD_YES;
}

/* Its length was announced, and looked at. */
static enum MHD_Result take_body(struct exchange *x, const char *bytes, size_t *n)
{
    buf_add(&x->body, (struct str){bytes, *n});
    if (x->peer)
        guard_received(x->peer, *n);
    *n = 0;
    return x->body.full ? MHD_NO : MHD_YES;
}

/* The threads that this page runs on; NULL: this one. */
static struct pool *pool_for(const struct exchange *x)
{
    unsigned flags = x->q.route->flags;

    return flags & ROUTE_SAVE ? x->server->save : flags & ROUTE_SLOW ? x->server->slow : NULL;
}

static enum MHD_Result on_request(void *user, struct MHD_Connection *c, const char *url,
                                  const char *method, const char *version, const char *bytes,
                                  size_t *n, void **context)
{
    struct exchange *x = *context;
    struct pool *pool;

    (void)user;
    (void)c;
    if (!x)
        return MHD_NO;
    if (!x->begun)
        return begin(x, url, method, version);
    if (*n)
        return take_body(x, bytes, n);
    if (x->answered)
        return MHD_YES;
    pool = pool_for(x);
    if (!atomic_load(&x->ready)) {
        if (x->peer)
            guard_phase(x->peer, PHASE_ANSWER);
        if (!pool)
            exchange_answer(x);
        else if (hand_over(pool, x))
            return MHD_YES;
        else
            refuse(x, 503);
    }
    return send_answer(x);
}

static void request_completed(void *user, struct MHD_Connection *c, void **context,
                              enum MHD_RequestTerminationCode why)
{
    struct exchange *x = *context;

    (void)user;
    (void)c;
    (void)why;
    if (!x)
        return;
    *context = NULL;
    if (x->peer)
        guard_phase(x->peer, PHASE_HEAD);
    /* The pattern, not the path: paths and queries hold tokens. */
    if (x->begun)
        log_info("web", "method=%s route=%s status=%d ms=%lld bytes=%zu from=%s",
                 request_method_name(x->q.method), x->q.route ? x->q.route->pattern : "-",
                 x->r.status, (long long)(clock_mono_ms() - x->begin_ms), x->sent, x->q.address);
    if (x->streaming)
        stream_abandon(&x->stream);
    exchange_drop(x);
}

/* libmicrohttpd's own limit counts every IPv6 address by itself, of which anybody has 2^64. */
static enum MHD_Result may_connect(void *user, const struct sockaddr *sa, socklen_t n)
{
    struct server *s = user;
    struct address from;

    (void)n;
    if (!s->config.per_address || !address_from_socket(sa, &from))
        return MHD_YES;
    return guard_count(s->guard, &from) < s->config.per_address ? MHD_YES : MHD_NO;
}

static void connection_changed(void *user, struct MHD_Connection *c, void **context,
                               enum MHD_ConnectionNotificationCode what)
{
    struct server *s = user;
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD);
    int fd =
        info ? info->connect_fd : -1; /* read before the next question: 1.0.1 reuses the place */

    if (what == MHD_CONNECTION_NOTIFY_STARTED) {
        *context = guard_add(s->guard, fd, peer_address(c));
    } else if (*context) {
        guard_remove(s->guard, *context);
        *context = NULL;
    }
}

/* ---- beginning and ending ---- */

static void raise_limit(void)
{
    struct rlimit l;

    if (getrlimit(RLIMIT_NOFILE, &l) == 0) {
        l.rlim_cur = l.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &l);
    }
}

PRINTF(2, 0)
static void mhd_says(void *user, const char *fmt, va_list ap)
{
    char text[300];

    (void)user;
    (void)vsnprintf(text, sizeof text, fmt, ap);
    text[strcspn(text, "\r\n")] = '\0';
    log_debug("web", "libmicrohttpd: %s", text);
}

static enum status cannot_listen(const struct server_config *c, struct err *e)
{
    if (errno == EADDRINUSE)
        return err_set(e, E_USAGE,
                       "port %d is in use by another program; choose another with --port", c->port);
    return err_set(e, E_SYSTEM, "cannot listen on %s port %d: %s", c->bind, c->port,
                   errno ? strerror(errno) : "is the certificate right?");
}

/* A socket of our own, since libmicrohttpd 1.0 does not say why it could not have one. */
static enum status listen_at(const struct server_config *c, int *out, struct err *e)
{
    struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons((uint16_t)c->port)};
    struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)c->port)};
    bool is_four = inet_pton(AF_INET, c->bind, &four.sin_addr) == 1;
    const int yes = 1;
    int fd;

    if (!is_four && inet_pton(AF_INET6, c->bind, &six.sin6_addr) != 1)
        return err_set(e, E_USAGE, "--bind %s: expected an address such as 127.0.0.1", c->bind);
    fd = socket(is_four ? AF_INET : AF_INET6, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return cannot_listen(c, e);
    if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) ||
        (!is_four && setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &yes, sizeof yes)) ||
        (is_four ? bind(fd, (struct sockaddr *)&four, sizeof four)
                 : bind(fd, (struct sockaddr *)&six, sizeof six)) ||
        listen(fd, SOMAXCONN)) {
        (void)cannot_listen(c, e);
        (void)close(fd);
        return e->code;
    }
    *out = fd;
    return OK;
}

static enum status start_daemon(struct server *s, struct err *e)
{
    const struct server_config *c = &s->config;
    unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG;
    int fd = -1;
    struct MHD_OptionItem tls[] = {
        {MHD_OPTION_HTTPS_MEM_CERT, 0, NULL},
        {MHD_OPTION_HTTPS_MEM_KEY, 0, NULL},
        {MHD_OPTION_HTTPS_PRIORITIES, 0, NULL},
        {MHD_OPTION_END, 0, NULL},
    };
    union {
        const char *in;
        void *out;
    } cert = {.in = c->tls_cert}, key = {.in = c->tls_key}, versions = {.in = TLS_SUITES};

    if (listen_at(c, &fd, e) != OK)
        return e->code;
    tls[0].ptr_value = cert.out;
    tls[1].ptr_value = key.out;
    tls[2].ptr_value = versions.out;
    if (c->tls_cert)
        flags |= MHD_USE_TLS;
    else
        tls[0].option = MHD_OPTION_END;
    errno = 0;
    /* clang-format off */
    s->daemon = MHD_start_daemon(
        flags, (uint16_t)c->port, may_connect, s, on_request, s,
        MHD_OPTION_EXTERNAL_LOGGER, mhd_says, NULL,
        MHD_OPTION_LISTEN_SOCKET, fd,
        MHD_OPTION_THREAD_POOL_SIZE, c->threads,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_MEMORY,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)STALL_S,
        MHD_OPTION_STRICT_FOR_CLIENT, 0, /* what it would refuse, site_begin() refuses, with our headers */
        MHD_OPTION_URI_LOG_CALLBACK, request_line, s,
        MHD_OPTION_UNESCAPE_CALLBACK, leave_escapes, NULL,
        MHD_OPTION_NOTIFY_COMPLETED, request_completed, s,
        MHD_OPTION_NOTIFY_CONNECTION, connection_changed, s,
        MHD_OPTION_ARRAY, tls,
        MHD_OPTION_END);
    /* clang-format on */
    if (s->daemon)
        return OK;
    (void)cannot_listen(c, e);
    (void)close(fd);
    return e->code;
}

static enum status start_pools(struct server *s, struct err *e)
{
    struct pool_config slow = {
        .threads = SLOW_THREADS, .waiting = SLOW_QUEUE, .together = 1, .fn = do_slow, .user = s};
    struct pool_config save = {.threads = 1, /* SQLite has one writer */
                               .waiting = SAVE_QUEUE,
                               .together = POOL_TOGETHER,
                               .fn = do_saves,
                               .user = s};

    if (pool_new(&s->slow, &slow, e) != OK)
        return e->code;
    return pool_new(&s->save, &save, e);
}

enum status server_open(struct server **out, const struct server_config *config, struct err *e)
{
    struct server *s = mem_new(sizeof *s);
    struct store *first = NULL;

    raise_limit();
    s->config = *config;
    s->stores = stores_new(config->db);
    (void)pthread_mutex_init(&s->lock, NULL);
    (void)pthread_cond_init(&s->quiet, NULL);
    if (stores_take(s->stores, &first, e) != OK) /* better now than at the first request */
        goto fail;
    stores_give(s->stores, first, false);
    if (start_pools(s, e) != OK || guard_new(&s->guard, CONNECTIONS / 4 * 3, e) != OK ||
        keeper_new(&s->keeper, s->stores, e) != OK || start_daemon(s, e) != OK)
        goto fail;
    *out = s;
    return OK;
fail:
    server_close(s);
    return e->code;
}

int server_listens(const struct server *s)
{
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(s->daemon, MHD_DAEMON_INFO_BIND_PORT);

    return info ? info->port : 0;
}

/* Until every answer is out, or its time is. */
static void wait_quiet(struct server *s)
{
    struct timespec until;

    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += GRACE_MS / 1000;
    while (s->live && pthread_cond_timedwait(&s->quiet, &s->lock, &until) == 0)
        ;
}

/* None is added any more. Each is held while it is told, without the lock of the list. */
static void abandon_streams(struct server *s)
{
    struct exchange *x;

    for (size_t i = 0; i < STREAMS; i++) {
        (void)pthread_mutex_lock(&s->lock);
        x = s->streaming[i];
        if (x)
            atomic_fetch_add(&x->holders, 1);
        (void)pthread_mutex_unlock(&s->lock);
        if (x) {
            stream_stop(&x->stream);
            exchange_drop(x);
        }
    }
}

void server_close(struct server *s)
{
    int listener;

    if (!s)
        return;
    listener = s->daemon ? MHD_quiesce_daemon(s->daemon) : -1;
    (void)pthread_mutex_lock(&s->lock);
    s->stopping = true;
    (void)pthread_mutex_unlock(&s->lock);
    abandon_streams(s);
    (void)pthread_mutex_lock(&s->lock);
    wait_quiet(s);
    (void)pthread_mutex_unlock(&s->lock);
    pool_end(s->slow); /* no connection may sleep when the daemon stops */
    pool_end(s->save);
    if (s->daemon)
        MHD_stop_daemon(s->daemon);
    if (listener >= 0)
        (void)close(listener);
    (void)pthread_mutex_lock(&s->lock);
    while (s->streams) /* their producers have been told */
        (void)pthread_cond_wait(&s->quiet, &s->lock);
    (void)pthread_mutex_unlock(&s->lock);
    pool_free(s->slow);
    pool_free(s->save);
    guard_free(s->guard);
    keeper_free(s->keeper);
    stores_free(s->stores);
    (void)pthread_cond_destroy(&s->quiet);
    (void)pthread_mutex_destroy(&s->lock);
    free(s);
}
