/* The scorers that need no judge, and what they are made of. */
/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <math.h>

#include "text/choice.h"
#include "text/number.h"
#include "text/objective.h"
#include "text/pattern.h"

static struct arena *arena;

static int set_up(void **state)
{
    (void)state;
    arena = arena_new();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    arena_free(arena);
    return 0;
}

static struct objective scored(enum objective_kind k, const char *answer, const char *reference)
{
    struct objective_case c = {.answer = str_of(answer), .reference = str_of(reference)};

    return objective_score(arena, k, &c);
}

static double value(enum objective_kind k, const char *answer, const char *reference)
{
    return scored(k, answer, reference).value;
}

#define assert_value(want, k, answer, reference)                                                   \
    assert_float_equal(value(OBJECTIVE_##k, answer, reference), want, 5e-7)
#define assert_unscored(k, answer, reference, why)                                                 \
    do {                                                                                           \
        struct objective o_ = scored(OBJECTIVE_##k, answer, reference);                            \
        assert_true(isnan(o_.value));                                                              \
        assert_string_equal(o_.evidence, why);                                                     \
    } while (0)

/* ---- texts ---- */

static void exact_looks_at_every_byte(void **state)
{
    (void)state;
    assert_value(1, EXACT, "  Mind the third plank.\n", "Mind the third plank.");
    assert_value(0, EXACT, "Mind the third plank", "Mind the third plank.");
    assert_value(0, EXACT, "mind the third plank.", "Mind the third plank.");
    assert_unscored(EXACT, "anything", " \n", "no reference");
}

static void normalised_forgives_form_and_nothing_else(void **state)
{
    (void)state;
    assert_value(1, NORMALISED, "ＭＩＮＤ the third  plank!", "mind the third plank");
    assert_value(1, NORMALISED, "今天，天气 很好。", "今天天气很好");
    assert_value(0, NORMALISED, "今天天气不好", "今天天气很好");
    assert_value(0, NORMALISED, "1000", "100");
    assert_value(0, NORMALISED, "1.5", "15");
    assert_value(0, NORMALISED, "-5", "5");
    assert_value(1, NORMALISED, "1,000 yen", "1000 yen");
    assert_value(0, NORMALISED, "1,2", "12");
    assert_value(1, NORMALISED, "……", "……");
    assert_value(0, NORMALISED, "!!", "……");
}

static void contains_finds_whole_words(void **state)
{
    (void)state;
    assert_value(1, CONTAINS, "It was PARIS, of course.", "Paris");
    assert_value(0, CONTAINS, "By comparison it was small.", "Paris");
    assert_value(0, CONTAINS, "There were 15 of them.", "5");
    assert_value(0, CONTAINS, "There were 1.5 of them.", "15");
    assert_value(1, CONTAINS, "我最喜欢北京烤鸭了", "北京");
    assert_value(1, CONTAINS, "She took the ferry.", "boat | ferry");
    assert_value(1, CONTAINS, "She took the ferry.", "boat\nferry\n");
    assert_value(0, CONTAINS, "She walked.", "boat|ferry|");
    assert_unscored(CONTAINS, "She walked.", "|", "the reference contains no words");
}

/* 1 - (insertions and deletions) / (both lengths); LCS(今天天气很好, 今天天气不错) is 4. */
static void edit_is_a_ratio(void **state)
{
    (void)state;
    assert_value(1, EDIT, "今天天气很好", "今天天气很好！");
    assert_value(8.0 / 12, EDIT, "今天天气很好", "今天天气不错");
    assert_value(0, EDIT, "abc", "xyz");
}

/* STATISTICS section 5, first pair: computed with NLTK and rouge. */
static void metrics_are_those_of_one_pair(void **state)
{
    const char *hyp = "今天天气真不错啊", *ref = "今天的天气真好啊";

    (void)state;
    assert_value(0.75, BLEU_1, hyp, ref);
    assert_value(0.566947, BLEU_2, hyp, ref);
    assert_value(0.180922, BLEU_4, hyp, ref);
    assert_value(0.384615, GLEU, hyp, ref);
    assert_float_equal(value(OBJECTIVE_ROUGE_L, ref, ref), 1, 1e-7);
    assert_value(1, CHRF, ref, ref);
    assert_value(0, BLEU_4, "xyz", ref);
    assert_unscored(ROUGE_L, hyp, "", "no reference");
}

/* ---- numbers ---- */

static double last(const char *text)
{
    double v = NAN;

    return number_last(arena, str_of(text), &v) ? v : (double)NAN;
}

static void numbers_are_read_as_people_write_them(void **state)
{
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        {"7", 7},
        {"so 3 and then 12.", 12},
        {"1,234,567 in all", 1234567},
        {"1,23", 23},
        {"１２．５", 12.5},
        {"3，4", 4},
        {"-5", -5},
        {"−5", -5},
        {"10-5", 5},
        {"是-5", -5},
        {".5", 0.5},
        {"1.5e-3", 0.0015},
        {"2E6", 2000000},
        {"50%", 0.5},
        {"５０％", 0.5},
        {"3/4", 0.75},
        {"½", 0.5},
        {"1½", 1.5},
        {"3.5万", 35000},
        {"1亿2000万", 120000000},
        {"3万5000", 35000},
        {"3万5万", 50000},
        {"H2O", NAN},
        {"no digits", NAN},
        {"", NAN},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        double got = last(cases[i].text);
        if (isnan(cases[i].value) ? !isnan(got) : !(fabs(got - cases[i].value) < 1e-9))
            fail_msg("\"%s\" was read as %g", cases[i].text, got);
    }
}

static void numbers_of_any_length_do_no_harm(void **state)
{
    char digits[1001];

    (void)state;
    memset(digits, '9', 1000);
    digits[1000] = '\0';
    assert_true(isnan(last(digits)));
    assert_value(0, NUMERIC, digits, "9");
    assert_float_equal(last("1e999999 then 3"), 3, 0);
    assert_value(0, NUMERIC, "1/0", "1");
}

static void numeric_has_a_tolerance(void **state)
{
    (void)state;
    assert_value(1, NUMERIC, "First 3, so the answer is 42.", "42");
    assert_value(1, NUMERIC, "0.3333333", "1/3");
    assert_value(0, NUMERIC, "0.3333", "1/3");
    assert_value(1, NUMERIC, "3.15", "3.14 ± 0.01");
    assert_value(0, NUMERIC, "3.16", "3.14 ± 0.01");
    assert_value(1, NUMERIC, "95", "100 +/- 5");
    assert_value(1, NUMERIC, "50%", "0.5");
    assert_value(0, NUMERIC, "50", "50%");
    assert_value(1, NUMERIC, "0", "0");
    assert_value(0, NUMERIC, "many", "3");
    assert_unscored(NUMERIC, "3", "three", "the reference contains no number");
}

/* ---- options ---- */

static void choices_are_sure_or_silent(void **state)
{
    static const struct {
        const char *text;
        int option;
    } cases[] = {
        {"B", 'B'},
        {" b ", 'B'},
        {"(C)", 'C'},
        {"**D**.", 'D'},
        {"Ｂ", 'B'},
        {"答案是B", 'B'},
        {"答案是Ｂ。因为A不对。", 'B'},
        {"我选择C。", 'C'},
        {"正解はCです", 'C'},
        {"The correct answer is (D), not (A).", 'D'},
        {"The answer is **B**.", 'B'},
        {"Answer: b", 'B'},
        {"I would choose option C because it is short.", 'C'},
        {"C. Paris", 'C'},
        {"Let me think.\n\nC) Paris", 'C'},
        {"I think (B) fits.", 'B'},
        {"The answer is A", 'A'},
        {"The answer is A because it floats.", 'A'},
        {"Answer: A good question.", CHOICE_NONE},
        {"The answer is A or B.", CHOICE_SEVERAL},
        {"答案是A、C", CHOICE_SEVERAL},
        {"The answer is A. No: the answer is B.", CHOICE_SEVERAL},
        {"A. London\nB. Paris\nC. Rome", CHOICE_SEVERAL},
        {"不选A", CHOICE_NONE},
        {"It is not option B", CHOICE_NONE},
        {"答案不是A", CHOICE_NONE},
        {"Vitamin C deficiency", CHOICE_NONE},
        {"A cat sat on the mat", CHOICE_NONE},
        {"The answer is a matter of taste", CHOICE_NONE},
        {"答案是AB", CHOICE_NONE},
        {"I do not know", CHOICE_NONE},
        {"K", CHOICE_NONE},
        {"", CHOICE_NONE},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        if (choice_read(arena, str_of(cases[i].text)) != cases[i].option)
            fail_msg("\"%s\" was read as %d", cases[i].text,
                     choice_read(arena, str_of(cases[i].text)));
    assert_value(1, CHOICE, "答案是B", "B");
    assert_value(0, CHOICE, "答案是B", "(C)");
    assert_value(0, CHOICE, "答案是B和C", "B");
    assert_unscored(CHOICE, "B", "B or C", "the reference names no single option");
}

/* ---- patterns ---- */

static double matches(const char *pattern, const char *answer)
{
    struct objective_case c = {.answer = str_of(answer), .pattern = str_of(pattern)};

    return objective_score(arena, OBJECTIVE_REGEX, &c).value;
}

static void patterns_match_characters(void **state)
{
    (void)state;
    assert_float_equal(matches("^ferry [0-9]+$", "At last:\nferry 12\n"), 1, 0);
    assert_float_equal(matches("^ferry [0-9]+$", "ferry twelve"), 0, 0);
    assert_float_equal(matches("^今.好$", "今天好"), 1, 0);
    assert_float_equal(matches("^[あ-ん]{3}$", "さくら"), 1, 0);
    assert_float_equal(matches("^[あ-ん]{3}$", "桜くら"), 0, 0);
    assert_float_equal(matches("a{2,3}", "aa"), 1, 0);
}

static void patterns_are_those_of_perl(void **state)
{
    (void)state;
    assert_float_equal(matches("(?<!no )ferry", "no ferry"), 0, 0);
    assert_float_equal(matches("(?<!no )ferry", "a ferry"), 1, 0);
    assert_float_equal(matches("(?<w>ha)-\\k<w>", "ha-ha"), 1, 0);
    assert_float_equal(matches("^[[:alpha:]]+$", "渡船é"), 1, 0);
    assert_float_equal(matches("(?i)É", "é"), 1, 0);
}

/* Whatever is asked, an answer comes soon: a mark, or a reason for none. */
static void patterns_have_limits(void **state)
{
    static char lengthy[PATTERN_MAX + 2], text[PATTERN_TEXT_MAX + 9];

    (void)state;
    memset(lengthy, 'a', sizeof lengthy - 1);
    memset(text, 'a', sizeof text - 1);
    assert_true(isnan(matches("", "x")));
    assert_true(isnan(matches("(", "x")));
    assert_true(isnan(matches(lengthy, "a")));
    assert_true(isnan(matches("((a{1,999}){1,999}){1,999}", "a")));
    assert_true(isnan(matches("a{99999999999999999999}", "a")));
    assert_true(isnan(matches("(((((((((((((((((((((((((((((((((((((((((((((((((((a", "a")));
    assert_true(isnan(matches("^(a+)+$", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab")));
    assert_true(isnan(matches("\\Ca", "a")));
    assert_float_equal(matches("^a+$", text), 1, 0);
    assert_float_equal(matches("b", "a\xff\xfe b"), 1, 0);
}

static void names_are_found(void **state)
{
    enum objective_kind k = OBJECTIVE_EXACT;

    (void)state;
    for (int i = 0; i < OBJECTIVE_KINDS; i++) {
        assert_true(objective_find(objective_name((enum objective_kind)i), &k));
        assert_int_equal(k, i);
    }
    assert_false(objective_find("bleu", &k));
    assert_false(objective_graded(OBJECTIVE_REGEX));
    assert_true(objective_graded(OBJECTIVE_CHRF));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_looks_at_every_byte),
        cmocka_unit_test(normalised_forgives_form_and_nothing_else),
        cmocka_unit_test(contains_finds_whole_words),
        cmocka_unit_test(edit_is_a_ratio),
        cmocka_unit_test(metrics_are_those_of_one_pair),
        cmocka_unit_test(numbers_are_read_as_people_write_them),
        cmocka_unit_test(numbers_of_any_length_do_no_harm),
        cmocka_unit_test(numeric_has_a_tolerance),
        cmocka_unit_test(choices_are_sure_or_silent),
        cmocka_unit_test(patterns_match_characters),
        cmocka_unit_test(patterns_are_those_of_perl),
        cmocka_unit_test(patterns_have_limits),
        cmocka_unit_test(names_are_found),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
