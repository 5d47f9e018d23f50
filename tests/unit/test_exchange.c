#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "eval/derive.h"
#include "eval/verify.h"
#include "exchange/exchange.h"
#include "suite/mark.h"
#include "unit/store_world.h"

/* ---- helpers ---- */

static const char *write_file(struct world *w, const char *text)
{
    const char *path = arena_printf(w->arena, "%s/in.jsonl", w->dir);
    struct err e;

    assert_ok(file_write(path, str_of(text), &e));
    return path;
}

/* Import as the command does: all or nothing. */
static enum status try_import(struct world *w, const char *text, const char *model,
                              struct exchange_counts *out, struct err *e)
{
    const char *path = write_file(w, text);
    struct exchange_files f = {&path, 1, model};
    struct exchange_survey survey;
    struct suite suite;

    if (exchange_survey(w->arena, &f, &survey, e) != OK)
        return e->code;
    assert_int_equal(suite_thaw(w->arena, w->run.frozen, &suite, e), OK);
    assert_int_equal(store_begin(w->store, e), OK);
    if (exchange_import(w->store, &w->run, &suite, &f, &survey, out, e) != OK) {
        store_rollback(w->store);
        return e->code;
    }
    return store_commit(w->store, e);
}

static struct exchange_counts import(struct world *w, const char *text)
{
    struct exchange_counts c = {0};
    struct err e;

    assert_ok(try_import(w, text, NULL, &c, &e));
    return c;
}

static void refused(struct world *w, const char *text, const char *says)
{
    struct exchange_counts c;
    struct run_counts before, after;
    struct err e = {0};

    assert_ok(store_run_counts(w->store, &w->run, 1, NULL, &before, &e));
    assert_int_not_equal(try_import(w, text, NULL, &c, &e), OK);
    assert_says(&e, says);
    assert_ok(store_run_counts(w->store, &w->run, 1, NULL, &after, &e));
    assert_int_equal(before.samples.total, after.samples.total);
    assert_int_equal(before.samples.by[STATE_DONE], after.samples.by[STATE_DONE]);
}

static const char *export(struct world *w, enum exchange_what what)
{
    char *text = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);
    const char *copy;
    struct err e;

    assert_ok(exchange_export(w->store, &w->run, what, out, &e));
    assert_int_equal(fclose(out), 0);
    copy = arena_text(w->arena, (struct str){text, n});
    free(text);
    return copy;
}

static const char answers[] =
    "{\"model\":\"cy\",\"item\":\"i0\",\"answer\":\"One.\",\"tokens_out\":2,\"cost\":0.5}\n"
    "\n"
    "{\"model\":\"cy\",\"item\":\"i0\",\"text\":\" Two. \"}\r\n"
    "{\"model\":\"cy\",\"item\":\"i1\",\"response\":\"\\u4e09\\u3002\"}\n";
static const char verdicts[] =
    "{\"judge\":\"al\",\"model\":\"cy\",\"item\":\"i0\",\"marks\":{\"tone\":1,\"wit\":{\"score\":4,"
    "\"analysis\":\"sharp\"}}}\n"
    "{\"kind\":\"verdict\",\"judge\":\"al\",\"model\":\"cy\",\"item\":\"i0\",\"repeat\":1,"
    "\"state\":"
    "\"unscored\",\"reply\":\"I cannot.\",\"fault\":\"no-json\",\"why\":\"no JSON\"}\n";

/* ---- samples ---- */

static void test_samples(void **state)
{
    struct world *w = *state;
    AUTO(buf_done) struct buf b = BUF_MAX(4096);
    struct sample_filter f = {.model = "cy"};
    struct cursor samples;
    struct sample_row s;
    struct exchange_counts c;
    struct err e;

    world_run(w, 2);
    f.run = w->run.id;
    c = import(w, answers);
    assert_int_equal(c.samples, 3);
    assert_int_equal(c.models, 1);
    samples = store_samples(w->store, &f, &e);
    while (store_sample_next(&samples, &s))
        buf_fmt(&b, "%s/%lld=%.*s;", s.item_name, (long long)s.repeat, STR_ARG(s.answer));
    assert_ok(cursor_end(&samples));
    /* The repeats are counted; what the file lacks has its place. */
    assert_string_equal(b.p, "i0/0=One.;i0/1=Two.;i1/0=三。;i1/1=;");
    c = import(w, answers);
    assert_int_equal(c.samples, 0);
    assert_int_equal(c.same, 3);
}

static void test_list_and_model(void **state)
{
    struct world *w = *state;
    struct exchange_counts c;
    struct err e;

    world_run(w, 1);
    assert_ok(try_import(w, " [{\"item\":\"i0\",\"output\":\"Hm.\"}]\n", "dee", &c, &e));
    assert_int_equal(c.samples, 1);
    refused(w, "[{\"item\":\"i0\",\"output\":\"Hm.\"}]", "entry 1: expected \"model\"");
    refused(w, "[{\"item\":\"i0\",", "in.jsonl");
}

static void test_sample_faults(void **state)
{
    struct world *w = *state;
    static const struct {
        const char *line, *says;
    } bad[] = {
        {"{\"model\":\"cy\",\"item\":\"i9\",\"answer\":\"x\"}",
         "in.jsonl:2: the run has no item 'i9'"},
        {"{\"model\":\"cy\",\"item\":\"i0\"}", "in.jsonl:2: expected \"answer\""},
        {"{\"model\":\"cy\",\"answer\":\"x\"}", "expected \"item\""},
        {"{\"model\":\"c y\",\"item\":\"i0\",\"answer\":\"x\"}", "without white space"},
        {"{\"model\":\"cy\",\"item\":\"i0\",\"repeat\":-1,\"answer\":\"x\"}", "\"repeat\""},
        {"{\"model\":\"cy\",\"item\":\"i0\",\"state\":\"unscored\"}", "\"state\""},
        {"{\"kind\":\"battle\",\"model\":\"cy\",\"item\":\"i0\"}", "\"kind\""},
        {"7", "expected an object"},
        {"{\"model\":", "in.jsonl:2"},
    };

    world_run(w, 1);
    for (size_t i = 0; i < COUNT(bad); i++)
        refused(w,
                arena_printf(w->arena,
                             "{\"model\":\"new\",\"item\":\"i0\",\"answer\":\"ok\"}\n%s\n",
                             bad[i].line),
                bad[i].says);
    refused(w, "\n\n", "contains neither samples nor verdicts");
    (void)import(w, "{\"model\":\"cy\",\"item\":\"i0\",\"answer\":\"x\"}");
    refused(w, "{\"model\":\"cy\",\"item\":\"i0\",\"answer\":\"y\"}", "a different answer by 'cy'");
}

/* Rows that wait are filled; rows that somebody works on are left alone. */
static void test_existing_rows(void **state)
{
    struct world *w = *state;
    struct leased_list l;
    struct exchange_counts c;
    struct err e;

    world_run(w, 2);
    assert_ok(store_plan_samples(w->store, w->run.id, w->models[0].id, 0, &e));
    assert_ok(
        store_lease(w->arena, w->store, PARTY_MODEL, w->models[0].id, 1, &(int64_t){0}, &l, &e));
    assert_int_equal(l.n, 1);
    c = import(w, "{\"model\":\"ann\",\"item\":\"i1\",\"answer\":\"x\"}");
    assert_int_equal(c.samples, 1);
    assert_int_equal(c.models, 0);
    refused(w, "{\"model\":\"ann\",\"item\":\"i0\",\"answer\":\"x\"}", "working on this sample");
}

/* ---- verdicts ---- */

static void test_verdicts(void **state)
{
    struct world *w = *state;
    struct run_counts n;
    struct exchange_counts c;
    struct err e;

    world_run(w, 2);
    refused(w, verdicts, "in.jsonl:1: the run has no model 'cy'; import its answers first");
    (void)import(w, answers);
    c = import(w, verdicts);
    assert_int_equal(c.verdicts, 2);
    assert_int_equal(c.judges, 1);
    c = import(w, verdicts);
    assert_int_equal(c.same, 2);
    assert_ok(store_run_counts(w->store, &w->run, 1, NULL, &n, &e));
    assert_int_equal(n.verdicts.by[STATE_DONE], 1);
    assert_int_equal(n.verdicts.by[STATE_UNSCORED], 1);
}

static void test_mark_faults(void **state)
{
    struct world *w = *state;
    static const struct {
        const char *marks, *says;
    } bad[] = {
        {"{\"tone\":1}", "a mark for 'wit'"},
        {"{\"tone\":0.7,\"wit\":1}", "0.7 is not one of 0, 0.5, 1"},
        {"{\"tone\":1,\"wit\":6}", "6"},
        {"{\"tone\":1,\"wit\":2.5}", "2.5"},
        {"{\"tone\":1,\"wit\":5,\"charm\":1}", "charm"},
        {"{\"tone\":\"very\",\"wit\":5}", "tone"},
        {"[1, 2]", "a mark for 'tone'"},
    };

    world_run(w, 2);
    (void)import(w, answers);
    for (size_t i = 0; i < COUNT(bad); i++)
        refused(w,
                arena_printf(w->arena,
                             "{\"judge\":\"al\",\"model\":\"cy\",\"item\":\"i0\",\"marks\":%s}",
                             bad[i].marks),
                bad[i].says);
    (void)import(w, verdicts);
    refused(w,
            "{\"judge\":\"al\",\"model\":\"cy\",\"item\":\"i0\",\"marks\":{\"tone\":0,\"wit\":4}}",
            "a different verdict by 'al'");
}

/* ---- there and back ---- */

static void test_round_trip(void **state)
{
    struct world *w = *state;
    struct run_row first;
    const char *before, *after;

    world_run(w, 2);
    (void)import(w, answers);
    (void)import(w, verdicts);
    before = export(w, EXCHANGE_ALL);
    assert_non_null(strstr(before, "\"tokens_out\":2,\"cost\":0.5"));
    assert_non_null(strstr(before, "\"state\":\"planned\""));
    assert_non_null(strstr(before, "\"wit\":{\"value\":4.0,\"analysis\":\"sharp\"}"));
    assert_null(strstr(export(w, EXCHANGE_SAMPLES), "verdict"));
    assert_null(strstr(export(w, EXCHANGE_VERDICTS), "\"sample\""));

    first = w->run;
    world_run(w, 2); /* the same plan, another generation */
    assert_int_not_equal(w->run.id, first.id);
    assert_int_equal(import(w, before).empty, 1);
    w->run.name = first.name;
    after = export(w, EXCHANGE_ALL);
    assert_string_equal(before, after);
}

/* ---- verify ---- */

static void keep_difference(void *user, const char *difference)
{
    struct buf *b = user;

    buf_fmt(b, "%s\n", difference);
}

static struct verify_counts verify(struct world *w, struct buf *differences)
{
    struct verify_look look = {.fn = keep_difference, .user = differences};
    struct verify_counts c;
    struct err e;

    assert_ok(verify_run(w->arena, w->store, &w->run, &look, &c, &e));
    return c;
}

static void spoil(struct world *w, const char *sql)
{
    struct err e;

    assert_ok(db_script(w->store->db, sql, &e));
}

static const char reply_line[] =
    "{\"judge\":\"ed\",\"model\":\"cy\",\"item\":\"i1\",\"marks\":{\"tone\":0.5,\"wit\":3},"
    "\"reply\":\"{\\\"tone\\\": {\\\"score\\\": 0.5}, \\\"wit\\\": {\\\"score\\\": 3}}\"}";

static void test_verify(void **state)
{
    struct world *w = *state;
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 16);
    struct verify_counts c;
    struct err e;

    world_run(w, 2);
    (void)import(w, answers);
    (void)import(w, verdicts);
    (void)import(w, reply_line);
    w->run.stale = true;
    assert_true(verify(w, &b).stale);
    assert_ok(derive_refresh(w->store, &w->run, &e));
    c = verify(w, &b);
    if (c.differences)
        fail_msg("%s", b.p);
    assert_true(c.scores > 5 && !c.stale);
    assert_int_equal(c.samples, 3);
    assert_int_equal(c.verdicts, 3);
    assert_int_equal(c.replies, 2);
    assert_int_equal(c.wordless, 1);

    spoil(w,
          "UPDATE score SET value = value + 1e-13 WHERE subject = 'model/cy' AND metric = 'score' "
          "AND jury = 'ed'");
    assert_int_equal(verify(w, &b).differences, 1);
    assert_non_null(strstr(b.p, "score model/cy score by ed: stored"));
    spoil(w, "DELETE FROM score WHERE subject = 'model/cy' AND metric = 'score' "
             "AND jury = 'ed'");
    assert_int_equal(verify(w, &b).differences, 1);
    assert_non_null(strstr(b.p, "not stored"));
}

static void test_verify_rows(void **state)
{
    struct world *w = *state;
    static const struct {
        const char *sql, *says;
    } cases[] = {
        {"UPDATE mark SET value = 4 WHERE dimension = 'wit' AND value = 3", "the judge wrote 3"},
        {"UPDATE verdict SET reply = 'hm' WHERE fault IS NULL AND reply IS NOT NULL",
         "cannot be read"},
        {"UPDATE verdict SET reply = '{\"tone\": 1, \"wit\": 1}' WHERE state = 'unscored'",
         "unscored, but the judge's reply can be read"},
        {"DELETE FROM mark WHERE dimension = 'tone'", "no mark for 'tone'"},
        {"UPDATE verdict SET state = 'failed' WHERE state = 'done'", "failed, but it has marks"},
        {"UPDATE sample SET state = 'failed' WHERE repeat = 1", "its sample is failed"},
        {"UPDATE sample SET answer = NULL WHERE repeat = 0", "without an answer"},
    };

    world_run(w, 2);
    (void)import(w, answers);
    (void)import(w, verdicts);
    (void)import(w, reply_line);
    for (size_t i = 0; i < COUNT(cases); i++) {
        AUTO(buf_done) struct buf b = BUF_MAX(1 << 16);
        spoil(w, cases[i].sql);
        assert_true(verify(w, &b).differences > 0);
        if (!strstr(b.p, cases[i].says))
            fail_msg("\"%s\" does not say \"%s\"", b.p, cases[i].says);
    }
    w->run.name = "zzzz";
    {
        AUTO(buf_done) struct buf b = BUF_MAX(1 << 16);
        (void)verify(w, &b);
        assert_non_null(strstr(b.p, "does not follow from its key"));
    }
}

#define TESTS(setup)                                                                               \
    WORLD_TEST(test_samples, setup), WORLD_TEST(test_list_and_model, setup),                       \
        WORLD_TEST(test_sample_faults, setup), WORLD_TEST(test_existing_rows, setup),              \
        WORLD_TEST(test_verdicts, setup), WORLD_TEST(test_mark_faults, setup),                     \
        WORLD_TEST(test_round_trip, setup), WORLD_TEST(test_verify, setup),                        \
        WORLD_TEST(test_verify_rows, setup)

WORLD_MAIN("exchange", TESTS)
