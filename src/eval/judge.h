/* judge.h - the stage that has answers judged, on dimensions or in pairs, by a model or a recorded
 * judge.
 *
 * A judge sees the character, the question, the reference where there is one, and the answer (or
 * both answers), each fenced by a word that the answers cannot contain because it is a hash of
 * them; never who wrote them. A reply that breaks the rules is sent back once, with the fault
 * named; then the verdict is stored as unscored, with its reason. */
#ifndef EVAL_JUDGE_H
#define EVAL_JUDGE_H

#include "eval/task.h"

extern const struct stage judge_stage;

#endif
