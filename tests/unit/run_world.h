/* run_world.h - a small run in a directory of its own, for the tests of the run loop: a suite of
 * three items with two repeats, a recorded player and recorded judges, a SQLite file. */
#ifndef UNIT_RUN_WORLD_H
#define UNIT_RUN_WORLD_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "eval/derive.h"
#include "eval/plan.h"
#include "eval/run.h"
#include "eval/score.h"
#include "gen/queries.h"
#include "store/store_work.h"
#include "suite/models.h"

enum { ITEMS = 3, REPEATS = 2, SAMPLES = ITEMS * REPEATS };

struct world {
    char home[4096], dir[64];
    struct arena *a;
    struct store *store;
    struct suite *suite;
    struct item_source *items;
    struct models models;
    struct run_row run;
    struct run_outcome out;
    struct err e;
    pid_t mock;
    volatile sig_atomic_t stop;
    int stop_at;         /* what reports set `stop` to once something is in flight */
    struct store *other; /* a second handle, that locks the database at that moment */
    bool locked, waited; /* it did; a report said that the run waits for it */
    bool leave;          /* then leave instead of letting go */
    bool outranked;      /* a more urgent run has been there */
    int most_in_flight;
    int64_t cached; /* replies that were found in the store, over all calls of work() */
};

/* ---- files ---- */

static const char suite_text[] = "suite: small\n"
                                 "title: Small\n"
                                 "language: en\n"
                                 "elicit: {kind: single, repeats: 2, sampling: {max_tokens: 200}}\n"
                                 "instrument:\n"
                                 "  kind: dimensions\n"
                                 "  dimensions:\n"
                                 "    - id: quality\n"
                                 "      levels: {0: bad, 0.5: fair, 1: good}\n"
                                 "rules:\n"
                                 "  duplicate: {threshold: 0.8, then: zero}\n"
                                 "score: {kind: mean-of-items, times: 10}\n"
                                 "items:\n"
                                 "  - {id: a, prompt: Who goes there?}\n"
                                 "  - {id: b, prompt: What do you carry?}\n"
                                 "  - {id: c, prompt: Where does the road end?}\n";

static const char player[] =
    "{\"item\": \"a\", \"repeat\": 0, \"text\": \"A tired ferryman, as you can see by the "
    "coat.\"}\n"
    "{\"item\": \"a\", \"repeat\": 1, \"text\": \"Nobody whom the river has not met before.\"}\n"
    "{\"item\": \"b\", \"repeat\": 0, \"text\": \"Two oars and a debt I mean to leave behind.\"}\n"
    "{\"item\": \"b\", \"repeat\": 1, \"text\": \"Salt for the widow at the second lock.\"}\n"
    "{\"item\": \"c\", \"repeat\": 0, \"text\": \"Where the cobbles give up and the mud "
    "begins.\"}\n"
    "{\"item\": \"c\", \"repeat\": 1, \"text\": \"Ask the crows; they have seen both ends of "
    "it.\"}\n";

static inline void write_text(const char *path, const char *text)
{
    struct err e = {0};

    assert_int_equal(file_write(path, str_of(text), &e), OK);
}

/* A recorded judge of one model: the same words for every sample, by attempt (NULL: none). */
static inline void write_judge(const char *path, const char *model, const char *first,
                               const char *second)
{
    static const char items[] = "abc";
    const char *words[] = {first, second};
    FILE *f = fopen(path, "we");

    assert_non_null(f);
    for (const char *i = items; *i; i++)
        for (int repeat = 0; repeat < REPEATS; repeat++)
            for (int attempt = 0; attempt < 2; attempt++)
                if (words[attempt])
                    (void)fprintf(f,
                                  "{\"model\": \"%s\", \"item\": \"%c\", \"repeat\": %d, "
                                  "\"attempt\": %d, \"text\": \"%s\"}\n",
                                  model, *i, repeat, attempt, words[attempt]);
    assert_int_equal(fclose(f), 0);
}

#define GOOD "{\\\"quality\\\": {\\\"analysis\\\": \\\"fine\\\", \\\"score\\\": 1}}"

/* ---- the world ---- */

static inline void load(struct world *w)
{
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 16);
    struct diags d;

    diags_init(&d, w->a);
    w->suite = suite_load(w->a, "suite.yaml", &w->items, &d);
    models_load(w->a, "models.yaml", &w->models, &d);
    diags_show(&d, NULL, &b);
    if (d.errors)
        fail_msg("%s", b.p);
}

static inline int setup(void **state)
{
    struct world *w = mem_new(sizeof *w);

    assert_non_null(getcwd(w->home, sizeof w->home));
    (void)snprintf(w->dir, sizeof w->dir, "/tmp/test_run.XXXXXX");
    assert_non_null(mkdtemp(w->dir));
    assert_int_equal(chdir(w->dir), 0);
    (void)unsetenv("OPENAI_API_KEY");
    w->a = arena_new();
    write_text("suite.yaml", suite_text);
    write_text("player.jsonl", player);
    write_judge("critic.jsonl", "player", GOOD, NULL);
    write_text("models.yaml",
               "models:\n"
               "  - {name: player, kind: recorded, file: player.jsonl, family: f}\n"
               "  - {name: critic, kind: recorded, file: critic.jsonl}\n"
               "  - {name: cousin, kind: recorded, file: critic.jsonl, family: f}\n");
    assert_int_equal(store_open(&w->store, "t.db", DB_WRITE, &w->e), OK);
    load(w);
    *state = w;
    return 0;
}

static inline int teardown(void **state)
{
    static const char *const files[] = {"suite.yaml", "models.yaml", "player.jsonl", "critic.jsonl",
                                        "port",       "log",         "t.db"};
    struct world *w = *state;

    if (w->mock) {
        (void)kill(w->mock, SIGTERM);
        (void)waitpid(w->mock, NULL, 0);
    }
    store_close(w->other);
    store_close(w->store);
    for (size_t i = 0; i < COUNT(files); i++)
        (void)unlink(files[i]);
    assert_int_equal(chdir(w->home), 0);
    assert_int_equal(rmdir(w->dir), 0);
    arena_free(w->a);
    free(w);
    return 0;
}

static inline void plan(struct world *w, bool fresh, bool want_resumed)
{
    const struct endpoint *model = models_find(&w->models, "player");
    struct plan p = {.suite = w->suite, .items = w->items, .models = &model, .nmodels = 1};
    struct diags d;
    bool resumed;

    p.fresh = fresh;
    diags_init(&d, w->a);
    if (plan_run(w->a, w->store, &p, &w->run, &resumed, &d, &w->e) != OK)
        fail_msg("%s", w->e.msg);
    assert_int_equal(resumed, want_resumed);
}

static inline void add_judge(struct world *w, const char *name)
{
    struct plan_judge j = {.judge = models_find(&w->models, name), .repeats = 1};

    if (plan_judge(w->a, w->store, &w->run, w->suite, &j, &w->e) != OK)
        fail_msg("%s", w->e.msg);
}

static inline void lock_for_a_while(struct world *w, const struct run_progress *p)
{
    if (p->in_flight && !w->locked) {
        assert_int_equal(store_begin(w->other, &w->e), OK);
        w->locked = true;
    } else if (p->waiting && !w->waited) {
        w->waited = true;
        w->stop = w->leave ? 2 : 0;
        if (!w->leave)
            store_rollback(w->other);
    }
}

static inline void on_report(void *user, const struct run_progress *p)
{
    struct world *w = user;

    if (p->in_flight > w->most_in_flight)
        w->most_in_flight = p->in_flight;
    if (w->other)
        lock_for_a_while(w, p);
    if (w->stop_at && p->in_flight)
        w->stop = w->stop_at;
}

static inline struct run_options options(struct world *w)
{
    return (struct run_options){
        .jobs = 4,
        .max_retries = 8,
        .budget_usd = NAN,
        .store_wait_ms = 60000,
        .stop = &w->stop,
        .report = on_report,
        .user = w,
    };
}

static inline void work_with(struct world *w, const struct run_options *o)
{
    w->out = (struct run_outcome){0};
    if (run_work(w->a, w->store, &w->run, o, &w->out, &w->e) != OK)
        fail_msg("%s", w->e.msg);
    w->cached += w->out.progress.cached;
}

static inline void work(struct world *w)
{
    struct run_options o = options(w);

    work_with(w, &o);
}

static inline struct state_counts samples(struct world *w)
{
    struct run_counts c;

    assert_int_equal(store_run_counts(w->store, &w->run, 1, NULL, &c, &w->e), OK);
    return c.samples;
}

static inline struct state_counts verdicts(struct world *w)
{
    struct run_counts c;

    assert_int_equal(store_run_counts(w->store, &w->run, 1, NULL, &c, &w->e), OK);
    return c.verdicts;
}

static inline int64_t workers(struct world *w)
{
    struct rows *r = db_query(w->store->db, Q_WORKER_LIST, NO_ARGS, &w->e);
    int64_t n = 0;

    while (rows_next(r))
        n++;
    assert_int_equal(rows_end(r, &w->e), OK);
    return n;
}

/* The headline of the model, and how many samples it stands on. */
static inline double score(struct world *w, int64_t *n)
{
    struct score_list l;
    const struct score_row *s;

    w->run.stale = true;
    assert_int_equal(derive_refresh(w->store, &w->run, &w->e), OK);
    assert_int_equal(store_score_list(w->a, w->store, w->run.id, "", &l, &w->e), OK);
    s = score_find(&l, "model/player", "score");
    *n = s ? s->n : 0;
    return s ? s->value : NAN;
}

static inline int64_t faults(struct world *w, bool of_judge, const char **fault, const char **why)
{
    struct fault_list l;

    *fault = *why = "";
    assert_int_equal(store_fault_list(w->a, w->store, w->run.id, &l, &w->e), OK);
    for (size_t i = 0; i < l.n; i++)
        if (l.v[i].is_judge == of_judge) {
            *fault = l.v[i].fault;
            *why = l.v[i].why;
            return l.v[i].n;
        }
    return 0;
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

#endif
