#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "base/asset.h"
#include "base/file.h"
#include "base/json.h"
#include "near.h"
#include "report/chart.h"
#include "report/finding.h"
#include "report/grid.h"
#include "report/html.h"
#include "report/report.h"
#include "report/show.h"
#include "report/values.h"
#include "report/wording.h"
#include "suite/item.h"
#include "suite/mark.h"
#include "text/rune.h"

#define RLO "\xE2\x80\xAE"
#define HOSTILE                                                                                    \
    "<script>alert(1)</script></style></div>]]><!-- \"' & \033[2J\007 \xC2\x9B" RLO "desrever | "  \
    "`*_\n# next"

static const struct dimension dimensions[] = {
    {.id = "voice", .title = {"Voice", 5}, .weight = 3, .min = 0, .max = 10},
    {.id = "memory", .title = {"Memory", 6}, .weight = 1, .min = 0, .max = 10},
};

static const struct dimension zh_dimensions[] = {
    {.id = "voice", .title = {"语言风格", 12}, .weight = 3, .min = 0, .max = 10},
    {.id = "memory", .title = {"记忆一致性", 15}, .weight = 1, .min = 0, .max = 10},
};

static const struct score_row *score_new(struct arena *a, const char *metric, double v, double half)
{
    struct score_row *s = NEW(a, struct score_row);

    *s = (struct score_row){"model/x", metric, "M, items", v, v - half, v + half, 45, 15, NULL};
    return s;
}

static struct report_model model_new(struct arena *a, const char *name, double v)
{
    struct report_model m = {.name = name, .planned = 45, .done = 45, .cost = NAN};

    m.marks = NEW_N(a, const struct score_row *, 2);
    m.score = score_new(a, "score", v, 0.5);
    m.marks[0] = score_new(a, "mark:voice", v + 0.25, 0.4);
    m.marks[1] = score_new(a, "mark:memory", v - 0.75, 0.8);
    m.tokens = 12345;
    return m;
}

static struct report report_new(struct arena *a, size_t nmodels)
{
    struct report r = {
        .run = {.id = 1,
                .name = "3f9c",
                .key = "3f9c0d",
                .suite = "live-chat",
                .seed = UINT64_MAX,
                .repeats = 3,
                .created_ms = 1700000000000},
        .suite = {.id = "live-chat",
                  .title = STR("Live chat"),
                  .language = "en",
                  .score = {.times = 1},
                  .instrument = {.dimensions = dimensions, .ndimensions = COUNT(dimensions)}},
        .items = 15,
    };

    r.nmodels = nmodels;
    r.models = NEW_N(a, struct report_model, nmodels);
    for (size_t i = 0; i < nmodels; i++)
        r.models[i] = model_new(a, arena_printf(a, "model-%02zu", i + 1), 9 - 0.2 * (double)i);
    r.jury.name = "deepseek";
    r.njudges = 1;
    r.judges = NEW(a, struct report_judge);
    r.judges[0] = (struct report_judge){.name = "deepseek",
                                        .planned = 90,
                                        .done = 88,
                                        .unscored = 2,
                                        .repaired = 1,
                                        .differs = 3,
                                        .compared = 88,
                                        .tokens = 9000,
                                        .cost = 0.4125};
    return r;
}

static void add_faults(struct arena *a, struct report *r, const char *hostile)
{
    struct fault_count *f = NEW_N(a, struct fault_count, 2);

    f[0] = (struct fault_count){
        "qwen-rp", false, STATE_FAILED, "rate-limit", "too many requests (status 429)", 3};
    f[1] = (struct fault_count){"deepseek", true, STATE_UNSCORED, "no-json", hostile, 2};
    r->faults = (struct fault_list){f, 2};
}

/* The board of the design: two models, a rule that looks for duplicates, something unscored. */
static struct report usual(struct arena *a)
{
    struct report r = report_new(a, 2);

    r.models[0].name = "gpt-4o";
    r.models[0].score = score_new(a, "score", 8.12, 0.51);
    r.models[0].duplicates = 1;
    r.models[1].name = "qwen-rp";
    r.models[1].score = score_new(a, "score", 6.75, 0.7);
    r.models[1].duplicates = 6;
    r.models[1].unscored = 2;
    r.models[1].cost = 0.0123;
    r.suite.rules.of[RULE_DUPLICATE] =
        (struct rule){.on = true, .threshold = 0.8, .effect = EFFECT_ZERO};
    add_faults(a, &r, "the reply holds no JSON object");
    return r;
}

/* The same in Chinese, with names of two columns per letter, one without any score, and texts that
 * try to leave their place. */
static struct report_verdict *hostile_verdicts(struct arena *a)
{
    struct report_verdict *v = NEW_N(a, struct report_verdict, 2);
    struct report_mark *m = NEW_N(a, struct report_mark, 2);

    m[0] = (struct report_mark){.dimension = "voice", .value = 7, .analysis = STR(HOSTILE)};
    m[1] = (struct report_mark){.dimension = "memory", .value = 6.5, .analysis = STR("前后一致")};
    v[0] = (struct report_verdict){.judge = "审",
                                   .state = STATE_DONE,
                                   .marks = m,
                                   .nmarks = 2,
                                   .reply = STR(HOSTILE),
                                   .reason = STR("总体不错"),
                                   .overall = 7,
                                   .mean = 6.875,
                                   .id = 1};
    v[1] = (struct report_verdict){.judge = "审",
                                   .state = STATE_UNSCORED,
                                   .reply = STR("no json here"),
                                   .why = HOSTILE,
                                   .overall = NAN,
                                   .mean = NAN,
                                   .id = 2};
    return v;
}

static struct flag_list hostile_flags(struct arena *a, const char *model)
{
    struct flag_row *f = NEW_N(a, struct flag_row, 2);

    f[0] = (struct flag_row){
        .id = 4,
        .sample = 8,
        .kind = "duplicate",
        .model_name = model,
        .item_name = "q1",
        .repeat = 1,
        .value = 0.93,
        .evidence = STR("{\"other_repeat\": 0, \"this\": \"我先说：今晚月色真美</mark><script>\", "
                        "\"other\": \"今晚月色真美，对吗\", \"shared\": \"今晚月色真美\"}")};
    f[1] = (struct flag_row){.id = 5,
                             .sample = 99,
                             .kind = "duplicate",
                             .model_name = model,
                             .item_name = "q2",
                             .value = 0.81,
                             .evidence = STR("not json <b>"),
                             .overruled_by = "<ann>",
                             .overruled_why = "quotes"};
    return (struct flag_list){f, 2};
}

static struct report_sample *hostile_samples(struct arena *a, const struct report *r)
{
    struct report_sample *s = NEW_N(a, struct report_sample, 3);
    struct item_turn *t = NEW(a, struct item_turn);

    *t = (struct item_turn){"user", STR("你好" HOSTILE)};
    s[0] = (struct report_sample){.model = r->models[0].name,
                                  .item = "q1",
                                  .id = 7,
                                  .state = STATE_DONE,
                                  .prompt = STR("今晚如何？" HOSTILE),
                                  .reference = STR("ref" HOSTILE),
                                  .answer = STR(HOSTILE),
                                  .turns = t,
                                  .nturns = 1,
                                  .value = 6.875,
                                  .unrounded = 6.875,
                                  .verdicts = hostile_verdicts(a),
                                  .nverdicts = 2};
    s[1] = s[0];
    s[1].id = 8;
    s[1].repeat = 1;
    s[1].value = s[1].unrounded = 0;
    s[1].rule = "duplicate";
    s[1].flag = &r->flags.v[0];
    s[1].nverdicts = 0;
    s[2] = (struct report_sample){.model = r->models[1].name,
                                  .item = "q1",
                                  .id = 9,
                                  .state = STATE_FAILED,
                                  .prompt = STR("?"),
                                  .fault = "timeout",
                                  .why = HOSTILE,
                                  .value = NAN,
                                  .unrounded = NAN};
    return s;
}

static struct report hostile(struct arena *a)
{
    struct report r = usual(a);

    r.suite.title = STR("直播闲聊" HOSTILE);
    r.suite.language = "zh-CN";
    r.suite.instrument.dimensions = zh_dimensions;
    r.models[0].name = "通义千问" HOSTILE;
    r.models[1].name = "ひらがなモデル";
    r.models[1].score = NULL;
    r.models[1].marks[0] = score_new(a, "mark:voice", NAN, NAN);
    r.models[1].failed = 3;
    r.jury.name = r.judges[0].name = "审" HOSTILE;
    add_faults(a, &r, HOSTILE);
    r.flags = hostile_flags(a, r.models[0].name);
    r.samples = hostile_samples(a, &r);
    r.nsamples = 3;
    r.samples_left_out = 41;
    return r;
}

/* ---- helpers ---- */

static void golden(const char *name, const struct buf *b)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    const char *path = arena_printf(a, "tests/golden/report/%s", name);
    struct err e = {0};
    struct str want;

    assert_false(b->full);
    if (getenv("UPDATE_GOLDEN")) {
        assert_int_equal(file_write(path, buf_str(b), &e), OK);
        return;
    }
    if (file_read(a, path, 1 << 22, &want, &e) != OK)
        fail_msg("%s", e.msg);
    assert_string_equal(buf_str(b).p, want.p);
}

static bool has(const struct buf *b, const char *text)
{
    return str_find(buf_str(b), str_of(text)) != SIZE_MAX;
}

/* No bytes that a terminal or a browser would obey; `escapes`: our own colours are expected. */
static void assert_harmless(const struct buf *b)
{
    struct str rest = buf_str(b);

    assert_int_equal(utf8_check(rest), rest.n);
    while (rest.n) {
        uint32_t r = utf8_next(&rest);
        assert_false((r < 0x20 && r != '\n' && r != '\t' && r != '\r') || (r >= 0x7F && r < 0xA0));
        assert_false(r >= 0x202A && r <= 0x202E);
    }
}

/* Every element closed in its order; fails on a stray '<' too. Knows no comments: there are none.
 */
static void assert_balanced(struct str html)
{
    struct str open[64];
    size_t depth = 0, at;

    while ((at = str_find(html, STR("<"))) != SIZE_MAX) {
        struct str tag, rest = str_from(html, at + 1);
        size_t end = str_find(rest, STR(">")), n = 0;
        bool closing = rest.n && rest.p[0] == '/';
        assert_true(end != SIZE_MAX);
        tag = (struct str){rest.p + closing, end - closing};
        html = str_from(rest, end + 1);
        if (str_starts(tag, STR("!DOCTYPE")) || str_ends(tag, STR("/")))
            continue;
        while (n < tag.n && tag.p[n] != ' ')
            n++;
        tag.n = n;
        if (closing) {
            assert_true(depth > 0);
            assert_true(str_eq(open[--depth], tag));
        } else {
            assert_true(depth < COUNT(open));
            open[depth++] = tag;
        }
    }
    assert_int_equal(depth, 0);
}

static void terminal(const struct report *r, int columns, bool colour, bool unicode,
                     struct buf *out)
{
    struct render_terminal how = {.columns = columns, .colour = colour, .unicode = unicode};

    render_terminal(r, &how, out);
}

/* Every line fits, and the last column of the table stands at the same place in each row. */
static void assert_fits(const struct buf *b, size_t columns)
{
    struct str rest = buf_str(b), line;

    (void)str_line(&rest, &line); /* the title may wrap */
    while (str_line(&rest, &line)) {
        assert_false(str_ends(line, STR(" ")));
        if (str_starts(line, STR("  ")) && !str_starts(line, STR("    ")))
            assert_true(rune_columns(line) <= columns);
    }
}

/* ---- tests ---- */

static void test_terminal_usual(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 20);
    struct report r = usual(a);

    (void)state;
    terminal(&r, 100, false, true, &b);
    golden("usual.txt", &b);
    buf_clear(&b);
    terminal(&r, 100, false, false, &b);
    golden("usual.ascii.txt", &b);
    for (size_t i = 0; i < b.n; i++)
        assert_true((unsigned char)b.p[i] < 0x80);
    buf_clear(&b);
    terminal(&r, 100, true, true, &b);
    assert_true(has(&b, "\033[1m") && has(&b, "\033[2m") && has(&b, "\033[0m"));
}

static void test_terminal_widths(void **state)
{
    static const int widths[] = {60, 70, 80, 120, 200};
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 20);
    struct report reports[] = {usual(a), hostile(a), report_new(a, 30)};

    (void)state;
    reports[2].models[3].name = "an-organisation/a-very-long-model-name-with-a-date-2026-01-01";
    for (size_t i = 0; i < COUNT(reports); i++)
        for (size_t w = 0; w < COUNT(widths); w++) {
            buf_clear(&b);
            terminal(&reports[i], widths[w], false, true, &b);
            assert_fits(&b, (size_t)widths[w]);
            assert_harmless(&b);
        }
    buf_clear(&b);
    terminal(&reports[0], 60, false, true, &b);
    golden("usual.60.txt", &b);
    buf_clear(&b);
    terminal(&reports[2], 80, false, true, &b);
    golden("thirty.txt", &b);
}

static void test_terminal_hostile(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 20);
    struct report r = hostile(a);

    (void)state;
    terminal(&r, 110, false, true, &b);
    golden("hostile.txt", &b);
}

/* What is not known is a dash. A model that was never scored must not look like one with 0. */
static void test_nothing_is_not_zero(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 20);
    struct report r = report_new(a, 1);

    (void)state;
    r.models[0].score = NULL;
    r.models[0].marks[0] = r.models[0].marks[1] = NULL;
    terminal(&r, 80, false, true, &b);
    golden("unscored.txt", &b);
    assert_false(has(&b, "0.00") || has(&b, "nan"));
    buf_clear(&b);
    render_html(&r, &b);
    assert_false(has(&b, ">nan") || has(&b, " nan") || has(&b, "class=\"dot\""));
    assert_balanced(buf_str(&b));
    buf_clear(&b);
    render_markdown(&r, &b);
    assert_false(has(&b, " nan"));
    buf_clear(&b);
    r.models[0].score = score_new(a, "score", NAN, NAN);
    render_csv(&r, &b);
    assert_true(has(&b, ",score,,,,45,15,"));
    buf_clear(&b);
    render_json(&r, &b);
    assert_true(has(&b, "\"score\":{\"value\":null,\"lo\":null,\"hi\":null,\"n\":45"));
}

static void test_no_models(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 20);
    struct report r = report_new(a, 0);

    (void)state;
    r.njudges = 0;
    terminal(&r, 80, false, true, &b);
    golden("empty.txt", &b);
    buf_clear(&b);
    render_html(&r, &b);
    assert_balanced(buf_str(&b));
    assert_true(has(&b, words_of("en", WORD_NO_MODELS)));
    buf_clear(&b);
    render_markdown(&r, &b);
    assert_true(has(&b, words_of("en", WORD_NO_MODELS)));
}

static void test_one_model_without_interval(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 20);
    struct report r = report_new(a, 1);

    (void)state;
    r.models[0].score = score_new(a, "score", 5, NAN);
    terminal(&r, 80, false, true, &b);
    golden("one.txt", &b);
    buf_clear(&b);
    render_html(&r, &b);
    assert_true(has(&b, "cx=\"50.00%\""));
    assert_balanced(buf_str(&b));
}

static void test_markdown(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 20);
    struct report r = usual(a);

    (void)state;
    render_markdown(&r, &b);
    golden("usual.md", &b);
    buf_clear(&b);
    r = hostile(a);
    render_markdown(&r, &b);
    golden("hostile.md", &b);
    assert_harmless(&b);
    assert_false(has(&b, "<script") || has(&b, "<ann>") || has(&b, "\n# next"));
}

static void test_csv(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 20);
    struct report r = usual(a);

    (void)state;
    r.models[1].name = "=cmd|'/c calc'!A1";
    render_csv(&r, &b);
    golden("usual.csv", &b);
    assert_true(has(&b, ",'=cmd|"));
}

static void test_json(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 20);
    AUTO(json_freep) json_t *j = NULL;
    struct report r = hostile(a);
    struct err e = {0};
    const json_t *sample;

    (void)state;
    render_json(&r, &b);
    golden("hostile.json", &b);
    assert_int_equal(json_read(buf_str(&b), &j, &e), OK);
    sample = json_array_get(json_object_get(j, "samples"), 0);
    assert_true(str_is(json_str_at(sample, "answer", STR("")), HOSTILE)); /* data stays as it was */
    assert_int_equal(json_array_size(json_object_get(sample, "verdicts")), 2);
    assert_int_equal(json_int_at(j, "samples_left_out", 0), 41);
    assert_true(json_is_object(
        json_object_get(json_array_get(json_object_get(j, "flags"), 0), "evidence")));
}

/* A column of the board is one declaration, and stands in every form where there is something to
 * see. */
static void test_unjudged_everywhere(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 22);
    struct report r = usual(a);

    (void)state;
    r.models[1].unjudged = 7;
    terminal(&r, 120, false, true, &b);
    assert_true(has(&b, "not judged   "));
    buf_clear(&b);
    render_html(&r, &b);
    assert_true(has(&b, "data-title=\"not judged\">7</td>"));
    buf_clear(&b);
    render_markdown(&r, &b);
    assert_true(has(&b, "| not judged |"));
    buf_clear(&b);
    render_csv(&r, &b);
    assert_true(has(&b, ",qwen-rp,unjudged,7,"));
    buf_clear(&b);
    render_json(&r, &b);
    assert_true(has(&b, "\"unjudged\":7"));
}

static size_t count_of(const struct buf *b, const char *what)
{
    struct str rest = buf_str(b);
    size_t n = 0, at;

    for (; (at = str_find(rest, str_of(what))) != SIZE_MAX; n++)
        rest = str_from(rest, at + strlen(what));
    return n;
}

static void test_html_hostile(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 22);
    struct report r = hostile(a);

    (void)state;
    render_html(&r, &b);
    assert_false(b.full);
    assert_harmless(&b);
    assert_balanced(buf_str(&b));
    assert_false(has(&b, "<script") || has(&b, "<!--") || has(&b, "<ann>") || has(&b, "<b>not"));
    assert_int_equal(count_of(&b, "</style>"), 1);
    assert_int_equal(count_of(&b, "]]>"), 0); /* written ]]&gt; */
    assert_true(has(&b, "&lt;script&gt;alert(1)&lt;/script&gt;&lt;/style&gt;"));
    assert_false(has(&b, "http:") || has(&b, "https:") || has(&b, "src="));
    assert_false(has(&b, " on") && has(&b, "onload="));
}

/* The value of every href="#..." is an id on the page. */
static void test_html_links(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 22);
    struct report r = hostile(a);
    struct str rest;
    size_t at, links = 0;

    (void)state;
    render_html(&r, &b);
    for (rest = buf_str(&b); (at = str_find(rest, STR("href=\""))) != SIZE_MAX; links++) {
        struct str target, after;
        rest = str_from(rest, at + 6);
        assert_int_equal(rest.p[0], '#');
        assert_true(str_cut(str_from(rest, 1), '"', &target, &after));
        assert_int_equal(count_of(&b, arena_printf(a, " id=\"%.*s\"", STR_ARG(target))), 1);
    }
    assert_true(links > 12);
    assert_true(has(&b, "<html lang=\"zh-CN\">"));
    assert_true(has(&b, "<mark>今晚月色真美</mark>"));
    assert_int_equal(count_of(&b, "<mark>"), 2);
    assert_true(has(&b, "另有 41 条未列出"));
    assert_true(has(&b, "语言风格"));
}

/* Every cell knows its column, because on a phone there is no row of titles above it. */
static void test_html_cells_have_titles(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 22);
    struct report r = hostile(a);

    (void)state;
    render_html(&r, &b);
    assert_true(count_of(&b, "<td") > 20);
    assert_int_equal(count_of(&b, "<td"), count_of(&b, "data-title=\""));
    assert_int_equal(count_of(&b, "data-title=\"语言风格\""), 2); /* of two models */
    assert_int_equal(count_of(&b, "<tr"), count_of(&b, "</tr>"));
    assert_int_equal(count_of(&b, "scope=\"row\""), count_of(&b, "<tr") - 4); /* four tables */
    assert_true(has(&b, "attr(data-title)"));
}

static void test_html_without_samples(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 22);
    struct report r = usual(a);

    (void)state;
    render_html(&r, &b);
    assert_balanced(buf_str(&b));
    assert_false(has(&b, "href=\"#m1\"") || has(&b, "href=\"#samples\""));
    assert_int_equal(count_of(&b, "class=\"dot\""), 2);
    assert_true(has(&b, "counts as 0, unless"));
}

/* A page that does not fit is cut, says so, and stays within its limit. */
static void test_html_limit(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(buf_done) struct buf b = BUF_MAX(3000);
    struct report r = hostile(a);

    (void)state;
    render_html(&r, &b);
    assert_true(b.full);
    assert_true(b.n <= 3000);
}

static void test_numbers(void **state)
{
    char text[SHOW_MAX];

    (void)state;
    assert_string_equal(show_number(text, 1.005, 2, "-"), "1.00");
    assert_string_equal(show_number(text, -0.001, 2, "-"), "0.00");
    assert_string_equal(show_number(text, -0.5, 2, "-"), "-0.50");
    assert_string_equal(show_number(text, NAN, 2, "-"), "-");
    assert_string_equal(show_number(text, INFINITY, 2, "-"), "-");
    assert_string_equal(str_exact(text, 0.1), "0.1");
    assert_string_equal(str_exact(text, 10), "10");
    assert_string_equal(str_exact(text, 120000), "120000");
    assert_string_equal(str_exact(text, 0), "0");
    assert_string_equal(str_exact(text, -2.5e-7), "-2.5e-07");
    assert_string_equal(str_exact(text, 1.0 / 3), "0.3333333333333333");
    assert_string_equal(str_exact(text, NAN), "");
    assert_true(show_step((struct show_range){0, 10}, 5) == 2);
    assert_true(fabs(show_step((struct show_range){6.02, 8.63}, 5) - 1) < 1e-12);
}

/* The range of a report whose models all have the value v and no interval. */
static struct show_range range_at(struct arena *a, struct score_spec score, double v)
{
    struct report r = report_new(a, 2);
    struct show_range range = {0};

    r.suite.score = score;
    r.models[0].score = r.models[1].score = score_new(a, "score", v, NAN);
    assert_true(show_range(&r, &range));
    return range;
}

static void assert_range(struct show_range range, double lo, double hi)
{
    if (fabs(range.lo - lo) > 1e-9 || fabs(range.hi - hi) > 1e-9)
        fail_msg("%g to %g, not %g to %g", range.lo, range.hi, lo, hi);
}

/* Marks are 0..10; there are 45 answers to 15 items. */
static void test_range(void **state)
{
    static const struct score_spec mean = {.kind = SCORE_MEAN_OF_ITEMS, .times = 1},
                                   tenth = {.kind = SCORE_WEIGHTED_MEAN, .times = 0.1},
                                   sum = {.kind = SCORE_SUM, .divide = 10},
                                   totals = {.kind = SCORE_TOTALS};
    AUTO(arena_freep) struct arena *a = arena_new();
    struct report r = usual(a);
    struct show_range range;

    (void)state;
    assert_range(range_at(a, mean, 5), 4.5, 5.5);
    assert_range(range_at(a, mean, 10), 9, 10);
    assert_range(range_at(a, mean, 0), 0, 0.5);
    assert_range(range_at(a, mean, 9.7), 8.73, 10);
    assert_range(range_at(a, tenth, 1), 0.5, 1);
    assert_range(range_at(a, sum, 15), 13.5, 15); /* 15 items of 10, divided by 10 */
    assert_range(range_at(a, totals, 450), 405, 450);
    assert_range(range_at(a, mean, nextafter(10, 11)), 9, 10);
    assert_range(range_at(a, mean, 12), 10.8, 12); /* what cannot be is shown as well */
    assert_true(show_range(&r, &range));
    assert_range(range, 6.05, 8.63); /* intervals: as they are */
    r.models[0].score = r.models[1].score = NULL;
    assert_false(show_range(&r, &range));
}

static void test_advice(void **state)
{
    (void)state;
    assert_non_null(strstr(wording_advice("en", "auth", STATE_FAILED), "key"));
    assert_non_null(strstr(wording_advice("en", "empty", STATE_UNSCORED), "format"));
    assert_non_null(strstr(wording_advice("en", "forbidden", STATE_FAILED), "filter"));
    assert_non_null(strstr(wording_advice("en", "too-large", STATE_FAILED), "`base_url`"));
    assert_non_null(wording_advice("ja", NULL, STATE_FAILED));
}

static void test_extent(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();

    (void)state;
    assert_string_equal(wording_extent(a, "en", 1, 1), "1 item");
    assert_string_equal(wording_extent(a, "en", 8, 1), "8 items");
    assert_string_equal(wording_extent(a, "en", 1, 3), "1 item × 3 repeats");
    assert_string_equal(wording_extent(a, "zh", 8, 3), "8 题 × 3 次重复");
    assert_string_equal(wording_extent(a, "ja", 8, 3), "8 項目 × 3 回");
}

static void test_grid_text(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();

    (void)state;
    assert_true(str_is(grid_text(a, STR("a\r\n b\tc "), 20, "…"), "a b c"));
    assert_true(str_is(grid_text(a, STR("通义千问"), 8, "…"), "通义千问"));
    assert_true(str_is(grid_text(a, STR("通义千问"), 7, "…"), "通义千…"));
    assert_true(str_is(grid_text(a, STR("通义千问"), 6, "…"), "通义…"));
    assert_true(str_is(grid_name(a, STR("通义千问"), 8, "…"), "通义千问"));
    assert_true(str_is(grid_name(a, STR("通义千问"), 7, "…"), "通义…问"));
    assert_true(str_is(grid_name(a, STR("lab/japanese-7b-v1"), 11, "…"), "lab/j…7b-v1"));
    assert_true(str_is(grid_name(a, STR("lab/japanese-7b-v2"), 11, "…"), "lab/j…7b-v2"));
    assert_true(str_is(grid_name(a, STR("ab"), 1, "…"), "…"));
    assert_true(str_is(grid_text(a, STR("x\033[31m"), 20, "…"), "x\xEF\xBF\xBD[31m"));
}

static void test_grid_lines(void **state)
{
    AUTO(buf_done) struct buf b = BUF_MAX(1000);
    AUTO(arena_freep) struct arena *a = arena_new();

    (void)state;
    grid_lines(&b, STR("0.4 で 100 戦 60 勝。「角括弧」（丸括弧）"), 16, 0, 2);
    assert_string_equal(b.p, "0.4 で 100 戦 60\n  勝。「角括弧」\n  （丸括弧）\n");
    buf_clear(&b);
    grid_lines(&b, STR("他读《老人与海》（一九五二）"), 6, 0, 0);
    assert_string_equal(b.p, "他读\n《老人\n与海》\n（一九\n五二）\n");
    buf_clear(&b);
    grid_lines(&b, STR("\"model\"、\"item\"、\"answer\"（回答）"), 20, 0, 0);
    assert_string_equal(b.p, "\"model\"、\"item\"、\n\"answer\"（回答）\n");
    buf_clear(&b);
    grid_headline(&b, STR("青石巷 · 8 items × 3 repeats · judge examiner"), "·", 24);
    assert_string_equal(b.p, "青石巷 ·\n  8 items × 3 repeats ·\n  judge examiner\n");
    buf_clear(&b);
    grid_wrap(a, "A sentence of words that goes on behind its line's end.", 40, &b);
    assert_string_equal(b.p, "A sentence of words that goes on behind\n  its line's end.\n");
}

/* Items of which the first model has more than all others, who are alike: 0.12 in the mean, with a
 * standard error of 0.042. */
static struct values_map a_little_ahead(struct arena *a, size_t models)
{
    struct values_map m = {NEW_N(a, struct interval_cluster, 12 * models), 12, models};

    for (size_t i = 0; i < 12 * models; i++)
        m.cells[i] = (struct interval_cluster){
            0.3 + (i % models ? 0 : 0.04 * (double)(i / models) - 0.1), 1};
    return m;
}

static void test_all_pairs_are_told_apart_together(void **state)
{
    static const struct dimension right[] = {{.id = "right", .weight = 1, .min = 0, .max = 1}};
    AUTO(arena_freep) struct arena *a = arena_new();
    struct report r = report_new(a, 2);
    struct values_map two = a_little_ahead(a, 2), six = a_little_ahead(a, 6);
    struct values_matrix x;

    (void)state;
    r.suite.instrument = (struct instrument){.dimensions = right, .ndimensions = 1};
    x = values_matrix(a, &r.suite, 1, &two);
    assert_int_equal(x.ahead[1], 1);
    assert_int_equal(x.ahead[2], -1);
    assert_int_equal(x.last[0], 1);
    assert_int_equal(x.first[1], 2);
    r.lead = &x;
    assert_non_null(strstr(finding_of(a, &r), "it is ahead of the other model"));
    x = values_matrix(a, &r.suite, 1, &six);
    assert_int_equal(values_ahead(&x.v[1]), 1); /* by itself; one of fifteen is so by chance */
    assert_int_equal(x.ahead[1], 0);
    assert_int_equal(x.last[0], 6);
    assert_int_equal(x.first[1], 1);
    r = report_new(a, 6);
    r.lead = &x;
    assert_non_null(strstr(finding_of(a, &r), "cannot tell it apart from any other"));
}

/* Twelve items with three answers each. */
static void test_totals_differ_by_all_answers(void **state)
{
    static const struct dimension right[] = {{.id = "right", .weight = 1, .min = 0, .max = 1}};
    AUTO(arena_freep) struct arena *a = arena_new();
    const struct suite suite = {.instrument = {.dimensions = right, .ndimensions = 1},
                                .score = {.kind = SCORE_TOTALS}};
    struct values_map two = a_little_ahead(a, 2);
    struct values_matrix x = values_matrix(a, &suite, 3, &two);

    (void)state;
    assert_near(x.v[1].value, 4.32, 1e-9);
    assert_near(x.v[2].value, -4.32, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_terminal_usual),
        cmocka_unit_test(test_terminal_widths),
        cmocka_unit_test(test_terminal_hostile),
        cmocka_unit_test(test_nothing_is_not_zero),
        cmocka_unit_test(test_no_models),
        cmocka_unit_test(test_one_model_without_interval),
        cmocka_unit_test(test_markdown),
        cmocka_unit_test(test_csv),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_unjudged_everywhere),
        cmocka_unit_test(test_html_hostile),
        cmocka_unit_test(test_html_links),
        cmocka_unit_test(test_html_cells_have_titles),
        cmocka_unit_test(test_html_without_samples),
        cmocka_unit_test(test_html_limit),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_range),
        cmocka_unit_test(test_advice),
        cmocka_unit_test(test_extent),
        cmocka_unit_test(test_grid_text),
        cmocka_unit_test(test_grid_lines),
        cmocka_unit_test(test_all_pairs_are_told_apart_together),
        cmocka_unit_test(test_totals_differ_by_all_answers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
