/* Text metrics: the vectors of docs/STATISTICS, values made with NLTK 3, rouge 1.0.1 and
 * sacreBLEU 2 on our own sentences, and the published corpora where they are present. */
/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <math.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/json.h"
#include "text/metrics.h"
#include "unit/reference.h"

/* cmocka compares floats in single precision, which is not enough here. */
static void near(double got, double expected, double by)
{
    if (!(fabs(got - expected) <= by))
        fail_msg("%.17g is not %.17g", got, expected);
}

static struct metrics_values of_pairs(const char *pairs[][2], size_t n)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct metrics m;
    struct err e = {0};

    metrics_init(&m, a, METRICS_CHAR);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(metrics_add(a, &m, str_of(pairs[i][0]), str_of(pairs[i][1]), &e), OK);
    return metrics_values(&m);
}

static void values_are(struct metrics_values v, const double expected[9])
{
    const double got[9] = {v.bleu[0], v.bleu[1], v.bleu[2], v.bleu[3], v.gleu,
                           v.rouge_1, v.rouge_2, v.rouge_l, v.chrf};

    for (size_t i = 0; i < COUNT(got); i++)
        near(got[i], expected[i], 1e-12);
}

static void metrics_chinese(void **state)
{
    const char *pairs[][2] = {{"今天天气真不错啊", "今天的天气真好啊"},
                              {"哈哈哈你可真会开玩笑", "你可真会说笑话"},
                              {"我不知道", "我怎么知道呢"}};
    struct metrics_values v = of_pairs(pairs, COUNT(pairs));

    (void)state;
    values_are(v, (const double[]){0.6363636363636364, 0.48420012470625223, 0.35662094933287003,
                                   0.24114425979287554, 0.32051282051282054, 0.6603174553915344,
                                   0.3690476141857994, 0.6603174553915344, 0.2207245365088086});
    near(v.distinct[0], 0.77272727, 1e-8);
    near(v.distinct[1], 0.94736842, 1e-8);
    assert_int_equal(v.pairs, 3);
}

static void metrics_single(void **state)
{
    const char *pairs[][2] = {{"今天天气真不错啊", "今天的天气真好啊"}};
    struct metrics_values v = of_pairs(pairs, 1);

    (void)state;
    near(v.bleu[0], 0.75, 1e-6);
    near(v.bleu[1], 0.566947, 1e-6);
    near(v.bleu[3], 0.180922, 1e-6);
    near(v.gleu, 0.384615, 1e-6);
    near(v.rouge_2, 0.428571, 1e-6);
}

static void metrics_spaces_and_stops(void **state)
{
    const char *spaces[][2] = {{"the cat sat on the mat", "the cat is on the mat"}};
    const char *stops[][2] = {{"so... it is. what?", ".. so it is, what.. now ."},
                              {"a. b. ab a", "b a. a b b. c"}};
    const char *mixed[][2] = {{"你好 ，世界", "你好世界"},
                              {"abc", "abcdefgh"},
                              {"", "x"},
                              {"ab c dd dd e f", "dd c ab e dd"}};

    (void)state;
    values_are(of_pairs(spaces, COUNT(spaces)),
               (const double[]){0.9090909090909091, 0.8578640544577771, 0.8219140559852202,
                                0.7839204411491599, 0.7926829268292683, 0.9473684160664821,
                                0.749999995, 0.9473684160664821, 0.645779420625287});
    values_are(of_pairs(stops, COUNT(stops)),
               (const double[]){0.649695927562621, 0.6201934177062648, 0.5277931613227981,
                                0.4083909977749291, 0.4785714285714286, 0.8210526266858726,
                                0.5449735404635929, 0.8210526266858726, 0.27998662844270494});
    values_are(of_pairs(mixed, COUNT(mixed)),
               (const double[]){0.7257342536868434, 0.6659794256182865, 0.516647237354071,
                                0.1669312817899147, 0.4105263157894737, 0.781144776523484,
                                0.44973544528386666, 0.6599326553113629, 0.20734240472033233});
    assert_int_equal(of_pairs(mixed, COUNT(mixed)).rouge_pairs, 3);
}

/* Trigrams of a hypothesis beside a reference that has none are not held against it. */
static void metrics_chrf_short_reference(void **state)
{
    const char *pairs[][2] = {{"abcdef", "ab"}, {"abcdxy", "abcdef"}};

    (void)state;
    near(of_pairs(pairs, 2).chrf, 0.35390199637023584, 1e-12);
}

static void metrics_of_copies(void **state)
{
    const char *pairs[][2] = {{"灯台守は歌う", "灯台守は歌う"}, {"猫が 聞く。", "猫が 聞く。"}};
    struct metrics_values v = of_pairs(pairs, 2);

    (void)state;
    for (size_t i = 0; i < METRICS_BLEU; i++)
        near(v.bleu[i], 1, 1e-12);
    near(v.gleu, 1, 1e-12);
    near(v.chrf, 1, 1e-12);
    near(v.rouge_l, 1, 1e-7);
}

static void metrics_of_nothing(void **state)
{
    const char *apart[][2] = {{"abc", "xyz"}}, *empty[][2] = {{"", "xyz"}};
    struct metrics_values none = of_pairs(NULL, 0), v = of_pairs(apart, 1), w = of_pairs(empty, 1);

    (void)state;
    assert_true(isnan(none.bleu[0]) && isnan(none.gleu) && isnan(none.rouge_1));
    assert_true(isnan(none.distinct[0]) && isnan(none.chrf));
    assert_true(v.bleu[0] == 0 && v.bleu[3] == 0 && v.gleu == 0 && v.rouge_l == 0 && v.chrf == 0);
    assert_true(v.distinct[0] == 1);
    assert_true(w.bleu[0] == 0 && w.gleu == 0 && isnan(w.rouge_1) && isnan(w.distinct[0]));
}

static void metrics_limit(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    char *text = arena_alloc(a, METRICS_RUNES_MAX + 1);
    struct metrics m;
    struct err e = {0};

    (void)state;
    memset(text, 'x', METRICS_RUNES_MAX + 1);
    metrics_init(&m, a, METRICS_CHAR);
    assert_int_equal(metrics_add(a, &m, (struct str){text, METRICS_RUNES_MAX + 1}, STR("x"), &e),
                     E_INPUT);
    assert_int_equal(m.pairs, 0);
    assert_int_equal(metrics_add(a, &m, (struct str){text, METRICS_RUNES_MAX}, STR("x"), &e), OK);
}

static json_t *load(struct arena *a, const char *path)
{
    struct err e = {0};
    struct str text;
    json_t *j = NULL;

    if (file_read(a, path, 1 << 24, &text, &e) != OK || json_read(text, &j, &e) != OK)
        fail_msg("%s", e.msg);
    return j;
}

static struct metrics_values of_file(const char *path)
{
    AUTO(arena_freep) struct arena *kept = arena_new();
    AUTO(arena_freep) struct arena *scratch = arena_new();
    AUTO(json_freep) json_t *records = load(kept, path);
    struct metrics m;
    struct err e = {0};
    json_t *v;
    size_t i;

    metrics_init(&m, kept, METRICS_CHAR);
    json_array_foreach(records, i, v)
    {
        arena_reset(scratch);
        assert_int_equal(metrics_add(scratch, &m, json_str_at(v, "gen", STR("")),
                                     json_str_at(v, "ori", STR("")), &e),
                         OK);
    }
    return metrics_values(&m);
}

static void published(const json_t *expected, const char *name, double value)
{
    near(100 * value, json_num_at(expected, name, -1), 1e-6);
}

static void one_system(struct arena *a, const json_t *system)
{
    struct str file = json_str_at(system, "file", STR("absent"));
    const json_t *expected = json_object_get(system, "reproduced");
    struct metrics_values v =
        of_file(reference_file(&a, arena_printf(a, "crosstalk/machine/%.*s", STR_ARG(file))));

    for (size_t i = 0; i < METRICS_BLEU; i++)
        published(expected, arena_printf(a, "bleu_%zu", i + 1), v.bleu[i]);
    published(expected, "gleu", v.gleu);
    published(expected, "rouge_1", v.rouge_1);
    published(expected, "rouge_2", v.rouge_2);
    published(expected, "rouge_l", v.rouge_l);
    published(expected, "distinct_1", v.distinct[0]);
    published(expected, "distinct_2", v.distinct[1]);
    assert_int_equal(v.pairs, json_int_at(system, "n_pairs", -1));
    assert_int_equal(v.rouge_pairs, json_int_at(system, "rouge_pairs_used", -1));
}

static void metrics_published(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(json_freep) json_t *systems = NULL;
    const char *path = reference_file(&a, "crosstalk/expected_machine.json"), *name;
    json_t *system;

    (void)state;
    systems = load(a, path);
    assert_int_equal(json_object_size(systems), 3);
    json_object_foreach(systems, name, system) one_system(a, system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(metrics_chinese),
        cmocka_unit_test(metrics_single),
        cmocka_unit_test(metrics_spaces_and_stops),
        cmocka_unit_test(metrics_chrf_short_reference),
        cmocka_unit_test(metrics_of_copies),
        cmocka_unit_test(metrics_of_nothing),
        cmocka_unit_test(metrics_limit),
        cmocka_unit_test(metrics_published),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
