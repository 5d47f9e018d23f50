/* Which part of a continuation counts. */
/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <stdlib.h>

#include "base/file.h"
#include "base/json.h"
#include "text/take.h"
#include "unit/reference.h"

static const struct take_quotes corner = {{"「", 3}, {"」", 3}};

static struct str first(struct str text, struct str close)
{
    return take_units(text, (struct take_quotes){STR("?"), close}, 1);
}

static void first_line(void **state)
{
    (void)state;
    assert_true(str_is(first(STR("うん」と言った。「まあ」"), STR("」")), "うん」"));
    assert_true(str_is(first(STR("「中」です」"), STR("」")), "「中」"));
    assert_true(str_is(first(STR("終わらない"), STR("」")), "終わらない"));
    assert_true(str_is(first(STR("yes,\" she said. \"No.\""), STR("\"")), "yes,\""));
    assert_true(str_is(first(STR("好的。”他说"), STR("”")), "好的。”"));
    assert_true(str_is(first(STR("本』」"), STR("』")), "本』"));
    assert_true(str_is(first(STR(""), STR("」")), ""));
}

static void units(void **state)
{
    struct str text = STR("うん」\n\n夜が来た！？ 鐘が鳴る。\n灯台守「またね」猫");

    (void)state;
    assert_true(str_is(take_units(text, corner, 1), "うん」"));
    assert_true(str_is(take_units(text, corner, 2), "うん」\n\n夜が来た！？"));
    assert_true(str_is(take_units(text, corner, 3), "うん」\n\n夜が来た！？ 鐘が鳴る。"));
    assert_true(
        str_is(take_units(text, corner, 4), "うん」\n\n夜が来た！？ 鐘が鳴る。\n灯台守「またね」"));
    assert_true(str_eq(take_units(text, corner, 9), take_units(text, corner, 4)));
    assert_true(str_is(take_units(STR("開いたまま"), corner, 1), "開いたまま"));
    assert_true(str_is(take_units(STR("開いたまま"), corner, 2), ""));
    assert_true(str_is(take_units(STR("ああ」猫「に"), corner, 3), "ああ」"));
}

static void lines(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct str text = STR("\n  one \r\n\n　　\n　二　\nthree\nfour");

    (void)state;
    assert_string_equal(take_lines(a, text, 2).p, "one\n二");
    assert_string_equal(take_lines(a, text, 3).p, "one\n二\nthree");
    assert_string_equal(take_lines(a, text, 10).p, "one\n二\nthree\nfour");
    assert_string_equal(take_lines(a, text, 0).p, "");
    assert_string_equal(take_lines(a, STR("　"), 1).p, "");
}

/* The published vectors show the line with the name that the prompt ended with, and nothing
 * when nothing was taken. */
static const char *shown(struct arena *a, const json_t *v)
{
    int64_t n = json_int_at(v, "n", 0);
    struct str name = json_str_at(v, "name", STR(""));
    struct str taken = take_units(json_str_at(v, "text", STR("")), corner, (size_t)n);

    if (n > 1 && taken.n == 0)
        return "";
    return arena_printf(a, "%.*s「%.*s", STR_ARG(name), STR_ARG(taken));
}

static void published(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(json_freep) json_t *vectors = NULL;
    const char *path = reference_file(&a, "oshizo/postprocess_vectors.json");
    struct err e = {0};
    struct str text;
    json_t *v;
    size_t i;

    (void)state;
    assert_int_equal(file_read(a, path, 1 << 20, &text, &e), OK);
    assert_int_equal(json_read(text, &vectors, &e), OK);
    assert_true(json_array_size(vectors) > 0);
    json_array_foreach(vectors, i, v)
        assert_string_equal(shown(a, v), json_str_at(v, "out", STR("absent")).p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_line),
        cmocka_unit_test(units),
        cmocka_unit_test(lines),
        cmocka_unit_test(published),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
