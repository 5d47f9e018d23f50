/* dialect.h - six ways in which servers want to be asked, and how their replies become one.
 *
 * A request is always the same value (chat.h); here it becomes the address, the headers and the
 * body that a server understands. Replies need no dialect to be named: their shape says which one
 * they are in, so that a stored reply can be read long after models.yaml has changed. They are
 * turned into the form of a chat completion, whole or piece by piece, and read by one reader.
 *
 * Parameters keep one name everywhere ("limit", "stop", "effort"); what a dialect cannot say
 * is left out, what nobody knows is passed on as it is. Pure: no sockets, no clock. */
#ifndef NET_DIALECT_H
#define NET_DIALECT_H

#include "base/json.h"

enum dialect {
    DIALECT_OPENAI,      /* /v1/chat/completions */
    DIALECT_RESPONSES,   /* /v1/responses */
    DIALECT_COMPLETIONS, /* /v1/completions: text in, text out */
    DIALECT_ANTHROPIC,   /* /v1/messages */
    DIALECT_GEMINI,      /* /v1beta/models/MODEL:generateContent */
    DIALECT_OLLAMA,      /* /api/chat */
    DIALECTS
};

const char *dialect_name(enum dialect d);
/* What an address tells: its path first, then its host. DIALECT_OPENAI when it says nothing. The
 * address that dialect_url() makes always tells. */
enum dialect dialect_guess(struct str base_url);

/* The address to ask. One that already names the path is left alone. NULL with a reason when it is
 * no address. */
const char *dialect_url(struct arena *a, enum dialect d, const char *base_url, const char *model,
                        const char **why);
/* The same address for a reply that comes in pieces. */
const char *dialect_url_streamed(struct arena *a, enum dialect d, const char *url);
/* Where such a server lists its models. */
const char *dialect_url_models(struct arena *a, enum dialect d, const char *url);

/* The environment variable that holds the key where nobody names another. */
const char *dialect_key_variable(enum dialect d);
/* "Name: value" of the header that carries the key, and the others that the dialect demands: a list
 * that ends with NULL. */
const char *dialect_key_header(struct arena *a, enum dialect d, const char *key);
const char *const *dialect_headers(enum dialect d);

/* What a server has refused and the next request shall do without. */
enum dialect_avoid {
    AVOID_MAX_TOKENS = 1, /* the limit goes by its other name: max_completion_tokens */
    AVOID_SAMPLING = 2,   /* temperature, top_p, top_k */
    AVOID_SCHEMA = 4,     /* response_format */
    AVOID_TOOL = 8,       /* a tool in its place: form.h */
    AVOID_GRAMMAR = 16,   /* a grammar in place of that */
    AVOID_FORM = AVOID_SCHEMA | AVOID_TOOL | AVOID_GRAMMAR,
};
/* What a server is known to refuse before it is asked. */
unsigned dialect_avoids(struct str url);
/* From the words with which a request was refused; 0 when they say nothing of the kind. */
unsigned dialect_refused(struct str error);

/* False: of a parameter that we know, the dialect has no word for it, and it is left out. */
bool dialect_knows(enum dialect d, const char *parameter);
/* How long a reply may be, in tokens, by whichever name; 0: not said. */
int64_t dialect_limit(const json_t *parameters);

struct chat_request;
/* The JSON body. Of DIALECT_OPENAI too, though chat_body() writes that faster. */
json_t *dialect_body(enum dialect d, const struct chat_request *req);

/* The same without its messages, as what stands before and behind them; the first turn is the
 * system's, and no other is. */
struct dialect_frame {
    struct str before, after;
    bool listed; /* the system message is one of them; else it stands before */
};
bool dialect_lists(enum dialect d); /* messages: else there is no frame around them */
struct dialect_frame dialect_frame(struct arena *a, enum dialect d, const struct chat_request *req);
/* One message of the list. */
struct chat_turn;
void dialect_message(struct buf *b, enum dialect d, const struct chat_turn *t);

/* A reply, or one piece of one, in the form of a chat completion; NULL when it is in that form
 * already, or in none. In the arena, and like root lent (json.h). *ended: it said that no more will
 * come. */
struct node *dialect_completion(struct arena *a, const struct node *root, bool *ended);

#endif
