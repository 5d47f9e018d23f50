/* server.h - a small HTTP/1.1 server on loopback: one thread, epoll, keep-alive, timers.
 *
 * The handler fills in a reply at once; the server delivers it later and in the manner asked
 * for, good or bad, and then says how that went. All callbacks run inside server_run(). */
#ifndef MOCK_SERVER_H
#define MOCK_SERVER_H

#include "base/err.h"
#include "base/str.h"

enum { SERVER_CONNECTIONS_MAX = 4096, SERVER_REPLY_MAX = 64 << 20 };

enum server_manner {
    SERVER_WHOLE,
    SERVER_DRIP,    /* whole, a few bytes at a time */
    SERVER_CUT,     /* half of the body that the head promises, then the end */
    SERVER_RESET,   /* no reply: the connection is reset */
    SERVER_SILENCE, /* no reply: until the client goes away */
};

struct server_request {
    struct str method, path, authorization, key, body; /* key: alone in a header of its own */
};

/* What the handler wants to know again when the reply has gone; not looked at by the server.
 * All zeros for a request so malformed that the server refused it without asking. */
struct shape;

struct server_ticket {
    const struct shape *shape;
    int outcome;
    uint32_t attempt;
    int64_t begun_ms;
    char digest[17];
    char model[64];
};

struct server_reply {
    int status;
    const char *type;   /* content type, a constant */
    struct buf headers; /* more header lines, each with its CRLF */
    struct buf body;
    enum server_manner manner;
    int64_t delay_ms;
    int64_t drip_ms; /* of SERVER_DRIP: between two pieces */
    struct server_ticket ticket;
};

struct server_hooks {
    /* The request is lent. *reply comes empty, with status 200 and JSON. */
    void (*handle)(void *user, const struct server_request *request, struct server_reply *reply);
    /* `delivered`: all of it was handed to the kernel (or withheld, as asked). Otherwise the
     * client went away first or we stopped. */
    void (*done)(void *user, const struct server_ticket *ticket, bool delivered);
    void *user;
};

struct server;

/* Listen on an IPv4 address; port 0 takes a free one. SIGINT and SIGTERM are blocked from here on.
 */
CHECKED enum status server_new(struct server **out, const char *address, int port,
                               struct server_hooks hooks, struct err *e);
void server_free(struct server *s); /* NULL is fine */
int server_port(const struct server *s);

/* Serve until SIGINT, SIGTERM or stop_ms from now. */
CHECKED enum status server_run(struct server *s, int64_t stop_ms, struct err *e);

#endif
