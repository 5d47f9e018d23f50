#include "store/store_collection.h"

#include "base/clock.h"
#include "gen/queries.h"

enum status store_collection_put(struct store *s, struct collection_row *row, struct err *e)
{
    bool found;

    return db_int(s->db, Q_COLLECTION_PUT,
                  ARGS(V_TEXT(row->name), V_STR(row->body), V_INT(clock_utc_ms())), &row->id,
                  &found, e);
}

enum status store_collection_get(struct arena *a, struct store *s, const char *name,
                                 struct collection_row *out, bool *found, struct err *e)
{
    struct rows *r;

    if (db_query(s->db, Q_COLLECTION_GET, ARGS(V_TEXT(name)), &r, e) != OK)
        return e->code;
    *found = rows_next(r);
    if (*found)
        *out = (struct collection_row){row_int(r, C_COLLECTION_ID),
                                       row_copy(a, r, C_COLLECTION_NAME).p,
                                       row_copy(a, r, C_COLLECTION_BODY)};
    return rows_end(r, e);
}

enum status store_collection_add(struct store *s, int64_t collection, int64_t run, struct err *e)
{
    return db_run(s->db, Q_COLLECTION_ADD, ARGS(V_INT(collection), V_INT(run)), NULL, e);
}

static void read_run(struct arena *a, const struct rows *r, void *out)
{
    *(struct collection_run *)out = (struct collection_run){
        row_int(r, C_COLLECTION_RUN_ID), row_copy(a, r, C_COLLECTION_RUN_SUITE).p};
}

enum status store_collection_runs(struct arena *a, struct store *s, int64_t collection,
                                  struct collection_run_list *out, struct err *e)
{
    return db_list(s->db, Q_COLLECTION_RUNS, ARGS(V_INT(collection)), INTO(a, out, read_run), e);
}
