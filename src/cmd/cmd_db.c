/* Maintenance of the database. */
#include "base/json.h"
#include "base/message.h"
#include "cmd/term.h"
#include "store/store_pack.h"

enum { LARGEST_RUNS = 10 };

static enum status info(struct app *app, struct db *db, struct err *e)
{
    struct run_list runs;

    if (db_schema_check(db, e) != OK ||
        store_run_list(app->arena, &(struct store){.db = db}, &runs, e) != OK)
        return e->code;
    if (app->common.json)
        fprintf(app->out, "{\"kind\":\"%s\",\"runs\":%zu}\n",
                db_is_postgres(db) ? "postgresql" : "sqlite", runs.n);
    else
        fprintf(app->out, _("%s\n  kind    %s\n  schema  up to date\n  runs    %zu\n"), db_url(db),
                db_is_postgres(db) ? "PostgreSQL" : "SQLite", runs.n);
    return OK;
}

static enum status migrate(struct app *app, struct db *db, struct err *e)
{
    int applied;

    if (db_migrate(db, &applied, e) != OK)
        return e->code;
    if (app->common.json)
        return term_json(app, json_pack("{s:i}", "applied", applied));
    if (applied)
        fprintf(app->out, _("%s: %d migration%s applied\n"), db_url(db), applied,
                message_s(applied));
    else
        fprintf(app->out, _("%s: up to date\n"), db_url(db));
    return OK;
}

static enum status backup(struct app *app, struct db *db, struct err *e)
{
    return db_backup(db, app->args.v[1], e) == OK ? term_wrote(app, app->args.v[1]) : e->code;
}

static enum status copy(struct app *app, struct db *from, struct err *e)
{
    AUTO(db_closep) struct db *to = NULL;
    int64_t rows;
    int applied;

    if (db_schema_check(from, e) != OK || db_open(&to, app->args.v[1], DB_WRITE, e) != OK ||
        db_migrate(to, &applied, e) != OK || db_copy(from, to, &rows, e) != OK)
        return e->code;
    if (app->common.json)
        return term_json(app, json_pack("{s:I}", "rows", (json_int_t)rows));
    fprintf(app->out, _("copied %lld row%s to %s\n"), (long long)rows, message_s(rows), db_url(to));
    return OK;
}

/* How much room tables, or runs, take. */
static enum status put_sizes(struct app *app, const struct db_sizes *l, const char *what,
                             json_t *list, struct err *e)
{
    const struct table_field fields[] = {
        {{.key = "name", .head = what}, TABLE_OF(struct db_size, name)},
        {{.key = "rows", .head = _("rows"), .kind = TABLE_COUNT}, TABLE_OF(struct db_size, rows)},
        {{.key = "bytes", .head = _("bytes"), .kind = TABLE_COUNT},
         TABLE_OF(struct db_size, bytes)},
    };
    struct table *t = table_new(app->arena, NULL, l->n);

    table_fields(t, fields, COUNT(fields), l->v, sizeof *l->v);
    table_json(t, list);
    if (app->common.json)
        return OK;
    if (term_draw(app, t, true, e) == OK)
        fputs("\n", app->out);
    return e->code;
}

static enum status stats(struct app *app, struct db *db, struct err *e)
{
    AUTO(json_freep) json_t *o = json_object();
    struct db_sizes tables, runs;
    struct pack_sizes p;
    int64_t bytes, unused;

    if (db_schema_check(db, e) != OK || db_table_sizes(db, app->arena, &tables, e) != OK ||
        db_run_sizes(db, app->arena, LARGEST_RUNS, &runs, e) != OK ||
        db_space(db, &bytes, &unused, e) != OK || pack_sizes(db, &p, e) != OK)
        return e->code;
    json_put_int(o, "bytes", bytes);
    json_put_int(o, "unused", unused);
    json_put_int(o, "packed_calls", p.calls);
    json_put_int(o, "packed_from", p.plain);
    json_put_int(o, "packed_to", p.packed);
    if (put_sizes(app, &tables, _("table"), json_put_list(o, "tables"), e) != OK ||
        ((runs.n || app->common.json) &&
         put_sizes(app, &runs, _("run"), json_put_list(o, "runs"), e) != OK))
        return e->code;
    if (app->common.json)
        fprintf(app->out, "%s\n", json_text(app->arena, o));
    else
        fprintf(app->out, _("%s: %lld bytes, %lld of them unused\n"), db_url(db), (long long)bytes,
                (long long)unused);
    if (p.calls && !app->common.json)
        fprintf(app->out, _("%lld request%s compressed: %lld bytes instead of %lld\n"),
                (long long)p.calls,
                p.calls == 1 ? " with its reply is" : "s with their replies are",
                (long long)p.packed, (long long)p.plain);
    return OK;
}

/* A damaged file is left alone: rewriting it would make it look intact. */
static enum status check_whole(struct app *app, struct db *db, struct err *e)
{
    const char *fault;

    if (db_is_postgres(db))
        return OK; /* it has checks of its own, and too much to read */
    if (db_check(db, app->arena, &fault, e) != OK)
        return e->code;
    return fault ? err_set(e, E_STORE, "%s is damaged (%s); restore a backup", db_url(db), fault)
                 : OK;
}

static enum status vacuum(struct app *app, struct db *db, struct err *e)
{
    int64_t before, after, unused;

    if (db_schema_check(db, e) != OK || check_whole(app, db, e) != OK ||
        db_space(db, &before, &unused, e) != OK ||
        pack_finished(&(struct store){.db = db}, e) != OK || db_vacuum(db, e) != OK ||
        check_whole(app, db, e) != OK || db_space(db, &after, &unused, e) != OK)
        return e->code;
    if (app->common.json)
        fprintf(app->out, "{\"before\":%lld,\"after\":%lld}\n", (long long)before,
                (long long)after);
    else
        fprintf(app->out, _("%s: %lld bytes before, %lld now\n"), db_url(db), (long long)before,
                (long long)after);
    return OK;
}

static const struct task {
    const char *word, *arg;
    enum db_mode mode;
    enum status (*run)(struct app *app, struct db *db, struct err *e);
} tasks[] = {
    {"info", NULL, DB_READ, info},        {"stats", NULL, DB_READ, stats},
    {"migrate", NULL, DB_WRITE, migrate}, {"vacuum", NULL, DB_CHANGE, vacuum},
    {"backup", "FILE", DB_READ, backup},  {"copy", "URL", DB_READ, copy},
};

static enum status run_task(struct app *app, struct err *e)
{
    AUTO(db_closep) struct db *db = NULL;
    const struct task *t;
    size_t row;

    if (opt_choose(&OPT_WORDS(NULL, tasks), app->args.v[0], &row, e) != OK)
        return e->code;
    t = &tasks[row];
    if ((app->args.n == 2) != (t->arg != NULL))
        return err_set(e, E_USAGE, "usage: audition db %s%s%s", t->word, t->arg ? " " : "",
                       t->arg ? t->arg : "");
    return db_open(&db, app->common.db, t->mode, e) == OK ? t->run(app, db, e) : e->code;
}

const struct command cmd_db_command = {
    .name = "db",
    .need = NO_STORE,
    .args = "info | stats | migrate | vacuum | backup FILE | copy URL",
    .summary = "manage the database",
    .nargs = {1, 2},
    .run = run_task,
};
