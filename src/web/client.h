/* client.h - one connection: bytes become requests, answers become bytes. HTTP/1.1, with or without
 * TLS, one request after the other; nothing is read while an answer is made or sent.
 *
 * A client belongs to one thread (gate.h), which makes all calls below. Every answer that is sent,
 * even to a malformed request, comes from client_calls and has exactly one head. */
#ifndef WEB_CLIENT_H
#define WEB_CLIENT_H

#include "web/guard.h"
#include "web/head.h"
#include "web/tls.h"

struct client;

/* One request and its answer, as far as a connection knows of them. */
struct exchange {
    struct client *client;
    struct address from;
    struct request q;
    struct response r;
    struct buf body; /* of the request; begin() sets its max */
    struct stream stream;
    bool streaming; /* the stream was started, and is the body while r.stream is set */
    size_t sent;    /* bytes of the response body */
};

/* Who answers. */
struct client_calls {
    void *user;
    struct exchange *(*open)(void *user); /* a new exchange with an arena in q */
    /* The head has arrived. False: the answer is complete, and the connection ends with it. */
    bool (*begin)(struct exchange *x, const struct head *h);
    /* The body has arrived, or client_go() was called again. True: the answer is complete. */
    bool (*answer)(struct exchange *x);
    void (*close)(struct exchange *x); /* everything was sent, or the client has gone */
    bool (*ending)(void *user);        /* the server takes no further request */
};

struct client_config {
    const struct client_calls *calls;
    struct guard *guard;
    struct tls *tls; /* NULL: without */
};

/* `seat` is the caller's own, returned by client_seat(). Takes the socket over in any case; NULL:
 * there are too many connections. */
struct client *client_new(const struct client_config *config, int fd, struct address from,
                          void *seat);
void client_free(struct client *c);

/* Work on the connection until it has to wait: for its socket, for its next turn, or for the answer
 * (then gate_wake() makes it go on). */
enum client_wait { CLIENT_READ, CLIENT_WRITE, CLIENT_TURN, CLIENT_ANSWER, CLIENT_GONE };
enum client_wait client_go(struct client *c);
int client_socket(const struct client *c);
void *client_seat(const struct client *c);

#endif
