/* classing.h - classify the answers of a run.
 *
 * A classifier is given the text of an answer and nothing else. Logits are stored; the rate that
 * follows from them (score.h, "rate:NAME") is derived like every other number. Only answers without
 * a logit are classified, so an interrupted job continues where it was; another classifier of the
 * same name begins anew. An answer that an endpoint refuses stays without a logit and is counted.
 * When told to stop, the job waits for requests in flight and saves. One thread; HTTP through its
 * own loop. */
#ifndef EVAL_CLASSING_H
#define EVAL_CLASSING_H

#include "eval/run.h"
#include "exchange/classifier.h"
#include "store/store_class.h"
#include "suite/models.h"

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

#endif
