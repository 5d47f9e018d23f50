#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "suite/prompt.h"

static const struct prompt_var vars[] = {
    {"name", {"岚", 3}},  {"braces", {"{{name}} {{", 11}}, {"empty", {NULL, 0}},
    {"标签", {"tag", 3}}, {"a.b-c_1", {"dotted", 6}},
};

static void expect(const char *text, const char *want)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct prompt_vars v = {vars, COUNT(vars)};
    struct str out = {0};
    struct err e = {0};

    assert_int_equal(prompt_fill(a, str_of(text), v, &out, &e), OK);
    assert_string_equal(out.p, want);
}

static void names_are_replaced(void **state)
{
    (void)state;
    expect("", "");
    expect("plain } text {", "plain } text {");
    expect("{{name}}", "岚");
    expect("a{{ name }}b{{name}}c", "a岚b岚c");
    expect("{{\n\tname\r\n}}", "岚");
    expect("[{{empty}}]", "[]");
    expect("{{标签}}/{{a.b-c_1}}", "tag/dotted");
}

static void values_are_never_scanned_again(void **state)
{
    (void)state;
    expect("{{braces}}name}}", "{{name}} {{name}}");
    expect("{{braces}}{{name}}", "{{name}} {{岚");
}

static void what_is_no_name_is_text(void **state)
{
    (void)state;
    expect("{{}}", "{{}}");
    expect("{{ }}", "{{ }}");
    expect("{{{name}}}", "{岚}");
    expect("{{{{name}}}}", "{{岚}}");
    expect("{{name", "{{name");
    expect("{{name}", "{{name}");
    expect("{{na me}}", "{{na me}}");
    expect("{{\"json\": {{name}}}}", "{{\"json\": 岚}}");
    expect("{{{", "{{{");
    expect("{ {name}}", "{ {name}}");
}

static void an_unknown_name_is_an_error(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct str out = STR("untouched");
    struct err e = {0};

    (void)state;
    assert_int_equal(
        prompt_fill(a, STR("{{name}} {{nmae}}"), (struct prompt_vars){vars, COUNT(vars)}, &out, &e),
        E_INPUT);
    assert_string_equal(e.msg, "{{nmae}} is unknown");
    assert_string_equal(out.p, "untouched");
    assert_int_equal(prompt_fill(a, STR("{{name}}"), (struct prompt_vars){0}, &out, &e), E_INPUT);
}

static void size_is_bounded(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    char *big = arena_alloc(a, (1 << 20) + 1);
    struct prompt_var v = {"x", {big, 1 << 20}};
    struct prompt_vars all = {&v, 1};
    struct str out = {0};
    struct err e = {0};

    (void)state;
    memset(big, '{', 1 << 20);
    assert_int_equal(prompt_fill(a, (struct str){big, 1 << 20}, all, &out, &e), OK);
    assert_int_equal(out.n, 1 << 20);
    assert_int_equal(prompt_fill(a, STR("{{x}}{{x}}{{x}}{{x}}"), all, &out, &e), OK);
    assert_int_equal(out.n, 4 << 20);
    assert_int_equal(prompt_fill(a, STR("{{x}}{{x}}{{x}}{{x}}."), all, &out, &e), E_INPUT);
    assert_non_null(strstr(e.msg, "over 4 MB"));
}

static void names_are_found_in_order(void **state)
{
    struct str text = STR("a {{one}} {{}} {{ two }}{{three"), name;
    size_t at = 0, begin = 0;

    (void)state;
    assert_true(prompt_next(text, &at, &name, &begin));
    assert_true(str_is(name, "one"));
    assert_int_equal(begin, 2);
    assert_int_equal(at, 9);
    assert_true(prompt_next(text, &at, &name, &begin));
    assert_true(str_is(name, "two"));
    assert_int_equal(begin, 15);
    assert_false(prompt_next(text, &at, &name, &begin));
    assert_false(prompt_next(text, &at, &name, &begin));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_replaced),      cmocka_unit_test(values_are_never_scanned_again),
        cmocka_unit_test(what_is_no_name_is_text), cmocka_unit_test(an_unknown_name_is_an_error),
        cmocka_unit_test(size_is_bounded),         cmocka_unit_test(names_are_found_in_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
