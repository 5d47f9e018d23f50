/* Lines that are nearly the same: found whichever way is quick, exactly where they are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "suite/sitting.h"
#include "talk/voice.h"
#include "text/fold.h"
#include "text/similar.h"

enum { LINES = 400, LONG = 700 };

/* Words of a small vocabulary, so that many lines have much in common. */
static size_t write_line(struct rng *r, char *out)
{
    static const char *const words[] = {"the ", "gate ", "is ", "shut ", "ferry ", "and "};
    size_t n = 0, want = 1 + rng_below(r, LONG - 10);

    while (n < want)
        for (const char *w = words[rng_below(r, COUNT(words))]; *w; w++)
            out[n++] = *w;
    return n;
}

/* Some letters of it changed, dropped or put in. */
static size_t spoil(struct rng *r, const char *from, size_t n, char *out)
{
    uint64_t share = 1 + rng_below(r, 40);
    size_t m = 0;

    for (size_t i = 0; i < n; i++) {
        uint64_t what = rng_below(r, 3 * share);
        if (what < 2)
            out[m++] = (char)('a' + (char)rng_below(r, 26));
        if (what != 0 && what != 2)
            out[m++] = from[i];
    }
    return m;
}

static bool nearly(struct arena *a, struct str x, struct str y)
{
    struct runes f = fold_text(a, x), g = fold_text(a, y);

    return 2 * (double)similar_lcs(a, f, g) >= 0.9 * (double)(f.n + g.n);
}

static void near_lines_are_found(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct rng r = rng_keyed(1, "voice", NULL, 0);
    size_t found = 0;

    (void)state;
    for (int i = 0; i < LINES; i++) {
        char x[2 * LONG], y[4 * LONG];
        struct str one = {x, write_line(&r, x)}, two = {y, spoil(&r, x, one.n, y)};
        struct turn said = {.speaker = SPEAKER_EXAMINER, .text = one};
        struct voice_lines lines = {.most = 1};
        bool repeats = voice_repeats(a, &lines, &(struct turn_list){&said, 1}, two);
        assert_int_equal(repeats, nearly(a, one, two));
        found += repeats;
    }
    assert_in_range(found, LINES / 8, LINES - LINES / 8); /* both happen */
}

static void what_the_model_says_is_no_repetition(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct turn turns[] = {{.speaker = SPEAKER_MODEL, .text = STR("The gate is shut.")},
                           {.speaker = SPEAKER_EXAMINER, .text = STR("Is there another way?")}};
    struct turn_list said = {turns, 2};
    struct voice_lines lines = {.most = 2};

    (void)state;
    assert_false(voice_repeats(a, &lines, &said, STR("The gate is shut.")));
    assert_true(voice_repeats(a, &lines, &said, STR("Is there ANOTHER way")));
}

static void who_speaks(void **state)
{
    static const struct {
        const char *line, *name, *rest; /* NULL: somebody else */
    } cases[] = {
        {"Wenna: Sit.", "Wenna Trago", "Sit."},
        {"**[12] Trago**: Sit.", "Wenna Trago", "Sit."},
        {"Wenna Trago：坐。", "Wenna Trago", "坐。"},
        {"安娜：坐。", "安娜·卡列尼娜", "坐。"},
        {"花子：ええ。", "佐藤　花子", "ええ。"},
        {"Mr: Sit.", "Mr. Festus", NULL},
        {"The: Sit.", "The Keeper", NULL},
        {"of: Sit.", "Keeper of Locks", NULL},
        {"Wenn: Sit.", "Wenna Trago", NULL},
        {"7: Sit.", "7 of 9", NULL},
        {"007: Sit.", "007", "Sit."},
        {"Wenna", "Wenna", NULL},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct str rest = STR("");
        bool is = sitting_speaks_as(str_of(cases[i].line), str_of(cases[i].name), &rest);
        assert_int_equal(is, cases[i].rest != NULL);
        if (is)
            assert_true(str_is(rest, cases[i].rest));
    }
}

static void a_user_leaves(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct voice_line said;

    (void)state;
    voice_read(a, STR("Tom"), STR("Wenna Trago"), STR("[leaves]"),
               STR("Tom: Good night, then.\n[LEAVES]\n"), &said);
    assert_true(said.leaves);
    assert_true(str_is(said.text, "Good night, then."));
    voice_read(a, STR("Tom"), STR("Wenna Trago"), STR("[leaves]"),
               STR("Who leaves?\nWenna: Nobody.\n[leaves]"), &said);
    assert_false(said.leaves);
    assert_string_equal(said.why, VOICE_BOTH);
    assert_true(str_is(said.text, "Who leaves?"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(near_lines_are_found), cmocka_unit_test(who_speaks),
        cmocka_unit_test(a_user_leaves), cmocka_unit_test(what_the_model_says_is_no_repetition)};

    return cmocka_run_group_tests_name("voice", tests, NULL, NULL);
}
