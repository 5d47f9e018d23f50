/* chat.h - one request to text, one reply from it, whichever dialect a server speaks (dialect.h).
 *
 * Pure: no sockets, no clock. A reply that cannot be used is a fault with a kind, never
 * an empty answer: the caller decides by the kind whether asking again can help. */
#ifndef NET_CHAT_H
#define NET_CHAT_H

#include "base/hash.h"
#include "net/dialect.h"
#include "net/http.h"

struct chat_turn {
    const char *role; /* "system", "user" or "assistant" */
    struct str text;
};

/* What the requests of one conversation have in common: every message between the first and the
 * last is written, hashed and counted once. The body of the latest request stands here too, around
 * them. */
struct chat_told;
struct chat_told *chat_told_new(struct arena *a); /* which releases it */

struct chat_request {
    const char *model; /* the provider's model id */
    const struct chat_turn *turns;
    size_t nturns;
    struct chat_told *told; /* of this conversation, whose turns but the last only grow; or NULL */
    const json_t *parameters; /* object merged into the body: temperature, extra fields; or NULL */
    const char *written; /* chat_parameters() of them, where many requests have them; or NULL */
    bool stream;         /* the reply shall come in pieces; see chat_stream.h */
    enum dialect dialect;
    unsigned avoid; /* enum dialect_avoid: what this server has refused */
};

/* Parameters as they stand in bodies, less what they may not say. In arena a. */
const char *chat_parameters(struct arena *a, const json_t *parameters);

/* The JSON body, the same bytes for the same request. In the arena or, of a conversation that has
 * one, in `told`, until its next request. */
struct str chat_body(struct arena *a, const struct chat_request *req);

/* What tells the requests of a conversation apart, and chat_tokens_guess() of one, without its
 * body: a message that was told before is not read again. */
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
    CHAT_GARBLED,    /* 200, but not the JSON of a completion */
    CHAT_EMPTY,      /* a completion without text */
    /* asking again cannot help */
    CHAT_AUTH,      /* 401, 403, a certificate that is not trusted */
    CHAT_REJECTED,  /* other 4xx, 3xx: the request itself is refused */
    CHAT_QUOTA,     /* 402, or an error that says so */
    CHAT_TOO_LARGE, /* the reply passed our limit */
    CHAT_FILTERED,  /* the server withheld the answer */
    CHAT_THOUGHT,   /* the limit was used up by reasoning: no answer had begun */
};

const char *chat_fault_name(enum chat_fault f); /* "rate-limit", "overload", ... */
bool chat_fault_passes(enum chat_fault f);      /* asking again can help */

struct chat_reply {
    enum chat_fault fault;
    const char *why;     /* for a fault: one line for a person; never holds a key */
    struct str text;     /* the answer, valid UTF-8, reasoning split off */
    struct str thinking; /* reasoning_content / reasoning / <think>...</think>, or empty */
    const char *finish;  /* "stop", "length", "content_filter", ... or "" */
    int64_t tokens_in, tokens_out; /* -1: not said */
    int64_t cached, thought;       /* of tokens_in, and of tokens_out: reasoning; -1: not said */
    int64_t first_ms;              /* of a stream: until its first piece; 0: not known */
    int64_t retry_after_ms;        /* a wait that the body asks for; -1: none */
    unsigned avoid;                /* of CHAT_REJECTED: what the server would rather not see */
    bool mended;                   /* lone surrogates, NUL or invalid UTF-8 were replaced */
};

/* Words of the other side, fit to be shown: the first line, at most `points` code points, without
 * control characters (bidirectional ones too) and without anything that looks like a key. */
const char *chat_line(struct arena *a, struct str text, size_t points);

/* Read what came back. Everything in *out lives in arena a. */
void chat_read(struct arena *a, const struct http_reply *raw, struct chat_reply *out);
/* The same from a stored body of a good reply (status 200). */
void chat_read_body(struct arena *a, struct str body, struct chat_reply *out);

/* A good reply as a body that chat_read_body() reads as the same reply, without what nobody reads.
 */
struct str chat_brief(struct arena *a, const struct chat_reply *reply);

/* What of a content is meant for the listener, also while it is still coming: without the reasoning
 * at its front, and nothing as long as that has not ended. A view of it. */
struct str chat_said(struct str content);

/* The reasoning beside the content of a message, or of a piece of one, by whichever name. */
struct node;
struct str chat_thinking(const struct node *message);

/* What such servers do. */
struct chat_path {
    const char *version; /* put before `end` where the URL has no path: "/v1" */
    const char *end;     /* "/chat/completions" */
};

/* "http://host:8000" -> ".../v1/chat/completions"; a /v1 (or another path that is already there) is
 * kept, and so is a query. NULL with a reason when it is no http(s) URL or holds a password. */
const char *chat_url_to(struct arena *a, const char *base_url, const struct chat_path *to,
                        const char **why);

/* A guess for budgets and token buckets before the provider has counted: code points of CJK count
 * one each, other text a token per four bytes. */
int64_t chat_tokens_guess(struct str text);

#endif
