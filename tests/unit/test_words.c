/* Texts in three languages: complete, and with the same values in each. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "base/words.h"

enum { VALUES = 16 };

/* The type of each value that a text takes, in the order of the arguments: "s", "lld", "*s".
 * Values may be named by position (%2$s). False where a text cannot be read. */
static bool values_of(const char *text, char out[VALUES][8])
{
    int next = 0;

    memset(out, 0, VALUES * sizeof out[0]);
    for (const char *p = text; (p = strchr(p, '%')); p++) {
        char *end;
        long at = strtol(++p, &end, 10);
        size_t n;
        if (*p == '%' || *p == ' ')
            continue;
        if (*end == '$' && at > 0)
            p = end + 1;
        else
            at = ++next;
        if (at > VALUES)
            return false;
        p += strspn(p, "-+ #.0123456789");
        n = strspn(p, "*.lzhj");
        if (n + 1 >= sizeof out[0] || !p[n] || !strchr("sdiuxXgfec", p[n]))
            return false;
        memcpy(out[at - 1], p, n + 1);
        p += n;
    }
    return true;
}

static bool same_values(const char *a, const char *b)
{
    char in_a[VALUES][8], in_b[VALUES][8];

    return values_of(a, in_a) && values_of(b, in_b) && memcmp(in_a, in_b, sizeof in_a) == 0;
}

static void differing_values_are_found(void **state)
{
    (void)state;
    assert_true(same_values("%s of %lld", "%2$lld 中的 %1$s"));
    assert_true(same_values("100 %% of %s", "%s 的 100%%"));
    assert_false(same_values("%s of %lld", "%lld 中的 %s"));
    assert_false(same_values("%d items", "%lld 题"));
    assert_false(same_values("%s and %s", "%s"));
    assert_false(same_values("%s", "%2$s"));
    assert_false(same_values("none", "%s"));
}

static void words_are_complete(void **state)
{
    (void)state;
    for (int i = 0; i < WORDS; i++) {
        const struct words_entry *w = &words_table[i];
        for (int l = CHINESE; l < LANGUAGES; l++) {
            /* Per cent stands bare in these texts: only %s is a value. */
            const char *in_en = strstr(w->text[ENGLISH], "%s"), *in = strstr(w->text[l], "%s");
            for (; in_en && in; in = strstr(in + 2, "%s"))
                in_en = strstr(in_en + 2, "%s");
            if (in_en || in)
                fail_msg("%s: not the same values in each language", w->key);
        }
    }
}

static void words_are_found(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();

    (void)state;
    assert_string_equal(words_of("zh-Hant", WORD_MODEL), "模型");
    assert_string_equal(words_of("fr", WORD_MODEL), "model");
    assert_string_equal(words_of(NULL, WORD_MODEL), "model");
    assert_string_equal(words_with(a, "zh", WORD_FLAGS_LEFT_OUT, "9"), "另有 9 条未列出。");
    assert_string_equal(words_find("en", "FLAG_", "training-near"),
                        words_of("en", FLAG_TRAINING_NEAR));
    assert_null(words_find("en", "FLAG_", "training-"));
    assert_null(words_find("en", "FLAG_", "nothing"));
}

/* ---- messages ---- */

static void messages_have_the_same_values(void **state)
{
    (void)state;
    for (size_t i = 0; i < message_count; i++)
        for (int l = CHINESE; l < LANGUAGES; l++)
            if (!same_values(message_table[i].text[ENGLISH], message_table[i].text[l]))
                fail_msg("%s: not the same values in each language", message_table[i].text[l]);
}

/* Else message_of() does not find them. */
static void messages_are_in_order(void **state)
{
    (void)state;
    for (size_t i = 1; i < message_count; i++)
        if (strcmp(message_table[i - 1].text[ENGLISH], message_table[i].text[ENGLISH]) >= 0)
            fail_msg("%s: stands after a greater one", message_table[i].text[ENGLISH]);
}

/* What a format makes of values that stand in no message. */
static const char *made(struct arena *a, const char *format)
{
    AUTO(buf_done) struct buf b = BUF_MAX(10000);
    size_t next = 0;

    for (const char *p = format; *p; p++) {
        char *end;
        size_t at;
        if (*p != '%' || p[1] == '%' || p[1] == ' ') {
            buf_char(&b, *p);
            p += p[0] == '%' && p[1] == '%';
            continue;
        }
        at = (size_t)strtol(p + 1, &end, 10);
        if (*end == '$' && at)
            p = end;
        else
            at = ++next;
        if (strncmp(p + 1, ".0s", 3) != 0) {
            const char *letter = p + 1 + strspn(p + 1, "-+ #.*0123456789lzhj");
            buf_fmt(&b, strchr("sc", *letter) ? "Q%zuQ" : "7%zu", at);
        }
        p += 1 + strspn(p + 1, "-+ #.*0123456789lzhj");
    }
    return arena_text(a, buf_str(&b));
}

/* Every message is recognised by its text alone, and its values come out in their places. */
static void messages_are_recognised(void **state)
{
    (void)state;
    for (size_t i = 0; i < message_count; i++) {
        AUTO(arena_freep) struct arena *a = arena_new();
        const struct message *m = &message_table[i];
        const char *text = made(a, m->text[ENGLISH]);
        if (strstr(m->text[ENGLISH], "%s%s") || strstr(m->text[ENGLISH], "%.*s%s"))
            continue; /* who can tell where one ends */
        if (strcmp(message_show(a, "zh", text), made(a, m->text[CHINESE])) != 0)
            fail_msg("%s: shown as %s", text, message_show(a, "zh", text));
    }
}

static void messages_within_messages(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();

    (void)state;
    assert_string_equal(message_show(a, "zh", "run a: items.jsonl: the file is empty"),
                        "运行 a: items.jsonl：文件是空的");
    assert_string_equal(message_show(a, "zh",
                                     "a: http://x/v1 does not answer: no such host\n"
                                     "b: http://y/v1 does not answer: the file is empty"),
                        "a: http://x/v1 没有应答：找不到这个主机名\n"
                        "b: http://y/v1 没有应答：文件是空的");
    assert_string_equal(
        message_show(a, "zh",
                     "gave up after waiting 5 s; 1 result could not be saved and will be requested "
                     "again: the file is empty"),
        "等待 5 秒后放弃；1 个结果未能保存，之后会重新请求：文件是空的");
    assert_string_equal(message_show(a, "en", "items.jsonl: the file is empty"),
                        "items.jsonl: the file is empty");
    assert_string_equal(message_show(a, "ja", "nobody has ever said this"),
                        "nobody has ever said this");
    message_speak("ja_JP.UTF-8");
    assert_string_equal(message_language(), "ja");
    assert_string_equal(_("%s: the file is empty"), "%s：ファイルが空です");
    message_speak("C.UTF-8");
    assert_string_equal(_("%s: the file is empty"), "%s: the file is empty");
}

/* Names and quoted texts are somebody's own, even where they are words of ours. */
static void values_stay_what_they_are(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();

    (void)state;
    assert_string_equal(message_show(a, "zh", "done: the file is empty"), "done：文件是空的");
    assert_string_equal(message_show(a, "ja", "turn 3: the file is empty"),
                        "ターン 3：ファイルが空です");
    assert_string_equal(message_show(a, "zh", "--model: \"no differences\" is not a whole number"),
                        "--model：“no differences”不是整数");
    assert_string_equal(message_show(a, "zh", "done"), "已完成");
    assert_string_equal(message_show(a, "zh", "a.jsonl:1: \"model_a\" is missing"),
                        "a.jsonl:1: 缺少“model_a”");
    assert_string_equal(message_show(a, "zh", "expected one of left, right; found a list"),
                        "应为以下之一：left, right；实际为列表");
    assert_string_equal(message_show(a, "zh", "dimension 'wit': 7 is not one of 0, 1"),
                        "维度“wit”：7 不是允许的取值之一：0, 1");
}

/* As deep as a text is long would be too deep. */
static void many_parts_end(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    char text[4000];

    (void)state;
    for (size_t i = 0; i + 1 < sizeof text; i++)
        text[i] = "x: "[i % 3];
    text[sizeof text - 1] = '\0';
    assert_string_equal(message_show(a, "ja", text), text);
}

/* A text that fits many formats in many ways costs little time. */
static void hostile_texts_end(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    char text[4000];

    (void)state;
    for (size_t i = 0; i + 1 < sizeof text; i++)
        text[i] = "': \""[i % 4];
    text[sizeof text - 1] = '\0';
    assert_non_null(message_show(a, "zh", text));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(differing_values_are_found),
        cmocka_unit_test(words_are_complete),
        cmocka_unit_test(words_are_found),
        cmocka_unit_test(messages_have_the_same_values),
        cmocka_unit_test(messages_are_in_order),
        cmocka_unit_test(messages_are_recognised),
        cmocka_unit_test(messages_within_messages),
        cmocka_unit_test(values_stay_what_they_are),
        cmocka_unit_test(many_parts_end),
        cmocka_unit_test(hostile_texts_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
