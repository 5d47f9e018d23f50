/* endpoint.h - who answers or judges. */
#ifndef SUITE_ENDPOINT_H
#define SUITE_ENDPOINT_H

#include "base/diag.h"
#include "net/limit.h"
#include "suite/template.h"

enum endpoint_kind { ENDPOINT_CHAT, ENDPOINT_RECORDED, ENDPOINT_LOCAL, ENDPOINT_OBJECTIVE };

/* Whether requests to judges specify the form of the reply. AUTO: if the server supports it. */
enum structured { STRUCTURED_AUTO, STRUCTURED_SCHEMA, STRUCTURED_OFF };

/* Who answers or judges, as configured in models.yaml. Never contains an API key, only the name of
 * the environment variable that holds it. */
struct endpoint {
    enum endpoint_kind kind;
    const char *name;     /* the user's name for it */
    const char *family;   /* "" if not given; a judge does not judge its own family */
    const char *base_url; /* chat */
    const char *url;      /* chat: the URL that requests go to; local: the same without the port */
    const char *model;    /* chat: the provider's model id; local: file name and content hash;
                             objective: the scorer */
    const char *key_var;  /* chat: environment variable that holds the API key; "": no key */
    bool key_named;       /* key_var was set in the file: it is an error if the variable is unset */
    const char *parameters; /* JSON object merged into every request body: sampling, extra fields */
    const struct str *headers; /* extra headers, "Name: value" */
    size_t nheaders;
    const char *file;            /* recorded: JSONL file of replies; local: GGUF file */
    const char *server;          /* local: the server program */
    const struct str *arguments; /* local: extra arguments to it */
    size_t narguments;
    /* USD per million tokens; NaN: unknown. price_cached is for cached input; NaN: as price_in. */
    double price_in, price_out, price_cached;
    bool stream; /* chat, local: stream replies, which shows the time to the first token */
    struct limit_config limits;
    int64_t timeout_ms, stall_ms;
    enum structured structured; /* chat, local: as a judge */
    struct template template;   /* chat, local: replaces the suite's; user.p is NULL if none */
    struct place template_at;   /* location in models.yaml */
};

/* True if it is reached over HTTP. */
static inline bool endpoint_is_asked(const struct endpoint *ep)
{
    return ep->kind == ENDPOINT_CHAT || ep->kind == ENDPOINT_LOCAL;
}

#endif
