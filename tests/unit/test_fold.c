/* Code points, folding, and what is safe to show. The folds are those of docs/STATISTICS. */
/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include "text/fold.h"

static const char *as_text(struct arena *a, struct runes r)
{
    struct buf b = BUF_MAX(1 << 16);
    const char *text;

    for (size_t i = 0; i < r.n; i++)
        buf_rune(&b, r.p[i]);
    text = arena_text(a, buf_str(&b));
    buf_done(&b);
    return text;
}

static void folds_to(const char *from, const char *to)
{
    AUTO(arena_freep) struct arena *a = arena_new();

    assert_string_equal(as_text(a, fold_text(a, str_of(from))), to);
}

static void strips_to(const char *from, const char *to)
{
    AUTO(arena_freep) struct arena *a = arena_new();

    assert_string_equal(as_text(a, fold_particles(a, str_of(from))), to);
}

static void cleans_to(const char *from, const char *to)
{
    AUTO(arena_freep) struct arena *a = arena_new();

    assert_string_equal(rune_clean(a, str_of(from)).p, to);
}

static void fold_published(void **state)
{
    (void)state;
    folds_to("早上好呀，今天也要元气满满哦！", "早上好呀今天也要元气满满哦");
    folds_to("早上好呀~今天也要元气满满哦", "早上好呀今天也要元气满满哦");
    folds_to("ＡＩ也会做梦吗？我昨晚梦见自己变成了一只猫。",
             "ai也会做梦吗我昨晚梦见自己变成了一只猫");
    folds_to("AI也会做梦吗?我昨晚梦见自己变成了一只小猫",
             "ai也会做梦吗我昨晚梦见自己变成了一只小猫");
    folds_to("ワタシはあなたのことをずっと待っていました。",
             "わたしはあなたのことをずっと待っていました");
    folds_to("わたしはあなたのことを、ずっと待っていたよ。",
             "わたしはあなたのことをずっと待っていたよ");
    folds_to("I can't believe you came all this way just to see me!",
             "i cant believe you came all this way just to see me");
    folds_to("i cant believe you came all this way just to see me :)",
             "i cant believe you came all this way just to see me");
}

static void fold_rules(void **state)
{
    (void)state;
    folds_to("", "");
    folds_to(" \n\t ", "");
    folds_to("哈哈哈哈哈", "哈哈");
    folds_to("a  b\n\nc", "a b c");
    folds_to("我 爱 NLP 吗", "我爱nlp吗");
    folds_to("えーっ、スーパー", "えっすぱ");
    folds_to("ｶﾞｷﾞ", "がぎ"); /* half-width kana with a sound mark of its own */
    folds_to("Straße", "strasse");
    folds_to("好❤️呀", "好呀"); /* the variation selector goes with the heart */
    folds_to("e\xCC\x81t\xC3\xA9", "\xC3\xA9t\xC3\xA9");
}

static void fold_signs_alone(void **state)
{
    (void)state;
    folds_to("……", "..");
    folds_to("😀", "😀");
    folds_to("!?", "!?");
}

static void fold_invalid_bytes(void **state)
{
    (void)state;
    folds_to("\xFF"
             "好\xE5",
             "好");
}

static void fold_particles_end_clauses(void **state)
{
    (void)state;
    strips_to("早上好呀，今天也要加油哦！", "早上好今天也要加油");
    strips_to("早上好，今天也要加油。", "早上好今天也要加油");
    strips_to("好きだよ。好きです！", "好き好き");
    strips_to("そうですね", "そう");
    strips_to("呀", "呀");
    strips_to("啊啊！好", "啊啊好");
    strips_to("你好吗", "你好吗");
    strips_to("one, two\nthree", "one two three");
    strips_to("！！", "!!");
}

static void fold_points_back(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct str text = STR("「ｶﾞﾝﾊﾞﾚ！」と、言った");
    struct runes r = fold_text(a, text);

    (void)state;
    assert_string_equal(as_text(a, r), "がんばれと言った");
    assert_true(str_is(fold_source(text, r, 0, 1), "ｶﾞ"));
    assert_true(str_is(fold_source(text, r, 2, 3), "ﾊﾞﾚ！」と"));
    assert_true(str_is(fold_source(text, r, 7, 1), "た"));
}

static void fold_equality(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();

    (void)state;
    assert_true(fold_equal(fold_text(a, STR("ＯＫ！")), fold_text(a, STR("ok"))));
    assert_false(fold_equal(fold_text(a, STR("ok")), fold_text(a, STR("oka"))));
    assert_false(fold_equal(fold_text(a, STR("ok")), fold_text(a, STR("on"))));
    assert_true(fold_equal(fold_text(a, STR("")), fold_text(a, STR(" "))));
}

static void rune_widths(void **state)
{
    (void)state;
    assert_int_equal(rune_width('a'), 1);
    assert_int_equal(rune_width(0x597D), 2);
    assert_int_equal(rune_width(0x0301), 0);
    assert_int_equal(rune_width(0x1F600), 2);
    assert_int_equal(rune_width(0x1B), 0);
    assert_int_equal(rune_columns(STR("ab好 かな")), 9);
    assert_int_equal(rune_columns(STR("")), 0);
}

static void rune_scripts(void **state)
{
    static const char yes[] = "好々〇ひカー가ㄅ", no[] = "aé1、。！ ";
    struct str s = str_of(yes);

    (void)state;
    while (s.n)
        assert_true(rune_is_cjk(utf8_next(&s)));
    s = str_of(no);
    while (s.n)
        assert_false(rune_is_cjk(utf8_next(&s)));
}

static void clean_controls(void **state)
{
    (void)state;
    cleans_to("a\x1B[2Jb", "a\xEF\xBF\xBD[2Jb");
    cleans_to("one\r\ntwo\tthree\n", "one\ntwo\tthree\n");
    cleans_to("over\rwritten", "over\xEF\xBF\xBDwritten");
    cleans_to("c1 \xC2\x9B"
              "31m del \x7F",
              "c1 \xEF\xBF\xBD"
              "31m del \xEF\xBF\xBD");
    cleans_to("bad \xFF byte", "bad \xEF\xBF\xBD byte");
    cleans_to("好，かな 😀", "好，かな 😀");
    cleans_to("", "");
}

static void clean_bidi(void **state)
{
    (void)state;
    cleans_to("a\u202E\u202Db\u202Ac\u202B\u202C", "abc");
    cleans_to("\u2066x\u2067\u2068\u2069y\u200E\u200F\u061C", "xy");
    cleans_to("\u200Dz", "\u200Dz"); /* joins emoji; moves nothing */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fold_published),
        cmocka_unit_test(fold_rules),
        cmocka_unit_test(fold_signs_alone),
        cmocka_unit_test(fold_invalid_bytes),
        cmocka_unit_test(fold_particles_end_clauses),
        cmocka_unit_test(fold_points_back),
        cmocka_unit_test(fold_equality),
        cmocka_unit_test(rune_widths),
        cmocka_unit_test(rune_scripts),
        cmocka_unit_test(clean_controls),
        cmocka_unit_test(clean_bidi),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
