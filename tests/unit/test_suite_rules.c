/* The rules of a suite, as they are written, checked, frozen and thawed. */
/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include "base/words.h"
#include "suite_world.h"

#define REST HEAD DIMS ITEMS

static const struct rule *rule_of(const struct suite *s, enum rule_kind kind)
{
    return &s->rules.of[kind];
}

static void facts_are_noted_unless_told_otherwise(void **state)
{
    struct world *w = *state;

    load_text(w, REST);
    expect_shown(w, "");
    for (int k = 0; k < RULE_KINDS; k++) {
        bool asked = k == RULE_DUPLICATE || k == RULE_TRAINING || k == RULE_TRAINING_NEAR; /* for */
        assert_int_equal(w->s->rules.of[k].on, !asked);
        if (!asked)
            assert_int_equal(w->s->rules.of[k].effect, EFFECT_NOTE);
    }
}

static void rules_are_words_or_maps(void **state)
{
    struct world *w = *state;

    load_text(w, REST "elicit: {repeats: 2}\n"
                      "rules:\n"
                      "  duplicate: cap 0.25\n"
                      "  leak: on\n"
                      "  markup: cap 0.5\n"
                      "  malformed: zero\n"
                      "  truncated: off\n"
                      "  language: {then: cap  -1.5e0}\n"
                      "  empty: zero\n"
                      "  identity: {words: [NightOwl, 千语], except: [qwen]}\n");
    expect_shown(w, "");
    assert_true(rule_of(w->s, RULE_DUPLICATE)->on);
    assert_true(rule_of(w->s, RULE_DUPLICATE)->cap == 0.25);
    assert_true(rule_of(w->s, RULE_DUPLICATE)->threshold == 0.8);
    assert_int_equal(rule_of(w->s, RULE_LEAK)->effect, EFFECT_NOTE);
    assert_int_equal(rule_of(w->s, RULE_MARKUP)->effect, EFFECT_CAP);
    assert_true(rule_of(w->s, RULE_MARKUP)->cap == 0.5);
    assert_int_equal(rule_of(w->s, RULE_MALFORMED)->effect, EFFECT_ZERO);
    assert_false(rule_of(w->s, RULE_TRUNCATED)->on);
    assert_true(rule_of(w->s, RULE_LANGUAGE)->cap == -1.5);
    assert_int_equal(rule_of(w->s, RULE_EMPTY)->effect, EFFECT_ZERO);
    assert_int_equal(w->s->rules.nwords, 2);
    assert_true(str_is(w->s->rules.words[1], "千语"));
    assert_int_equal(w->s->rules.nexcept, 1);
}

static void training_names_a_file(void **state)
{
    struct world *w = *state;
    const char *hash;

    put("train.jsonl", STR("{\"text\": \"one\"}\n"));
    load_text(w, REST "rules: {training: {file: train.jsonl, threshold: 0.9, near: cap 0.75, "
                      "particles: cap 0.5}}\n");
    expect_shown(w, "");
    assert_true(rule_of(w->s, RULE_TRAINING)->on && rule_of(w->s, RULE_TRAINING_NEAR)->on);
    assert_true(rule_of(w->s, RULE_TRAINING)->cap == 0.5);
    assert_true(rule_of(w->s, RULE_TRAINING_NEAR)->cap == 0.75);
    assert_true(rule_of(w->s, RULE_TRAINING_NEAR)->threshold == 0.9);
    assert_int_equal(w->s->rules.training[0], '/'); /* found from anywhere */
    hash = w->s->rules.training_hash;
    put("train.jsonl", STR("{\"text\": \"two\"}\n"));
    load(w, "s.yaml");
    assert_string_not_equal(w->s->rules.training_hash, hash);
}

static void rules_survive_freezing(void **state)
{
    struct world *w = *state;
    struct suite out;
    struct err e = {0};

    put("train.txt", STR("one\n"));
    load_text(w, REST "elicit: {repeats: 2}\n"
                      "rules:\n"
                      "  duplicate: {threshold: 0.7, then: cap 0.1}\n"
                      "  training: {file: train.txt, near: zero, particles: note}\n"
                      "  leak: zero\n"
                      "  markup: cap 0.3333333333333333\n"
                      "  truncated: off\n"
                      "  identity: {then: zero, words: [a], except: [b, c]}\n");
    expect_shown(w, "");
    assert_int_equal(unlink("train.txt"), 0); /* a stored run does not look at the file */
    assert_int_equal(suite_thaw(w->a, str_of(suite_freeze(w->a, w->s)), &out, &e), OK);
    for (int k = 0; k < RULE_KINDS; k++) {
        const struct rule *a = &w->s->rules.of[k], *b = &out.rules.of[k];
        assert_int_equal(a->on, b->on);
        if (!a->on)
            continue;
        assert_int_equal(a->effect, b->effect);
        assert_true(a->effect != EFFECT_CAP || a->cap == b->cap);
        assert_true(a->threshold == b->threshold);
    }
    assert_string_equal(out.rules.training, w->s->rules.training);
    assert_string_equal(out.rules.training_hash, w->s->rules.training_hash);
    assert_int_equal(out.rules.nwords, 1);
    assert_int_equal(out.rules.nexcept, 2);
    assert_string_equal(suite_freeze(w->a, &out), suite_freeze(w->a, w->s));
}

/* A run of before these rules were there: what it does not name was not looked for. */
static void an_old_run_can_be_read(void **state)
{
    struct world *w = *state;
    struct suite out;
    struct err e = {0};

    load_text(w, REST);
    assert_int_equal(
        suite_thaw(w->a,
                   STR("{\"suite\": \"s\", \"language\": \"en\", \"instrument\": {\"dimensions\": "
                       "[{\"id\": \"q\", \"scale\": [0, 5]}]}, \"rules\": {\"duplicate\": "
                       "{\"threshold\": 0.8, \"then\": \"zero\"}}, \"elicit\": {\"repeats\": 2}, "
                       "\"judge\": {\"template\": {\"user\": \"{{answer}}\"}}}"),
                   &out, &e),
        OK);
    assert_int_equal(rule_of(&out, RULE_DUPLICATE)->effect, EFFECT_ZERO);
    for (int k = 0; k < RULE_KINDS; k++)
        assert_int_equal(out.rules.of[k].on, k == RULE_DUPLICATE);
}

static void rules_are_checked(void **state)
{
    static const struct {
        const char *text, *fault;
    } v[] = {
        {"rules: {markups: off}", "did you mean 'markup'?"},
        {"rules: [markup]", "expected"},
        {"rules: {markup: sometimes}",
         "expected off, on, zero, note, leave-out, or cap with a number"},
        {"rules: {markup: cap}", "expected off, on, zero, note, leave-out, or cap with a number"},
        {"rules: {markup: {then: cap x}}", "expected zero, note, leave-out, or cap with a number"},
        {"rules: {markup: {threshold: 0.5}}", "threshold"},
        {"rules: {empty: cap 0.5}", "there is nothing to cap"},
        {"rules: {empty: {then: cap 0}}", "there is nothing to cap"},
        {"rules: {identity: {words: NightOwl}}", "expected a list"},
        {"rules: {identity: {words: [\"\"]}}", "a text of 'words' is empty"},
        {"rules: {training: on}", "expected"},
        {"rules: {training: {near: note}}", "'training' needs the training data"},
        {"rules: {training: {file: trian.jsonl}}", "no file of training lines 'trian.jsonl'"},
        {"rules: {training: {file: s.yaml, threshold: 0}}",
         "a threshold of 0 makes everything alike"},
        {"rules: {training: {file: s.yaml, threshold: 2}}", "from 0 to 1"},
        {"rules: {training: {file: s.yaml, hash: abc}}", "hash"},
        {"rules: {training: {file: items}}", "items"},
    };
    struct world *w = *state;

    for (size_t i = 0; i < COUNT(v); i++)
        expect_fault(w, arena_printf(w->a, REST "%s\n", v[i].text), v[i].fault);
}

/* On a scale that ends at 0 or below, an answer would gain by a rule that makes 0 of it. */
static void zero_never_rewards(void **state)
{
    static const struct {
        const char *scale, *rules, *fault;
    } v[] = {
        {"[-10, -1]", "{markup: zero}",
         "s.yaml:4:17: error: 'zero' would be no less than the best mark"},
        {"[-10, -1]", "{empty: {then: zero}}", "best mark, which is -1:"},
        {"[-10, -1]", "{duplicate: on}", "best mark, which is -1:"},
        {"[-10, -1]", "{training: {file: s.yaml, near: zero}}", "best mark, which is -1:"},
        {"[-10, -1]", "{markup: cap -10, leak: leave-out, empty: note}", NULL},
        {"[-10, 0]", "{markup: zero}", "best mark, which is 0:"},
        {"[-10, 10]", "{markup: zero}", NULL},
        {"[1, 10]", "{markup: zero}", NULL},
    };
    struct world *w = *state;

    for (size_t i = 0; i < COUNT(v); i++) {
        const char *text =
            arena_printf(w->a,
                         HEAD "instrument: {dimensions: [{id: q, scale: %s}]}\n" ITEMS
                              "rules: %s\nelicit: {repeats: 2}\n",
                         v[i].scale, v[i].rules);
        if (v[i].fault)
            expect_fault(w, text, v[i].fault);
        else
            load_text(w, text);
    }
    /* What was stored stays as it was. */
    struct suite out;
    struct err e = {0};
    assert_int_equal(
        suite_thaw(w->a,
                   STR("{\"suite\": \"s\", \"language\": \"en\", \"instrument\": {\"dimensions\": "
                       "[{\"id\": \"q\", \"scale\": [-10, -1]}]}, \"rules\": {\"markup\": "
                       "{\"then\": \"zero\"}}, \"judge\": {\"template\": {\"user\": "
                       "\"{{answer}}\"}}}"),
                   &out, &e),
        OK);
    assert_int_equal(rule_of(&out, RULE_MARKUP)->effect, EFFECT_ZERO);
}

static void rules_have_names(void **state)
{
    enum rule_kind kind;

    (void)state;
    for (int k = 0; k < RULE_KINDS; k++) {
        assert_true(suite_rule_find(suite_rule_name((enum rule_kind)k), &kind));
        assert_int_equal(kind, k);
        assert_non_null(words_find("en", "FLAG_", suite_rule_name(kind)));
    }
    assert_false(suite_rule_find("duplicates", &kind));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(facts_are_noted_unless_told_otherwise),
        TEST(rules_are_words_or_maps),
        TEST(training_names_a_file),
        TEST(rules_survive_freezing),
        TEST(an_old_run_can_be_read),
        TEST(rules_are_checked),
        TEST(zero_never_rewards),
        cmocka_unit_test(rules_have_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
