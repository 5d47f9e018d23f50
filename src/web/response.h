/* response.h - what is answered: a status, headers, and a body that is there or is produced.
 *
 * Lives with its request. Headers that every answer has (security, caching) are added by site.c. */
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
    struct str fixed;  /* instead of body: bytes of the program itself */
    stream_fn *stream; /* instead of both: produces the body */
    void *user;        /* its argument; lives in the request's arena */
    int refresh_s;     /* a page comes again by itself, without a script; 0: it does not */
    bool cached;       /* the same for everybody; the page has set Cache-Control itself */
};

/* Add a header; neither part may hold a line break (such a header is left out). */
void response_header(struct response *r, const char *name, const char *value);
enum {
    COOKIE_STRICT = 1, /* SameSite=Strict, not Lax: it stays behind when another site leads here */
    COOKIE_GONE = 2,   /* delete it */
    COOKIE_LONG = 4,   /* a year, not only until the browser is closed */
};
/* A cookie for this site alone, until the browser is closed: HttpOnly, and where there is TLS
 * Secure with the prefix __Host-. `how`: a set of COOKIE_... */
void response_cookie(const struct request *q, struct response *r, const char *name,
                     const char *value, unsigned how);
/* The name that response_cookie() gives it. */
const char *response_cookie_name(const struct request *q, const char *name);
/* 303 to a path of ours: what follows a POST. Always OK: a page may end with it. */
enum status response_redirect(struct response *r, const char *path);
/* Where it leads, after which it leads nowhere: 200, without that header. */
struct str response_back(struct response *r);
/* The same, and the page says that it was done. */
enum status response_done(struct response *r, const char *path);
/* A value as the body, which takes it over. Always OK, likewise. */
enum status response_json(struct response *r, json_t *j);
/* The body is produced by fn on a thread of its own, while it is sent; see stream.h. */
void response_stream(struct response *r, const char *type, stream_fn *fn, void *user);

#endif
