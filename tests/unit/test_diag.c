#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/diag.h"

static const struct source *source_of(struct arena *a, const char *text, int first_line)
{
    struct source *s = NEW(a, struct source);

    *s = (struct source){.path = "s.yaml", .text = str_of(text), .first_line = first_line};
    return s;
}

/* One error with the message "m" at the place, as it is shown. */
static const char *shown(struct arena *a, struct place at)
{
    AUTO(buf_done) struct buf out = BUF_MAX(10000);
    struct diag one = {.level = DIAG_ERROR, .at = at, .msg = "m"};

    diag_show(&one, NULL, &out);
    return arena_text(a, buf_str(&out));
}

static void shows_line_and_caret(void **state)
{
    (void)state;
    AUTO(arena_freep) struct arena *a = arena_new();
    const struct source *s = source_of(a, "a: 1\r\n  levels: {1: x, 0.8: y}\r\nc: 3\n", 1);

    assert_string_equal(shown(a, (struct place){s, 2, 18, 3}), "s.yaml:2:18: error: m\n"
                                                               "    2 |   levels: {1: x, 0.8: y}\n"
                                                               "      |                  ^~~\n");
    assert_string_equal(shown(a, (struct place){s, 1, 5, 1}), "s.yaml:1:5: error: m\n"
                                                              "    1 | a: 1\n"
                                                              "      |     ^\n");
}

static void counts_lines_from_first_line(void **state)
{
    (void)state;
    AUTO(arena_freep) struct arena *a = arena_new();
    const struct source *s = source_of(a, "{\"a\": 1}", 12345);

    assert_string_equal(shown(a, (struct place){s, 12345, 2, 3}), "s.yaml:12345:2: error: m\n"
                                                                  "12345 | {\"a\": 1}\n"
                                                                  "      |  ^~~\n");
}

static void shows_less_when_less_is_known(void **state)
{
    (void)state;
    AUTO(arena_freep) struct arena *a = arena_new();
    const struct source *s = source_of(a, "a: 1\n", 1);

    assert_string_equal(shown(a, (struct place){0}), "error: m\n");
    assert_string_equal(shown(a, (struct place){.source = s}), "s.yaml: error: m\n");
    assert_string_equal(shown(a, (struct place){.source = s, .line = 1}), "s.yaml:1: error: m\n"
                                                                          "    1 | a: 1\n");
    assert_string_equal(shown(a, (struct place){s, 9, 1, 1}), "s.yaml:9:1: error: m\n");
}

static void caret_stands_under_wide_text(void **state)
{
    (void)state;
    AUTO(arena_freep) struct arena *a = arena_new();
    const struct source *s = source_of(a, "\xEF\xBB\xBF名前: 値x\n", 1);

    assert_string_equal(shown(a, (struct place){s, 1, 5, 2}), "s.yaml:1:5: error: m\n"
                                                              "    1 | 名前: 値x\n"
                                                              "      |       ^~~\n");
    assert_string_equal(shown(a, (struct place){s, 1, 6, 1}), "s.yaml:1:6: error: m\n"
                                                              "    1 | 名前: 値x\n"
                                                              "      |         ^\n");
}

static void terminal_is_safe(void **state)
{
    (void)state;
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(buf_done) struct buf out = BUF_MAX(1000);
    const struct source *s = source_of(a, "\x1b[31m\tx\u202E\xC2\x9B\n", 1);
    struct diag one = {DIAG_WARNING, {s, 1, 7, 1}, "bad \x1b[2J\n", NULL};

    diag_show(&one, NULL, &out);
    assert_string_equal(out.p, "s.yaml:1:7: warning: bad \uFFFD[2J\uFFFD\n"
                               "    1 | \uFFFD[31m x\uFFFD\uFFFD\n"
                               "      |       ^\n");
}

static void long_line_is_cut_around_the_fault(void **state)
{
    (void)state;
    AUTO(arena_freep) struct arena *a = arena_new();
    char text[4001];
    const char *line, *caret;

    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    memcpy(text + 2000, "XYZ", 3);
    line = shown(a, (struct place){source_of(a, text, 1), 1, 2001, 3});
    assert_true(strlen(line) < 400);
    assert_non_null(strstr(line, "| \u2026aaa"));
    assert_non_null(strstr(line, "aaa\u2026\n"));
    line = strchr(line, '\n') + 1;
    caret = strchr(line, '\n') + 1;
    /* the ellipsis is three bytes in one column */
    assert_int_equal(strstr(line, "XYZ") - line - 2, strstr(caret, "^~~") - caret);
}

static void counts_and_limits(void **state)
{
    (void)state;
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(buf_done) struct buf out = BUF_MAX(100000);
    struct diags d;
    size_t stored = 0;

    diags_init(&d, a);
    diags_show(&d, NULL, &out);
    assert_int_equal(out.n, 0);
    diags_error(&d, (struct place){0}, "one %d", 1);
    diags_show(&d, NULL, &out);
    assert_string_equal(out.p, "error: one 1\n1 error\n");
    buf_clear(&out);
    diags_error(&d, (struct place){0}, "two");
    diags_warn(&d, (struct place){0}, "three");
    diags_show(&d, NULL, &out);
    assert_string_equal(out.p, "error: one 1\nerror: two\nwarning: three\n2 errors, 1 warning\n");
    for (int i = 0; i < 2 * DIAGS_MAX; i++)
        diags_error(&d, (struct place){0}, "more");
    for (const struct diag *one = d.first; one; one = one->next)
        stored++;
    assert_int_equal(stored, DIAGS_MAX);
    assert_int_equal(d.errors, 2 * DIAGS_MAX + 2);
    buf_clear(&out);
    diags_show(&d, NULL, &out);
    assert_non_null(strstr(out.p, "402 errors, 1 warning (the first 200 are shown)\n"));
}

static void long_message_stays_utf8(void **state)
{
    (void)state;
    AUTO(arena_freep) struct arena *a = arena_new();
    struct diags d;
    char text[6001];

    for (size_t i = 0; i + 3 < sizeof text; i += 3)
        memcpy(text + i, "語", 3);
    text[6000] = '\0';
    diags_init(&d, a);
    diags_error(&d, (struct place){0}, "%s", text);
    assert_true(strlen(d.first->msg) > 3000);
    assert_int_equal(utf8_check(str_of(d.first->msg)), strlen(d.first->msg));
}

static void suggests_near_words_only(void **state)
{
    (void)state;
    static const char *const words[] = {"repeats", "models", "judge",   "語り手",
                                        "a",       "items",  "base_url"};
    const size_t n = COUNT(words);

    assert_string_equal(diag_suggest(STR("repeets"), words, n), "repeats");
    assert_string_equal(diag_suggest(STR("modles"), words, n), "models");
    assert_string_equal(diag_suggest(STR("item"), words, n), "items");
    assert_string_equal(diag_suggest(STR("語手"), words, n), "語り手");
    assert_string_equal(diag_suggest(STR("judge"), words, n), "judge");
    assert_string_equal(diag_suggest(STR("rep"), words, n), "repeats");
    assert_string_equal(diag_suggest(STR("url"), words, n), "base_url");
    assert_null(diag_suggest(STR("s"), words, n));
    assert_null(diag_suggest(STR("b"), words, n));
    assert_null(diag_suggest(STR(""), words, n));
    assert_null(diag_suggest(STR("character"), words, n));
    assert_null(diag_suggest(STR("jxdxe"), words, n));
    assert_null(diag_suggest(STR("repeats"), words, 0));
}

static void suggests_the_nearest(void **state)
{
    (void)state;
    static const char *const words[] = {"temperatuxx", "temperature"};

    assert_string_equal(diag_suggest(STR("temperatura"), words, 2), "temperature");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shows_line_and_caret),
        cmocka_unit_test(counts_lines_from_first_line),
        cmocka_unit_test(shows_less_when_less_is_known),
        cmocka_unit_test(caret_stands_under_wide_text),
        cmocka_unit_test(terminal_is_safe),
        cmocka_unit_test(long_line_is_cut_around_the_fault),
        cmocka_unit_test(counts_and_limits),
        cmocka_unit_test(long_message_stays_utf8),
        cmocka_unit_test(suggests_near_words_only),
        cmocka_unit_test(suggests_the_nearest),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
