/* store_order.h - orders to workers (pause, resume, cancel, drain), and the list of workers.
 *
 * A run can be queued for any idle worker (`audition work`), paused or cancelled. Endpoints, by
 * their name in models.yaml, and workers, as HOST:PID, can be held individually. Workers look once
 * a second. */
#ifndef STORE_STORE_ORDER_H
#define STORE_STORE_ORDER_H

#include "store/store.h"

enum order { ORDER_NONE, ORDER_QUEUED, ORDER_PAUSED, ORDER_CANCELLED };
const char *order_word(enum order o); /* "", "queued", "paused", "cancelled" */

struct run_orders {
    enum order order;
    int64_t needs; /* what its workers must support; see RUN_KNOWS */
    int64_t priority;
    double budget_usd; /* NaN: none */
    int64_t budget_tokens;
    int64_t queued; /* how often it had been queued when this was read */
};
CHECKED enum status order_run(struct store *s, int64_t run, enum order o, struct err *e);
/* Queues a run, with everything in o. */
CHECKED enum status order_queue(struct store *s, int64_t run, const struct run_orders *o,
                                struct err *e);
/* Nothing is left to do in a run: takes it out of the queue, if it is scored and was not queued
 * again since the orders were read. */
CHECKED enum status order_done(struct store *s, int64_t run, const struct run_orders *o,
                               struct err *e);
CHECKED enum status order_get(struct store *s, int64_t run, struct run_orders *out, struct err *e);

struct order_ids {
    int64_t *v;
    size_t n;
};
/* The queued runs, most urgent first. */
CHECKED enum status order_next(struct arena *a, struct store *s, struct order_ids *out,
                               struct err *e);

/* ---- endpoints and workers ---- */

struct held_row {
    const char *subject; /* endpoint/NAME or worker/HOST:PID */
    bool drain;          /* true: finish what was begun and leave; false: wait */
};
struct held_list {
    struct held_row *v;
    size_t n;
};
CHECKED enum status held_put(struct store *s, const struct held_row *row, struct err *e);
/* Whether any run uses an endpoint of this name. */
CHECKED enum status held_known(struct store *s, const char *endpoint, bool *known, struct err *e);
CHECKED enum status held_drop(struct store *s, const char *subject, bool *was, struct err *e);
CHECKED enum status held_list(struct arena *a, struct store *s, struct held_list *out,
                              struct err *e);
const struct held_row *held_find(const struct held_list *l, const char *subject);
/* The `subject` of this process. */
const char *held_self(struct arena *a);
/* Deletes orders to an earlier process with the name of this one, which has just started: in a
 * container every process may have number 1. */
CHECKED enum status held_forget(struct arena *a, struct store *s, struct err *e);

struct worker_row {
    int64_t id, pid, rows, since_ms, beat_ms;
    const char *host, *version, *run; /* run "": none */
    const char *name;                 /* HOST:PID */
    double rate;                      /* rows a minute */
    const char *waiting;              /* what it waits for; "": nothing */
};
struct worker_list {
    struct worker_row *v;
    size_t n;
};
CHECKED enum status workers_shown(struct arena *a, struct store *s, struct worker_list *out,
                                  struct err *e);

/* ---- progress, for pages ---- */

/* A worker without a heartbeat for longer is taken to be gone: four beats. */
enum { WORKER_SIGN_MS = 60 * 1000 };

struct run_pulse {
    int64_t workers; /* with a heartbeat lately */
    double rate;     /* rows a minute, all together */
    int64_t retries, throttled;
    const char *waiting; /* what they wait for; "": nothing */
};
/* Stores the pulse of this worker; `workers` is ignored. */
CHECKED enum status store_worker_tell(struct store *s, const struct run_pulse *p, struct err *e);
CHECKED enum status store_run_pulse(struct arena *a, struct store *s, int64_t run,
                                    struct run_pulse *out, struct err *e);

struct failure {
    int64_t sample, ended_ms;
    const char *who, *item; /* who: the model, or the judge */
    const char *fault, *why;
};
struct failure_list {
    struct failure *v;
    size_t n;
};
/* The latest ones, newest first. */
CHECKED enum status store_run_failures(struct arena *a, struct store *s, int64_t run, int64_t most,
                                       struct failure_list *out, struct err *e);

#endif
