/* survival.h - how long models stay in their role: a figure from the timelines of their sittings.
 *
 * Subjects and metrics of the rows, for suites of conversations:
 *
 *   model/NAME  unbroken      answers before the first sign, a mean over sittings
 *               never-broken  sittings without a sign (n: sittings)
 *               alive:T       of dialogues: the share that is unbroken after turn T (n: there)
 *               recall:D      of dialogues: the share of facts that are known D turns after they
 *                             were told (n: questions)
 *
 * A sitting without a sign counts with all of its answers: it might have gone on, so that
 * `unbroken` is restricted to the length of a sitting. Users of dialogues may leave before: there
 * it is the mean by Kaplan and Meier, restricted to as many turns as were seen of every model: what
 * nobody has seen is not guessed.
 *
 * Derived: it can be thrown away and computed again, and `verify` does so. */
#ifndef TALK_SURVIVAL_H
#define TALK_SURVIVAL_H

#include "store/store_read.h"
#include "suite/vocab.h"

/* Compute all rows from the store, without writing; none for other suites. */
CHECKED enum status survival_compute(struct arena *a, struct store *s, const struct run_row *run,
                                     const struct suite *suite, struct score_list *out,
                                     struct err *e);

#endif
