/* elicit.h - the stage that obtains answers: single prompts and continuations. */
#ifndef EVAL_ELICIT_H
#define EVAL_ELICIT_H

#include "eval/task.h"

extern const struct stage elicit_stage;

#endif
