/* task.h - one sample or verdict on its way, and the stage that knows how to make it.
 *
 * The run loop leases planned rows; a stage prepares a task for each; the loop asks, and hands each
 * reply back; the stage either prepares the next request of the same task (a repair, the next turn
 * of an interview) or says that it is done; the loop then has it saved. advance() and fail() touch
 * no database, so that saving can be tried again when the database did not answer.
 *
 * Stages never call each other: what one leaves behind are rows. A task owns its arenas and
 * everything in them; what the run loop hands to a stage lives in `scratch`, so that a stage copies
 * what it keeps. */
#ifndef EVAL_TASK_H
#define EVAL_TASK_H

#include "net/chat.h"
#include "store/store_work.h"
#include "suite/mark.h"

struct instrument;
struct objective_case;
struct lane;

/* What stages know of the run that they work for. */
struct context {
    struct store *store;
    const struct run_row *run;
    const struct suite *suite;
    struct party_list models;
    struct arena *scratch; /* of one preparation, forgotten before the next */
};

struct task {
    struct arena *arena;
    struct arena *scratch; /* of the request under way, forgotten when its reply is saved */
    int64_t id;            /* of the row */
    int64_t repeat, round; /* tell requests apart that are otherwise the same */

    /* the next request */
    struct chat_turn *turns;
    size_t nturns;
    struct chat_told *told; /* of the conversation that they are; NULL: of none */
    int to;                 /* 0: the lane's party; else which of the run's others it is for */
    const char *tag;        /* what a recorded endpoint is asked by: recorded.h */
    bool referenced;        /* it follows from stored rows: its body is not stored with the reply */
    const struct instrument *form;      /* of the reply, where it is not the lane's; or NULL */
    const struct objective_case *asked; /* of a verdict: what an objective judge looks at */

    void *work; /* the stage's own */
    struct spent spent;
    struct purse paid; /* of the budget, since it was last written */

    /* the run loop's own; see work.h */
    struct lane *lane;                     /* whose it is */
    struct lane *via;                      /* whose channel the next request takes */
    struct task *next;                     /* in a queue */
    struct task *live_next, **live_prev;   /* among those in flight or asleep */
    struct task *claim_next, **claim_prev; /* among those that ask for a draw: draw.c */
    bool twin;                             /* another asks what it asks */
    struct http_call *http;                /* in flight */
    struct str body;                       /* of the request under way */
    unsigned avoid;                        /* ... what was left out of it */
    const char *key;                       /* of that request in `call` */
    const struct call_row *stored;         /* the reply to it that was found there; NULL: none */
    struct call_row *call;                 /* to be saved with the task; NULL: none */
    bool more;                             /* after saving, there is another request */
    enum state state;                      /* of the row, once it has been saved */
    bool lost;                             /* its reply is to be thrown away: ask_forgets() */
    int faults, same, waits, looks;        /* of the request under way; see ask.c */
    enum chat_fault last_fault;
    struct purse guess; /* what the request may cost: reserved while it is in flight */
};

struct stage {
    enum party_kind kind;
    /* Make the first request of a task that is new, for a row that was just leased for `who`. */
    enum status (*prepare)(const struct context *c, const struct party *who,
                           const struct leased *row, struct task *t, struct err *e);
    /* A good reply has come. True: the next request stands in the task. False: it is done. */
    bool (*advance)(const struct context *c, struct task *t, const struct chat_reply *reply);
    /* No reply could be had. True: there is another request to make instead. */
    bool (*fail)(struct task *t, const char *fault, const char *why);
    /* NULL, or: write what became known although the task goes on, in the caller's transaction.
     * `spent` then counts from one such write to the next. */
    enum status (*keep)(const struct context *c, struct task *t, struct err *e);
    /* Write the result, in the caller's transaction, and set t->state to what became of the row. */
    enum status (*save)(const struct context *c, struct task *t, struct err *e);
    /* NULL, or: write what belongs to what was kept or saved, after that of all tasks in the
     * transaction: what is of one kind then goes to the database as one statement. */
    enum status (*detail)(const struct context *c, const struct task *t, struct err *e);
};

struct task *task_new(const struct leased *row);
struct spent task_unspent(void);         /* nothing known */
void task_free(struct task *t);          /* NULL is fine */
void task_free_list(struct task *first); /* linked through next */

/* Tasks in a row, linked through `next`. A task is in at most one queue. */
struct queue {
    struct task *first, **last;
    size_t n;
};

void queue_init(struct queue *q);
void queue_push(struct queue *q, struct task *t);
void queue_push_front(struct queue *q, struct task *t);
struct task *queue_pop(struct queue *q); /* NULL when empty */

#endif
