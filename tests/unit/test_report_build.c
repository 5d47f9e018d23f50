/* report_build() on a run in a database; what is made of a report is in test_report.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "eval/plan.h"
#include "report/report.h"
#include "store/store_class.h"
#include "store/store_work.h"
#include "suite/endpoint.h"
#include "suite/mark.h"

struct bench {
    struct arena *a;
    struct store *s;
    struct suite *suite;
    struct run_row run;
    char dir[32];
};

static const char bench_suite[] = "suite: bench\n"
                                  "language: en\n"
                                  "elicit: {kind: single, repeats: 2, template: '{{prompt}}'}\n"
                                  "instrument:\n"
                                  "  kind: dimensions\n"
                                  "  dimensions:\n"
                                  "    - {id: voice, scale: 0..10, weight: 3}\n"
                                  "    - {id: fit, scale: 0..10, weight: 1}\n"
                                  "rules: {duplicate: {threshold: 0.8, then: zero}}\n"
                                  "judge: {template: rubric.en}\n"
                                  "score: {kind: mean-of-items}\n"
                                  "items:\n"
                                  "  - {id: a, prompt: one, reference: sample}\n"
                                  "  - {id: b, prompt: two}\n"
                                  "  - {id: c, prompt: three}\n"
                                  "  - {id: d, prompt: four}\n";

static struct endpoint endpoint_new(const char *name)
{
    return (struct endpoint){.kind = ENDPOINT_CHAT,
                             .name = name,
                             .family = "",
                             .base_url = "http://127.0.0.1:1",
                             .url = "http://127.0.0.1:1/v1/chat/completions",
                             .model = name,
                             .key_var = "",
                             .parameters = "{}",
                             .file = "",
                             .price_in = NAN,
                             .price_out = NAN};
}

static void must(enum status st, const struct err *e)
{
    if (st != OK)
        fail_msg("%s", e->msg);
}

static void bench_plan(struct bench *b)
{
    const char *path = arena_printf(b->a, "%s/suite.yaml", b->dir);
    struct endpoint good = endpoint_new("good"), poor = endpoint_new("poor");
    struct endpoint judge = endpoint_new("judge");
    const struct endpoint *models[] = {&poor, &good};
    struct item_source *items = NULL;
    struct plan_judge j = {.judge = &judge, .repeats = 1};
    struct err e = {0};
    struct diags d;
    bool resumed;

    diags_init(&d, b->a);
    must(file_write(path, str_of(bench_suite), &e), &e);
    b->suite = suite_load(b->a, path, &items, &d);
    assert_non_null(b->suite);
    assert_int_equal(d.errors, 0);
    must(plan_run(b->a, b->s,
                  &(struct plan){.suite = b->suite, .items = items, .models = models, .nmodels = 2},
                  &b->run, &resumed, &d, &e),
         &e);
    must(plan_judge(b->a, b->s, &b->run, b->suite, &j, &e), &e);
}

/* Where a sample stands among those of its model: the four items of a new database, two repeats. */
static size_t place(int64_t item, int64_t repeat)
{
    return (size_t)((item - 1) * 2 + repeat);
}

/* Every text is another, except that "poor" says the same thing twice to item d; the first answer
 * of "good" could not be had. */
static void bench_answer(struct bench *b, const struct party *model)
{
    static const char *const texts[] = {
        "The ferry leaves at nine and I hate boats.", "Ask my sister, she cooks better.",
        "Rain again; the roof hums like a kettle.",   "Never trust a man with two umbrellas.",
        "I was a locksmith before the flood.",        "Half a song is still a song, friend.",
        "My grandmother kept wolves, small ones.",    "You owe me three oranges and a story."};
    struct leased_list l;
    struct err e = {0};

    must(store_begin(b->s, &e), &e);
    must(store_lease(b->a, b->s, PARTY_MODEL, model->id, 100, &(int64_t){0}, &l, &e), &e);
    assert_int_equal(l.n, 8);
    for (size_t i = 0; i < l.n; i++) {
        size_t at = place(l.v[i].item, l.v[i].repeat);
        struct sample_result r = {
            .id = l.v[i].id, .state = STATE_DONE, .answer = str_of(texts[at])};
        if (strcmp(model->name, "poor") == 0 && at == 7)
            r.answer = str_of(texts[6]);
        if (strcmp(model->name, "good") == 0 && at == 0)
            r = (struct sample_result){
                .id = r.id, .state = STATE_FAILED, .fault = "timeout", .why = "no reply"};
        must(store_sample_end(b->s, &r, &e), &e);
    }
    must(store_commit(b->s, &e), &e);
}

/* Marks rise from sample to sample; the second reply could not be read. */
static void bench_judge(struct bench *b, const struct party *judge, int64_t second)
{
    struct verdict_plan p = {.run = b->run.id, .judge = judge->id, .family = ""};
    struct leased_list l;
    struct err e = {0};
    int64_t n;

    must(store_begin(b->s, &e), &e);
    must(store_plan_verdicts(b->s, &p, &n, &e), &e);
    must(store_lease(b->a, b->s, PARTY_JUDGE, judge->id, 100, &(int64_t){0}, &l, &e), &e);
    assert_int_equal(l.n, 15);
    for (size_t i = 0; i < l.n; i++) {
        size_t at = place(l.v[i].item, l.v[i].sample_repeat) + (l.v[i].model == second ? 8U : 0U);
        double v = (double)at / 2;
        struct mark marks[] = {{.dimension = "voice", .value = v, .analysis = STR("so")},
                               {.dimension = "fit", .value = v}};
        struct verdict_result r = {.id = l.v[i].id,
                                   .state = at == 1 ? STATE_UNSCORED : STATE_DONE,
                                   .reply = STR("words"),
                                   .overall = NAN,
                                   .fault = at == 1 ? "no-json" : NULL,
                                   .why = at == 1 ? "no JSON" : NULL,
                                   .marks = marks,
                                   .nmarks = at == 1 ? 0 : 2};
        must(store_verdict_end(b->s, &r, &e), &e);
    }
    must(store_commit(b->s, &e), &e);
}

static int bench_open(void **state)
{
    struct bench *b = calloc(1, sizeof *b);
    struct party_list models, judges;
    struct err e = {0};

    assert_non_null(b);
    b->a = arena_new();
    (void)snprintf(b->dir, sizeof b->dir, "/tmp/report-XXXXXX");
    assert_non_null(mkdtemp(b->dir));
    must(store_open(&b->s, arena_printf(b->a, "%s/t.db", b->dir), DB_WRITE, &e), &e);
    bench_plan(b);
    must(store_worker_start(b->s, &e), &e);
    must(store_party_list(b->a, b->s, PARTY_MODEL, b->run.id, &models, &e), &e);
    for (size_t i = 0; i < models.n; i++)
        bench_answer(b, &models.v[i]);
    must(store_party_list(b->a, b->s, PARTY_JUDGE, b->run.id, &judges, &e), &e);
    bench_judge(b, &judges.v[0], models.v[1].id);
    must(store_worker_end(b->s, &e), &e);
    must(store_run_stale(b->s, b->run.id, &e), &e);
    must(store_run_get(b->a, b->s, "latest", &b->run, &e), &e);
    *state = b;
    return 0;
}

static int bench_close(void **state)
{
    static const char *const files[] = {"suite.yaml", "t.db", "t.db-wal", "t.db-shm"};
    struct bench *b = *state;

    store_close(b->s);
    for (size_t i = 0; i < COUNT(files); i++)
        (void)unlink(arena_printf(b->a, "%s/%s", b->dir, files[i]));
    (void)rmdir(b->dir);
    arena_free(b->a);
    free(b);
    return 0;
}

static void test_build(void **state)
{
    struct bench *b = *state;
    struct err e = {0};
    struct report r;

    must(report_build(b->a, b->s, &b->run, (struct report_take){.samples = 0}, &r, &e), &e);
    assert_int_equal(r.nsamples, 0);
    assert_int_equal(r.items, 4);
    assert_int_equal(r.nmodels, 2);
    assert_string_equal(r.models[0].name, "good"); /* planned second, but better */
    assert_int_equal(r.models[0].failed, 1);
    assert_int_equal(r.models[0].score->n, 7);
    assert_int_equal(r.models[1].duplicates, 1);
    assert_int_equal(r.models[1].unscored, 1);
    assert_non_null(r.models[1].marks[0]);
    assert_null(r.models[1].totals);
    assert_int_equal(r.judges[0].done, 14);
    assert_int_equal(r.judges[0].unscored, 1);
    assert_int_equal(r.faults.n, 2);
}

/* The worse model has the higher rate; the better one was not evaluated. */
static void test_rates(void **state)
{
    const struct class_name who = {"polite", "v1", "polite"};
    AUTO(buf_done) struct buf csv = BUF_MAX(1 << 20), page = BUF_MAX(1 << 20);
    struct bench *b = *state;
    struct err e = {0};
    struct id_list l;
    struct report r;

    must(store_class_missing(b->a, b->s, b->run.id, who.name, &l, &e), &e);
    assert_int_equal(l.n, 15);
    for (size_t i = 0; i < 8; i++) /* those of "poor", which was planned first */
        must(store_class_put(b->s, l.v[i], &who, i < 6 ? 1 : -1, &e), &e);
    must(report_build(b->a, b->s, &b->run, (struct report_take){0}, &r, &e), &e);
    assert_int_equal(r.nclassifiers, 1);
    assert_string_equal(r.classifiers[0], "polite");
    assert_string_equal(r.models[0].name, "good"); /* rates never sort */
    assert_null(r.models[0].rates[0]);
    assert_true(r.models[1].rates[0]->value == 0.75);
    assert_int_equal(r.models[1].rates[0]->n, 8);
    assert_true(r.models[1].rates[0]->clusters < 5 && isnan(r.models[1].rates[0]->lo));
    assert_string_equal(r.models[1].rates[0]->why, "few-items"); /* eight answers, to few items */
    render_csv(&r, &csv);
    assert_non_null(strstr(csv.p, ",poor,rate:polite,0.75,"));
    assert_null(strstr(csv.p, ",good,rate:polite"));
    render_terminal(&r, &(struct render_terminal){.columns = 100}, &page);
    assert_non_null(strstr(page.p, "0.75"));
}

static void test_sensitive(void **state)
{
    const char *answer = "My grandmother kept wolves";
    struct report_take take = {.samples = REPORT_SAMPLES};
    AUTO(buf_done) struct buf hidden = BUF_MAX(1 << 22), shown = BUF_MAX(1 << 22);
    struct bench *b = *state;
    struct err e = {0};
    struct report r;

    b->suite->sensitive = true;
    b->run.frozen = str_of(suite_freeze(b->a, b->suite));
    must(report_build(b->a, b->s, &b->run, take, &r, &e), &e);
    assert_true(r.withheld);
    assert_int_equal(r.nsamples + r.flags.n, 0);
    assert_int_equal(r.models[1].duplicates, 1); /* a number, which may be seen */
    render_json(&r, &hidden);
    assert_null(strstr(hidden.p, answer));
    take.sensitive = true;
    must(report_build(b->a, b->s, &b->run, take, &r, &e), &e);
    assert_false(r.withheld);
    render_json(&r, &shown);
    assert_non_null(strstr(shown.p, answer));
}

static void test_build_samples(void **state)
{
    AUTO(buf_done) struct buf out = BUF_MAX(1 << 22);
    struct bench *b = *state;
    struct err e = {0};
    struct report r;
    size_t verdicts = 0;

    must(report_build(b->a, b->s, &b->run, (struct report_take){.samples = REPORT_SAMPLES}, &r, &e),
         &e);
    assert_int_equal(r.nsamples, 16);
    assert_int_equal(r.samples_left_out, 0);
    for (size_t i = 0; i < r.nsamples; i++)
        verdicts += r.samples[i].nverdicts;
    assert_int_equal(verdicts, 15);
    assert_string_equal(r.samples[0].model, "poor");
    assert_string_equal(r.samples[0].item, "a");
    assert_true(str_is(r.samples[0].prompt, "one") && str_is(r.samples[0].reference, "sample"));
    assert_string_equal(r.samples[2].verdicts[0].marks[0].dimension, "voice");
    assert_true(isnan(r.samples[1].value) && r.samples[2].value == 1);
    assert_string_equal(r.samples[7].rule, "duplicate");
    assert_true(r.samples[7].value == 0 && r.samples[7].flag != NULL);
    assert_int_equal(r.samples[8].state, STATE_FAILED);
    render_html(&r, &out);
    assert_true(str_find(buf_str(&out), STR("<mark>")) != SIZE_MAX);
}

/* The flagged one, then the two without a value, then by turns the lowest and the highest. */
static void test_build_limit(void **state)
{
    static const size_t wanted[] = {0, 1, 7, 8, 15};
    struct bench *b = *state;
    struct err e = {0};
    struct report all, r;

    must(report_build(b->a, b->s, &b->run, (struct report_take){.samples = REPORT_SAMPLES}, &all,
                      &e),
         &e);
    must(report_build(b->a, b->s, &b->run, (struct report_take){.samples = COUNT(wanted)}, &r, &e),
         &e);
    assert_int_equal(r.nsamples, COUNT(wanted));
    assert_int_equal(r.samples_left_out, 16 - COUNT(wanted));
    for (size_t i = 0; i < COUNT(wanted); i++)
        assert_int_equal(r.samples[i].id, all.samples[wanted[i]].id);
    assert_int_equal(r.samples[1].nverdicts, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_build, bench_open, bench_close),
        cmocka_unit_test_setup_teardown(test_rates, bench_open, bench_close),
        cmocka_unit_test_setup_teardown(test_sensitive, bench_open, bench_close),
        cmocka_unit_test_setup_teardown(test_build_samples, bench_open, bench_close),
        cmocka_unit_test_setup_teardown(test_build_limit, bench_open, bench_close),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
