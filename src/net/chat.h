/* chat.h - requests as text, and replies read from text, in every dialect of servers (dialect.h).
 *
 * Pure: no sockets, no clock. A reply that cannot be used is a fault of some kind, never an empty
 * answer: from the kind the caller decides whether to ask again. */
#ifndef NET_CHAT_H
#define NET_CHAT_H

#include "base/hash.h"
#include "net/dialect.h"
#include "net/http.h"

struct chat_turn {
    const char *role; /* "system", "user" or "assistant" */
    struct str text;
};

/* The common part of the requests of one conversation: every message between the first and the last
 * is written, hashed and counted only once. The body of the latest request is built around them. */
struct chat_told;
struct chat_told *chat_told_new(struct arena *a); /* released with the arena */

struct chat_request {
    const char *model; /* the provider's model id */
    const struct chat_turn *turns;
    size_t nturns;
    struct chat_told *told;   /* of this conversation, to which turns are only appended; or NULL */
    const json_t *parameters; /* object merged into the body: temperature, extra fields; or NULL */
    const char *written;      /* chat_parameters() of them, if many requests share them; or NULL */
    bool stream;              /* ask for the reply in pieces; see chat_stream.h */
    enum dialect dialect;
    unsigned avoid; /* enum dialect_avoid: what this server has refused */
};

/* The parameters as they appear in bodies, without those that are not allowed. In arena a. */
const char *chat_parameters(struct arena *a, const json_t *parameters);

/* The JSON body; the same request gives the same bytes. In the arena, or with `told` in that, until
 * its next request. */
struct str chat_body(struct arena *a, const struct chat_request *req);

/* Adds to the hash what distinguishes a request, and estimates its tokens (chat_tokens_guess()),
 * without building its body: messages that were told before are not read again. */
void chat_hash(struct arena *a, const struct chat_request *req, struct hash *h);
int64_t chat_request_tokens(const struct chat_request *req);

enum chat_fault {
    CHAT_OK = 0,
    /* asking again can help */
    CHAT_RATE_LIMIT, /* 429 */
    CHAT_OVERLOAD,   /* 503, 529, 502, 504 */
    CHAT_SERVER,     /* other 5xx, 409 */
    CHAT_NETWORK,    /* refused, cut, reset */
    CHAT_TIMEOUT,    /* attempt or stall timeout, 408 */
    CHAT_GARBLED,    /* status 200, but not the JSON of a completion */
    CHAT_EMPTY,      /* a completion without text */
    /* asking again cannot help */
    CHAT_AUTH,      /* 401, 403, a certificate that is not trusted */
    CHAT_REJECTED,  /* other 4xx, 3xx: the request itself is refused */
    CHAT_QUOTA,     /* 402, or an error that says so */
    CHAT_TOO_LARGE, /* the reply exceeded our limit */
    CHAT_FILTERED,  /* the server withheld the answer */
    CHAT_THOUGHT,   /* reasoning used up the limit before the answer began */
};

const char *chat_fault_name(enum chat_fault f); /* "rate-limit", "overload", ... */
bool chat_fault_passes(enum chat_fault f);      /* asking again can help */

struct chat_reply {
    enum chat_fault fault;
    const char *why;     /* for a fault: one line for the user; never contains a key */
    struct str text;     /* the answer, valid UTF-8, without reasoning */
    struct str thinking; /* reasoning_content / reasoning / <think>...</think>, or empty */
    const char *finish;  /* "stop", "length", "content_filter", ... or "" */
    int64_t tokens_in, tokens_out; /* -1: not said */
    int64_t cached, thought; /* part of tokens_in, and of tokens_out (reasoning); -1: not said */
    int64_t first_ms;        /* of a stream: time to its first piece; 0: unknown */
    int64_t retry_after_ms;  /* a wait that the body asks for; -1: none */
    unsigned avoid; /* of CHAT_REJECTED: enum dialect_avoid, what the server does not accept */
    bool mended;    /* lone surrogates, NUL or invalid UTF-8 were replaced */
};

/* Text of the server made safe to show: its first line, at most `points` code points, without
 * control characters (including bidirectional ones) and without anything that looks like a key. */
const char *chat_line(struct arena *a, struct str text, size_t points);

/* Reads a reply. Everything in *out lives in arena a. */
void chat_read(struct arena *a, const struct http_reply *raw, struct chat_reply *out);
/* The same for the stored body of a good reply (status 200). */
void chat_read_body(struct arena *a, struct str body, struct chat_reply *out);

/* The shortest body that chat_read_body() reads as the same good reply. */
struct str chat_brief(struct arena *a, const struct chat_reply *reply);

/* The part of a content, perhaps incomplete, that is meant for the listener: without the reasoning
 * at its front, and empty as long as that has not ended. A view of it. */
struct str chat_said(struct str content);

/* The reasoning that a message, or a piece of one, has besides its content, under any of its
 * names. */
struct node;
struct str chat_thinking(const struct node *message);

/* The path of a service. */
struct chat_path {
    const char *version; /* put before `end` if the URL has no path: "/v1" */
    const char *end;     /* "/chat/completions" */
};

/* "http://host:8000" -> ".../v1/chat/completions"; an existing /v1 (or other path) and a query are
 * kept. NULL with a reason if it is no http(s) URL or contains a password. */
const char *chat_url_to(struct arena *a, const char *base_url, const struct chat_path *to,
                        const char **why);

/* An estimate for budgets and token buckets before the provider has counted: one token for each CJK
 * code point, and one for four bytes of other text. */
int64_t chat_tokens_guess(struct str text);

#endif
