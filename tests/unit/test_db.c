#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "db/db_driver.h"
#include "db/db_sqlstate.h"
#include "gen/queries.h"

/* Every shared test runs on SQLite and, where tests/pg.sh has started one, on PostgreSQL; each
 * with a new file or schema. */
struct world {
    char dir[64], url[512], schema[64];
    bool postgres;
    struct db *db;
};

/* On SQLite the child table comes first: a copy must find the safe order by itself. */
static const char first_sql[] = "-- sqlite\n"
                                "CREATE TABLE part(id {{id}}, actor BIGINT NOT NULL\n"
                                "    REFERENCES actor(id), line TEXT, state TEXT);\n"
                                "-- both\n"
                                "CREATE TABLE actor(id {{id}}, name TEXT NOT NULL UNIQUE,\n"
                                "    born BIGINT, height DOUBLE PRECISION,\n"
                                "    mentor BIGINT REFERENCES actor(id));\n"
                                "  -- postgres\n"
                                "CREATE TABLE part(id {{id}}, actor BIGINT NOT NULL\n"
                                "    REFERENCES actor(id), line TEXT, state TEXT);\n";
static const char second_sql[] = "CREATE INDEX part_actor ON part(actor);\n"
                                 "CREATE TABLE note(actor BIGINT, line TEXT,\n"
                                 "    PRIMARY KEY (actor, line));\n";
static const char broken_sql[] = "CREATE TABLE half(id {{id}});\nCREATE TABLE half(id {{id}});\n";

#define FILE_OF(name, text)                                                                        \
    {                                                                                              \
        "sql/migrate/" name,                                                                       \
        {                                                                                          \
            text, sizeof(text) - 1                                                                 \
        }                                                                                          \
    }
static const struct asset one_step[] = {
    FILE_OF("0001_cast.sql", first_sql), {"share/other.txt", {"x", 1}}, {NULL, {NULL, 0}}};
static const struct asset two_steps[] = {{"share/before.txt", {"x", 1}},
                                         FILE_OF("0001_cast.sql", first_sql),
                                         FILE_OF("0002_note.sql", second_sql),
                                         {NULL, {NULL, 0}}};
static const struct asset edited[] = {
    FILE_OF("0001_cast.sql", second_sql), FILE_OF("0002_note.sql", second_sql), {NULL, {NULL, 0}}};
static const struct asset breaking[] = {
    FILE_OF("0001_cast.sql", first_sql), FILE_OF("0002_half.sql", broken_sql), {NULL, {NULL, 0}}};

#define assert_ok(call) assert_ok_at((call), &e, __FILE__, __LINE__)

static void assert_ok_at(enum status st, const struct err *e, const char *file, int line)
{
    if (st == OK)
        return;
    print_error("%s:%d: status %d: %s\n", file, line, (int)st, e->msg);
    _fail(file, line);
}

static void assert_says(const struct err *e, const char *part)
{
    if (!strstr(e->msg, part))
        fail_msg("\"%s\" does not say \"%s\"", e->msg, part);
}

static void script(struct db *db, const char *sql)
{
    struct err e;

    assert_ok(db_script(db, sql, &e));
}

static int64_t run(struct db *db, const char *sql, struct args args)
{
    AUTO(rows_freep) struct rows *r = NULL;
    int64_t changed = -1;
    struct err e;

    assert_ok(rows_new(db, sql, &r, &e));
    assert_ok(rows_run(r, args, &changed, &e));
    return changed;
}

/* The status of a statement that is expected to fail. */
static enum status try_run(struct db *db, const char *sql, struct args args, struct err *e)
{
    AUTO(rows_freep) struct rows *r = NULL;
    int64_t changed;

    if (rows_new(db, sql, &r, e) != OK)
        return e->code;
    return rows_run(r, args, &changed, e);
}

static int64_t number(struct db *db, const char *sql, struct args args)
{
    AUTO(rows_freep) struct rows *r = NULL;
    int64_t value = -1;
    bool found = false;
    struct err e;

    assert_ok(rows_new(db, sql, &r, &e));
    assert_ok(rows_int(r, args, &value, &found, &e));
    assert_true(found);
    return value;
}

static struct db *open_db(const char *url, enum db_mode mode)
{
    struct db *db = NULL;
    struct err e;

    assert_ok(db_open(&db, url, mode, &e));
    return db;
}

static struct db *open_migrated(const char *url)
{
    struct db *db = open_db(url, DB_WRITE);
    struct err e;
    int applied;

    assert_ok(db_migrate_with(db, two_steps, &applied, &e));
    return db;
}

static void make_schema(struct world *w, const char *name)
{
    struct db *admin = open_db(getenv("AUDITION_TEST_PG"), DB_WRITE);
    char sql[128];

    (void)snprintf(sql, sizeof sql, "CREATE SCHEMA %s", name);
    script(admin, sql);
    db_close(admin);
    (void)snprintf(w->schema, sizeof w->schema, "%s", name);
    (void)snprintf(w->url, sizeof w->url, "%s&options=-csearch_path%%3D%s",
                   getenv("AUDITION_TEST_PG"), name);
}

static int setup_sqlite(void **state)
{
    struct world *w = mem_new(sizeof *w);

    (void)snprintf(w->dir, sizeof w->dir, "/tmp/audition-db.XXXXXX");
    assert_non_null(mkdtemp(w->dir));
    (void)snprintf(w->url, sizeof w->url, "%s/a.db", w->dir);
    w->db = open_db(w->url, DB_WRITE);
    *state = w;
    return 0;
}

static int setup_pg(void **state)
{
    static int serial;
    struct world *w;
    char name[32];

    assert_int_equal(setup_sqlite(state), 0);
    w = *state;
    db_close(w->db);
    (void)snprintf(name, sizeof name, "t%d_%d", (int)getpid(), ++serial);
    make_schema(w, name);
    w->postgres = true;
    w->db = open_db(w->url, DB_WRITE);
    return 0;
}

static int teardown(void **state)
{
    struct world *w = *state;
    char command[128];

    if (w->db && w->postgres) {
        (void)snprintf(command, sizeof command, "DROP SCHEMA %s CASCADE", w->schema);
        db_rollback(w->db);
        script(w->db, command);
    }
    db_close(w->db);
    (void)snprintf(command, sizeof command, "rm -rf '%s'", w->dir);
    assert_int_equal(system(command), 0);
    free(w);
    return 0;
}

/* ---- both databases ---- */

static void test_values(void **state)
{
    static const int64_t ints[] = {INT64_MIN, -1, 0, 1, INT64_MAX};
    static const double reals[] = {0.1, -1.0 / 3, 5e-324, 1.7976931348623157e308, INFINITY};
    struct db *db = ((struct world *)*state)->db;
    AUTO(rows_freep) struct rows *add = NULL;
    AUTO(rows_freep) struct rows *all = NULL;
    struct err e;

    script(db, "CREATE TABLE v(k BIGINT, i BIGINT, d DOUBLE PRECISION, s TEXT)");
    assert_ok(rows_new(db, "INSERT INTO v VALUES ($1, $2, $3, $4)", &add, &e));
    for (int k = 0; k < 5; k++)
        assert_ok(rows_run(add, ARGS(V_INT(k), V_INT(ints[k]), V_REAL(reals[k]), V_TEXT("桜 é 😀")),
                           NULL, &e));
    assert_ok(rows_run(add, ARGS(V_INT(5), V_NULL, V_REAL((double)NAN), V_TEXT(NULL)), NULL, &e));
    assert_ok(
        rows_run(add, ARGS(V_INT(6), V_NULL, V_NULL, V_STR(((struct str){NULL, 0}))), NULL, &e));
    assert_ok(rows_new(db, "SELECT i, d, s FROM v ORDER BY k", &all, &e));
    assert_ok(rows_open(all, NO_ARGS, &e));
    for (int k = 0; k < 5; k++) {
        assert_true(rows_next(all));
        assert_true(row_int(all, 0) == ints[k]);
        assert_true(row_real(all, 1) == reals[k]);
        assert_true(str_is(row_str(all, 2), "桜 é 😀"));
    }
    assert_true(rows_next(all));
    for (int column = 0; column < 3; column++)
        assert_true(row_null(all, column));
    assert_int_equal(row_int(all, 0), 0);
    assert_true(isnan(row_real(all, 1)));
    assert_int_equal(row_str(all, 2).n, 0);
    assert_null(row_text(all, 2));
    assert_true(rows_next(all)); /* the empty text is not NULL */
    assert_false(row_null(all, 2));
    assert_string_equal(row_text(all, 2), "");
    assert_false(rows_next(all));
    assert_false(rows_next(all)); /* the end stays the end */
    assert_ok(rows_end(all, &e));
}

static void test_long_text(void **state)
{
    struct db *db = ((struct world *)*state)->db;
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(rows_freep) struct rows *r = NULL;
    size_t n = 1 << 20;
    char *text = arena_alloc(a, n + 1);
    struct str got;
    struct err e;

    for (size_t i = 0; i < n; i++)
        text[i] = (char)('a' + i % 26);
    script(db, "CREATE TABLE v(s TEXT)");
    /* A view need not end in NUL. */
    assert_int_equal(run(db, "INSERT INTO v VALUES ($1)", ARGS(V_STR(((struct str){text, n - 3})))),
                     1);
    assert_ok(rows_new(db, "SELECT s FROM v", &r, &e));
    assert_ok(rows_open(r, NO_ARGS, &e));
    assert_true(rows_next(r));
    got = row_copy(a, r, 0);
    assert_ok(rows_end(r, &e));
    assert_true(str_eq(got, (struct str){text, n - 3}));
}

static void test_arguments(void **state)
{
    struct db *db = ((struct world *)*state)->db;
    AUTO(rows_freep) struct rows *r = NULL;
    char name[8] = "late";
    struct err e;

    assert_int_equal(
        number(db, "SELECT CAST($2 AS BIGINT) - CAST($1 AS BIGINT)", ARGS(V_INT(1), V_INT(10))), 9);
    assert_int_equal(
        number(db, "SELECT EXISTS (SELECT 1 WHERE CAST($1 AS BIGINT) = 3)", ARGS(V_INT(3))), 1);
    /* The values of a cursor need not outlive the call that opened it. */
    assert_ok(rows_new(
        db, "SELECT '$1 -- FOR NO KEY UPDATE SKIP LOCKED', CAST($1 AS TEXT) -- $2 'x", &r, &e));
    assert_ok(rows_open(r, ARGS(V_TEXT(name)), &e));
    memset(name, 'x', sizeof name);
    assert_true(rows_next(r));
    assert_true(str_is(row_str(r, 0), "$1 -- FOR NO KEY UPDATE SKIP LOCKED"));
    assert_true(str_is(row_str(r, 1), "late"));
    assert_ok(rows_end(r, &e));

    assert_int_equal(rows_open(r, NO_ARGS, &e), E_STORE);
    assert_int_equal(rows_open(r, ARGS(V_STR(STR("a\0b"))), &e), E_STORE);
    assert_says(&e, "NUL");
    assert_ok(rows_open(r, ARGS(V_TEXT("b")), &e));
    assert_ok(rows_end(r, &e));
}

static void test_cursors(void **state)
{
    struct db *db = ((struct world *)*state)->db;
    AUTO(rows_freep) struct rows *a = NULL;
    AUTO(rows_freep) struct rows *b = NULL;
    struct err e;

    script(db, "CREATE TABLE v(n BIGINT); INSERT INTO v VALUES (1), (2), (3)");
    assert_ok(rows_new(db, "SELECT n FROM v ORDER BY n", &a, &e));
    assert_ok(rows_new(db, "SELECT n FROM v WHERE n <> $1 ORDER BY n", &b, &e));
    assert_ok(rows_open(a, NO_ARGS, &e));
    for (int64_t n = 1; rows_next(a); n++) {
        assert_int_equal(row_int(a, 0), n);
        assert_ok(rows_open(b, ARGS(V_INT(n)), &e));
        assert_true(rows_next(b));
        assert_int_equal(row_int(b, 0), n == 1 ? 2 : 1);
        assert_ok(rows_end(b, &e)); /* before its end */
        assert_int_equal(rows_open(a, NO_ARGS, &e), E_STORE);
        assert_says(&e, "still open");
    }
    assert_ok(rows_end(a, &e));
    assert_int_equal(number(db, "SELECT count(*) FROM v", NO_ARGS), 3);
}

static void test_transactions(void **state)
{
    struct world *w = *state;
    struct db *db = w->db, *other;
    struct err e;

    script(db, "CREATE TABLE v(n BIGINT PRIMARY KEY)");
    other = open_db(w->url, DB_READ);
    db_rollback(db);
    assert_ok(db_begin(db, &e));
    assert_int_equal(db_begin(db, &e), E_STORE);
    run(db, "INSERT INTO v VALUES ($1)", ARGS(V_INT(1)));
    assert_int_equal(number(other, "SELECT count(*) FROM v", NO_ARGS), 0);
    db_rollback(db);
    assert_int_equal(number(db, "SELECT count(*) FROM v", NO_ARGS), 0);

    assert_ok(db_begin(db, &e));
    run(db, "INSERT INTO v VALUES ($1)", ARGS(V_INT(1)));
    assert_ok(db_commit(db, &e));
    assert_int_equal(number(other, "SELECT count(*) FROM v", NO_ARGS), 1);

    /* A reader's transaction is one snapshot. */
    assert_ok(db_begin(other, &e));
    assert_int_equal(number(other, "SELECT count(*) FROM v", NO_ARGS), 1);
    run(db, "INSERT INTO v VALUES ($1)", ARGS(V_INT(2)));
    assert_int_equal(number(other, "SELECT count(*) FROM v", NO_ARGS), 1);
    assert_ok(db_commit(other, &e));
    assert_int_equal(number(other, "SELECT count(*) FROM v", NO_ARGS), 2);

    assert_int_equal(try_run(other, "DELETE FROM v", NO_ARGS, &e), E_STORE);
    assert_int_equal(try_run(db, "INSERT INTO v VALUES ($1)", ARGS(V_INT(1)), &e), E_STORE);
    assert_int_equal(number(db, "SELECT count(*) FROM v", NO_ARGS), 2);
    db_close(other);
}

static void test_returning(void **state)
{
    struct db *db = ((struct world *)*state)->db;
    static const char upsert[] = "INSERT INTO v(k, n) VALUES ($1, $2)"
                                 " ON CONFLICT (k) DO UPDATE SET n = v.n + excluded.n RETURNING n";

    script(db, "CREATE TABLE v(k TEXT PRIMARY KEY, n BIGINT)");
    assert_int_equal(number(db, upsert, ARGS(V_TEXT("a"), V_INT(4))), 4);
    assert_int_equal(number(db, upsert, ARGS(V_TEXT("a"), V_INT(5))), 9);
    assert_int_equal(run(db, upsert, ARGS(V_TEXT("b"), V_INT(1))), 1);
    assert_int_equal(
        run(db, "INSERT INTO v VALUES ($1, 0) ON CONFLICT DO NOTHING", ARGS(V_TEXT("a"))), 0);
    assert_int_equal(run(db, "UPDATE v SET n = n + 1", NO_ARGS), 2);
    /* Only the first row is looked at, and yet all are changed. */
    assert_true(number(db, "UPDATE v SET n = 0 RETURNING n", NO_ARGS) == 0);
    assert_int_equal(number(db, "SELECT sum(n) FROM v", NO_ARGS), 0);
    assert_int_equal(run(db, "DELETE FROM v WHERE k = $1", ARGS(V_TEXT("none"))), 0);
}

/* The row comes back before the statement is refused at its end. */
static void test_returning_refused(void **state)
{
    struct db *db = ((struct world *)*state)->db;
    AUTO(rows_freep) struct rows *r = NULL;
    int64_t n = -1;
    bool found;
    struct err e;

    script(db, "CREATE TABLE v(n BIGINT PRIMARY KEY);"
               "CREATE TABLE w(n BIGINT REFERENCES v(n) DEFERRABLE INITIALLY DEFERRED)");
    assert_ok(rows_new(db, "INSERT INTO w VALUES ($1) RETURNING n", &r, &e));
    assert_int_equal(rows_int(r, ARGS(V_INT(5)), &n, &found, &e), E_STORE);
    assert_int_equal(n, -1);
    assert_int_equal(number(db, "SELECT count(*) FROM w", NO_ARGS), 0);
}

struct seen {
    int64_t sum, rows, stop_at;
};

static enum status see(void *user, const struct rows *r, struct err *e)
{
    struct seen *s = user;

    s->sum += row_int(r, 0);
    s->rows++;
    return s->rows == s->stop_at ? err_set(e, E_STOP, "enough") : OK;
}

static void test_each(void **state)
{
    struct db *db = ((struct world *)*state)->db;
    AUTO(rows_freep) struct rows *r = NULL;
    struct seen all = {0}, some = {.stop_at = 10}, failing = {0};
    struct err e;

    script(db, "CREATE TABLE v(k BIGINT PRIMARY KEY, n BIGINT)");
    script(db, "INSERT INTO v WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c"
               " WHERE x < 5000) SELECT x, -x FROM c");
    assert_ok(rows_new(db, "SELECT abs(n) FROM v WHERE k > $1 ORDER BY k", &r, &e));
    assert_ok(rows_each(r, ARGS(V_INT(0)), see, &all, &e));
    assert_int_equal(all.rows, 5000);
    assert_int_equal(all.sum, 5000 * 5001 / 2);
    assert_int_equal(rows_each(r, ARGS(V_INT(0)), see, &some, &e), E_STOP);
    assert_says(&e, "enough");
    assert_int_equal(some.rows, 10);

    /* An error in the middle is an error, not an end. */
    run(db, "UPDATE v SET n = $1 WHERE k = 4000", ARGS(V_INT(INT64_MIN)));
    assert_int_equal(rows_each(r, ARGS(V_INT(0)), see, &failing, &e), E_STORE);
    assert_true(failing.rows < 5000);
    assert_int_equal(number(db, "SELECT count(*) FROM v", NO_ARGS), 5000);
}

static enum status join(void *user, size_t i, const struct rows *row, struct err *e)
{
    buf_fmt(user, "%zu:%lld ", i, (long long)row_int(row, 0));
    return row_int(row, 0) == 9 ? err_set(e, E_USAGE, "nine") : OK;
}

/* Also right after a query whose rows came one by one. */
static void test_each_of(void **state)
{
    struct world *w = *state;
    AUTO(rows_freep) struct rows *r = NULL;
    AUTO(buf_done) struct buf b = BUF_MAX(1024);
    const struct val v[] = {V_INT(2), V_INT(0), V_INT(8), V_INT(9)};
    struct err e;

    script(w->db, "CREATE TABLE v(n BIGINT); INSERT INTO v VALUES (1), (2), (3), (8), (9)");
    assert_ok(rows_new(w->db, "SELECT n FROM v WHERE n BETWEEN $1 AND $1 + 1 ORDER BY n", &r, &e));
    for (int again = 0; again < 2; again++) {
        assert_int_equal(number(w->db, "SELECT count(*) FROM v", NO_ARGS), 5);
        assert_ok(rows_each_of(r, (struct args){v, 2}, 2, join, &b, &e));
    }
    assert_ok(rows_each_of(r, NO_ARGS, 0, join, &b, &e));
    assert_string_equal(buf_str(&b).p, "0:2 0:3 1:1 0:2 0:3 1:1 ");
    assert_int_equal(rows_each_of(r, (struct args){v, 4}, 4, join, &b, &e), E_USAGE);
    assert_says(&e, "nine");
    assert_int_equal(number(w->db, "SELECT count(*) FROM v", NO_ARGS), 5);
}

/* Texts with whatever may stand in them, and none at all. */
static void test_each_of_texts(void **state)
{
    struct world *w = *state;
    AUTO(rows_freep) struct rows *r = NULL;
    AUTO(buf_done) struct buf b = BUF_MAX(1024);
    const struct val v[] = {
        V_INT(1),      V_TEXT("a \"b\", {\\c}"), V_INT(2), V_NULL, V_INT(3), V_TEXT(""), V_INT(4),
        V_TEXT("NULL")};
    struct err e;

    script(w->db, "CREATE TABLE v(n BIGINT, t TEXT); INSERT INTO v VALUES (10, 'a \"b\", {\\c}'),"
                  " (20, ''), (30, 'NULL')");
    assert_ok(rows_new(w->db, "SELECT n + $1 FROM v WHERE t = $2", &r, &e));
    assert_ok(rows_each_of(r, (struct args){v, COUNT(v)}, 4, join, &b, &e));
    assert_string_equal(buf_str(&b).p, "0:11 2:23 3:34 ");
    rows_freep(&r);
    assert_ok(rows_new(w->db, "INSERT INTO v (n, t) VALUES ($1, $2)", &r, &e));
    assert_ok(rows_each_of(r, (struct args){v, COUNT(v)}, 4, NULL, NULL, &e));
    assert_int_equal(number(w->db, "SELECT sum(n) FROM v WHERE t = '' OR t LIKE 'a%c}'", NO_ARGS),
                     10 + 20 + 1 + 3);
    assert_int_equal(number(w->db, "SELECT n FROM v WHERE t IS NULL", NO_ARGS), 2);
}

struct pair {
    int64_t k;
    const char *text;
};

static void read_pair(struct arena *a, const struct rows *r, void *out)
{
    *(struct pair *)out = (struct pair){row_int(r, 0), row_text_copy(a, r, 1)};
}

static const struct columns pair_columns = {
    sizeof(struct pair), {COLUMN(struct pair, k, 0), COLUMN(struct pair, text, 1)}};

static void test_list(void **state)
{
    struct db *db = ((struct world *)*state)->db;
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(rows_freep) struct rows *r = NULL;
    struct {
        struct pair *v;
        size_t n;
    } l, none, failing = {0};
    struct err e;

    script(db, "CREATE TABLE v(k BIGINT PRIMARY KEY, n BIGINT)");
    script(db, "INSERT INTO v WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c"
               " WHERE x < 1000) SELECT x, -x FROM c");
    assert_ok(rows_new(db,
                       "SELECT abs(n), CASE WHEN k % 2 = 0 THEN 'even' END FROM v WHERE k > $1"
                       " ORDER BY k",
                       &r, &e));
    assert_ok(rows_list(r, ARGS(V_INT(0)), INTO(a, &l, read_pair), &e));
    assert_int_equal(l.n, 1000);
    for (int64_t k = 1; k <= 1000; k++) {
        assert_int_equal(l.v[k - 1].k, k);
        if (k % 2)
            assert_null(l.v[k - 1].text);
        else
            assert_string_equal(l.v[k - 1].text, "even");
    }
    assert_ok(rows_list(r, ARGS(V_INT(998)), ROWS_INTO(a, &l, &pair_columns), &e));
    assert_int_equal(l.n, 2);
    assert_int_equal(l.v[0].k, 999);
    assert_null(l.v[0].text);
    assert_string_equal(l.v[1].text, "even");
    assert_ok(rows_list(r, ARGS(V_INT(1000)), INTO(a, &none, read_pair), &e));
    assert_int_equal(none.n, 0);

    /* Half a list is none. */
    run(db, "UPDATE v SET n = $1 WHERE k = 900", ARGS(V_INT(INT64_MIN)));
    assert_int_equal(rows_list(r, ARGS(V_INT(0)), INTO(a, &failing, read_pair), &e), E_STORE);
    assert_null(failing.v);
    assert_int_equal(failing.n, 0);
}

static void test_named_queries(void **state)
{
    struct world *w = *state;
    struct rows *r;
    int64_t version = 0, changed = 0, sum = 0;
    bool found = false;
    struct err e;
    int applied;

    assert_int_equal(db_int(w->db, Q_DB_SCHEMA_VERSION, NO_ARGS, &version, &found, &e), E_STORE);
    assert_says(&e, "schema_migration");
    assert_ok(db_migrate_with(w->db, two_steps, &applied, &e));
    assert_ok(db_int(w->db, Q_DB_SCHEMA_VERSION, NO_ARGS, &version, &found, &e));
    assert_true(found && version == 2);
    assert_ok(db_run(w->db, Q_DB_MIGRATION_ADD,
                     ARGS(V_INT(9), V_TEXT("later"), V_TEXT("h"), V_INT(1)), &changed, &e));
    assert_int_equal(changed, 1);
    r = db_query(w->db, Q_DB_MIGRATION_LIST, NO_ARGS, &e);
    assert_true(rows_next(r));
    assert_true(str_is(row_str(r, 1), "0001_cast"));
    assert_ok(rows_end(r, &e));
    r = db_stream(w->db, Q_DB_MIGRATION_LIST, NO_ARGS, &e);
    while (rows_next(r))
        sum += row_int(r, 0);
    assert_ok(rows_end(r, &e));
    r = db_stream(w->db, Q_DB_MIGRATION_LIST, ARGS(V_INT(1)), &e);
    assert_false(rows_next(r));
    assert_int_equal(rows_end(r, &e), E_STORE);
    r = db_query(w->db, Q_DB_MIGRATION_LIST, ARGS(V_INT(1)), &e);
    assert_null(r);
    assert_false(rows_next(r));
    assert_int_equal(rows_end(r, &e), E_STORE);
    assert_int_equal(sum, 1 + 2 + 9);
    assert_int_equal(db_is_postgres(w->db), w->postgres);
}

static void test_migrate(void **state)
{
    struct db *db = ((struct world *)*state)->db;
    struct err e;
    int applied = -1;

    assert_int_equal(db_schema_check_with(db, one_step, &e), E_ABSENT);
    assert_says(&e, "audition db migrate");
    assert_ok(db_migrate_with(db, one_step, &applied, &e));
    assert_int_equal(applied, 1);
    assert_ok(db_schema_check_with(db, one_step, &e));
    assert_int_equal(db_schema_check_with(db, two_steps, &e), E_STORE);
    assert_says(&e, "older audition (schema 1, this program needs 2)");
    assert_ok(db_migrate_with(db, two_steps, &applied, &e));
    assert_int_equal(applied, 1);
    assert_ok(db_migrate_with(db, two_steps, &applied, &e));
    assert_int_equal(applied, 0);
    assert_int_equal(number(db, "INSERT INTO actor(name) VALUES ('A') RETURNING id", NO_ARGS), 1);

    assert_int_equal(db_migrate_with(db, one_step, &applied, &e), E_STORE);
    assert_says(&e, "made by a newer audition (schema 2, this program knows 1)");
    assert_ok(
        try_run(db, "INSERT INTO schema_migration VALUES (7, '0007_later', '', 0)", NO_ARGS, &e));
    assert_int_equal(db_schema_check_with(db, one_step, &e), E_STORE);
    assert_says(&e, "made by a newer audition (schema 7, this program knows 1)");
    assert_int_equal(db_migrate_with(db, edited, &applied, &e), E_STORE);
    assert_says(&e, "0001_cast");
    assert_int_equal(db_schema_check_with(db, edited, &e), E_STORE);
}

static void test_migrate_fails(void **state)
{
    struct db *db = ((struct world *)*state)->db;
    struct err e;
    int applied = -1;

    assert_int_equal(db_migrate_with(db, breaking, &applied, &e), E_STORE);
    assert_says(&e, "migration 0002_half");
    assert_int_equal(try_run(db, "SELECT 1 FROM schema_migration", NO_ARGS, &e), E_STORE); /* new */
    assert_ok(db_migrate_with(db, one_step, &applied, &e));
    applied = -1;
    assert_int_equal(db_migrate_with(db, breaking, &applied, &e), E_STORE);
    assert_says(&e, "migration 0002_half");
    assert_int_equal(applied, -1);
    assert_int_equal(try_run(db, "SELECT 1 FROM half", NO_ARGS, &e), E_STORE);
    assert_int_equal(number(db, "SELECT max(version) FROM schema_migration", NO_ARGS), 1);
    assert_ok(db_migrate_with(db, two_steps, &applied, &e));
    assert_int_equal(applied, 1);
}

/* The lines that a query gives. */
static void lines_of(struct db *db, const char *sql, struct buf *out)
{
    AUTO(rows_freep) struct rows *r = NULL;
    struct err e;

    assert_ok(rows_new(db, sql, &r, &e));
    assert_ok(rows_open(r, NO_ARGS, &e));
    while (rows_next(r)) {
        buf_add(out, row_str(r, 0));
        buf_char(out, '\n');
    }
    assert_ok(rows_end(r, &e));
}

/* All that the migrations of the program leave in the database of w, which is empty. */
static void made_by(struct world *w, const struct asset *assets, struct buf *out)
{
    AUTO(buf_done) struct buf count = BUF_MAX(1 << 20);
    struct db *db = w->db;
    struct err e;
    int applied = 0;

    assert_ok(db_migrate_with(db, assets, &applied, &e));
    assert_true(applied > 40);
    assert_ok(db_schema_check(db, &e));
    lines_of(db,
             "SELECT type || name || tbl_name || COALESCE(sql, '') FROM sqlite_schema"
             " ORDER BY rowid",
             out);
    lines_of(db, "SELECT version || name || hash FROM schema_migration ORDER BY version", out);
    lines_of(db,
             "SELECT group_concat('SELECT ''' || name || ''' || count(*) FROM ' || name,"
             " ' UNION ALL ') FROM sqlite_schema WHERE type = 'table'",
             &count);
    lines_of(db, count.p, out);
}

/* A new database is made at once, and just as the migrations would have made it one by one: those
 * of a copy of the table do that. */
static void test_sqlite_at_once(void **state)
{
    AUTO(buf_done) struct buf at_once = BUF_MAX(1 << 20);
    AUTO(buf_done) struct buf by_steps = BUF_MAX(1 << 20);
    struct world *w = *state;
    struct asset *copy;
    size_t n = 0;

    while (asset_table[n++].name)
        ;
    copy = test_malloc(n * sizeof *copy);
    memcpy(copy, asset_table, n * sizeof *copy);
    made_by(w, asset_table, &at_once);
    db_close(w->db);
    (void)snprintf(w->url, sizeof w->url, "%s/b.db", w->dir);
    w->db = open_db(w->url, DB_WRITE);
    made_by(w, copy, &by_steps);
    assert_true(at_once.n > 20000);
    assert_string_equal(at_once.p, by_steps.p);
    test_free(copy);
}

static void test_migrate_strange(void **state)
{
    struct db *db = ((struct world *)*state)->db;
    struct err e;
    int applied;

    script(db, "CREATE TABLE bookmarks(url TEXT)");
    assert_int_equal(db_migrate_with(db, two_steps, &applied, &e), E_STORE);
    assert_says(&e, "is not an audition database");
}

/* Several processes start at once: each must find a whole schema, and one has made it. */
static void test_migrate_together(void **state)
{
    struct world *w = *state;
    int total = 0;

    if (!w->postgres) {
        db_close(w->db);
        w->db = NULL;
        assert_int_equal(unlink(w->url), 0);
    }
    for (int i = 0; i < 4; i++) {
        if (fork() == 0) {
            struct db *db;
            struct err e;
            int applied = 0;
            if (db_open(&db, w->url, DB_WRITE, &e) != OK ||
                db_migrate_with(db, two_steps, &applied, &e) != OK) {
                (void)fprintf(stderr, "child: %s\n", e.msg);
                _exit(100);
            }
            db_close(db);
            _exit(applied);
        }
    }
    for (int i = 0; i < 4; i++) {
        int status;
        assert_true(wait(&status) > 0);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) < 100);
        total += WEXITSTATUS(status);
    }
    assert_int_equal(total, 2);
}

static void test_sqlite_busy(void **state)
{
    struct world *w = *state;
    struct db *other = open_db(w->url, DB_WRITE);
    struct err e;

    script(w->db, "CREATE TABLE v(n BIGINT)");
    script(other, "PRAGMA busy_timeout = 20");
    assert_ok(db_begin(w->db, &e));
    assert_int_equal(db_begin(other, &e), E_BUSY);
    assert_says(&e, w->url);
    assert_int_equal(try_run(other, "INSERT INTO v VALUES (1)", NO_ARGS, &e), E_BUSY);
    assert_int_equal(db_revive(other, &e), E_BUSY);
    assert_int_equal(number(other, "SELECT count(*) FROM v", NO_ARGS), 0);
    assert_ok(db_commit(w->db, &e));
    assert_ok(db_revive(other, &e));
    assert_ok(db_begin(other, &e));
    assert_ok(db_commit(other, &e));
    db_close(other);
}

/* Root may write anything: look as somebody else. */
static enum status open_as_nobody(const char *url, const char *says)
{
    pid_t child = fork();
    int status;

    if (child == 0) {
        struct db *db;
        struct err e = {0};
        if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
            _exit(100);
        if (db_open(&db, url, DB_WRITE, &e) == OK)
            _exit(OK);
        _exit(strstr(e.msg, says) ? (int)e.code : 101);
    }
    assert_true(waitpid(child, &status, 0) == child && WIFEXITED(status));
    return (enum status)WEXITSTATUS(status);
}

static void test_sqlite_unwritable(void **state)
{
    struct world *w = *state;
    struct err e;
    char url[128];

    (void)snprintf(url, sizeof url, "%s/none/a.db", w->dir);
    assert_int_equal(db_open(&w->db, url, DB_WRITE, &e), E_STORE);
    assert_says(&e, "none: No such file or directory; create it");
    assert_int_equal(chmod(w->dir, 0777), 0);
    assert_int_equal(chmod(w->url, 0444), 0);
    assert_int_equal(open_as_nobody(w->url, "a.db: Permission denied; make it writable"), E_STORE);
    assert_int_equal(chmod(w->dir, 0555), 0);
    assert_int_equal(chmod(w->url, 0666), 0);
    assert_int_equal(open_as_nobody(w->url, "--db"), E_STORE);
    assert_int_equal(chmod(w->dir, 0755), 0);
}

static void test_sqlite_open(void **state)
{
    struct world *w = *state;
    struct db *db = NULL;
    struct err e;
    char url[128];

    (void)snprintf(url, sizeof url, "sqlite:%s/b.db", w->dir);
    assert_int_equal(db_open(&db, url, DB_READ, &e), E_ABSENT);
    assert_says(&e, "b.db yet; `audition run` creates one");
    assert_int_equal(db_open(&db, url, DB_CHANGE, &e), E_ABSENT);
    assert_false(file_exists(url + strlen("sqlite:")));
    assert_ok(
        file_write(url + strlen("sqlite:"), STR("Dear diary, today I was not a database\n"), &e));
    assert_int_equal(db_open(&db, url, DB_READ, &e), E_STORE);
    assert_says(&e, "is not an audition database");
    assert_int_equal(db_open(&db, url, DB_WRITE, &e), E_STORE);
    assert_says(&e, "is not an audition database");
    assert_int_equal(db_open(&db, "mysql://me:secret@host/x", DB_WRITE, &e), E_USAGE);
    assert_null(strstr(e.msg, "secret"));
    assert_int_equal(db_open(&db, "sqlite:", DB_WRITE, &e), E_USAGE);
    assert_null(db);
    assert_string_equal(db_url(w->db), w->url);
}

static void test_sqlite_settings(void **state)
{
    struct db *db = ((struct world *)*state)->db;

    assert_int_equal(number(db, "SELECT journal_mode = 'wal' FROM pragma_journal_mode", NO_ARGS),
                     1);
    assert_int_equal(number(db, "SELECT synchronous FROM pragma_synchronous", NO_ARGS), 2);
    assert_int_equal(number(db, "SELECT foreign_keys FROM pragma_foreign_keys", NO_ARGS), 1);
    assert_int_equal(number(db, "SELECT timeout FROM pragma_busy_timeout", NO_ARGS), 5000);
    script(db, "CREATE TABLE v(n BIGINT); INSERT INTO v VALUES (7)");
    assert_int_equal(number(db, "SELECT n FROM v LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED", NO_ARGS),
                     7);
}

/* Whatever the umask says: passwords' hashes and people's words are in these files. */
static void test_sqlite_private(void **state)
{
    static const char *const ends[] = {"", "-wal", "-shm", ".copy"};
    struct world *w = *state;
    char path[600];
    struct stat st;
    struct err e;

    script(w->db, "CREATE TABLE v(n BIGINT)");
    (void)snprintf(path, sizeof path, "%s.copy", w->url);
    assert_ok(db_backup(w->db, path, &e));
    for (size_t i = 0; i < COUNT(ends); i++) {
        (void)snprintf(path, sizeof path, "%s%s", w->url, ends[i]);
        assert_int_equal(stat(path, &st), 0);
        assert_int_equal(st.st_mode & 0777, 0600);
    }
    (void)unlink(path);
}

static void test_sqlite_full(void **state)
{
    struct db *db = ((struct world *)*state)->db;
    struct err e;

    script(db, "CREATE TABLE v(b BLOB); PRAGMA max_page_count = 10");
    assert_ok(db_begin(db, &e));
    assert_int_equal(try_run(db, "INSERT INTO v VALUES (zeroblob(1000000))", NO_ARGS, &e), E_FULL);
    assert_says(&e, "the disk is full");
    db_rollback(db);
    assert_int_equal(number(db, "SELECT count(*) FROM v", NO_ARGS), 0);
}

static void test_sqlite_backup(void **state)
{
    struct world *w = *state;
    struct db *writer = open_db(w->url, DB_WRITE), *copy;
    struct err e;
    char path[128];

    (void)snprintf(path, sizeof path, "%s/backup.db", w->dir);
    script(w->db, "CREATE TABLE v(n BIGINT); INSERT INTO v VALUES (1), (2)");
    assert_ok(db_begin(writer, &e));
    run(writer, "INSERT INTO v VALUES (3)", NO_ARGS);
    assert_ok(db_backup(w->db, path, &e));
    assert_ok(db_commit(writer, &e));
    copy = open_db(path, DB_READ);
    assert_int_equal(number(copy, "SELECT count(*) FROM v", NO_ARGS), 2);
    db_close(copy);
    assert_int_equal(db_backup(w->db, path, &e), E_USAGE);
    assert_says(&e, "already exists");
    (void)snprintf(path, sizeof path, "%s/own.db", w->dir);
    assert_ok(db_begin(writer, &e));
    run(writer, "INSERT INTO v VALUES (4)", NO_ARGS);
    assert_int_equal(db_backup(writer, path, &e), E_BUSY);
    assert_false(file_exists(path));
    db_rollback(writer);
    (void)snprintf(path, sizeof path, "%s/none/backup.db", w->dir);
    assert_int_equal(db_backup(w->db, path, &e), E_STORE);
    db_close(writer);
}

/* ---- copies ---- */

static void fill(struct db *db)
{
    AUTO(rows_freep) struct rows *part = NULL;
    struct err e;

    run(db, "INSERT INTO actor(id, name, born, height, mentor) VALUES ($1, $2, $3, $4, NULL)",
        ARGS(V_INT(1), V_TEXT("灵犀"), V_INT(INT64_MIN), V_REAL(1.0 / 3)));
    run(db, "INSERT INTO actor(id, name, mentor) VALUES ($1, $2, $3)",
        ARGS(V_INT(40), V_TEXT(""), V_INT(1)));
    assert_ok(rows_new(db, "INSERT INTO part(id, actor, line, state) VALUES ($1, $2, $3, $4)",
                       &part, &e));
    assert_ok(db_begin(db, &e));
    for (int i = 1; i <= 1000; i++)
        assert_ok(rows_run(part,
                           ARGS(V_INT(i), V_INT(i % 2 ? 1 : 40),
                                V_TEXT(i % 3 ? "a \"line\"\n" : NULL), V_TEXT("planned")),
                           NULL, &e));
    assert_ok(db_commit(db, &e));
    run(db, "INSERT INTO note VALUES ($1, $2)", ARGS(V_INT(1), V_TEXT("n")));
}

/* Everything in it as one text. */
static void dump(struct db *db, struct buf *out)
{
    static const char *const selects[] = {
        "SELECT id, name, born, height, mentor FROM actor ORDER BY id",
        "SELECT id, actor, line, state, NULL FROM part ORDER BY id",
        "SELECT actor, line, NULL, NULL, NULL FROM note ORDER BY actor, line",
    };
    struct err e;

    for (size_t i = 0; i < COUNT(selects); i++) {
        AUTO(rows_freep) struct rows *r = NULL;
        assert_ok(rows_new(db, selects[i], &r, &e));
        assert_ok(rows_open(r, NO_ARGS, &e));
        while (rows_next(r))
            for (int column = 0; column < 5; column++) {
                struct val v = r->driver->value(r, column);
                buf_fmt(out, "%d:%" PRId64 ":%a:%.*s|", (int)v.kind, v.i, v.d, STR_ARG(v.s));
            }
        assert_ok(rows_end(r, &e));
    }
}

static void assert_same(struct db *a, struct db *b)
{
    AUTO(buf_done) struct buf x = BUF_MAX(1 << 20);
    AUTO(buf_done) struct buf y = BUF_MAX(1 << 20);

    dump(a, &x);
    dump(b, &y);
    assert_true(x.n > 1000 && !x.full);
    assert_string_equal(x.p, y.p);
}

/* From SQLite into the database of this world and back into SQLite. */
static void test_copy(void **state)
{
    struct world *w = *state;
    struct db *first, *last;
    struct err e;
    int64_t copied = -1;
    int applied;
    char url[128];

    (void)snprintf(url, sizeof url, "%s/first.db", w->dir);
    first = open_migrated(url);
    fill(first);
    assert_int_equal(db_copy(first, w->db, &copied, &e), E_USAGE);
    assert_says(&e, "(schema 0)");
    assert_ok(db_migrate_with(w->db, two_steps, &applied, &e));
    assert_ok(db_copy(first, w->db, &copied, &e));
    assert_int_equal(copied, 2 + 1000 + 1);
    assert_same(first, w->db);
    assert_int_equal(number(w->db, "INSERT INTO actor(name) VALUES ('next') RETURNING id", NO_ARGS),
                     41);
    run(w->db, "DELETE FROM actor WHERE id = 41", NO_ARGS);

    (void)snprintf(url, sizeof url, "%s/last.db", w->dir);
    last = open_migrated(url);
    assert_ok(db_copy(w->db, last, &copied, &e));
    assert_same(first, last);
    assert_int_equal(db_copy(w->db, last, &copied, &e), E_USAGE);
    assert_says(&e, "is not empty");
    assert_same(first, last);
    db_close(first);
    db_close(last);
}

static void test_copy_fails(void **state)
{
    struct world *w = *state;
    struct db *from;
    struct err e;
    int64_t copied = -1;
    int applied;
    char url[128];

    (void)snprintf(url, sizeof url, "%s/first.db", w->dir);
    from = open_migrated(url);
    fill(from);
    script(from, "PRAGMA foreign_keys = OFF; UPDATE part SET actor = 77 WHERE id = 999");
    assert_ok(db_migrate_with(w->db, two_steps, &applied, &e));
    assert_int_equal(db_copy(from, w->db, &copied, &e), E_STORE);
    assert_int_equal(copied, -1);
    assert_int_equal(number(w->db, "SELECT count(*) FROM actor", NO_ARGS), 0);
    db_close(from);
}

/* ---- PostgreSQL alone ---- */

static void test_pg_skip_locked(void **state)
{
    static const char claim[] =
        "UPDATE task SET owner = $1 WHERE id IN (SELECT id FROM task WHERE owner IS NULL"
        " ORDER BY id LIMIT 5 FOR NO KEY UPDATE SKIP LOCKED)";
    struct world *w = *state;
    struct db *other = open_db(w->url, DB_WRITE);
    struct err e;

    script(w->db, "CREATE TABLE task(id BIGINT PRIMARY KEY, owner TEXT);"
                  "INSERT INTO task SELECT generate_series(1, 8)");
    assert_ok(db_begin(w->db, &e));
    assert_ok(db_begin(other, &e));
    assert_int_equal(run(w->db, claim, ARGS(V_TEXT("a"))), 5);
    assert_int_equal(run(other, claim, ARGS(V_TEXT("b"))), 3);
    assert_ok(db_commit(w->db, &e));
    assert_ok(db_commit(other, &e));
    assert_int_equal(number(w->db, "SELECT count(*) FROM task WHERE owner = 'a'", NO_ARGS), 5);
    assert_int_equal(number(w->db, "SELECT count(*) FROM task WHERE owner = 'b'", NO_ARGS), 3);
    db_close(other);
}

static void test_pg_locked(void **state)
{
    struct world *w = *state;
    struct db *other = open_db(w->url, DB_WRITE);
    struct err e;

    script(w->db, "CREATE TABLE v(n BIGINT); INSERT INTO v VALUES (1)");
    script(other, "SET lock_timeout = '20ms'");
    assert_ok(db_begin(w->db, &e));
    run(w->db, "UPDATE v SET n = 2", NO_ARGS);
    assert_int_equal(try_run(other, "UPDATE v SET n = 3", NO_ARGS, &e), E_BUSY);
    assert_ok(db_commit(w->db, &e));
    assert_ok(db_revive(other, &e));
    assert_int_equal(run(other, "UPDATE v SET n = 3", NO_ARGS), 1);
    db_close(other);
}

static void test_pg_revive(void **state)
{
    struct world *w = *state;
    struct db *other = open_db(w->url, DB_WRITE);
    AUTO(rows_freep) struct rows *r = NULL;
    struct seen seen = {0};
    struct err e;
    int64_t pid, changed;

    script(w->db, "CREATE TABLE v(n BIGINT)");
    assert_ok(rows_new(w->db, "INSERT INTO v VALUES ($1)", &r, &e));
    assert_ok(rows_run(r, ARGS(V_INT(1)), NULL, &e));
    pid = number(w->db, "SELECT pg_backend_pid()", NO_ARGS);
    assert_ok(db_begin(w->db, &e));
    assert_ok(rows_run(r, ARGS(V_INT(2)), NULL, &e));
    assert_int_equal(
        number(other, "SELECT pg_terminate_backend(CAST($1 AS INT), 5000)", ARGS(V_INT(pid))), 1);
    assert_int_equal(rows_run(r, ARGS(V_INT(3)), &changed, &e), E_BUSY);
    assert_int_equal(rows_open(r, ARGS(V_INT(3)), &e), E_BUSY);
    assert_int_equal(rows_each(r, ARGS(V_INT(3)), see, &seen, &e), E_BUSY);
    db_rollback(w->db);
    assert_ok(db_revive(w->db, &e));
    assert_ok(rows_run(r, ARGS(V_INT(4)), NULL, &e));
    assert_int_equal(number(w->db, "SELECT sum(n) FROM v", NO_ARGS), 5);
    assert_int_equal(number(w->db,
                            "SELECT count(*) FROM pg_settings WHERE name = 'lock_timeout'"
                            " AND setting = '5000'",
                            NO_ARGS),
                     1);
    db_close(other);
}

static void test_pg_commit_after_failure(void **state)
{
    struct world *w = *state;
    struct err e;

    script(w->db, "CREATE TABLE v(n BIGINT PRIMARY KEY)");
    assert_ok(db_begin(w->db, &e));
    run(w->db, "INSERT INTO v VALUES (1)", NO_ARGS);
    assert_int_equal(try_run(w->db, "INSERT INTO v VALUES (1)", NO_ARGS, &e), E_STORE);
    assert_int_equal(db_commit(w->db, &e), E_STORE);
    assert_says(&e, "nothing was saved");
    db_rollback(w->db);
    assert_int_equal(number(w->db, "SELECT count(*) FROM v", NO_ARGS), 0);
}

/* Stands before libpq's: when PostgreSQL crashed, that called the connection good for ever. */
static bool calls_it_good;
int PQtransactionStatus(const void *connection); /* 4: unknown, the connection is bad */
int PQstatus(const void *connection);
int PQstatus(const void *connection)
{
    return !calls_it_good && PQtransactionStatus(connection) == 4;
}

/* The server goes away before the last statement of a transaction, or in it: told, not waited for.
 */
static void test_pg_commit_after_loss(void **state)
{
    struct world *w = *state;
    struct db *other = open_db(w->url, DB_WRITE);
    struct err e;
    int applied;

    assert_ok(db_migrate(w->db, &applied, &e));
    for (int within = 0; within < 2; within++) {
        int64_t pid = number(w->db, "SELECT pg_backend_pid()", NO_ARGS);
        if (within)
            script(w->db,
                   "CREATE FUNCTION leave() RETURNS trigger LANGUAGE plpgsql AS"
                   " 'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END';"
                   "CREATE TRIGGER leave BEFORE UPDATE ON run EXECUTE FUNCTION leave()");
        assert_ok(db_begin(w->db, &e));
        if (!within)
            assert_int_equal(number(other, "SELECT pg_terminate_backend(CAST($1 AS INT), 5000)",
                                    ARGS(V_INT(pid))),
                             1);
        calls_it_good = true;
        (void)alarm(60); /* else it would ask for ever */
        assert_int_equal(db_commit_after(w->db, Q_RUN_STALE, ARGS(V_INT(1)), &e), E_BUSY);
        (void)alarm(0);
        calls_it_good = false;
        db_rollback(w->db);
        assert_ok(db_revive(w->db, &e));
    }
    db_close(other);
}

/* Nobody waits for a statement that gives nothing back: what is asked next tells that it failed. */
static void test_pg_posted(void **state)
{
    struct world *w = *state;
    AUTO(rows_freep) struct rows *r = NULL;
    struct err e;

    script(w->db, "CREATE TABLE v(n BIGINT PRIMARY KEY)");
    assert_ok(rows_new(w->db, "INSERT INTO v VALUES ($1)", &r, &e));
    for (int asked = 0; asked < 2; asked++) {
        AUTO(rows_freep) struct rows *look = NULL;
        assert_ok(rows_new(w->db, "SELECT n FROM v", &look, &e));
        assert_ok(db_begin(w->db, &e));
        for (int i = 0; i < 1000; i++) /* more than a socket holds */
            assert_ok(rows_run(r, ARGS(V_INT(i)), NULL, &e));
        assert_ok(rows_run(r, ARGS(V_INT(7)), NULL, &e));
        assert_ok(rows_run(r, ARGS(V_INT(1001)), NULL, &e));
        assert_int_equal(asked ? rows_open(look, NO_ARGS, &e) : db_commit(w->db, &e), E_STORE);
        assert_says(&e, "duplicate key");
        db_rollback(w->db);
        assert_int_equal(number(w->db, "SELECT count(*) FROM v", NO_ARGS), 0);
    }
    assert_ok(db_begin(w->db, &e));
    assert_ok(rows_run(r, ARGS(V_INT(1)), NULL, &e));
    assert_int_equal(number(w->db, "SELECT count(*) FROM v", NO_ARGS), 1);
    assert_ok(rows_run(r, ARGS(V_INT(2)), NULL, &e));
    assert_ok(db_commit(w->db, &e));
    assert_int_equal(number(w->db, "SELECT count(*) FROM v", NO_ARGS), 2);
}

static void test_pg_too_many(void **state)
{
    enum { LONG = 130 << 20 };
    struct world *w = *state;
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(rows_freep) struct rows *add = NULL;
    struct str text = {memset(arena_alloc(a, LONG), 'x', LONG), LONG};
    struct err e;

    script(w->db, "CREATE TABLE v(s TEXT)");
    assert_ok(rows_new(w->db, "INSERT INTO v (s) VALUES ($1)", &add, &e));
    assert_int_equal(rows_each_of(add, ARGS(V_STR(text), V_STR(text)), 2, NULL, NULL, &e), E_STORE);
    assert_says(&e, "more than 256 MB of arguments");
}

/* Statements that are sent as one do what they would have done one by one. */
static void test_pg_held(void **state)
{
    struct world *w = *state;
    AUTO(rows_freep) struct rows *change = NULL;
    struct rows *add = NULL;
    struct err e;

    script(w->db, "CREATE TABLE v(id BIGINT PRIMARY KEY, s TEXT, x DOUBLE PRECISION, n BIGINT)");
    assert_ok(rows_new(w->db, "INSERT INTO v (id, s, x, n) VALUES ($1, $2, $3, $4)", &add, &e));
    assert_ok(
        rows_new(w->db, "UPDATE v SET n = n + $2, s = COALESCE($3, s) WHERE id = $1", &change, &e));
    assert_ok(db_begin(w->db, &e));
    assert_ok(rows_run(add, ARGS(V_INT(1), V_NULL, V_NULL, V_INT(0)), NULL, &e));
    assert_ok(
        rows_run(add, ARGS(V_INT(2), V_TEXT("a \"b\", {c} \\"), V_REAL(0.1), V_INT(-5)), NULL, &e));
    assert_ok(rows_run(add, ARGS(V_INT(3), V_TEXT(""), V_REAL((double)NAN), V_INT(0)), NULL, &e));
    /* one row twice, among others, and between them a row that is new */
    assert_ok(rows_run(change, ARGS(V_INT(1), V_INT(1), V_NULL), NULL, &e));
    assert_ok(rows_run(change, ARGS(V_INT(3), V_INT(7), V_TEXT("three")), NULL, &e));
    assert_ok(rows_run(change, ARGS(V_INT(1), V_INT(2), V_TEXT("one")), NULL, &e));
    assert_ok(rows_run(add, ARGS(V_INT(4), V_TEXT("four"), V_REAL(4), V_INT(4)), NULL, &e));
    assert_ok(rows_run(change, ARGS(V_INT(4), V_INT(1), V_NULL), NULL, &e));
    assert_ok(rows_run(add, ARGS(V_INT(5), V_NULL, V_NULL, V_NULL), NULL, &e));
    rows_freep(&add); /* what it holds is sent all the same */
    assert_ok(db_commit(w->db, &e));
    assert_int_equal(number(w->db, "SELECT count(*) FROM v", NO_ARGS), 5);
    assert_int_equal(number(w->db,
                            "SELECT count(*) FROM v WHERE (id, s, n) IN ((1, 'one', 3),"
                            " (2, 'a \"b\", {c} \\', -5), (3, 'three', 7), (4, 'four', 5))",
                            NO_ARGS),
                     4);
    assert_int_equal(number(w->db, "SELECT count(*) FROM v WHERE x IN (0.1, 4)", NO_ARGS), 2);
    assert_int_equal(number(w->db, "SELECT count(*) FROM v WHERE x IS NULL", NO_ARGS), 3);
    /* what is undone is not sent with the next transaction */
    assert_ok(db_begin(w->db, &e));
    assert_ok(rows_run(change, ARGS(V_INT(1), V_INT(100), V_NULL), NULL, &e));
    db_rollback(w->db);
    assert_ok(db_begin(w->db, &e));
    assert_ok(rows_run(change, ARGS(V_INT(2), V_INT(5), V_NULL), NULL, &e));
    assert_ok(db_commit(w->db, &e));
    assert_int_equal(number(w->db, "SELECT sum(n) FROM v", NO_ARGS), 15);
}

/* So do those that add what stands in a row found by its id; what reads the table that it adds to
 * sees each row before the next. */
static void test_pg_held_selects(void **state)
{
    struct world *w = *state;
    AUTO(rows_freep) struct rows *mark = NULL, *next = NULL;
    struct err e;

    script(w->db, "CREATE TABLE v(id BIGINT PRIMARY KEY, t BIGINT); INSERT INTO v VALUES (1, 5), "
                  "(2, 6), (3, 5);"
                  "CREATE TABLE m(id BIGINT GENERATED ALWAYS AS IDENTITY, v BIGINT, s TEXT, x "
                  "DOUBLE PRECISION, UNIQUE (v, s));"
                  "CREATE TABLE told(n BIGINT);"
                  "CREATE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql AS"
                  " 'BEGIN INSERT INTO told VALUES (1); RETURN NULL; END';"
                  "CREATE TRIGGER tell AFTER INSERT ON m EXECUTE FUNCTION tell()");
    assert_ok(rows_new(w->db,
                       "INSERT INTO m (v, s, x) SELECT y.id, $2, $3 FROM v y WHERE y.id = $1 AND "
                       "t = $4 ON CONFLICT (v, s) DO NOTHING",
                       &mark, &e));
    assert_ok(rows_new(w->db,
                       "INSERT INTO m (v, s, x) SELECT y.id, $2, (SELECT COUNT(*) FROM m) FROM v y "
                       "WHERE y.id = $1",
                       &next, &e));
    assert_ok(db_begin(w->db, &e));
    for (int v = 1; v <= 4; v++)    /* of 2 and 4 there is nothing to add */
        for (int s = 0; s < 3; s++) /* the third is there already */
            assert_ok(rows_run(
                mark, ARGS(V_INT(v), V_TEXT(s % 2 ? "wit" : "warmth"), V_REAL(s), V_INT(5)), NULL,
                &e));
    assert_ok(db_commit(w->db, &e));
    assert_int_equal(number(w->db, "SELECT count(*) FROM told", NO_ARGS), 1);
    assert_int_equal(number(w->db,
                            "SELECT count(*) FROM (SELECT v, s, x, row_number() OVER (ORDER BY id) "
                            "AS n FROM m) AS t"
                            " WHERE (v, s, x, n) IN ((1, 'warmth', 0, 1), (1, 'wit', 1, 2), (3, "
                            "'warmth', 0, 3), (3, 'wit', 1, 4))",
                            NO_ARGS),
                     4);
    assert_ok(db_begin(w->db, &e));
    for (const char *name = "a\0b\0c\0"; *name; name += 2)
        assert_ok(rows_run(next, ARGS(V_INT(2), V_TEXT(name)), NULL, &e));
    assert_ok(db_commit(w->db, &e));
    assert_int_equal(number(w->db,
                            "SELECT count(*) FROM m WHERE (s, x) IN (('a', 4), ('b', 5), ('c', 6))",
                            NO_ARGS),
                     3);
}

/* A transaction in a piece of a group undoes itself, and nothing that was written before it. */
static void test_group(void **state)
{
    struct world *w = *state;
    AUTO(rows_freep) struct rows *r = NULL;
    struct err e;

    script(w->db, "CREATE TABLE v(n BIGINT PRIMARY KEY)");
    assert_ok(rows_new(w->db, "INSERT INTO v VALUES ($1)", &r, &e));
    assert_ok(db_group_begin(w->db, &e));
    for (int i = 0; i < 4; i++) {
        assert_ok(db_group_part(w->db, &e));
        for (int k = 0; k < 3; k++) {
            if (i == 2 && k == 0) /* outside of any */
                assert_ok(rows_run(r, ARGS(V_INT(1000)), NULL, &e));
            assert_ok(db_begin(w->db, &e));
            assert_ok(rows_run(r, ARGS(V_INT(10 * i + k)), NULL, &e));
            if (k == i % 2)
                db_rollback(w->db);
            else
                assert_ok(db_commit(w->db, &e));
        }
    }
    assert_ok(db_group_part(w->db, &e));
    assert_ok(rows_run(r, ARGS(V_INT(5000)), NULL, &e));
    db_group_undo(w->db);
    assert_ok(db_group_commit(w->db, &e));
    assert_int_equal(number(w->db, "SELECT sum(n) FROM v", NO_ARGS),
                     (1 + 2) + (10 + 12) + 1000 + (21 + 22) + (30 + 32));
    assert_int_equal(number(w->db, "SELECT count(*) FROM v", NO_ARGS), 9);
}

/* In a group the piece that failed is told so itself, and the others stand. */
static void test_pg_posted_in_group(void **state)
{
    struct world *w = *state;
    AUTO(rows_freep) struct rows *r = NULL;
    struct err e;

    script(w->db, "CREATE TABLE v(n BIGINT PRIMARY KEY)");
    assert_ok(rows_new(w->db, "INSERT INTO v VALUES ($1)", &r, &e));
    assert_ok(db_group_begin(w->db, &e));
    for (int i = 0; i < 5; i++) {
        assert_ok(db_group_part(w->db, &e));
        assert_ok(db_begin(w->db, &e));
        assert_ok(rows_run(r, ARGS(V_INT(i)), NULL, &e));
        assert_ok(rows_run(r, ARGS(V_INT(i == 2 ? 0 : i + 100)), NULL, &e));
        if (i == 2) {
            assert_int_equal(db_commit(w->db, &e), E_STORE);
            assert_says(&e, "duplicate key");
            db_rollback(w->db);
            db_group_undo(w->db);
        } else {
            assert_ok(db_commit(w->db, &e));
        }
    }
    assert_ok(db_group_commit(w->db, &e));
    assert_int_equal(number(w->db, "SELECT sum(n) FROM v", NO_ARGS), 0 + 1 + 3 + 4 + 408);
}

/* Who has no right is told so at once; who finds no room waits for it. */
static void test_pg_refused(void **state)
{
    static const struct {
        const char *change;
        enum status expected;
    } cases[] = {{"NOLOGIN", E_STORE}, {"LOGIN CONNECTION LIMIT 0", E_BUSY}};
    struct world *w = *state;
    struct db *db = NULL;
    struct err e;
    char sql[128], url[600];

    (void)snprintf(sql, sizeof sql, "CREATE ROLE guest_%s", w->schema);
    script(w->db, sql);
    (void)snprintf(url, sizeof url, "%s&user=guest_%s", w->url, w->schema);
    for (size_t i = 0; i < COUNT(cases); i++) {
        (void)snprintf(sql, sizeof sql, "ALTER ROLE guest_%s %s", w->schema, cases[i].change);
        script(w->db, sql);
        assert_int_equal(db_open(&db, url, DB_WRITE, &e), cases[i].expected);
        assert_says(&e, "the server refuses: ");
        assert_says(&e, i ? "too many connections" : "not permitted to log in");
    }
    (void)snprintf(sql, sizeof sql, "ALTER ROLE guest_%s CONNECTION LIMIT 1", w->schema);
    script(w->db, sql);
    db_close(open_db(url, DB_READ));
    (void)snprintf(sql, sizeof sql, "DROP ROLE guest_%s", w->schema);
    script(w->db, sql);
}

static void test_pg_open(void **state)
{
    struct world *w = *state;
    struct db *db = NULL;
    struct err e;
    char url[512];

    (void)snprintf(url, sizeof url, "postgresql:///absent?password=sesame&%s",
                   strchr(w->url, '?') + 1);
    assert_int_equal(db_open(&db, url, DB_WRITE, &e), E_STORE);
    assert_says(&e, "\"absent\" does not exist");
    assert_null(strstr(e.msg, "sesame"));
    (void)snprintf(url, sizeof url, "postgresql://me:sesame@/x?host=%s", w->dir);
    assert_int_equal(db_open(&db, url, DB_WRITE, &e), E_BUSY);
    assert_null(strstr(e.msg, "sesame"));
    assert_says(&e, "postgresql://me@/x?host=");
    assert_null(db);
    assert_int_equal(number(w->db,
                            "SELECT count(*) FROM pg_stat_activity WHERE pid ="
                            " pg_backend_pid() AND application_name = 'audition'",
                            NO_ARGS),
                     1);
    assert_int_equal(db_backup(w->db, "x", &e), E_USAGE);
    assert_says(&e, "pg_dump");
}

/* What has just been written is known to be much before it is read, and stays known where the
 * reading comes to nothing; no table is locked meanwhile. */
static void test_pg_compute(void **state)
{
    const struct world *w = *state;
    struct err e;

    script(w->db, "CREATE TABLE many(n BIGINT); INSERT INTO many SELECT generate_series(1, 5000)");
    script(w->db, "SELECT pg_stat_force_next_flush()");
    assert_true(number(w->db, "SELECT reltuples FROM pg_class WHERE relname = 'many'", NO_ARGS) <
                1);
    assert_ok(db_survey(w->db, &e));
    assert_ok(db_begin(w->db, &e));
    assert_ok(db_compute(w->db, &e));
    assert_int_equal(number(w->db,
                            "SELECT count(*) FROM pg_locks WHERE pid = pg_backend_pid()"
                            " AND relation = 'many'::regclass",
                            NO_ARGS),
                     0);
    db_rollback(w->db);
    assert_int_equal(
        number(w->db, "SELECT reltuples FROM pg_class WHERE relname = 'many'", NO_ARGS), 5000);
}

/* What libpq 15 says when it is told to say the code alone. */
static void test_pg_states(void **state)
{
    static const struct {
        const char *message, *code;
        bool bars, passes;
    } cases[] = {
        {"connection to server on socket \"/x/.s.PGSQL.5432\" failed: FATAL:  53300\n", "53300",
         false, true},
        {"... failed: FATAL:  28P01\n", "28P01", true, false},
        {"... failed: FATAL:  3D000\n", "3D000", true, false},
        {"... failed: FATAL:  XX000\n", "XX000", false, false}, /* its disk is full as it starts */
        {"... failed: FATAL:  57P03\n", "57P03", false, true},
        {"... failed: session is read-only\n", "", true, false},
        {"no", "", true, false},
        {"", "", true, false},
    };
    char out[6];

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const char *code = db_sqlstate_at_end(str_of(cases[i].message), out);
        assert_string_equal(code, cases[i].code);
        assert_int_equal(db_sqlstate_bars(code), cases[i].bars);
        assert_int_equal(db_sqlstate_passes(code), cases[i].passes);
    }
    assert_false(db_sqlstate_passes("08P01"));
}

/* Needs no server. */
static void test_pg_address(void **state)
{
    static const char *const urls[] = {
        "postgresql://me:ses@me@localhost/x",
        "postgresql://me:sesame/1@localhost/x",
        "postgresql://me:sesame%zz@localhost/x",
        "postgresql://me:sesame@[::1/x",
        "postgresql://me:sesame@localhost/x?nonsense=1",
    };
    struct db *db = NULL;
    struct err e;

    (void)state;
    for (size_t i = 0; i < COUNT(urls); i++) {
        assert_int_equal(db_open(&db, urls[i], DB_WRITE, &e), E_USAGE);
        assert_null(strstr(e.msg, "ses"));
    }
    assert_null(db);
}

#define ON(test, setup) cmocka_unit_test_setup_teardown(test, setup, teardown)
#define SHARED(setup)                                                                              \
    ON(test_values, setup), ON(test_long_text, setup), ON(test_arguments, setup),                  \
        ON(test_cursors, setup), ON(test_transactions, setup), ON(test_group, setup),              \
        ON(test_returning, setup), ON(test_returning_refused, setup), ON(test_each, setup),        \
        ON(test_each_of, setup), ON(test_each_of_texts, setup), ON(test_list, setup),              \
        ON(test_named_queries, setup), ON(test_migrate, setup), ON(test_migrate_fails, setup),     \
        ON(test_migrate_strange, setup), ON(test_migrate_together, setup), ON(test_copy, setup),   \
        ON(test_copy_fails, setup)

int main(void)
{
    const struct CMUnitTest on_sqlite[] = {
        SHARED(setup_sqlite),
        cmocka_unit_test_setup_teardown(test_sqlite_at_once, setup_sqlite, teardown),
        ON(test_sqlite_busy, setup_sqlite),
        ON(test_sqlite_unwritable, setup_sqlite),
        ON(test_sqlite_open, setup_sqlite),
        ON(test_sqlite_settings, setup_sqlite),
        ON(test_sqlite_private, setup_sqlite),
        ON(test_sqlite_full, setup_sqlite),
        ON(test_sqlite_backup, setup_sqlite),
        cmocka_unit_test(test_pg_states),
        cmocka_unit_test(test_pg_address),
    };
    const struct CMUnitTest on_pg[] = {
        SHARED(setup_pg),
        ON(test_pg_skip_locked, setup_pg),
        ON(test_pg_locked, setup_pg),
        ON(test_pg_revive, setup_pg),
        ON(test_pg_commit_after_failure, setup_pg),
        ON(test_pg_commit_after_loss, setup_pg),
        ON(test_pg_posted, setup_pg),
        ON(test_pg_too_many, setup_pg),
        ON(test_pg_held, setup_pg),
        ON(test_pg_held_selects, setup_pg),
        ON(test_pg_posted_in_group, setup_pg),
        ON(test_pg_open, setup_pg),
        ON(test_pg_refused, setup_pg),
        ON(test_pg_compute, setup_pg),
    };
    int failed = cmocka_run_group_tests_name("db on SQLite", on_sqlite, NULL, NULL);

    if (getenv("AUDITION_TEST_PG"))
        failed += cmocka_run_group_tests_name("db on PostgreSQL", on_pg, NULL, NULL);
    else
        print_message("SKIP db on PostgreSQL: run through tests/pg.sh\n");
    return failed;
}
