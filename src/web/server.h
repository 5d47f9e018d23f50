/* server.h - serves a site over HTTP/1.1, with or without TLS.
 *
 * A few threads serve many connections each (gate.h, client.h). Pages that may take long
 * (ROUTE_SLOW) run in a pool with a queue of limited length, saves (ROUTE_SAVE) in a pool of one
 * thread, and each streamed body (stream.h) has a thread of its own. All share the site, which is
 * read-only; each request in progress has its own database handle.
 *
 * Connections, bytes and time are limited for every client. A client that is too slow to send its
 * head or body, or to take its answer, is cut off. */
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
    unsigned threads;     /* that serve connections */
    unsigned per_address; /* connections of one address, or IPv6 network; 0: no limit */
};

struct server;

/* Start serving. Everything in config is borrowed until server_close(). */
CHECKED enum status server_open(struct server **out, const struct server_config *config,
                                struct err *e);
int server_listens(const struct server *s); /* the port */
/* Stop accepting, finish requests in progress (clients have at most ten seconds to take their
 * answers), and free everything. NULL is fine. */
void server_close(struct server *s);

#endif
