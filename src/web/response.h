/* response.h - an answer: status, headers, and a body that is complete or streamed.
 *
 * Lives as long as its request. site.c adds the headers of every answer (security, caching). */
#ifndef WEB_RESPONSE_H
#define WEB_RESPONSE_H

#include "base/json.h"
#include "web/request.h"
#include "web/stream.h"

enum { RESPONSE_BODY_MAX = 32 << 20, RESPONSE_HEADERS = 24 };

struct response {
    struct arena *arena;
    int status;       /* 200 unless set */
    const char *type; /* Content-Type; HTML unless set */
    struct pair headers[RESPONSE_HEADERS];
    size_t nheaders;
    struct buf body;
    struct str fixed;  /* instead of body: bytes that outlive the answer */
    stream_fn *stream; /* instead of both: produces the body */
    void *user;        /* its argument; lives in the request's arena */
    int refresh_s;     /* a browser without scripts reloads the page this often; 0: never */
    bool cached;       /* the page has set Cache-Control itself */
};

/* Add a header. One with a line break in its name or value is left out. */
void response_header(struct response *r, const char *name, const char *value);
enum {
    COOKIE_STRICT = 1, /* SameSite=Strict, not Lax: not sent when another site leads here */
    COOKIE_GONE = 2,   /* delete it */
    COOKIE_LONG = 4,   /* a year, not only until the browser is closed */
};
/* Set a cookie until the browser is closed: HttpOnly, and with TLS also Secure with the prefix
 * __Host-. `how`: a set of COOKIE_... */
void response_cookie(const struct request *q, struct response *r, const char *name,
                     const char *value, unsigned how);
/* The name that response_cookie() gives it. */
const char *response_cookie_name(const struct request *q, const char *name);
/* Redirect to a path of ours (303), as after a POST. Always OK: a page may end with it. */
enum status response_redirect(struct response *r, const char *path);
/* The same, and that page says that something was saved. */
enum status response_done(struct response *r, const char *path);
/* Take a redirection back: returns its target, and the answer is 200 again. */
struct str response_back(struct response *r);
/* Make a value the body, and free it. Always OK, likewise. */
enum status response_json(struct response *r, json_t *j);
/* Have the body produced by fn, on a thread of its own, while it is sent; see stream.h. */
void response_stream(struct response *r, const char *type, stream_fn *fn, void *user);

#endif
