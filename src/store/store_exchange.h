/* store_exchange.h - rows for export, import and verify.
 *
 * Callbacks get rows one by one in constant memory. What they get is valid until they return, and
 * they must not use the store. */
#ifndef STORE_STORE_EXCHANGE_H
#define STORE_STORE_EXCHANGE_H

#include "store/store_read.h"
#include "suite/mark.h"

/* A verdict together with its marks. */
struct judgement {
    int64_t id, sample;
    const char *judge, *model, *item;
    int64_t repeat, judge_repeat;
    enum state state, sample_state;
    struct str reply, reason;
    double overall;
    int64_t repairs;
    const char *fault, *why;
    struct mark_list marks; /* ordered by dimension */
    /* of a pair: models by name, a tie has only `choice`. NULL or empty: not a pair, or no choice
     * was made */
    const char *other, *shown, *choice, *winner;
    struct str item_body;
    struct str answer; /* the answer judged */
};

typedef enum status judgement_fn(void *user, const struct judgement *j, struct err *e);

/* Every verdict of a run, ordered by their ids. */
CHECKED enum status store_judgement_each(struct store *s, int64_t run, judgement_fn *fn, void *user,
                                         struct err *e);

/* The key of a row. */
struct row_key {
    int64_t run;
    int64_t who;       /* model or judge */
    int64_t about;     /* item or sample */
    int64_t other;     /* of a pair: the second sample; 0: none */
    const char *shown; /* of a verdict: "ab" or "ba" for a pair, else "" */
    int64_t repeat;
};

/* The row of a sample or a verdict with this key, in any state; id 0: there is none. */
struct found_row {
    int64_t id;
    enum state state;
    struct str text; /* the answer, or the judge's reply */
};
CHECKED enum status store_sample_find(struct arena *a, struct store *s, int64_t model, int64_t item,
                                      int64_t repeat, struct found_row *out, struct err *e);
CHECKED enum status store_verdict_find(struct arena *a, struct store *s, const struct row_key *key,
                                       struct found_row *out, struct err *e);

/* Leases the row with this key, and creates it if necessary, so that store_sample_end() or
 * store_verdict_end() can write it. *taken is false if it has a result or another worker holds
 * it. */
CHECKED enum status store_take(struct store *s, enum party_kind kind, const struct row_key *key,
                               int64_t *id, bool *taken, struct err *e);

#endif
