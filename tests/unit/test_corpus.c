/* The search over a corpus: what it finds is exactly what comparing all pairs finds. */
/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include "base/rng.h"
#include "text/corpus.h"

/* ---- texts ---- */

/* Pieces that texts of a language are made of. */
static const char *const zh[] = {
    "今天", "天气", "真好", "我们",   "一起", "去",     "散步", "吧", "呀", "，",   "。",
    "灯塔", "里的", "猫",   "睡着了", "你",   "听见",   "海浪", "吗", "！", "好久", "不见",
    "月亮", "很圆", "想念", "的",     "是",   "不知道", "为什", "么", "呢", "啊",   "茶",
};
static const char *const ja[] = {
    "今日は", "とても", "いい天気", "です",     "ね",     "。",     "散歩に", "行き",
    "ません", "か",     "猫が",     "眠って",   "いる",   "よ",     "海",     "の",
    "音を",   "聞いた", "、",       "わたし",   "ワタシ", "ずっと", "待って", "ました",
    "お茶",   "どうぞ", "だ",       "カーテン", "夜",     "灯台",
};
static const char *const en[] = {
    "the ",   "keeper ", "said ",  "nothing ", "and ", "lit ", "another ", "lamp",  ". ",  "I ",
    "never ", "saw ",    "him ",   "again, ",  "but ", "you ", "know ",    "what ", "a ",  "Sea ",
    "sings ", "to ",     "those ", "who ",     "wait", "! ",   "it ",      "is ",   "so ", "cold ",
};

struct language {
    const char *const *pieces;
    size_t n;
};
static const struct language languages[] = {{zh, COUNT(zh)}, {ja, COUNT(ja)}, {en, COUNT(en)}};

static struct str random_text(struct arena *a, struct rng *r, struct language l, size_t most)
{
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 16);
    size_t n = 1 + (size_t)rng_below(r, most);

    for (size_t i = 0; i < n; i++)
        buf_text(&b, l.pieces[rng_below(r, l.n)]);
    return arena_str(a, buf_str(&b));
}

/* The text with some of its runes taken out, doubled, changed or followed by others. */
static struct str mutated(struct arena *a, struct rng *r, struct str text, struct language l)
{
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 17);
    uint64_t rate = 2 + rng_below(r, 20);

    if (rng_below(r, 6) == 0)
        buf_add(&b, random_text(a, r, l, 8));
    while (text.n) {
        struct str here = text;
        uint64_t what = rng_below(r, rate);
        (void)utf8_next(&text);
        here.n -= text.n;
        if (what != 0)
            buf_add(&b, here);
        if (what == 1 && rng_below(r, 2))
            buf_text(&b, l.pieces[rng_below(r, l.n)]);
    }
    if (rng_below(r, 6) == 0)
        buf_add(&b, random_text(a, r, l, 8));
    return arena_str(a, buf_str(&b));
}

/* ---- all pairs ---- */

/* What the line is to each of the texts; an empty one is like nothing. */
static void brute_force(const struct folded *texts, size_t n, struct folded line,
                        struct corpus_match *out)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();

    for (size_t i = 0; i < n; i++) {
        const struct folded *text = &texts[i];
        out[i] = (struct corpus_match){.text = i, .tier = CORPUS_NEAR, .similar.score = -1};
        if (text->text.n == 0 || line.text.n == 0)
            continue;
        out[i].similar = similar_compare(scratch, text->text, line.text);
        if (fold_equal(text->text, line.text))
            out[i].tier = CORPUS_EXACT;
        else if (fold_equal(text->bare, line.bare))
            out[i].tier = CORPUS_PARTICLES;
    }
}

/* The search finds those of all pairs that are above the threshold. Returns their number. */
static size_t check_line(struct corpus *c, const struct corpus_match *all, size_t n,
                         struct folded line, double threshold)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct corpus_matches found = corpus_search(scratch, c, line);
    size_t k = 0;

    for (size_t i = 0; i < n; i++) {
        if (all[i].tier == CORPUS_NEAR && all[i].similar.score < threshold)
            continue;
        assert_true(k < found.n);
        assert_int_equal(found.v[k].text, i);
        assert_int_equal(found.v[k].tier, all[i].tier);
        assert_true(found.v[k].similar.score == all[i].similar.score);
        assert_int_equal(found.v[k].similar.lcs, all[i].similar.lcs);
        k++;
    }
    assert_int_equal(k, found.n);
    return k;
}

enum { TEXTS = 70, LINES = 120 };

/* Both, for a line that is searched for once. */
static size_t compare_line(struct corpus *c, const struct folded *texts, size_t n,
                           struct folded line, double threshold)
{
    struct corpus_match all[TEXTS];

    brute_force(texts, n, line, all);
    return check_line(c, all, n, line, threshold);
}

enum { THRESHOLDS = 10 };
static const double thresholds[THRESHOLDS] = {0.3, 0.6,  2.0 / 3, 0.7,  0.75,
                                              0.8, 0.85, 0.9,     0.95, 1};

/* All pairs are compared once, and searched for at each threshold. Adds to the numbers of matches.
 */
static void check_round(int64_t round, size_t matches[THRESHOLDS])
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct rng r = rng_keyed(7, "corpus", &round, 1);
    struct folded texts[TEXTS], lines[LINES];
    struct str source[TEXTS];
    struct corpus_match *all = NEW_N(a, struct corpus_match, TEXTS * LINES);
    size_t most = round ? 3 + (size_t)rng_below(&r, 30) : 150;

    for (size_t i = 0; i < TEXTS; i++) {
        struct language l = languages[rng_below(&r, COUNT(languages))];
        source[i] = i && rng_below(&r, 4) == 0 ? mutated(a, &r, source[rng_below(&r, i)], l)
                                               : random_text(a, &r, l, most);
        texts[i] = fold_both(a, source[i]);
    }
    for (size_t i = 0; i < LINES; i++) {
        struct language l = languages[rng_below(&r, COUNT(languages))];
        struct str line = rng_below(&r, 3) ? mutated(a, &r, source[rng_below(&r, TEXTS)], l)
                                           : random_text(a, &r, l, most);
        lines[i] = fold_both(a, line);
        brute_force(texts, TEXTS, lines[i], &all[i * TEXTS]);
    }
    for (size_t t = 0; t < THRESHOLDS; t++) {
        struct corpus *c = corpus_new(a, texts, TEXTS, thresholds[t]);
        for (size_t i = 0; i < LINES; i++)
            matches[t] += check_line(c, &all[i * TEXTS], TEXTS, lines[i], thresholds[t]);
    }
}

static void finds_what_all_pairs_find(void **state)
{
    size_t matches[THRESHOLDS] = {0};

    (void)state;
    for (int64_t round = 0; round < 8; round++)
        check_round(round, matches);
    for (size_t t = 0; t < THRESHOLDS; t++)
        assert_true(matches[t] > 50); /* the test would be empty otherwise */
}

/* Short texts over few runes: every length and every rounding of the bounds occurs. */
static void short_texts_on_the_border(void **state)
{
    static const double low[] = {0.05, 0.34, 0.5, 0.6, 0.8, 0.9};
    static const char *const pieces[] = {"甲", "乙", "丙", "x", " y"};
    static const struct language few = {pieces, COUNT(pieces)};

    (void)state;
    for (int64_t round = 0; round < 12; round++) {
        AUTO(arena_freep) struct arena *a = arena_new();
        struct rng r = rng_keyed(8, "border", &round, 1);
        double threshold = low[round % (int64_t)COUNT(low)];
        struct folded texts[TEXTS];
        struct corpus *c;
        for (size_t i = 0; i < TEXTS; i++)
            texts[i] = fold_both(a, random_text(a, &r, few, 14));
        c = corpus_new(a, texts, TEXTS, threshold);
        for (size_t i = 0; i < LINES; i++)
            (void)compare_line(c, texts, TEXTS, fold_both(a, random_text(a, &r, few, 14)),
                               threshold);
    }
}

/* Texts of several blocks, where the tables of the line are made again for each. */
static void long_texts(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct folded texts[8];
    struct str source[8];
    struct corpus *c;
    struct rng r = rng_keyed(9, "long", NULL, 0);
    size_t matches = 0;

    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        source[i] = random_text(a, &r, languages[i % 3], 900);
        texts[i] = fold_both(a, source[i]);
    }
    c = corpus_new(a, texts, COUNT(texts), 0.8);
    for (size_t i = 0; i < 24; i++) {
        struct str line = mutated(a, &r, source[i % 8], languages[i % 3]);
        matches += compare_line(c, texts, COUNT(texts), fold_both(a, line), 0.8);
    }
    assert_true(matches >= 8);
}

/* ---- what a pair is called ---- */

static struct corpus_matches search(struct arena *a, const char *text, const char *line)
{
    struct folded *one = NEW(a, struct folded);

    *one = fold_both(a, str_of(text));
    return corpus_search(a, corpus_new(a, one, 1, 0.8), fold_both(a, str_of(line)));
}

static void tiers(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct corpus_matches m;

    (void)state;
    m = search(a, "早上好呀，今天也要元气满满哦！", "早上好呀~今天也要元气满满哦");
    assert_int_equal(m.n, 1);
    assert_int_equal(m.v[0].tier, CORPUS_EXACT);
    /* Far below the threshold, and the same sentence. */
    m = search(a, "好呀", "好");
    assert_int_equal(m.n, 1);
    assert_int_equal(m.v[0].tier, CORPUS_PARTICLES);
    assert_true(m.v[0].similar.score < 0.8);
    m = search(a, "月亮今天特别圆，不知道你那边能不能看到呢？",
               "唔，月亮今天特别圆，不知道你那边能不能看到呢？要不要一起看？");
    assert_int_equal(m.n, 1);
    assert_int_equal(m.v[0].tier, CORPUS_NEAR);
    assert_true(m.v[0].similar.score == 1);
    assert_int_equal(
        search(a, "私は剣よりも本が好きな騎士です。", "私は本よりも剣が好きな姫です。").n, 0);
}

static void nothing_matches_nothing(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct corpus *none = corpus_new(a, NULL, 0, 0.8);

    (void)state;
    assert_int_equal(search(a, "", "").n, 0);
    assert_int_equal(search(a, "好", "").n, 0);
    assert_int_equal(search(a, "", "好").n, 0);
    assert_int_equal(corpus_search(a, none, fold_both(a, STR("好"))).n, 0);
    /* Signs alone are kept when there is nothing else. */
    assert_int_equal(search(a, "……", "…………").v[0].tier, CORPUS_EXACT);
    assert_int_equal(search(a, "……", "？！").n, 0);
    /* Marks of direction are not seen. */
    assert_int_equal(search(a, "\u200F\u202Eabc def\u202C", "abc def").v[0].tier, CORPUS_EXACT);
}

static void a_million_of_one(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    size_t bytes = 1 << 20;
    char *many = arena_alloc(a, bytes + 1);

    (void)state;
    memset(many, 'a', bytes);
    assert_int_equal(search(a, many, "aa").v[0].tier, CORPUS_EXACT);
    assert_int_equal(search(a, "aa", many).v[0].tier, CORPUS_EXACT);
    assert_int_equal(search(a, many, "b").n, 0);
}

/* ---- the tables behind it ---- */

static struct similar_names random_names(struct arena *a, struct rng *r, size_t n)
{
    uint32_t *v = NEW_N(a, uint32_t, n);

    for (size_t i = 0; i < n; i++)
        v[i] = (uint32_t)rng_below(r, 6);
    return (struct similar_names){v, n};
}

/* One set of tables for texts of all lengths, in any order. */
static void rows_are_used_again(void **state)
{
    static const size_t lengths[] = {0, 1, 64, 700, 65, 128, 129, 512, 513, 3, 1024, 1100, 63};
    AUTO(arena_freep) struct arena *a = arena_new();
    struct rng r = rng_keyed(10, "rows", NULL, 0);
    struct similar_rows rows;

    (void)state;
    similar_rows_init(&rows, a, 6, SIZE_MAX);
    for (size_t i = 0; i < COUNT(lengths); i++) {
        struct similar_names x = random_names(a, &r, lengths[i]);
        similar_rows_set(&rows, x);
        for (size_t k = 0; k < COUNT(lengths); k++) {
            struct similar_names y = random_names(a, &r, lengths[k]);
            assert_int_equal(similar_rows_lcs(a, &rows, y),
                             similar_lcs(a, (struct runes){.p = x.v, .n = x.n},
                                         (struct runes){.p = y.v, .n = y.n}));
        }
    }
}

static void folded_together(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();

    (void)state;
    for (int64_t i = 0; i < 300; i++) {
        struct rng r = rng_keyed(11, "fold", &i, 1);
        struct str s = random_text(a, &r, languages[i % 3], 20);
        struct folded both = fold_both(a, s);
        assert_true(fold_equal(both.text, fold_text(a, s)));
        assert_true(fold_equal(both.bare, fold_particles(a, s)));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_all_pairs_find),
        cmocka_unit_test(short_texts_on_the_border),
        cmocka_unit_test(long_texts),
        cmocka_unit_test(tiers),
        cmocka_unit_test(nothing_matches_nothing),
        cmocka_unit_test(a_million_of_one),
        cmocka_unit_test(rows_are_used_again),
        cmocka_unit_test(folded_together),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
