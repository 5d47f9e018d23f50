/* What answers look like: counted by hand, in three languages, with near misses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "text/style.h"

static void counts(void **state)
{
    static const struct {
        const char *text;
        double length, action, emoji, markup; /* action: code points, not the share */
    } cases[] = {
        {"", 0, 0, 0, 0},
        {"The lamp is out.", 16, 0, 0, 0},
        {"*nods* Yes.", 11, 4, 0, 0},
        {"＊うなずく＊はい。", 9, 4, 0, 0},
        {"（点头）好的。", 7, 2, 0, 0},
        {"*nods* and *smiles*", 19, 10, 0, 0},
        /* no actions: a product, a star that is never closed, two lines, an empty pair */
        {"2 * 3 * 4", 9, 0, 0, 0},
        {"*nods", 5, 0, 0, 0},
        {"*nods\nYes*", 10, 0, 0, 0},
        {"** and **", 9, 0, 0, 0},
        {"（点头", 3, 0, 0, 0},
        {"()", 2, 0, 0, 0},
        /* markup */
        {"**Never** again, **never**!", 27, 0, 0, 2},
        {"__so__ it is", 12, 0, 0, 1},
        {"# Rope\n## Oil", 13, 0, 0, 2},
        {"#rope #oil", 10, 0, 0, 0},
        {"- rope\n* oil\n1. tar\n12) salt\n• 米", 32, 0, 0, 5},
        {"-rope\n1.5 ells\n1984 was long", 28, 0, 0, 0},
        {"  - *takes* the **rope**", 24, 5, 0, 2},
        {"#######  no heading", 19, 0, 0, 0},
        {"**", 2, 0, 0, 0},
        {"*", 1, 0, 0, 0},
        /* emoji */
        {"Good 🙂🙂", 7, 0, 2, 0},
        {"家族👨‍👩‍👧と🇯🇵", 10, 0, 2, 0},
        {"👍🏽", 2, 0, 1, 0},
        {"♪ ♡ ★ ☆ →", 9, 0, 0, 0},
        {"❤️ ✨", 4, 0, 2, 0},
        {"Windows™ 1️⃣", 12, 0, 1, 0},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct style s = style_of(str_of(cases[i].text));
        double action = cases[i].length > 0 ? cases[i].action / cases[i].length : 0;
        const double want[] = {cases[i].length, action, cases[i].emoji, cases[i].markup};
        for (int f = 0; f < STYLE_FEATURES; f++)
            if (fabs(s.v[f] - want[f]) > 1e-12)
                fail_msg("\"%s\": %s is %g, not %g", cases[i].text,
                         style_name((enum style_feature)f), s.v[f], want[f]);
    }
}

/* The share is one, whatever comes. */
static void hostile(void **state)
{
    static const char *const texts[] = {"***",          "****",       "*****a*****",
                                        "（（（）））", "**（*）**",  "\xEF\xBC\x8A\xEF\xBC\x8A",
                                        "\r\n\r\n",     "# \n- \n1. "};

    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        struct style s = style_of(str_of(texts[i]));
        assert_true(s.v[STYLE_ACTION] >= 0 && s.v[STYLE_ACTION] <= 1);
        assert_true(s.v[STYLE_MARKUP] <= s.v[STYLE_LENGTH]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(counts), cmocka_unit_test(hostile)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
