/* store_world.h - a fresh store for each test, on SQLite and, where tests/pg.sh has started one, on
 * PostgreSQL; and a small run in it. Include after cmocka.h. */
#ifndef UNIT_STORE_WORLD_H
#define UNIT_STORE_WORLD_H

#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "db/db_driver.h"
#include "store/store_read.h"
#include "store/store_work.h"
#include "suite/instrument.h"
#include "suite/item.h"
#include "suite/suite.h"

struct world {
    char dir[64], url[512];
    struct arena *arena;
    struct store *store;
    struct run_row run;
    struct party models[2], judge;
};

#define assert_ok(call) assert_ok_at((call), &e, __FILE__, __LINE__)

static inline void assert_ok_at(enum status st, const struct err *e, const char *file, int line)
{
    if (st == OK)
        return;
    print_error("%s:%d: status %d: %s\n", file, line, (int)st, e->msg);
    _fail(file, line);
}

static inline void assert_says(const struct err *e, const char *part)
{
    if (!strstr(e->msg, part))
        fail_msg("\"%s\" does not say \"%s\"", e->msg, part);
}

static inline void world_create(const char *what)
{
    struct db *admin;
    struct err e;
    char sql[192];

    assert_ok(db_open(&admin, getenv("AUDITION_TEST_PG"), DB_WRITE, &e));
    (void)snprintf(sql, sizeof sql, "CREATE DATABASE %s", what);
    assert_ok(db_script(admin, sql, &e));
    db_close(admin);
}

/* A database of its own: a copy of one that has the tables, since making them takes far longer. */
static inline void world_database(struct world *w)
{
    static int serial;
    const char *where = strchr(getenv("AUDITION_TEST_PG"), '?'),
               *made = getenv("AUDITION_TEST_MADE");
    int pid = (int)getpid();
    struct err e;
    char own[32], copy[160];

    (void)snprintf(own, sizeof own, "t%d", pid);
    if (!serial++ && !made) {
        world_create(own);
        (void)snprintf(w->url, sizeof w->url, "postgresql:///%s%s", own, where);
        assert_ok(store_open(&w->store, w->url, DB_WRITE, &e));
        store_close(w->store);
    }
    (void)snprintf(copy, sizeof copy, "w%d_%d TEMPLATE %s STRATEGY file_copy", pid, serial,
                   made ? made : own);
    world_create(copy);
    (void)snprintf(w->url, sizeof w->url, "postgresql:///w%d_%d%s", pid, serial, where);
}

static inline int world_new(void **state, bool postgres)
{
    struct world *w = mem_new(sizeof *w);
    struct err e;

    (void)snprintf(w->dir, sizeof w->dir, "/tmp/audition-store.XXXXXX");
    assert_non_null(mkdtemp(w->dir));
    (void)snprintf(w->url, sizeof w->url, "%s/a.db", w->dir);
    if (postgres)
        world_database(w);
    w->arena = arena_new();
    assert_ok(store_open(&w->store, w->url, DB_WRITE, &e));
    *state = w;
    return 0;
}

static inline int world_sqlite(void **state)
{
    return world_new(state, false);
}

static inline int world_pg(void **state)
{
    return world_new(state, true);
}

static inline int world_free(void **state)
{
    struct world *w = *state;
    char command[128];

    store_close(w->store);
    arena_free(w->arena);
    (void)snprintf(command, sizeof command, "rm -rf '%s'", w->dir);
    assert_int_equal(system(command), 0);
    free(w);
    return 0;
}

/* A suite of two dimensions: tone 0, 0.5, 1 and wit 0..5, the second weighing less. */
static inline struct suite world_suite(struct arena *a)
{
    static const struct level tones[] = {{0, {"flat", 4}}, {0.5, {"near", 4}}, {1, {"right", 5}}};
    struct dimension *dims = NEW_N(a, struct dimension, 2);

    dims[0] = (struct dimension){.id = "tone",
                                 .title = STR("Tone"),
                                 .weight = 2,
                                 .max = 1,
                                 .levels = tones,
                                 .nlevels = COUNT(tones)};
    dims[1] =
        (struct dimension){.id = "wit", .title = STR("Wit"), .weight = 1, .max = 5, .whole = true};
    return (struct suite){
        .id = "tiny",
        .title = STR("Tiny"),
        .language = "en",
        .elicit = {.repeats = 2,
                   .template = {.name = "prompt", .user = STR("{{prompt}}")},
                   .sampling = "{}"},
        .instrument = {.dimensions = dims, .ndimensions = 2},
        .judge = {.name = "rubric.en", .user = STR("{{answer}}")},
        .judge_sampling = "{}",
        .score = {.kind = SCORE_WEIGHTED_MEAN, .times = 1, .divide = 1},
        .seed = 1,
    };
}

static inline void world_items(struct world *w, int64_t n)
{
    struct err e;

    for (int64_t i = 0; i < n; i++) {
        struct item item = {.id = arena_printf(w->arena, "i%lld", (long long)i),
                            .prompt = STR("Who goes there?")};
        assert_ok(store_item_add(w->store, w->run.id, i, item.id,
                                 str_of(item_freeze(w->arena, &item)), &e));
    }
}

/* A run with n items, models "ann" (family x) and "bob", judge "jo" (family x); nothing planned. */
static inline void world_run(struct world *w, int64_t n)
{
    struct suite suite = world_suite(w->arena);
    struct err e;

    w->run = (struct run_row){
        .key = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff",
        .suite = "tiny",
        .frozen = str_of(suite_freeze(w->arena, &suite)),
        .seed = 7,
        .repeats = 2,
        .stale = true,
    };
    w->models[0] =
        (struct party){.name = "ann", .family = "x", .config = STR("{\"name\":\"ann\"}")};
    w->models[1] = (struct party){.name = "bob", .family = "", .config = STR("{\"name\":\"bob\"}")};
    w->judge = (struct party){.name = "jo",
                              .family = "x",
                              .config = STR("{\"name\":\"jo\"}"),
                              .template = STR("{}"),
                              .repeats = 1};
    assert_ok(store_begin(w->store, &e));
    assert_ok(store_run_next(w->store, w->run.key, &w->run.generation, &e));
    assert_ok(store_run_add(w->arena, w->store, &w->run, &e));
    assert_ok(store_party_put(w->store, PARTY_MODEL, w->run.id, &w->models[0], &e));
    assert_ok(store_party_put(w->store, PARTY_MODEL, w->run.id, &w->models[1], &e));
    assert_ok(store_party_put(w->store, PARTY_JUDGE, w->run.id, &w->judge, &e));
    world_items(w, n);
    assert_ok(store_commit(w->store, &e));
}

/* Both groups of a program: tests is a macro that lists them for a setup. */
#define WORLD_MAIN(name, tests)                                                                    \
    int main(void)                                                                                 \
    {                                                                                              \
        const struct CMUnitTest on_sqlite[] = {tests(world_sqlite)};                               \
        const struct CMUnitTest on_pg[] = {tests(world_pg)};                                       \
        int failed = cmocka_run_group_tests_name(name " on SQLite", on_sqlite, NULL, NULL);        \
        if (getenv("AUDITION_TEST_PG"))                                                            \
            failed += cmocka_run_group_tests_name(name " on PostgreSQL", on_pg, NULL, NULL);       \
        else                                                                                       \
            print_message("SKIP " name " on PostgreSQL: run through tests/pg.sh\n");               \
        return failed;                                                                             \
    }
#define WORLD_TEST(test, setup) cmocka_unit_test_setup_teardown(test, setup, world_free)

#endif
