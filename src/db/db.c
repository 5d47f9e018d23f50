#include "db/db.h"

#include <math.h>
#include <stdlib.h>

#include "db/db_driver.h"
#include "gen/queries.h"

/* NULL for an address of an unknown kind. */
static const struct db_driver *driver_for(const char *url, const char **where)
{
    struct str s = str_of(url);

    *where = url;
    if (str_starts(s, STR("postgresql://")) || str_starts(s, STR("postgres://")))
        return &db_pg_driver;
    if (str_starts(s, STR("sqlite:"))) {
        *where = url + strlen("sqlite:");
        return &db_sqlite_driver;
    }
    return str_holds(s, STR("://")) ? NULL : &db_sqlite_driver;
}

enum status db_open(struct db **out, const char *url, enum db_mode mode, struct err *e)
{
    const char *where;
    const struct db_driver *driver = driver_for(url, &where);
    struct db *db;

    /* The address may hold a password: show only its kind. */
    if (!driver)
        return err_set(e, E_USAGE, "unknown kind of database %.*s; give a file or postgresql://...",
                       (int)strcspn(url, ":"), url);
    if (where[0] == '\0')
        return err_set(e, E_USAGE, "the database name is empty");
    if (driver->open(&db, where, mode, e) != OK)
        return e->code;
    db->driver = driver;
    db->mode = mode;
    db->queries = mem_new(Q_COUNT * sizeof(struct rows *));
    *out = db;
    return OK;
}

void db_close(struct db *db)
{
    if (!db)
        return;
    for (size_t i = 0; i < Q_COUNT; i++)
        rows_freep(&db->queries[i]);
    free(db->queries);
    free(db->url);
    db->driver->close(db);
}

void db_nameless(struct db *db)
{
    db->nameless = true;
}

bool db_is_postgres(const struct db *db)
{
    return db->driver == &db_pg_driver;
}

const char *db_url(const struct db *db)
{
    return db->url;
}

char *db_text(const char *cstr)
{
    size_t n = strlen(cstr) + 1;

    return memcpy(mem_new(n), cstr, n);
}

enum status db_script(struct db *db, const char *sql, struct err *e)
{
    return sql ? db->driver->script(db, sql, e) : OK;
}

/* For statements that cannot fail on their own: their answer is not awaited. */
static enum status post(struct db *db, const char *sql, struct err *e)
{
    return (db->driver->post_script ? db->driver->post_script : db->driver->script)(db, sql, e);
}

enum status db_begin_as(struct db *db, enum db_mode mode, struct err *e)
{
    const struct db_driver *d = db->driver;

    if (db->in_transaction)
        return err_set(e, E_STORE, "%s: a transaction is already open", db->url);
    db->in_inner = db->in_group && db->changed; /* else the savepoint of the part suffices */
    if (db->in_inner && post(db, "SAVEPOINT inner_part", e) != OK)
        return e->code;
    if (!db->in_group &&
        db_script(db, mode != DB_READ ? d->begin_write : d->begin_snapshot, e) != OK)
        return e->code;
    db->in_transaction = true;
    return OK;
}

enum status db_begin(struct db *db, struct err *e)
{
    return db_begin_as(db, db->mode, e);
}

enum status db_commit(struct db *db, struct err *e)
{
    /* In a group, a failure must be reported for the piece that caused it. */
    if (db->in_group && db->driver->settle && db->driver->settle(db, e) != OK)
        return e->code;
    if ((db->in_inner && post(db, "RELEASE SAVEPOINT inner_part", e) != OK) ||
        (!db->in_group && db_script(db, "COMMIT", e) != OK))
        return e->code;
    db->in_transaction = db->in_inner = false;
    db->changed = true;
    return OK;
}

enum status db_survey(struct db *db, struct err *e)
{
    return db_script(db, db->driver->survey, e);
}

enum status db_take_turns(struct db *db, struct err *e)
{
    return db_script(db, db->driver->take_turns, e);
}

enum status db_compute(struct db *db, struct err *e)
{
    return db_script(db, db->driver->compute, e);
}

enum status db_by_key(struct db *db, struct err *e)
{
    return db->driver->by_key ? post(db, db->driver->by_key, e) : OK;
}

void db_rollback(struct db *db)
{
    struct err ignored;

    /* This fails only if the database has rolled back by itself, or the connection is gone. */
    if (db->in_transaction)
        (void)!db_script(db,
                         db->in_inner
                             ? "ROLLBACK TO SAVEPOINT inner_part; RELEASE SAVEPOINT inner_part"
                         : db->in_group ? "ROLLBACK TO SAVEPOINT part"
                                        : "ROLLBACK",
                         &ignored);
    db->in_transaction = db->in_inner = false;
}

/* ---- groups ---- */

enum status db_group_begin(struct db *db, struct err *e)
{
    if (db_begin(db, e) != OK)
        return e->code;
    db->in_transaction = db->in_part = false;
    db->in_group = true;
    return OK;
}

enum status db_group_part(struct db *db, struct err *e)
{
    db->in_transaction = db->in_inner = false; /* what the previous piece left open belongs to it */
    if ((db->in_part && post(db, "RELEASE SAVEPOINT part", e) != OK) ||
        post(db, "SAVEPOINT part", e) != OK)
        return e->code;
    db->in_part = true;
    db->changed = false;
    return OK;
}

void db_group_undo(struct db *db)
{
    struct err ignored;

    (void)!db_script(db, "ROLLBACK TO SAVEPOINT part", &ignored);
    db->in_transaction = db->in_inner = false;
}

enum status db_group_commit(struct db *db, struct err *e)
{
    db->in_group = db->in_inner = false;
    db->in_transaction = true;
    return db_commit(db, e);
}

void db_group_abandon(struct db *db)
{
    db->in_transaction = db->in_transaction || db->in_group;
    db->in_group = db->in_inner = false;
    db_rollback(db);
}

enum status db_revive(struct db *db, struct err *e)
{
    db_group_abandon(db);
    return db->driver->revive(db, e);
}

enum status db_backup(struct db *db, const char *path, struct err *e)
{
    return db->driver->backup(db, path, e);
}

enum status db_try_write(struct db *db, struct err *e)
{
    return db_script(db, db->driver->try_write, e);
}

enum status db_check(struct db *db, struct arena *a, const char **fault, struct err *e)
{
    AUTO(rows_freep) struct rows *r = NULL;
    AUTO(buf_done) struct buf faults = BUF_MAX(4 << 10);

    if (rows_new(db, db->driver->check, &r, e) != OK || rows_open(r, NO_ARGS, e) != OK)
        return e->code;
    while (rows_next(r))
        if (!str_is(row_str(r, 0), "ok")) {
            buf_text(&faults, faults.n ? "; " : "");
            buf_add(&faults, row_str(r, 0));
        }
    if (rows_end(r, e) != OK)
        return e->code;
    *fault = faults.n ? arena_text(a, buf_str(&faults)) : NULL;
    return OK;
}

enum status rows_new(struct db *db, const char *sql, struct rows **out, struct err *e)
{
    struct rows *r;
    enum status st = db->driver->prepare(db, sql, &r, e);

    if (st != OK)
        return st;
    r->driver = db->driver;
    r->db = db;
    r->name = "statement";
    r->reads = str_starts(str_of(sql), STR("SELECT"));
    *out = r;
    return OK;
}

void rows_freep(struct rows **r)
{
    if (*r)
        (*r)->driver->release(*r);
    *r = NULL;
}

/* PostgreSQL cannot store a NUL; refusing it here keeps every row copyable between the two. */
static bool has_nul(struct args args)
{
    for (size_t i = 0; i < args.n; i++)
        if (args.v[i].kind == VAL_TEXT && args.v[i].s.n && memchr(args.v[i].s.p, 0, args.v[i].s.n))
            return true;
    return false;
}

static enum status check(const struct rows *r, struct args args, struct err *e)
{
    r->db->changed |= !r->reads && !r->db->in_transaction;
    if (r->open)
        return err_set(e, E_STORE, "%s: %s: its last cursor is still open", r->db->url, r->name);
    if (has_nul(args))
        return err_set(e, E_STORE, "%s: %s: a text contains a NUL character", r->db->url, r->name);
    return OK;
}

static void clear(struct rows *r)
{
    r->done = false;
    r->changed = 0;
    r->fault.code = OK;
}

static enum status start(struct rows *r, struct args args, bool inside, struct err *e)
{
    if (check(r, args, e) != OK)
        return e->code;
    clear(r);
    if (r->driver->start(r, args, inside, e) != OK)
        return e->code;
    r->open = true;
    return OK;
}

enum status rows_open(struct rows *r, struct args args, struct err *e)
{
    return start(r, args, false, e);
}

bool rows_next(struct rows *r)
{
    if (!r)
        return false;
    r->done = r->done || !r->driver->step(r);
    return !r->done;
}

enum status rows_end(struct rows *r, struct err *e)
{
    if (!r)
        return e->code;
    while (r->writes && rows_next(r))
        ;
    r->driver->finish(r);
    r->open = false;
    if (r->fault.code != OK)
        *e = r->fault;
    return r->fault.code;
}

enum status rows_run(struct rows *r, struct args args, int64_t *changed, struct err *e)
{
    if (!changed && r->driver->post && r->db->in_transaction)
        return check(r, args, e) == OK ? r->driver->post(r, args, e) : e->code;
    r->few = true;
    if (start(r, args, true, e) != OK)
        return e->code;
    while (rows_next(r))
        ;
    if (rows_end(r, e) != OK)
        return e->code;
    if (changed)
        *changed = r->changed;
    return OK;
}

enum status rows_int(struct rows *r, struct args args, int64_t *out, bool *found, struct err *e)
{
    int64_t value = 0;
    bool any;

    r->few = true;
    if (start(r, args, true, e) != OK)
        return e->code;
    any = rows_next(r);
    if (any)
        value = row_int(r, 0);
    if (rows_end(r, e) != OK)
        return e->code;
    if (found)
        *found = any;
    if (any)
        *out = value;
    return OK;
}

enum status rows_each(struct rows *r, struct args args, row_fn *fn, void *user, struct err *e)
{
    enum status st = OK;
    struct err ignored;

    r->few = false;
    if (start(r, args, true, e) != OK)
        return e->code;
    while (st == OK && rows_next(r))
        st = fn(user, r, e);
    if (st == OK)
        return rows_end(r, e);
    (void)!rows_end(r, &ignored); /* the reason to stop comes first */
    return st;
}

static struct args args_of(struct args all, size_t n, size_t i)
{
    return (struct args){all.v + all.n / n * i, all.n / n};
}

struct row_of {
    row_of_fn *fn;
    void *user;
    size_t i;
};

static enum status one_of(void *user, const struct rows *row, struct err *e)
{
    const struct row_of *of = user;

    return of->fn(of->user, of->i, row, e);
}

enum status rows_each_of(struct rows *r, struct args all, size_t n, row_of_fn *fn, void *user,
                         struct err *e)
{
    struct row_of of = {.fn = fn, .user = user};

    if (r->driver->many)
        return r->driver->many(r, all, n, fn, user, e);
    for (; of.i < n; of.i++)
        if (rows_each(r, args_of(all, n, of.i), one_of, &of, e) != OK)
            return e->code;
    return OK;
}

enum status rows_list(struct rows *r, struct args args, const struct row_list *l, struct err *e)
{
    size_t n = 0, cap = 0;
    char *v = NULL;
    enum status st;

    r->few = false;
    if (start(r, args, true, e) != OK)
        return e->code;
    for (; rows_next(r); n++) {
        v = mem_grow(v, &cap, n + 1, l->size);
        if (l->columns)
            row_into(l->arena, r, l->columns, v + n * l->size);
        else
            l->read(l->arena, r, v + n * l->size);
    }
    st = rows_end(r, e);
    if (st == OK) {
        const void *all = arena_copy(l->arena, v, n, l->size);
        memcpy(l->v, &all, sizeof all);
        *l->n = n;
    }
    free(v);
    return st;
}

/* The statement of a query, prepared on first use; NULL on failure. */
static struct rows *rows_of(struct db *db, int query, struct err *e)
{
    struct rows **r = &db->queries[query];

    if (!*r) {
        if (rows_new(db, query_texts[query].sql, r, e) != OK) {
            (void)err_wrap(e, "query %s", query_texts[query].name);
            return NULL;
        }
        (*r)->name = query_texts[query].name;
    }
    return *r;
}

enum status db_run(struct db *db, int query, struct args args, int64_t *changed, struct err *e)
{
    struct rows *r = rows_of(db, query, e);

    return r ? rows_run(r, args, changed, e) : e->code;
}

enum status db_change(struct db *db, int query, struct args args, bool *any, struct err *e)
{
    int64_t changed = 0;

    if (db_run(db, query, args, &changed, e) != OK)
        return e->code;
    *any = changed > 0;
    return OK;
}

enum status db_commit_after(struct db *db, int query, struct args args, struct err *e)
{
    struct rows *r = rows_of(db, query, e);

    if (!r)
        return e->code;
    if (!db->driver->commit_after || db->in_group)
        return rows_run(r, args, NULL, e) == OK ? db_commit(db, e) : e->code;
    if (db->driver->commit_after(r, args, e) != OK)
        return e->code;
    db->in_transaction = false;
    return OK;
}

struct rows *db_query(struct db *db, int query, struct args args, struct err *e)
{
    struct rows *r = rows_of(db, query, e);

    return r && rows_open(r, args, e) == OK ? r : NULL;
}

struct rows *db_stream(struct db *db, int query, struct args args, struct err *e)
{
    struct rows *r = rows_of(db, query, e);

    if (r)
        r->few = false;
    return r && start(r, args, true, e) == OK ? r : NULL;
}

/* Starts a query of which only the first row is wanted. */
static enum status few_rows(struct db *db, int query, struct args args, struct rows **out,
                            struct err *e)
{
    struct rows *r = *out = rows_of(db, query, e);

    if (!r)
        return e->code;
    r->few = true;
    return start(r, args, true, e);
}

enum status db_two_ints(struct db *db, int query, struct args args, int64_t *first, int64_t *second,
                        struct err *e)
{
    struct rows *r;

    if (few_rows(db, query, args, &r, e) != OK)
        return e->code;
    if (rows_next(r)) {
        *first = row_int(r, 0);
        *second = row_int(r, 1);
    }
    return rows_end(r, e);
}

enum status db_row(struct db *db, int query, struct args args, struct arena *a,
                   const struct columns *c, void *out, bool *found, struct err *e)
{
    struct rows *r;
    bool any;

    if (few_rows(db, query, args, &r, e) != OK)
        return e->code;
    any = rows_next(r);
    if (any)
        row_into(a, r, c, out);
    if (found)
        *found = any;
    return rows_end(r, e);
}

enum status db_int(struct db *db, int query, struct args args, int64_t *out, bool *found,
                   struct err *e)
{
    struct rows *r = rows_of(db, query, e);

    return r ? rows_int(r, args, out, found, e) : e->code;
}

enum status db_true(struct db *db, int query, struct args args, bool *out, struct err *e)
{
    int64_t n = 0;

    if (db_int(db, query, args, &n, NULL, e) != OK)
        return e->code;
    *out = n != 0;
    return OK;
}

enum status db_str(struct db *db, int query, struct args args, struct arena *a, struct str *out,
                   bool *found, struct err *e)
{
    static const struct columns first = {sizeof(struct str), {{COLUMN_STR, 0, 0}}};

    return db_row(db, query, args, a, &first, out, found, e);
}

enum status db_each_of(struct db *db, int query, struct args all, size_t n, row_of_fn *fn,
                       void *user, struct err *e)
{
    struct rows *r = rows_of(db, query, e);

    return r ? rows_each_of(r, all, n, fn, user, e) : e->code;
}

struct rows_of {
    struct arena *arena;
    const struct columns *columns;
    char *v;
};

static enum status take_row(void *user, size_t i, const struct rows *row, struct err *e)
{
    const struct rows_of *to = user;

    (void)e;
    row_into(to->arena, row, to->columns, to->v + i * to->columns->size);
    return OK;
}

enum status db_row_of_each(struct db *db, int query, struct args all, size_t n, struct arena *a,
                           const struct columns *c, void *out, struct err *e)
{
    return db_each_of(db, query, all, n, take_row, &(struct rows_of){a, c, out}, e);
}

enum status db_add_all(struct db *db, int query, struct args all, size_t n, int64_t *ids,
                       struct err *e)
{
    struct rows *r = rows_of(db, query, e);
    int64_t changed = 0;

    if (!r)
        return e->code;
    if (db->driver->add_all)
        return check(r, all, e) == OK ? db->driver->add_all(r, all, n, ids, e) : e->code;
    for (size_t i = 0; i < n; i++) {
        if (rows_run(r, args_of(all, n, i), &changed, e) != OK)
            return e->code;
        ids[i] = changed ? db->driver->added(db) : 0;
    }
    return OK;
}

enum status db_list(struct db *db, int query, struct args args, const struct row_list *l,
                    struct err *e)
{
    struct rows *r = rows_of(db, query, e);

    return r ? rows_list(r, args, l, e) : e->code;
}

bool row_null(const struct rows *r, int column)
{
    return r->driver->null(r, column);
}

int64_t row_int(const struct rows *r, int column)
{
    return r->driver->integer(r, column);
}

double row_real(const struct rows *r, int column)
{
    return row_null(r, column) ? (double)NAN : r->driver->real(r, column);
}

struct str row_str(const struct rows *r, int column)
{
    return r->driver->text(r, column);
}

struct str row_copy(struct arena *a, const struct rows *r, int column)
{
    return arena_str(a, row_str(r, column));
}

struct str row_bytes(struct arena *a, const struct rows *r, int column)
{
    return r->driver->bytes(a, r, column);
}

const char *row_text(const struct rows *r, int column)
{
    return row_null(r, column) ? NULL : row_str(r, column).p;
}

const char *row_text_copy(struct arena *a, const struct rows *r, int column)
{
    return row_null(r, column) ? NULL : row_copy(a, r, column).p;
}

void row_into(struct arena *a, const struct rows *r, const struct columns *c, void *out)
{
    memset(out, 0, c->size);
    for (const struct column_at *m = c->v; m->type != COLUMN_END; m++) {
        void *to = (char *)out + m->at;
        switch (m->type) {
        case COLUMN_INT:
            *(int64_t *)to = row_int(r, m->column);
            break;
        case COLUMN_BOOL:
            *(bool *)to = row_int(r, m->column) != 0;
            break;
        case COLUMN_REAL:
            *(double *)to = row_real(r, m->column);
            break;
        case COLUMN_TEXT:
            *(const char **)to = a ? row_text_copy(a, r, m->column) : row_text(r, m->column);
            break;
        case COLUMN_STR:
            *(struct str *)to = a ? row_copy(a, r, m->column) : row_str(r, m->column);
            break;
        case COLUMN_END:
        case COLUMN_WORD:
            break;
        }
    }
}

void row_first_int(struct arena *a, const struct rows *row, void *element)
{
    (void)a;
    *(int64_t *)element = row_int(row, 0);
}
