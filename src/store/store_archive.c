#include "store/store_archive.h"

#include "gen/queries.h"

/* The calls that the run used come along as its own, whichever run made them. */
#define CALLS                                                                                      \
    "run = $1 OR id IN (SELECT call FROM sample WHERE run = $1 UNION SELECT call FROM verdict "    \
    "WHERE run = $1 UNION SELECT t.call FROM turn t JOIN sample s ON s.id = t.sample WHERE s.run " \
    "= $1)"

/* Ordered so that rows only refer to rows that are there already. A run that came in a file is not
 * queued any more: workers must not send requests to the addresses of strangers for it. */
static const struct db_part parts[] = {
    {"run", "id = $1", "id", "", "baseline stale orders priority queued facts digest"},
    {"model", "run = $1", "id run", "", ""},
    {"judge", "run = $1", "id run", "", ""},
    {"seat", "run = $1", "id run judge", "", ""},
    {"examiner", "run = $1", "id run", "", ""},
    {"item", "run = $1", "id run", "", ""},
    {"call", CALLS, "id dictionary", "run", ""},
    {"dictionary", "id IN (SELECT dictionary FROM call WHERE " CALLS ")", "id", "", ""},
    {"sample", "run = $1", "id run model item call", "", ""},
    {"turn", "sample IN (SELECT id FROM sample WHERE run = $1)", "sample call", "", ""},
    {"verdict", "run = $1", "id run judge sample other call winner", "", ""},
    {"mark", "verdict IN (SELECT id FROM verdict WHERE run = $1)", "verdict", "", ""},
    {"flag", "run = $1", "id run sample", "", ""},
    {"flag_log", "run = $1", "id run sample", "", ""},
    {"look", "run = $1", "run", "", ""},
    {"judge_audit", "run = $1", "id run", "", ""},
    {"judge_trial", "run = $1", "id run sample", "", ""},
    {"class_mark", "sample IN (SELECT id FROM sample WHERE run = $1)", "sample", "", ""},
};

/* Takes turns with others: two runs that arrive at the same time would get the same numbers. */
static enum status copy(struct store *from, const struct run_row *run, struct store *to,
                        int64_t *id, struct err *e)
{
    struct db_parts p = {.v = parts, .n = COUNT(parts), .arg = run->id};
    int64_t rows, taken;

    if (db_take_turns(to->db, e) != OK ||
        db_int(to->db, Q_RUN_NAME_TAKEN, ARGS(V_TEXT(run->name)), &taken, NULL, e) != OK ||
        db_int(to->db, Q_ARCHIVE_HIGHEST, NO_ARGS, &p.shift, NULL, e) != OK)
        return e->code;
    if (taken)
        return err_set(e, E_USAGE, "run %s already exists", run->name);
    if (p.shift > DB_NUMBER_MAX || run->id < 0 || run->id > DB_NUMBER_MAX)
        return err_set(e, E_STORE, "run %s: its rows cannot be numbered behind those of %s",
                       run->name, db_url(to->db));
    p.set = run->id + p.shift;
    if (db_copy_part(from->db, to->db, &p, &rows, e) != OK)
        return e->code;
    *id = p.set;
    return store_run_stale(to, *id, e);
}

enum status store_archive_copy(struct store *from, const struct run_row *run, struct store *to,
                               int64_t *id, struct err *e)
{
    return store_atomically(to, e, copy(from, run, to, id, e));
}
