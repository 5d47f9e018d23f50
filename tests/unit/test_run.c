/* The run loop with recorded parties, and workers beside it. */
#include "unit/run_world.h"

#include "base/clock.h"
#include "suite/mark.h"

static void test_whole_run(void **state)
{
    struct world *w = *state;
    int64_t n;

    plan(w, false, false);
    add_judge(w, "critic");
    work(w);
    assert_int_equal(samples(w).by[STATE_DONE], SAMPLES);
    assert_int_equal(verdicts(w).by[STATE_DONE], SAMPLES);
    assert_int_equal(w->out.progress.samples.done, SAMPLES);
    assert_int_equal(w->out.progress.verdicts.done, SAMPLES);
    assert_int_equal(w->out.progress.requests, 0);
    assert_null(w->out.halted);
    assert_false(w->out.interrupted);
    assert_int_equal(workers(w), 0);
    assert_true(score(w, &n) == 10);
    assert_int_equal(n, SAMPLES);
}

static void test_duplicates_count_nothing(void **state)
{
    struct world *w = *state;
    struct flag_list flags;
    int64_t n;

    write_text("player.jsonl",
               "{\"item\": \"a\", \"repeat\": 0, \"text\": \"A tired ferryman by the river.\"}\n"
               "{\"item\": \"a\", \"repeat\": 1, \"text\": \"A tired ferryman by the river.\"}\n"
               "{\"item\": \"b\", \"repeat\": 0, \"text\": \"Two oars and an old debt.\"}\n"
               "{\"item\": \"b\", \"repeat\": 1, \"text\": \"Salt, for the widow at the lock.\"}\n"
               "{\"item\": \"c\", \"repeat\": 0, \"text\": \"Where the mud begins.\"}\n"
               "{\"item\": \"c\", \"repeat\": 1, \"text\": \"Ask the crows about it.\"}\n");
    plan(w, false, false);
    add_judge(w, "critic");
    work(w);
    assert_true(fabs(score(w, &n) - 10 * (0.5 + 1 + 1) / 3) < 1e-12);
    assert_int_equal(n, SAMPLES);
    assert_int_equal(store_flag_list(w->a, w->store, w->run.id, &flags, &w->e), OK);
    assert_int_equal(flags.n, 1);
    assert_string_equal(flags.v[0].item_name, "a");
    assert_int_equal(flags.v[0].repeat, 1);
}

static void test_repair(void **state)
{
    struct world *w = *state;
    int64_t n;

    write_judge("critic.jsonl", "player", "I liked it very much.", GOOD);
    plan(w, false, false);
    add_judge(w, "critic");
    work(w);
    assert_int_equal(verdicts(w).by[STATE_DONE], SAMPLES);
    assert_true(score(w, &n) == 10);
}

static void test_second_bad_reply_is_unscored(void **state)
{
    struct world *w = *state;
    const char *fault, *why;
    int64_t n;

    write_judge("critic.jsonl", "player", "I liked it very much.", "Ten out of ten.");
    plan(w, false, false);
    add_judge(w, "critic");
    work(w);
    assert_int_equal(verdicts(w).by[STATE_UNSCORED], SAMPLES);
    assert_int_equal(faults(w, true, &fault, &why), SAMPLES);
    assert_true(strlen(fault) > 0 && strlen(why) > 0);
    assert_true(isnan(score(w, &n)));
    assert_int_equal(n, 0);
}

static void test_missing_reply_is_no_score(void **state)
{
    struct world *w = *state;
    const char *fault, *why;
    int64_t n;

    write_text("player.jsonl", "{\"item\": \"a\", \"repeat\": 0, \"text\": \"A ferryman.\"}\n"
                               "{\"item\": \"a\", \"repeat\": 1, \"text\": \"\"}\n");
    write_text("critic.jsonl", "");
    plan(w, false, false);
    add_judge(w, "critic");
    work(w);
    assert_int_equal(samples(w).by[STATE_DONE], 1);
    assert_int_equal(samples(w).by[STATE_FAILED], SAMPLES - 1);
    assert_int_equal(verdicts(w).total, 1);
    assert_int_equal(verdicts(w).by[STATE_FAILED], 1);
    assert_int_equal(faults(w, true, &fault, &why), 1);
    assert_string_equal(fault, "recorded");
    assert_non_null(strstr(why, "no reply"));
    assert_true(isnan(score(w, &n)));
}

static void test_nothing_is_done_twice(void **state)
{
    struct world *w = *state;

    plan(w, false, false);
    add_judge(w, "critic");
    work(w);
    /* The files may be gone by now: nothing needs them. */
    write_text("critic.jsonl", "");
    plan(w, false, true);
    add_judge(w, "critic");
    work(w);
    assert_int_equal(samples(w).total, SAMPLES);
    assert_int_equal(verdicts(w).by[STATE_DONE], SAMPLES);
}

static void test_judge_added_later(void **state)
{
    struct world *w = *state;
    struct run_options o = options(w);

    plan(w, false, false);
    work(w);
    assert_int_equal(samples(w).by[STATE_DONE], SAMPLES);
    assert_int_equal(verdicts(w).total, 0);
    add_judge(w, "critic");
    o.judge_only = true;
    write_text("player.jsonl", "");
    work_with(w, &o);
    assert_int_equal(samples(w).by[STATE_DONE], SAMPLES);
    assert_int_equal(verdicts(w).by[STATE_DONE], SAMPLES);
}

static void test_own_family_is_not_judged(void **state)
{
    struct world *w = *state;
    struct run_options o = options(w);

    plan(w, false, false);
    add_judge(w, "cousin");
    work(w);
    assert_int_equal(samples(w).by[STATE_DONE], SAMPLES);
    assert_int_equal(verdicts(w).total, 0);
    o.own_family = true;
    work_with(w, &o);
    assert_int_equal(verdicts(w).by[STATE_DONE], SAMPLES);
}

static void test_failed_work_again(void **state)
{
    struct world *w = *state;
    int64_t n, again_samples, again_verdicts;

    write_text("player.jsonl", "{\"item\": \"a\", \"repeat\": 0, \"text\": \"A ferryman.\"}\n");
    write_judge("critic.jsonl", "player", "Well.", "Well, well.");
    plan(w, false, false);
    add_judge(w, "critic");
    work(w);
    assert_int_equal(samples(w).by[STATE_FAILED], SAMPLES - 1);
    assert_int_equal(verdicts(w).by[STATE_UNSCORED], 1);
    work(w); /* not of its own accord */
    assert_int_equal(samples(w).by[STATE_FAILED], SAMPLES - 1);

    write_text("player.jsonl", player);
    write_judge("critic.jsonl", "player", GOOD, NULL);
    assert_int_equal(store_plan_again(w->store, w->run.id, &again_samples, &again_verdicts, &w->e),
                     OK);
    assert_int_equal(again_samples, SAMPLES - 1);
    assert_int_equal(again_verdicts, 1);
    work(w);
    assert_int_equal(samples(w).by[STATE_DONE], SAMPLES);
    assert_int_equal(verdicts(w).by[STATE_DONE], SAMPLES);
    assert_true(score(w, &n) == 10);
}

static void test_stopped_before_it_began(void **state)
{
    struct world *w = *state;

    plan(w, false, false);
    add_judge(w, "critic");
    for (w->stop = 1; w->stop <= 2; w->stop++) {
        work(w);
        assert_true(w->out.interrupted);
        assert_int_equal(samples(w).by[STATE_PLANNED], SAMPLES);
        assert_int_equal(workers(w), 0);
    }
    w->stop = 0;
    work(w);
    assert_int_equal(verdicts(w).by[STATE_DONE], SAMPLES);
}

/* ---- workers ---- */

static int64_t lease_as(struct store *s, int64_t run, int n, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct party_list models;
    struct leased_list rows;

    if (store_party_list(a, s, PARTY_MODEL, run, &models, e) != OK ||
        store_lease(a, s, PARTY_MODEL, models.v[0].id, n, &(int64_t){0}, &rows, e) != OK)
        return 0;
    return (int64_t)rows.n;
}

/* A process that begins to work and leases two rows. It ends there, or waits to be killed. */
static pid_t start_worker(struct world *w, bool ends)
{
    int ready[2];
    char byte;
    pid_t pid;

    assert_int_equal(pipe(ready), 0);
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        struct store *s;
        struct err e = {0};
        bool good = store_open(&s, "t.db", DB_WRITE, &e) == OK && store_worker_start(s, &e) == OK &&
                    lease_as(s, w->run.id, 2, &e) == 2;
        if (write(ready[1], good ? "y" : "n", 1) != 1)
            _exit(1);
        while (!ends)
            (void)pause();
        _exit(0);
    }
    (void)close(ready[1]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_int_equal(byte, 'y');
    (void)close(ready[0]);
    return pid;
}

static void test_leases_of_the_dead_are_taken_over(void **state)
{
    struct world *w = *state;
    char host[STORE_MACHINE];

    plan(w, false, false);
    store_machine(host);
    /* No process has this number. */
    assert_int_equal(db_run(w->store->db, Q_WORKER_ADD,
                            ARGS(V_INT(77), V_TEXT("gone"), V_TEXT(host), V_INT(0x7ffffff0),
                                 V_INT(12345), V_INT(clock_utc_ms()), V_TEXT(""), V_INT(0)),
                            NULL, &w->e),
                     OK);
    w->store->worker = 77;
    assert_int_equal(lease_as(w->store, w->run.id, 2, &w->e), 2);
    assert_int_equal(samples(w).by[STATE_LEASED], 2);
    w->store->worker = 0;
    work(w);
    assert_int_equal(samples(w).by[STATE_DONE], SAMPLES);
    assert_int_equal(workers(w), 0);
}

/* Ended, but nobody has collected it: in a container without an init that is for ever. */
static void test_a_zombie_is_dead(void **state)
{
    struct world *w = *state;
    siginfo_t info;
    pid_t pid;

    plan(w, false, false);
    pid = start_worker(w, true);
    assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
    work(w);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    assert_int_equal(samples(w).by[STATE_DONE], SAMPLES);
}

static bool is_waiting_for_others(const struct run_progress *p)
{
    return p->waiting && strstr(p->waiting, "another process is working on 2");
}

static void stop_when_waiting(void *user, const struct run_progress *p)
{
    struct world *w = user;

    if (is_waiting_for_others(p))
        w->stop = 1;
}

static void test_leases_of_the_living_are_left(void **state)
{
    struct world *w = *state;
    struct run_options o = options(w);
    pid_t pid;

    plan(w, false, false);
    pid = start_worker(w, false);
    o.report = stop_when_waiting;
    work_with(w, &o);
    assert_true(w->out.interrupted);
    assert_int_equal(samples(w).by[STATE_DONE], SAMPLES - 2);
    assert_int_equal(samples(w).by[STATE_LEASED], 2);
    assert_int_equal(kill(pid, SIGKILL), 0);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    w->stop = 0;
    work(w);
    assert_int_equal(samples(w).by[STATE_DONE], SAMPLES);
}

static void kill_worker(void *user, const struct run_progress *p)
{
    struct world *w = user;

    (void)p;
    if (w->mock) {
        (void)kill(w->mock, SIGKILL);
        (void)waitpid(w->mock, NULL, 0);
        w->mock = 0;
    }
}

/* Nothing is waited for when all is done. */
static void kill_when_waiting(void *user, const struct run_progress *p)
{
    if (is_waiting_for_others(p))
        kill_worker(user, p);
    assert_true(!p->waiting || p->samples.done < SAMPLES);
}

/* Whoever waits for another process takes over what that one cannot end. */
static void test_a_worker_that_dies_is_replaced(void **state)
{
    struct world *w = *state;
    struct run_options o = options(w);

    plan(w, false, false);
    w->mock = start_worker(w, false);
    o.report = kill_when_waiting;
    work_with(w, &o);
    assert_int_equal(w->mock, 0);
    assert_false(w->out.interrupted);
    assert_int_equal(samples(w).by[STATE_DONE], SAMPLES);
    assert_int_equal(workers(w), 0);
}

static void test_a_dead_worker_is_noticed(void **state)
{
    struct world *w = *state;
    struct run_options o = options(w);

    plan(w, false, false);
    w->mock = start_worker(w, false);
    o.report = kill_worker;
    work_with(w, &o);
    assert_int_equal(samples(w).by[STATE_DONE], SAMPLES);
    assert_int_equal(workers(w), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_whole_run),
        TEST(test_duplicates_count_nothing),
        TEST(test_repair),
        TEST(test_second_bad_reply_is_unscored),
        TEST(test_missing_reply_is_no_score),
        TEST(test_nothing_is_done_twice),
        TEST(test_judge_added_later),
        TEST(test_own_family_is_not_judged),
        TEST(test_failed_work_again),
        TEST(test_stopped_before_it_began),
        TEST(test_leases_of_the_dead_are_taken_over),
        TEST(test_a_zombie_is_dead),
        TEST(test_leases_of_the_living_are_left),
        TEST(test_a_worker_that_dies_is_replaced),
        TEST(test_a_dead_worker_is_noticed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
