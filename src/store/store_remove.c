#include "store/store_remove.h"

#include "base/clock.h"
#include "gen/queries.h"

/* Ordered so that nothing refers to deleted rows. */
static const int steps[] = {
    Q_REMOVE_HOLD,           Q_WORD_SAMPLES_DROP,    Q_WORD_VERDICTS_DROP,  Q_REMOVE_WORDS,
    Q_REMOVE_LEND_SAMPLES,   Q_REMOVE_LEND_VERDICTS, Q_REMOVE_LEND_TURNS,   Q_REMOVE_SAMPLE_LEASES,
    Q_REMOVE_VERDICT_LEASES, Q_REMOVE_MARKS,         Q_REMOVE_VERDICTS,     Q_REMOVE_FLAG_LOG,
    Q_REMOVE_FLAGS,          Q_REMOVE_LOOKS,         Q_REMOVE_CLASSES,      Q_REMOVE_TURNS,
    Q_REMOVE_ASKING,         Q_REMOVE_VALUES,        Q_REMOVE_TRIALS,       Q_REMOVE_AUDITS,
    Q_REMOVE_SAMPLES,        Q_REMOVE_CALLS,         Q_REMOVE_DICTIONARIES, Q_REMOVE_ITEMS,
    Q_REMOVE_MODELS,         Q_REMOVE_SEATS,         Q_REMOVE_JUDGES,       Q_REMOVE_EXAMINERS,
    Q_REMOVE_SCORES,         Q_REMOVE_SEALS,         Q_REMOVE_MEMBERSHIPS,  Q_REMOVE_RUN,
};

static enum status refuse_used(struct arena *a, struct store *s, const struct run_row *run,
                               struct err *e)
{
    const char *names = "";
    struct rows *r = db_query(s->db, Q_REMOVE_CAMPAIGNS, ARGS(V_INT(run->id)), e);

    while (rows_next(r))
        names = arena_printf(a, "%s%s%s", names, *names ? ", " : "",
                             row_copy(a, r, C_REMOVE_CAMPAIGN_NAME).p);
    if (rows_end(r, e) != OK)
        return e->code;
    return *names ? err_set(e, E_USAGE, "run %s is used by a campaign: %s", run->name, names) : OK;
}

enum status store_remove_idle(struct store *s, const struct run_row *run, struct err *e)
{
    int64_t busy;

    if (db_int(s->db, Q_REMOVE_BUSY, ARGS(V_INT(run->id), V_INT(clock_utc_ms() - s->lost_ms)),
               &busy, NULL, e) != OK)
        return e->code;
    return busy ? err_set(e, E_USAGE, "run %s is being worked on; stop it first: audition pause %s",
                          run->name, run->name)
                : OK;
}

enum status store_remove_run(struct arena *a, struct store *s, const struct run_row *run,
                             struct err *e)
{
    if (refuse_used(a, s, run, e) != OK || store_remove_idle(s, run, e) != OK)
        return e->code;
    for (size_t i = 0; i < COUNT(steps); i++)
        if (db_run(s->db, steps[i], ARGS(V_INT(run->id)), NULL, e) != OK)
            return e->code;
    return OK;
}
