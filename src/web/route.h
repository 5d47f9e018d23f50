/* route.h - which page answers which request. Pure.
 *
 * A pattern is a path whose parts are literal or {names}, each of which takes one part that is not
 * empty. Who is not named by `allow` does not get in; a route without `allow` lets nobody in. A
 * GET never changes anything that somebody stored. */
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
    struct err e; /* of this one alone; becomes a page, as above */
};
/* Fill in what each is answered. An error that is returned means that nothing was done. */
typedef enum status page_all_fn(struct guest *const *g, size_t n, struct err *e);

enum {
    ROUTE_BARE = 1, /* needs neither store nor session */
    ROUTE_SLOW = 2, /* may take long: passwords, reports; runs beside the threads that serve */
    /* Saves something small, often, for many: those that wait are saved with one flush to the disk,
     * and answered after it. The page is written as any other; only a fault of the database undoes
     * all that it wrote. */
    ROUTE_SAVE = 4,
    ROUTE_FILE = 8,     /* can be published as a file: see publish.h */
    ROUTE_OPEN = 16,    /* a form that a browser without cookies may send: the page decides */
    ROUTE_JSON = 32,    /* for programs: the form comes as JSON, and so goes what was done */
    ROUTE_SIGN_IN = 64, /* open to anybody, but of use to staff alone: no rater comes here */
};

/* NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): in the order of a line of the table */
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

/* The route for a path, with what its {names} stand for in *params; NULL when there is none.
 * *others is true when the path exists with another method. HEAD is answered by GET. Of several
 * that match the first one counts. */
const struct route *route_find(struct arena *a, const struct route_table *table, enum method method,
                               struct str path, struct pairs *params, bool *others);

/* All pages of the program, in route_table.c. */
struct route_table route_all(void);
/* What answers several requests for this page at once; NULL: nothing does. */
page_all_fn *route_together(const struct route *r);

#endif
