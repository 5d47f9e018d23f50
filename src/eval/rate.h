/* rate.h - let a classifier speak about the answers of a run.
 *
 * It is given the text of the answer and nothing else. Logits are stored; the rate that follows
 * from them (score.h, "rate:NAME") is derived like every other number. Only answers that it has not
 * spoken about are classified: what was interrupted goes on where it was, and another classifier
 * of the same name begins anew. An answer that an endpoint refuses stays without a logit and is
 * counted. Told to stop, it waits for what is in flight and saves. One thread; HTTP through its own
 * loop. */
#ifndef EVAL_RATE_H
#define EVAL_RATE_H

#include "eval/classifier.h"
#include "eval/run.h"
#include "store/store_class.h"
#include "suite/models.h"

enum { RATE_RETRIES = 8, RATE_WAITS = 80 };

struct rate_how {
    const char *name;
    const struct classifier *classifier;   /* one trained here, or NULL: */
    const struct class_endpoint *endpoint; /* one that is asked */
    const volatile sig_atomic_t *stop;     /* 0 go on, 1 drain, 2 leave now; may be NULL */
    run_report *report; /* as of a run, its samples being the answers; may be NULL */
    void *user;
};

struct rate_outcome {
    int64_t before, now, failed; /* answers classified earlier, this time, and not at all */
    const char *why;             /* one of those failed; NULL: none */
    int64_t left;                /* not looked at, because it was told to stop */
};

/* On failure everything that was classified until then is kept. Texts live in arena a. */
CHECKED enum status rate_run(struct arena *a, struct store *s, struct run_row *run,
                             const struct rate_how *how, struct rate_outcome *out, struct err *e);

/* ---- between rate.c and rate_ask.c ---- */

enum { RATE_BATCH = 256 };

struct rate_mark {
    int64_t sample;
    double logit;
};

struct rate_job {
    struct arena *a; /* of the whole job */
    struct store *store;
    const struct run_row *run;
    const struct rate_how *how;
    struct class_name who;
    struct id_list missing;
    struct rate_mark marks[RATE_BATCH]; /* not yet saved */
    size_t nmarks;
    struct rate_outcome outcome;
    int64_t began_ms, reported_ms;
};

enum { RATE_REPORT_MS = 100 };

int rate_stopping(const struct rate_job *j); /* as *stop */
/* Tell whoever watches, at most every RATE_REPORT_MS unless it is stopping; `p` says what asking
 * adds to the counts. */
void rate_report(struct rate_job *j, struct run_progress p);

/* Keep a logit until rate_save(). There must be room. */
void rate_mark(struct rate_job *j, int64_t sample, double logit);
/* One transaction; also marks the run's scores as old. */
CHECKED enum status rate_save(struct rate_job *j, struct err *e);
/* Ask the endpoint about everything that is missing. */
CHECKED enum status rate_ask(struct rate_job *j, struct err *e);

#endif
