#include <limits.h>

#include "base/clock.h"
#include "base/hash.h"
#include "db/db_driver.h"
#include "db/db_expand.h"
#include "gen/queries.h"

enum { SQL_MAX = 1 << 20 };

static const char folder[] = "sql/migrate/";

struct migration {
    int64_t version;
    const char *name; /* without folder and .sql */
    char hash[HASH_HEX];
    struct str text;
};

/* The migrations of this program, and which of them this database has. */
struct schema {
    struct migration *list;
    size_t n;
    size_t applied;    /* list[applied] is the next one */
    int64_t newer;     /* a version that this program does not know, or 0 */
    bool tracked;      /* the database has our table */
    const char *whole; /* the result of all of them, as one script; or NULL */
};

static enum status migration_read(struct arena *a, const struct asset *file, struct migration *out,
                                  struct err *e)
{
    struct str name = str_from(str_of(file->name), strlen(folder)), number, rest;

    if (!str_cut(name, '_', &number, &rest) || !str_int(number, &out->version) ||
        !str_ends(rest, STR(".sql")))
        return err_set(e, E_STORE, "%s: a migration must be named NNNN_name.sql", file->name);
    out->name = arena_text(a, (struct str){name.p, name.n - strlen(".sql")});
    out->text = file->bytes;
    hash_hex_of(file->bytes, out->hash);
    return OK;
}

/* The build embeds files sorted by name. */
static enum status schema_list(struct arena *a, const struct asset *assets, struct schema *s,
                               struct err *e)
{
    size_t n = 0;

    while (assets[n].name)
        n++;
    s->list = NEW_N(a, struct migration, n + 1);
    for (size_t i = 0; i < n; i++) {
        if (!str_starts(str_of(assets[i].name), str_of(folder)))
            continue;
        if (migration_read(a, &assets[i], &s->list[s->n], e) != OK)
            return e->code;
        if (s->n && s->list[s->n].version <= s->list[s->n - 1].version)
            return err_set(e, E_STORE, "%s: migrations are out of order", assets[i].name);
        s->n++;
    }
    return OK;
}

static int64_t schema_newest(const struct schema *s)
{
    return s->n ? s->list[s->n - 1].version : 0;
}

static enum status schema_compare(struct db *db, struct schema *s, const struct rows *r,
                                  struct err *e)
{
    int64_t version = row_int(r, C_DB_MIGRATION_VERSION);
    const struct migration *m = &s->list[s->applied];

    if (version > schema_newest(s)) {
        s->newer = version;
        return OK;
    }
    if (s->applied == s->n || m->version != version ||
        !str_is(row_str(r, C_DB_MIGRATION_HASH), m->hash))
        return err_set(e, E_STORE,
                       "%s: migration %.*s differs from the one in this program; the database was "
                       "made by another build of audition",
                       db->url, STR_ARG(row_str(r, C_DB_MIGRATION_NAME)));
    s->applied++;
    return OK;
}

static enum status schema_tracked(struct db *db, struct schema *s, struct err *e)
{
    AUTO(rows_freep) struct rows *r = NULL;
    bool others = false;

    if (rows_new(db, db->driver->tables, &r, e) != OK || rows_open(r, NO_ARGS, e) != OK)
        return e->code;
    s->tracked = false;
    while (rows_next(r)) {
        if (str_is(row_str(r, 0), "schema_migration"))
            s->tracked = true;
        else
            others = true;
    }
    if (rows_end(r, e) != OK)
        return e->code;
    if (others && !s->tracked)
        return err_set(e, E_STORE,
                       "%s is not an audition database: it contains other tables; choose another "
                       "database with --db",
                       db->url);
    return OK;
}

static enum status schema_look(struct db *db, struct schema *s, struct err *e)
{
    enum status st = OK;
    struct err later;
    struct rows *r;

    s->applied = 0;
    if (schema_tracked(db, s, e) != OK)
        return e->code;
    if (!s->tracked)
        return OK;
    r = db_query(db, Q_DB_MIGRATION_LIST, NO_ARGS, e);
    while (st == OK && rows_next(r))
        st = schema_compare(db, s, r, e);
    if (rows_end(r, st == OK ? e : &later) != OK || st != OK)
        return e->code;
    return s->newer ? err_set(e, E_STORE,
                              "%s was made by a newer audition (schema %lld, this program knows "
                              "%lld); install the newer program",
                              db->url, (long long)s->newer, (long long)schema_newest(s))
                    : OK;
}

static enum status migration_apply(struct db *db, const struct migration *m, struct err *e)
{
    AUTO(buf_done) struct buf sql = BUF_MAX(SQL_MAX);

    db_expand(&sql, m->text, db->driver->name, db->driver->id);
    if (sql.full)
        return err_set(e, E_STORE, "migration %s: longer than %d bytes", m->name, SQL_MAX);
    if (sql.n && db_script(db, sql.p, e) != OK)
        return err_wrap(e, "migration %s", m->name);
    return OK;
}

static enum status migration_record(struct db *db, const struct migration *m, struct err *e)
{
    return db_run(db, Q_DB_MIGRATION_ADD,
                  ARGS(V_INT(m->version), V_TEXT(m->name), V_TEXT(m->hash), V_INT(clock_utc_ms())),
                  NULL, e);
}

/* Under the lock: look again, because another process may have been faster. A new database gets
 * everything in one transaction: each flush to the disk takes longer than the writing, and SQLite
 * parses its schema again after every column that a migration adds. */
static enum status migrate_locked(struct db *db, struct schema *s, int *count, struct err *e)
{
    static const char table[] =
        "CREATE TABLE IF NOT EXISTS schema_migration(version BIGINT PRIMARY KEY,"
        " name TEXT NOT NULL, hash TEXT NOT NULL, applied_ms BIGINT NOT NULL)";

    if (db_take_turns(db, e) != OK || schema_look(db, s, e) != OK)
        return e->code;
    if (!s->tracked && (db_script(db, table, e) != OK || db_script(db, s->whole, e) != OK))
        return e->code;
    do {
        const struct migration *m = &s->list[s->applied];
        bool made = !s->tracked && s->whole;
        if (s->applied == s->n)
            return OK;
        if ((!made && migration_apply(db, m, e) != OK) || migration_record(db, m, e) != OK)
            return e->code;
        s->applied++;
        ++*count;
    } while (!s->tracked);
    return OK;
}

enum status db_migrate_with(struct db *db, const struct asset *assets, int *applied, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct schema s = {.whole = assets == asset_table ? db->driver->schema : NULL};
    int count = 0;

    if (schema_list(a, assets, &s, e) != OK || schema_look(db, &s, e) != OK)
        return e->code;
    while (!s.tracked || s.applied < s.n) {
        if (db_begin_as(db, DB_WRITE, e) != OK)
            return e->code;
        if (migrate_locked(db, &s, &count, e) != OK || db_commit(db, e) != OK) {
            db_rollback(db);
            return e->code;
        }
        s.tracked = true;
    }
    *applied = count;
    return OK;
}

enum status db_schema_check_with(struct db *db, const struct asset *assets, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct schema s = {0};

    if (schema_list(a, assets, &s, e) != OK || schema_look(db, &s, e) != OK)
        return e->code;
    if (s.tracked && s.applied == s.n)
        return OK;
    if (s.applied == 0)
        return err_set(e, E_ABSENT,
                       "%s is empty; `audition run` or `audition db migrate` creates its tables, "
                       "--db selects another database",
                       db->url);
    return err_set(e, E_STORE,
                   "%s was made by an older audition (schema %lld, this program needs %lld); run "
                   "`audition db migrate`",
                   db->url, (long long)(s.applied ? s.list[s.applied - 1].version : 0),
                   (long long)schema_newest(&s));
}

enum status db_migrate(struct db *db, int *applied, struct err *e)
{
    return db_migrate_with(db, asset_table, applied, e);
}

enum status db_schema_check(struct db *db, struct err *e)
{
    return db_schema_check_with(db, asset_table, e);
}

/* ---- views and triggers that are not ours ---- */

static bool is_ours(const struct schema *s, struct str sql)
{
    bool found = false;

    for (size_t i = 0; i < s->n && !found; i++) {
        AUTO(buf_done) struct buf text = BUF_MAX(SQL_MAX);
        db_expand(&text, s->list[i].text, "sqlite", DB_SQLITE_ID);
        found = str_holds(buf_str(&text), sql);
    }
    return found;
}

enum status db_schema_strange(struct db *db, struct arena *a, const char **name, struct err *e)
{
    /* SQLite executes the statement, whatever type the row gives. */
    static const char code[] =
        "SELECT name, sql FROM sqlite_schema WHERE sql NOT LIKE 'CREATE TABLE %'"
        " AND sql NOT LIKE 'CREATE INDEX %' AND sql NOT LIKE 'CREATE UNIQUE INDEX %'"
        " AND sql NOT LIKE 'CREATE VIRTUAL TABLE %'";
    AUTO(rows_freep) struct rows *r = NULL;
    struct schema s = {0};

    *name = NULL;
    if (schema_list(a, asset_table, &s, e) != OK || rows_new(db, code, &r, e) != OK ||
        rows_open(r, NO_ARGS, e) != OK)
        return e->code;
    while (rows_next(r))
        if (!*name && !is_ours(&s, row_str(r, 1)))
            *name = row_text_copy(a, r, 0);
    return rows_end(r, e);
}
