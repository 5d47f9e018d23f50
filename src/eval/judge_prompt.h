/* judge_prompt.h - what a judge is told: the values of a judge template's slots. Pure. */
#ifndef EVAL_JUDGE_PROMPT_H
#define EVAL_JUDGE_PROMPT_H

#include "suite/prompt.h"
#include "suite/vocab.h"

struct judge_case {
    const struct suite *suite;
    const struct item *item;
    const struct instrument *instrument; /* what is asked: about.h; NULL: the suite's own */
    struct str answer;
    struct str other;  /* of a pair: the answer shown second, as B; `answer` is A */
    struct str before; /* of a stretch of a conversation: what was said just before it */
    struct str probes; /* of an interview: what became of facts that were asked for twice */
};

enum { JUDGE_FENCE = 17 };

/* 16 hexadecimal digits, the same for the same case, that stand nowhere in the answer: they are a
 * hash of it. */
void judge_fence(const struct judge_case *c, char out[JUDGE_FENCE]);

/* Every slot that a judge template may name. */
struct prompt_vars judge_vars(struct arena *a, const struct judge_case *c);

/* The JSON that a judge is asked for, with what is allowed where a score goes; whole: with a reason
 * and an overall at its end. */
const char *judge_format(struct arena *a, const struct instrument *in, bool whole);

#endif
