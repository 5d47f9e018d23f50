#include <stdlib.h>

#include "db/db_driver.h"
#include "gen/queries.h"

/* One INSERT carries up to this many values or bytes of text: enough that round trips do not
 * matter, little enough to hold in memory. */
enum { BATCH_VALUES = 512, BATCH_BYTES = 1 << 20, SQL_MAX = 1 << 16 };

struct names {
    struct str *v;
    size_t n;
};

/* Table `from` has a foreign key to table `to`. */
struct link {
    struct str from, to;
};

struct links {
    struct link *v;
    size_t n;
};

struct job {
    struct db *from, *to;
    struct arena *arena; /* names; lives as long as the job */
    struct names tables;
    struct links links;
    const struct db_parts *parts; /* NULL: all rows of all tables */
    int64_t copied;
};

/* One table that is being copied. */
struct load {
    struct arena *arena; /* texts of the rows held */
    struct rows *one, *many;
    struct val *held;
    size_t columns, batch, n; /* number of rows held, at most `batch` */
    const struct db_parts *parts;
    enum { AS_IT_IS, SHIFTED, SET, ZERO } * change; /* by column; NULL: none */
    int64_t copied;
};

static void read_name(struct arena *a, const struct rows *r, void *element)
{
    *(struct str *)element = row_copy(a, r, 0);
}

static void read_link(struct arena *a, const struct rows *r, void *element)
{
    *(struct link *)element = (struct link){row_copy(a, r, 0), row_copy(a, r, 1)};
}

/* All rows of a statement that differs between drivers. */
static enum status list_read(struct job *j, const char *sql, struct args args,
                             const struct row_list *l, struct err *e)
{
    AUTO(rows_freep) struct rows *r = NULL;

    return rows_new(j->from, sql, &r, e) == OK ? rows_list(r, args, l, e) : e->code;
}

static bool linked(const struct links *l, struct str from, struct str to)
{
    for (size_t i = 0; i < l->n; i++)
        if (str_eq(l->v[i].from, from) && str_eq(l->v[i].to, to))
            return true;
    return false;
}

static bool waits(const struct job *j, size_t table, size_t placed)
{
    for (size_t i = placed; i < j->tables.n; i++)
        if (i != table && linked(&j->links, j->tables.v[table], j->tables.v[i]))
            return true;
    return false;
}

/* Puts each table after those that its foreign keys refer to, otherwise in order of creation.
 * Tables in a cycle stay in place. */
static void tables_sort(struct job *j)
{
    struct str *v = j->tables.v;

    for (size_t placed = 0; placed < j->tables.n; placed++) {
        size_t i = placed;
        while (i < j->tables.n && waits(j, i, placed))
            i++;
        if (i < j->tables.n) {
            struct str next = v[i];
            memmove(&v[placed + 1], &v[placed], (i - placed) * sizeof *v);
            v[placed] = next;
        }
    }
}

static void put_name(struct buf *b, struct str name)
{
    buf_char(b, '"');
    for (size_t i = 0; i < name.n; i++) {
        if (name.p[i] == '"')
            buf_char(b, '"');
        buf_char(b, name.p[i]);
    }
    buf_char(b, '"');
}

static void put_columns(struct buf *b, const struct names *columns)
{
    for (size_t i = 0; i < columns->n; i++) {
        buf_text(b, i ? ", " : "");
        put_name(b, columns->v[i]);
    }
}

static enum status insert_new(struct db *to, struct str table, const struct names *columns,
                              size_t rows, struct rows **out, struct err *e)
{
    AUTO(buf_done) struct buf b = BUF_MAX(SQL_MAX);
    size_t parameter = 0;

    buf_text(&b, "INSERT INTO ");
    put_name(&b, table);
    buf_text(&b, " (");
    put_columns(&b, columns);
    buf_text(&b, ") VALUES ");
    for (size_t row = 0; row < rows; row++) {
        buf_text(&b, row ? "), (" : "(");
        for (size_t i = 0; i < columns->n; i++)
            buf_fmt(&b, "%s$%zu", i ? ", " : "", ++parameter);
    }
    buf_char(&b, ')');
    if (b.full)
        return err_set(e, E_STORE, "table %.*s has too many columns to copy", STR_ARG(table));
    return rows_new(to, b.p, out, e);
}

static enum status select_new(struct job *j, struct str table, const struct names *columns,
                              const struct db_part *part, struct rows **out, struct err *e)
{
    AUTO(buf_done) struct buf b = BUF_MAX(SQL_MAX);

    buf_text(&b, "SELECT ");
    put_columns(&b, columns);
    buf_text(&b, " FROM ");
    put_name(&b, table);
    if (part)
        buf_fmt(&b, " WHERE %s", part->where);
    /* Rows that refer to rows of the same table refer to older ones. */
    if (linked(&j->links, table, table))
        buf_text(&b, " ORDER BY 1");
    return rows_new(j->from, buf_str(&b).p, out, e);
}

static enum status load_flush(struct load *l, struct err *e)
{
    enum status st = OK;

    if (l->n == l->batch)
        st = rows_run(l->many, (struct args){l->held, l->n * l->columns}, NULL, e);
    else
        for (size_t i = 0; st == OK && i < l->n; i++)
            st = rows_run(l->one, (struct args){&l->held[i * l->columns], l->columns}, NULL, e);
    l->copied += (int64_t)l->n;
    l->n = 0;
    arena_reset(l->arena);
    return st;
}

static enum status number_anew(const struct load *l, struct val *v, struct err *e)
{
    if (v->i < 0 || v->i > DB_NUMBER_MAX)
        return err_set(e, E_STORE, "a row has the number %lld, which no database gives",
                       (long long)v->i);
    v->i += l->parts->shift;
    return OK;
}

static enum status load_row(void *user, const struct rows *r, struct err *e)
{
    struct load *l = user;
    struct val *v = &l->held[l->n * l->columns];

    for (size_t i = 0; i < l->columns; i++) {
        v[i] = r->driver->value(r, (int)i);
        if (v[i].kind == VAL_TEXT)
            v[i].s = arena_str(l->arena, v[i].s);
        else if (v[i].kind == VAL_BYTES)
            v[i].s = row_bytes(l->arena, r, (int)i);
        if (l->change && l->change[i] == SHIFTED && v[i].kind == VAL_INT && v[i].i &&
            number_anew(l, &v[i], e) != OK)
            return e->code;
        if (l->change && l->change[i] == SET)
            v[i] = V_INT(l->parts->set);
        else if (l->change && l->change[i] == ZERO)
            v[i] = v[i].kind == VAL_TEXT ? V_TEXT("") : V_INT(0);
    }
    l->n++;
    return l->n == l->batch || arena_size(l->arena) > BATCH_BYTES ? load_flush(l, e) : OK;
}

static void load_done(struct load *l)
{
    rows_freep(&l->one);
    rows_freep(&l->many);
    free(l->held);
    arena_free(l->arena);
}

/* Whether a list of words separated by spaces contains this one. */
static bool among(const char *list, struct str word)
{
    struct str rest = str_of(list), one;

    while (str_part(&rest, ' ', &one))
        if (str_eq(one, word))
            return true;
    return false;
}

static void plan_changes(struct job *j, const struct db_part *part, const struct names *columns,
                         struct load *l)
{
    l->parts = j->parts;
    if (!part)
        return;
    l->change = arena_array(j->arena, columns->n, sizeof *l->change);
    for (size_t i = 0; i < columns->n; i++)
        l->change[i] = among(part->set, columns->v[i])     ? SET
                       : among(part->shift, columns->v[i]) ? SHIFTED
                       : among(part->zero, columns->v[i])  ? ZERO
                                                           : AS_IT_IS;
}

static enum status table_copy(struct job *j, struct str table, const struct db_part *part,
                              struct err *e)
{
    struct args args = part ? ARGS(V_INT(j->parts->arg)) : NO_ARGS;
    struct names columns = {0};
    AUTO(rows_freep) struct rows *source = NULL;
    AUTO(load_done) struct load l = {.arena = arena_new()};

    if (list_read(j, j->from->driver->columns, ARGS(V_STR(table)),
                  INTO(j->arena, &columns, read_name), e) != OK)
        return e->code;
    if (columns.n == 0 || columns.n > BATCH_VALUES)
        return err_set(e, E_STORE, "table %.*s: %zu columns cannot be copied", STR_ARG(table),
                       columns.n);
    l.columns = columns.n;
    l.batch = BATCH_VALUES / columns.n;
    l.held = mem_new(l.batch * l.columns * sizeof *l.held);
    plan_changes(j, part, &columns, &l);
    if (select_new(j, table, &columns, part, &source, e) != OK ||
        insert_new(j->to, table, &columns, 1, &l.one, e) != OK ||
        insert_new(j->to, table, &columns, l.batch, &l.many, e) != OK)
        return e->code;
    if (rows_each(source, args, load_row, &l, e) != OK || load_flush(&l, e) != OK)
        return err_wrap(e, "table %.*s", STR_ARG(table));
    j->copied += l.copied;
    return OK;
}

/* The table of migrations is not copied: the target has its own. */
static void tables_drop_own(struct names *tables)
{
    size_t kept = 0;

    for (size_t i = 0; i < tables->n; i++)
        if (!str_is(tables->v[i], "schema_migration"))
            tables->v[kept++] = tables->v[i];
    tables->n = kept;
}

static enum status table_check_empty(struct db *to, struct str table, struct err *e)
{
    AUTO(buf_done) struct buf b = BUF_MAX(SQL_MAX);
    AUTO(rows_freep) struct rows *r = NULL;
    int64_t one;
    bool found;

    buf_text(&b, "SELECT 1 FROM ");
    put_name(&b, table);
    buf_text(&b, " LIMIT 1");
    if (rows_new(to, buf_str(&b).p, &r, e) != OK || rows_int(r, NO_ARGS, &one, &found, e) != OK)
        return e->code;
    return found ? err_set(e, E_USAGE, "%s is not empty (table %.*s); copy into a new database",
                           to->url, STR_ARG(table))
                 : OK;
}

/* 0 if the database has none of our tables. */
static enum status version_read(struct db *db, int64_t *out, struct err *e)
{
    AUTO(rows_freep) struct rows *r = NULL;
    bool tracked = false;

    if (rows_new(db, db->driver->tables, &r, e) != OK || rows_open(r, NO_ARGS, e) != OK)
        return e->code;
    while (rows_next(r))
        tracked = tracked || str_is(row_str(r, 0), "schema_migration");
    if (rows_end(r, e) != OK)
        return e->code;
    *out = 0;
    return tracked ? db_int(db, Q_DB_SCHEMA_VERSION, NO_ARGS, out, NULL, e) : OK;
}

static enum status versions_check(struct db *from, struct db *to, struct err *e)
{
    int64_t have = 0, want = 0;

    if (version_read(from, &want, e) != OK || version_read(to, &have, e) != OK)
        return e->code;
    if (have != want || have == 0)
        return err_set(e, E_USAGE,
                       "cannot copy %s (schema %lld) into %s (schema %lld); run `audition db "
                       "migrate` on both first",
                       from->url, (long long)want, to->url, (long long)have);
    return OK;
}

/* All tables, ordered so that foreign keys can be satisfied; the target must be empty. */
static enum status tables_find(struct job *j, struct err *e)
{
    if (list_read(j, j->from->driver->tables, NO_ARGS, INTO(j->arena, &j->tables, read_name), e) !=
        OK)
        return e->code;
    tables_drop_own(&j->tables);
    tables_sort(j);
    for (size_t i = 0; i < j->tables.n; i++)
        if (table_check_empty(j->to, j->tables.v[i], e) != OK)
            return e->code;
    return OK;
}

static enum status job_run(struct job *j, struct err *e)
{
    const struct db_driver *d = j->to->driver;
    const struct db_parts *parts = j->parts;

    if (versions_check(j->from, j->to, e) != OK ||
        list_read(j, j->from->driver->references, NO_ARGS, INTO(j->arena, &j->links, read_link),
                  e) != OK ||
        (!parts && tables_find(j, e) != OK))
        return e->code;
    if (db_script(j->to, d->before_copy, e) != OK)
        return e->code;
    for (size_t i = 0; i < (parts ? parts->n : j->tables.n); i++)
        if (table_copy(j, parts ? str_of(parts->v[i].table) : j->tables.v[i],
                       parts ? &parts->v[i] : NULL, e) != OK)
            return e->code;
    return db_script(j->to, d->after_copy, e);
}

enum status db_copy_part(struct db *from, struct db *to, const struct db_parts *parts,
                         int64_t *rows, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct job j = {.from = from, .to = to, .arena = a, .parts = parts};
    enum status st = db_begin_as(from, DB_READ, e);

    if (st == OK)
        st = job_run(&j, e);
    db_rollback(from);
    if (st == OK)
        *rows = j.copied;
    return st;
}

enum status db_copy(struct db *from, struct db *to, int64_t *rows, struct err *e)
{
    enum status st = db_begin_as(to, DB_WRITE, e);
    int64_t copied;

    if (st == OK)
        st = db_copy_part(from, to, NULL, &copied, e);
    if (st == OK)
        st = db_commit(to, e);
    db_rollback(to); /* does nothing after a commit */
    if (st == OK)
        *rows = copied;
    return st;
}
