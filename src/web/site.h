/* site.h - turns a request into an answer: finds the page, checks who asks and whether they may,
 * and adds the headers that every answer has.
 *
 * Knows nothing of sockets; server.c brings the requests. A site is made before threads start and
 * is read-only afterwards, but for throttle, shelf, oidc and listeners, which are thread-safe. */
#ifndef WEB_SITE_H
#define WEB_SITE_H

#include <stdatomic.h>

#include "panel/shelf.h"
#include "web/address.h"
#include "web/head.h"
#include "web/oidc.h"
#include "web/route.h"
#include "web/throttle.h"

struct site_config {
    const char *public_url; /* how browsers reach us: "https://rate.example.org"; NULL: by Host */
    const char *const *proxies; /* networks whose X-Forwarded-For is trusted */
    size_t nproxies;
    const char *const *second; /* roles whose accounts need a second factor */
    size_t nsecond;
    const struct sso *sso; /* provider of single sign-on; NULL: none */
    const char *bind;      /* the address to listen on */
    bool tls;              /* this server has the certificate itself */
    struct route_table routes;
};

enum { SITE_CODE = 20 }; /* "ABCD-EFGH-JKLM-NPQR" and NUL */

struct site {
    struct route_table routes;
    const char *origin; /* of the public URL, "https://rate.example.org"; NULL: by Host */
    const char *host;   /* of the public URL, with its port; NULL */
    const char *scheme; /* "https" or "http": what browsers use */
    bool secure;        /* browsers connect by TLS: cookies are marked Secure */
    bool loopback;      /* only this machine can connect */
    struct network *proxies;
    size_t nproxies;
    unsigned second;   /* ROLE_... that need a second factor */
    struct oidc *oidc; /* NULL: no single sign-on */
    struct throttle *throttle;
    struct shelf *shelf;
    atomic_int listeners;       /* streams of running runs: see page_live.c */
    char setup_code[SITE_CODE]; /* needed to make the first account */
    const char *assets;         /* hash of share/web, which is part of the addresses of its files */
};

/* Lives in arena a. E_USAGE: a malformed public URL or network, or plain HTTP on a network. */
CHECKED enum status site_init(struct arena *a, const struct site_config *config, struct site *out,
                              struct err *e);
void site_done(struct site *s);

/* Parse a head that has arrived from that address and find the page. False: *r is the complete
 * answer (and the connection should be closed, since the body was not read). */
bool site_begin(struct site *s, const struct head *head, struct address peer, struct request *q,
                struct response *r);
/* Make the answer. The body is in q->body and, unless the route is bare, a store in q->store (NULL:
 * the database does not respond). False: the store should not be used again. */
bool site_answer(struct request *q, struct response *r);
/* The same for several requests of a route that route_together() knows. False: none is answered;
 * the caller rolls back, and may answer each by itself. */
bool site_answer_all(struct guest *const *g, size_t n);
/* The server cannot serve this now. */
void site_refuse(struct request *q, struct response *r, int status);

/* Count one try. True: there were too many, and the answer is made (429). */
bool site_throttle(struct request *q, struct response *r, enum throttle_what what, struct str who);

#endif
