/* What an examiner that is a model is told, and which follow-ups of its are taken. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/json.h"
#include "suite/suite.h"
#include "talk/examiner.h"

/* STR() of a constant that lives as long as the program. */
#define TEXT(literal)                                                                              \
    {                                                                                              \
        literal, sizeof(literal) - 1                                                               \
    }
#define SAID "The ice took the gates in the third week.\nHannah burned the oars."

static struct turn turns[] = {
    {.position = 1,
     .part = 1,
     .speaker = SPEAKER_MODEL,
     .kind = TURN_ANSWER,
     .text = TEXT("I keep it.")},
    {.position = 2, .part = 2, .kind = TURN_INSTRUCTION, .text = TEXT("Now speak.")},
    {.position = 3, .part = 2, .kind = TURN_TASK, .text = TEXT("The hardest winter.")},
    {.position = 4, .part = 2, .speaker = SPEAKER_MODEL, .kind = TURN_ANSWER, .text = TEXT(SAID)},
    {.position = 5, .part = 2, .kind = TURN_FOLLOW_UP, .text = TEXT("Which oars?")},
    {.position = 6,
     .part = 2,
     .speaker = SPEAKER_MODEL,
     .kind = TURN_ANSWER,
     .text = TEXT("我的桨，\"都\"烧了。")},
};
static const struct turn_list said = {turns, COUNT(turns)};
static const struct character abel = {.id = "abel", .name = TEXT("Abel")};
static const struct paper paper = {
    .surroundings = TEXT("a bench"),
    .theme = TEXT("the hardest winter"),
    .points = {TEXT("when"), TEXT("ice"), TEXT("who"), TEXT("what")}};

static struct suite suite_in(const char *language)
{
    struct suite s = {.language = language, .seed = 3};

    s.elicit.interview.template.examiner = STR("Examiner");
    return s;
}

static const char *read_in(struct arena *a, const char *language, const char *reply,
                           struct examiner_follow_up *out)
{
    struct suite s = suite_in(language);
    struct examiner_case c = {&s, &abel, &paper, &said};

    return examiner_read(a, &c, str_of(reply), out);
}

static void expect_taken(const char *reply, const char *quote, const char *question)
{
    struct arena *a = arena_new();
    struct examiner_follow_up f = {0};
    const char *fault = read_in(a, "en", reply, &f);

    if (fault)
        fail_msg("%s: %s", reply, fault);
    assert_true(str_is(f.quote, quote));
    assert_true(str_is(f.question, question));
    arena_free(a);
}

static void expect_refused(const char *reply, const char *part)
{
    struct arena *a = arena_new();
    struct examiner_follow_up f = {.quote = STR("untouched")};
    const char *fault = read_in(a, "en", reply, &f);

    if (!fault || !strstr(fault, part))
        fail_msg("%s: %s", reply, fault ? fault : "was taken");
    assert_true(str_is(f.quote, "untouched"));
    arena_free(a);
}

static void quotes_that_were_said_are_taken(void **state)
{
    (void)state;
    expect_taken("{\"quote\": \"burned the oars\", \"question\": \"Why the oars?\"}",
                 "burned the oars", "Why the oars?");
    expect_taken(
        "Sure!\n```json\n{\"quote\": \"  the gates \\n\", \"question\": \" Which? \"}\n```",
        "the gates", "Which?");
    expect_taken("{\"quote\": \"third week.\\nHannah\", \"question\": \"Q?\"}",
                 "third week.\nHannah", "Q?");
    expect_taken("{\"quote\": \"桨，\\\"都\\\"\", \"question\": \"Q?\"}", "桨，\"都\"", "Q?");
    expect_taken(
        "{\"quote\": \"nobody\", \"question\": \"?\"} or {\"quote\": \"ice\", \"question\": "
        "\"Thick?\"}",
        "ice", "Thick?"); /* the last one counts */
}

/* Only what stands in an answer of part 2, letter by letter. */
static void nothing_else_is(void **state)
{
    static const char *const near[] = {
        "Burned the oars",       /* another case */
        "burned  the oars",      /* another space */
        "burned the oars!",      /* another mark */
        "third week. Hannah",    /* a line break that was a space */
        "burned ... oars",       /* left out */
        "桨,",                   /* half width */
        "I keep it",             /* said in part 1 */
        "hardest winter",        /* the examiner's */
        "Now speak",             /* the examiner's */
        "oars. The ice",         /* two places put together */
        "烧了。The",             /* two answers put together */
        "[4] Abel: The ice",     /* as the transcript writes it */
        "“burned the oars”",     /* with marks around */
        "burned the o\u0301ars", /* a sign on a letter */
    };

    (void)state;
    for (size_t i = 0; i < COUNT(near); i++) {
        struct arena *a = arena_new();
        struct buf b = BUF_MAX(4096);
        buf_text(&b, "{\"question\": \"Why?\", \"quote\": ");
        json_quote(&b, str_of(near[i]));
        buf_char(&b, '}');
        expect_refused(arena_text(a, buf_str(&b)), "does not stand in what was said");
        buf_done(&b);
        arena_free(a);
    }
}

static void other_replies_are_refused(void **state)
{
    struct arena *a = arena_new();
    char *endless = arena_alloc(a, 100001);

    (void)state;
    expect_refused("", "no JSON object");
    expect_refused("Why the oars?", "no JSON object");
    expect_refused("{\"quote\": \"the oars\", \"question\": \"Wh", "no JSON object");
    expect_refused("[\"the oars\", \"Why?\"]", "no JSON object");
    expect_refused("{\"question\": \"Why?\"}", "\"quote\" is missing");
    expect_refused("{\"quote\": \"  \", \"question\": \"Why?\"}", "\"quote\" is missing");
    expect_refused("{\"quote\": 3, \"question\": \"Why?\"}", "\"quote\" is missing");
    expect_refused("{\"quote\": \"T\", \"question\": \"Why?\"}", "too short");
    expect_refused("{\"quote\": \"oars\"}", "\"question\" is missing");
    expect_refused("{\"quote\": \"oars\", \"question\": \"Which oars?\"}", "asked before");
    memset(endless, 'x', 100000);
    expect_refused(endless, "no JSON object");
    expect_refused(arena_printf(a, "{\"quote\": \"oars\", \"question\": \"%.2000s\"}", endless),
                   "too long");
    arena_free(a);
}

static void faults_speak_the_language_of_the_suite(void **state)
{
    struct arena *a = arena_new();
    struct examiner_follow_up f;
    const char *reply = "{\"quote\": \"没说过\", \"question\": \"?\"}";

    (void)state;
    assert_non_null(strstr(read_in(a, "zh", reply, &f), "一字不差"));
    assert_non_null(strstr(read_in(a, "ja", reply, &f), "一字も変えず"));
    arena_free(a);
}

static struct str value(struct prompt_vars vars, const char *name)
{
    for (size_t i = 0; i < vars.n; i++)
        if (strcmp(vars.v[i].name, name) == 0)
            return vars.v[i].value;
    fail_msg("no %s", name);
    return STR("");
}

/* The dialogue of part 2 stands between fences that it cannot hold; nothing else is shown. */
static void is_told_what_was_said(void **state)
{
    struct arena *a = arena_new();
    struct suite s = suite_in("en");
    struct examiner_case c = {&s, &abel, &paper, &said};
    struct prompt_vars vars = examiner_vars(a, &c);
    struct str dialogue = value(vars, "dialogue"), fence = value(vars, "fence");

    (void)state;
    assert_int_equal(fence.n, 16);
    assert_true(str_starts(dialogue, STR("<<<")));
    assert_true(str_starts(str_from(dialogue, 3), fence));
    assert_int_equal(str_find(str_from(dialogue, 20), fence), dialogue.n - 20 - 19);
    assert_true(str_find(dialogue, STR("Hannah burned the oars.")) != SIZE_MAX);
    assert_true(str_find(dialogue, STR("Which oars?")) != SIZE_MAX);
    assert_true(str_find(dialogue, STR("I keep it.")) == SIZE_MAX);
    assert_true(str_find(dialogue, STR("Now speak.")) == SIZE_MAX);
    assert_true(str_is(value(vars, "points"), "- when\n- ice\n- who\n- what"));
    for (size_t i = 0; suite_follow_up_names[i]; i++)
        (void)value(vars, suite_follow_up_names[i]);
    arena_free(a);
}

/* Whom nobody introduced has no name for the examiner either. */
static void knows_only_the_address(void **state)
{
    struct arena *a = arena_new();
    struct suite s = suite_in("en");
    struct paper stranger = paper;
    struct examiner_case c = {&s, &abel, &stranger, &said};
    struct prompt_vars vars;

    (void)state;
    stranger.address = STR("lock-keeper");
    vars = examiner_vars(a, &c);
    assert_true(str_is(value(vars, "address"), "lock-keeper"));
    for (size_t i = 0; i < vars.n; i++)
        assert_true(str_find(vars.v[i].value, abel.name) == SIZE_MAX);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quotes_that_were_said_are_taken),
        cmocka_unit_test(nothing_else_is),
        cmocka_unit_test(other_replies_are_refused),
        cmocka_unit_test(faults_speak_the_language_of_the_suite),
        cmocka_unit_test(is_told_what_was_said),
        cmocka_unit_test(knows_only_the_address),
    };

    return cmocka_run_group_tests_name("examiner", tests, NULL, NULL);
}
