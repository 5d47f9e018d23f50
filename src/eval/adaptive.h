/* adaptive.h - battles chosen where they tell most, instead of all of them.
 *
 * A run with a goal (store_pair.h) plans its battles in batches: first random matchings, then pairs
 * that math/pairing.h picks from what has been judged. A batch is planned when every answer is
 * there and every verdict of the batch before has come, so that it follows from the stored verdicts
 * and the seed alone: a killed run goes on with the same battles, and two workers plan the same.
 * Every judge of the run gets every battle that its family allows. */
#ifndef EVAL_ADAPTIVE_H
#define EVAL_ADAPTIVE_H

#include "eval/bouts.h"
#include "store/store_pair.h"

struct adaptive_how {
    struct store *store;
    const struct run_row *run;
    const struct suite *suite;
    struct party_list judges;
    struct pair_goal goal;
    bool own_family; /* judges may judge their own family */
    bool judge_only; /* answers that are missing will not come */
};

/* There is a goal. */
bool adaptive_wanted(const struct pair_goal *goal);

/* Plan what is to be judged next; *n verdicts were added, 0: nothing for now. In a transaction. */
CHECKED enum status adaptive_plan(const struct adaptive_how *how, int64_t *n, struct err *e);

/* How far it has come. */
struct adaptive_state {
    bool chosen;             /* there is a goal, and battles were left out */
    size_t judged, possible; /* battles: of two answers, whoever judged them */
    double rd;               /* the largest deviation, widened, in Elo points */
    double round_robin;      /* battles that one would have needed for it; NaN: too many */
};

CHECKED enum status adaptive_measure(struct arena *scratch, struct store *s, int64_t run,
                                     const struct bouts *b, struct adaptive_state *out,
                                     struct err *e);

#endif
