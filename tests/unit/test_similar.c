/* Similarity: the twenty pairs of docs/STATISTICS, and the bit-parallel length against a plain
 * dynamic programme. */
/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <math.h>

#include "base/rng.h"
#include "text/fold.h"
#include "text/similar.h"

/* clang-format off */
static const struct pair {
    const char *a, *b;
    bool duplicate;
    double indel, containment, substring; /* substring: longest common one / shorter length */
    size_t gram;
    double score;
} pairs[] = {
    {"早上好呀，今天也要元气满满哦！",
     "早上好呀~今天也要元气满满哦",
     true, 1.000, 1.000, 1.000, 2, 1.000},
    {"主人你终于回来啦，我等了你好久好久呢。",
     "主人你终于回来了，我等了你好久好久呢！",
     true, 0.941, 0.867, 0.529, 2, 0.941},
    {"我最近在学做蛋糕，可是每次都会烤糊，真的好难过呀。",
     "我最近在学做蛋糕，可是每次都烤糊，好难过。",
     true, 0.900, 0.882, 0.722, 2, 0.900},
    {"月亮今天特别圆，不知道你那边能不能看到呢？",
     "唔，月亮今天特别圆，不知道你那边能不能看到呢？要不要一起看？",
     true, 0.844, 1.000, 1.000, 2, 1.000},
    {"谢谢你的夸奖！！！我会继续努力的啦啦啦啦",
     "谢谢你的夸奖！我会继续努力的啦",
     true, 0.966, 1.000, 1.000, 2, 1.000},
    {"ＡＩ也会做梦吗？我昨晚梦见自己变成了一只猫。",
     "AI也会做梦吗?我昨晚梦见自己变成了一只小猫",
     true, 0.976, 0.947, 0.950, 2, 0.976},
    {"今日はとても良い天気ですね。散歩に行きませんか？",
     "今日はとても良い天気ですね！散歩に行きませんか",
     true, 1.000, 1.000, 1.000, 2, 1.000},
    {"ワタシはあなたのことをずっと待っていました。",
     "わたしはあなたのことを、ずっと待っていたよ。",
     true, 0.927, 0.895, 0.900, 2, 0.927},
    {"お茶を淹れましたよ。冷めないうちにどうぞ召し上がれ。",
     "お茶を淹れましたよ、冷めないうちにどうぞ。",
     true, 0.884, 1.000, 1.000, 2, 1.000},
    {"I can't believe you came all this way just to see me!",
     "i cant believe you came all this way just to see me :)",
     true, 1.000, 1.000, 1.000, 4, 1.000},
    {"The lighthouse keeper said nothing and simply lit another lamp.",
     "The lighthouse keeper said nothing; he simply lit another lamp.",
     true, 0.959, 0.912, 0.574, 4, 0.959},
    {"早上好呀，今天也要元气满满哦！",
     "晚上好呀，今天辛苦啦，早点休息哦！",
     false, 0.444, 0.333, 0.385, 2, 0.444},
    {"我喜欢吃草莓蛋糕，因为它又甜又软。",
     "我喜欢下雨的夜晚，因为它安静又温柔。",
     false, 0.452, 0.286, 0.200, 2, 0.452},
    {"你好",
     "你好呀，我是住在海边灯塔里的小机器人，今天想和你聊聊星星。",
     false, 0.143, 1.000, 1.000, 2, 0.143},
    {"主人今天工作辛苦了，要不要喝杯热茶？",
     "主人今天玩得开心吗？有没有遇到有趣的事？",
     false, 0.235, 0.200, 0.250, 2, 0.235},
    {"今天是中秋节，祝大家团团圆圆，月饼别吃太多哦。",
     "今天是端午节，祝大家平平安安，粽子别吃太多哦。",
     false, 0.600, 0.474, 0.250, 2, 0.600},
    {"今日はとても寒いですね。温かいスープを作りましょうか。",
     "今日はとても忙しかったですね。ゆっくり休んでください。",
     false, 0.408, 0.304, 0.250, 2, 0.408},
    {"私は剣よりも本が好きな騎士です。",
     "私は本よりも剣が好きな姫です。",
     false, 0.759, 0.538, 0.286, 2, 0.759},
    {"I would rather read a book by the fire than go to another ball.",
     "I would rather fight a dragon in the rain than sit through dinner.",
     false, 0.614, 0.298, 0.242, 4, 0.614},
    {"The queen smiled and offered him a cup of tea.",
     "The thief laughed and stole her ring of keys.",
     false, 0.539, 0.146, 0.159, 4, 0.539},
};
/* clang-format on */

/* cmocka compares floats in single precision, which is not enough here. */
static void near(double got, double expected, double by)
{
    if (!(fabs(got - expected) <= by))
        fail_msg("%.17g is not %.17g", got, expected);
}

static void similar_published(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(pairs); i++) {
        AUTO(arena_freep) struct arena *arena = arena_new();
        struct runes a = fold_text(arena, str_of(pairs[i].a));
        struct runes b = fold_text(arena, str_of(pairs[i].b));
        struct similar s = similar_compare(arena, a, b);
        struct similar_overlap o = similar_overlap(arena, a, b);
        double shorter = (double)(a.n < b.n ? a.n : b.n);

        near(s.indel, pairs[i].indel, 0.0005001);
        near(s.containment, pairs[i].containment, 0.0005001);
        near((double)o.n / shorter, pairs[i].substring, 0.0005001);
        near(s.score, pairs[i].score, 0.0005001);
        assert_int_equal(s.gram, pairs[i].gram);
        assert_int_equal(s.score >= 0.80, pairs[i].duplicate);
        assert_int_equal(s.length[0], a.n);
        assert_int_equal(s.length[1], b.n);
    }
}

static void similar_symmetric(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(pairs); i++) {
        AUTO(arena_freep) struct arena *arena = arena_new();
        struct runes a = fold_text(arena, str_of(pairs[i].a));
        struct runes b = fold_text(arena, str_of(pairs[i].b));

        assert_true(similar_compare(arena, a, b).score == similar_compare(arena, b, a).score);
        assert_true(similar_compare(arena, a, a).score == 1);
    }
}

static struct similar compare(struct arena *arena, const char *a, const char *b)
{
    return similar_compare(arena, fold_text(arena, str_of(a)), fold_text(arena, str_of(b)));
}

static void similar_edges(void **state)
{
    AUTO(arena_freep) struct arena *arena = arena_new();

    (void)state;
    assert_true(compare(arena, "", "").score == 1);
    assert_true(compare(arena, "", "好").score == 0);
    assert_true(compare(arena, "好", "好").score == 1);
    /* Nine runes inside a long text are too few to count, ten are enough. */
    assert_false(
        compare(arena, "一二三四五六七八九", "零一二三四五六七八九甲乙丙丁戊己庚辛").contains);
    assert_true(
        compare(arena, "一二三四五六七八九十", "零一二三四五六七八九十甲乙丙丁戊己").score == 1);
}

static size_t plain_lcs(struct arena *arena, struct runes a, struct runes b)
{
    size_t *row = NEW_N(arena, size_t, b.n + 1);

    for (size_t i = 0; i < a.n; i++) {
        size_t corner = 0;
        for (size_t j = 0; j < b.n; j++) {
            size_t was = row[j + 1];
            if (a.p[i] == b.p[j])
                row[j + 1] = corner + 1;
            else if (row[j] > was)
                row[j + 1] = row[j];
            corner = was;
        }
    }
    return row[b.n];
}

static struct runes random_runes(struct arena *arena, struct rng *r, size_t n, uint64_t alphabet)
{
    uint32_t *p = NEW_N(arena, uint32_t, n);

    for (size_t i = 0; i < n; i++)
        p[i] = 0x4E00 + (uint32_t)rng_below(r, alphabet);
    return (struct runes){.p = p, .n = n};
}

static void lcs_is_the_plain_one(void **state)
{
    static const size_t lengths[] = {0, 1, 2, 31, 63, 64, 65, 100, 127, 128, 129, 600};
    static const uint64_t alphabets[] = {1, 2, 5, 40, 1000};
    int64_t round = 0;

    (void)state;
    for (size_t i = 0; i < COUNT(lengths); i++)
        for (size_t j = 0; j < COUNT(lengths); j++)
            for (size_t k = 0; k < COUNT(alphabets); k++)
                for (int again = 0; again < 5; again++) {
                    AUTO(arena_freep) struct arena *arena = arena_new();
                    struct rng r = rng_keyed(1, "lcs", &round, 1);
                    struct runes a = random_runes(arena, &r, lengths[i], alphabets[k]);
                    struct runes b = random_runes(arena, &r, lengths[j], alphabets[k]);
                    size_t lcs = plain_lcs(arena, a, b);
                    struct similar_text t;
                    similar_text_init(&t, arena, a);
                    assert_int_equal(similar_lcs(arena, a, b), lcs);
                    assert_true(similar_text_shares(arena, &t, b, lcs));
                    assert_false(similar_text_shares(arena, &t, b, lcs + 1));
                    round++;
                }
    assert_int_equal(round, 12 * 12 * 5 * 5);
}

static void overlap_position(void **state)
{
    AUTO(arena_freep) struct arena *arena = arena_new();
    struct str left = STR("灯塔の番人は、夜ごと歌う。"), right = STR("『番人は夜ごと』眠る");
    struct runes a = fold_text(arena, left), b = fold_text(arena, right);
    struct similar_overlap o = similar_overlap(arena, a, b);

    (void)state;
    assert_int_equal(o.n, 6);
    assert_int_equal(o.at[0], 3);
    assert_int_equal(o.at[1], 0);
    assert_true(str_is(fold_source(left, a, o.at[0], o.n), "番人は、夜ごと"));
    assert_true(str_is(fold_source(right, b, o.at[1], o.n), "番人は夜ごと"));
    assert_int_equal(similar_overlap(arena, a, fold_text(arena, STR("xyz"))).n, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(similar_published), cmocka_unit_test(similar_symmetric),
        cmocka_unit_test(similar_edges),     cmocka_unit_test(lcs_is_the_plain_one),
        cmocka_unit_test(overlap_position),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
