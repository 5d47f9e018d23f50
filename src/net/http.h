/* http.h - HTTP requests, many at a time, over libcurl's multi-socket interface.
 *
 * A client owns its connections (kept and reused) and its transfers. It is single-threaded:
 * every callback runs inside loop_step() of its loop. It knows nothing of retries, rates or what is
 * in a body. Bodies are bounded; a reply that is larger ends as HTTP_TOO_LARGE. Redirects are not
 * followed (they would carry the key elsewhere): a 3xx is an ordinary reply. */
#ifndef NET_HTTP_H
#define NET_HTTP_H

#include "net/loop.h"

#include "base/mem.h"

struct http;
struct http_call; /* a transfer under way */

/* Bytes of the body as they come; lent. `user` is that of the request. */
typedef void http_part(void *user, struct str bytes);

struct http_request {
    const char *url;
    const char *const *headers; /* "Name: value"; borrowed until the call ends */
    size_t nheaders;
    struct str body;    /* POST when it is not empty, else GET; borrowed until the call ends */
    const char *type;   /* "Content-Type: ..." of the body; NULL: JSON */
    int64_t timeout_ms; /* whole attempt; 0: none */
    int64_t stall_ms;   /* once a reply has begun, no byte for this long; 0: no limit */
    size_t max_reply;   /* bytes */
    http_part *part;    /* NULL: only the whole body is wanted, which the reply has either way */
};

enum http_end {
    HTTP_DONE,      /* a status and a whole body came */
    HTTP_TIMEOUT,   /* the attempt took too long */
    HTTP_STALLED,   /* nothing came for too long */
    HTTP_REFUSED,   /* no connection: name, address, TLS */
    HTTP_UNTRUSTED, /* a certificate that nobody vouches for */
    HTTP_CUT,       /* the connection ended before the reply did */
    HTTP_TOO_LARGE,
    HTTP_CANCELLED,
};

struct http_reply {
    enum http_end end;
    int status;      /* of HTTP_DONE */
    struct str body; /* what came of it; may be invalid UTF-8 */
    const char *content_type;
    const char *elsewhere;  /* where a redirection points, which is not followed; "" */
    int64_t retry_after_ms; /* -1: the header was absent. Seconds and HTTP dates are read. */
    /* Anthropic has these under other names. */
    int64_t limit_requests_left; /* x-ratelimit-remaining-requests; -1: absent */
    int64_t limit_tokens_left;   /* x-ratelimit-remaining-tokens; -1 */
    int64_t limit_requests_reset_ms,
        limit_tokens_reset_ms; /* x-ratelimit-reset-*: "6m0s", "1s", "20ms"; -1 */
    int64_t elapsed_ms,
        first_ms;    /* until all of it was there; until the body began, 0: it did not */
    const char *why; /* unless HTTP_DONE: libcurl's words or ours; holds no header and no URL */
};

/* Nothing has come yet. */
void http_reply_clear(struct http_reply *r);

/* The reply is lent: it is valid until the callback returns. The callback may start calls. */
typedef void http_done(void *user, const struct http_reply *reply);

/* max_connections: how many are kept open for reuse; give the most calls that will be under way at
 * once. Proxies come from the environment (http_proxy and so on), but never for loopback; so does
 * the file of authorities to trust (CURL_CA_BUNDLE, else SSL_CERT_FILE). */
CHECKED enum status http_new(struct http **out, struct loop *loop, int max_connections,
                             struct err *e);
void http_free(struct http *h); /* cancels what is under way, without callbacks */

/* Start a request. `done` is called once, later (never from inside http_start()). */
CHECKED enum status http_start(struct http *h, const struct http_request *req, http_done *done,
                               void *user, struct http_call **out, struct err *e);
/* What was started goes out with the next step of the loop, or now: for a caller who will be busy
 * with something else. Calls that have ended call back. */
void http_send(struct http *h);
void http_cancel(struct http_call *call); /* no callback */
/* One request, waited for, with a loop of its own. The reply lives in arena a. */
CHECKED enum status http_ask(struct arena *a, const struct http_request *req,
                             struct http_reply *out, struct err *e);
int http_in_flight(const struct http *h);
const char *http_library(void); /* what carries it, with versions */

#endif
