/* endpoint.h - who answers or judges. */
#ifndef SUITE_ENDPOINT_H
#define SUITE_ENDPOINT_H

#include "base/diag.h"
#include "net/limit.h"
#include "suite/template.h"

enum endpoint_kind { ENDPOINT_CHAT, ENDPOINT_RECORDED, ENDPOINT_LOCAL, ENDPOINT_OBJECTIVE };
enum { ENDPOINT_KINDS = ENDPOINT_OBJECTIVE + 1 };

/* Is the form of a verdict asked for in the request? AUTO: as far as the server goes along. */
enum structured { STRUCTURED_AUTO, STRUCTURED_SCHEMA, STRUCTURED_OFF };

/* Who answers or judges, as configured in models.yaml. Never holds a key, only the name of the
 * environment variable that does. */
struct endpoint {
    enum endpoint_kind kind;
    const char *name;       /* how the user calls it */
    const char *family;     /* "" when not said; a judge does not judge its own family */
    const char *base_url;   /* chat */
    const char *url;        /* chat: the final URL that requests go to; local: without its port */
    const char *model;      /* chat: the provider's model id; local: the file and what is in it;
                             * objective: the scorer */
    const char *key_var;    /* chat: environment variable with the key; "": none is sent */
    bool key_named;         /* ... was written in the file, so its absence is a fault */
    const char *parameters; /* JSON object merged into every request body: sampling, extra fields */
    const struct str *headers; /* extra "Name: value" */
    size_t nheaders;
    const char *file;   /* recorded: JSONL of replies, path as seen from here; local: GGUF */
    const char *server; /* local: the program that serves it */
    const struct str *arguments; /* ... and what it is started with besides */
    size_t narguments;
    /* USD per million tokens; NaN: not said. What a provider had cached costs price_cached, or as
     * much as the rest. */
    double price_in, price_out, price_cached;
    bool stream; /* asked: replies come in pieces, so that the time to the first is known */
    struct limit_config limits;
    int64_t timeout_ms, stall_ms;
    enum structured structured; /* asked, as a judge */
    struct template template;   /* asked: in place of the suite's; no user text (NULL): none */
    struct place template_at;   /* in models.yaml */
};

/* Requests go to it over HTTP. */
static inline bool endpoint_is_asked(const struct endpoint *ep)
{
    return ep->kind == ENDPOINT_CHAT || ep->kind == ENDPOINT_LOCAL;
}

#endif
