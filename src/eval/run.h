/* run.h - the loop that works a run's queue off: one thread, many requests in flight.
 *
 * It leases planned rows through the stages, asks, retries, and commits results in groups at
 * most 50 ms or 256 rows apart. Judging of a sample begins when the sample is committed. Whatever
 * happens, what was committed is kept and the rest is planned again: the same call goes on. */
#ifndef EVAL_RUN_H
#define EVAL_RUN_H

#include <signal.h>

#include "net/chat.h"
#include "store/jury.h"
#include "store/store_order.h"

struct endpoint;

struct run_progress {
    const struct run_row *run;
    struct {
        int64_t total, done, unscored, failed;
    } samples, verdicts;
    int in_flight, limit;          /* requests now, and the window they may fill */
    int64_t requests, retries;     /* sent, and of those again */
    int64_t throttled;             /* 429s and overloads */
    int64_t cached;                /* replies that were already stored */
    int64_t turns;                 /* of conversations: replies that became turns */
    int64_t tokens_in, tokens_out; /* of this process */
    double cost;                   /* USD; NaN: no price is known */
    int64_t elapsed_ms;
    const char *waiting; /* what holds things up, for the user: NULL when nothing does */
    int64_t waiting_ms;  /* how much longer, where it is known; else -1 */
    bool held;           /* somebody wants it so: an endpoint is paused */
    bool draining;       /* interrupted: waiting for what is in flight */
};

typedef void run_report(void *user, const struct run_progress *p);

/* Requests that go by another way than the network: see batch_file.h. */
struct run_letter {
    const char *key; /* the same for the same request, today and tomorrow */
    const struct endpoint *to;
    struct str body;
};
/* True: *raw is its reply, in arena a, and *out what it says. False: there is none, or none that
 * helps, and the row stays planned. */
typedef bool run_post(void *user, const struct run_letter *letter, struct arena *a,
                      struct http_reply *raw, struct chat_reply *out);

/* What this program knows of runs. One that needs more is for a newer program. */
enum { RUN_KNOWS = 1 };

struct run_options {
    int jobs;                 /* most requests in flight over all endpoints */
    int max_retries;          /* of one request, rate limits apart */
    int64_t timeout_ms;       /* of one attempt; 0: as the endpoint says */
    double budget_usd;        /* for the whole run, earlier work included; NaN: none */
    int64_t budget_tokens;    /* 0: none */
    int64_t store_wait_ms;    /* how long to wait for a database that does not take our writes */
    int64_t endpoint_wait_ms; /* how long to wait for an endpoint that is starting */
    bool own_family;          /* judges may judge their own family */
    bool queued;              /* the run was queued: it is done when it has been scored */
    bool judge_only;          /* judge what is answered; the models are not asked */
    const struct jury *jury;  /* who is asked to judge; NULL: all judges of the run */
    const volatile sig_atomic_t *stop; /* 0 go on, 1 drain, 2 leave now */
    run_post *post;                    /* NULL: the network */
    void *post_user;
    /* Is something else more urgent? Then this is drained. Asked every second or two; or NULL. */
    bool (*outranked)(void *user, const struct run_orders *run);
    run_report *report; /* called a few times a second and once at the end; may be NULL */
    void *user;
};

/* How it ended, beside the counts. */
struct run_outcome {
    struct run_progress progress;
    bool begun; /* false, with an error: nothing was asked, and the same call may be tried again */
    bool interrupted;
    bool budget_reached;
    const char *ordered; /* somebody wanted it to stop: "paused", "cancelled", "drained", or that it
                            is outranked; NULL */
    const char *halted;  /* an endpoint had to be given up: why, and what to do; NULL */
};

/* Work until nothing is planned or in progress any more, or until told to stop, out of budget or
 * given up. Rows of other processes are waited for, and taken over from one that dies. `a` holds
 * the outcome's texts. An error means that going on is pointless; what was done is kept. */
CHECKED enum status run_work(struct arena *a, struct store *s, const struct run_row *run,
                             const struct run_options *o, struct run_outcome *out, struct err *e);
/* Pause a run, cancel it, or (ORDER_QUEUED) undo that by queueing it again with the budget and the
 * urgency it had. *over: nothing was changed, because nothing of it is left and nobody is working
 * on it who might plan more. */
CHECKED enum status run_order(struct arena *a, struct store *s, const struct run_row *run,
                              enum order o, bool *over, struct err *e);

#endif
