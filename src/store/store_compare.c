#include "store/store_compare.h"

#include "gen/queries.h"

enum status store_baseline_declare(struct store *s, const struct run_row *run, struct err *e)
{
    return db_run(s->db, Q_BASELINE_DECLARE, ARGS(V_INT(run->id), V_TEXT(run->suite)), NULL, e);
}

enum status store_baseline_get(struct arena *a, struct store *s, const char *suite,
                               struct run_row *out, struct err *e)
{
    int64_t id = 0;
    bool found;

    if (db_int(s->db, Q_BASELINE_FIND, ARGS(V_TEXT(suite)), &id, &found, e) != OK)
        return e->code;
    if (!found)
        return err_set(e, E_ABSENT,
                       "suite '%s' has no declared baseline; declare one with `audition compare "
                       "--declare RUN`, or name one after RUN",
                       suite);
    return store_run_by_id(a, s, id, out, e);
}

struct item_walk {
    item_fn *fn;
    void *user;
};

static enum status item_step(void *user, const struct rows *r, struct err *e)
{
    const struct item_walk *w = user;
    const struct item_fact f = {row_int(r, C_ITEM_ID), row_str(r, C_ITEM_NAME).p,
                                row_str(r, C_ITEM_BODY)};

    return w->fn(w->user, &f, e);
}

enum status store_item_each(struct store *s, int64_t run, item_fn *fn, void *user, struct err *e)
{
    struct item_walk w = {fn, user};

    return db_each(s->db, Q_ITEM_EACH, ARGS(V_INT(run)), item_step, &w, e);
}
