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
    const struct flag_walk *w = user;
    struct flag_fact f = {.id = row_int(r, C_FLAG_FACT_ID),
                          .sample = row_int(r, C_FLAG_FACT_SAMPLE),
                          .model = row_int(r, C_FLAG_FACT_MODEL),
                          .overruled = row_int(r, C_FLAG_FACT_OVERRULED) != 0};

    return vocab_rule_find(row_str(r, C_FLAG_FACT_KIND).p, &f.kind) ? w->fn(w->user, &f, e) : OK;
}

enum status store_flag_each(struct store *s, int64_t run, flag_fn *fn, void *user, struct err *e)
{
    struct flag_walk w = {fn, user};

    return db_each(s->db, Q_FLAG_EACH, ARGS(V_INT(run)), flag_step, &w, e);
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

struct about_walk {
    about_fn *fn;
    void *user;
};

static enum status about_step(void *user, const struct rows *r, struct err *e)
{
    const struct about_walk *w = user;
    struct about_fact f = {.sample = row_int(r, C_ABOUT_SAMPLE),
                           .about = row_text(r, C_ABOUT_SHOWN),
                           .judge = row_text(r, C_ABOUT_JUDGE_NAME),
                           .dimension = row_text(r, C_ABOUT_DIMENSION),
                           .value = row_real(r, C_ABOUT_VALUE),
                           .analysis = row_str(r, C_ABOUT_ANALYSIS),
                           .evidence = row_str(r, C_ABOUT_EVIDENCE)};

    return w->fn(w->user, &f, e);
}

enum status store_about_each(struct store *s, int64_t run, about_fn *fn, void *user, struct err *e)
{
    struct about_walk w = {fn, user};

    return db_each(s->db, Q_ABOUT_EACH, ARGS(V_INT(run)), about_step, &w, e);
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

static void read_flag_log(struct arena *a, const struct rows *r, void *out)
{
    *(struct flag_log_row *)out = (struct flag_log_row){
        .id = row_int(r, C_FLAG_LOG_ID),
        .sample = row_int(r, C_FLAG_LOG_SAMPLE),
        .repeat = row_int(r, C_FLAG_LOG_REPEAT),
        .at_ms = row_int(r, C_FLAG_LOG_AT_MS),
        .kind = row_copy(a, r, C_FLAG_LOG_KIND).p,
        .model_name = row_copy(a, r, C_FLAG_LOG_MODEL_NAME).p,
        .item_name = row_copy(a, r, C_FLAG_LOG_ITEM_NAME).p,
        .act = row_copy(a, r, C_FLAG_LOG_ACT).p,
        .who = row_copy(a, r, C_FLAG_LOG_WHO).p,
        .why = row_copy(a, r, C_FLAG_LOG_WHY).p,
    };
}

enum status store_flag_log(struct arena *a, struct store *s, int64_t run, struct flag_log *out,
                           struct err *e)
{
    return db_list(s->db, Q_FLAG_LOG_LIST, ARGS(V_INT(run)), INTO(a, out, read_flag_log), e);
}

/* ---- searches ---- */

enum status store_look_get(struct arena *a, struct store *s, int64_t run, struct look *out,
                           struct err *e)
{
    struct look l = {.key = "", .note = ""};
    struct rows *r;

    if (db_query(s->db, Q_LOOK_GET, ARGS(V_INT(run)), &r, e) != OK)
        return e->code;
    if (rows_next(r))
        l = (struct look){row_copy(a, r, C_LOOK_KEY).p, row_int(r, C_LOOK_LINES),
                          row_int(r, C_LOOK_SKIPPED), row_copy(a, r, C_LOOK_NOTE).p};
    if (rows_end(r, e) != OK)
        return e->code;
    *out = l;
    return OK;
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
    struct rows *r;
    int64_t got[2] = {0};

    if (db_query(s->db, Q_ANSWERS, ARGS(V_INT(run)), &r, e) != OK)
        return e->code;
    if (rows_next(r)) {
        got[0] = row_int(r, C_ANSWERS_N);
        got[1] = row_int(r, C_ANSWERS_LAST_MS);
    }
    if (rows_end(r, e) != OK)
        return e->code;
    *n = got[0];
    *last_ms = got[1];
    return OK;
}
