#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <glob.h>
#include <stdio.h>

#include "base/file.h"
#include "exchange/import_md.h"

static int setup(void **state)
{
    *state = arena_new();
    return 0;
}

static int teardown(void **state)
{
    arena_free(*state);
    return 0;
}

static struct import_md_pairs read_good(struct arena *a, struct str text)
{
    struct import_md_pairs out = {0};
    struct err e = {0};

    if (import_md_read(a, text, &out, &e) != OK)
        fail_msg("%s", e.msg);
    return out;
}

static void expect(const struct import_md_pair *p, const char *heading, const char *prompt,
                   const char *reference)
{
    if (!str_is(p->heading, heading) || !str_is(p->prompt, prompt) ||
        !str_is(p->reference, reference))
        fail_msg("line %lld: '%.*s' | '%.*s' | '%.*s'", (long long)p->line, STR_ARG(p->heading),
                 STR_ARG(p->prompt), STR_ARG(p->reference));
}

static void pairs_are_read(void **state)
{
    struct import_md_pairs got =
        read_good(*state, STR("\xEF\xBB\xBF# All\r\n\r\nSome words about input and target.\r\n\r\n"
                              "1. input: one \r\ntarget: first ⭐  \r\n\r\n"
                              "## 二 ##\n| a | b |\n|---|---|\n"
                              "1.input： 二   \n  Target： 第二\n还有一行\n\nnot part of it\n"
                              "2) INPUT: x | y \ntarget: has a bar before it\n"
                              "3. input: left |  right\n\n"
                              "- input: with label ｜ target: 右\n"
                              "input: nothing more\n"));

    assert_int_equal(got.n, 6);
    expect(&got.v[0], "All", "one", "first ⭐");
    expect(&got.v[1], "二", "二", "第二\n还有一行");
    expect(&got.v[2], "二", "x | y", "has a bar before it");
    expect(&got.v[3], "二", "left", "right");
    expect(&got.v[4], "二", "with label", "右");
    expect(&got.v[5], "二", "nothing more", "");
    assert_int_equal(got.v[0].line, 5);
    assert_int_equal(got.v[5].line, 21);
}

static void paragraphs_go_on_when_indented(void **state)
{
    struct import_md_pairs got =
        read_good(*state, STR("1. input: a\n   b\n\n   target: c\n\n   d\n\ne\n   f\n"
                              "2. input: g\n#notaheading\n\ntarget: h\n####### nor this\n"));

    assert_int_equal(got.n, 2);
    expect(&got.v[0], "", "a\nb", "c\n\nd");
    expect(&got.v[1], "", "g\n#notaheading", "h\n####### nor this");
}

static void expect_refused(struct arena *a, const char *text, const char *want)
{
    struct import_md_pairs out = {.n = 77};
    struct err e = {0};

    assert_int_equal(import_md_read(a, str_of(text), &out, &e), E_INPUT);
    assert_string_equal(e.msg, want);
    assert_int_equal(out.n, 77);
}

static void faults_have_lines(void **state)
{
    expect_refused(*state, "", "it contains no 'input:' line");
    expect_refused(*state, "# Only\n\nprose\n", "it contains no 'input:' line");
    expect_refused(*state, "\ntarget: x\n", "line 2: a 'target:' without its 'input:'");
    expect_refused(*state, "input: a\ntarget: b\n\ntarget: c\n",
                   "line 4: a 'target:' without its 'input:'");
    expect_refused(*state, "input: a\ntarget: b\n2. input:\ntarget: c\n",
                   "line 3: 'input:' is empty");
    expect_refused(*state, "input: a\xFF\n", "not valid UTF-8; save the file as UTF-8");
}

/* The published file, where it is at hand. */
static struct str published(struct arena *a)
{
    struct str text = {0};
    struct err e = {0};
    glob_t found;

    if (glob("../shared/seeds/000*.txt", 0, NULL, &found) != 0) {
        print_message("SKIPPED: there is no ../shared/seeds/000*.txt\n");
        globfree(&found);
        skip();
    }
    assert_int_equal(file_read(a, found.gl_pathv[0], 1 << 20, &text, &e), OK);
    globfree(&found);
    return text;
}

static void examples_are_read(void **state)
{
    struct import_md_examples got = {0};
    struct err e = {0};

    assert_int_equal(
        import_md_examples(*state,
                           STR("# Levels\n| what | score |\n|---|---|\n| good | 1 |\n\n"
                               "## Harbour\r\n\r\n| Prompt | RESPONSE | Score | Reason | more |\r\n"
                               "|:---|---|:-:|--:|---|\r\n"
                               "|<greet: dawn>| a \\| b<br>c | 0.75 | 1. dry 2. short | x | y |\r\n"
                               "| p | ⭐ | 1 |\r\n"
                               "prose\n| p | no head | 1 |\n\n"
                               "|提问|参考答案|回答|分数|\n|-|-|-|-|\n|甲|乙|丙|0|\n"),
                           &got, &e),
        OK);
    assert_int_equal(got.n, 3);
    assert_true(str_is(got.v[0].prompt, "<greet: dawn>"));
    assert_true(str_is(got.v[0].answer, "a | b\nc"));
    assert_true(str_is(got.v[0].reason, "1. dry 2. short"));
    assert_true(str_is(got.v[0].heading, "Harbour"));
    assert_true(got.v[0].score == 0.75 && got.v[0].line == 10);
    assert_true(str_is(got.v[1].answer, "⭐") && got.v[1].reason.n == 0);
    assert_true(str_is(got.v[2].reference, "乙") && str_is(got.v[2].answer, "丙"));
    assert_true(got.v[2].score == 0);
}

static void a_byte_order_mark_is_no_part_of_the_first_line(void **state)
{
    struct import_md_examples got = {0};
    struct err e = {0};

    assert_int_equal(
        import_md_examples(*state,
                           STR("\xEF\xBB\xBF# Harbour\n| Prompt | Response | Score |\n|-|-|-|\n"
                               "| p | a | 1 |\n"),
                           &got, &e),
        OK);
    assert_int_equal(got.n, 1);
    assert_true(str_is(got.v[0].heading, "Harbour"));
    assert_int_equal(import_md_examples(*state,
                                        STR("\xEF\xBB\xBF| Prompt | Response | Score |\n|-|-|-|\n"
                                            "| p | a | 1 |\n"),
                                        &got, &e),
                     OK);
}

static void examples_have_lines_too(void **state)
{
    static const char *const table[][2] = {
        {"", "it contains no table with the columns Prompt, Response and Score"},
        {"| Prompt | Response | Score |\n| a | b | 1 |\n",
         "it contains no table with the columns Prompt, Response and Score"},
        {"| Prompt | Response | Score |\n|---|---|---|\n| a | b | 1 |\n| a | | 1 |\n",
         "line 4: an example without its answer"},
        {"| Prompt | Response | Score |\n|---|---|---|\n| | b | 1 |\n",
         "line 3: an example without its prompt"},
        {"| Prompt | Response | Score |\n|---|---|---|\n| a | b | good |\n",
         "line 3: 'good' is not a score: expected a number"},
        {"| Prompt | Response | Score |\n|---|---|---|\n| a | b |\n",
         "line 3: '' is not a score: expected a number"},
        {"| \xFF |\n", "not valid UTF-8; save the file as UTF-8"},
    };

    for (size_t i = 0; i < COUNT(table); i++) {
        struct import_md_examples out = {.n = 77};
        struct err e = {0};
        assert_int_equal(import_md_examples(*state, str_of(table[i][0]), &out, &e), E_INPUT);
        assert_string_equal(e.msg, table[i][1]);
        assert_int_equal(out.n, 77);
    }
}

/* Six worked examples of the first test, without references, and five of the last, with. */
static void the_published_examples_are_read(void **state)
{
    static const double scores[] = {0, 0, 0.5, 0.5, 0.75, 1, 0, 0.25, 0.5, 0.5, 1};
    struct import_md_examples got = {0};
    struct err e = {0};

    assert_int_equal(import_md_examples(*state, published(*state), &got, &e), OK);
    assert_int_equal(got.n, COUNT(scores));
    for (size_t i = 0; i < got.n; i++) {
        const struct import_md_example *one = &got.v[i];
        assert_true(one->score == scores[i]);
        assert_true(one->prompt.n && one->answer.n && str_starts(one->reason, STR("1. ")));
        assert_int_equal(one->reference.n > 0, i >= 6);
        assert_true(str_eq(one->heading, got.v[i < 6 ? 0 : 6].heading));
    }
    assert_true(str_starts(got.v[3].prompt, STR("<")) && str_ends(got.v[3].prompt, STR(">")));
    assert_false(str_eq(got.v[0].heading, got.v[6].heading));
}

/* The published test set: 15 pairs under the second of its tests, 15 under the
 * third, of which one stands on a single line. */
static void the_published_file_is_read(void **state)
{
    struct import_md_pairs got;
    size_t under[2] = {0}, with_bar = 0;
    got = read_good(*state, published(*state));
    assert_int_equal(got.n, 30);
    for (size_t i = 0; i < got.n; i++) {
        const struct import_md_pair *p = &got.v[i];
        assert_true(p->reference.n > 0 && p->prompt.n > 0);
        assert_true(str_trim(p->prompt).n == p->prompt.n);
        assert_true(str_trim(p->reference).n == p->reference.n);
        assert_true(str_find(p->prompt, STR("input")) == SIZE_MAX);
        assert_true(str_find(p->reference, STR("target:")) == SIZE_MAX);
        assert_true(str_find(p->reference, STR("\n")) == SIZE_MAX);
        with_bar += str_find(p->prompt, STR("|")) != SIZE_MAX;
        under[str_eq(p->heading, got.v[0].heading) ? 0 : 1]++;
        assert_true(str_eq(p->heading, got.v[i < 15 ? 0 : 15].heading));
    }
    assert_int_equal(with_bar, 0);
    assert_int_equal(under[0], 15);
    assert_int_equal(under[1], 15);
    /* the one on a single line; the one that begins with an emoji's neighbour keeps it */
    assert_true(got.v[17].reference.n > got.v[17].prompt.n);
    assert_true(str_find(got.v[0].reference, STR("⭐")) != SIZE_MAX);
    assert_true(str_find(got.v[15].reference, STR("😊")) != SIZE_MAX);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(pairs_are_read),          TEST(paragraphs_go_on_when_indented),
        TEST(faults_have_lines),       TEST(the_published_file_is_read),
        TEST(examples_are_read),       TEST(a_byte_order_mark_is_no_part_of_the_first_line),
        TEST(examples_have_lines_too), TEST(the_published_examples_are_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
