/* store_work.h - the queue: plans rows, leases them, writes their results. */
#ifndef STORE_STORE_WORK_H
#define STORE_STORE_WORK_H

#include "store/store.h"
#include "suite/mark.h"
#include "suite/turn.h"

/* ---- workers and leases ---- */

enum { STORE_MACHINE = 400 };
/* Identifies the scope of process ids: host name, boot and process namespace (containers may share
 * the first). */
void store_machine(char out[STORE_MACHINE]);

/* Registers this process, and frees the rows of workers that are gone. */
CHECKED enum status store_worker_start(struct store *s, struct err *e);
/* Sends a heartbeat, and frees the rows of workers without one for a minute. Sets *lost if we were
 * one of them: we hold nothing any more, and are a new worker from now on. *lost stays set until
 * the caller has acted on it: even if this fails, it may have happened. */
CHECKED enum status store_worker_beat(struct store *s, bool *lost, struct err *e);
/* First call in a transaction that leases or ends rows: until it is over, nobody frees ours. *lost
 * as above. */
CHECKED enum status store_worker_hold(struct store *s, bool *lost, struct err *e);
/* Frees the rows of another worker, which is to be stopped: its results are no longer accepted. */
CHECKED enum status store_worker_evict(struct store *s, int64_t worker, struct err *e);
/* Frees what we hold, and deletes our row. */
CHECKED enum status store_worker_end(struct store *s, struct err *e);
/* Announces that we use this endpoint, which allows `window` requests at once (0: any number, and
 * `slots` is of no use), and have `busy` requests in flight. */
struct asked_share {
    int64_t workers; /* that use it, for any run, including us */
    int64_t slots;   /* how many requests we may have in flight */
};
CHECKED enum status store_worker_asks(struct store *s, const char *endpoint, int64_t window,
                                      int64_t busy, struct asked_share *out, struct err *e);

/* ---- planning ---- */

/* Plans samples of one model for every item of the run that has none yet. */
CHECKED enum status store_plan_samples(struct store *s, int64_t run, int64_t model, int64_t repeat,
                                       struct err *e);
/* The same in the transaction that creates the run, where no item has one. */
CHECKED enum status store_plan_first(struct store *s, int64_t run, int64_t model, int64_t repeat,
                                     struct err *e);
/* The same for one item, by its position. */
CHECKED enum status store_plan_item(struct store *s, int64_t run, int64_t model, int64_t repeat,
                                    int64_t position, struct err *e);
/* Which items of the run, by position, the model has samples for: open[*n]. */
CHECKED enum status store_item_open(struct arena *a, struct store *s, int64_t run, int64_t model,
                                    bool **open, int64_t *n, struct err *e);
/* Plans verdicts of one judge for every done sample that has none; *n (or NULL) is their number.
 * Samples of models of the judge's own `family` are left out. */
struct verdict_plan {
    int64_t run, judge, repeat;
    const char *family; /* of the judge; "": leave none out */
    int64_t sample;     /* only this one; 0: all */
    int64_t window;     /* one verdict for each stretch of so many turns; 0: for the whole */
    const char *about;  /* a rule to judge instead of the answer; NULL: the answer */
    /* of pairs; see store_pair.h */
    bool both_orders;
    bool only_met; /* only pairs that some judge was given */
    uint64_t seed;
};
CHECKED enum status store_plan_verdicts(struct store *s, const struct verdict_plan *p, int64_t *n,
                                        struct err *e);
/* Returns failed samples, and failed and unscored verdicts, to the queue, with the next round. */
CHECKED enum status store_plan_again(struct store *s, int64_t run, int64_t *samples,
                                     int64_t *verdicts, struct err *e);

/* ---- leasing ---- */

struct leased {
    int64_t id, item, sample, repeat, round;
    struct str body; /* of the item, frozen */
    /* of a verdict: the sample that it is about */
    struct str answer;
    int64_t model, sample_repeat;
    /* of a pair: the second sample (0: not a pair), and whether it is shown first */
    int64_t other, other_model;
    struct str other_answer;
    bool other_first;
    struct str as_shown;    /* as stored; the members below are derived from it */
    struct turn_span shown; /* of a conversation: the turns to judge; 0: all */
    const char *about;      /* the rule that it is about instead of the answer, or "": about.h */
};

struct leased_list {
    struct leased *v;
    size_t n;
};

/* Leases up to max planned rows of one model or judge: those after *after (0: from the first),
 * which becomes the last of them, so that the next call need not skip the rows that are held. */
CHECKED enum status store_lease(struct arena *a, struct store *s, enum party_kind kind, int64_t who,
                                int max, int64_t *after, struct leased_list *out, struct err *e);
/* Releases leases: of rows that have ended, or that return to the queue (budget reached,
 * interrupted). */
CHECKED enum status store_unlease(struct store *s, enum party_kind kind, const int64_t *ids,
                                  size_t n, struct err *e);

/* ---- calls: cache and trace ---- */

struct call_row {
    int64_t id, run;
    const char *key, *url;
    struct str request, response;
    int64_t elapsed_ms, created_ms;
    struct str packed; /* used only while reading */
    int64_t dictionary, plain;
};

/* Finds the stored reply to exactly this request: of this run, or of any other unless only_run. */
struct call_wanted {
    struct arena *arena; /* for the reply */
    const char *key;
    struct call_row *found; /* NULL: there is none */
};
CHECKED enum status store_call_find(struct store *s, struct call_wanted *wanted, size_t n,
                                    int64_t run, bool only_run, struct err *e);
/* Adds calls; those that exist stay. Sets the ids. */
CHECKED enum status store_call_add(struct store *s, struct call_row **calls, size_t n,
                                   struct err *e);
CHECKED enum status store_call_get(struct arena *a, struct store *s, int64_t id,
                                   struct call_row *out, struct err *e);

/* ---- results ---- */

struct spent {
    int64_t tokens_in, tokens_out; /* -1: not known */
    double cost;                   /* NaN: not known */
    int64_t tries, elapsed_ms;
    int64_t call; /* row id; 0: none */
};

struct sample_result {
    int64_t id;
    enum state state; /* STATE_DONE or STATE_FAILED */
    struct str answer, thinking;
    const char *finish, *fault, *why; /* may be NULL */
    struct spent spent;
};

CHECKED enum status store_sample_end(struct store *s, const struct sample_result *r, struct err *e);

struct verdict_result {
    int64_t id;
    enum state state; /* STATE_DONE, STATE_UNSCORED or STATE_FAILED */
    struct str reply, reason;
    double overall;
    int repairs;
    const char *fault, *why;
    const char *choice; /* of a pair, in the judge's words; NULL: none */
    int64_t winner;     /* of a pair with a choice: the model; 0: a tie */
    const struct mark *marks;
    size_t nmarks;
    struct spent spent;
    int64_t ended_ms; /* set by store_verdict_write() */
};

/* Writes the verdict, then its marks, or both. For many verdicts, write all verdicts first:
 * consecutive statements of one kind may be sent to the database as one. */
CHECKED enum status store_verdict_write(struct store *s, struct verdict_result *r, struct err *e);
CHECKED enum status store_verdict_marks(struct store *s, const struct verdict_result *r,
                                        struct err *e);
CHECKED enum status store_verdict_end(struct store *s, struct verdict_result *r, struct err *e);

/* ---- budgets: shared by the workers of a run ---- */

struct purse {
    double usd;
    int64_t tokens;
};

/* The other workers of a run: how many they are, and what they hold together. */
struct budget_others {
    int64_t workers;
    struct purse held;
};
/* Inside a transaction, during which nobody else takes from the budget of the run: what was
 * recorded as spent, and what other workers hold besides. */
CHECKED enum status store_budget_look(struct store *s, int64_t run, struct purse *spent,
                                      struct budget_others *others, struct err *e);
/* Sets what we hold from now on, beyond what we recorded as spent. */
CHECKED enum status store_budget_hold(struct store *s, int64_t run, struct purse held,
                                      struct err *e);

/* Tokens and money that a run has used so far. */
CHECKED enum status store_spent(struct store *s, int64_t run, struct purse *out, struct err *e);

#endif
