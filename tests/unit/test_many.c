/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <math.h>

#include "db/many.h"

struct sample {
    const char *sql;
    bool can, by_key;
};

/* Whatever another row of the same statement could change must go alone. */
static void knows_what_goes_together(void **state)
{
    static const struct sample v[] = {
        {"INSERT INTO item(run, name) VALUES ($1, $2)", true, false},
        {"INSERT INTO item(run) VALUES ($1) ON CONFLICT DO NOTHING", true, false},
        {"INSERT INTO item(run) VALUES ($1) ON CONFLICT(run) DO UPDATE SET n = n + 1", false,
         false},
        {"INSERT INTO item(run) VALUES ($1) RETURNING id", false, false},
        {"INSERT INTO item(run) VALUES ($1), ($2)", false, false},
        {"INSERT INTO item(run) VALUES (coalesce($1, 0))", false, false},
        {"INSERT INTO item(run) VALUES ((SELECT max(id) FROM run))", false, false},
        {"INSERT INTO mark(verdict) SELECT v.id FROM verdict AS v WHERE v.id = $1", true, false},
        {"INSERT INTO mark(verdict) SELECT id FROM verdict WHERE id = $1 AND worker = $2", true,
         false},
        {"INSERT INTO mark(verdict) SELECT id FROM verdict WHERE run = $1", false, false},
        {"INSERT INTO mark(verdict) SELECT m.id FROM mark AS m WHERE m.id = $1", false, false},
        {"INSERT INTO mark(verdict) SELECT v.id FROM verdict AS v JOIN mark AS m ON m.verdict = "
         "v.id "
         "WHERE v.id = $1",
         false, false},
        {"INSERT INTO mark(verdict) SELECT id FROM verdict WHERE id = $1 "
         "ON CONFLICT(verdict) DO UPDATE SET n = 1",
         false, false},
        {"INSERT INTO t(a) SELECT MAX(u.a) FROM u WHERE u.id = $1", false, false},
        {"INSERT INTO t(a) SELECT u.a FROM u WHERE u.id = $1 OR u.run = $2", false, false},
        {"INSERT INTO t(a) SELECT u.a FROM u WHERE u.id = $1 AND (u.b = $2 OR u.c = $2)", true,
         false},
        {"INSERT INTO t(a) SELECT u.a FROM u WHERE u.id = $1 LIMIT 1", false, false},
        {"INSERT INTO t(a) SELECT u.a FROM u, t WHERE u.id = $1", false, false},
        {"INSERT INTO t(a) SELECT (SELECT x FROM w WHERE id = $2) FROM u WHERE u.run = $1", false,
         false},
        {"UPDATE sample SET state = $2 WHERE id = $1", true, true},
        {"UPDATE sample SET state = $1 WHERE id = $2", false, false},
        {"UPDATE sample SET state = $2 WHERE run = $1", false, false},
        {"UPDATE sample SET n = (SELECT n FROM run WHERE x) WHERE id = $1", false, false},
        {"UPDATE sample SET state = $2 WHERE id = $1 RETURNING id", false, false},
        {"DELETE FROM sample_lease WHERE sample = $1", false, false},
        {"SELECT 1", false, false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(v); i++)
        if (many_can(v[i].sql) != v[i].can || (v[i].can && many_by_key(v[i].sql) != v[i].by_key))
            fail_msg("%s", v[i].sql);
}

static void becomes(const char *sql, size_t n, bool adds, const char *expected)
{
    static const unsigned types[] = {PG_INT8, PG_TEXT};
    AUTO(buf_done) struct buf b = BUF_MAX(1000);

    many_sql(&b, sql, types, n, adds);
    assert_string_equal(buf_str(&b).p, expected);
}

#define TABLE1 "unnest(CAST($1 AS bigint[])) WITH ORDINALITY AS n(p1, i)"
#define TABLE2 "unnest(CAST($1 AS bigint[]), CAST($2 AS text[])) WITH ORDINALITY AS n(p1, p2, i)"

static void makes_one_statement(void **state)
{
    (void)state;
    becomes("INSERT INTO t(a, b) VALUES ($1, lower) ON CONFLICT DO NOTHING;\n", 1, false,
            "INSERT INTO t(a, b) SELECT n.p1, lower FROM " TABLE1 " ON CONFLICT DO NOTHING");
    becomes("INSERT INTO t(a, b) VALUES ($1, $2) ON CONFLICT DO NOTHING", 2, true,
            "INSERT INTO t(a, b) SELECT n.p1, n.p2 FROM " TABLE2 " RETURNING id");
    becomes("INSERT INTO t(a) SELECT u.a FROM u WHERE u.id = $1", 1, false,
            "INSERT INTO t(a) SELECT u.a FROM u , " TABLE1 " WHERE u.id = n.p1");
    becomes("UPDATE t SET a = $2 WHERE id = $1", 2, false,
            "UPDATE t SET a = n.p2 FROM " TABLE2 " WHERE id = n.p1");
    becomes("DELETE FROM t WHERE id = $1 AND b = $2", 2, false,
            "DELETE FROM t WHERE id = ANY(CAST($1 AS bigint[])) AND b = (CAST($2 AS text[]))[1]");
    becomes("SELECT a FROM t WHERE id = $1", 1, false,
            "SELECT q.*, n.i - 1 FROM " TABLE1
            ", LATERAL (SELECT a FROM t WHERE id = n.p1 OFFSET 0) AS q");
}

/* As libpq's documentation of arrays has it: dimensions, NULLs, type, length, first index. */
static void makes_arrays(void **state)
{
    static const char ints[] = "\0\0\0\1\0\0\0\1\0\0\0\24\0\0\0\3\0\0\0\1"
                               "\0\0\0\10\377\377\377\377\377\377\377\376"
                               "\377\377\377\377"
                               "\0\0\0\10\0\0\0\0\0\0\1\1",
                      reals[] = "\0\0\0\1\0\0\0\1\0\0\2\275\0\0\0\3\0\0\0\1"
                                "\0\0\0\10\77\360\0\0\0\0\0\0"
                                "\377\377\377\377"
                                "\0\0\0\10\300\0\0\0\0\0\0\0",
                      texts[] = "\0\0\0\1\0\0\0\1\0\0\0\31\0\0\0\3\0\0\0\1"
                                "\0\0\0\1x"
                                "\0\0\0\0"
                                "\377\377\377\377";
    AUTO(arena_freep) struct arena *a = arena_new();
    struct args all = ARGS(V_INT(-2), V_REAL(1), V_TEXT("x"), V_NULL, V_REAL(NAN), V_TEXT(""),
                           V_INT(257), V_REAL(-2), V_NULL);
    struct val v;

    (void)state;
    assert_true(many_array(a, PG_INT8, all, 3, 0, &v));
    assert_int_equal(v.s.n, sizeof ints - 1);
    assert_memory_equal(v.s.p, ints, v.s.n);
    assert_true(many_array(a, PG_FLOAT8, all, 3, 1, &v));
    assert_int_equal(v.s.n, sizeof reals - 1);
    assert_memory_equal(v.s.p, reals, v.s.n);
    assert_true(many_array(a, PG_TEXT, all, 3, 2, &v));
    assert_int_equal(v.s.n, sizeof texts - 1);
    assert_memory_equal(v.s.p, texts, v.s.n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knows_what_goes_together),
        cmocka_unit_test(makes_one_statement),
        cmocka_unit_test(makes_arrays),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
