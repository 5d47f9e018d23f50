/* derive.h - everything that follows from the verdicts, brought up to date.
 *
 * Runs the stages that ask nobody, in their order: flags, then scores. */
#ifndef EVAL_DERIVE_H
#define EVAL_DERIVE_H

#include "eval/store.h"

/* When the run is stale: look for flags, compute the scores, store both in one transaction. */
CHECKED enum status derive_refresh(struct store *s, struct run_row *run, struct err *e);

#endif
