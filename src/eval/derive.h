/* derive.h - everything that follows from the verdicts, brought up to date.
 *
 * Runs the stages that ask nobody, in their order: flags, then scores and ratings. */
#ifndef EVAL_DERIVE_H
#define EVAL_DERIVE_H

#include "store/facts.h"
#include "store/store_flag.h"
#include "suite/training.h"
#include "suite/vocab.h"

/* When the run is stale: look for flags, compute the scores, store both in one transaction. The run
 * stays stale when answers have come while training lines were searched. */
CHECKED enum status derive_refresh(struct store *s, struct run_row *run, struct err *e);
/* The same, with somebody who looks on while training lines are searched. E_STOP: the search was
 * ended; nothing was written, and the run is as stale as before. */
CHECKED enum status derive_refresh_watched(struct store *s, struct run_row *run,
                                           const struct training_watch *watch, struct err *e);
/* All derived rows of one jury, computed from the store without writing. */
CHECKED enum status derive_compute(struct arena *a, struct store *s, const struct run_row *run,
                                   const struct suite *suite, const struct facts *facts,
                                   const struct jury *jury, struct score_list *out, struct err *e);

/* A person overrules a flag of the run, or lets it stand again: done and logged in one transaction,
 * then scored as above. */
CHECKED enum status derive_overrule(struct store *s, struct run_row *run,
                                    const struct flag_act *act, struct err *e);

#endif
