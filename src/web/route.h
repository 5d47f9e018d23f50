/* route.h - finds the page that answers a request. Pure.
 *
 * A pattern is a path whose segments are literal or {names}; a name matches one segment that is not
 * empty. Only the roles in `allow` get in, so that a route without `allow` lets nobody in. A GET
 * never changes what somebody stored. */
#ifndef WEB_ROUTE_H
#define WEB_ROUTE_H

#include "web/request.h"
#include "web/response.h"

/* Fill in *r. An error becomes a page: E_ABSENT 404, E_USAGE and E_INPUT 400 with the message,
 * E_BUSY 503, others 500 with the message in the log only. */
typedef enum status page_fn(struct request *q, struct response *r, struct err *e);

/* One of several requests for the same page that are answered together. */
struct guest {
    struct request *q;
    struct response *r;
    struct err e; /* of this request only; becomes a page, as above */
};
/* Fill in every answer. A returned error means that none was made. */
typedef enum status page_all_fn(struct guest *const *g, size_t n, struct err *e);

enum {
    ROUTE_BARE = 1, /* needs neither store nor session */
    ROUTE_SLOW = 2, /* may take long (passwords, reports): runs outside the serving threads */
    /* A small save that many clients send often. All that are waiting are committed with one flush
     * to the disk and answered afterwards. The page is written like any other; a database error in
     * it rolls back only what it wrote. */
    ROUTE_SAVE = 4,
    ROUTE_FILE = 8,     /* can be published as a file: see publish.h */
    ROUTE_OPEN = 16,    /* a form that a browser without cookies may send: the page decides */
    ROUTE_JSON = 32,    /* for programs: fields and answer are JSON, see page_api_act() */
    ROUTE_SIGN_IN = 64, /* open to anybody, but only staff use it: no rater comes here */
};

/* NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): members in the order of the table */
struct route {
    enum method method;
    const char *pattern;
    unsigned allow; /* ROLE_... */
    page_fn *run;
    unsigned flags; /* ROUTE_... */
};

struct route_table {
    const struct route *v;
    size_t n;
};

/* The first route that matches, with the values of its {names} in *params; NULL: none does, and
 * *others tells whether the path exists with another method. HEAD is answered by GET. */
const struct route *route_find(struct arena *a, const struct route_table *table, enum method method,
                               struct str path, struct pairs *params, bool *others);

/* All pages of the program, in route_table.c. */
struct route_table route_all(void);
/* The function that answers several requests for this route at once; NULL: there is none. */
page_all_fn *route_together(const struct route *r);

#endif
