/* Campaign files: what they may say, what holds where they say nothing, and every fault at once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "near.h"
#include "panel/spec.h"
#include "store_world.h"

static struct spec read_any(struct world *w, const struct suite *suite, const char *text,
                            const char **frozen, struct diags *d)
{
    struct spec s;

    diags_init(d, w->arena);
    spec_read(w->arena, str_of(text), suite, &s, frozen, d);
    return s;
}

static struct spec read_good(struct world *w, const struct suite *suite, const char *text,
                             const char **frozen)
{
    struct diags d;
    struct spec s = read_any(w, suite, text, frozen, &d);

    if (d.errors)
        fail_msg("%d: %s", d.first->at.line, d.first->msg);
    return s;
}

/* A fault on that line that says so. */
static void assert_fault(const struct diags *d, int line, const char *part)
{
    for (const struct diag *one = d->first; one; one = one->next)
        if (one->at.line == line && strstr(one->msg, part))
            return;
    for (const struct diag *one = d->first; one; one = one->next)
        print_error("%d:%d: %s\n", one->at.line, one->at.column, one->msg);
    fail_msg("no fault on line %d says \"%s\"", line, part);
}

static void test_defaults(void **state)
{
    struct world *w = *state;
    struct suite suite = world_suite(w->arena);
    const char *frozen;
    struct spec s = read_good(w, &suite, "campaign: comic-july\n", &frozen);

    assert_string_equal(s.name, "comic-july");
    assert_true(str_is(spec_wording(&s.title, "ja"), "Tiny"));
    assert_int_equal(s.passages, 5);
    assert_int_equal(s.overlap, 3);
    assert_near(s.twice, 0, 0);
    assert_int_equal(s.lease_ms, 48 * 3600000);
    assert_int_equal(s.deadline_ms, 0);
    assert_int_equal(s.seed, 1);
    assert_true(s.completers);
    assert_false(s.reference);
    assert_false(s.all_repeats);
    assert_false(s.practice.on);
    assert_null(s.code);
    assert_null(s.completion_code);
    assert_true(isnan(s.exclude.faster_than) && isnan(s.exclude.same_marks) &&
                isnan(s.exclude.anchor_error));
    assert_false(spec_excludes(&s));
    assert_string_equal(s.consent_version, "1");
    assert_int_equal(s.nabout, 3);
    assert_string_equal(s.about[0].id, "age");
    for (size_t i = 0; i < s.nabout; i++) {
        assert_true(s.about[i].text.zh.n && s.about[i].text.ja.n);
        assert_false(str_eq(s.about[i].text.zh, s.about[i].text.en));
    }
    assert_true(s.instructions.en.n && s.instructions.zh.n && s.instructions.ja.n);
}

static const char whole[] =
    "campaign: all\n"
    "title: {en: All, zh: 全部, ja: 全部だよ}\n"
    "instructions: Read.\n"
    "consent: {version: '7', text: Agreed?}\n"
    "about:\n"
    "  - {id: cats, text: Cats?, options: [none, one, more]}\n"
    "passages_per_rater: 2\n"
    "overlap: 9\n"
    "shown_twice: 0.2\n"
    "pairs_per_passage: 4\n"
    "reference: takes-part\n"
    "repeats: all\n"
    "code: OPEN-SESAME\n"
    "counts: everyone\n"
    "deadline: 2026-12-01 18:00 +09:00\n"
    "lease_hours: 3\n"
    "seed: 99\n"
    "practice: {texts: 1, attempts: 3, exact: 0.4, within: 0.8, bias: 0.7,\n"
    "  kappa: 0.5, kappa_from: 8, silent: 0.25, again_items: 7, again_days: 0}\n"
    "examples:\n"
    "  - {prompt: Who?, answer: Me., score: {tone: 0.5, wit: 4}, reason: So.}\n"
    "exclude: {faster_than: 20, same_marks: 0.9, anchor_error: 1.5}\n"
    "completion: {code: C0DE, return_url: 'https://example.org/done'}\n";

static void check_whole(const struct spec *s)
{
    assert_string_equal(s->name, "all");
    assert_true(str_is(spec_wording(&s->title, "zh-TW"), "全部"));
    assert_true(str_is(spec_wording(&s->title, "ja"), "全部だよ"));
    assert_true(str_is(spec_wording(&s->title, "fr"), "All"));
    assert_true(str_is(s->instructions.zh, "Read."));
    assert_string_equal(s->consent_version, "7");
    assert_int_equal(s->nabout, 1);
    assert_int_equal(s->about[0].noptions, 3);
    assert_true(str_is(s->about[0].options[2].en, "more"));
    assert_int_equal(s->passages, 2);
    assert_int_equal(s->overlap, 9);
    assert_near(s->twice, 0.2, 0);
    assert_int_equal(s->pairs, 4);
    assert_true(s->reference && s->all_repeats && !s->completers);
    assert_string_equal(s->code, "OPEN-SESAME");
    assert_int_equal(s->deadline_ms, 1796115600000);
    assert_int_equal(s->lease_ms, 3 * 3600000);
    assert_int_equal(s->seed, 99);
    assert_true(s->practice.on);
    assert_int_equal(s->practice.texts, 1);
    assert_int_equal(s->practice.attempts, 3);
    assert_int_equal(s->practice.kappa_from, 8);
    assert_int_equal(s->practice.again_items, 7);
    assert_int_equal(s->practice.again_days, 0);
    assert_near(s->practice.exact + s->practice.within + s->practice.bias + s->practice.kappa +
                    s->practice.silent,
                0.4 + 0.8 + 0.7 + 0.5 + 0.25, 1e-12);
    assert_int_equal(s->nanchors, 1);
    assert_near(s->anchors[0].scores[1], 4, 0);
    assert_near(s->exclude.faster_than, 20, 0);
    assert_near(s->exclude.same_marks, 0.9, 0);
    assert_near(s->exclude.anchor_error, 1.5, 0);
    assert_true(spec_excludes(s));
    assert_string_equal(s->completion_code, "C0DE");
    assert_string_equal(s->return_url, "https://example.org/done");
}

/* What is stored reads back as the same, and once more. */
static void test_round_trip(void **state)
{
    struct world *w = *state;
    struct suite suite = world_suite(w->arena);
    const char *frozen, *again;
    struct spec s = read_good(w, &suite, whole, &frozen);
    struct err e;

    check_whole(&s);
    s = (struct spec){0};
    assert_ok(spec_thaw(w->arena, str_of(frozen), &suite, &s, &e));
    check_whole(&s);
    s = read_good(w, &suite, frozen, &again);
    check_whole(&s);
    assert_string_equal(frozen, again);
}

/* Where there are texts, practice comes again and silently; but not in a campaign that was stored
 * before it did. */
static void test_practice_defaults(void **state)
{
    static const char old[] = "{\"campaign\":\"old\",\"practice\":{\"texts\":2},\"consent\":"
                              "{\"version\":\"1\",\"text\":\"Agreed?\"},\"examples\":[{\"prompt\":"
                              "\"P\",\"answer\":\"A\",\"score\":{\"tone\":1,\"wit\":1}}]}";
    struct world *w = *state;
    struct suite suite = world_suite(w->arena);
    const char *frozen;
    struct spec s = read_good(w, &suite,
                              "campaign: new\nexamples:\n"
                              "  - {prompt: P, answer: A, score: {tone: 1, wit: 1}}\n",
                              &frozen);
    struct err e;

    assert_true(s.practice.on);
    assert_int_equal(s.practice.again_items, 20);
    assert_int_equal(s.practice.again_days, 14);
    assert_near(s.practice.silent, 0.1, 0);
    assert_non_null(strstr(frozen, "\"again_items\":20"));
    assert_ok(spec_thaw(w->arena, str_of(old), &suite, &s, &e));
    assert_int_equal(s.answer_wait_ms, 0); /* words came as they were spoken then */
    assert_true(s.practice.on);
    assert_int_equal(s.practice.again_items, 0);
    assert_int_equal(s.practice.again_days, 0);
    assert_near(s.practice.silent, 0, 0);
}

static void test_faults(void **state)
{
    struct world *w = *state;
    struct suite suite = world_suite(w->arena);
    const char *frozen;
    struct diags d;

    (void)read_any(w, &suite,
                   "passages_per_rater: 0\n"              /* 1 */
                   "overlap: many\n"                      /* 2 */
                   "overlapp: 3\n"                        /* 3 */
                   "deadline: tomorrow\n"                 /* 4 */
                   "reference: perhaps\n"                 /* 5 */
                   "consent: {text: Agreed?}\n"           /* 6 */
                   "about:\n"                             /* 7 */
                   "  - {id: a, text: A, options: [x]}\n" /* 8 */
                   "  - {id: b, text: B, options: [x, y]}\n"
                   "  - {id: b, text: C, options: [x, y]}\n" /* 10 */
                   "practice: {exact: 2, again_days: -1}\n"  /* 11 */
                   "exclude: {slower_than: 3}\n"             /* 12 */
                   "completion: {return_url: 'http://example.org/{code}'}\n"
                   "examples:\n"
                   "  - {prompt: P, answer: A, score: {tone: 3, wit: 1}}\n" /* 15 */
                   "lease_hours: 5000\n",                                   /* 16 */
                   &frozen, &d);
    assert_fault(&d, 1, "the campaign has no name");
    assert_fault(&d, 1, "1 to 10000");
    assert_fault(&d, 2, "expected a whole number");
    assert_fault(&d, 3, "overlap");
    assert_fault(&d, 4, "2026-12-01 18:00 +09:00");
    assert_fault(&d, 5, "takes-part");
    assert_fault(&d, 6, "consent needs a 'version'");
    assert_fault(&d, 8, "2 to 30 options");
    assert_fault(&d, 10, "two questions 'b'");
    assert_fault(&d, 11, "0 to 1");
    assert_fault(&d, 11, "0 to 3650");
    assert_fault(&d, 12, "slower_than");
    assert_fault(&d, 13, "https://");
    assert_fault(&d, 15, "3 is not an allowed value of 'tone'");
    assert_fault(&d, 16, "1 to 2160");
}

static void test_no_texts(void **state)
{
    struct world *w = *state;
    struct suite suite = world_suite(w->arena);
    const char *frozen;
    struct diags d;

    (void)read_any(w, &suite, "campaign: x\npractice: {texts: 3}\n", &frozen, &d);
    assert_fault(&d, 2, "practice needs texts with known marks");
    (void)read_any(w, &suite, "campaign: x\npractice: yes\n", &frozen, &d);
    assert_fault(&d, 2, "practice needs texts with known marks");
    (void)read_any(w, &suite, "[]\n", &frozen, &d);
    assert_true(d.errors > 0);
    (void)read_any(w, &suite, "campaign: [", &frozen, &d);
    assert_true(d.errors > 0);
}

/* Texts come from the suite unless the file brings its own, and practice can be turned off. */
static void test_practice_texts(void **state)
{
    static const double scores[] = {1, 5};
    struct world *w = *state;
    struct suite suite = world_suite(w->arena);
    struct example one = {.prompt = STR("P"), .answer = STR("A"), .scores = scores};
    const char *frozen;
    struct spec s;
    struct err e;

    suite.examples = &one;
    suite.nexamples = 1;
    s = read_good(w, &suite, "campaign: x\n", &frozen);
    assert_true(s.practice.on);
    assert_int_equal(s.practice.texts, 6);
    assert_near(s.practice.within, 0.9, 0);
    s = read_good(w, &suite, "campaign: x\npractice: no\n", &frozen);
    assert_false(s.practice.on);
    assert_ok(spec_thaw(w->arena, str_of(frozen), &suite, &s, &e));
    assert_false(s.practice.on);
    s = read_good(w, &suite, whole, &frozen);
    assert_near(s.anchors[0].scores[0], 0.5, 0);
}

static void test_pairs(void **state)
{
    struct world *w = *state;
    struct suite suite = world_suite(w->arena);
    const char *frozen;
    struct diags d;

    suite.instrument = (struct instrument){.kind = INSTRUMENT_PAIR, .ties = true};
    (void)read_good(w, &suite, "campaign: x\npairs_per_passage: 3\n", &frozen);
    assert_non_null(strstr(frozen, "A and B")); /* nothing about scales */
    assert_null(strstr(frozen, "scale"));
    (void)read_good(w, &suite, "campaign: x\npractice: no\n", &frozen);
    (void)read_any(w, &suite, "campaign: x\npractice: yes\n", &frozen, &d);
    assert_fault(&d, 2, "no practice");
}

/* A file may name a file of examples; what is stored names none. */
static void test_file(void **state)
{
    struct world *w = *state;
    struct suite suite = world_suite(w->arena);
    const char *path = arena_printf(w->arena, "%s/c.yaml", w->dir), *frozen;
    struct spec s;
    struct diags d;
    struct err e;

    assert_ok(file_write(path, STR("campaign: x\nexamples: ex.yaml\n"), &e));
    assert_ok(file_write(arena_printf(w->arena, "%s/ex.yaml", w->dir),
                         STR("- {prompt: P, answer: A, score: {tone: 1, wit: 2}}\n"), &e));
    diags_init(&d, w->arena);
    spec_load(w->arena, path, &suite, &s, &frozen, &d);
    assert_int_equal(d.errors, 0);
    assert_int_equal(s.nanchors, 1);
    assert_null(strstr(frozen, "ex.yaml"));
    diags_init(&d, w->arena);
    spec_read(w->arena, STR("campaign: x\nexamples: ex.yaml\n"), &suite, &s, &frozen, &d);
    assert_true(d.errors > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WORLD_TEST(test_practice_defaults, world_sqlite),
        WORLD_TEST(test_defaults, world_sqlite),
        WORLD_TEST(test_round_trip, world_sqlite),
        WORLD_TEST(test_faults, world_sqlite),
        WORLD_TEST(test_no_texts, world_sqlite),
        WORLD_TEST(test_practice_texts, world_sqlite),
        WORLD_TEST(test_pairs, world_sqlite),
        WORLD_TEST(test_file, world_sqlite),
    };

    return cmocka_run_group_tests_name("spec", tests, NULL, NULL);
}
