#include "store/store_trick.h"

#include "gen/queries.h"

enum status store_trick_put(struct store *s, int64_t run, const char *judge,
                            const struct trick_row *row, struct err *e)
{
    return db_run(s->db, Q_TRICK_PUT,
                  ARGS(V_INT(run), V_TEXT(judge), V_TEXT(row->probe), V_INT(row->n),
                       V_INT(row->fell), V_INT(row->at_ms)),
                  NULL, e);
}

static void read_row(struct arena *a, const struct rows *r, void *out)
{
    *(struct trick_row *)out = (struct trick_row){
        .probe = row_copy(a, r, C_TRICK_PROBE).p,
        .run = row_copy(a, r, C_TRICK_RUN_NAME).p,
        .n = row_int(r, C_TRICK_N),
        .fell = row_int(r, C_TRICK_FELL),
        .at_ms = row_int(r, C_TRICK_AT_MS),
    };
}

enum status store_trick_list(struct arena *a, struct store *s, const char *judge, int64_t run,
                             struct trick_list *out, struct err *e)
{
    struct row_list l = ROW_LIST(a, struct trick_row, read_row);

    if (db_list(s->db, Q_TRICK_LIST, ARGS(V_TEXT(judge), V_INT(run)), &l, e) != OK)
        return e->code;
    *out = (struct trick_list){l.v, l.n};
    return OK;
}
