/* server.h - the site on a socket: HTTP/1.1, with or without TLS.
 *
 * A few threads serve, each many connections (gate.h, client.h); pages that may take long
 * (ROUTE_SLOW) run on a few others behind a queue of limited length, and bodies that are produced
 * (stream.h) on a thread each. Threads share the site, which is only read, and the database, of
 * which each request that is being answered has a handle of its own.
 *
 * Clients have limits in everything: connections, bytes, time. A client that sends its head, its
 * body or takes its answer too slowly is cut off. */
#ifndef WEB_SERVER_H
#define WEB_SERVER_H

#include "web/site.h"

struct server_config {
    struct site *site;
    const char *db;       /* URL */
    const char *bind;     /* an address */
    int port;             /* 0: a free one */
    const char *tls_cert; /* PEM, both or neither */
    const char *tls_key;
    unsigned threads;     /* that serve */
    unsigned per_address; /* connections of one address, or IPv6 network; 0: no limit */
};

struct server;

/* Begins to serve. Everything in config is borrowed until server_close(). */
CHECKED enum status server_open(struct server **out, const struct server_config *config,
                                struct err *e);
int server_listens(const struct server *s); /* on which port */
/* Stop accepting, finish what was begun (at most ten seconds for clients that are slow to take
 * their answers), end. NULL is fine. */
void server_close(struct server *s);

#endif
