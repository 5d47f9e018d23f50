/* A budget that all processes of a run share. Each takes a slice of what is left, and another one
 * when that is used up. What a process holds is recorded in its worker's row and ends with it. So
 * what is spent and what is held together never pass the limit, and the database is asked once a
 * slice. */
#include <math.h>

#include "base/clock.h"
#include "eval/work.h"

enum {
    AGAIN_MS = 250,
    AT_ONCE = 4, /* requests that a slice is worth at least, where there is room */
};

/* ---- what is asked for and paid ---- */

bool share_take(struct work *w, const struct task *t)
{
    struct budget *b = &w->budget;

    if (!isnan(b->usd_limit) && b->spent.usd + b->reserved.usd + t->guess.usd > b->usd_limit)
        return false;
    if (b->token_limit && b->spent.tokens + b->reserved.tokens + t->guess.tokens > b->token_limit)
        return false;
    b->reserved.usd += t->guess.usd;
    b->reserved.tokens += t->guess.tokens;
    return true;
}

void share_settle(struct work *w, struct task *t, struct purse used)
{
    struct purse *const counts[] = {&w->budget.spent, &w->unsaved, &t->paid};

    w->budget.reserved.usd -= t->guess.usd;
    w->budget.reserved.tokens -= t->guess.tokens;
    for (size_t i = 0; i < COUNT(counts); i++) {
        counts[i]->usd += used.usd;
        counts[i]->tokens += used.tokens;
    }
}

/* ---- slices ---- */

/* What will have been paid and not be written when this group is committed. */
static struct purse unwritten(const struct work *w)
{
    struct purse p = w->unsaved;

    for (const struct task *t = w->finished.first; t; t = t->next) {
        if (t->more && !t->lane->stage->keep)
            continue;
        p.usd -= t->paid.usd;
        p.tokens -= t->paid.tokens;
    }
    return p;
}

static double slice(double left, double need, int64_t others)
{
    double fair = left / (2 * (double)(others + 1));

    return fmin(left, fmax(fair, need * AT_ONCE));
}

/* Is it enough for the request that waits? */
static bool covers(const struct work *w, double usd, double tokens)
{
    return (isnan(usd) || usd >= w->need.usd) &&
           (!w->o->budget_tokens || tokens >= (double)w->need.tokens);
}

/* Allow so much more than what is spent and in flight. */
static void allow(struct work *w, double usd, int64_t tokens)
{
    struct budget *b = &w->budget;

    b->usd_limit = isnan(w->o->budget_usd) ? NAN : b->spent.usd + b->reserved.usd + usd;
    b->token_limit = w->o->budget_tokens ? b->spent.tokens + b->reserved.tokens + tokens : 0;
    if (w->o->budget_tokens && b->token_limit == 0)
        b->token_limit = 1; /* 0 is no limit */
}

void share_drop(struct work *w)
{
    allow(w, 0, 0);
    w->budget_over = false;
}

/* Take a slice; nothing where there is not enough for the request that waits, since others may give
 * some back. */
static enum status take_slice(struct work *w, struct purse ours, struct err *e)
{
    struct budget *b = &w->budget;
    struct budget_others others = {0};
    struct purse spent = {0};
    double usd, tokens;
    bool enough;

    if (store_budget_look(w->ctx.store, w->ctx.run->id, &spent, &others, e) != OK)
        return e->code;
    usd = w->o->budget_usd - spent.usd - others.held.usd - ours.usd - b->reserved.usd;
    tokens = (double)(w->o->budget_tokens - spent.tokens - others.held.tokens - ours.tokens -
                      b->reserved.tokens);
    enough = covers(w, usd, tokens);
    b->spent = (struct purse){spent.usd + ours.usd, spent.tokens + ours.tokens};
    share_drop(w);
    if (enough)
        allow(w, slice(usd, w->need.usd, others.workers),
              (int64_t)slice(tokens, (double)w->need.tokens, others.workers));
    w->budget_over = !covers(w, usd + others.held.usd, tokens + (double)others.held.tokens);
    w->budget_short = false;
    w->budget_next_ms = enough ? 0 : clock_mono_ms() + AGAIN_MS;
    return OK;
}

enum status share_budget(struct work *w, struct err *e)
{
    const struct budget *b = &w->budget;
    struct purse held;

    if (isnan(w->o->budget_usd) && !w->o->budget_tokens)
        return OK;
    held = unwritten(w);
    if (w->budget_short && take_slice(w, held, e) != OK)
        return e->code;
    if (!isnan(b->usd_limit))
        held.usd += fmax(0, b->usd_limit - b->spent.usd);
    if (b->token_limit && b->token_limit > b->spent.tokens)
        held.tokens += b->token_limit - b->spent.tokens;
    return store_budget_hold(w->ctx.store, w->ctx.run->id, held, e);
}
