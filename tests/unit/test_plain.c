/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include "base/mem.h"
#include "text/plain.h"

struct sample {
    const char *text, *why, *part; /* why NULL: must not be flagged */
};

typedef struct plain_fault look_fn(struct str text);

static void check(look_fn *look, const struct sample *v, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct str text = str_of(v[i].text);
        struct plain_fault f = look(text);
        if ((f.why == NULL) != (v[i].why == NULL) || (f.why && strcmp(f.why, v[i].why) != 0))
            fail_msg("'%s': found %s (%.*s), not %s", v[i].text, f.why ? f.why : "nothing",
                     STR_ARG(f.part), v[i].why ? v[i].why : "nothing");
        if (!f.why)
            continue;
        assert_true(f.part.p >= text.p && f.part.p + f.part.n <= text.p + text.n);
        assert_true(f.part.n > 0);
        if (v[i].part && !str_is(f.part, v[i].part))
            fail_msg("'%s': points at '%.*s', not at '%s'", v[i].text, STR_ARG(f.part), v[i].part);
    }
}

static void finds_markup(void **state)
{
    static const struct sample v[] = {
        {"<reply>你好呀</reply>", "tag", "<reply>"},
        {"你好呀</smile>", "tag", "</smile>"},
        {"<回复>晚上好", "tag", "<回复>"},
        {"Good evening.<br/>Come in.", "tag", "<br/>"},
        {"<span class=\"x\">hi</span>", "tag", NULL},
        {"Sure.<|im_end|>", "tag", NULL},
        {"[INST] hello", "tag", NULL},
        {"[情绪: 开心] 你来啦", "class", "[情绪: 开心]"},
        {"今天真好【心情：愉快】", "class", "【心情：愉快】"},
        {"【感情：喜び】こんばんは", "class", NULL},
        {"[Emotion: happy] You came!", "class", "[Emotion: happy]"},
        {"[动作：挥手] 再见", "class", NULL},
        {"回复：你好呀", "label", "回复："},
        {"Reply: the ferry is late", "label", "Reply:"},
        {"**Answer:** no", "label", NULL},
        {"返信：はい", "label", "返信："},
        {"Category: greeting\nGood evening!", "class", "Category: greeting"},
        {"你好呀\n分类：问候", "class", "分类：问候"},
        {"こんばんは。\nカテゴリー：挨拶", "class", NULL},
        {"## The harbour\nIt rained.", "heading", "## The harbour"},
        {"# 开场\n大家好", "heading", "# 开场"},
        {"###标题", "heading", NULL},
        {"Bring:\n- rope\n- salt", "list", "- rope\n- salt"},
        {"1. 早起\n2. 喝水", "list", "1. 早起\n2. 喝水"},
        {"1、早起\n2、喝水", "list", NULL},
        {"・縄\n・塩", "list", NULL},
        {"* rope\n* salt", "list", NULL},
        {"```python\nprint(1)\n```", "fence", "```python"},
        {"| a | b |\n|---|---|\n| 1 | 2 |", "table", "|---|---|"},
        {"{\"reply\": \"你好\"}", "json", NULL},
        {"Here: {\n  \"text\" : \"hi\"}", "json", NULL},
    };

    (void)state;
    check(plain_markup, v, COUNT(v));
}

static void leaves_role_play_alone(void **state)
{
    static const struct sample v[] = {
        {"*smiles* You came back.", NULL, NULL},
        {"* sighs * and sits down\n* looks up * Well?", NULL, NULL},
        {"（轻轻点头）好呀，我们走吧。", NULL, NULL},
        {"(laughs) <3 <3", NULL, NULL},
        {"**不要**过来！", NULL, NULL},
        {"「また来たのか」と彼は笑った。", NULL, NULL},
        {"【公告】今晚八点直播哦", NULL, NULL},
        {"[开心] 你终于来了[比心]", NULL, NULL},
        {"😊😊 谢谢大家的礼物！", NULL, NULL},
        {"¯\\_(ツ)_/¯ who knows", NULL, NULL},
        {">_< 好疼", NULL, NULL},
        {"if a < b and c > d, we row", NULL, NULL},
        {"</3 you broke it", NULL, NULL},
        {"<smiles> Come in.", NULL, NULL},
        {"#1 fan of yours", NULL, NULL},
        {"#晚安# 大家早点睡", NULL, NULL},
        {"- Hello, said the crow.", NULL, NULL},
        {"1、2、3，开始！", NULL, NULL},
        {"3. 2. 1. Go!", NULL, NULL},
        {"・・・そうだね\n・・・うん", NULL, NULL},
        {"I left it at the harbour.\n* * *\nIt was gone.", NULL, NULL},
        {"It rained.\n\n---\n\nNobody came.", NULL, NULL},
        {"回答我：你去哪了？", NULL, NULL},
        {"My answer: no.", NULL, NULL},
        {"她说：今天的心情：很好。", NULL, NULL},
        {"[12:30] the ferry leaves", NULL, NULL},
        {"Use `ls` to see them", NULL, NULL},
        {"{笑} 好吧", NULL, NULL},
        {"{{{(>_<)}}}", NULL, NULL},
        {"In 1815.\n2 ships left.", NULL, NULL},
        {"1. I am not afraid.\n\nBut I should be.", NULL, NULL},
        {"私のタイプ？そうだな：静かな人。", NULL, NULL},
        {"Type faster, would you?", NULL, NULL},
        {"", NULL, NULL},
    };

    (void)state;
    check(plain_markup, v, COUNT(v));
}

/* n times the unit. */
static const char *times(struct arena *a, const char *unit, int n)
{
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 20);

    while (n-- > 0)
        buf_text(&b, unit);
    return arena_text(a, buf_str(&b));
}

static void finds_malformed(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    const struct sample v[] = {
        {"你好\xEF\xBF\xBD呀", "replacement", "\xEF\xBF\xBD"},
        {"ab\x1B[2Jcd", "control", "\x1B"},
        {"}]}", "signs", "}]}"},
        {"||||", "signs", NULL},
        {"。。。。。。。。。。。。。。。。。。", "signs", NULL},
        {times(a, "哈", 100), "repetition", NULL},
        {arena_printf(a, "好的。%s", times(a, "我知道了", 30)), "repetition", NULL},
        {arena_printf(a, "Well, %s", times(a, "the the ", 40)), "repetition", NULL},
        {times(a, "ありがとう", 40), "repetition", NULL},
        {"{\"reply\": \"hello", "unclosed", NULL},
        {"{\"reply\": {\"text\": \"hello}\"}", "unclosed", NULL},
        {"Here:\n```c\nint x;", "unclosed", "```c"},
        {"<reply>Good evening", "unclosed", "<reply>"},
    };

    (void)state;
    check(plain_malformed, v, COUNT(v));
}

static void leaves_odd_but_good_text_alone(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    const struct sample v[] = {
        {"……", NULL, NULL},
        {"……！？", NULL, NULL},
        {"？？？", NULL, NULL},
        {"...", NULL, NULL},
        {"「……」", NULL, NULL},
        {"😂😂😂", NULL, NULL},
        {"♪♪♪", NULL, NULL},
        {"哈哈哈哈哈哈哈哈哈哈哈哈哈哈哈哈", NULL, NULL},
        {"Nooooooooooooooooooooooooooooooo!", NULL, NULL},
        {"la la la la la la la la la", NULL, NULL},
        {"うわああああああああああああああああ", NULL, NULL},
        {arena_printf(a, "It rained.\n%s\nNobody came.", times(a, "-", 200)), NULL, NULL},
        {arena_printf(a, "一%s二", times(a, "…", 120)), NULL, NULL},
        {"{\"reply\": \"hello\"}", NULL, NULL}, /* markup, but whole */
        {"```\nx\n```", NULL, NULL},
        {"<reply>Good evening</reply>", NULL, NULL},
        {"She said: { not json", NULL, NULL},
        {"line\n\ttab\r\nend", NULL, NULL},
    };

    (void)state;
    check(plain_malformed, v, COUNT(v));
}

static void knows_where_text_stops(void **state)
{
    static const struct sample v[] = {
        {"我觉得今天，", "cut", "我觉得今天，"},
        {"それは、", "cut", NULL},
        {"She took the rope, the salt,", "cut", NULL},
        {"他说：「", "cut", NULL},
        {"好呀", NULL, NULL}, /* people end messages so */
        {"ok see you", NULL, NULL},
        {"The end.", NULL, NULL},
        {"「行こう」", NULL, NULL},
    };

    (void)state;
    check(plain_cut, v, COUNT(v));
    assert_true(plain_ended(STR("「行こう」")));
    assert_true(plain_ended(STR("Go. ")));
    assert_true(plain_ended(STR("*waves*")));
    assert_false(plain_ended(STR("我觉得")));
    assert_false(plain_ended(STR("")));
}

/* Long and hostile: it must end soon, and point into the text. */
static void survives_long_texts(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    const char *const units[] = {"<think>", "{\"", "{ ", "[情绪", "-",   "- a\n",
                                 "```\n",   "| ",  "啊", "\n",    "<<<<"};

    (void)state;
    for (size_t i = 0; i < COUNT(units); i++) {
        struct str text = str_of(times(a, units[i], 100000));
        struct plain_fault f = plain_markup(text), g = plain_malformed(text);
        assert_true(!f.why || (f.part.p >= text.p && f.part.p + f.part.n <= text.p + text.n));
        assert_true(!g.why || (g.part.p >= text.p && g.part.p + g.part.n <= text.p + text.n));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_markup),           cmocka_unit_test(leaves_role_play_alone),
        cmocka_unit_test(finds_malformed),        cmocka_unit_test(leaves_odd_but_good_text_alone),
        cmocka_unit_test(knows_where_text_stops), cmocka_unit_test(survives_long_texts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
