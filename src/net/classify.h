/* classify.h - text classifiers behind HTTP, in two dialects: one request to text, one reply from
 * it.
 *
 * CLASSIFY_PREDICT is text-classification as text-embeddings-inference speaks it at /predict:
 * {"inputs": ...} is answered by a list of {"label", "score"}. CLASSIFY_MODERATION is the OpenAI
 * moderation endpoint: {"model", "input"} is answered by results[0].category_scores. Both give
 * probabilities; the log odds of the one label that was asked for is what counts. Pure: no sockets,
 * no clock. Faults are those of chat.h. */
#ifndef NET_CLASSIFY_H
#define NET_CLASSIFY_H

#include "net/chat.h"

enum classify_dialect { CLASSIFY_PREDICT, CLASSIFY_MODERATION };

struct classify_request {
    enum classify_dialect dialect;
    const char *model; /* for moderation: the provider's model id; "": not sent */
    struct str text;
};

/* The JSON body; the same request gives the same bytes. */
struct str classify_body(struct arena *a, const struct classify_request *req);

struct classify_reply {
    enum chat_fault fault;
    const char *why; /* for a fault: one line for the user */
    double logit;    /* finite: probabilities of 0 and 1 are moved inside a little */
};

/* Reads the reply about `label`. Everything in *out lives in arena a. */
void classify_read(struct arena *a, const struct http_reply *raw, enum classify_dialect dialect,
                   const char *label, struct classify_reply *out);

/* "http://host:8080" -> ".../predict" or ".../v1/moderations", by the rules of chat_url_to(). */
const char *classify_url(struct arena *a, enum classify_dialect dialect, const char *base_url,
                         const char **why);

#endif
