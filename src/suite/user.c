#include "suite/user.h"

#include "base/rng.h"

/* Schedules a cue for this turn or the next free one; what falls after the end is dropped. */
static void put_cue(struct user_cue *plan, size_t n, int64_t at, struct user_cue cue)
{
    size_t i = (size_t)at - 1;

    while (i < n && plan[i].kind != USER_CUE_NONE)
        i++;
    if (i < n)
        plan[i] = cue;
}

static void plan_fact(struct user_cue *plan, size_t n, const struct user_fact *f)
{
    const struct user_cue ask = {USER_CUE_ASK, f->ask, f->id};
    int64_t distance;

    if (f->tell.n)
        put_cue(plan, n, f->at, (struct user_cue){USER_CUE_TELL, f->tell, f->id});
    else
        put_cue(plan, n, f->at, ask);
    for (size_t i = 0; i < f->nagain; i++)
        if (str_int(f->again[i], &distance))
            put_cue(plan, n, f->at + distance, ask);
}

struct user_cue *user_plan(struct arena *a, const struct user *u, uint64_t seed, int64_t number,
                           size_t n)
{
    struct user_cue *plan = NEW_N(a, struct user_cue, n);

    for (size_t i = 0; i < n; i++)
        plan[i] = (struct user_cue){USER_CUE_NONE, STR(""), ""};
    for (size_t i = 0; i < u->nfacts; i++)
        plan_fact(plan, n, &u->facts[i]);
    for (size_t i = 0; i < u->nbrings; i++) {
        const struct user_topic *t = &u->brings[i];
        const int64_t ids[] = {number, (int64_t)i};
        struct rng r = rng_keyed(seed, "user", ids, COUNT(ids));
        int64_t at = t->at;
        if (t->until > t->at)
            at += (int64_t)rng_below(&r, (uint64_t)(t->until - t->at) + 1);
        put_cue(plan, n, at,
                t->say.n ? (struct user_cue){USER_CUE_SAY, t->say, ""}
                         : (struct user_cue){USER_CUE_ABOUT, t->about, ""});
    }
    return plan;
}
