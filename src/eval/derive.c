#include "eval/derive.h"

#include "eval/flag.h"
#include "eval/score.h"
#include "eval/suite.h"

static enum status refresh(struct arena *a, struct store *s, const struct run_row *run,
                           struct err *e)
{
    struct suite suite;
    struct score_list scores;

    /* First, because this holds the run's row: two processes do not score at the same time. */
    if (store_run_stale(s, run->id, false, e) != OK ||
        suite_thaw(a, run->frozen, &suite, e) != OK || flag_refresh(s, run, &suite, e) != OK ||
        score_compute(a, s, run, &suite, &scores, e) != OK)
        return e->code;
    return store_score_replace(s, run->id, &scores, e);
}

enum status derive_refresh(struct store *s, struct run_row *run, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();

    if (!run->stale)
        return OK;
    if (store_begin(s, e) != OK)
        return e->code;
    if (refresh(a, s, run, e) != OK || store_commit(s, e) != OK) {
        store_rollback(s);
        return err_wrap(e, "scoring run %s", run->name);
    }
    run->stale = false;
    return OK;
}
