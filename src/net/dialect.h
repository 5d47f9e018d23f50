/* dialect.h - the six dialects that servers speak, and how replies in them are unified.
 *
 * A request is the same struct for all dialects (chat.h); here it becomes the address, headers and
 * body that a server understands. Replies do not need the name of a dialect: their shape tells it,
 * so a stored reply can be read long after models.yaml has changed. They are converted to the form
 * of a chat completion, whole or piece by piece, and read by a single reader.
 *
 * Parameters have the same name everywhere ("limit", "stop", "effort"). What a dialect cannot
 * express is left out; unknown parameters are passed on unchanged. Pure: no sockets, no clock. */
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
/* Guesses the dialect from an address: first from its path, then its host; DIALECT_OPENAI if
 * neither tells. For addresses made by dialect_url() the guess is always right. */
enum dialect dialect_guess(struct str base_url);

/* The address for requests. One that names the path already is left alone. NULL with a reason if it
 * is no address. */
const char *dialect_url(struct arena *a, enum dialect d, const char *base_url, const char *model,
                        const char **why);
/* The same address for a streamed reply. */
const char *dialect_url_streamed(struct arena *a, enum dialect d, const char *url);
/* The address where such a server lists its models. */
const char *dialect_url_models(struct arena *a, enum dialect d, const char *url);

/* The environment variable with the key, unless another one is named. */
const char *dialect_key_variable(enum dialect d);
/* The header with the key as "Name: value", and the other headers that the dialect requires: a list
 * that ends with NULL. */
const char *dialect_key_header(struct arena *a, enum dialect d, const char *key);
const char *const *dialect_headers(enum dialect d);

/* What a server has refused, and the next request must do without. */
enum dialect_avoid {
    AVOID_MAX_TOKENS = 1, /* the limit has its other name: max_completion_tokens */
    AVOID_SAMPLING = 2,   /* temperature, top_p, top_k */
    AVOID_SCHEMA = 4,     /* response_format */
    AVOID_TOOL = 8,       /* a tool instead: form.h */
    AVOID_GRAMMAR = 16,   /* a grammar instead of that */
    AVOID_FORM = AVOID_SCHEMA | AVOID_TOOL | AVOID_GRAMMAR,
};
/* What a server is known to refuse, before it is asked. */
unsigned dialect_avoids(struct str url);
/* The same from the message of a refusal; 0 if it says nothing of the kind. */
unsigned dialect_refused(struct str error);

/* False for a known parameter that the dialect cannot express and that is left out. */
bool dialect_knows(enum dialect d, const char *parameter);
/* The limit of the reply in tokens, under any of its names; 0: none. */
int64_t dialect_limit(const json_t *parameters);

struct chat_request;
/* The JSON body. Works for DIALECT_OPENAI too, though chat_body() is faster. */
json_t *dialect_body(enum dialect d, const struct chat_request *req);

/* The same without its messages: the parts before and after them. The first turn must be that of
 * the system, and no other. */
struct dialect_frame {
    struct str before, after;
    bool listed; /* the system message is in the list; else in `before` */
};
bool dialect_lists(enum dialect d); /* whether it has a list of messages: else there is no frame */
struct dialect_frame dialect_frame(struct arena *a, enum dialect d, const struct chat_request *req);
/* One message of the list. */
struct chat_turn;
void dialect_message(struct buf *b, enum dialect d, const struct chat_turn *t);

/* Converts a reply, or a piece of one, to a chat completion; NULL if it is one already, or has no
 * known form. In the arena, and borrowed like root (json.h). *ended: it said that nothing will
 * follow. */
struct node *dialect_completion(struct arena *a, const struct node *root, bool *ended);

#endif
