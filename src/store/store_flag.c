#include "store/store_flag.h"

#include "base/clock.h"
#include "gen/queries.h"

/* ---- flags ---- */

struct cursor store_flags(struct store *s, int64_t run, struct err *e)
{
    return cursor_open(s, Q_FLAG_EACH, ARGS(V_INT(run)), e);
}

struct cursor store_flags_unlogged(struct store *s, int64_t run, struct err *e)
{
    return cursor_open(s, Q_FLAG_UNLOGGED, ARGS(V_INT(run)), e);
}

bool store_flag_next(struct cursor *c, struct flag_fact *out)
{
    while (cursor_next(c, COLUMNS_FLAG_FACT(struct flag_fact), out))
        if (suite_rule_find(row_str(c->rows, C_FLAG_FACT_KIND).p, &out->kind))
            return true;
    return false;
}

enum status store_flag_left_out(struct arena *a, struct store *s, int64_t run,
                                const struct rules *rules, struct map *out, struct err *e)
{
    struct cursor c = store_flags(s, run, e);
    struct flag_fact f;

    map_init(out, a);
    while (store_flag_next(&c, &f)) {
        const struct rule *rule = &rules->of[f.kind];
        if (!f.overruled && rule->on && rule->effect == EFFECT_LEAVE_OUT)
            (void)map_put(out, map_id(&f.sample), out);
    }
    return cursor_end(&c);
}

/* ---- what judges said ---- */

enum status store_about_list(struct arena *a, struct store *s, int64_t run, struct about_facts *out,
                             struct err *e)
{
    return db_list(s->db, Q_ABOUT_EACH, ARGS(V_INT(run)),
                   ROWS_INTO(a, out, COLUMNS_ABOUT(struct about_fact)), e);
}

/* ---- people ---- */

static enum status set_state(struct store *s, const struct flag_act *act, int64_t now,
                             struct err *e)
{
    if (act->restore)
        return db_run(s->db, Q_FLAG_RESTORE, ARGS(V_INT(act->flag)), NULL, e);
    return db_run(s->db, Q_FLAG_OVERRULE,
                  ARGS(V_INT(act->flag), V_TEXT(act->who), V_TEXT(act->why), V_INT(now)), NULL, e);
}

enum status store_flag_act(struct store *s, int64_t run, const struct flag_act *act, struct err *e)
{
    int64_t now = clock_utc_ms();
    struct cursor c = store_flags(s, run, e);
    struct flag_fact flag = {0}, f;

    while (store_flag_next(&c, &f))
        if (f.id == act->flag)
            flag = f;
    if (cursor_end(&c) != OK)
        return e->code;
    if (!flag.sample)
        return err_set(e, E_ABSENT, "the run has no flag %lld", (long long)act->flag);
    if (flag.overruled != act->restore)
        return err_set(e, E_USAGE,
                       flag.overruled ? "flag %lld is already overruled"
                                      : "flag %lld is already in force",
                       (long long)act->flag);
    if (set_state(s, act, now, e) != OK)
        return e->code;
    return db_run(s->db, Q_FLAG_LOG_ADD,
                  ARGS(V_INT(run), V_INT(flag.sample), V_TEXT(suite_rule_name(flag.kind)),
                       V_TEXT(act->restore ? "restore" : "overrule"), V_TEXT(act->who),
                       V_TEXT(act->why), V_INT(now)),
                  NULL, e);
}

enum status store_flag_log(struct arena *a, struct store *s, int64_t run, struct flag_log *out,
                           struct err *e)
{
    return db_list(s->db, Q_FLAG_LOG_LIST, ARGS(V_INT(run)),
                   ROWS_INTO(a, out, COLUMNS_FLAG_LOG(struct flag_log_row)), e);
}

/* ---- searches ---- */

enum status store_look_get(struct arena *a, struct store *s, int64_t run, struct look *out,
                           struct err *e)
{
    *out = (struct look){.key = "", .note = ""};
    return db_row(s->db, Q_LOOK_GET, ARGS(V_INT(run)), a, COLUMNS_LOOK(struct look), out, NULL, e);
}

enum status store_look_put(struct store *s, int64_t run, const struct look *l, struct err *e)
{
    return db_run(
        s->db, Q_LOOK_PUT,
        ARGS(V_INT(run), V_TEXT(l->key), V_INT(l->lines), V_INT(l->skipped), V_TEXT(l->note)), NULL,
        e);
}

enum status store_answer_count(struct store *s, int64_t run, int64_t *n, int64_t *last_ms,
                               struct err *e)
{
    return db_two_ints(s->db, Q_ANSWERS, ARGS(V_INT(run)), n, last_ms, e);
}
