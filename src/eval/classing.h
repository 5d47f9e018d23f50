/* classing.h - let a classifier speak about the answers of a run.
 *
 * It is given the text of the answer and nothing else. Logits are stored; the rate that follows
 * from them (score.h, "rate:NAME") is derived like every other number. Only answers that it has not
 * spoken about are classified: what was interrupted goes on where it was, and another classifier
 * of the same name begins anew. An answer that an endpoint refuses stays without a logit and is
 * counted. Told to stop, it waits for what is in flight and saves. One thread; HTTP through its own
 * loop. */
#ifndef EVAL_CLASSING_H
#define EVAL_CLASSING_H

#include "eval/run.h"
#include "exchange/classifier.h"
#include "store/store_class.h"
#include "suite/models.h"

enum { CLASSING_RETRIES = 8, CLASSING_WAITS = 80 };

struct classing_how {
    const char *name;
    const struct classifier *classifier;   /* one trained here, or NULL: */
    const struct class_endpoint *endpoint; /* one that is asked */
    const volatile sig_atomic_t *stop;     /* 0 go on, 1 drain, 2 leave now; may be NULL */
    run_report *report; /* as of a run, its samples being the answers; may be NULL */
    void *user;
};

struct classing_outcome {
    int64_t before, now, failed; /* answers classified earlier, this time, and not at all */
    const char *why;             /* one of those failed; NULL: none */
    int64_t left;                /* not looked at, because it was told to stop */
};

/* On failure everything that was classified until then is kept. Texts live in arena a. */
CHECKED enum status classing_run(struct arena *a, struct store *s, struct run_row *run,
                                 const struct classing_how *how, struct classing_outcome *out,
                                 struct err *e);

/* ---- between classing.c and classing_ask.c ---- */

enum { CLASSING_BATCH = 256 };

struct classing_logit {
    int64_t sample;
    double logit;
};

struct classing_job {
    struct arena *a; /* of the whole job */
    struct store *store;
    const struct run_row *run;
    const struct classing_how *how;
    struct class_name who;
    struct id_list missing;
    struct classing_logit marks[CLASSING_BATCH]; /* not yet saved */
    size_t nmarks;
    struct classing_outcome outcome;
    int64_t began_ms, reported_ms;
};

enum { CLASSING_REPORT_MS = 100 };

int classing_stopping(const struct classing_job *j); /* as *stop */
/* Tell whoever watches, at most every CLASSING_REPORT_MS unless it is stopping; `p` says what
 * asking adds to the counts. */
void classing_report(struct classing_job *j, struct run_progress p);

/* Keep a logit until classing_flush(). There must be room. */
void classing_keep(struct classing_job *j, int64_t sample, double logit);
/* One transaction; also marks the run's scores as old. */
CHECKED enum status classing_flush(struct classing_job *j, struct err *e);
/* Ask the endpoint about everything that is missing. */
CHECKED enum status classing_ask(struct classing_job *j, struct err *e);

#endif
