/* live.h - asks endpoints immediately and streams their answers.
 *
 * For a person who is waiting: a few concurrent requests on the caller's thread, without queue
 * or retries. If an endpoint refuses to stream, it is asked again without streaming. For chat
 * and recorded endpoints. */
#ifndef PANEL_LIVE_H
#define PANEL_LIVE_H

#include "net/chat.h"
#include "suite/models.h"

/* The answer so far has changed; `said` is borrowed. */
typedef void live_heard(void *user, struct str said);
/* Called several times a second. False: the answer is no longer wanted. */
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

/* Answers n questions; `waits` is taken from the first. E_STOP: they are no longer wanted. */
CHECKED enum status live_ask(struct arena *a, const struct live_question *q, size_t n,
                             struct live_answer *out, struct err *e);

#endif
