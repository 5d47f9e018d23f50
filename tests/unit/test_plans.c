#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "db/many.h"
#include "gen/queries.h"
#include "unit/store_world.h"

/* Queries that may walk over a whole table, and why. Every other one finds its rows by an index:
 * what is asked of one run costs the same however many others there are. */
static const struct {
    const char *query, *why;
} whole[] = {
    {"run_list", "shows all runs"},
    {"remove_lend_samples",
     "once, when a run is removed: whether others were answered with its calls"},
    {"remove_lend_verdicts", "likewise"},
    {"run_latest", "stops at the first row"},
    {"run_page", "looks for words in the index of all runs"},
    {"run_stand", "one row of counts, each found by an index"},
    {"sample_page", "reads the samples of one run, which were found by an index"},
    {"suite_list", "counts the runs of all suites in an index"},
    {"campaign_list", "shows all campaigns"},
    {"account_list", "shows all accounts, which are few"},
    {"account_count", "accounts are few"},
    {"account_admins", "accounts are few"},
    {"team_list", "shows all teams, which are few"},
    {"grant_put", "the one row that it makes itself"},
    {"device_sweep", "a row for each browser of the staff, once in a while"},
    {"budget_others", "a row for each process that works"},
    {"order_next", "reads the index of queued runs alone"},
    {"held_known", "looks at the names of all who take part, when somebody gives an order"},
    {"held_list", "a row for each endpoint and worker that is held"},
    {"workers_shown", "a row for each process that works"},
    {"worker_list", "a row for each process that works"},
    {"run_pulse", "a row for each process that works"},
    {"worker_orphan_asked", "a row for each worker and endpoint"},
    {"worker_orphan_samples", "a row for each that somebody holds"},
    {"worker_orphan_verdicts", "likewise"},
    {"worker_free_samples", "likewise"},
    {"worker_free_verdicts", "likewise"},
    {"remove_sample_leases", "likewise"},
    {"remove_verdict_leases", "likewise"},
    {"lease_samples", "as many as are wanted, found by an index"},
    {"lease_verdicts", "likewise"},
    {"sample_counts", "joins counts of the runs, each found by an index"},
    {"verdict_counts", "likewise"},
    {"run_held", "a row for each that somebody holds"},
    {"word_busy", "a row for each process that works"},
    {"word_samples_drop", "an index of words, asked by row"},
    {"word_verdicts_drop", "an index of words, asked by row"},
    {"unworded", "reads the index of all runs"},
    {"find_answers", "an index of words, and that of runs"},
    {"find_verdicts", "an index of words, and that of runs"},
    {"db_run_sizes", "adds up the texts of all runs, for `db stats`"},
    {"pack_sizes", "adds up what is packed, for `db stats`"},
    {"remove_dictionaries", "a dictionary for each run at most, each looked up in an index"},
    {"pack_runs", "looks at all runs, for `db vacuum`"},
    {"db_migration_list", "a row for each migration"},
    {"seal_count", "one row of counts, each found by an index"},
    {"spent", "adds up the rows of one run, which were found by an index"},
    {"coverage_list", "joins counts of one campaign, which were found by an index"},
    {"passage_use", "joins counts of one campaign, which were found by an index"},
    {"people_battle_each", "battles of one campaign, which were found by an index"},
    {"rater_get", "two rows of counts of one rater, found by an index"},
};

static bool may_walk(const char *query)
{
    for (size_t i = 0; i < COUNT(whole); i++)
        if (strcmp(whole[i].query, query) == 0)
            return true;
    return false;
}

/* As many as the highest $n. */
static struct args ones_for(const char *sql)
{
    static struct val ones[64];
    size_t n = 0;

    for (size_t i = 0; i < COUNT(ones); i++)
        ones[i] = V_INT(1);
    for (const char *p = strchr(sql, '$'); p; p = strchr(p + 1, '$'))
        if ((size_t)atoi(p + 1) > n)
            n = (size_t)atoi(p + 1);
    assert_true(n <= COUNT(ones));
    return (struct args){ones, n};
}

static bool walks(struct world *w, const struct query_text *q, struct buf *plan)
{
    const char *sql = arena_printf(w->arena, "EXPLAIN QUERY PLAN %s", q->sql);
    bool found = false;
    struct rows *r;
    struct err e;

    assert_ok(rows_new(w->store->db, sql, &r, &e));
    assert_ok(rows_open(r, ones_for(q->sql), &e));
    while (rows_next(r)) {
        const char *step = row_text(r, 3);
        buf_fmt(plan, "    %s\n", step);
        found = found || strstr(step, "AUTOMATIC") ||
                (str_starts(str_of(step), STR("SCAN")) && strcmp(step, "SCAN CONSTANT ROW") != 0);
    }
    assert_ok(rows_end(r, &e));
    rows_freep(&r);
    return found;
}

static void no_query_walks_over_a_table_that_grows(void **state)
{
    struct world *w = *state;
    struct err e;
    int bad = 0;

    /* Plans of inserts list the rows that a deferred reference might wait for; there are none. */
    assert_ok(db_script(w->store->db, "PRAGMA foreign_keys=OFF", &e));
    for (const struct query_text *q = query_texts; q->name; q++) {
        AUTO(buf_done) struct buf plan = BUF_MAX(1 << 20);
        bool found = walks(w, q, &plan);
        if (found && !may_walk(q->name)) {
            print_error("query %s walks over a table:\n%s", q->name, buf_str(&plan).p);
            bad++;
        }
    }
    assert_int_equal(bad, 0);
}

/* SQLite of Debian 12: others may find ways of their own. */
static bool is_usual(struct world *w)
{
    AUTO(rows_freep) struct rows *r = NULL;
    struct err e;
    bool usual;

    assert_ok(rows_new(w->store->db, "SELECT sqlite_version()", &r, &e));
    assert_ok(rows_open(r, NO_ARGS, &e));
    usual = rows_next(r) && str_starts(str_of(row_text(r, 0)), STR("3.40."));
    assert_ok(rows_end(r, &e));
    return usual;
}

/* An exception that is needed no more would hide the next mistake. */
static void exceptions_are_needed(void **state)
{
    struct world *w = *state;

    if (!is_usual(w))
        skip();
    for (size_t i = 0; i < COUNT(whole); i++) {
        const struct query_text *q = query_texts;
        AUTO(buf_done) struct buf plan = BUF_MAX(1 << 20);
        while (q->name && strcmp(q->name, whole[i].query) != 0)
            q++;
        assert_non_null(q->name);
        if (!walks(w, q, &plan))
            fail_msg("%s need not be an exception: %s", q->name, whole[i].why);
    }
}

static void expect_by_id(struct world *w, const char *name, const char *sql, struct args args)
{
    bool by_id = false;
    struct rows *r;
    struct err e;

    assert_ok(rows_new(w->store->db, arena_printf(w->arena, "EXPLAIN %s", sql), &r, &e));
    assert_ok(rows_open(r, args, &e));
    while (rows_next(r))
        by_id = by_id || strstr(row_text(r, 0), "Index Cond: (id =");
    assert_ok(rows_end(r, &e));
    rows_freep(&r);
    if (!by_id)
        fail_msg("%s does not find its row by its id", name);
}

/* PostgreSQL knows nothing of a young table: a row must be found by its id all the same, not among
 * all that a worker holds. */
static void a_held_row_is_found_by_its_id(void **state)
{
    static const int queries[] = {Q_SAMPLE_END,      Q_VERDICT_END, Q_UNLEASE_SAMPLE,
                                  Q_UNLEASE_VERDICT, Q_TURN_ADD,    Q_TURN_SPENT};
    struct world *w = *state;

    for (size_t i = 0; i < COUNT(queries); i++) {
        const struct query_text *q = &query_texts[queries[i]];
        expect_by_id(w, q->name, q->sql, ones_for(q->sql));
    }
}

/* Nor does it when many were held once, and it looked when none was: those that are let go together
 * are found by their ids, and those that are counted. */
static void what_is_left_of_others_is_not_walked_through(void **state)
{
    static const int deletes[] = {Q_UNLEASE_SAMPLE, Q_UNLEASE_VERDICT};
    static const int counts[] = {Q_SAMPLE_COUNTS, Q_VERDICT_COUNTS, Q_RUN_HELD};
    struct world *w = *state;
    struct val two[2];
    struct err e;

    assert_ok(
        db_script(w->store->db,
                  "INSERT INTO sample_lease SELECT n, 1, 1 FROM generate_series(1, 10000) AS n;"
                  "INSERT INTO verdict_lease SELECT * FROM sample_lease;"
                  "DELETE FROM sample_lease; DELETE FROM verdict_lease;"
                  "ANALYZE sample_lease; ANALYZE verdict_lease; ANALYZE sample; ANALYZE verdict;"
                  "SET enable_seqscan = off; SET enable_bitmapscan = off",
                  &e));
    for (size_t i = 0; i < COUNT(deletes); i++) {
        AUTO(buf_done) struct buf many = BUF_MAX(4096);
        many_sql(&many, query_texts[deletes[i]].sql, (const unsigned[]){PG_INT8, PG_INT8}, 2,
                 false);
        for (size_t k = 0; k < COUNT(two); k++)
            assert_true(many_array(w->arena, PG_INT8, ARGS(V_INT(1), V_INT(1), V_INT(2), V_INT(1)),
                                   2, k, &two[k]));
        expect_by_id(w, query_texts[deletes[i]].name, buf_str(&many).p, ARGS(two[0], two[1]));
    }
    for (size_t i = 0; i < COUNT(counts); i++) {
        const struct query_text *q = &query_texts[counts[i]];
        expect_by_id(w, q->name, q->sql, ones_for(q->sql));
    }
}

int main(void)
{
    const struct CMUnitTest on_sqlite[] = {
        WORLD_TEST(no_query_walks_over_a_table_that_grows, world_sqlite),
        WORLD_TEST(exceptions_are_needed, world_sqlite),
    };
    const struct CMUnitTest on_pg[] = {
        WORLD_TEST(a_held_row_is_found_by_its_id, world_pg),
        WORLD_TEST(what_is_left_of_others_is_not_walked_through, world_pg),
    };
    int failed = cmocka_run_group_tests_name("plans on SQLite", on_sqlite, NULL, NULL);

    if (getenv("AUDITION_TEST_PG"))
        failed += cmocka_run_group_tests_name("plans on PostgreSQL", on_pg, NULL, NULL);
    else
        print_message("SKIP plans on PostgreSQL: run through tests/pg.sh\n");
    return failed;
}
