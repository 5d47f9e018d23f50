#include <libpq-fe.h>
#include <math.h>
#include <stdlib.h>

#include "base/message.h"
#include "db/db_driver.h"
#include "db/db_sqlstate.h"
#include "db/many.h"

enum { NUMBER_MAX = 32 };

struct number {
    char text[NUMBER_MAX];
};

struct pg {
    struct db base;
    PGconn *conn;
    bool pooled;    /* transactions may run in different sessions (pgbouncer) */
    int epoch;      /* incremented for every new connection, which has no prepared statements */
    int statements; /* number made so far, for their names */
    size_t cap;     /* of the parameter arrays below */
    const char **values;
    int *lengths, *formats;
    struct number *numbers;
    const char **posted; /* statements without a result yet, by name: [received, sent) */
    size_t received, sent, posted_cap;
    bool synced; /* a sync was sent, so the server answers them */
    struct held {
        struct rows *of; /* NULL: nothing is held */
        struct arena *arena;
        struct val *v; /* n sets of arguments */
        size_t n, values, cap, bytes;
    } held; /* executions of one statement, to be sent as one before anything else is sent */
};

struct pg_rows {
    struct rows base;
    char *sql;
    char name[16];
    bool by_text;      /* never prepared: the plan depends on how common the pattern is */
    int epoch;         /* the connection that it was prepared on */
    unsigned *types;   /* of its parameters, if several executions can be sent as one; else NULL */
    bool by_key;       /* ... as long as their first arguments differ */
    struct rows *many; /* the statement for many sets of arguments; NULL until first used */
    bool adds;         /* ... which returns the ids of inserted rows, and fails if one exists */
    bool streaming;
    PGresult *result;
    int at; /* current row of result */
};

static struct pg *pg_of(struct db *db)
{
    return (struct pg *)db;
}

/* libpq's messages come in several lines; ours have one. */
static void set_line(struct err *e, enum status code, const char *url, const char *what,
                     const char *message)
{
    struct str m = str_trim(str_of(message));

    (void)err_set(e, code, "%s: %s%s%.*s", url, what ? what : "", what ? ": " : "", STR_ARG(m));
    for (char *p = e->msg; *p; p++)
        if (*p == '\n' || *p == '\t')
            *p = ' ';
}

static enum status fault(const struct pg *pg, const PGresult *result, const char *what,
                         struct err *e)
{
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    const char *severity = PQresultErrorField(result, PG_DIAG_SEVERITY);
    const char *message = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    bool fatal = severity && strcmp(severity, "FATAL") == 0;

    state = state ? state : "";
    message = message ? message : PQerrorMessage(pg->conn);
    /* The server's errors have a code. libpq can notice a lost connection while writing, before its
     * status says so. pgbouncer closes a connection with the code of a wrong call. */
    if (PQstatus(pg->conn) != CONNECTION_OK || !*state || fatal)
        set_line(e, E_BUSY, pg->base.url, N_("the connection was lost"), message);
    else if (db_sqlstate_passes(state))
        set_line(e, E_BUSY, pg->base.url, what, message);
    else if (strcmp(state, "53100") == 0)
        set_line(e, E_FULL, pg->base.url, N_("the server's disk is full; make room there"),
                 message);
    else if (strcmp(state, "42501") == 0)
        (void)err_set(
            e, E_STORE,
            "%s: %s; the owner of the tables can allow it: GRANT %s IN SCHEMA public TO \"%s\" (or "
            "in the schema that holds them); to create or migrate them, use the owner's account",
            pg->base.url, message,
            strstr(message, "_seq") ? "UPDATE ON ALL SEQUENCES" /* restored rows have ids */
                                    : "SELECT, INSERT, UPDATE, DELETE ON ALL TABLES",
            PQuser(pg->conn));
    else
        set_line(e, E_STORE, pg->base.url, what, message);
    return e->code;
}

static void clear_result(PGresult **result)
{
    PQclear(*result);
    *result = NULL;
}

static bool succeeded(const PGresult *result)
{
    ExecStatusType s = PQresultStatus(result);

    return s == PGRES_COMMAND_OK || s == PGRES_TUPLES_OK || s == PGRES_EMPTY_QUERY;
}

/* In a pool, session settings would be left to the next client: set them in each transaction. */
static PGresult *execute(struct pg *pg, const char *sql)
{
    AUTO(buf_done) struct buf b = BUF_MAX(1024);

    if (!pg->pooled || !str_starts(str_of(sql), STR("BEGIN")))
        return PQexec(pg->conn, sql);
    buf_fmt(&b,
            "%s; SET LOCAL lock_timeout = '5s'; SET LOCAL statement_timeout = '30min';"
            "SET LOCAL idle_in_transaction_session_timeout = '10s'",
            sql);
    return PQexec(pg->conn, buf_str(&b).p);
}

/* ---- sending without waiting: libpq's pipeline mode, entered by the first such statement ---- */

/* Begins with a sync of its own: otherwise, if the last statement before it was in single-row mode,
 * the first one in the pipeline would be too (libpq 15). */
static bool enter_pipeline(struct pg *pg)
{
    return PQenterPipelineMode(pg->conn) && PQpipelineSync(pg->conn);
}

/* The result of the oldest statement. The results of a query end with NULL. */
static PGresult *next_outcome(struct pg *pg)
{
    PGresult *result;

    if (!pg->synced) {
        (void)PQpipelineSync(pg->conn);
        PQclear(PQgetResult(pg->conn)); /* the sync that began the pipeline */
        pg->synced = true;
    }
    result = PQgetResult(pg->conn);
    if (result)
        PQclear(PQgetResult(pg->conn));
    return result;
}

static enum status send_held(struct pg *pg, struct err *e);

/* Discards what is held; it would be rolled back anyway. */
static void drop_held(struct pg *pg)
{
    arena_free(pg->held.arena);
    free(pg->held.v);
    pg->held = (struct held){0};
}

/* Statements that were skipped because an earlier one failed are not reported. */
static enum status pg_settle(struct db *db, struct err *e)
{
    struct pg *pg = pg_of(db);
    enum status st = send_held(pg, e);

    if (pg->sent == 0)
        return st;
    for (; pg->received < pg->sent; pg->received++) {
        AUTO(clear_result) PGresult *result = next_outcome(pg);
        if (st == OK && !succeeded(result))
            st = fault(pg, result, pg->posted[pg->received], e);
    }
    PQclear(PQgetResult(pg->conn)); /* the end of the pipeline */
    pg->received = pg->sent = 0;
    pg->synced = false;
    if (!PQexitPipelineMode(pg->conn) && st == OK)
        st = fault(pg, NULL, NULL, e);
    return st;
}

static enum status pg_script(struct db *db, const char *sql, struct err *e)
{
    struct pg *pg = pg_of(db);
    bool undoes = str_starts(str_of(sql), STR("ROLLBACK"));
    enum status settled;
    AUTO(clear_result) PGresult *result = NULL;

    if (undoes)
        drop_held(pg);
    settled = pg_settle(db, e);
    if (settled != OK && !undoes)
        return settled;
    result = execute(pg, sql);
    if (!succeeded(result))
        return fault(pg, result, NULL, e);
    /* COMMIT after a failed statement "succeeds" by rolling back. */
    if (strcmp(PQcmdStatus(result), "ROLLBACK") == 0 && !undoes)
        return err_set(e, E_STORE, "%s: nothing was saved: an earlier statement failed", db->url);
    return OK;
}

/* Replaces the name of the bytewise collation by PostgreSQL's. */
static void name_collation(char *sql)
{
    static const char lite[] = "COLLATE BINARY", here[] = "COLLATE \"C\"   ";

    for (char *at = strstr(sql, lite); at; at = strstr(at, lite))
        memcpy(at, here, strlen(lite));
}

static enum status pg_prepare(struct db *db, const char *sql, struct rows **out, struct err *e)
{
    struct pg *pg = pg_of(db);
    struct pg_rows *r = mem_new(sizeof *r);

    (void)e; /* it is prepared on first use, and again on every new connection */
    (void)snprintf(r->name, sizeof r->name, "s%d", pg->statements++);
    r->sql = db_text(sql);
    name_collation(r->sql);
    r->by_text = strstr(r->sql, "LIKE lower($") != NULL;
    *out = &r->base;
    return OK;
}

/* The server keeps its half until the connection ends. If held arguments cannot be sent, the next
 * call reports it. */
static void pg_release(struct rows *base)
{
    struct pg_rows *r = (struct pg_rows *)base;
    struct pg *pg = pg_of(base->db);

    if (pg->held.of == base)
        (void)!send_held(pg, &(struct err){0});
    PQclear(r->result);
    rows_freep(&r->many);
    free(r->types);
    free(r->sql);
    free(r);
}

static void make_room(struct pg *pg, size_t n)
{
    if (n <= pg->cap)
        return;
    pg->values = mem_resize(pg->values, n * sizeof *pg->values);
    pg->lengths = mem_resize(pg->lengths, n * sizeof *pg->lengths);
    pg->formats = mem_resize(pg->formats, n * sizeof *pg->formats);
    pg->numbers = mem_resize(pg->numbers, n * sizeof *pg->numbers);
    pg->cap = n;
}

/* Numbers are sent as text. Text and bytes are sent in binary format: the same bytes, but with a
 * length, so they need not end in NUL. */
static void bind(struct pg *pg, size_t i, const struct val *v)
{
    pg->values[i] = NULL;
    pg->lengths[i] = 0;
    pg->formats[i] = 0;
    if (v->kind == VAL_INT) {
        (void)snprintf(pg->numbers[i].text, NUMBER_MAX, "%lld", (long long)v->i);
        pg->values[i] = pg->numbers[i].text;
    } else if (v->kind == VAL_REAL && !isnan(v->d)) {
        (void)snprintf(pg->numbers[i].text, NUMBER_MAX, "%.17g", v->d);
        pg->values[i] = pg->numbers[i].text;
    } else if (v->kind == VAL_TEXT || v->kind == VAL_BYTES) {
        pg->values[i] = v->s.p ? v->s.p : "";
        pg->lengths[i] = (int)v->s.n;
        pg->formats[i] = 1;
    }
}

/* In a pool the next session does not know a statement that this one prepared. */
static bool prepared(const struct pg *pg, const struct pg_rows *r)
{
    return !pg->pooled && !r->by_text;
}

static bool post(struct pg *pg, const struct pg_rows *r, int n)
{
    return prepared(pg, r)
               ? PQsendQueryPrepared(pg->conn, r->name, n, pg->values, pg->lengths, pg->formats, 0)
               : PQsendQueryParams(pg->conn, r->sql, n, NULL, pg->values, pg->lengths, pg->formats,
                                   0);
}

static PGresult *ask(struct pg *pg, const struct pg_rows *r, int n)
{
    return prepared(pg, r)
               ? PQexecPrepared(pg->conn, r->name, n, pg->values, pg->lengths, pg->formats, 0)
               : PQexecParams(pg->conn, r->sql, n, NULL, pg->values, pg->lengths, pg->formats, 0);
}

/* Asks the server for the types of the parameters. */
static void learn_types(struct pg *pg, struct pg_rows *r)
{
    AUTO(clear_result) PGresult *result = PQdescribePrepared(pg->conn, r->name);
    int n = succeeded(result) ? PQnparams(result) : 0;

    rows_freep(&r->many); /* it may have been made before the types were known */
    free(r->types);
    r->types = n ? mem_new((size_t)n * sizeof *r->types) : NULL;
    for (int i = 0; i < n && r->types; i++) {
        r->types[i] = PQparamtype(result, i);
        if (r->types[i] != PG_INT8 && r->types[i] != PG_FLOAT8 && r->types[i] != PG_TEXT) {
            free(r->types);
            r->types = NULL;
        }
    }
}

static enum status prepare_there(struct pg *pg, struct pg_rows *r, struct err *e)
{
    AUTO(clear_result) PGresult *result = PQprepare(pg->conn, r->name, r->sql, 0, NULL);

    if (!succeeded(result))
        return fault(pg, result, r->base.name, e);
    r->epoch = pg->epoch;
    r->by_key = many_by_key(r->sql);
    if (many_can(r->sql))
        learn_types(pg, r);
    return OK;
}

static void note_changed(struct pg_rows *r)
{
    r->base.changed = strtoll(PQcmdTuples(r->result), NULL, 10);
}

static enum status make_ready(struct pg *pg, struct pg_rows *r, struct args args, struct err *e)
{
    if (prepared(pg, r) && r->epoch != pg->epoch &&
        (pg_settle(&pg->base, e) != OK || prepare_there(pg, r, e) != OK))
        return e->code;
    make_room(pg, args.n);
    for (size_t i = 0; i < args.n; i++)
        bind(pg, i, &args.v[i]);
    return OK;
}

static void note_posted(struct pg *pg, const char *name)
{
    pg->posted = mem_grow(pg->posted, &pg->posted_cap, pg->sent + 1, sizeof *pg->posted);
    pg->posted[pg->sent++] = name;
}

static enum status send_one(struct rows *base, struct args args, struct err *e)
{
    struct pg_rows *r = (struct pg_rows *)base;
    struct pg *pg = pg_of(base->db);

    if (send_held(pg, e) != OK || make_ready(pg, r, args, e) != OK)
        return e->code;
    if ((pg->sent == 0 && !enter_pipeline(pg)) || !post(pg, r, (int)args.n))
        return fault(pg, NULL, base->name, e);
    note_posted(pg, base->name);
    return OK;
}

enum { HELD_MAX = 256, HELD_BYTES = 1 << 20 };

/* Two changes of one row must not be in one statement, which would apply only one of them. */
static bool is_held(const struct held *h, const struct val *key)
{
    for (size_t i = 0; i < h->n; i++)
        if (h->v[i * h->values].i == key->i)
            return true;
    return false;
}

static void hold(struct held *h, struct rows *of, struct args args)
{
    if (!h->of)
        *h = (struct held){.of = of, .arena = arena_new(), .values = args.n};
    h->v = mem_grow(h->v, &h->cap, (h->n + 1) * args.n, sizeof *h->v);
    for (size_t k = 0; k < args.n; k++) {
        struct val *v = &h->v[h->n * args.n + k];
        *v = args.v[k];
        if (v->kind == VAL_TEXT) {
            v->s = arena_str(h->arena, v->s);
            h->bytes += v->s.n;
        }
    }
    h->n++;
}

/* Whether the values have the types that the server expects: in an array nothing would convert
 * them. */
static bool fits(const struct pg_rows *r, struct args args)
{
    for (size_t k = 0; k < args.n; k++)
        if (args.v[k].kind != VAL_NULL && many_type(args.v[k].kind) != r->types[k])
            return false;
    return true;
}

static enum status pg_post(struct rows *base, struct args args, struct err *e)
{
    struct pg_rows *r = (struct pg_rows *)base;
    struct pg *pg = pg_of(base->db);
    struct held *h = &pg->held;

    if (prepared(pg, r) && r->epoch != pg->epoch && make_ready(pg, r, args, e) != OK)
        return e->code;
    if (!prepared(pg, r) || !r->types || !fits(r, args) || args.v[0].kind == VAL_NULL)
        return send_one(base, args, e);
    if (h->of &&
        (h->of != base || h->n == HELD_MAX || h->bytes > HELD_BYTES ||
         (r->by_key && is_held(h, &args.v[0]))) &&
        send_held(pg, e) != OK)
        return e->code;
    hold(h, base, args);
    return OK;
}

static enum status pg_post_script(struct db *db, const char *sql, struct err *e)
{
    struct pg *pg = pg_of(db);

    if (send_held(pg, e) != OK)
        return e->code;
    if ((pg->sent == 0 && !enter_pipeline(pg)) ||
        !PQsendQueryParams(pg->conn, sql, 0, NULL, NULL, NULL, NULL, 0))
        return fault(pg, NULL, NULL, e);
    note_posted(pg, NULL);
    return OK;
}

/* Starts a statement behind those that were posted, and waits once for all of them. */
static enum status start_behind(struct rows *base, struct args args, struct err *e)
{
    struct pg_rows *r = (struct pg_rows *)base;
    struct pg *pg = pg_of(base->db);
    enum status st = send_one(base, args, e);

    for (; st == OK && pg->received + 1 < pg->sent; pg->received++) {
        AUTO(clear_result) PGresult *result = next_outcome(pg);
        if (!succeeded(result))
            st = fault(pg, result, pg->posted[pg->received], e);
    }
    if (st == OK) {
        r->streaming = false;
        r->at = -1;
        r->result = next_outcome(pg);
        pg->received++;
        st = succeeded(r->result) ? OK : fault(pg, r->result, base->name, e);
    }
    if (st == OK) {
        note_changed(r);
        return pg_settle(base->db, e);
    }
    clear_result(&r->result);
    (void)!pg_settle(base->db, &(struct err){0}); /* the first fault is the reason */
    return st;
}

static enum status pg_start(struct rows *base, struct args args, bool inside, struct err *e)
{
    struct pg_rows *r = (struct pg_rows *)base;
    struct pg *pg = pg_of(base->db);
    int n = (int)args.n;

    if (send_held(pg, e) != OK)
        return e->code;
    if (pg->sent && (!inside || base->few))
        return start_behind(base, args, e);
    if (pg_settle(base->db, e) != OK || make_ready(pg, r, args, e) != OK)
        return e->code;
    r->streaming = inside;
    r->at = -1;
    if (inside) {
        if (!post(pg, r, n))
            return fault(pg, NULL, base->name, e);
        (void)PQsetSingleRowMode(pg->conn);
        return OK;
    }
    r->result = ask(pg, r, n);
    if (!succeeded(r->result)) {
        (void)fault(pg, r->result, base->name, e);
        clear_result(&r->result);
        return e->code;
    }
    note_changed(r);
    return OK;
}

static bool pg_step(struct rows *base)
{
    struct pg_rows *r = (struct pg_rows *)base;
    struct pg *pg = pg_of(base->db);

    if (!r->streaming)
        return ++r->at < PQntuples(r->result);
    PQclear(r->result);
    r->result = PQgetResult(pg->conn);
    r->at = 0;
    if (PQresultStatus(r->result) == PGRES_SINGLE_TUPLE)
        return true;
    if (succeeded(r->result))
        note_changed(r);
    else
        (void)fault(pg, r->result, base->name, &base->fault);
    return false;
}

/* A stream must be read to its end before the connection can be used again. Outside a transaction,
 * a commit that fails is also reported there, after the statement's own result. */
static void pg_finish(struct rows *base)
{
    struct pg_rows *r = (struct pg_rows *)base;
    struct pg *pg = pg_of(base->db);

    clear_result(&r->result);
    while (r->streaming && (r->result = PQgetResult(pg->conn))) {
        bool row = PQresultStatus(r->result) == PGRES_SINGLE_TUPLE;
        if (!row && !succeeded(r->result) && base->fault.code == OK)
            (void)fault(pg, r->result, base->name, &base->fault);
        clear_result(&r->result);
    }
}

/* ---- many sets of arguments in one statement ---- */

enum { MANY_SQL_MAX = 64 << 10 };

static enum status prepare_many(struct pg_rows *r, const unsigned *types, size_t n, struct err *e)
{
    AUTO(buf_done) struct buf b = BUF_MAX(MANY_SQL_MAX);

    many_sql(&b, r->sql, types, n, r->adds);
    return rows_new(r->base.db, buf_str(&b).p, &r->many, e);
}

/* Makes r->many, the statement for all sets, and its arguments, in the arena. */
static enum status make_many(struct arena *a, struct pg_rows *r, struct args all, size_t n,
                             struct args *args, struct err *e)
{
    struct args one = {all.v, all.n / n};
    struct val *v = NEW_N(a, struct val, one.n + 1);
    unsigned *types = NEW_N(a, unsigned, one.n + 1);

    if (r->types && !fits(r, one))
        return err_set(e, E_STORE, "%s: %s: arguments of other types than its columns have",
                       r->base.db->url, r->base.name);
    for (size_t k = 0; k < one.n; k++)
        types[k] = r->types ? r->types[k] : many_type(one.v[k].kind);
    if (!r->many && prepare_many(r, types, one.n, e) != OK)
        return e->code;
    for (size_t k = 0; k < one.n; k++)
        if (!many_array(a, types[k], all, n, k, &v[k]))
            return err_set(e, E_STORE, "%s: %s: more than %d MB of arguments", r->base.db->url,
                           r->base.name, MANY_ARGS_MAX >> 20);
    r->many->name = r->base.name;
    *args = (struct args){v, one.n};
    return OK;
}

static enum status send_held(struct pg *pg, struct err *e)
{
    struct held h = pg->held;
    struct args all = {h.v, h.n * h.values}, args = NO_ARGS;
    enum status st;

    if (!h.of)
        return OK;
    pg->held = (struct held){0};
    if (h.n == 1)
        st = send_one(h.of, all, e);
    else if ((st = make_many(h.arena, (struct pg_rows *)h.of, all, h.n, &args, e)) == OK)
        st = send_one(((struct pg_rows *)h.of)->many, args, e);
    arena_free(h.arena);
    free(h.v);
    return st;
}

static enum status pg_many(struct rows *base, struct args all, size_t n, row_of_fn *fn, void *user,
                           struct err *e)
{
    struct pg_rows *r = (struct pg_rows *)base;
    AUTO(arena_freep) struct arena *a = arena_new();
    enum status st = OK;
    struct args args = NO_ARGS;

    if (n == 0)
        return OK;
    if (send_held(pg_of(base->db), e) != OK || make_many(a, r, all, n, &args, e) != OK)
        return e->code;
    if (!fn)
        return rows_run(r->many, args, NULL, e);
    if (rows_open(r->many, args, e) != OK)
        return e->code;
    while (st == OK && rows_next(r->many)) {
        const PGresult *result = ((const struct pg_rows *)r->many)->result;
        st = fn(user, (size_t)row_int(r->many, PQnfields(result) - 1), r->many, e);
    }
    if (st == OK)
        return rows_end(r->many, e);
    (void)!rows_end(r->many, &(struct err){0}); /* the reason to stop comes first */
    return st;
}

/* As many of the n sets of arguments as go into one statement. */
static struct args some_of(const struct val *v, size_t each, size_t n)
{
    size_t some = 0, bytes = 0;

    for (; some < n && some < HELD_MAX && bytes <= HELD_BYTES; some++)
        for (size_t k = 0; k < each; k++)
            bytes += v[some * each + k].s.n;
    return (struct args){v, some * each};
}

/* Ids are returned in the order of insertion. */
static enum status add_together(struct pg_rows *r, struct args some, size_t n, int64_t *ids,
                                struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct args args = NO_ARGS;

    if (make_many(a, r, some, n, &args, e) != OK || rows_open(r->many, args, e) != OK)
        return e->code;
    for (size_t i = 0; i < n && rows_next(r->many); i++)
        ids[i] = row_int(r->many, 0);
    return rows_end(r->many, e);
}

/* Returns to the savepoint. If that is impossible because an earlier statement failed, *e says
 * why. */
static enum status take_back(struct db *db, struct err *e)
{
    struct err why = {0};

    if (!db->in_transaction || pg_script(db, "ROLLBACK TO SAVEPOINT adding", &why) == OK) {
        *e = (struct err){0};
        return OK;
    }
    if (why.code != E_STORE)
        *e = why;
    return e->code;
}

/* Some rows exist already: each of the others is added on its own, and the caller asks for all
 * ids. */
static enum status add_missing(struct rows *base, struct args some, size_t n, int64_t *ids,
                               struct err *e)
{
    size_t each = some.n / n;

    if (take_back(base->db, e) != OK)
        return e->code;
    memset(ids, 0, n * sizeof *ids);
    for (size_t i = 0; i < n; i++)
        if (send_one(base, (struct args){some.v + i * each, each}, e) != OK)
            return e->code;
    return pg_settle(base->db, e);
}

/* Most rows are new: looking for each before adding it costs more than starting over if one
 * exists. */
static enum status pg_add_all(struct rows *base, struct args all, size_t n, int64_t *ids,
                              struct err *e)
{
    struct pg_rows *r = (struct pg_rows *)base;
    struct db *db = base->db;
    size_t each = n ? all.n / n : 0;

    if (!r->adds)
        rows_freep(&r->many);
    r->adds = true;
    for (size_t i = 0, k; i < n; i += k) {
        struct args some = some_of(all.v + i * each, each, n - i);
        k = some.n / each;
        if (db->in_transaction && pg_post_script(db, "SAVEPOINT adding", e) != OK)
            return e->code;
        if (add_together(r, some, k, ids + i, e) != OK &&
            (e->code != E_STORE || add_missing(base, some, k, ids + i, e) != OK))
            return e->code;
        if (db->in_transaction && pg_post_script(db, "RELEASE SAVEPOINT adding", e) != OK)
            return e->code;
    }
    return OK;
}

/* Reads the results of both statements; the first fault counts. A result ends with NULL: if another
 * NULL follows, libpq does not expect anything any more, even if its status does not say so. */
static enum status read_commit(struct pg *pg, const char *name, struct err *e)
{
    bool synced = false, good = true, ended = false;

    while (!synced) {
        AUTO(clear_result) PGresult *result = PQgetResult(pg->conn);
        if (!result && (ended || PQstatus(pg->conn) != CONNECTION_OK))
            return fault(pg, NULL, name, e);
        ended = !result;
        synced = PQresultStatus(result) == PGRES_PIPELINE_SYNC;
        if (!result || synced || !good)
            continue;
        good = succeeded(result) && strcmp(PQcmdStatus(result), "ROLLBACK") != 0;
        if (!good)
            (void)fault(pg, result, name, e);
    }
    return good ? OK : e->code;
}

static enum status pg_commit_after(struct rows *base, struct args args, struct err *e)
{
    struct pg_rows *r = (struct pg_rows *)base;
    struct pg *pg = pg_of(base->db);
    enum status st;

    if (pg_settle(base->db, e) != OK || make_ready(pg, r, args, e) != OK)
        return e->code;
    if (!PQenterPipelineMode(pg->conn) || !post(pg, r, (int)args.n) ||
        !PQsendQueryParams(pg->conn, "COMMIT", 0, NULL, NULL, NULL, NULL, 0) ||
        !PQpipelineSync(pg->conn))
        st = fault(pg, NULL, base->name, e);
    else
        st = read_commit(pg, base->name, e);
    (void)PQexitPipelineMode(pg->conn); /* a lost connection is made anew: pg_revive() */
    return st;
}

static const char *cell(const struct rows *base, int column)
{
    const struct pg_rows *r = (const struct pg_rows *)base;

    return PQgetvalue(r->result, r->at, column);
}

static bool pg_null(const struct rows *base, int column)
{
    const struct pg_rows *r = (const struct pg_rows *)base;

    return PQgetisnull(r->result, r->at, column);
}

/* A boolean is "t" here and 1 on SQLite: EXISTS and comparisons must read the same on both. */
static int64_t pg_integer(const struct rows *r, int column)
{
    const char *text = cell(r, column);

    return text[0] == 't' ? 1 : strtoll(text, NULL, 10);
}

static double pg_real(const struct rows *r, int column)
{
    return strtod(cell(r, column), NULL);
}

static struct str pg_text(const struct rows *base, int column)
{
    const struct pg_rows *r = (const struct pg_rows *)base;

    return (struct str){cell(base, column), (size_t)PQgetlength(r->result, r->at, column)};
}

static struct str pg_bytes(struct arena *a, const struct rows *base, int column)
{
    size_t n = 0;
    unsigned char *bytes = PQunescapeBytea((const unsigned char *)cell(base, column), &n);
    struct str copy = arena_str(a, (struct str){(const char *)bytes, bytes ? n : 0});

    PQfreemem(bytes);
    return copy;
}

static struct val pg_value(const struct rows *base, int column)
{
    if (pg_null(base, column))
        return V_NULL;
    switch (PQftype(((const struct pg_rows *)base)->result, column)) {
    case PG_BOOL:
    case PG_INT2:
    case PG_INT4:
    case PG_INT8:
        return V_INT(pg_integer(base, column));
    case PG_FLOAT4:
    case PG_FLOAT8:
        return V_REAL(pg_real(base, column));
    case PG_BYTEA:
        return V_BYTES(STR(""));
    default:
        return V_STR(pg_text(base, column));
    }
}

static const char *option(const PQconninfoOption *options, const char *keyword)
{
    for (; options->keyword; options++)
        if (strcmp(options->keyword, keyword) == 0)
            return options->val;
    return NULL;
}

static char *address_of(const PQconninfoOption *options)
{
    AUTO(buf_done) struct buf b = BUF_MAX(1024);
    const char *user = option(options, "user"), *host = option(options, "host");
    const char *port = option(options, "port"), *name = option(options, "dbname");
    bool socket = host && host[0] == '/';

    buf_fmt(&b, "postgresql://%s%s%s", user ? user : "", user ? "@" : "",
            host && !socket ? host : "");
    if (port)
        buf_fmt(&b, ":%s", port);
    buf_fmt(&b, "/%s", name ? name : "");
    if (socket)
        buf_fmt(&b, "?host=%s", host);
    return db_text(buf_str(&b).p);
}

/* The address without its password. A password with a bare @ or / in it spills into the parts
 * behind it, and libpq's complaint would show it: refuse such an address in our own words. */
static enum status read_address(const char *url, char **out, struct err *e)
{
    static const char *const plain[] = {"host", "port", "dbname"};
    PQconninfoOption *options = PQconninfoParse(url, NULL);
    bool good = options != NULL;

    for (size_t i = 0; good && i < COUNT(plain); i++) {
        const char *value = option(options, plain[i]);
        good = !value || !strchr(value, '@');
    }
    if (good)
        *out = address_of(options);
    PQconninfoFree(options);
    return good ? OK
                : err_set(e, E_USAGE,
                          "the PostgreSQL address cannot be parsed; write "
                          "postgresql://user:password@host:5432/name with @ and / in the password "
                          "as %%40 and %%2F");
}

static void ignore_notice(void *user, const PGresult *result)
{
    (void)user;
    (void)result;
}

/* A pool answers in place of the server, and gives a process id that is not that of the session. */
static enum status find_pool(struct pg *pg, struct err *e)
{
    AUTO(clear_result) PGresult *result = PQexec(pg->conn, "SELECT pg_backend_pid()");

    if (!succeeded(result))
        return fault(pg, result, NULL, e);
    pg->pooled = atoi(PQgetvalue(result, 0, 0)) != PQbackendPID(pg->conn);
    return OK;
}

/* After every connect. Nobody waits longer for a lock than on SQLite. A client that stops inside a
 * transaction or cannot be reached holds its locks only for seconds. Readers lock nothing, and may
 * be as slow as the consumer of their rows. Queries are short and many: compiling one costs more
 * than it saves. */
static enum status settle(struct pg *pg, struct err *e)
{
    const char *sql =
        pg->base.mode == DB_READ
            ? "SET jit = off; SET lock_timeout = '5s'; SET default_transaction_read_only = on"
            : "SET jit = off; SET lock_timeout = '5s';"
              "SET idle_in_transaction_session_timeout = '10s';"
              "SET statement_timeout = '30min'; SET tcp_keepalives_idle = 20;"
              "SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3;"
              "SET tcp_user_timeout = 30000";

    pg->epoch++;
    (void)PQsetNoticeReceiver(pg->conn, ignore_notice, NULL);
    if (find_pool(pg, e) != OK)
        return e->code;
    return pg->pooled ? OK : pg_script(&pg->base, sql, e);
}

static enum status unreachable(const struct pg *pg, struct err *e)
{
    set_line(e, E_BUSY, pg->base.url, N_("cannot be reached"), PQerrorMessage(pg->conn));
    return e->code;
}

/* The server answers, but we are not connected: it may have come back just now. The second time
 * libpq is asked for the code of the refusal, which it gives in no other form. */
static enum status insist(struct pg *pg, struct err *e)
{
    char state[6];

    set_line(e, E_BUSY, pg->base.url, N_("the server refuses"), PQerrorMessage(pg->conn));
    (void)PQsetErrorVerbosity(pg->conn, PQERRORS_SQLSTATE);
    PQreset(pg->conn);
    if (PQstatus(pg->conn) == CONNECTION_OK) {
        (void)PQsetErrorVerbosity(pg->conn, PQERRORS_DEFAULT);
        e->code = OK;
    } else if (db_sqlstate_bars(db_sqlstate_at_end(str_of(PQerrorMessage(pg->conn)), state))) {
        e->code = E_STORE;
    }
    return e->code;
}

static void pg_close(struct db *db)
{
    struct pg *pg = pg_of(db);

    drop_held(pg);
    PQfinish(pg->conn);
    free(pg->values);
    free(pg->lengths);
    free(pg->formats);
    free(pg->numbers);
    free(pg->posted);
    free(pg);
}

static enum status pg_open(struct db **out, const char *url, enum db_mode mode, struct err *e)
{
    /* The keys before dbname are defaults that the address may override. */
    const char *const keys[] = {
        "connect_timeout", "keepalives_idle",  "tcp_user_timeout",     "dbname",
        "client_encoding", "application_name", "target_session_attrs", NULL};
    const char *const values[] = {
        "10", "30", "30000", url, "UTF8", "audition", mode == DB_READ ? "any" : "read-write", NULL};
    char *address = NULL;
    enum status st = OK;
    struct pg *pg;

    if (read_address(url, &address, e) != OK)
        return e->code;
    pg = mem_new(sizeof *pg);
    pg->base.mode = mode;
    pg->base.url = address;
    pg->conn = PQconnectdbParams(keys, values, 1);
    if (PQstatus(pg->conn) != CONNECTION_OK)
        st = PQpingParams(keys, values, 1) == PQPING_OK ? insist(pg, e) : unreachable(pg, e);
    if (st == OK && settle(pg, e) == OK) {
        *out = &pg->base;
        return OK;
    }
    free(address);
    pg_close(&pg->base);
    return e->code;
}

static enum status pg_revive(struct db *db, struct err *e)
{
    struct pg *pg = pg_of(db);

    drop_held(pg);
    if (pg_script(db, "SELECT 1", e) == OK)
        return OK;
    PQreset(pg->conn);
    if (PQstatus(pg->conn) != CONNECTION_OK)
        return unreachable(pg, e); /* it was reachable before: worth waiting for */
    return settle(pg, e);
}

static enum status pg_backup(struct db *db, const char *path, struct err *e)
{
    return err_set(e, E_USAGE, "%s: back up PostgreSQL with its own tool: pg_dump -Fc -f %s ...",
                   db->url, path);
}

/* Moves identity columns past the highest id that was copied. */
static const char move_sequences[] =
    "DO $$ DECLARE c record; BEGIN"
    " FOR c IN SELECT t.relname, a.attname,"
    "   pg_get_serial_sequence(format('%I.%I', n.nspname, t.relname), a.attname) AS seq"
    "  FROM pg_class t JOIN pg_namespace n ON n.oid = t.relnamespace"
    "  JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped"
    "  WHERE n.nspname = current_schema() AND t.relkind = 'r'"
    " LOOP"
    "  IF c.seq IS NOT NULL THEN"
    "   EXECUTE format('SELECT setval(%L, COALESCE(max(%I), 0) + 1, false) FROM %I',"
    "    c.seq, c.attname, c.relname);"
    "  END IF;"
    " END LOOP; END $$";

/* The server updates its statistics once a minute; until then it takes a run of thousands of rows
 * for a handful and scans all of them for each lookup. */
static const char survey[] =
    "DO $$ DECLARE t record; BEGIN"
    " FOR t IN SELECT relid FROM pg_stat_user_tables WHERE schemaname = current_schema()"
    "   AND n_mod_since_analyze > 1000 + n_live_tup / 5"
    " LOOP EXECUTE format('ANALYZE (SKIP_LOCKED) %s', t.relid::regclass);"
    " END LOOP; END $$";

/* Takes a lock that only those may take who may write; if there are no tables yet, creates one. */
static const char try_write[] =
    "DO $$ DECLARE t record; BEGIN"
    " FOR t IN SELECT r.oid FROM pg_class r JOIN pg_namespace n ON n.oid = r.relnamespace"
    "   WHERE n.nspname = current_schema() AND r.relkind = 'r'"
    " LOOP EXECUTE format('LOCK TABLE %s IN ROW EXCLUSIVE MODE', t.oid::regclass);"
    " END LOOP;"
    " IF NOT FOUND THEN CREATE TABLE run (); END IF; END $$";

const struct db_driver db_pg_driver = {
    .name = "postgres",
    .id = "BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY",
    /* A page that cannot be read is an error, which ends the check. */
    .check =
        "SELECT CASE WHEN query_to_xml(format('SELECT COUNT(*) FROM %I', t.relname), true, true,"
        " '') IS NULL THEN t.relname ELSE 'ok' END FROM pg_class t JOIN pg_namespace n"
        " ON n.oid = t.relnamespace WHERE t.relkind = 'r' AND n.nspname = current_schema()",
    .begin_write = "BEGIN",
    .begin_snapshot = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
    .take_turns = "SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0; SELECT "
                  "pg_advisory_xact_lock(71828182845904523)",
    .tables = "SELECT t.relname FROM pg_class t JOIN pg_namespace n ON n.oid = t.relnamespace"
              " WHERE n.nspname = current_schema() AND t.relkind = 'r'"
              " AND t.relname !~ '^word_' ORDER BY t.oid",
    .references = "SELECT t.relname, r.relname FROM pg_constraint k"
                  " JOIN pg_class t ON t.oid = k.conrelid JOIN pg_class r ON r.oid = k.confrelid"
                  " JOIN pg_namespace n ON n.oid = t.relnamespace"
                  " WHERE k.contype = 'f' AND n.nspname = current_schema()",
    .columns = "SELECT a.attname FROM pg_attribute a JOIN pg_class t ON t.oid = a.attrelid"
               " JOIN pg_namespace n ON n.oid = t.relnamespace"
               " WHERE n.nspname = current_schema() AND t.relname = $1 AND a.attnum > 0"
               " AND NOT a.attisdropped ORDER BY a.attnum",
    .sizes = "SELECT t.relname, pg_total_relation_size(t.oid) AS bytes FROM pg_class t"
             " JOIN pg_namespace n ON n.oid = t.relnamespace"
             " WHERE n.nspname = current_schema() AND t.relkind = 'r'"
             " ORDER BY bytes DESC, t.relname",
    .space = "SELECT pg_database_size(current_database()), 0",
    /* A table that is locked is being vacuumed by its holder: if we waited, neither could shorten
     * the table. */
    .vacuum = "VACUUM (ANALYZE, SKIP_LOCKED)",
    .survey = survey,
    .try_write = try_write,
    /* Longer than we compute between two statements, shorter than others wait for us. */
    .compute = "SET LOCAL idle_in_transaction_session_timeout = '4min'",
    /* Sets of arguments are joined with a table row by row, each found through an index; and a plan
     * made for particular arguments would contain copies of all of them. */
    .by_key = "SELECT set_config(name, value, true) FROM (VALUES ('enable_seqscan', 'off'),"
              " ('enable_hashjoin', 'off'), ('enable_mergejoin', 'off'),"
              " ('enable_bitmapscan', 'off'), ('plan_cache_mode', 'force_generic_plan'))"
              " AS t (name, value)",
    .after_copy = move_sequences,
    .open = pg_open,
    .close = pg_close,
    .revive = pg_revive,
    .script = pg_script,
    .backup = pg_backup,
    .prepare = pg_prepare,
    .release = pg_release,
    .start = pg_start,
    .step = pg_step,
    .finish = pg_finish,
    .post = pg_post,
    .post_script = pg_post_script,
    .settle = pg_settle,
    .many = pg_many,
    .add_all = pg_add_all,
    .commit_after = pg_commit_after,
    .null = pg_null,
    .integer = pg_integer,
    .real = pg_real,
    .text = pg_text,
    .bytes = pg_bytes,
    .value = pg_value,
};
