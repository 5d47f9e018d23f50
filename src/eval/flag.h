/* flag.h - the stage that looks for facts about samples: today, duplicates of earlier repeats.
 *
 * Flags are facts, not opinions: the scoring decides what they do, and a person can overrule one,
 * which survives looking again. */
#ifndef EVAL_FLAG_H
#define EVAL_FLAG_H

#include "eval/store.h"

/* Look at every done sample of the run and bring its flags up to date, in one transaction of the
 * caller's. */
CHECKED enum status flag_refresh(struct store *s, const struct run_row *run,
                                 const struct suite *suite, struct err *e);

#endif
