/* The run loop against the mock endpoint, where MOCKLLM says where that is. */
#include "suite/mark.h"
#include "unit/run_world.h"

#include <fcntl.h>

static void append_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "ae");

    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static void start_mock(struct world *w, const char *const *more)
{
    const char *program = getenv("MOCKLLM"), *argv[24] = {program, "--port-file", "port"};
    size_t n = 3;

    if (!program || access(program, X_OK) != 0)
        skip();
    for (; *more; more++)
        argv[n++] = *more;
    argv[n++] = "--log";
    argv[n++] = "log";
    argv[n++] = "--stop-after";
    argv[n++] = "120";
    w->mock = fork();
    assert_true(w->mock >= 0);
    if (w->mock == 0) {
        int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
        (void)dup2(null, STDOUT_FILENO); /* its summary is not ours */
        (void)execv(program, (char *const *)(uintptr_t)argv);
        _exit(127);
    }
    for (int i = 0; i < 500 && !file_exists("port"); i++)
        (void)usleep(20000);
    assert_true(file_exists("port"));
}

#define MOCK(w, ...) start_mock((w), (const char *const[]){__VA_ARGS__, NULL})

/* Player and critic at the mock's port, as these models of it. */
static void use_mock(struct world *w, const char *model, const char *judge)
{
    struct str port;

    assert_int_equal(file_read(w->a, "port", 64, &port, &w->e), OK);
    port = str_trim(port);
    write_text("models.yaml",
               arena_printf(w->a,
                            "models:\n"
                            "  - {name: player, base_url: \"http://127.0.0.1:%.*s\", model: %s, "
                            "price: {in: 1, out: 2}}\n"
                            "  - {name: critic, base_url: \"http://127.0.0.1:%.*s\", model: %s, "
                            "price: {in: 1, out: 2}}\n",
                            STR_ARG(port), model, STR_ARG(port), judge));
    load(w);
}

/* Lines of the mock's log with one of these outcomes; NULL: any. */
static int64_t logged(const char *outcomes)
{
    FILE *f = fopen("log", "re");
    char line[512];
    int64_t n = 0;

    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        char word[32] = "";
        assert_int_equal(sscanf(line, "%*s %*s %*s %31s", word), 1);
        n += !outcomes || strstr(outcomes, word);
    }
    (void)fclose(f);
    return n;
}

/* The mock writes its line after the reply has gone out, so that we may be first. */
static void assert_logged(const char *outcomes, int64_t wanted)
{
    for (int tries = 0; tries < 500 && logged(outcomes) < wanted; tries++)
        (void)usleep(20000);
    assert_int_equal(logged(outcomes), wanted);
}

/* The mock says the same in both repeats, so that there are fewer requests for verdicts than
 * verdicts. Of two that are the same, both are sent unless the reply to the first was saved before
 * the second was leased: that is a matter of time. This is not: each row took one good reply, from
 * the mock or from the store. */
static void assert_replies(const struct world *w, const char *outcomes, int64_t wanted)
{
    assert_in_range(wanted - w->cached, SAMPLES + ITEMS, wanted);
    assert_logged(outcomes, wanted - w->cached);
}

static void test_asking(void **state)
{
    struct world *w = *state;
    int64_t n;

    MOCK(w, "--dimensions", "quality=0|0.5|1", "--faults", "0.3");
    use_mock(w, "chat", "judge-once-bad");
    plan(w, false, false);
    add_judge(w, "critic");
    work(w);
    assert_int_equal(samples(w).by[STATE_DONE], SAMPLES);
    assert_int_equal(verdicts(w).by[STATE_DONE], SAMPLES);
    assert_replies(w, "good drip", 3 * SAMPLES);
    assert_in_range(w->most_in_flight, 0, 4);
    assert_true(w->out.progress.cost > 0);
    (void)score(w, &n);
    /* What is a duplicate of another answer has a value as well. */
    assert_int_equal(n, SAMPLES);
}

static void test_cache(void **state)
{
    struct world *w = *state;
    int64_t first, asked;

    MOCK(w, "--dimensions", "quality=0|0.5|1");
    use_mock(w, "chat", "judge");
    plan(w, false, false);
    add_judge(w, "critic");
    work(w);
    asked = w->out.progress.requests;
    assert_replies(w, NULL, 2 * SAMPLES);
    assert_logged(NULL, asked);
    first = w->run.id;

    /* Another run with the same requests: a new seed is another key, but nothing random is asked.
     */
    write_text("suite.yaml", suite_text);
    append_text("suite.yaml", "description: the same requests, another run\n");
    load(w);
    plan(w, false, false);
    assert_true(w->run.id != first);
    add_judge(w, "critic");
    work(w);
    assert_int_equal(w->out.progress.requests, 0);
    assert_int_equal(w->out.progress.cached, 2 * SAMPLES);
    assert_int_equal(verdicts(w).by[STATE_DONE], SAMPLES);
    assert_logged(NULL, asked);

    plan(w, true, false); /* fresh: everything is asked, and nothing found but its own */
    add_judge(w, "critic");
    work(w);
    assert_in_range(w->out.progress.requests, SAMPLES + ITEMS, 2 * SAMPLES);
    assert_int_equal(w->out.progress.requests + w->out.progress.cached, 2 * SAMPLES);
    assert_logged(NULL, asked + w->out.progress.requests);
}

static void test_budget(void **state)
{
    struct world *w = *state;
    struct run_options o = options(w);
    struct purse spent = {0};
    int64_t left;

    MOCK(w, "--dimensions", "quality=0|0.5|1", "--latency", "5");
    use_mock(w, "chat", "judge");
    plan(w, false, false);
    add_judge(w, "critic");
    o.budget_tokens = 2500;
    work_with(w, &o);
    assert_true(w->out.budget_reached);
    assert_false(w->out.interrupted);
    assert_int_equal(store_spent(w->store, w->run.id, &spent, &w->e), OK);
    assert_in_range(spent.tokens, 1, 2500);
    left = samples(w).by[STATE_PLANNED] + verdicts(w).by[STATE_PLANNED];
    assert_true(left > 0);
    assert_int_equal(samples(w).by[STATE_LEASED] + verdicts(w).by[STATE_LEASED], 0);

    work_with(w, &o); /* it holds for the run, not for the process */
    assert_int_equal(store_spent(w->store, w->run.id, &spent, &w->e), OK);
    assert_in_range(spent.tokens, 1, 2500);

    o.budget_tokens = 0;
    o.budget_usd = spent.usd + 0.0001; /* less than one more request */
    work_with(w, &o);
    assert_true(w->out.budget_reached);
    assert_int_equal(w->out.progress.requests, 0);

    o.budget_usd = 10;
    work_with(w, &o);
    assert_false(w->out.budget_reached);
    assert_int_equal(verdicts(w).by[STATE_DONE], SAMPLES);
    assert_replies(w, NULL, 2 * SAMPLES);
}

static void test_draining(void **state)
{
    struct world *w = *state;
    int64_t done;

    MOCK(w, "--dimensions", "quality=0|0.5|1", "--latency", "300");
    use_mock(w, "chat", "judge");
    plan(w, false, false);
    add_judge(w, "critic");
    w->stop_at = 1;
    work(w);
    assert_true(w->out.interrupted);
    done = samples(w).by[STATE_DONE];
    assert_in_range(done, 1, 4); /* what was in flight has been waited for */
    assert_logged("good", done);
    assert_int_equal(samples(w).by[STATE_PLANNED], SAMPLES - done);
    assert_int_equal(verdicts(w).by[STATE_PLANNED], done);
    assert_int_equal(workers(w), 0);

    w->stop = w->stop_at = 0;
    work(w);
    assert_int_equal(verdicts(w).by[STATE_DONE], SAMPLES);
    assert_replies(w, "good", 2 * SAMPLES);
}

/* Once something is in flight, and no longer when it is asked again. */
static bool outranked_once(void *user, const struct run_orders *run)
{
    struct world *w = user;
    bool now = w->most_in_flight > 0 && !w->outranked;

    (void)run;
    w->outranked |= now;
    return now;
}

/* What is in flight is waited for longer than the reason to stop holds. */
static void test_outranked(void **state)
{
    struct world *w = *state;
    struct run_options o = options(w);

    MOCK(w, "--dimensions", "quality=0|0.5|1", "--latency", "3500");
    use_mock(w, "chat", "judge");
    plan(w, false, false);
    o.jobs = 1;
    o.outranked = outranked_once;
    work_with(w, &o);
    assert_non_null(w->out.ordered);
    assert_string_equal(w->out.ordered, "a more urgent run comes first");
}

static void test_leaving(void **state)
{
    struct world *w = *state;

    MOCK(w, "--dimensions", "quality=0|0.5|1", "--latency", "60000");
    use_mock(w, "chat", "judge");
    plan(w, false, false);
    add_judge(w, "critic");
    w->stop_at = 2;
    work(w); /* the mock would take a minute */
    assert_true(w->out.interrupted);
    assert_int_equal(samples(w).by[STATE_PLANNED], SAMPLES);
    assert_int_equal(workers(w), 0);
}

static void test_permanent_fault(void **state)
{
    struct world *w = *state;
    int64_t n;

    MOCK(w, "--faults", "1", "--fault-kinds", "500");
    use_mock(w, "chat", "judge");
    plan(w, false, false);
    add_judge(w, "critic");
    work(w);
    /* It is not the requests: no row is failed for it. */
    assert_non_null(w->out.halted);
    assert_non_null(strstr(w->out.halted, "nothing good in the last"));
    assert_int_equal(samples(w).by[STATE_PLANNED], SAMPLES);
    assert_int_equal(verdicts(w).total, 0);
    assert_true(logged(NULL) <= 9 * SAMPLES);
    assert_true(isnan(score(w, &n)));
}

/* Somebody else holds the lock until the run says that it waits. */
static void test_locked_database(void **state)
{
    struct world *w = *state;

    MOCK(w, "--dimensions", "quality=0|0.5|1", "--latency", "300");
    use_mock(w, "chat", "judge");
    plan(w, false, false);
    add_judge(w, "critic");
    assert_int_equal(store_open(&w->other, "t.db", DB_WRITE, &w->e), OK);
    work(w);
    assert_true(w->waited);
    assert_int_equal(verdicts(w).by[STATE_DONE], SAMPLES);
    assert_replies(w, "good", 2 * SAMPLES);
}

static void test_leaving_a_locked_database(void **state)
{
    struct world *w = *state;

    MOCK(w, "--latency", "300");
    use_mock(w, "chat", "judge");
    plan(w, false, false);
    assert_int_equal(store_open(&w->other, "t.db", DB_WRITE, &w->e), OK);
    w->leave = true;
    work(w);
    assert_true(w->waited);
    assert_true(w->out.interrupted);
    assert_int_equal(samples(w).by[STATE_DONE], 0);
    store_close(w->other);
    w->other = NULL;
    w->stop = 0;
    work(w);
    assert_int_equal(samples(w).by[STATE_DONE], SAMPLES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_asking),
        TEST(test_cache),
        TEST(test_budget),
        TEST(test_draining),
        TEST(test_outranked),
        TEST(test_leaving),
        TEST(test_permanent_fault),
        TEST(test_locked_database),
        TEST(test_leaving_a_locked_database),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
