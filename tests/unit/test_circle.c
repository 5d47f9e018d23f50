/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include "text/circle.h"
#include "text/fold.h"

struct sample {
    const char *text, *round; /* NULL: it does not go round */
};

static void check(const struct sample *v, size_t n)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    size_t wrong = 0;

    for (size_t i = 0; i < n; i++) {
        struct str text = str_of(v[i].text), part = STR("");
        struct runes folded = fold_text(a, text);
        struct circle c = circle_find(a, folded);
        if (c.share > 0)
            part = str_trim(fold_source(text, folded, c.first, c.n));
        if (str_is(part, v[i].round ? v[i].round : ""))
            continue;
        wrong++;
        print_error("%s: %.2f '%.*s'\n", v[i].text, c.share, STR_ARG(part));
    }
    assert_int_equal(wrong, 0);
}

/* As small models do when they have nothing more to say. */
static void finds_circles(void **state)
{
    /* clang-format off */
    static const struct sample v[] = {
        {"I was very happy to talk about the ferry, I was so happy to talk about the ferry, I was so happy to talk about the ferry, I was so happy to talk about the ferry, I was so happy",
         "happy to talk about the ferry, I was so"},
        {"The other lamp.\n\nThe other lamp.\n\nThe other lamp.\n\nThe other lamp.\n\nThe other lamp.\n\nThe", "The other lamp."},
        {"She is on the south wall. She is on the north wall. She is on the south wall. She is on the north wall. She is on the south wall. She is on the",
         "She is on the south wall."},
        {"我是一个船夫，我在河边工作，我是一个船夫，我在河边工作，我是一个船夫，我在河边工作，我是一个船夫", "我是一个船夫，我在河边工作"},
        {"谢谢你的问题。谢谢你的问题。谢谢你的问题。谢谢你的问题。谢谢你的问题。", "谢谢你的问题"},
        {"これはとても大切です。これはとても大切です。これはとても大切です。これはとても大切です。", "これはとても大切です"},
        {"それぞね、それぞね、それぞね、それぞね、それぞね、それぞね、それぞね", "それぞね"},
    };
    /* clang-format on */

    (void)state;
    check(v, COUNT(v));
}

static void leaves_songs_and_laughter_alone(void **state)
{
    /* clang-format off */
    static const struct sample v[] = {
        {"Heave, ho! Heave, ho! Heave, ho! Heave, ho! Once more for the widow's roof, lads. Heave, ho!", NULL},
        {"No, no, no, no, no, no, no, no, no, no, no, no, no, no, no, no, no. Not the good cups.", NULL},
        {"Ha! Ha ha ha ha ha ha ha ha ha ha ha ha ha ha ha ha ha! You should have seen your face.", NULL},
        {"Hahahahahahahahahahahahahahahahahahahahahahahahahahahaha!", NULL},
        {"One for the pot, two for the kettle, three for the cat, four for the nettle, five for the door, six for the floor.", NULL},
        {"Going once. Going once at forty. Going twice at forty. Going twice, and I shan't say it again. Gone, at forty, to the lady in green.", NULL},
        {"Roll the barrel down to the quay, roll the barrel down to the quay, roll the barrel down to the quay, and leave the bung to me.", NULL},
        {"Oh the tide came in and the tide went out, and the girls all danced on the pier, my dear. Oh the tide came in and the tide went out, and I sat there "
         "with my beer, my dear. Oh the tide came in and the tide went out, and that was the end of the year.", NULL},
        {"I told you Tuesday. I told you Wednesday. I told you Thursday, with my coat on. Today I am telling the dog.", NULL},
        {"哈哈哈哈哈哈哈哈哈哈哈哈哈哈哈哈哈哈，你这人怎么回事，哈哈哈哈哈哈哈哈哈哈，笑死我了", NULL},
        {"嘻嘻嘻嘻，不告诉你，就不告诉你，偏不告诉你，打死也不告诉你，过年也不告诉你。", NULL},
        {"加油！加油！加油！加油！加油！加油！加油！加油！加油！加油！加油！加油！你能行的！", NULL},
        {"一只羊，两只羊，三只羊，四只羊，五只羊，六只羊，七只羊，八只羊，九只羊……你还没睡着啊？", NULL},
        {"菩萨保佑，菩萨保佑，菩萨保佑。施主，外头雨大，进来避一避，灶上还有半碗热粥。", NULL},
        {"咚咚锵，咚咚锵，咚咚锵锵咚咚锵！戏开了，快去占座，晚了只剩柱子后头那条板凳！", NULL},
        {"月亮走，我也走，我给月亮提竹篓；月亮停，我也停，我给月亮点油灯；月亮落，我也落，我给月亮盖草窝。", NULL},
        {"はははははははは、いや、これは参った。はははははは。腹の皮がよじれるわ、はははははは。", NULL},
        {"くすくすくすくすくすくすくすくすくすくすくすくす。だって、おでこに墨がついてるんだもの。", NULL},
        {"わっしょい、わっしょい、わっしょい、わっしょい！ほら、声が小さいぞ、腹から出せ。", NULL},
        {"ひとつ、ふたつ、みっつ、よっつ、いつつ、むっつ、ななつ、やっつ、ここのつ。おや、一枚足りない。", NULL},
        {"もしもし、もしもし、もしもし、聞こえますか、もしもし、もしもし。ああ、切れちまった。", NULL},
        {"ごめん、ごめん、ごめん、ごめん、ごめん、ほんとにごめん。寝坊した。明日はちゃんと起きる。", NULL},
        {"雪の降る夜は火が恋し、火を焚く夜は人が恋し、人の来る夜は酒が恋し、酒のない夜はただ眠し。", NULL},
        {"", NULL},
        {"……", NULL},
    };
    /* clang-format on */

    (void)state;
    check(v, COUNT(v));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_circles),
        cmocka_unit_test(leaves_songs_and_laughter_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
