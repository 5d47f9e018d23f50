/* site.h - a request becomes an answer: which page, who asks, may they, and what every answer has.
 *
 * Knows nothing of sockets; server.c brings requests. A site is made before threads start and only
 * read afterwards, except for throttle, shelf, listeners and set-up code, which look after
 * themselves. */
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
    const char *public_url; /* how browsers reach us: "https://rate.example.org"; NULL: as asked */
    const char *const *proxies; /* networks whose X-Forwarded-For is believed */
    size_t nproxies;
    const char *const *second; /* roles whose accounts need a second factor */
    size_t nsecond;
    const struct sso *sso; /* who else says who somebody is; NULL: nobody */
    const char *bind;      /* the address that is listened on */
    bool tls;              /* ourselves */
    struct route_table routes;
};

enum { SITE_CODE = 20 }; /* "ABCD-EFGH-JKLM-NPQR" and NUL */

struct site {
    struct route_table routes;
    const char *origin; /* of the public URL, "https://rate.example.org"; NULL: as asked */
    const char *host;   /* of the public URL, with its port; NULL */
    const char *scheme; /* "https" or "http": what browsers use */
    bool secure;        /* browsers come through TLS: cookies are for TLS alone */
    bool loopback;      /* listens to this machine alone */
    struct network *proxies;
    size_t nproxies;
    unsigned second;   /* ROLE_... that need a second factor */
    struct oidc *oidc; /* NULL: no single sign-on */
    struct throttle *throttle;
    struct shelf *shelf;
    atomic_int listeners;       /* to runs at work: see page_live.c */
    char setup_code[SITE_CODE]; /* lets the first account be made */
    const char *assets;         /* a word for the state of share/web: part of their addresses */
};

/* Lives in arena a. E_USAGE: a public URL or network that is none, or plain HTTP where others could
 * listen. */
CHECKED enum status site_init(struct arena *a, const struct site_config *config, struct site *out,
                              struct err *e);
void site_done(struct site *s);

/* A head has arrived from that address: take it apart and find the page. False: *r is the answer
 * already (and the connection should be closed, since the body was not read). */
bool site_begin(struct site *s, const struct head *head, struct address peer, struct request *q,
                struct response *r);
/* The body is in q->body and, unless the route is bare, a store in q->store (NULL: there is none):
 * make the answer. Returns false when the store should not be used again. */
bool site_answer(struct request *q, struct response *r);
/* The same for several of a route that route_together() knows. False: none is answered, whatever
 * was written is to be undone, and each can be answered by itself. */
bool site_answer_all(struct guest *const *g, size_t n);
/* The server cannot serve this now. */
void site_refuse(struct request *q, struct response *r, int status);

/* May this request be made, again? 0, or the seconds to wait, with the answer made (429). */
int64_t site_throttle(struct request *q, struct response *r, enum throttle_what what,
                      struct str who);

#endif
