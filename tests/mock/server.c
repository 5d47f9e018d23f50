#include "mock/server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "mock/request.h"
#include "mock/timers.h"

enum {
    DRIP_PIECES = 32,
    DRIP_MS = 3,
    DRAIN_MS = 500,          /* how long a closing connection may still send */
    BUFFER_KEPT = 256 << 10, /* larger buffers go back after the request */
    INPUT_CHUNK = 64 << 10,
    SPARE_FILES = 32, /* descriptors left for everything but connections */
};

enum phase {
    PHASE_READ,  /* a request is coming, or none */
    PHASE_WAIT,  /* the reply is ready; its time has not come */
    PHASE_SEND,  /* the reply is going out as fast as the socket takes it */
    PHASE_DRIP,  /* the same, by the clock */
    PHASE_MUTE,  /* the reply is never going to come */
    PHASE_DRAIN, /* our side is shut; what still comes is thrown away */
};

/* Edge-triggered and registered once. Lives in the server's pool for ever; fd is -1 when free. */
struct conn {
    int fd;
    enum phase phase;
    bool close_after, continued;
    struct buf in, out;
    size_t sent;
    struct server_reply reply;
    struct timer timer;
};

struct server {
    int listen_fd, epoll_fd, signal_fd, port;
    struct server_hooks hooks;
    struct conn *conns;
    struct conn **free_conns;
    size_t nfree, nconns;
    struct timers timers;
    int64_t now_ms;
};

static void set_phase(struct server *s, struct conn *c, enum phase phase, int64_t wait_ms)
{
    timers_drop(&s->timers, &c->timer);
    c->phase = phase;
    if (wait_ms > 0)
        timers_add(&s->timers, &c->timer, s->now_ms + wait_ms, c);
}

static void buffer_rest(struct buf *b)
{
    if (b->cap > BUFFER_KEPT)
        buf_done(b);
    else
        buf_clear(b);
}

static void conn_close(struct server *s, struct conn *c)
{
    bool owes = c->phase != PHASE_READ && c->phase != PHASE_DRAIN;

    if (owes)
        s->hooks.done(s->hooks.user, &c->reply.ticket, c->phase == PHASE_MUTE);
    set_phase(s, c, PHASE_READ, 0);
    close(c->fd);
    c->fd = -1;
    buffer_rest(&c->in);
    buffer_rest(&c->out);
    s->free_conns[s->nfree++] = c;
}

/* Closing at once could reset the connection and take the reply away from a client that is
 * still sending (RFC 9112, 9.6). */
static void conn_drain(struct server *s, struct conn *c)
{
    (void)shutdown(c->fd, SHUT_WR);
    buf_clear(&c->in);
    set_phase(s, c, PHASE_DRAIN, DRAIN_MS);
}

static void conn_reset(struct server *s, struct conn *c)
{
    struct linger abort_it = {.l_onoff = 1, .l_linger = 0};

    (void)setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &abort_it, sizeof abort_it);
    s->hooks.done(s->hooks.user, &c->reply.ticket, true);
    c->phase = PHASE_READ;
    conn_close(s, c);
}

static void conn_finish(struct server *s, struct conn *c)
{
    s->hooks.done(s->hooks.user, &c->reply.ticket, true);
    buffer_rest(&c->out);
    buffer_rest(&c->reply.body);
    c->sent = 0;
    set_phase(s, c, PHASE_READ, 0);
    if (c->close_after)
        conn_drain(s, c);
}

/* Send at most `max` bytes more. False when the connection had to be closed. */
static bool conn_push(struct server *s, struct conn *c, size_t max)
{
    struct str rest = str_from(buf_str(&c->out), c->sent);
    ssize_t n = send(c->fd, rest.p, rest.n < max ? rest.n : max, MSG_NOSIGNAL);

    if (n < 0 && errno != EAGAIN && errno != EINTR) {
        conn_close(s, c);
        return false;
    }
    if (n > 0)
        c->sent += (size_t)n;
    return true;
}

static void conn_send(struct server *s, struct conn *c)
{
    size_t before;

    do {
        before = c->sent;
        if (!conn_push(s, c, SIZE_MAX))
            return;
        if (c->sent == c->out.n) {
            conn_finish(s, c);
            return;
        }
    } while (c->sent > before);
}

static void conn_drip(struct server *s, struct conn *c)
{
    if (!conn_push(s, c, c->out.n / DRIP_PIECES + 1))
        return;
    if (c->sent == c->out.n)
        conn_finish(s, c);
    else
        set_phase(s, c, PHASE_DRIP, c->reply.drip_ms);
}

/* The time for the reply has come. */
static void conn_begin(struct server *s, struct conn *c)
{
    switch (c->reply.manner) {
    case SERVER_WHOLE:
    case SERVER_CUT:
        set_phase(s, c, PHASE_SEND, 0);
        conn_send(s, c);
        break;
    case SERVER_DRIP:
        conn_drip(s, c);
        break;
    case SERVER_RESET:
        conn_reset(s, c);
        break;
    case SERVER_SILENCE:
        set_phase(s, c, PHASE_MUTE, 0);
        break;
    }
}

static const char *reason(int status)
{
    switch (status) {
    case 200:
        return "OK";
    case 403:
        return "Forbidden";
    case 401:
        return "Unauthorized";
    case 404:
        return "Not Found";
    case 429:
        return "Too Many Requests";
    case 502:
        return "Bad Gateway";
    case 503:
        return "Service Unavailable";
    default:
        return status < 500 ? "Bad Request" : "Internal Server Error";
    }
}

static void wire_write(struct conn *c)
{
    const struct server_reply *r = &c->reply;
    struct str body = buf_str(&r->body);

    buf_fmt(&c->out, "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n", r->status,
            reason(r->status), r->type, body.n);
    buf_add(&c->out, buf_str(&r->headers));
    if (c->close_after && r->manner != SERVER_CUT)
        buf_text(&c->out, "Connection: close\r\n");
    buf_text(&c->out, "\r\n");
    buf_add(&c->out, (struct str){body.p, r->manner == SERVER_CUT ? body.n / 2 : body.n});
}

static void reply_clear(struct server_reply *r)
{
    buf_clear(&r->headers);
    buf_clear(&r->body);
    r->status = 200;
    r->type = "application/json";
    r->manner = SERVER_WHOLE;
    r->delay_ms = 0;
    r->drip_ms = DRIP_MS;
    r->ticket = (struct server_ticket){0};
}

static void reply_start(struct server *s, struct conn *c)
{
    if (c->reply.manner == SERVER_CUT)
        c->close_after = true;
    wire_write(c);
    set_phase(s, c, PHASE_WAIT, c->reply.delay_ms);
    if (c->reply.delay_ms <= 0)
        conn_begin(s, c);
}

static void conn_refuse(struct server *s, struct conn *c, int status)
{
    reply_clear(&c->reply);
    c->reply.status = status;
    buf_text(&c->reply.body, "{\"error\":{\"message\":\"not a request that this server reads\","
                             "\"type\":\"invalid_request_error\"}}\n");
    c->close_after = true;
    reply_start(s, c);
}

static void input_drop(struct buf *in, size_t n)
{
    if (n == in->n) {
        buffer_rest(in);
        return;
    }
    memmove(in->p, in->p + n, in->n - n);
    in->n -= n;
    in->p[in->n] = '\0';
}

/* Take one request from the input. False when there is not yet a whole one. */
static bool conn_take(struct server *s, struct conn *c)
{
    struct request_head h;
    struct str in = buf_str(&c->in);
    int refused = in.n ? request_parse(in, &h) : -1;

    if (refused < 0)
        return false;
    if (refused) {
        conn_refuse(s, c, refused);
        return true;
    }
    if (in.n - h.head_bytes < h.body_bytes) {
        if (h.expect_continue && !c->continued)
            (void)!send(c->fd, "HTTP/1.1 100 Continue\r\n\r\n", 25, MSG_NOSIGNAL);
        c->continued = true;
        return false;
    }
    reply_clear(&c->reply);
    c->continued = false;
    c->close_after = h.close;
    s->hooks.handle(s->hooks.user,
                    &(struct server_request){.method = h.method,
                                             .path = h.path,
                                             .authorization = h.authorization,
                                             .key = h.key,
                                             .body = {in.p + h.head_bytes, h.body_bytes}},
                    &c->reply);
    input_drop(&c->in, h.head_bytes + h.body_bytes);
    reply_start(s, c);
    return true;
}

/* Requests that were sent ahead of their turn wait in the input. */
static void conn_advance(struct server *s, struct conn *c)
{
    while (c->fd >= 0 && c->phase == PHASE_READ && conn_take(s, c))
        ;
}

/* Read all there is, as an edge-triggered descriptor demands. False at the end of the stream,
 * after an error, or when the client sends more ahead than we keep. */
static bool conn_fill(struct conn *c)
{
    char chunk[INPUT_CHUNK];
    ssize_t n;

    do {
        n = recv(c->fd, chunk, sizeof chunk, 0);
        if (n > 0 && c->phase != PHASE_DRAIN)
            buf_add(&c->in, (struct str){chunk, (size_t)n});
    } while ((n == sizeof chunk && !c->in.full) || (n < 0 && errno == EINTR));
    return !c->in.full && (n > 0 || (n < 0 && errno == EAGAIN));
}

static void conn_event(struct server *s, struct conn *c, uint32_t events)
{
    bool open = true;

    if (events & (EPOLLIN | EPOLLRDHUP | EPOLLHUP | EPOLLERR))
        open = conn_fill(c) && !(events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR));
    if (c->phase == PHASE_SEND && (events & EPOLLOUT))
        conn_send(s, c);
    conn_advance(s, c);
    /* A client that has shut its side is not going to be there when a later reply is due. */
    if (!open && c->fd >= 0)
        conn_close(s, c);
}

static void conn_timeout(struct server *s, struct conn *c)
{
    timers_drop(&s->timers, &c->timer);
    if (c->phase == PHASE_DRAIN)
        conn_close(s, c);
    else if (c->phase == PHASE_DRIP)
        conn_drip(s, c);
    else
        conn_begin(s, c);
    conn_advance(s, c);
}

static void conn_open(struct server *s, int fd)
{
    struct epoll_event ev = {.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET};
    struct conn *c;
    int on = 1;

    if (s->nfree == 0) {
        close(fd);
        return;
    }
    c = s->free_conns[--s->nfree];
    c->fd = fd;
    c->phase = PHASE_READ;
    c->close_after = c->continued = false;
    c->sent = 0;
    ev.data.ptr = c;
    (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (epoll_ctl(s->epoll_fd, EPOLL_CTL_ADD, fd, &ev) != 0)
        conn_close(s, c);
}

static void connections_accept(struct server *s)
{
    int fd;

    while ((fd = accept4(s->listen_fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0)
        conn_open(s, fd);
}

/* As many connections as the process may have files, up to our limit. */
static size_t connections_limit(void)
{
    struct rlimit files;
    rlim_t want = SERVER_CONNECTIONS_MAX + SPARE_FILES;

    if (getrlimit(RLIMIT_NOFILE, &files) != 0)
        return 256;
    if (files.rlim_cur < want) {
        files.rlim_cur = files.rlim_max < want ? files.rlim_max : want;
        (void)setrlimit(RLIMIT_NOFILE, &files);
        (void)getrlimit(RLIMIT_NOFILE, &files);
    }
    if (files.rlim_cur <= SPARE_FILES)
        return 1;
    return files.rlim_cur < want ? files.rlim_cur - SPARE_FILES : SERVER_CONNECTIONS_MAX;
}

static void pool_init(struct server *s)
{
    s->nconns = connections_limit();
    s->conns = mem_new(s->nconns * sizeof *s->conns);
    s->free_conns = mem_new(s->nconns * sizeof(struct conn *));
    for (size_t i = s->nconns; i-- > 0;) {
        struct conn *c = &s->conns[i];
        c->fd = -1;
        c->in.max = REQUEST_HEAD_MAX + REQUEST_BODY_MAX;
        c->out.max = c->reply.body.max = SERVER_REPLY_MAX;
        c->reply.headers.max = REQUEST_HEAD_MAX;
        s->free_conns[s->nfree++] = c;
    }
}

static enum status socket_open(struct server *s, const char *address, int port, struct err *e)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    socklen_t n = sizeof at;
    int on = 1;

    if (inet_pton(AF_INET, address, &at.sin_addr) != 1)
        return err_set(e, E_USAGE, "\"%s\" is not an IPv4 address", address);
    s->listen_fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (s->listen_fd < 0)
        return err_set(e, E_SYSTEM, "socket: %s", strerror(errno));
    (void)setsockopt(s->listen_fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(s->listen_fd, (struct sockaddr *)&at, sizeof at) != 0 ||
        listen(s->listen_fd, SOMAXCONN) != 0 ||
        getsockname(s->listen_fd, (struct sockaddr *)&at, &n) != 0)
        return err_set(e, E_SYSTEM, "%s:%d: %s", address, port, strerror(errno));
    s->port = ntohs(at.sin_port);
    return OK;
}

static enum status events_open(struct server *s, struct err *e)
{
    struct epoll_event on_listen = {.events = EPOLLIN, .data.ptr = &s->listen_fd};
    struct epoll_event on_signal = {.events = EPOLLIN, .data.ptr = &s->signal_fd};
    sigset_t stop;

    sigemptyset(&stop);
    sigaddset(&stop, SIGINT);
    sigaddset(&stop, SIGTERM);
    (void)sigprocmask(SIG_BLOCK, &stop, NULL);
    s->signal_fd = signalfd(-1, &stop, SFD_NONBLOCK | SFD_CLOEXEC);
    s->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    if (s->signal_fd < 0 || s->epoll_fd < 0 ||
        epoll_ctl(s->epoll_fd, EPOLL_CTL_ADD, s->listen_fd, &on_listen) != 0 ||
        epoll_ctl(s->epoll_fd, EPOLL_CTL_ADD, s->signal_fd, &on_signal) != 0)
        return err_set(e, E_SYSTEM, "epoll: %s", strerror(errno));
    return OK;
}

enum status server_new(struct server **out, const char *address, int port,
                       struct server_hooks hooks, struct err *e)
{
    struct server *s = mem_new(sizeof *s);

    s->hooks = hooks;
    s->listen_fd = s->epoll_fd = s->signal_fd = -1;
    if (socket_open(s, address, port, e) != OK || events_open(s, e) != OK) {
        server_free(s);
        return e->code;
    }
    pool_init(s);
    *out = s;
    return OK;
}

void server_free(struct server *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->nconns; i++) {
        struct conn *c = &s->conns[i];
        if (c->fd >= 0)
            conn_close(s, c);
        buf_done(&c->in);
        buf_done(&c->out);
        buf_done(&c->reply.headers);
        buf_done(&c->reply.body);
    }
    timers_done(&s->timers);
    free(s->conns);
    free(s->free_conns);
    for (size_t i = 0; i < 3; i++) {
        int fd = (int[]){s->listen_fd, s->epoll_fd, s->signal_fd}[i];
        if (fd >= 0)
            close(fd);
    }
    free(s);
}

int server_port(const struct server *s)
{
    return s->port;
}

static void timers_run(struct server *s)
{
    struct timer *t;

    s->now_ms = clock_mono_ms();
    while ((t = timers_first(&s->timers)) && t->due_ms <= s->now_ms)
        conn_timeout(s, t->owner);
}

static int wait_ms(const struct server *s, int64_t stop_at_ms)
{
    const struct timer *t = timers_first(&s->timers);
    int64_t until = t && t->due_ms < stop_at_ms ? t->due_ms : stop_at_ms;
    int64_t left = until - clock_mono_ms();

    return left < 0 ? 0 : left > 60000 ? 60000 : (int)left;
}

enum status server_run(struct server *s, int64_t stop_ms, struct err *e)
{
    int64_t stop_at_ms = clock_mono_ms() + stop_ms;
    struct epoll_event events[256];

    while (clock_mono_ms() < stop_at_ms) {
        int n = epoll_wait(s->epoll_fd, events, COUNT(events), wait_ms(s, stop_at_ms));
        if (n < 0 && errno != EINTR)
            return err_set(e, E_SYSTEM, "epoll_wait: %s", strerror(errno));
        s->now_ms = clock_mono_ms();
        for (int i = 0; i < n; i++) {
            if (events[i].data.ptr == &s->signal_fd)
                return OK;
            if (events[i].data.ptr == &s->listen_fd)
                connections_accept(s);
            else
                conn_event(s, events[i].data.ptr, events[i].events);
        }
        timers_run(s);
    }
    return OK;
}
