/* client.h - one connection: bytes become requests, answers become bytes. HTTP/1.1, with or without
 * TLS, one request after the other; nothing is read while an answer is made or sent.
 *
 * A client belongs to one thread (gate.h), and so do the calls below. Every answer that it sends,
 * to whatever was asked, was made by whoever answers, and has one head. */
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
    struct buf body; /* of the request; its max is set before the first byte comes */
    struct stream stream;
    bool streaming; /* its body comes from the stream, if r.stream is still there */
    size_t sent;    /* bytes of the body of the answer */
};

/* Who answers. */
struct client_calls {
    void *user;
    struct exchange *(*open)(void *user); /* with an arena in q */
    /* The head came. False: the answer is there already, and the connection ends with it. */
    bool (*begin)(struct exchange *x, const struct head *h);
    /* The body came, or client_go() was called again: is the answer there? */
    bool (*answer)(struct exchange *x);
    void (*close)(struct exchange *x); /* all is sent, or the client has gone */
    bool (*ending)(void *user);        /* no further request is taken */
};

struct client_config {
    const struct client_calls *calls;
    struct guard *guard;
    struct tls *tls; /* NULL: without */
};

/* NULL: there are too many. The socket is the client's from now on, also then. */
struct client *client_new(const struct client_config *config, int fd, struct address from);
void client_free(struct client *c);

/* What it waits for: its socket, its next turn, or the answer (then, and not before, somebody has
 * it go on). */
enum client_wait { CLIENT_READ, CLIENT_WRITE, CLIENT_TURN, CLIENT_ANSWER, CLIENT_GONE };
enum client_wait client_go(struct client *c);
int client_socket(const struct client *c);
/* Whatever the thread that it belongs to wants to find with it. */
void client_set_seat(struct client *c, void *seat);
void *client_seat(const struct client *c);

#endif
