/* rank.h - the stage that turns battles into ratings. Derived: it can be thrown away and computed
 * again, and `verify` does so.
 *
 * Subjects and metrics of the rows, for suites whose instrument is a pair:
 *   model/NAME  score           Bradley-Terry rating with its interval; n battles, clusters = items
 *               group           which group of models that met (from 1; only where there are two)
 *               rank            best place (lo) and worst (hi) that the differences leave open
 *               wins, losses, ties
 *               glicko2         rating, 1.96 RD to each side; glicko2-rd the RD itself
 *               glicko2-order   the same rating; lo and hi hold 95 % of shuffled orders (not
 *                               where the run is one period)
 *               controlled      the rating with the style of answers taken out (control.h)
 *               unscored        battles without a verdict that counts (n: battles planned)
 *               unjudged        battles not judged yet
 *   judge/NAME  first-shown     share of decided verdicts for what was shown first
 *               inconsistent    pairs that turned with the order, and so were ties (both orders)
 *               swap-consistency  share of pairs that did not turn
 *               position-bias   (first both times - second both times) / pairs
 *               position-bias-p exact binomial test of the two counts
 *               length          coefficient of length in this judge's verdicts, in logits
 *               own-family      score of its own family less the expected one (bias.h); NaN where
 *                               there are such models and it was not measured
 *   run/ratings style:FEATURE   coefficient of a property of answers, in logits
 *               battles         judged of those possible (n), where they are chosen (adaptive.h);
 *               largest-rd, round-robin  how well the worst known model is known, and how many
 *                               battles of all against all that would have taken
 *               note:N          what the ratings need said, as the method
 * What counts as a battle is said in bouts.h. */
#ifndef EVAL_RANK_H
#define EVAL_RANK_H

#include "store/store_read.h"
#include "suite/vocab.h"

/* Compute all rows from the store, without writing; none for other instruments. */
CHECKED enum status rank_compute(struct arena *a, struct store *s, const struct run_row *run,
                                 const struct suite *suite, const struct jury *jury,
                                 struct score_list *out, struct err *e);

#endif
