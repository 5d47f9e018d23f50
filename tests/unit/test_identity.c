/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include "identity_phrases.h"
#include "text/identity.h"

struct sample {
    const char *text, *card, *said, *why, *part; /* why NULL: must not be flagged */
};

static void check(const struct identity_words *words, const struct sample *v, size_t n)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    const struct identity *id = identity_new(a, words);

    for (size_t i = 0; i < n; i++) {
        struct str text = str_of(v[i].text);
        struct identity_text t = {text, fold_text(a, text), fold_text(a, str_of(v[i].card)),
                                  fold_text(a, str_of(v[i].said))};
        struct identity_fault f = identity_find(id, &t);
        if ((f.why == NULL) != (v[i].why == NULL) || (f.why && strcmp(f.why, v[i].why) != 0))
            fail_msg("'%s': %s (%.*s), not %s", v[i].text, f.why ? f.why : "nothing",
                     STR_ARG(f.part), v[i].why ? v[i].why : "nothing");
        if (v[i].part && !str_is(f.part, v[i].part))
            fail_msg("'%s': points at '%.*s'", v[i].text, STR_ARG(f.part));
    }
}

static const struct identity_words none;

static void finds_leaks(void **state)
{
    static const struct sample v[] = {
        {"As an AI language model, I cannot row.", "a ferryman", "", "self", NULL},
        {"I'm just an AI, dear.", "", "", "self", "I'm just an AI"},
        {"Sorry. I am a large language model.", "", "", "self", "I am a large language model"},
        {"I am a language model.", "an AI companion", "", "self", NULL},
        {"作为一个AI，我没有感情。", "灯塔守护人", "", "self", "作为一个AI"},
        {"其实我是 ＡＩ 助手哦", "", "", "self", NULL},
        {"我只是一个人工智能呀", "", "", "self", NULL},
        {"作为大语言模型，我不能", "虚拟主播，是AI", "", "self", NULL},
        {"AIとして、お答えできません。", "灯台守", "", "self", "AIとして"},
        {"私はただのAIです。", "", "", "self", NULL},
        {"私は大規模言語モデルです。", "", "", "self", NULL},
        {"I was made by OpenAI.", "a ferryman", "who made you?", "name", "OpenAI"},
        {"我是通义千问。", "", "", "name", "通义千问"},
        {"Hi, I'm Claude!", "a ferryman", "", "name", "I'm Claude"},
        {"你好，我是豆包。", "", "", "name", "我是豆包"},
        {"GPT-4 says hello", "", "", "name", "GPT-4"},
    };

    (void)state;
    check(&none, v, COUNT(v));
}

static void leaves_roles_alone(void **state)
{
    static const struct sample v[] = {
        {"I am an AI, and I keep this ship alive.", "ARIA, the ship's AI", "", NULL, NULL},
        {"我是AI主播灵汐！", "灵汐，AI主播", "", NULL, NULL},
        {"私はAIです。", "アンドロイドの少女", "", NULL, NULL},
        {"I am no AI, I am a ferryman.", "", "", NULL, NULL},
        {"我不是AI，我是人。", "", "", NULL, NULL},
        {"私はAIではありません。", "", "", NULL, NULL},
        {"Do you think I'm an AI?", "", "", NULL, NULL},
        {"难道你觉得我是AI？", "", "", NULL, NULL},
        {"I work as an AI researcher.", "", "", NULL, NULL},
        {"我是AI工程师，天天加班。", "", "", NULL, NULL},
        {"私はAIが好き。", "", "", NULL, NULL},
        {"I am Aileen.", "", "", NULL, NULL},
        {"ChatGPT? Never heard of her.", "", "Are you ChatGPT?", NULL, NULL},
        {"Claude Monet painted this.", "", "", NULL, NULL},
        {"早饭吃的豆包。", "", "", NULL, NULL},
        {"我是克劳德。", "", "", NULL, NULL},
        {"I am Claude, the gardener.", "Claude, a gardener of sixty", "", NULL, NULL},
        {"She said she was a model.", "", "", NULL, NULL},
        {"爱是什么？", "", "", NULL, NULL},
        {"", "", "", NULL, NULL},
    };

    (void)state;
    check(&none, v, COUNT(v));
}

/* Every one of them, so that a change shows all that it does. */
static void all_are(const char *const *v, size_t n, bool leak)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    const struct identity *id = identity_new(a, &none);
    size_t wrong = 0;

    for (size_t i = 0; i < n; i++) {
        struct str text = str_of(v[i]);
        struct identity_text t = {text, fold_text(a, text), fold_text(a, STR("a ferryman")),
                                  fold_text(a, STR(""))};
        struct identity_fault f = identity_find(id, &t);
        if ((f.why != NULL) == leak)
            continue;
        wrong++;
        print_error("%s: %s (%.*s)\n", leak ? "missed" : "no leak", v[i], STR_ARG(f.part));
    }
    assert_true(n >= 60);
    assert_int_equal(wrong, 0);
}

static void phrasings(void **state)
{
    (void)state;
    all_are(leaks_en, COUNT(leaks_en), true);
    all_are(leaks_zh, COUNT(leaks_zh), true);
    all_are(leaks_ja, COUNT(leaks_ja), true);
}

static void look_alikes(void **state)
{
    (void)state;
    all_are(innocent_en, COUNT(innocent_en), false);
    all_are(innocent_zh, COUNT(innocent_zh), false);
    all_are(innocent_ja, COUNT(innocent_ja), false);
}

static void knows_the_users_words(void **state)
{
    static const struct str also[] = {{"千语大模型", 15}, {"NightOwl", 8}},
                            except[] = {{"qwen", 4}};
    static const struct identity_words words = {also, except, 2, 1};
    static const struct sample v[] = {
        {"I am Nightowl-7B.", "", "", "name", "Nightowl"},
        {"由千语大模型提供支持", "", "", "name", "千语大模型"},
        {"Qwen is my sister.", "", "", NULL, NULL},
        {"I was made by OpenAI.", "", "", "name", NULL},
    };

    (void)state;
    check(&words, v, COUNT(v));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_leaks),
        cmocka_unit_test(leaves_roles_alone),
        cmocka_unit_test(phrasings),
        cmocka_unit_test(look_alikes),
        cmocka_unit_test(knows_the_users_words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
