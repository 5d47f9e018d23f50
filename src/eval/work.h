/* work.h - what the parts of the run loop share: lane.c, local.c, ask.c, commit.c and run.c.
 * Private to them.
 *
 * A channel is an endpoint with its rate limit; a lane is one model or judge of the run with the
 * tasks that wait for its channel. The examiner of interviews is a lane too, without tasks of its
 * own: those of the models visit it. A task is in exactly one place: ready in a lane, live (in
 * flight, or asleep until it is tried again), a twin (waiting for the reply to another's same
 * request), finished (to be saved), or released (to be given back). */
#ifndef EVAL_WORK_H
#define EVAL_WORK_H

#include "eval/run.h"
#include "eval/task.h"
#include "exchange/recorded.h"
#include "net/loop.h"
#include "store/store_pair.h"
#include "suite/models.h"

struct local; /* local.c */

/* The limits of one server, shared by all channels to it: one model may go by several names. */
struct gate {
    const char *known_as; /* to other processes: address and model; NULL: it is ours alone */
    const char *key_var;
    struct limit_config whole; /* the strictest of what models.yaml says of it */
    struct limit limit;        /* our part */
};

struct channel {
    struct endpoint ep;
    struct local *local; /* the server of a file; NULL: it is no file */
    const char *url;     /* that requests go to */
    int port;            /* of that server, in the URL */
    struct gate *gate;
    struct recorded *recorded;
    struct models_headers headers;
    enum dialect dialect;
    unsigned avoid;       /* enum dialect_avoid: what it has refused */
    bool good;            /* it has answered at least once */
    int64_t missed_at_ms; /* it was first asked in vain since its last answer; 0: it was not */
    int bad;              /* replies since then */
    bool away;            /* the last attempt found nobody there */
    const char *absence;  /* how to say so */
    char unready[512];    /* ... of one that is there and says that it cannot answer yet; or "" */
    const char *paused;   /* ... that it is held */
    const char *taken;    /* ... that others ask it */
    const char *halted;   /* why it was given up; NULL: it was not */
    bool held;            /* somebody wants it not to be asked for now */
};

struct lane {
    struct work *work;
    const struct stage *stage;
    struct party who;
    struct channel *channel;
    bool serves;         /* it is visited, and has no tasks of its own */
    json_t *parameters;  /* endpoint's and suite's, merged */
    bool formed;         /* ... and the form of a verdict */
    const char *written; /* ... as they stand in requests */
    int64_t most_out;    /* tokens of a reply */
    bool heard;          /* it has answered */
    struct queue ready;
    size_t asleep; /* tasks that wait to be tried again */
    size_t open;   /* tasks of its own, wherever they are */
    int64_t last;  /* row that was leased; behind it nothing was looked at yet */
    bool dry;      /* nothing was planned when we last looked */
    /* of the group that is being committed */
    int wanted;          /* rows to lease */
    struct task *leased; /* what came of it, linked through next */
};

/* Our slice of the run's budget: share.c. Requests in flight count with their guessed size, so that
 * several at once cannot pass the limit together. */
struct budget {
    double usd_limit;    /* NaN: none */
    int64_t token_limit; /* 0: none */
    struct purse spent, reserved;
};

struct work {
    struct arena *arena;
    struct context ctx;
    const struct run_options *o;
    struct loop *loop;
    struct http *http;
    struct channel *channels;
    size_t nchannels;
    struct gate *gates;
    size_t ngates;
    struct local *locals;
    struct lane *lanes;
    size_t nlanes;
    struct lane *visited; /* of them those that serve: the run's others */
    size_t nvisited;
    size_t turn; /* lane that is served first */
    struct task *live;
    struct queue finished, released;
    struct queue twins;        /* wait for the reply to the same request of another */
    struct task *claims[256];  /* by the first digits of the key: draw.c */
    struct queue held;         /* written down, and not answered: planned again at the end */
    int64_t finished_since_ms; /* when the oldest of them came */
    int64_t commit_ms;         /* how long the last commit took */
    struct budget budget;
    struct purse unsaved;   /* paid for, and not written yet */
    struct purse need;      /* of the request that the slice is too small for */
    bool budget_short;      /* ... there is one */
    bool budget_over;       /* nothing is left, with us or others */
    int64_t budget_next_ms; /* no slice is asked for before */
    struct pair_goal goal;  /* of battles that are chosen; see adaptive.h */
    bool draining, budget_reached;
    bool looked_again;                             /* since anything was leased: see run.c */
    bool none_held;                                /* ... nor was by others, before we looked */
    int64_t look_at_ms;                            /* not before: others are at work */
    int64_t count_at_ms;                           /* what they have done */
    int64_t beat_at_ms, share_at_ms, orders_at_ms; /* when that is due */
    const char *ordered;                           /* why we were told to stop; NULL: we were not */
    char others_say[64];                           /* what they are doing */
    int64_t answered;                              /* samples whose verdicts we then knew of */
    bool lost;     /* what we hold was given to others: see ask_release_lost() */
    bool in_doubt; /* the database did not answer a question: commit_group() shall find out */
    /* the database does not take our writes */
    int64_t trouble_since_ms, trouble_next_ms, trouble_pause_ms;
    char trouble[sizeof(((struct err *)0)->msg)];
    int64_t limit_wait_ms; /* until a closed or empty channel may be asked again */
    struct run_progress progress;
    /* what others were last told of us: see store_worker_tell() */
    double rate;
    int64_t told_rows, told_ms;
};

/* ---- lane.c ---- */

/* Channels and lanes for all models and judges of the run. */
CHECKED enum status lane_open_all(struct work *w, struct err *e);
void lane_close_all(struct work *w);
/* All processes that ask an endpoint share its rates and its concurrency: see how many there are,
 * and take our part. */
CHECKED enum status lane_share(struct work *w, struct err *e);
/* How many rows a lane should lease now; 0: none. */
int lane_wants(const struct lane *l);
/* Where a request of the lane's tasks goes: to itself (0), or to the k-th of the run's others,
 * which take turns where there are fewer. */
struct lane *lane_to(struct lane *l, int to);
/* Nothing can come of its tasks: its endpoint was given up, or that of a lane which they visit. */
bool lane_halted(const struct lane *l);

/* ---- local.c ---- */

/* Find the server that this channel needs, perhaps shared with another channel. Returns its key. */
const char *local_open(struct work *w, struct channel *c);
/* Can it be asked now? If not, do what is missing: start its server or, where memory has no room
 * for it beside others, wait until they have nothing to do. A server that cannot be started halts
 * the channel. */
bool local_ready(struct work *w, struct channel *c);
/* Its server has ended: the channel is halted. */
bool local_failed(struct work *w, struct channel *c);
void local_close_all(struct work *w);

/* ---- ask.c ---- */

/* Make the next request of each task and look up whether its reply is stored already. For rows that
 * are leased this is part of the same transaction, since one of its own would cost as much as
 * writing a row; for tasks that go on it is done after the commit, for all at once. */
CHECKED enum status ask_look_up(struct work *w, struct task *const *tasks, size_t n, struct err *e);
/* Send what may be sent now. */
void ask_ready(struct work *w);
/* Give back everything that was not sent; with `all`, cancel what is in flight too. */
void ask_release(struct work *w, bool all);
/* The same, if others took us for dead and have our rows now. Replies in flight are still worth
 * storing, for whoever asks the same. */
void ask_release_lost(struct work *w);
/* Must such replies be thrown away, and those since the last commit, too? Yes where people speak in
 * the run: what was taken from us may be what one of them withdrew. */
bool ask_forgets(const struct work *w);

/* ---- draw.c ---- */

/* May the task ask for its draw? False: another task does, and this one waits among the twins. */
bool draw_take(struct work *w, struct task *t);
/* Its request is saved, or given up. Harmless where it has no claim. */
void draw_drop(struct task *t);
/* After a commit: twins whose reply was saved, or will not come, are ready again. */
void draw_wake(struct work *w);
/* Take one out; NULL: there are none. */
struct task *draw_next_twin(struct work *w);

/* ---- share.c ---- */

/* Reserve what the task's request may cost; false when that would pass a limit. */
bool share_take(struct work *w, const struct task *t);
/* The reservation has ended, and this was really used. */
void share_settle(struct work *w, struct task *t, struct purse used);
/* Part of the transaction of a group: take our next slice of the budget if we need one, and record
 * what we hold. */
CHECKED enum status share_budget(struct work *w, struct err *e);
/* Give up what we hold: a new slice has to be taken before anything more is asked. */
void share_drop(struct work *w);

/* ---- commit.c ---- */

/* Save what is finished and lease what is wanted, as one transaction. It is no error that the
 * database does not take it, until that has lasted too long. */
CHECKED enum status commit_group(struct work *w, struct err *e);
/* Plan the verdicts that a judge's lane has not given: on this sample, or (0) on all. */
CHECKED enum status commit_plan(const struct work *w, const struct lane *l, int64_t sample,
                                struct err *e);
/* Should commit_group() be called now? If not, *wait_ms says when at the latest. */
bool commit_due(const struct work *w, int64_t now_ms, int64_t *wait_ms);

#endif
