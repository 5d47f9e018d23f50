/* Texts in three languages: complete, and with the same values in each. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "base/words.h"

enum { VALUES = 16 };

/* The type of each value that a text takes, in the order of the arguments: "s", "lld", ".*s".
 * Values may be named by position (%2$s). False where a text cannot be read. */
static bool values_of(const char *text, char out[VALUES][8])
{
    int next = 0;

    memset(out, 0, VALUES * sizeof out[0]);
    for (const char *p = text; (p = strchr(p, '%')); p++) {
        char *end;
        long at = strtol(++p, &end, 10);
        size_t n;
        if (*p == '%')
            continue;
        if (*end == '$' && at > 0)
            p = end + 1;
        else
            at = ++next;
        if (at > VALUES)
            return false;
        p += strspn(p, "-+ 0123456789");
        n = strspn(p, ".*0123456789lzhj");
        if (n + 1 >= sizeof out[0] || !p[n] || !strchr("sdiuxgfec", p[n]))
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(differing_values_are_found),
        cmocka_unit_test(words_are_complete),
        cmocka_unit_test(words_are_found),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
