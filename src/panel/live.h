/* live.h - ask endpoints here and now, and hear the answers as they are spoken.
 *
 * For a person who waits: a few requests on the caller's thread, all at once, without queue and
 * retries. An
 * endpoint that refuses to stream is asked for the whole. Chat endpoints and recorded ones. */
#ifndef PANEL_LIVE_H
#define PANEL_LIVE_H

#include "net/chat.h"
#include "suite/models.h"

/* The answer so far has changed; lent. */
typedef void live_heard(void *user, struct str said);
/* Called a few times a second while nothing happens. False: the answer is not wanted any more. */
typedef bool live_waits(void *user);

struct live_question {
    const struct endpoint *ep;
    const char *sampling; /* of the suite; may be NULL */
    const struct chat_turn *turns;
    size_t nturns;
    const char *tag; /* for recorded endpoints; see recorded.h */
    live_heard *heard;
    live_waits *waits;
    void *user;
};

struct live_answer {
    struct chat_reply reply; /* a fault is an answer, too */
    struct str request, response;
    int64_t elapsed_ms;
};

/* The answers to n questions; whoever waits is the first one's. E_STOP when they were not wanted
 * any more. */
CHECKED enum status live_ask(struct arena *a, const struct live_question *q, size_t n,
                             struct live_answer *out, struct err *e);

#endif
