#include "store/store_flag.h"

#include "base/clock.h"
#include "gen/queries.h"

/* ---- flags ---- */

struct flag_walk {
    flag_fn *fn;
    void *user;
};

static enum status flag_step(void *user, const struct rows *r, struct err *e)
{
    static const struct columns columns = COLUMNS_FLAG_FACT(struct flag_fact);
    const struct flag_walk *w = user;
    struct flag_fact f;

    row_into(NULL, r, &columns, &f);
    return vocab_rule_find(row_str(r, C_FLAG_FACT_KIND).p, &f.kind) ? w->fn(w->user, &f, e) : OK;
}

enum status store_flag_each(struct store *s, int64_t run, flag_fn *fn, void *user, struct err *e)
{
    struct flag_walk w = {fn, user};

    return db_each(s->db, Q_FLAG_EACH, ARGS(V_INT(run)), flag_step, &w, e);
}

enum status store_flag_unlogged(struct store *s, int64_t run, flag_fn *fn, void *user,
                                struct err *e)
{
    struct flag_walk w = {fn, user};

    return db_each(s->db, Q_FLAG_UNLOGGED, ARGS(V_INT(run)), flag_step, &w, e);
}

struct left_out {
    const struct rules *rules;
    struct map *out;
};

static enum status leave_out(void *user, const struct flag_fact *f, struct err *e)
{
    const struct left_out *l = user;
    const struct rule *rule = &l->rules->of[f->kind];

    (void)e;
    if (!f->overruled && rule->on && rule->effect == EFFECT_LEAVE_OUT)
        (void)map_put(l->out, map_id(&f->sample), l->out);
    return OK;
}

enum status store_flag_left_out(struct arena *a, struct store *s, int64_t run,
                                const struct rules *rules, struct map *out, struct err *e)
{
    struct left_out l = {rules, out};

    map_init(out, a);
    return store_flag_each(s, run, leave_out, &l, e);
}

/* ---- what judges said ---- */

static const struct columns about_columns = COLUMNS_ABOUT(struct about_fact);

enum status store_about_list(struct arena *a, struct store *s, int64_t run, struct about_facts *out,
                             struct err *e)
{
    return db_list(s->db, Q_ABOUT_EACH, ARGS(V_INT(run)), ROWS_INTO(a, out, &about_columns), e);
}

/* ---- people ---- */

static enum status keep_wanted(void *user, const struct flag_fact *f, struct err *e)
{
    struct flag_fact *wanted = user;

    (void)e;
    if (f->id == wanted->id)
        *wanted = *f;
    return OK;
}

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
    struct flag_fact flag = {.id = act->flag};

    if (store_flag_each(s, run, keep_wanted, &flag, e) != OK)
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
                  ARGS(V_INT(run), V_INT(flag.sample), V_TEXT(vocab_rule_name(flag.kind)),
                       V_TEXT(act->restore ? "restore" : "overrule"), V_TEXT(act->who),
                       V_TEXT(act->why), V_INT(now)),
                  NULL, e);
}

static const struct columns flag_log_columns = COLUMNS_FLAG_LOG(struct flag_log_row);

enum status store_flag_log(struct arena *a, struct store *s, int64_t run, struct flag_log *out,
                           struct err *e)
{
    return db_list(s->db, Q_FLAG_LOG_LIST, ARGS(V_INT(run)), ROWS_INTO(a, out, &flag_log_columns),
                   e);
}

/* ---- searches ---- */

enum status store_look_get(struct arena *a, struct store *s, int64_t run, struct look *out,
                           struct err *e)
{
    static const struct columns columns = COLUMNS_LOOK(struct look);
    bool found;

    *out = (struct look){.key = "", .note = ""};
    return db_row(s->db, Q_LOOK_GET, ARGS(V_INT(run)), a, &columns, out, &found, e);
}

enum status store_look_put(struct store *s, int64_t run, const struct look *l, struct err *e)
{
    return db_run(
        s->db, Q_LOOK_PUT,
        ARGS(V_INT(run), V_TEXT(l->key), V_INT(l->lines), V_INT(l->skipped), V_TEXT(l->note)), NULL,
        e);
}

enum status store_answers(struct store *s, int64_t run, int64_t *n, int64_t *last_ms, struct err *e)
{
    return db_two_ints(s->db, Q_ANSWERS, ARGS(V_INT(run)), n, last_ms, e);
}
