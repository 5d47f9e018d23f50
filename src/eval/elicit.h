/* elicit.h - the stages that obtain answers: single prompts and continuations; conversations. */
#ifndef EVAL_ELICIT_H
#define EVAL_ELICIT_H

#include "eval/task.h"

extern const struct stage elicit_stage, elicit_talk_stage;

#endif
