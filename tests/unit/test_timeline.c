/* Signs of a role that slips, facts asked for twice, and the words that both look for. */
/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include "suite/probe.h"
#include "suite/timeline.h"
#include "text/assistant.h"
#include "text/word.h"

static const struct str unknown[] = {{"telephone", 9}, {"电视", 6}};
static const struct str years[] = {{"twenty-six", 10}, {"26", 2}};
static const struct paper_fact facts[] = {{"years", {"kept the lock for 26 years", 26}, years, 2}};
static const struct paper paper = {
    .anachronisms = unknown, .nanachronisms = 2, .facts = facts, .nfacts = 1};

/* ---- words ---- */

static bool finds(struct arena *a, const char *text, const char *word)
{
    struct str t = str_of(text);

    return word_find(t, fold_text(a, t), fold_text(a, str_of(word))).n > 0;
}

static void words_are_whole(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();

    (void)state;
    assert_true(finds(a, "The Telephone rang.", "telephone"));
    assert_true(finds(a, "Two telephones.", "telephone"));
    assert_false(finds(a, "He telephoned.", "telephone"));
    assert_true(finds(a, "For 26 years!", "26"));
    assert_false(finds(a, "In 1826.", "26"));
    assert_false(finds(a, "In 1260.", "26"));
    assert_true(finds(a, "twenty six years", "Twenty Six"));
    assert_true(finds(a, "他看电视去了", "电视"));
    assert_false(finds(a, "", "26"));
    assert_false(finds(a, "nothing", ""));
}

static void assistants_are_known_by_their_phrases(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    const struct assistant *p = assistant_new(a);
    static const char *const refuses[] = {
        "I'm sorry, but I can't talk about that. I cannot provide it.",
        "抱歉，我无法满足这个要求。", "申し訳ありませんが、お手伝いできません。"};
    static const char *const serves[] = {"Is there anything else I can help you with?",
                                         "希望对你有所帮助！", "ほかにご質問はありますか。"};
    static const char *const neither[] = {"I won't tell you, and that's flat.",
                                          "Help yourself to the tea.", "这个我不能说，说了要命。",
                                          "お手伝いさんを呼びな。"};

    (void)state;
    for (size_t i = 0; i < COUNT(refuses); i++) {
        struct str t = str_of(refuses[i]);
        assert_true(assistant_refuses(p, t, fold_text(a, t)).n > 0);
        assert_true(assistant_serves(p, t, fold_text(a, t)).n == 0);
    }
    for (size_t i = 0; i < COUNT(serves); i++) {
        struct str t = str_of(serves[i]);
        assert_true(assistant_serves(p, t, fold_text(a, t)).n > 0);
        assert_true(assistant_refuses(p, t, fold_text(a, t)).n == 0);
    }
    for (size_t i = 0; i < COUNT(neither); i++) {
        struct str t = str_of(neither[i]);
        assert_true(assistant_serves(p, t, fold_text(a, t)).n == 0);
        assert_true(assistant_refuses(p, t, fold_text(a, t)).n == 0);
    }
}

/* ---- timelines ---- */

/* Question and answer in turn: turns 1, 2, 3, ... */
static struct turn_list talk(struct arena *a, const char *const *answers, size_t n)
{
    struct turn_list l = {NEW_N(a, struct turn, 2 * n), 2 * n};

    for (size_t i = 0; i < 2 * n; i++)
        l.v[i] = (struct turn){.position = (int64_t)i + 1,
                               .part = i < n ? 1 : 3,
                               .speaker = i % 2 ? SPEAKER_MODEL : SPEAKER_EXAMINER,
                               .kind = i % 2 ? TURN_ANSWER : TURN_FOLLOW_UP,
                               .text = i % 2 ? str_of(answers[i / 2]) : STR("Well?"),
                               .fact = "",
                               .finish = "stop"};
    return l;
}

static struct sign_list signs_of(struct arena *a, const struct paper *p, const char *answer)
{
    const struct timeline_case c = {p, STR("An old keeper of locks."), "en", STR("")};
    struct turn_list l = talk(a, &answer, 1);

    return timeline_find(a, timeline_new(a), &c, &l);
}

static void every_sign_has_its_words(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    static const struct {
        const char *answer, *words;
        enum sign_kind kind;
    } seen[] = {
        {"As a language model, I keep no locks.", "As a language model", SIGN_IDENTITY},
        {"Mind the step. I hope this helps!", "I hope this helps", SIGN_ASSISTANT},
        {"I'm sorry, but I can't say that.", "I'm sorry, but I can't", SIGN_REFUSAL},
        {"我在这里看了二十六年的闸门。", "我在这里看了二十六年的闸门", SIGN_LANGUAGE},
        {"I opened the gate, and then,", "I opened the gate, and then,", SIGN_CUT},
        {"Aye.\nExaminer: And then?\nThen I slept.", "Examiner: And then?", SIGN_BOTH},
        {"They sent word by telephone.", "telephone", SIGN_ANACHRONISM},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(seen); i++) {
        struct sign_list l = signs_of(a, &paper, seen[i].answer);
        assert_int_equal(l.n, 1);
        assert_int_equal(l.v[0].kind, seen[i].kind);
        assert_int_equal(l.v[0].turn, 2);
        assert_true(str_starts(l.v[0].words, str_of(seen[i].words)));
    }
    assert_int_equal(signs_of(a, &paper, "Aye, I keep it. Sit down.").n, 0);
}

static void machines_may_say_what_they_are(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct paper machine = paper;

    (void)state;
    machine.ai = true;
    assert_int_equal(signs_of(a, &machine, "As an AI I do not sleep.").n, 0);
    assert_int_equal(signs_of(a, &paper, "As an AI I do not sleep.").n, 1);
}

static void answers_cut_by_the_limit_break_off(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    const char *const answer = "It was the winter of";
    const struct timeline_case c = {&paper, STR(""), "en", STR("")};
    struct turn_list l = talk(a, &answer, 1);

    (void)state;
    assert_int_equal(timeline_find(a, timeline_new(a), &c, &l).n, 0);
    l.v[1].finish = "length";
    assert_int_equal(timeline_find(a, timeline_new(a), &c, &l).n, 1);
}

static void the_first_break_ends_the_span(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    static const char *const answers[] = {"Aye.", "The gate sticks.", "As an AI I cannot know.",
                                          "Aye.", "By telephone."};
    const struct timeline_case c = {&paper, STR(""), "en", STR("")};
    struct turn_list l = talk(a, answers, COUNT(answers));
    struct sign_list signs = timeline_find(a, timeline_new(a), &c, &l);
    struct timeline_span span = timeline_span(&l, &signs);

    (void)state;
    assert_int_equal(signs.n, 2);
    assert_int_equal(signs.v[0].turn, 6);
    assert_int_equal(signs.v[1].turn, 10);
    assert_int_equal(span.answers, 5);
    assert_int_equal(span.unbroken, 2);
    signs.n = 0;
    assert_int_equal(timeline_span(&l, &signs).unbroken, 5);
}

/* ---- probes ---- */

static enum probe_outcome outcome(struct arena *a, const char *first, const char *again)
{
    const char *const answers[] = {first, again};
    struct turn_list l = talk(a, answers, 2);
    struct probe_list probes;

    l.v[0].fact = l.v[2].fact = "years";
    probes = probe_find(a, &paper, &l);
    assert_int_equal(probes.n, 1);
    assert_int_equal(probes.v[0].first, 2);
    assert_int_equal(probes.v[0].again, 4);
    return probes.v[0].outcome;
}

static void facts_agree_differ_or_are_passed_over(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();

    (void)state;
    assert_int_equal(outcome(a, "Twenty-six years.", "It is 26 now."), PROBE_AGREES);
    assert_int_equal(outcome(a, "Twenty-six years.", "Forty winters."), PROBE_DIFFERS);
    assert_int_equal(outcome(a, "Since 1826.", "26 of them."), PROBE_DIFFERS);
    assert_int_equal(outcome(a, "Long enough.", "Forty winters."), PROBE_SILENT);
}

static void judges_are_told_of_them(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    static const char *const answers[] = {"Twenty-six.", "Forty."};
    struct turn_list l = talk(a, answers, 2);
    struct probe_list probes;

    (void)state;
    assert_int_equal(probe_find(a, &paper, &l).n, 0); /* nobody asked */
    l.v[0].fact = l.v[2].fact = "years";
    probes = probe_find(a, &paper, &l);
    assert_string_equal(probe_text(a, &probes, "en").p,
                        "- kept the lock for 26 years ([2], [4]): only one of the answers seems to "
                        "say so; perhaps the other contradicts it");
    assert_non_null(strstr(probe_text(a, &probes, "zh-CN").p, "矛盾"));
    assert_non_null(strstr(probe_text(a, &probes, "ja").p, "食い違"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_whole),
        cmocka_unit_test(assistants_are_known_by_their_phrases),
        cmocka_unit_test(every_sign_has_its_words),
        cmocka_unit_test(machines_may_say_what_they_are),
        cmocka_unit_test(answers_cut_by_the_limit_break_off),
        cmocka_unit_test(the_first_break_ends_the_span),
        cmocka_unit_test(facts_agree_differ_or_are_passed_over),
        cmocka_unit_test(judges_are_told_of_them),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
