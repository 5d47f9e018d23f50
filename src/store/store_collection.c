#include "store/store_collection.h"

#include "base/clock.h"
#include "gen/queries.h"

enum status store_collection_put(struct store *s, struct collection_row *row, struct err *e)
{
    return db_int(s->db, Q_COLLECTION_PUT,
                  ARGS(V_TEXT(row->name), V_STR(row->body), V_INT(clock_utc_ms())), &row->id, NULL,
                  e);
}

enum status store_collection_get(struct arena *a, struct store *s, const char *name,
                                 struct collection_row *out, bool *found, struct err *e)
{
    return db_row(s->db, Q_COLLECTION_GET, ARGS(V_TEXT(name)), a,
                  COLUMNS_COLLECTION(struct collection_row), out, found, e);
}

enum status store_collection_add(struct store *s, int64_t collection, int64_t run, struct err *e)
{
    return db_run(s->db, Q_COLLECTION_ADD, ARGS(V_INT(collection), V_INT(run)), NULL, e);
}

enum status store_collection_runs(struct arena *a, struct store *s, int64_t collection,
                                  struct collection_run_list *out, struct err *e)
{
    return db_list(s->db, Q_COLLECTION_RUNS, ARGS(V_INT(collection)),
                   ROWS_INTO(a, out, COLUMNS_COLLECTION_RUN(struct collection_run)), e);
}
