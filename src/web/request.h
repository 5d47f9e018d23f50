/* request.h - one request, taken apart and checked.
 *
 * Everything lives in the request's arena and dies with it, after the last byte of the answer has
 * gone. A request belongs to one thread at a time. What a client sent is hostile: names and values
 * are valid UTF-8 without NUL (request_form and the like never see anything else), paths hold
 * neither dots nor encoded slashes, and everything has a limit. */
#ifndef WEB_REQUEST_H
#define WEB_REQUEST_H

#include "base/err.h"
#include "base/mem.h"
#include "web/session.h"

enum {
    REQUEST_TARGET_MAX = 8 << 10, /* path and query */
    REQUEST_HEADERS_MAX = 32 << 10,
    REQUEST_HEADERS = 100,
    REQUEST_BODY_MAX = 256 << 10,
    REQUEST_PAIRS = 1000, /* fields of a form, of a query, cookies */
    REQUEST_SEGMENTS = 16,
};

enum method { METHOD_GET, METHOD_HEAD, METHOD_POST, METHOD_PUT, METHOD_DELETE, METHODS };

struct pair {
    struct str name, value;
};
struct pairs {
    struct pair *v;
    size_t n;
};

struct site;
struct store;
struct route;
struct publish;

struct request {
    struct arena *arena;
    struct site *site;
    struct store *store; /* NULL on bare routes */
    const struct route *route;
    enum method method;
    struct str target; /* as it was sent; set once it has been checked */
    struct str path;   /* decoded: "/rate/17" */
    struct pairs params, query, form, cookies, headers;
    struct str body;         /* as it was sent; `form` holds the fields when it is a form */
    const char *language;    /* "en", "zh" or "ja" */
    struct session *session; /* NULL: nobody is signed in */
    struct publish *publish; /* not NULL: the page is written to a file, see publish.h */
    const char *form_token;  /* form token of a reader without a session; NULL: not made yet */
    const char *address;     /* IP address of the client */
    const char *network;     /* the same for counting: IPv6 by its first 64 bits */
    int64_t now_ms;
    bool counted; /* against the limit of writes: a request that is answered again counts once */
};

/* The value, or a view with p == NULL when there is none. Names of headers in any case. */
struct str request_param(const struct request *q, const char *name); /* {name} of the route */
struct str request_query(const struct request *q, const char *name);
const char *request_asked(const struct request *q, const char *name); /* the same; "": absent */
struct str request_form(const struct request *q, const char *name);
struct str request_cookie(const struct request *q, const char *name);
struct str request_header(const struct request *q, const char *name);
/* All lines of a header that is a list, as one list; "" when there is none. */
struct str request_header_all(const struct request *q, const char *name);
/* A whole number of the route, query or form; `otherwise` when it is none. */
int64_t request_int(struct str value, int64_t otherwise);

/* ---- taking it apart; each is safe on any bytes ---- */

/* The method of that name, or METHODS. */
enum method request_method(struct str name);
const char *request_method_name(enum method m);
/* "/rate/17?lang=ja": path and query. E_INPUT: bad escapes or UTF-8, "..", encoded slashes... */
CHECKED enum status request_target(struct arena *a, struct str target, struct str *path,
                                   struct pairs *query, struct err *e);
/* Everything but letters, digits and -._~ as %XX. */
void request_encode(struct buf *b, struct str s);
/* "a=1&b=x+y" */
CHECKED enum status request_urlencoded(struct arena *a, struct str text, struct pairs *out,
                                       struct err *e);
/* "a=1; b=2". What cannot be read is passed over: other programs on the host set cookies too. */
struct pairs request_cookies(struct arena *a, struct str text);
bool request_is_token(struct str s); /* as names of methods and headers are */
/* The headers by themselves: names are tokens, values without control characters, one Host, at
 * most one Content-Length which is a number and has no Transfer-Encoding beside it. */
CHECKED enum status request_headers_check(const struct pairs *headers, struct err *e);
/* The announced length of the body; -1: none is announced. */
int64_t request_body_length(const struct pairs *headers);
/* "zh", "ja" or "en" from Accept-Language: the one with the greatest weight, the first of equals.
 * NULL: none of them. */
const char *request_accept_language(struct str header);
/* Does a list with weights ("br, gzip;q=0.5") name it, and not with the weight 0? */
bool request_accepts(struct str list, const char *name);

struct str pairs_get(const struct pairs *p, const char *name);
struct str pairs_header(const struct pairs *p, const char *name); /* names in any case */

#endif
