/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include "text/language.h"

struct sample {
    const char *language, *text, *why;
};

static void check(const struct sample *v, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct str text = str_of(v[i].text);
        struct language_fault f = language_find(text, v[i].language);
        if ((f.why == NULL) != (v[i].why == NULL) || (f.why && strcmp(f.why, v[i].why) != 0))
            fail_msg("%s '%s': %s (own %.2f), not %s", v[i].language, v[i].text,
                     f.why ? f.why : "nothing", f.share, v[i].why ? v[i].why : "nothing");
        assert_true(f.share >= 0 && f.share <= 1);
        if (f.why) {
            assert_true(f.part.n > 0);
            assert_true(f.part.p >= text.p && f.part.p + f.part.n <= text.p + text.n);
        }
    }
}

static void finds_other_languages(void **state)
{
    static const struct sample v[] = {
        {"zh", "I have no idea what you mean, my dear.", "script"},
        {"zh", "好的，I will be there tomorrow morning!", "script"},
        {"zh", "今日はとても良い天気ですね。散歩に行きませんか？", "japanese"},
        {"zh-TW", "안녕하세요, 반갑습니다", "script"},
        {"zh", "Привет, как дела?", "script"},
        {"ja", "I have no idea what you mean.", "script"},
        {"ja", "你好，很高兴认识你！", "chinese"},
        {"ja", "你在干什么呢", "chinese"},
        {"ja", "今天天气非常好一起去海边散步看日落放松心情", "chinese"},
        {"ja-JP", "안녕하세요, 반갑습니다", "script"},
        {"en", "你好，很高兴认识你！", "script"},
        {"en", "こんばんは。今日はいい天気ですね。", "script"},
        {"en", "Well, 我真的不知道你在说什么，也许明天再聊吧", "script"},
        {"ko", "Good evening to everybody", "script"},
    };

    (void)state;
    check(v, COUNT(v));
}

static void leaves_the_right_one_alone(void **state)
{
    static const struct sample v[] = {
        {"zh", "晚上好，大家今天过得怎么样？", NULL},
        {"zh", "我在用 Python 和 Docker 部署 Kubernetes 呢", NULL},
        {"zh", "「ありがとう」就是谢谢的意思哦", NULL},
        {"zh", "OK!", NULL},
        {"zh", "Yes", NULL},
        {"zh", "……", NULL},
        {"zh", "😊🎉👍🏽", NULL},
        {"zh", "(ಠ_ಠ) 你说什么？", NULL},
        {"zh", "233333", NULL},
        {"zh", "今晚一起看 The Old Man and the Sea 吧，特别好看", NULL},
        {"ja", "こんばんは。今日はいい天気ですね。", NULL},
        {"ja", "一石二鳥", NULL},
        {"ja", "東京都新宿区西新宿二丁目", NULL},
        {"ja", "了解", NULL},
        {"ja", "新しい PC を買ったよ。", NULL},
        {"ja", "「你好」は中国語の挨拶です。", NULL},
        {"ja", "ﾊﾝｶｸｶﾅです", NULL},
        {"en", "Good evening! Come in out of the rain.", NULL},
        {"en", "Welcome to 東京スカイツリー", NULL},
        {"en", "He said 你好 to me.", NULL},
        {"en", "café, naïve, Zoë", NULL},
        {"en", "你好", NULL}, /* too short to say */
        {"fr", "Attention à la troisième planche.", NULL},
        {"tlh", "我不知道这是什么语言", NULL}, /* not known: never contradicted */
    };

    (void)state;
    check(v, COUNT(v));
}

static void shows_what_is_foreign(void **state)
{
    struct language_fault f = language_find(STR("好的，I will be there, tomorrow. 再见"), "zh");

    (void)state;
    assert_string_equal(f.why, "script");
    assert_true(str_is(f.part, "I will be there, tomorrow"));
    assert_true(f.share > 0.4 && f.share < 0.5); /* four letters, five words */
}

static void guesses(void **state)
{
    static const struct {
        const char *text, *language;
    } v[] = {
        {"Hello, my name is 李小龙", "en"}, {"我在用 Python 写代码", "zh"},
        {"明日は Tokyo に行きます", "ja"},  {"OK!", "en"},
        {"안녕하세요 반갑습니다", "en"}, /* none of ours */
    };

    (void)state;
    for (size_t i = 0; i < COUNT(v); i++)
        assert_string_equal(language_guess(str_of(v[i].text)), v[i].language);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_other_languages),
        cmocka_unit_test(leaves_the_right_one_alone),
        cmocka_unit_test(shows_what_is_foreign),
        cmocka_unit_test(guesses),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
