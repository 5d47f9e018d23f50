/* Two runs of one suite, item by item. */
/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <math.h>

#include "report/compare.h"
#include "report/render_compare.h"
#include "store/store_compare.h"
#include "store_world.h"

/* An answer of a model of the world's run with its marks; its value is (2 tone + wit) / 3. */
static void answer(struct world *w, size_t model, const char *item, const char *text, double tone,
                   double wit)
{
    int64_t id = 0;
    char sql[512];
    bool found;
    struct err e;

    assert_ok(store_item_find(w->store, w->run.id, item, &id, &found, &e));
    assert_true(found);
    (void)snprintf(sql, sizeof sql,
                   "INSERT INTO sample (run, model, item, repeat, state, answer) "
                   "SELECT %lld, %lld, %lld, COUNT(*), 'done', '%s' FROM sample "
                   "WHERE model = %lld AND item = %lld",
                   (long long)w->run.id, (long long)w->models[model].id, (long long)id, text,
                   (long long)w->models[model].id, (long long)id);
    assert_ok(db_script(w->store->db, sql, &e));
    (void)snprintf(sql, sizeof sql,
                   "INSERT INTO verdict (run, judge, sample, repeat, state) "
                   "SELECT run, %lld, MAX(id), 0, 'done' FROM sample WHERE run = %lld GROUP BY run",
                   (long long)w->judge.id, (long long)w->run.id);
    assert_ok(db_script(w->store->db, sql, &e));
    (void)snprintf(sql, sizeof sql,
                   "INSERT INTO mark (verdict, dimension, value) SELECT MAX(id), 'tone', %g FROM "
                   "verdict; INSERT INTO mark (verdict, dimension, value) SELECT MAX(id), 'wit', "
                   "%g FROM verdict",
                   tone, wit);
    assert_ok(db_script(w->store->db, sql, &e));
}

/* What was measured before: ann 1, 2, 1 and bob 1 on items i0, i1, i2 and i0. */
static struct run_row before(struct world *w)
{
    world_run(w, 4);
    answer(w, 0, "i0", "was good", 1, 1);
    answer(w, 0, "i1", "was better", 0.5, 5);
    answer(w, 0, "i2", "was first", 0, 0);
    answer(w, 0, "i2", "was second", 0.5, 5);
    answer(w, 1, "i0", "b", 1, 1);
    return w->run;
}

/* Item i0 falls from 1 to 0, i1 stays, i2 rises from 1 to 2; i3 is new to the scores. */
static struct run_row after(struct world *w)
{
    world_run(w, 4);
    answer(w, 0, "i0", "is bad", 0, 0);
    answer(w, 0, "i1", "is the same", 0.5, 5);
    answer(w, 0, "i2", "is fine", 0.5, 5);
    answer(w, 0, "i3", "is new", 1, 1);
    return w->run;
}

static void items_are_compared_one_by_one(void **state)
{
    struct world *w = *state;
    struct run_row was = before(w), is = after(w);
    const struct compare_options o = {.model = "ann"};
    const struct compare_model *m;
    struct compare c;
    struct err e;

    assert_ok(compare_runs(w->arena, w->store, &is, &was, &o, &c, &e));
    assert_int_equal(c.nmodels, 1);
    m = &c.models[0];
    assert_int_equal(m->nitems, 4);
    assert_int_equal(m->items[0].change, COMPARE_REGRESSED);
    assert_int_equal(m->items[1].change, COMPARE_UNCHANGED);
    assert_int_equal(m->items[2].change, COMPARE_IMPROVED);
    assert_int_equal(m->items[3].change, COMPARE_MISSING);
    assert_float_equal(m->items[2].then, 1, 1e-12); /* the mean of 0 and 2 */
    assert_float_equal(m->items[2].now, 2, 1e-12);
    assert_true(m->items[0].answer.n && str_is(m->items[0].answer, "is bad"));
    assert_true(str_is(m->items[0].before, "was good"));
    assert_int_equal(m->items[1].answer.n, 0); /* only where something got worse */
    /* differences -1, 0, 1: mean 0, sd 1, se 1 / sqrt(3), t of 2 degrees 4.302653 */
    assert_float_equal(m->difference.value, 0, 1e-12);
    assert_float_equal(m->difference.high, 2.484138, 1e-5);
    assert_float_equal(m->difference.low, -2.484138, 1e-5);
    assert_int_equal(m->difference.clusters, 3);
    assert_float_equal(m->now, 4.0 / 3, 1e-6);
    assert_float_equal(m->then, 4.0 / 3, 1e-6);
    assert_true(c.judged_alike);
    assert_int_equal(c.edited + c.only_now + c.only_then, 0);
}

/* Tone differs by -1, 0, 0.25, wit by -1, 0, 2.5. */
static void dimensions_are_compared_too(void **state)
{
    struct world *w = *state;
    struct run_row was = before(w), is = after(w);
    const struct compare_options o = {.model = "ann"};
    struct buf out = BUF_MAX(1 << 16);
    const struct compare_mark *m;
    struct compare c;
    struct err e;

    assert_ok(compare_runs(w->arena, w->store, &is, &was, &o, &c, &e));
    assert_int_equal(c.ndimensions, 2);
    m = c.models[0].marks;
    assert_float_equal(m[0].now, 1.0 / 3, 1e-12);
    assert_float_equal(m[0].then, 1.75 / 3, 1e-12);
    assert_float_equal(m[0].difference.value, -0.25, 1e-12);
    assert_true(isnan(m[0].difference.high) && m[0].difference.why == INTERVAL_FEW_UNITS);
    assert_int_equal(m[0].difference.clusters, 3);
    assert_float_equal(m[1].difference.value, 0.5, 1e-12);
    render_compare_json(&c, &out);
    assert_non_null(strstr(out.p, "\"marks\":{\"tone\":{\"now\":0.3333"));
    assert_non_null(strstr(out.p, "\"lo\":null,\"hi\":null,\"why\":\"few-items\""));
    buf_clear(&out);
    render_compare_markdown(&c, &out);
    assert_non_null(strstr(out.p, "| ann | Wit | 3.33 | 2.83 | +0.50 | – (1) |"));
    buf_done(&out);
}

static void a_margin_forgives(void **state)
{
    struct world *w = *state;
    struct run_row was = before(w), is = after(w);
    struct compare_options o = {.model = "ann", .margin = 1};
    struct compare c;
    struct err e;

    assert_ok(compare_runs(w->arena, w->store, &is, &was, &o, &c, &e));
    assert_int_equal(c.models[0].counts[COMPARE_UNCHANGED], 3);
    o.margin = 0.99;
    assert_ok(compare_runs(w->arena, w->store, &is, &was, &o, &c, &e));
    assert_int_equal(c.models[0].counts[COMPARE_UNCHANGED], 1);
}

static void other_items_are_counted_and_edited_ones_left_out(void **state)
{
    struct world *w = *state;
    struct run_row was = before(w), is;
    const struct compare_options all = {.margin = 0};
    struct compare c;
    struct err e;

    is = after(w);
    assert_ok(db_script(w->store->db,
                        "UPDATE item SET name = 'gone' WHERE name = 'i3' AND run = "
                        "(SELECT MIN(id) FROM run);"
                        "UPDATE item SET body = '{\"id\":\"i0\",\"prompt\":\"Who?\"}' WHERE "
                        "name = 'i0' AND run = (SELECT MIN(id) FROM run);"
                        "UPDATE judge SET name = 'jim' WHERE run = (SELECT MIN(id) FROM run)",
                        &e));
    assert_ok(compare_runs(w->arena, w->store, &is, &was, &all, &c, &e));
    assert_int_equal(c.nmodels, 2);
    assert_int_equal(c.only_now, 1);
    assert_int_equal(c.only_then, 1);
    assert_int_equal(c.edited, 1);
    assert_false(c.judged_alike);
    assert_int_equal(c.models[0].items[0].change, COMPARE_MISSING);
    assert_int_equal(c.models[0].difference.clusters, 2);
    assert_int_equal(c.models[1].difference.clusters, 0);
    assert_true(isnan(c.models[1].difference.value));
}

static void what_does_not_belong_together_is_refused(void **state)
{
    struct world *w = *state;
    struct run_row was = before(w), is = after(w), other = was;
    struct compare_options o = {.model = "zoe"};
    struct compare c = {.title = "untouched"};
    struct err e = {0};

    assert_int_equal(compare_runs(w->arena, w->store, &is, &was, &o, &c, &e), E_ABSENT);
    assert_says(&e, "no model 'zoe'");
    o = (struct compare_options){.model = "ann", .against = "zoe"};
    assert_int_equal(compare_runs(w->arena, w->store, &is, &was, &o, &c, &e), E_ABSENT);
    other.suite = "another";
    o = (struct compare_options){.model = NULL};
    assert_int_equal(compare_runs(w->arena, w->store, &is, &other, &o, &c, &e), E_USAGE);
    assert_says(&e, "of 'another'");
    assert_string_equal(c.title, "untouched");
}

static void one_baseline_per_suite(void **state)
{
    struct world *w = *state;
    struct run_row was = before(w), is = after(w), found;
    struct err e = {0};

    assert_int_equal(store_baseline_get(w->arena, w->store, "tiny", &found, &e), E_ABSENT);
    assert_ok(store_baseline_declare(w->store, &was, &e));
    assert_ok(store_baseline_declare(w->store, &is, &e));
    assert_ok(store_baseline_get(w->arena, w->store, "tiny", &found, &e));
    assert_int_equal(found.id, is.id);
    assert_int_equal(store_baseline_get(w->arena, w->store, "huge", &found, &e), E_ABSENT);
}

/* Text of a model cannot leave its place in any form. */
static void hostile_answers_stay_text(void **state)
{
    static const char hostile[] = "]]></failure>\x1B[31m & | # <b> \xEF\xBF\xBF";
    struct compare_item item = {.name = "a\"b",
                                .then = 1,
                                .change = COMPARE_REGRESSED,
                                .answer = STR(""),
                                .before = STR("")};
    struct compare_model m = {
        .name = "m|", .against = "m|", .items = &item, .nitems = 1, .difference = {.value = -1}};
    struct compare c = {.run = {.name = "1", .suite = "s"},
                        .baseline = {.name = "2"},
                        .title = hostile,
                        .judge = hostile,
                        .judge_then = "j",
                        .models = &m,
                        .nmodels = 1};
    struct buf out = BUF_MAX(1 << 16);

    (void)state;
    item.answer = item.before = str_of(hostile);
    m.counts[COMPARE_REGRESSED] = 1;
    render_compare_junit(&c, &out);
    assert_non_null(strstr(out.p, "name=\"a&quot;b\""));
    assert_non_null(strstr(out.p, "message=\"was 1, is 0\""));
    assert_null(strstr(out.p, "]]></failure>\n"));
    assert_null(strstr(out.p, "\x1B"));
    assert_null(strstr(out.p, "\xEF\xBF\xBF"));
    buf_clear(&out);
    render_compare_markdown(&c, &out);
    assert_null(strstr(out.p, "<b>"));
    assert_non_null(strstr(out.p, "| m\\| |"));
    buf_clear(&out);
    render_compare_terminal(&c, &(struct render_terminal){.columns = 80}, &out);
    assert_null(strstr(out.p, "\x1B"));
    buf_clear(&out);
    render_compare_json(&c, &out);
    assert_non_null(strstr(out.p, "\"regressed\":1"));
    buf_done(&out);
}

/* What changed most is what somebody looks for, and what is shown where there is not room for all.
 */
static void the_largest_change_comes_first(void **state)
{
    struct compare_item items[] = {
        {.name = "small", .then = 2, .now = 1, .change = COMPARE_REGRESSED},
        {.name = "better", .then = 0, .now = 9, .change = COMPARE_IMPROVED},
        {.name = "large", .then = 9, .now = 1, .change = COMPARE_REGRESSED},
        {.name = "also", .then = 9, .now = 1, .change = COMPARE_REGRESSED},
    };
    const struct compare_model m = {
        .name = "m", .against = "m", .items = items, .nitems = 4, .counts = {3, 1}};
    const struct compare c = {.models = NULL};
    struct world *w = *state;
    struct table *t = render_compare_changed(w->arena, &c, &m, COMPARE_REGRESSED);

    assert_int_equal(t->nrows, 3);
    assert_string_equal(t->cells[0][0].text, "also");
    assert_string_equal(t->cells[0][1].text, "large");
    assert_string_equal(t->cells[0][2].text, "small");
}

#define TESTS(setup)                                                                               \
    WORLD_TEST(items_are_compared_one_by_one, setup),                                              \
        WORLD_TEST(dimensions_are_compared_too, setup), WORLD_TEST(a_margin_forgives, setup),      \
        WORLD_TEST(other_items_are_counted_and_edited_ones_left_out, setup),                       \
        WORLD_TEST(what_does_not_belong_together_is_refused, setup),                               \
        WORLD_TEST(one_baseline_per_suite, setup), WORLD_TEST(hostile_answers_stay_text, setup),   \
        WORLD_TEST(the_largest_change_comes_first, setup)

WORLD_MAIN("compare", TESTS)
