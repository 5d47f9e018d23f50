/* store_order.h - what people want of those who work: pause, resume, cancel, drain; and who works.
 *
 * A run is queued for whoever has time (`audition work`), paused or cancelled. Endpoints, by the
 * name that models.yaml gives them, and workers, as HOST:PID, are held one by one. Whoever works
 * looks once a second. */
#ifndef STORE_STORE_ORDER_H
#define STORE_STORE_ORDER_H

#include "store/store.h"

enum order { ORDER_NONE, ORDER_QUEUED, ORDER_PAUSED, ORDER_CANCELLED };
const char *order_word(enum order o); /* "", "queued", "paused", "cancelled" */

struct run_orders {
    enum order order;
    int64_t needs; /* what its workers must know; see RUN_KNOWS */
    int64_t priority;
    double budget_usd; /* NaN: none */
    int64_t budget_tokens;
    int64_t queued; /* how often it was, until then */
};
CHECKED enum status order_run(struct store *s, int64_t run, enum order o, struct err *e);
/* Queue it, with everything that o says. */
CHECKED enum status order_queue(struct store *s, int64_t run, const struct run_orders *o,
                                struct err *e);
/* Nothing is left to do in it: queued no more, if it is scored and was not queued again since the
 * orders were read. */
CHECKED enum status order_done(struct store *s, int64_t run, const struct run_orders *o,
                               struct err *e);
CHECKED enum status order_get(struct store *s, int64_t run, struct run_orders *out, struct err *e);

struct order_ids {
    int64_t *v;
    size_t n;
};
/* The queued runs, the most urgent first. */
CHECKED enum status order_next(struct arena *a, struct store *s, struct order_ids *out,
                               struct err *e);

/* ---- endpoints and workers ---- */

struct held_row {
    const char *subject; /* endpoint/NAME or worker/HOST:PID */
    bool drain;          /* end what is begun and leave; else wait */
};
struct held_list {
    struct held_row *v;
    size_t n;
};
CHECKED enum status held_put(struct store *s, const struct held_row *row, struct err *e);
/* Does any run ask an endpoint of this name? */
CHECKED enum status held_known(struct store *s, const char *endpoint, bool *known, struct err *e);
CHECKED enum status held_drop(struct store *s, const char *subject, bool *was, struct err *e);
CHECKED enum status held_list(struct arena *a, struct store *s, struct held_list *out,
                              struct err *e);
const struct held_row *held_find(const struct held_list *l, const char *subject);
/* The subject of this process. */
const char *held_self(struct arena *a);
/* Orders to an earlier process of the same name are none to this one, which has just begun: in a
 * container every process may be number 1. */
CHECKED enum status held_forget(struct arena *a, struct store *s, struct err *e);

struct worker_row {
    int64_t id, pid, rows, since_ms, beat_ms;
    const char *host, *version, *run; /* run "": none */
    const char *name;                 /* HOST:PID */
    double rate;                      /* rows a minute */
    const char *waiting;              /* what holds it up; "": nothing */
};
struct worker_list {
    struct worker_row *v;
    size_t n;
};
CHECKED enum status workers_shown(struct arena *a, struct store *s, struct worker_list *out,
                                  struct err *e);

/* ---- how it goes, for those who look on ---- */

/* Without a sign for longer, a worker is taken to be gone: four beats. */
enum { WORKER_SIGN_MS = 60 * 1000 };

struct run_pulse {
    int64_t workers; /* who gave a sign of life lately */
    double rate;     /* rows a minute, all together */
    int64_t retries, throttled;
    const char *waiting; /* "": nothing holds them up */
};
/* Of us, the worker. `workers` is not looked at. */
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
/* The last ones, newest first. */
CHECKED enum status store_run_failures(struct arena *a, struct store *s, int64_t run, int64_t most,
                                       struct failure_list *out, struct err *e);

#endif
