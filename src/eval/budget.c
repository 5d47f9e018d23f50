#include "eval/budget.h"

#include <math.h>

bool budget_take(struct budget *b, double usd, int64_t tokens)
{
    if (!isnan(b->usd_limit) && b->usd_spent + b->usd_reserved + usd > b->usd_limit)
        return false;
    if (b->token_limit && b->tokens_spent + b->tokens_reserved + tokens > b->token_limit)
        return false;
    b->usd_reserved += usd;
    b->tokens_reserved += tokens;
    return true;
}

void budget_settle(struct budget *b, double reserved_usd, int64_t reserved_tokens, double usd,
                   int64_t tokens)
{
    b->usd_reserved -= reserved_usd;
    b->tokens_reserved -= reserved_tokens;
    b->usd_spent += usd;
    b->tokens_spent += tokens;
}
