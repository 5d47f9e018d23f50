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

struct cursor store_items(struct store *s, int64_t run, struct err *e)
{
    return cursor_open(s, Q_ITEM_EACH, ARGS(V_INT(run)), e);
}

bool store_item_next(struct cursor *c, struct item_fact *out)
{
    return cursor_next(c, COLUMNS_ITEM(struct item_fact), out);
}

enum status store_item_names(struct arena *a, struct store *s, int64_t run, struct item_names *out,
                             struct err *e)
{
    return db_list(s->db, Q_ITEM_NAMES, ARGS(V_INT(run)),
                   ROWS_INTO(a, out, COLUMNS_ITEM_NAME(struct item_name)), e);
}
