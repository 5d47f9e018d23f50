/* table.h: one table through its five writers; what is missing is missing in all of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "report/table.h"

static const struct score_row good = {.metric = "score",
                                      .value = 8.125,
                                      .lo = 7.5,
                                      .hi = 8.75,
                                      .n = 45,
                                      .clusters = 15,
                                      .method = "t, items"};

struct thing {
    const char *name;
    int64_t failed, late;
    double cost;
    const struct score_row *score;
};

static const struct thing things[] = {
    {"fox", 2, 0, 0.5, &good}, {"owl|*", 0, 0, (double)NAN, NULL}, {"hare", 1, 0, 0, &good}};

/* clang-format off */
static const struct table_field fields[] = {
    {{.key = "name", .head = "model", .kind = TABLE_LINK}, TABLE_OF(struct thing, name)},
    {{.key = "score", .head = "score", .kind = TABLE_INTERVAL, .look = TABLE_PLOT, .decimals = 2}, TABLE_OF(struct thing, score)},
    {{.head = "n", .kind = TABLE_COUNT}, TABLE_N, offsetof(struct thing, score)},
    {{.key = "failed", .head = "failed", .kind = TABLE_COUNT, .flags = TABLE_LOWER}, TABLE_OF(struct thing, failed)},
    {{.key = "late", .head = "late", .kind = TABLE_COUNT, .flags = TABLE_SPARSE}, TABLE_OF(struct thing, late)},
    {{.key = "cost", .in = "spent", .head = "USD", .kind = TABLE_MONEY}, TABLE_OF(struct thing, cost)},
};
/* clang-format on */

static struct table *usual(struct arena *a)
{
    struct table *t = table_new(a, "en", COUNT(things));

    table_fields(t, fields, COUNT(fields), things, sizeof *things);
    return t;
}

/* The interval of the third row is refused, and why is told. */
static struct table *refused(struct arena *a)
{
    struct table *t = usual(a);

    t->cells[1][2].lo = t->cells[1][2].hi = NAN;
    t->cells[1][2].why = "all items have the same score";
    return t;
}

static void on_a_terminal(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 16);
    const struct render_terminal how = {.columns = 56, .unicode = true};

    (void)state;
    (void)table_terminal(refused(a), &how, &b);
    assert_string_equal(b.p, "  model   score   95 %           n   failed ↓      USD\n"
                             "  fox      8.12   7.50 – 8.75   45          2   0.5000\n"
                             "  owl|*       -      -      -    0          0        -\n"
                             "  hare     8.12      -    (1)   45          1   0.0000\n"
                             "(1) all items have the same score\n");
}

/* An interval that is there and has a caution is marked like one that is not. */
static void cautions_are_marked(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(buf_done) struct buf drawn = BUF_MAX(1 << 16), b = BUF_MAX(1 << 16);
    struct table *t = usual(a);

    (void)state;
    t->cells[1][0].why = "all items have the same score";
    (void)table_terminal(t, &(struct render_terminal){.columns = 60}, &drawn);
    assert_non_null(strstr(drawn.p, "8.75 (1)"));
    table_markdown(t, &b);
    assert_non_null(strstr(b.p, "| fox | 8.12 [7.50, 8.75] (1) |"));
}

/* A column that stands alone on a terminal carries no mark there, and its reason no number. */
static void marks_are_counted_where_they_stand(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(buf_done) struct buf drawn = BUF_MAX(1 << 16), b = BUF_MAX(1 << 16);
    struct table *t = refused(a);
    struct table_cell *brief =
        table_add(t, .key = "rate", .head = "rate", .kind = TABLE_INTERVAL, .look = TABLE_BRIEF);
    struct table_cell *range =
        table_add(t, .key = "gain", .head = "gain", .kind = TABLE_INTERVAL, .look = TABLE_RANGE);

    (void)state;
    brief[0] = range[0] = table_between(1, NAN, NAN);
    brief[0].why = "one rater";
    range[0].why = "two raters";
    (void)table_terminal(t, &(struct render_terminal){.columns = 100}, &drawn);
    assert_null(strstr(drawn.p, "one rater"));
    assert_non_null(strstr(drawn.p, "- (2)\n"));
    assert_non_null(strstr(drawn.p, "\n(2) two raters\n"));
    table_markdown(t, &b);
    assert_non_null(strstr(b.p, "| 0.5000 | 1 (2) | – (3) |\n"));
    assert_non_null(strstr(b.p, "\n(2) one rater\n\n(3) two raters\n"));
}

static void assert_lines(const char *text, size_t most)
{
    struct str rest = str_of(text), line;

    while (str_line(&rest, &line))
        assert_true(line.n <= most);
}

/* Any window holds it: what does not fit goes below. */
static void in_any_window(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();

    (void)state;
    for (int columns = 30; columns < 120; columns++) {
        AUTO(buf_done) struct buf b = BUF_MAX(1 << 16);
        (void)table_terminal(usual(a), &(struct render_terminal){.columns = columns}, &b);
        assert_lines(b.p, (size_t)columns);
        assert_non_null(strstr(b.p, "0.5000"));
    }
}

/* A list has a line a row, or each row is by itself. */
static void as_list(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(buf_done) struct buf roomy = BUF_MAX(1 << 16);
    struct table *t = table_new(a, "en", 2);
    struct table_cell *run = table_add(t, .head = "run"), *suite = table_add(t, .head = "suite"),
                      *done = table_add(t, .head = "done", .kind = TABLE_COUNT),
                      *models = table_add(t, .head = "models");

    (void)state;
    run[0] = table_text("1a");
    run[1] = table_text("2b");
    suite[0] = suite[1] = table_text("evening");
    done[0] = done[1] = table_count(12);
    models[0] = table_text("fox, owl, a hare of some age");
    models[1] = table_text("fox");
    table_terminal_list(t, &(struct render_terminal){.columns = 60}, &roomy);
    assert_string_equal(roomy.p, "  run   suite     done   models\n"
                                 "  1a    evening     12   fox, owl, a hare of some age\n"
                                 "  2b    evening     12   fox\n");
    for (int columns = 20; columns < 51; columns++) {
        AUTO(buf_done) struct buf b = BUF_MAX(1 << 16);
        table_terminal_list(t, &(struct render_terminal){.columns = columns}, &b);
        assert_lines(b.p, (size_t)columns);
        if (columns == 30)
            assert_string_equal(b.p, "  1a\n"
                                     "    suite: evening   done: 12\n"
                                     "    models: fox, owl, a hare\n"
                                     "      of some age\n"
                                     "  2b\n"
                                     "    suite: evening   done: 12\n"
                                     "    models: fox\n");
    }
}

static void as_markdown(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 16);

    (void)state;
    table_markdown(refused(a), &b);
    assert_string_equal(b.p, "| model | score | n | failed ↓ | USD |\n"
                             "|---|--:|--:|--:|--:|\n"
                             "| fox | 8.12 [7.50, 8.75] | 45 | 2 | 0.5000 |\n"
                             "| owl\\|\\* | – | 0 | 0 | – |\n"
                             "| hare | 8.12 (1) | 45 | 1 | 0.0000 |\n"
                             "\n(1) all items have the same score\n");
}

static void as_html(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 16);
    struct html h = {.out = &b, .scratch = a};
    struct table *t = refused(a);

    (void)state;
    t->cells[3][0].href = "#faults";
    table_html(t, &h);
    assert_non_null(strstr(b.p, "<th scope=\"col\" class=\"num\">failed ↓</th>"));
    assert_non_null(strstr(b.p, "data-title=\"failed ↓\"><a href=\"#faults\">2</a></td>"));
    assert_non_null(strstr(b.p, "data-title=\"95 %\">7.50 – 8.75</td>"));
    assert_non_null(strstr(b.p, "data-title=\"95 %\">– (1)</td>"));
    assert_non_null(strstr(b.p, "(1) all items have the same score"));
    assert_null(strstr(b.p, "late")); /* nobody was */
    assert_null(strstr(b.p, "nan"));
    /* drawn, an interval that is not there is not read out either */
    t->columns[1].range = (struct show_range){0, 10};
    table_html(t, &h);
    assert_non_null(strstr(b.p, "aria-label=\"8.12 [7.50, 8.75]\""));
    assert_non_null(strstr(b.p, "aria-label=\"8.12\""));
}

static void as_csv(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 16);
    const struct table *v[] = {refused(a)};

    (void)state;
    table_csv(v, 1, (const char *const[]){"3f9c", NULL}, &b);
    assert_string_equal(b.p, "3f9c,fox,score,8.125,7.5,8.75,45,15,\"t, items\"\r\n"
                             "3f9c,fox,failed,2,,,,,\r\n"
                             "3f9c,fox,late,0,,,,,\r\n"
                             "3f9c,fox,cost,0.5,,,,,\r\n"
                             "3f9c,owl|*,failed,0,,,,,\r\n"
                             "3f9c,owl|*,late,0,,,,,\r\n"
                             "3f9c,owl|*,cost,,,,,,\r\n"
                             "3f9c,hare,score,8.125,,,45,15,\"t, items\"\r\n"
                             "3f9c,hare,failed,1,,,,,\r\n"
                             "3f9c,hare,late,0,,,,,\r\n"
                             "3f9c,hare,cost,0,,,,,\r\n");
}

/* Every key is in every row, whatever is known; two tables make one object. */
static void as_json(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(json_freep) json_t *list = json_array();
    struct table *more = table_new(a, "en", COUNT(things));
    struct table_cell *cells = table_column(
        more,
        &(struct table_column){.key = "gain", .ends = TABLE_ENDS_APART, .kind = TABLE_INTERVAL});

    (void)state;
    cells[0] = table_between(1.5, 1, 2);
    cells[1].why = "one rater";
    table_json(refused(a), list);
    table_json(more, list);
    assert_string_equal(
        json_text(a, list),
        "[{\"name\":\"fox\",\"score\":{\"value\":8.125,\"lo\":7.5,\"hi\":8.75,\"n\":45,"
        "\"clusters\":15,\"method\":\"t, items\"},\"failed\":2,\"late\":0,"
        "\"spent\":{\"cost\":0.5},\"gain\":1.5,\"gain_interval\":{\"lo\":1.0,\"hi\":2.0}},"
        "{\"name\":\"owl|*\",\"score\":null,\"failed\":0,\"late\":0,\"spent\":{\"cost\":null},"
        "\"gain\":null,\"gain_interval\":{\"lo\":null,\"hi\":null,\"why\":\"one rater\"}},"
        "{\"name\":\"hare\",\"score\":{\"value\":8.125,\"lo\":null,\"hi\":null,\"n\":45,"
        "\"clusters\":15,\"method\":\"t, items\",\"why\":\"all items have the same score\"},"
        "\"failed\":1,\"late\":0,\"spent\":{\"cost\":0.0},"
        "\"gain\":null,\"gain_interval\":{\"lo\":null,\"hi\":null}}]");
}

/* A new number is one declaration: this field alone puts it into all five forms. */
static void one_declaration(void **state)
{
    static const struct table_field late[] = {
        {{.key = "late_ms", .head = "late", .kind = TABLE_COUNT}, TABLE_OF(struct thing, late)}};
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 16);
    AUTO(json_freep) json_t *list = json_array();
    struct html h = {.out = &b, .scratch = a};
    struct table *t = usual(a);

    (void)state;
    table_fields(t, late, 1, things, sizeof *things);
    (void)table_terminal(t, &(struct render_terminal){.columns = 80}, &b);
    assert_non_null(strstr(b.p, "late"));
    buf_clear(&b);
    table_html(t, &h);
    assert_non_null(strstr(b.p, "data-title=\"late\""));
    buf_clear(&b);
    table_markdown(t, &b);
    assert_non_null(strstr(b.p, "| late |"));
    buf_clear(&b);
    table_csv((const struct table *const[]){t}, 1, (const char *const[]){NULL}, &b);
    assert_non_null(strstr(b.p, "fox,late_ms,0,"));
    table_json(t, list);
    assert_non_null(strstr(json_text(a, list), "\"late_ms\":0"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_a_terminal),
        cmocka_unit_test(cautions_are_marked),
        cmocka_unit_test(marks_are_counted_where_they_stand),
        cmocka_unit_test(in_any_window),
        cmocka_unit_test(as_list),
        cmocka_unit_test(as_markdown),
        cmocka_unit_test(as_html),
        cmocka_unit_test(as_csv),
        cmocka_unit_test(as_json),
        cmocka_unit_test(one_declaration),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
