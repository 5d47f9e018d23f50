/* budget.h - money and tokens as a hard limit: reserve before asking, settle after.
 *
 * What is in flight is counted at its guessed size, so that requests side by side cannot pass the
 * limit together. Pure. */
#ifndef EVAL_BUDGET_H
#define EVAL_BUDGET_H

#include "base/base.h"

struct budget {
    double usd_limit;    /* NaN: none */
    int64_t token_limit; /* 0: none */
    double usd_spent, usd_reserved;
    int64_t tokens_spent, tokens_reserved;
};

/* Reserve; false when it would pass a limit. */
bool budget_take(struct budget *b, double usd, int64_t tokens);
/* A reservation has ended: what it was, and what was really used. */
void budget_settle(struct budget *b, double reserved_usd, int64_t reserved_tokens, double usd,
                   int64_t tokens);

#endif
