/* Care of the database itself. */
#include "base/message.h"
#include "cmd/cmd.h"

static enum status open_db(struct app *app, enum db_mode mode, struct db **out, struct err *e)
{
    return db_open(out, app->common.db, mode, e);
}

static enum status db_info(struct app *app, const char *unused, struct err *e)
{
    struct store *s;
    struct run_list runs;
    enum status st;

    (void)unused;
    if (store_open(&s, app->common.db, DB_READ, e) != OK)
        return e->code;
    st = store_run_list(app->arena, s, &runs, e);
    if (st == OK && app->common.json)
        fprintf(app->out, "{\"kind\":\"%s\",\"runs\":%zu}\n",
                db_is_postgres(s->db) ? "postgresql" : "sqlite", runs.n);
    else if (st == OK)
        fprintf(app->out, _("%s\n  kind    %s\n  schema  up to date\n  runs    %zu\n"),
                db_url(s->db), db_is_postgres(s->db) ? "PostgreSQL" : "SQLite", runs.n);
    store_close(s);
    return st;
}

static enum status db_migrate_now(struct app *app, const char *unused, struct err *e)
{
    struct db *db;
    int applied;
    enum status st;

    (void)unused;
    if (open_db(app, DB_WRITE, &db, e) != OK)
        return e->code;
    st = db_migrate(db, &applied, e);
    if (st == OK && applied)
        fprintf(app->out, _("%s: %d migration%s applied\n"), db_url(db), applied,
                applied == 1 ? "" : "s");
    else if (st == OK)
        fprintf(app->out, _("%s: up to date\n"), db_url(db));
    db_close(db);
    return st;
}

static enum status db_backup_to(struct app *app, const char *path, struct err *e)
{
    struct db *db;
    enum status st;

    if (open_db(app, DB_READ, &db, e) != OK)
        return e->code;
    st = db_backup(db, path, e);
    if (st == OK)
        fprintf(app->out, _("wrote %s\n"), path);
    db_close(db);
    return st;
}

static enum status copy_into(struct app *app, struct db *from, struct db *to, struct err *e)
{
    int64_t rows;
    int applied;

    if (db_migrate(to, &applied, e) != OK || db_copy(from, to, &rows, e) != OK)
        return e->code;
    fprintf(app->out, _("copied %lld rows to %s\n"), (long long)rows, db_url(to));
    return OK;
}

static enum status db_copy_to(struct app *app, const char *url, struct err *e)
{
    struct db *from, *to;
    enum status st;

    if (open_db(app, DB_READ, &from, e) != OK)
        return e->code;
    st = db_schema_check(from, e);
    if (st == OK)
        st = db_open(&to, url, DB_WRITE, e);
    if (st == OK) {
        st = copy_into(app, from, to, e);
        db_close(to);
    }
    db_close(from);
    return st;
}

static const struct task {
    const char *word, *arg;
    enum status (*run)(struct app *app, const char *arg, struct err *e);
} tasks[] = {
    {"info", NULL, db_info},
    {"migrate", NULL, db_migrate_now},
    {"backup", "FILE", db_backup_to},
    {"copy", "URL", db_copy_to},
};

static enum status run_task(struct app *app, const struct opt_args *args, const void *values,
                            struct err *e)
{
    static const struct opt_words words = OPT_WORDS(NULL, tasks);
    const struct task *t;
    size_t row;

    (void)values;
    if (opt_choose(&words, args->v[0], &row, e) != OK)
        return e->code;
    t = &tasks[row];
    if ((args->n == 2) != (t->arg != NULL))
        return err_set(e, E_USAGE, "usage: audition db %s%s%s", t->word, t->arg ? " " : "",
                       t->arg ? t->arg : "");
    return t->run(app, args->n == 2 ? args->v[1] : NULL, e);
}

const struct command cmd_db_command = {
    .name = "db",
    .need = NO_STORE,
    .args = "info | migrate | backup FILE | copy URL",
    .summary = "manage the database",
    .details = "backup writes a consistent copy of a SQLite database while others are using it; "
               "copy moves everything into an empty database of either kind.\n"
               "\n"
               "    audition db backup before-the-upgrade.db\n"
               "    audition db copy postgresql://host/audition\n",
    .min_args = 1,
    .max_args = 2,
    .run = run_task,
};
