#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "exchange/classifier.h"
#include "text/hashed.h"

struct world {
    char home[4096], dir[64];
    struct arena *a;
};

static int setup(void **state)
{
    struct world *w = mem_new(sizeof *w);

    assert_non_null(getcwd(w->home, sizeof w->home));
    (void)snprintf(w->dir, sizeof w->dir, "/tmp/test_classifier.XXXXXX");
    assert_non_null(mkdtemp(w->dir));
    assert_int_equal(chdir(w->dir), 0);
    w->a = arena_new();
    *state = w;
    return 0;
}

static int teardown(void **state)
{
    struct world *w = *state;

    (void)unlink("l.jsonl");
    (void)unlink("l.csv");
    (void)unlink("m");
    assert_int_equal(chdir(w->home), 0);
    assert_int_equal(rmdir(w->dir), 0);
    arena_free(w->a);
    free(w);
    return 0;
}

/* ---- hashed n-grams ---- */

static double at(struct hashed v, const uint32_t *runes, size_t n)
{
    uint32_t place = hashed_place(runes, n);

    for (size_t i = 0; i < v.n; i++)
        if (v.cells[i].place == place)
            return v.cells[i].value;
    return 0;
}

/* Places are part of stored models; these were computed from the definition by another program. */
static void places_stay(void **state)
{
    static const uint32_t a[] = {'a'}, masu[] = {0x307E, 0x3059, 3};

    (void)state;
    assert_int_equal(hashed_place(a, 1), 199349);
    assert_int_equal(hashed_place(masu, 3), 203044);
}

static void vectors_are_counts_of_length_one(void **state)
{
    struct world *w = *state;
    struct hashed v = hashed_text(w->a, STR("aba"));
    static const uint32_t a[] = {'a'}, b[] = {'b'}, ab[] = {'a', 'b'}, end[] = {'b', 'a', 3},
                          whole[] = {2, 'a', 'b', 'a'}, bb[] = {'b', 'b'};
    double squares = 0;

    /* a twice; b, ^a ab ba a$, ^ab aba ba$, ^aba aba$ once */
    assert_int_equal(v.n, 11);
    for (size_t i = 0; i < v.n; i++) {
        squares += v.cells[i].value * v.cells[i].value;
        assert_true(v.cells[i].place < HASHED_SIZE);
        assert_true(i == 0 || v.cells[i].place > v.cells[i - 1].place);
    }
    assert_true(fabs(squares - 1) < 1e-12);
    assert_true(fabs(at(v, a, 1) - 2 / sqrt(14)) < 1e-12);
    assert_true(fabs(at(v, b, 1) - 1 / sqrt(14)) < 1e-12);
    assert_true(at(v, ab, 2) > 0 && at(v, end, 3) > 0 && at(v, whole, 4) > 0);
    assert_true(at(v, bb, 2) == 0);
}

static void vectors_are_of_folded_text(void **state)
{
    struct world *w = *state;
    struct hashed one = hashed_text(w->a, STR("ＡＢＣ、カナ！")),
                  two = hashed_text(w->a, STR("abcかな"));

    assert_int_equal(one.n, two.n);
    for (size_t i = 0; i < one.n; i++)
        assert_true(one.cells[i].place == two.cells[i].place &&
                    one.cells[i].value == two.cells[i].value);
    assert_int_equal(hashed_text(w->a, STR("")).n, 0);
}

/* ---- labels ---- */

static enum status labels_of(struct world *w, const char *file, const char *text,
                             const char *positive, struct labels *out, struct err *e)
{
    assert_int_equal(file_write(file, str_of(text), e), OK);
    return labels_read(w->a, file, positive, out, e);
}

static void labels_are_read(void **state)
{
    static const struct {
        const char *file, *text, *positive, *negative_is, *positive_is;
    } cases[] = {
        {"l.jsonl", "{\"text\":\"a\",\"label\":1}\n\n{\"text\":\"b\",\"label\":0}\n", NULL, "0",
         "1"},
        {"l.jsonl", "{\"text\":\"a\",\"label\":true}\n{\"text\":\"b\",\"label\":false}", NULL,
         "false", "true"},
        {"l.jsonl", "{\"text\":\"a\",\"label\":\"x\"}\n{\"text\":\"b\",\"label\":\"y\"}", NULL, "y",
         "x"},
        {"l.jsonl", "{\"text\":\"a\",\"label\":\"y\"}\n{\"text\":\"b\",\"label\":\"x\"}", "x", "y",
         "x"},
        {"l.csv", "id,label,text\n1,polite,\"a, b\"\n2,plain,c\n", NULL, "plain", "polite"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct err e = {0};
        struct labels l;
        assert_int_equal(labels_of(*state, cases[i].file, cases[i].text, cases[i].positive, &l, &e),
                         OK);
        assert_int_equal(l.n, 2);
        assert_int_equal(l.positive, 1);
        assert_string_equal(l.name[0], cases[i].negative_is);
        assert_string_equal(l.name[1], cases[i].positive_is);
    }
}

static void bad_labels_are_refused(void **state)
{
    static const struct {
        const char *file, *text, *positive, *why;
    } cases[] = {
        {"l.jsonl", "", NULL, "no line in it"},
        {"l.jsonl", "{\"text\":\"a\",\"label\":1}\n", NULL, "only one label"},
        {"l.jsonl", "{\"text\":\"a\",\"label\":1}\nx\n", NULL, "l.jsonl:2"},
        {"l.jsonl", "{\"text\":1,\"label\":1}\n", NULL, "l.jsonl:1: expected"},
        {"l.jsonl", "{\"text\":\"a\"}\n", NULL, "no usable label"},
        {"l.jsonl", "{\"text\":\"a\",\"label\":0.5}\n", NULL, "no usable label"},
        {"l.jsonl", "{\"text\":\" \",\"label\":1}\n", NULL, "empty"},
        {"l.jsonl", "{\"text\":\"a\",\"label\":1}\n{\"text\":\"A!\",\"label\":0}\n", NULL,
         "l.jsonl:2: repeats the text of line 1"},
        {"l.jsonl",
         "{\"text\":\"a\",\"label\":1}\n{\"text\":\"b\",\"label\":2}\n{\"text\":\"c\",\"label\":3}"
         "\n",
         NULL, "l.jsonl:3: a third label, \"3\""},
        {"l.jsonl", "{\"text\":\"a\",\"label\":1}\n{\"text\":\"b\",\"label\":2}\n", "3",
         "no label \"3\""},
        {"l.csv", "text\na\n", NULL, "columns"},
        {"l.csv", "text,label\na\n", NULL, "l.csv:2: fewer fields"},
        {"l.csv", "text,label,text\na,1,b\n", NULL, "l.csv:1: a second column text"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct err e = {0};
        struct labels l = {.n = 77};
        assert_int_not_equal(
            labels_of(*state, cases[i].file, cases[i].text, cases[i].positive, &l, &e), OK);
        if (!strstr(e.msg, cases[i].why))
            fail_msg("\"%s\" does not say \"%s\"", e.msg, cases[i].why);
        assert_int_equal(l.n, 77);
    }
}

static void repeated_lines_count_once(void **state)
{
    struct err e = {0};
    struct labels l;

    assert_int_equal(labels_of(*state, "l.jsonl",
                               "{\"text\":\"a\",\"label\":1}\n{\"text\":\"a.\",\"label\":1}\n"
                               "{\"text\":\"b\",\"label\":0}\n",
                               NULL, &l, &e),
                     OK);
    assert_int_equal(l.n, 2);
    assert_int_equal(l.repeated, 1);
}

/* ---- training ---- */

/* Lines that end in "da" or "masu"; everything else about them is noise. */
static struct labels some_labels(struct world *w, int n)
{
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 20);
    struct err e = {0};
    struct labels l;

    for (int i = 0; i < n; i++)
        buf_fmt(&b, "{\"text\":\"%d %c %s\",\"label\":\"%s\"}\n", i * 7919 % 1000, 'a' + i % 17,
                i % 2 ? "masu" : "da", i % 2 ? "polite" : "plain");
    assert_int_equal(labels_of(w, "l.jsonl", b.p, "polite", &l, &e), OK);
    return l;
}

static void what_was_trained_is_known(void **state)
{
    struct world *w = *state;
    struct labels l = some_labels(w, 60);
    struct classifier c;
    struct err e = {0};

    assert_int_equal(classifier_train(w->a, &l, &c, &e), OK);
    assert_string_equal(c.labels[1], "polite");
    assert_true(classifier_logit(&c, STR("9999 z masu")) > 0);
    assert_true(classifier_logit(&c, STR("9999 z da")) < 0);
    assert_true(classifier_logit(&c, STR("")) == c.model.constant);
}

static void cross_validation_repeats(void **state)
{
    struct world *w = *state;
    struct labels l = some_labels(w, 60);
    double one[60], two[60], other[60];
    struct classifier_measures m;
    struct err e = {0};

    assert_int_equal(classifier_cross(&l, 5, 1, one, &e), OK);
    assert_int_equal(classifier_cross(&l, 5, 1, two, &e), OK);
    assert_int_equal(classifier_cross(&l, 5, 2, other, &e), OK);
    assert_memory_equal(one, two, sizeof one);
    assert_memory_not_equal(one, other, sizeof one);
    m = classifier_measure(&l, one);
    assert_true(m.accuracy.value > 0.9);
    assert_int_not_equal(classifier_cross(&l, 31, 1, one, &e), OK);
    assert_non_null(strstr(e.msg, "too few for 31 folds"));
}

/* A line must not be known from its own fold: labels at random cannot be told apart. */
static void cross_validation_does_not_peek(void **state)
{
    struct world *w = *state;
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 20);
    struct classifier_measures m;
    struct err e = {0};
    struct labels l;
    double logits[200];

    for (int i = 0; i < 200; i++)
        buf_fmt(&b, "{\"text\":\"%d\",\"label\":%d}\n", 100000 + i * 7919 % 99991,
                (i * i / 7 + i / 3) % 2);
    assert_int_equal(labels_of(w, "l.jsonl", b.p, NULL, &l, &e), OK);
    assert_int_equal(classifier_cross(&l, 4, 1, logits, &e), OK);
    m = classifier_measure(&l, logits);
    assert_true(m.accuracy.value > 0.3 && m.accuracy.value < 0.7);
}

/* ---- files ---- */

static void files_round_trip(void **state)
{
    struct world *w = *state;
    struct labels l = some_labels(w, 40);
    struct classifier c, back;
    struct err e = {0};

    assert_int_equal(classifier_train(w->a, &l, &c, &e), OK);
    assert_int_equal(classifier_save(&c, "m", &e), OK);
    assert_int_equal(classifier_load(w->a, "m", &back, &e), OK);
    assert_string_equal(back.hash, c.hash);
    assert_string_equal(back.labels[0], c.labels[0]);
    assert_string_equal(back.labels[1], c.labels[1]);
    assert_int_equal(back.lines, 40);
    assert_true(back.model.constant == c.model.constant);
    assert_memory_equal(back.model.weights, c.model.weights, HASHED_SIZE * sizeof(double));
}

static void damaged_files_are_refused(void **state)
{
    struct world *w = *state;
    struct labels l = some_labels(w, 40);
    struct classifier c, back;
    struct err e = {0};
    struct str text;
    char *copy;

    assert_int_equal(classifier_train(w->a, &l, &c, &e), OK);
    assert_int_equal(classifier_save(&c, "m", &e), OK);
    assert_int_equal(file_read(w->a, "m", 1 << 24, &text, &e), OK);
    copy = arena_copy(w->a, text.p, text.n, 1);
    for (size_t cut = 0; cut < text.n - 1; cut += 1 + text.n / 97)
        assert_int_equal(classifier_parse(w->a, (struct str){copy, cut}, "m", &back, &e), E_INPUT);
    for (size_t i = 0; i < text.n - 1; i += 1 + text.n / 97) {
        copy[i] = copy[i] == '1' ? '2' : '1';
        assert_int_equal(classifier_parse(w->a, (struct str){copy, text.n}, "m", &back, &e),
                         E_INPUT);
        copy[i] = text.p[i];
    }
    assert_int_equal(classifier_parse(w->a, (struct str){copy, text.n}, "m", &back, &e), OK);
}

static void refusals_say_why(void **state)
{
    static const struct {
        const char *text, *why;
    } cases[] = {
        {"", "not a classifier"},
        {"hello\n", "not a classifier"},
        {"\xff\xfe", "not a classifier"},
        {"{\"format\":\"classifier\",\"version\":9}\n",
         "version 9 classifier; this program reads version 1"},
        {"{\"format\":\"classifier\",\"version\":1}\n", "its first line is incomplete"},
        {"{\"format\":\"classifier\",\"version\":1,\"labels\":[\"a\",\"b\"],\"lines\":2,"
         "\"constant\":0,"
         "\"weights\":2,\"hash\":\"\"}\n3 0.5\n",
         "1 weights, but its first line says 2"},
        {"{\"format\":\"classifier\",\"version\":1,\"labels\":[\"a\",\"b\"],\"lines\":2,"
         "\"constant\":0,"
         "\"weights\":1,\"hash\":\"\"}\n262144 0.5\n",
         "damaged at line 2"},
        {"{\"format\":\"classifier\",\"version\":1,\"labels\":[\"a\",\"b\"],\"lines\":2,"
         "\"constant\":0,"
         "\"weights\":2,\"hash\":\"\"}\n3 0.5\n3 0.5\n",
         "damaged at line 3"},
        {"{\"format\":\"classifier\",\"version\":1,\"labels\":[\"a\",\"b\"],\"lines\":2,"
         "\"constant\":0,"
         "\"weights\":1,\"hash\":\"\"}\n3 nan\n",
         "damaged at line 2"},
        {"{\"format\":\"classifier\",\"version\":1,\"labels\":[\"a\",\"b\"],\"lines\":2,"
         "\"constant\":0,"
         "\"weights\":1,\"hash\":\"\"}\n3 0.5\n",
         "do not match its hash"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct world *w = *state;
        struct err e = {0};
        struct classifier c;
        assert_int_equal(classifier_parse(w->a, str_of(cases[i].text), "file", &c, &e), E_INPUT);
        if (!strstr(e.msg, cases[i].why) || !str_starts(str_of(e.msg), STR("file: ")))
            fail_msg("\"%s\" does not say \"%s\"", e.msg, cases[i].why);
    }
}

/* ---- measures ---- */

static void measures_are_right(void **state)
{
    struct linear_row lines[5] = {{.positive = true}, {.positive = true}, {.positive = true}};
    struct labels l = {.name = {"no", "yes"}, .v = lines, .n = 5, .positive = 3};
    const double logits[] = {2, 1, -1, 0, 3}; /* 0 does not exceed 0 */
    struct classifier_measures m = classifier_measure(&l, logits);
    double loss = (log1p(exp(-2)) + log1p(exp(-1)) + log1p(exp(1)) + log(2) + log1p(exp(3))) / 5;

    (void)state;
    assert_int_equal(m.hits, 2);
    assert_int_equal(m.misses, 1);
    assert_int_equal(m.false_alarms, 1);
    assert_true(fabs(m.accuracy.value - 0.6) < 1e-12);
    assert_true(fabs(m.precision.value - 2.0 / 3) < 1e-12);
    assert_true(fabs(m.recall.value - 2.0 / 3) < 1e-12);
    assert_int_equal(m.recall.why, INTERVAL_FEW_UNITS);
    assert_true(fabs(m.log_loss - loss) < 1e-12);
    assert_int_equal(m.bins[5].n, 1); /* one half is the beginning of its bin */
    assert_int_equal(m.bins[9].n, 1);
    assert_true(isnan(m.bins[0].predicted));
    /* each line is alone in its bin */
    assert_true(fabs(m.calibration_error - ((1 - 1 / (1 + exp(-2))) + (1 - 1 / (1 + exp(-1))) +
                                            (1 - 1 / (1 + exp(1))) + 0.5 + 1 / (1 + exp(-3))) /
                                               5) < 1e-12);
}

static void extreme_logits_are_borne(void **state)
{
    struct linear_row lines[2] = {{.positive = true}, {.positive = false}};
    struct labels l = {.name = {"no", "yes"}, .v = lines, .n = 2, .positive = 1};
    const double logits[] = {-800, -800};
    struct classifier_measures m = classifier_measure(&l, logits);

    (void)state;
    assert_true(fabs(m.log_loss - 400) < 1e-9);
    assert_true(isnan(m.precision.value) && m.recall.value == 0);
    assert_int_equal(m.precision.why, INTERVAL_FEW_UNITS);
    assert_int_equal(m.bins[0].n, 2);
}

/* Of 10 that are said to be positive 3 are, of 12 positive ones 3 are found: what the other lines
 * are does not matter to either. */
static void precision_and_recall_have_intervals(void **state)
{
    struct linear_row lines[40] = {0};
    double logits[COUNT(lines)];
    struct labels l = {.name = {"no", "yes"}, .v = lines, .n = COUNT(lines), .positive = 12};
    struct classifier_measures m;

    (void)state;
    for (size_t i = 0; i < COUNT(lines); i++) {
        lines[i].positive = i < 12;
        logits[i] = i >= 9 && i < 19 ? 1 : -1;
    }
    m = classifier_measure(&l, logits);
    assert_true(fabs(m.precision.low - 0.092619311) < 1e-8);
    assert_true(fabs(m.precision.high - 0.642784138) < 1e-8);
    assert_int_equal(m.precision.n, 10);
    assert_true(fabs(m.recall.value - 0.25) < 1e-12);
    assert_int_equal(m.recall.n, 12);
    assert_true(m.recall.low > 0 && m.recall.high < 0.642784138);
}

/* 3 of 10, Wilson 1927 with Student's quantile, by another program. */
static void rates_have_score_intervals(void **state)
{
    const double logits[] = {0.1, 5, 2.5, 0, 0, -1, -2, -3, -4, -5};
    struct classifier_point curve[CLASSIFIER_CURVE];
    struct interval r = classifier_rate(logits, 10, 0);

    (void)state;
    assert_true(fabs(r.value - 0.3) < 1e-12);
    assert_true(fabs(r.low - 0.092619311) < 1e-8 && fabs(r.high - 0.642784138) < 1e-8);
    classifier_curve(logits, 10, curve);
    for (size_t i = 1; i < CLASSIFIER_CURVE; i++)
        assert_true(curve[i].threshold > curve[i - 1].threshold &&
                    curve[i].rate.value <= curve[i - 1].rate.value);
    assert_true(curve[CLASSIFIER_CURVE / 2].threshold == 0 &&
                curve[CLASSIFIER_CURVE / 2].rate.value == r.value);
    assert_true(fabs(curve[0].rate.value - 0.8) < 1e-12); /* -4 itself is not above -4 */
    assert_true(isnan(classifier_rate(logits, 0, 0).value));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_stay),
        cmocka_unit_test(vectors_are_counts_of_length_one),
        cmocka_unit_test(vectors_are_of_folded_text),
        cmocka_unit_test(labels_are_read),
        cmocka_unit_test(bad_labels_are_refused),
        cmocka_unit_test(repeated_lines_count_once),
        cmocka_unit_test(what_was_trained_is_known),
        cmocka_unit_test(cross_validation_repeats),
        cmocka_unit_test(cross_validation_does_not_peek),
        cmocka_unit_test(files_round_trip),
        cmocka_unit_test(damaged_files_are_refused),
        cmocka_unit_test(refusals_say_why),
        cmocka_unit_test(measures_are_right),
        cmocka_unit_test(extreme_logits_are_borne),
        cmocka_unit_test(rates_have_score_intervals),
        cmocka_unit_test(precision_and_recall_have_intervals),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
