/* derive.h - everything that follows from the verdicts, brought up to date.
 *
 * Runs the stages that ask nobody, in their order: flags, then scores and ratings. */
#ifndef EVAL_DERIVE_H
#define EVAL_DERIVE_H

#include "store/facts.h"
#include "store/store_flag.h"
#include "suite/training.h"
#include "suite/vocab.h"

/* If the run is stale, look for flags, compute the scores, and store both in one transaction. The
 * run stays stale if answers came while training lines were searched. */
CHECKED enum status derive_refresh(struct store *s, struct run_row *run, struct err *e);
/* The same, reporting to `watch` while training lines are searched. E_STOP: the watcher ended the
 * search; nothing was written, and the run is as stale as before. */
CHECKED enum status derive_refresh_watched(struct store *s, struct run_row *run,
                                           const struct training_watch *watch, struct err *e);
/* All derived rows of one jury, computed from the store without writing. */
CHECKED enum status derive_compute(struct arena *a, struct store *s, const struct run_row *run,
                                   const struct suite *suite, const struct facts *facts,
                                   const struct jury *jury, struct score_list *out, struct err *e);

/* Record that a person overrules a flag of the run or lets it stand again, with its line in the
 * log, in one transaction; then score the run as above. */
CHECKED enum status derive_overrule(struct store *s, struct run_row *run,
                                    const struct flag_act *act, struct err *e);

#endif
