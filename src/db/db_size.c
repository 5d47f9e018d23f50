#include "db/db_driver.h"
#include "gen/queries.h"

static void read_size(struct arena *a, const struct rows *r, void *element)
{
    *(struct db_size *)element =
        (struct db_size){.name = row_text_copy(a, r, 0), .bytes = row_int(r, 1)};
}

static enum status count_rows(struct db *db, struct arena *a, struct db_size *t, struct err *e)
{
    AUTO(rows_freep) struct rows *r = NULL;

    /* The names are those of our own migrations: none holds a quote. */
    if (rows_new(db, arena_printf(a, "SELECT COUNT(*) FROM \"%s\"", t->name), &r, e) != OK)
        return e->code;
    return rows_int(r, NO_ARGS, &t->rows, NULL, e);
}

enum status db_table_sizes(struct db *db, struct arena *a, struct db_sizes *out, struct err *e)
{
    AUTO(rows_freep) struct rows *r = NULL;

    if (rows_new(db, db->driver->sizes, &r, e) != OK ||
        rows_list(r, NO_ARGS, INTO(a, out, read_size), e) != OK)
        return e->code;
    for (size_t i = 0; i < out->n; i++)
        if (count_rows(db, a, &out->v[i], e) != OK)
            return e->code;
    return OK;
}

enum status db_run_sizes(struct db *db, struct arena *a, int64_t most, struct db_sizes *out,
                         struct err *e)
{
    return db_list(db, Q_DB_RUN_SIZES, ARGS(V_INT(most)),
                   ROWS_INTO(a, out, COLUMNS_DB_RUN_SIZE(struct db_size)), e);
}

enum status db_space(struct db *db, int64_t *bytes, int64_t *unused, struct err *e)
{
    AUTO(rows_freep) struct rows *r = NULL;

    if (rows_new(db, db->driver->space, &r, e) != OK || rows_open(r, NO_ARGS, e) != OK)
        return e->code;
    *bytes = *unused = 0;
    if (rows_next(r)) {
        *bytes = row_int(r, 0);
        *unused = row_int(r, 1);
    }
    return rows_end(r, e);
}

enum status db_vacuum(struct db *db, struct err *e)
{
    return db_script(db, db->driver->vacuum, e);
}

enum status db_drain(struct db *db, struct err *e)
{
    return db_script(db, db->driver->drain, e);
}
