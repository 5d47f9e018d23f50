/* store_pair.h - verdicts on pairs of samples: plans them, and reads battles back. */
#ifndef STORE_STORE_PAIR_H
#define STORE_STORE_PAIR_H

#include "reply/reply_pair.h"
#include "store/cursor.h"
#include "store/jury.h"
#include "store/store_work.h"
#include "suite/mark.h"

/* Plans battles of one judge between all answered samples of an item and repeat that it has not
 * been given; *n is their number. If a battle is shown in one order only, that order follows from
 * the run's seed, the item, the names of the models and the repeats. So adding models to a run does
 * not change the order of other battles. */
CHECKED enum status store_plan_pairs(struct store *s, const struct verdict_plan *p, int64_t *n,
                                     struct err *e);

/* Translates what a judge said about the models in the order shown, of which the first is A. Fills
 * in everything but the words themselves. */
void store_pair_verdict(const struct pair_reply *read, const int64_t shown[2],
                        struct verdict_result *r);

/* One battle of one judge, in the orders that the plan says. */
struct bout_plan {
    int64_t a, b; /* samples; that of the earlier model first */
    struct str item, a_name, b_name;
    int64_t repeat;
};
CHECKED enum status store_plan_bout(struct store *s, const struct verdict_plan *p,
                                    const struct bout_plan *bout, int64_t *n, struct err *e);

/* When to stop choosing battles (adaptive.h); both 0: all are planned at once. */
struct pair_goal {
    int64_t budget; /* battles planned */
    double rd;      /* largest deviation, widened */
};
CHECKED enum status store_pair_goal(struct store *s, int64_t run, struct pair_goal *out,
                                    struct err *e);
CHECKED enum status store_pair_goal_set(struct store *s, int64_t run, const struct pair_goal *goal,
                                        struct err *e);

/* An answered sample. */
struct cell_row {
    int64_t sample, model, item, repeat;
    struct str item_name;
};
/* Those of a run, ordered by item, repeat and model. */
struct cursor store_cells(struct store *s, int64_t run, struct err *e);
bool store_cell_next(struct cursor *c, struct cell_row *out);

/* One verdict on a pair. Model a is the one that was added to the run first. */
struct battle_row {
    int64_t id, judge, item, position, repeat, judge_repeat; /* position: of the item */
    const char *judge_name, *item_name;
    int64_t a, b; /* models */
    int64_t sample_a, sample_b;
    const char *a_name, *b_name;
    struct str shown;
    bool a_first; /* a was shown first, as A */
    enum state state;
    const char *choice; /* in the judge's words; NULL: none */
    int64_t winner;     /* model, 0 for a tie; only if state is done */
};

/* Every battle of a run that was judged by this jury (NULL: by any judge), by item, repeat, models,
 * judge and its repeat; the two orders of a battle follow each other. With `silence` also the
 * battles that an empty answer loses without being shown, once for each judge of the jury that
 * judged anything; their id is 0. */
struct cursor store_battles(struct store *s, int64_t run, const struct jury *jury, bool silence,
                            struct err *e);
bool store_battle_next(struct cursor *c, struct battle_row *out);

/* The answers of a run as judges see them. */
struct answer_row {
    int64_t sample;
    struct str answer;
};
struct cursor store_answers(struct store *s, int64_t run, struct err *e);
bool store_answer_next(struct cursor *c, struct answer_row *out);

#endif
