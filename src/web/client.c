#include "web/client.h"

#include <errno.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    BLOCK = 16 << 10, /* bytes of one read: a whole record of TLS */
    CHUNK = 32 << 10, /* bytes of a stream sent at once */
    REQUESTS = 100,   /* per connection */
    ANSWER_HEAD = 64 << 10,
    LEFT_OVER = 1 << 20, /* bytes read and dropped after the last answer */
};

enum state { GREETS, ASKS, SENDS_BODY, WAITS, IS_ANSWERED, LEAVES };

struct client {
    const struct client_config *config;
    int fd;
    struct address from;
    struct tls_session *tls; /* NULL: without */
    struct peer *peer;
    void *seat;
    enum state state;
    struct buf in; /* received and not processed yet */
    size_t seen;   /* bytes of it in which the end of a head was looked for in vain */
    struct exchange *x;
    size_t missing;     /* bytes of the request body that have not arrived */
    struct buf out;     /* the head of the answer, or a piece of its stream */
    struct str rest[2]; /* still to be sent: of `out`, and of the body */
    bool chunks;        /* streams are sent in chunks, not up to the end of the connection */
    bool only_head, last;
    size_t left_over;
};

/* The result of a step beside enum client_wait: take the next step at once. */
enum { AGAIN = CLIENT_GONE + 1 };

enum { STEPS = 64 }; /* before the other clients of the thread have their turn */

struct client *client_new(const struct client_config *config, int fd, struct address from,
                          void *seat)
{
    struct client *c = mem_new(sizeof *c);
    const int yes = 1;

    c->config = config;
    c->fd = fd;
    c->from = from;
    c->seat = seat;
    c->in.max = HEAD_MAX + BLOCK;
    c->out.max = ANSWER_HEAD;
    c->state = config->tls ? GREETS : ASKS;
    c->peer = guard_add(config->guard, fd, from);
    c->tls = config->tls && c->peer ? tls_begin(config->tls, fd) : NULL;
    (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (c->peer && (c->tls || !config->tls))
        return c;
    client_free(c);
    return NULL;
}

static void end_exchange(struct client *c)
{
    if (c->x)
        c->config->calls->close(c->x);
    c->x = NULL;
}

void client_free(struct client *c)
{
    end_exchange(c);
    if (c->peer)
        guard_remove(c->config->guard, c->peer);
    tls_end(c->tls);
    (void)close(c->fd);
    buf_done(&c->in);
    buf_done(&c->out);
    free(c);
}

int client_socket(const struct client *c)
{
    return c->fd;
}

void *client_seat(const struct client *c)
{
    return c->seat;
}

/* ---- bytes ---- */

/* > 0: bytes; 0: end of the connection; else TLS_READ, TLS_WRITE or TLS_FAILED as in tls.h. */
static ssize_t result(ssize_t n, int direction)
{
    if (n >= 0)
        return n;
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? direction : TLS_FAILED;
}

static ssize_t take(struct client *c, char *to, size_t max)
{
    return c->tls ? tls_take(c->tls, to, max) : result(recv(c->fd, to, max, 0), TLS_READ);
}

static ssize_t put(struct client *c, struct str bytes, bool more)
{
    return c->tls ? tls_put(c->tls, bytes.p, bytes.n)
                  : result(send(c->fd, bytes.p, bytes.n, MSG_NOSIGNAL | (more ? MSG_MORE : 0)),
                           TLS_WRITE);
}

static int wait_for(ssize_t rc)
{
    return rc == TLS_READ ? CLIENT_READ : rc == TLS_WRITE ? CLIENT_WRITE : CLIENT_GONE;
}

/* Remove the first n bytes received. */
static void drop(struct client *c, size_t n)
{
    c->in.n -= n;
    if (c->in.n)
        memmove(c->in.p, c->in.p + n, c->in.n);
    else
        buf_done(&c->in); /* keeps thousands of idle connections cheap */
}

static int read_more(struct client *c)
{
    char block[BLOCK];
    ssize_t n = take(c, block, sizeof block);

    if (n <= 0)
        return wait_for(n);
    buf_add(&c->in, (struct str){block, (size_t)n});
    return AGAIN;
}

/* ---- the request ---- */

static int greet(struct client *c)
{
    ssize_t rc = tls_greet(c->tls);

    if (rc != 1)
        return wait_for(rc);
    c->state = ASKS;
    return AGAIN;
}

static void tell(struct client *c);

static void begin(struct client *c, const struct head *h)
{
    struct exchange *x = c->x;
    int64_t length;

    c->last = !head_keeps(h);
    c->chunks = h->minor >= 1;
    if (!c->config->calls->begin(x, h)) {
        c->last = true;
        tell(c);
        return;
    }
    length = request_body_length(&x->q.headers);
    c->missing = length > 0 ? (size_t)length : 0;
    c->state = SENDS_BODY;
    if (c->missing && !c->in.n && head_expects(h))
        c->rest[0] = STR("HTTP/1.1 100 Continue\r\n\r\n");
}

static int read_head(struct client *c)
{
    struct head h;
    size_t n;

    if (!c->seen && c->in.n >= 2 && memcmp(c->in.p, "\r\n", 2) == 0)
        drop(c, 2); /* some clients send an empty line after a body (RFC 9112, 2.2) */
    n = head_size(buf_str(&c->in), &c->seen);
    if (!n)
        return read_more(c);
    guard_phase(c->peer, PHASE_BODY);
    c->seen = 0;
    c->x = c->config->calls->open(c->config->calls->user);
    c->x->client = c;
    c->x->from = c->from;
    h = head_read(c->x->q.arena, (struct str){c->in.p, n});
    drop(c, n);
    c->only_head = str_is(h.method, "HEAD");
    begin(c, &h);
    return AGAIN;
}

static int answer(struct client *c)
{
    c->state = WAITS;
    guard_phase(c->peer, PHASE_ANSWER);
    if (!c->config->calls->answer(c->x))
        return CLIENT_ANSWER;
    tell(c);
    return AGAIN;
}

static int push(struct client *c);

static int read_body(struct client *c)
{
    size_t n = c->in.n < c->missing ? c->in.n : c->missing;

    if (c->rest[0].n) /* "100 Continue" goes first */
        return push(c);
    if (n) {
        buf_add(&c->x->body, (struct str){c->in.p, n});
        guard_received(c->peer, n);
        c->missing -= n;
        drop(c, n);
    }
    return c->missing ? read_more(c) : answer(c);
}

/* ---- the answer ---- */

/* Queue the head of the answer, and its body unless that is a stream. */
static void tell(struct client *c)
{
    struct exchange *x = c->x;
    struct str body = x->r.fixed.p ? x->r.fixed : buf_str(&x->r.body);
    bool streams = x->r.stream != NULL, none = x->r.status == 304 || x->r.status == 204;
    int64_t length = streams ? (c->chunks ? HEAD_CHUNKS : HEAD_BARE)
                     : none  ? HEAD_BARE
                             : (int64_t)body.n;

    c->last = c->last || (streams && !c->chunks) || guard_requests(c->peer) >= REQUESTS ||
              c->config->calls->ending(c->config->calls->user);
    buf_clear(&c->out);
    head_write(&c->out, &x->r, length, c->last);
    c->rest[0] = buf_str(&c->out);
    c->rest[1] = streams || none || c->only_head ? STR("") : body;
    x->sent = c->rest[1].n;
    c->state = IS_ANSWERED;
    guard_phase(c->peer, PHASE_TAKE);
}

/* Send what is queued. AGAIN: all of it was sent. */
static int push(struct client *c)
{
    for (size_t i = 0; i < COUNT(c->rest); i++)
        while (c->rest[i].n) {
            ssize_t n = put(c, c->rest[i], i == 0 && c->rest[1].n);
            if (n <= 0)
                return n ? wait_for(n) : CLIENT_GONE;
            c->rest[i] = str_from(c->rest[i], (size_t)n);
            guard_progress(c->peer);
        }
    return AGAIN;
}

/* The next piece of a stream. */
static int refill(struct client *c)
{
    struct exchange *x = c->x;
    char block[CHUNK];
    size_t n = 0;

    buf_clear(&c->out);
    switch (stream_take(&x->stream, block, sizeof block, &n)) {
    case STREAM_WAIT:
        guard_phase(c->peer, PHASE_ANSWER); /* we are slow, not the client */
        return CLIENT_ANSWER;
    case STREAM_FAILED:
        return CLIENT_GONE; /* the client sees that the end is missing */
    case STREAM_END:
        x->r.stream = NULL;
        if (c->chunks)
            c->rest[0] = STR("0\r\n\r\n");
        return AGAIN;
    case STREAM_MORE:
        break;
    }
    if (c->chunks)
        buf_fmt(&c->out, "%zx\r\n", n);
    buf_add(&c->out, (struct str){block, n});
    if (c->chunks)
        buf_text(&c->out, "\r\n");
    c->rest[0] = buf_str(&c->out);
    x->sent += n;
    guard_phase(c->peer, PHASE_TAKE);
    return AGAIN;
}

static int send_on(struct client *c)
{
    int next = push(c);

    if (next != AGAIN)
        return next;
    if (c->x->streaming && c->x->r.stream && !c->only_head)
        return refill(c);
    end_exchange(c);
    buf_done(&c->out);
    if (!c->last) {
        c->state = ASKS;
        guard_phase(c->peer, PHASE_HEAD);
        return AGAIN;
    }
    if (c->tls)
        tls_bye(c->tls);
    (void)shutdown(c->fd, SHUT_WR);
    c->state = LEAVES;
    guard_phase(c->peer, PHASE_LEAVE);
    return AGAIN;
}

/* Closing while bytes are unread resets the connection, and a client that is still sending would
 * lose the answer. */
static int leave(struct client *c)
{
    char block[BLOCK];
    ssize_t n = recv(c->fd, block, sizeof block, 0);

    if (n < 0)
        return wait_for(result(n, TLS_READ));
    c->left_over += (size_t)n;
    return n == 0 || c->left_over > LEFT_OVER ? CLIENT_GONE : AGAIN;
}

enum client_wait client_go(struct client *c)
{
    for (int i = 0; i < STEPS; i++) {
        int next = CLIENT_GONE;
        switch (c->state) {
        case GREETS:
            next = greet(c);
            break;
        case ASKS:
            next = read_head(c);
            break;
        case SENDS_BODY:
            next = read_body(c);
            break;
        case WAITS:
            next = answer(c);
            break;
        case IS_ANSWERED:
            next = send_on(c);
            break;
        case LEAVES:
            next = leave(c);
            break;
        }
        if (next != AGAIN)
            return (enum client_wait)next;
    }
    return CLIENT_TURN;
}
