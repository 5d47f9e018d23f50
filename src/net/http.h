/* http.h - concurrent HTTP requests, over libcurl's multi-socket interface.
 *
 * A client owns its connections (kept alive and reused) and its transfers. It is single-threaded:
 * every callback runs inside loop_step() of its loop. It knows nothing about retries, rates or the
 * contents of bodies. Bodies are limited; a larger reply ends as HTTP_TOO_LARGE. Redirects are not
 * followed, because they would carry the key elsewhere: a 3xx is an ordinary reply. */
#ifndef NET_HTTP_H
#define NET_HTTP_H

#include "net/loop.h"

#include "base/mem.h"

struct http;
struct http_call; /* a transfer in progress */

/* Bytes of the body as they arrive, valid during the call. `user` is that of the request. */
typedef void http_part(void *user, struct str bytes);

struct http_request {
    const char *url;
    const char *const *headers; /* "Name: value"; borrowed until the call ends */
    size_t nheaders;
    struct str body;    /* POST if not empty, else GET; borrowed until the call ends */
    const char *type;   /* "Content-Type: ..." of the body; NULL: JSON */
    int64_t timeout_ms; /* whole attempt; 0: none */
    int64_t stall_ms;   /* limit without any byte once a reply has begun; 0: none */
    size_t max_reply;   /* bytes */
    http_part *part;    /* may be NULL; the reply has the whole body either way */
};

enum http_end {
    HTTP_DONE,      /* a status and a whole body came */
    HTTP_TIMEOUT,   /* the attempt took too long */
    HTTP_STALLED,   /* nothing came for too long */
    HTTP_REFUSED,   /* no connection: name, address, TLS */
    HTTP_UNTRUSTED, /* a certificate that is not trusted */
    HTTP_CUT,       /* the connection ended before the reply did */
    HTTP_TOO_LARGE,
    HTTP_CANCELLED,
};

struct http_reply {
    enum http_end end;
    int status;      /* of HTTP_DONE */
    struct str body; /* as received; may be invalid UTF-8 */
    const char *content_type;
    const char *elsewhere;  /* target of a redirect, which is not followed; "" */
    int64_t retry_after_ms; /* -1: no such header. In seconds or as an HTTP date. */
    /* Anthropic has other names for these. */
    int64_t limit_requests_left; /* x-ratelimit-remaining-requests; -1: absent */
    int64_t limit_tokens_left;   /* x-ratelimit-remaining-tokens; -1 */
    int64_t limit_requests_reset_ms,
        limit_tokens_reset_ms; /* x-ratelimit-reset-*: "6m0s", "1s", "20ms"; -1 */
    int64_t elapsed_ms;        /* until the reply was complete */
    int64_t first_ms;          /* until its body began; 0: it had none */
    const char *why; /* unless HTTP_DONE: in libcurl's words or ours; without headers and URL */
};

/* An empty reply. */
void http_reply_clear(struct http_reply *r);

/* The reply is valid until the callback returns. The callback may start calls. */
typedef void http_done(void *user, const struct http_reply *reply);

/* max_connections: how many are kept alive for reuse; give the maximum number of concurrent calls.
 * Proxies are those of the environment (http_proxy etc.), but never for loopback; so is the file of
 * trusted authorities (CURL_CA_BUNDLE, else SSL_CERT_FILE). */
CHECKED enum status http_new(struct http **out, struct loop *loop, int max_connections,
                             struct err *e);
void http_free(struct http *h); /* cancels all calls, without callbacks */

/* Starts a request. `done` is called once, later (never from inside http_start()). */
CHECKED enum status http_start(struct http *h, const struct http_request *req, http_done *done,
                               void *user, struct http_call **out, struct err *e);
/* Sends what was started now and not only with the next step of the loop: for callers who will be
 * busy with something else. Calls that have ended call back. */
void http_send(struct http *h);
void http_cancel(struct http_call *call); /* no callback */
/* Sends one request and waits for the reply, with a loop of its own. The reply lives in arena a. */
CHECKED enum status http_ask(struct arena *a, const struct http_request *req,
                             struct http_reply *out, struct err *e);
int http_in_flight(const struct http *h);
const char *http_library(void); /* the libraries behind it, with versions */

#endif
