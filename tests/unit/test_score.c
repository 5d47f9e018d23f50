/* The arithmetic of scores, on stores small enough to be computed by hand. */
/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <math.h>

#include "eval/score.h"
#include "store/store_flag.h"
#include "store_world.h"
#include "suite/mark.h"

enum { ITEMS_MAX = 5, REPEATS_MAX = 3, DIMENSIONS = 4 };
enum { JO, KIM, JUDGES };

/* A run of one model, "ann", as far as it has come. */
struct stage {
    struct world *w;
    struct party judges[JUDGES];
    int64_t samples[ITEMS_MAX][REPEATS_MAX];
    const struct suite *suite;
};

/* What a judge said of an answer: marks in the instrument's order. */
struct said {
    int item, repeat, judge, again;
    double marks[DIMENSIONS];
};

/* ---- building ---- */

static struct dimension dimension(const char *id, double min, double max, double weight)
{
    return (struct dimension){
        .id = id, .title = str_of(id), .weight = weight, .min = min, .max = max};
}

/* A suite of these dimensions, by falling weight. */
static struct suite suite_of(struct arena *a, struct dimension *dims, size_t n,
                             struct score_spec score)
{
    struct suite s = world_suite(a);

    s.instrument.dimensions = dims;
    s.instrument.ndimensions = n;
    s.score = score;
    return s;
}

/* Most tests need one dimension only, 0 to 10. */
static struct suite plain_suite(struct arena *a, struct score_spec score)
{
    struct dimension *q = NEW(a, struct dimension);

    *q = dimension("q", 0, 10, 1);
    return suite_of(a, q, 1, score);
}

static const struct score_spec mean = {.kind = SCORE_MEAN_OF_ITEMS, .times = 1, .divide = 1};

/* Item i has answers[i] answers; what is missing to the most of all could not be had. */
static struct stage stage_new(struct world *w, const struct suite *suite, const int *answers,
                              int items)
{
    struct stage st = {.w = w, .suite = suite};
    struct leased_list l;
    struct err e;
    int64_t first, last;

    world_run(w, items);
    st.judges[JO] = st.judges[KIM] = w->judge;
    st.judges[KIM].name = "kim";
    assert_ok(store_party_put(w->store, PARTY_JUDGE, w->run.id, &st.judges[KIM], &e));
    assert_ok(store_item_span(w->store, w->run.id, &first, &last, &e));
    for (int64_t repeat = 0; repeat < REPEATS_MAX; repeat++)
        assert_ok(store_plan_samples(w->store, w->run.id, w->models[0].id, repeat, &e));
    assert_ok(store_worker_start(w->store, &e));
    assert_ok(
        store_lease(w->arena, w->store, PARTY_MODEL, w->models[0].id, 100, &(int64_t){0}, &l, &e));
    for (size_t i = 0; i < l.n; i++) {
        int64_t item = l.v[i].item - first, repeat = l.v[i].repeat;
        bool done = repeat < answers[item];
        struct sample_result r = {.id = l.v[i].id,
                                  .state = done ? STATE_DONE : STATE_FAILED,
                                  .answer = done ? STR("Only me.") : STR(""),
                                  .fault = done ? NULL : "timeout",
                                  .why = done ? NULL : "no reply",
                                  .spent = {.tokens_in = -1, .tokens_out = -1, .cost = NAN}};
        assert_ok(store_sample_end(w->store, &r, &e));
        st.samples[item][repeat] = l.v[i].id;
    }
    return st;
}

static void plan_verdict(const struct stage *st, const struct said *s)
{
    struct verdict_plan p = {.run = st->w->run.id,
                             .judge = st->judges[s->judge].id,
                             .repeat = s->again,
                             .family = "",
                             .sample = st->samples[s->item][s->repeat]};
    struct err e;
    int64_t n;

    assert_ok(store_plan_verdicts(st->w->store, &p, &n, &e));
}

/* Store one verdict; a first mark of NaN means that its reply could not be read. */
static void say(const struct stage *st, const struct said *s)
{
    const struct instrument *in = &st->suite->instrument;
    bool scored = !isnan(s->marks[0]);
    struct verdict_result r = {.state = scored ? STATE_DONE : STATE_UNSCORED,
                               .overall = NAN,
                               .nmarks = scored ? in->ndimensions : 0,
                               .spent = {.tokens_in = -1, .tokens_out = -1, .cost = NAN}};
    struct mark marks[DIMENSIONS];
    struct leased_list l;
    struct err e;

    plan_verdict(st, s); /* unless it is already */
    assert_ok(store_lease(st->w->arena, st->w->store, PARTY_JUDGE, st->judges[s->judge].id, 1,
                          &(int64_t){0}, &l, &e));
    assert_int_equal(l.n, 1);
    for (size_t i = 0; i < in->ndimensions; i++)
        marks[i] = (struct mark){.dimension = in->dimensions[i].id, .value = s->marks[i]};
    r.id = l.v[0].id;
    r.marks = marks;
    assert_ok(store_verdict_end(st->w->store, &r, &e));
}

static void say_all(const struct stage *st, const struct said *said, size_t n)
{
    for (size_t i = 0; i < n; i++)
        say(st, &said[i]);
}

/* ---- asking ---- */

static struct score_list scores_of(const struct stage *st)
{
    AUTO(facts_freep) struct facts *facts = NULL;
    struct score_list l;
    struct jury jury;
    struct err e;

    assert_ok(facts_read(st->w->store, st->w->run.id, &facts, &e));
    assert_ok(jury_find(st->w->arena, st->w->store, st->w->run.id, NULL, &jury, &e));
    assert_ok(
        score_compute(st->w->arena, st->w->store, &st->w->run, st->suite, facts, &jury, &l, &e));
    return l;
}

static struct score_row row_of(const struct stage *st, const char *metric)
{
    struct score_list l = scores_of(st);
    const struct score_row *row = score_find(&l, "model/ann", metric);

    if (!row)
        fail_msg("there is no %s", metric);
    return *row;
}

#define assert_near(a, b) assert_near_at((a), (b), __FILE__, __LINE__)

static void assert_near_at(double a, double b, const char *file, int line)
{
    if (fabs(a - b) < 1e-9)
        return;
    print_error("%s:%d: %.12g, not %.12g\n", file, line, a, b);
    _fail(file, line);
}

static void assert_row(const struct score_row *row, double value, int64_t n, int64_t clusters)
{
    assert_near(row->value, value);
    assert_int_equal(row->n, n);
    assert_int_equal(row->clusters, clusters);
}

static void expect_row(const struct stage *st, const char *metric, double value, int64_t n,
                       int64_t clusters)
{
    struct score_row row = row_of(st, metric);

    assert_row(&row, value, n, clusters);
}

/* ---- kinds of score ---- */

/* i0: 10, 7, 7, mean 8; i1: 4. Mean of items (8 + 4) / 2 = 6, times 10. (The mean of the four
 * answers would be 7.) */
static const int three_and_one[] = {3, 1};
static const struct said uneven[] = {
    {0, 0, JO, 0, {10}}, {0, 1, JO, 0, {7}}, {0, 2, JO, 0, {7}}, {1, 0, JO, 0, {4}}};

static void items_weigh_the_same(void **state)
{
    struct world *w = *state;
    struct suite suite =
        plain_suite(w->arena, (struct score_spec){.kind = SCORE_MEAN_OF_ITEMS, .times = 10});
    struct stage st = stage_new(w, &suite, three_and_one, 2);

    say_all(&st, uneven, COUNT(uneven));
    expect_row(&st, "score", 60, 4, 2);
    expect_row(&st, "mark:q", 6, 4, 2); /* the same, but never multiplied */
    expect_row(&st, "failed", 2, 6, 0); /* i1 has two answers fewer */
}

/* The same means, 8 + 4 = 12, divided by 5. */
static void sums_are_divided(void **state)
{
    struct world *w = *state;
    struct suite suite =
        plain_suite(w->arena, (struct score_spec){.kind = SCORE_SUM, .times = 1, .divide = 5});
    struct stage st = stage_new(w, &suite, three_and_one, 2);

    say_all(&st, uneven, COUNT(uneven));
    expect_row(&st, "score", 2.4, 4, 2);
}

/* Two of three items have values, 8 and 4. The third is no zero: 6 on average, times 3, by 5. */
static void sums_do_not_count_gaps_as_zero(void **state)
{
    static const int answers[] = {1, 1, 1};
    static const struct said said[] = {
        {0, 0, JO, 0, {8}}, {1, 0, JO, 0, {4}}, {2, 0, JO, 0, {NAN}}};
    struct world *w = *state;
    struct suite suite =
        plain_suite(w->arena, (struct score_spec){.kind = SCORE_SUM, .times = 1, .divide = 5});
    struct stage st = stage_new(w, &suite, answers, 3);

    say_all(&st, said, COUNT(said));
    expect_row(&st, "score", 3.6, 2, 2);
}

/* 10 + 7 + 7 + 4 = 28: here every answer counts. */
static void totals_count_answers(void **state)
{
    struct world *w = *state;
    struct suite suite =
        plain_suite(w->arena, (struct score_spec){.kind = SCORE_TOTALS, .times = 1, .divide = 1});
    struct stage st = stage_new(w, &suite, three_and_one, 2);

    say_all(&st, uneven, COUNT(uneven));
    expect_row(&st, "score", 28, 4, 2);
    expect_row(&st, "total:q", 28, 4, 0);
}

/* Sums 17 and 16: 4.25 and 4, mean 4.125, band 4. (Bands of the two sittings would give 4.25, and
 * so 4.5.) With a second judge's 20 in the first: 4.625 and 4, mean 4.3125, band 4.5; the two
 * judges lie 0.75 apart. */
static void bands_are_rounded_once(void **state)
{
    static const int answers[] = {1, 1};
    static const struct said said[] = {
        {0, 0, JO, 0, {4, 4, 4, 5}}, {1, 0, JO, 0, {4, 4, 4, 4}}, {0, 0, KIM, 0, {5, 5, 5, 5}}};
    struct world *w = *state;
    struct dimension dims[] = {dimension("RC", 1, 5, 1), dimension("LA", 1, 5, 1),
                               dimension("CQ", 1, 5, 1), dimension("IC", 1, 5, 1)};
    struct suite suite = suite_of(w->arena, dims, COUNT(dims),
                                  (struct score_spec){.kind = SCORE_BAND, .times = 1, .divide = 1});
    struct stage st = stage_new(w, &suite, answers, 2);
    struct score_list l;
    struct score_row row;

    say(&st, &said[0]);
    row = row_of(&st, "score"); /* one judge, one sitting: the rule of the method, in integers */
    assert_row(&row, ((2 * 17 + 2) / 4) / 2.0, 1, 1);
    assert_true(isnan(row.lo) && isnan(row.hi));
    say(&st, &said[1]);
    row = row_of(&st, "score");
    assert_row(&row, 4, 2, 2);
    assert_true(isnan(row.lo) && strcmp(row.why, "few-items") == 0);
    row = row_of(&st, "score-unrounded");
    assert_row(&row, 4.125, 2, 2);
    l = scores_of(&st);
    assert_null(score_find(&l, "model/ann", "spread"));
    say(&st, &said[2]);
    row = row_of(&st, "score");
    assert_row(&row, 4.5, 2, 2);
    row = row_of(&st, "score-unrounded");
    assert_row(&row, 4.3125, 2, 2);
    row = row_of(&st, "spread");
    assert_row(&row, 0.75, 1, 1);
    row = row_of(&st, "mark:IC"); /* (5 + 5) / 2 and 4 */
    assert_row(&row, 4.5, 2, 2);
}

/* Weights 3, 2, 1. i0: 4, 3, 1: (12 + 6 + 1) / 6 = 19/6. i1: 5, 2, 2: (15 + 4 + 2) / 6 = 3.5.
 * Samples are rounded, not their mean: (19/6 + 7/2) / 2 = 10/3; nearest (3 + 4) / 2; down
 * (3 + 3) / 2; up (4 + 4) / 2. */
static void weighted_means_are_rounded(void **state)
{
    static const double want[] = {
        [ROUND_NONE] = 10.0 / 3, [ROUND_NEAREST] = 3.5, [ROUND_DOWN] = 3, [ROUND_UP] = 4};
    static const int answers[] = {1, 1};
    static const struct said said[] = {{0, 0, JO, 0, {4, 3, 1}}, {1, 0, JO, 0, {5, 2, 2}}};
    struct world *w = *state;
    struct dimension dims[] = {dimension("a", 0, 5, 3), dimension("b", 0, 5, 2),
                               dimension("c", 0, 5, 1)};
    struct suite suite = suite_of(w->arena, dims, COUNT(dims),
                                  (struct score_spec){.kind = SCORE_WEIGHTED_MEAN, .times = 1});
    struct stage st = stage_new(w, &suite, answers, 2);

    say_all(&st, said, COUNT(said));
    for (size_t how = 0; how < COUNT(want); how++) {
        suite.score.round = (enum rounding)how;
        expect_row(&st, "score", want[how], 2, 2);
        if (how != ROUND_NONE) /* what rounding took away is kept beside it */
            expect_row(&st, "score-unrounded", want[ROUND_NONE], 2, 2);
    }
    expect_row(&st, "mark:b", 2.5, 2, 2); /* (3 + 2) / 2: rounding is of the whole */
}

/* a 3 on 1..5; b, less is better, 2 on 1..5, which counts as 1 + 5 - 2 = 4: (3 + 4) / 2. The row
 * of b itself shows the mark as it was given. */
static void less_may_be_better(void **state)
{
    static const int answers[] = {1};
    static const struct said said = {0, 0, JO, 0, {3, 2}};
    struct world *w = *state;
    struct dimension dims[] = {dimension("a", 1, 5, 1), dimension("b", 1, 5, 1)};
    struct suite suite = suite_of(w->arena, dims, COUNT(dims), mean);
    struct stage st = stage_new(w, &suite, answers, 1);

    dims[1].lower_is_better = true;
    say(&st, &said);
    expect_row(&st, "score", 3.5, 1, 1);
    expect_row(&st, "mark:b", 2, 1, 1);
}

/* jo says 9, 6, 6, mean 7; kim says 3: (7 + 3) / 2 = 5. (The mean of the marks would be 6.) */
static void judges_weigh_the_same(void **state)
{
    static const int answers[] = {1};
    static const struct said said[] = {
        {0, 0, JO, 0, {9}}, {0, 0, KIM, 0, {3}}, {0, 0, JO, 1, {6}}, {0, 0, JO, 2, {6}}};
    struct world *w = *state;
    struct suite suite = plain_suite(w->arena, mean);
    struct stage st = stage_new(w, &suite, answers, 1);

    say_all(&st, said, COUNT(said));
    expect_row(&st, "score", 5, 1, 1);
    expect_row(&st, "total:q", 24, 4, 0);
}

/* ---- rules ---- */

static void flag_put(const struct stage *st, int item, enum rule_kind kind)
{
    struct err e;

    assert_ok(store_flag_put(st->w->store, st->w->run.id, st->samples[item][0],
                             suite_rule_name(kind), 1, STR("{}"), &e));
}

/* Every flag of the item. */
static void overrule(const struct stage *st, int item)
{
    struct flag_list flags;
    struct err e;

    assert_ok(store_flag_list(st->w->arena, st->w->store, st->w->run.id, &flags, &e));
    for (size_t i = 0; i < flags.n; i++)
        if (flags.v[i].sample == st->samples[item][0])
            assert_ok(store_flag_act(st->w->store, st->w->run.id,
                                     &(struct flag_act){flags.v[i].id, false, "kay", "so it is"},
                                     &e));
}

struct values {
    const struct stage *st;
    double v[ITEMS_MAX];
    const char *rules[ITEMS_MAX];
};

static enum status keep_value(void *user, const struct score_value *v, struct err *e)
{
    struct values *all = user;

    (void)e;
    for (size_t i = 0; i < ITEMS_MAX; i++) {
        if (all->st->samples[i][0] != v->sample)
            continue;
        all->v[i] = v->value;
        all->rules[i] = v->rule;
    }
    return OK;
}

static void assert_ruled(const struct values *v, int item, double value, const char *rule)
{
    assert_near(v->v[item], value);
    if (rule)
        assert_string_equal(v->rules[item], rule);
    else
        assert_null(v->rules[item]);
}

/* i0 8, zero: 0; i1 8, cap 5: 5; i2 8, note: 8; i3 8, zero but overruled: 8; i4 3, cap 5: 3.
 * (0 + 5 + 8 + 8 + 3) / 5 = 4.8. */
static void rules_act(void **state)
{
    static const int answers[] = {1, 1, 1, 1, 1};
    static const struct said said[] = {{0, 0, JO, 0, {8}},
                                       {1, 0, JO, 0, {8}},
                                       {2, 0, JO, 0, {8}},
                                       {3, 0, JO, 0, {8}},
                                       {4, 0, JO, 0, {3}}};
    struct world *w = *state;
    struct suite suite = plain_suite(w->arena, mean);
    struct stage st = stage_new(w, &suite, answers, 5);
    struct values v = {.st = &st};
    struct err e;

    suite.rules.of[RULE_DUPLICATE] = (struct rule){.on = true, .effect = EFFECT_ZERO};
    suite.rules.of[RULE_MARKUP] = (struct rule){.on = true, .effect = EFFECT_CAP, .cap = 5};
    suite.rules.of[RULE_LEAK] = (struct rule){.on = true, .effect = EFFECT_NOTE};
    say_all(&st, said, COUNT(said));
    flag_put(&st, 0, RULE_DUPLICATE);
    flag_put(&st, 1, RULE_MARKUP);
    flag_put(&st, 2, RULE_LEAK);
    flag_put(&st, 3, RULE_DUPLICATE);
    flag_put(&st, 4, RULE_MARKUP);
    overrule(&st, 3);
    assert_ok(
        score_value_each(w->store, &w->run, &suite, &(struct jury){.key = ""}, keep_value, &v, &e));
    assert_ruled(&v, 0, 0, "duplicate");
    assert_ruled(&v, 1, 5, "markup");
    assert_ruled(&v, 2, 8, NULL);
    assert_ruled(&v, 3, 8, NULL);
    assert_ruled(&v, 4, 3, NULL); /* the cap changed nothing */
    expect_row(&st, "score", 4.8, 5, 5);
    expect_row(&st, "mark:q", 7, 5, 5); /* what the judge said: 35 / 5 */
    expect_row(&st, "flag:duplicate", 1, 5, 0);
    expect_row(&st, "flag:markup", 2, 5, 0);
    expect_row(&st, "flag:leak", 1, 5, 0);
}

/* ---- what is missing ---- */

/* i0 8; i1 could not be read, twice; i2 nobody has spoken about, and a rule would make it 0. */
static void what_has_no_mark_is_no_zero(void **state)
{
    static const int answers[] = {1, 1, 1};
    static const struct said said[] = {
        {0, 0, JO, 0, {8}}, {1, 0, JO, 0, {NAN}}, {1, 0, KIM, 0, {NAN}}};
    struct world *w = *state;
    struct suite suite = plain_suite(w->arena, mean);
    struct stage st = stage_new(w, &suite, answers, 3);

    suite.rules.of[RULE_DUPLICATE] = (struct rule){.on = true, .effect = EFFECT_ZERO};
    say_all(&st, said, COUNT(said));
    flag_put(&st, 2, RULE_DUPLICATE);
    expect_row(&st, "score", 8, 1, 1);
    expect_row(&st, "unscored", 1, 3, 0);
    expect_row(&st, "unjudged", 1, 3, 0);
}

/* i0 8; i1 without an answer. Noted it stays unscored; 0 it is only because the suite says so, and
 * once nothing is left to judge: (8 + 0) / 2. The marks are the judge's, and know nothing of it. */
static void silence_is_what_the_suite_says(void **state)
{
    static const int answers[] = {1, 0};
    static const struct said said = {0, 0, JO, 0, {8}};
    struct world *w = *state;
    struct suite suite = plain_suite(w->arena, mean);
    struct stage st = stage_new(w, &suite, answers, 2);
    struct rule *empty = &suite.rules.of[RULE_EMPTY];
    struct score_list l;

    flag_put(&st, 1, RULE_EMPTY);
    *empty = (struct rule){.on = true, .effect = EFFECT_ZERO};
    l = scores_of(&st);
    assert_null(score_find(&l, "model/ann", "score")); /* nobody has judged anything */
    say(&st, &said);
    expect_row(&st, "score", 4, 2, 2);
    expect_row(&st, "mark:q", 8, 1, 1);
    expect_row(&st, "unjudged", 0, 1, 0);
    expect_row(&st, "failed", 5, 6, 0); /* the others were never asked in vain: no flag, no 0 */
    expect_row(&st, "flag:empty", 1, 6, 0);
    empty->effect = EFFECT_NOTE;
    expect_row(&st, "score", 8, 1, 1);
    empty->effect = EFFECT_ZERO;
    plan_verdict(&st, &(struct said){0, 0, KIM, 0, {0}});
    expect_row(&st, "score", 8, 1, 1);
    say(&st, &(struct said){0, 0, KIM, 0, {6}});
    expect_row(&st, "score", 3.5, 2, 2);
    overrule(&st, 1);
    expect_row(&st, "score", 7, 1, 1);
}

/* One judge who could be read is enough: i0 is 6, and not unscored. */
static void one_judge_of_two_is_enough(void **state)
{
    static const int answers[] = {1};
    static const struct said said[] = {{0, 0, JO, 0, {NAN}}, {0, 0, KIM, 0, {6}}};
    struct world *w = *state;
    struct suite suite = plain_suite(w->arena, mean);
    struct stage st = stage_new(w, &suite, answers, 1);

    say_all(&st, said, COUNT(said));
    expect_row(&st, "score", 6, 1, 1);
    expect_row(&st, "unscored", 0, 1, 0);
}

/* Four answers, of which two are judged. */
static void half_a_run_says_so(void **state)
{
    static const int answers[] = {2, 2};
    static const struct said said[] = {{0, 0, JO, 0, {4}}, {0, 1, JO, 0, {6}}};
    struct world *w = *state;
    struct suite suite = plain_suite(w->arena, mean);
    struct stage st = stage_new(w, &suite, answers, 2);

    say_all(&st, said, COUNT(said));
    expect_row(&st, "score", 5, 2, 1);
    expect_row(&st, "unjudged", 2, 4, 0);
    expect_row(&st, "unscored", 0, 4, 0);
}

static void without_judges_there_is_no_score(void **state)
{
    static const int answers[] = {1, 1};
    struct world *w = *state;
    struct suite suite = plain_suite(w->arena, mean);
    struct stage st = stage_new(w, &suite, answers, 2);
    struct score_list l = scores_of(&st);
    struct score_row row = row_of(&st, "unjudged");

    assert_null(score_find(&l, "model/ann", "score"));
    assert_null(score_find(&l, "model/ann", "mark:q"));
    assert_row(&row, 2, 2, 0);
}

/* ---- intervals ---- */

static struct score_row score_of_marks(struct world *w, const double *marks, int n)
{
    static const int answers[] = {1, 1, 1, 1, 1};
    struct suite suite = plain_suite(w->arena, mean);
    struct stage st = stage_new(w, &suite, answers, n);

    for (int i = 0; i < n; i++)
        say(&st, &(struct said){i, 0, JO, 0, {marks[i]}});
    return row_of(&st, "score");
}

/* Method M of math/interval.h on a scale from 0 to 10, by another program. */
static void intervals_are_of_items(void **state)
{
    static const double marks[] = {2, 4, 5, 9, 5};
    struct score_row row = score_of_marks(*state, marks, COUNT(marks));

    assert_row(&row, 5, 5, 5);
    assert_near(row.lo, 2.193526060688643);
    assert_near(row.hi, 7.806473939311357);
    assert_string_equal(row.method, "M, items");
}

static void intervals_end_where_the_scale_does(void **state)
{
    static const double marks[] = {10, 10, 9, 10, 10};
    struct score_row row = score_of_marks(*state, marks, COUNT(marks));

    assert_near(row.lo, 7.402687399605066);
    assert_near(row.hi, 9.98974134112);
}

static void intervals_begin_where_the_scale_does(void **state)
{
    static const double marks[] = {0, 0, 1, 0, 0};
    struct score_row row = score_of_marks(*state, marks, COUNT(marks));

    assert_near(row.lo, 0.01025865888);
    assert_near(row.hi, 2.597312600394921);
}

static void one_item_has_no_interval(void **state)
{
    static const double marks[] = {7};
    struct score_row row = score_of_marks(*state, marks, COUNT(marks));

    assert_row(&row, 7, 1, 1);
    assert_true(isnan(row.lo) && isnan(row.hi));
}

/* ---- order ---- */

/* Numbers whose sums depend on the order in which they are added. */
static const struct said awkward[] = {
    {0, 0, JO, 0, {0.1, 9.7}},  {0, 0, JO, 1, {0.2, 1e-9}}, {0, 0, JO, 2, {0.3, 3.3}},
    {0, 0, KIM, 0, {0.7, 2.9}}, {0, 0, KIM, 1, {0.1, 0.6}}, {0, 1, KIM, 0, {9.9, 0.3}},
    {0, 1, JO, 0, {1e-7, 0.7}}, {1, 0, JO, 0, {3.3, 6.7}},  {1, 0, KIM, 0, {0.6, 1.1}},
    {1, 1, JO, 0, {8.1, 0.2}},  {2, 0, KIM, 0, {2.2, 4.7}}, {2, 1, JO, 0, {0.9, 7.3}}};

/* The scores of a store of its own, in which verdict i was stored as number (first + i * step). */
static struct score_list scores_in_order(struct arena *a, bool postgres, size_t first, size_t step)
{
    static const int answers[] = {2, 2, 2};
    struct dimension *dims = NEW_N(a, struct dimension, 2);
    struct suite suite = suite_of(a, dims, 2, mean);
    struct facts *facts;
    struct score_list l;
    struct jury jury;
    struct stage st;
    void *world;
    struct err e;

    dims[0] = dimension("a", 0, 10, 3);
    dims[1] = dimension("b", 0, 10, 1);
    assert_int_equal(world_new(&world, postgres), 0);
    st = stage_new(world, &suite, answers, 3);
    for (size_t i = 0; i < COUNT(awkward); i++)
        say(&st, &awkward[(first + i * step) % COUNT(awkward)]);
    assert_ok(jury_find(a, st.w->store, st.w->run.id, NULL, &jury, &e));
    assert_ok(facts_read(st.w->store, st.w->run.id, &facts, &e));
    assert_ok(score_compute(a, st.w->store, &st.w->run, &suite, facts, &jury, &l, &e));
    facts_free(facts);
    assert_int_equal(world_free(&world), 0);
    return l;
}

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static void order_changes_no_bit(void **state)
{
    static const size_t orders[][2] = {{11, 11}, {0, 5}, {3, 7}, {6, 1}}; /* 11: backwards */
    struct world *w = *state;
    bool postgres = strncmp(w->url, "postgresql:", 11) == 0;
    struct score_list want = scores_in_order(w->arena, postgres, 0, 1);

    assert_true(want.n > 10);
    for (size_t k = 0; k < COUNT(orders); k++) {
        struct score_list got = scores_in_order(w->arena, postgres, orders[k][0], orders[k][1]);
        assert_int_equal(got.n, want.n);
        for (size_t i = 0; i < want.n; i++) {
            assert_string_equal(got.v[i].metric, want.v[i].metric);
            if (!same_bits(got.v[i].value, want.v[i].value) ||
                !same_bits(got.v[i].lo, want.v[i].lo) || !same_bits(got.v[i].hi, want.v[i].hi))
                fail_msg("order %zu: %s %s is another", k, want.v[i].subject, want.v[i].metric);
        }
    }
}

#define TESTS(setup)                                                                               \
    WORLD_TEST(items_weigh_the_same, setup), WORLD_TEST(sums_are_divided, setup),                  \
        WORLD_TEST(sums_do_not_count_gaps_as_zero, setup),                                         \
        WORLD_TEST(totals_count_answers, setup), WORLD_TEST(weighted_means_are_rounded, setup),    \
        WORLD_TEST(bands_are_rounded_once, setup), WORLD_TEST(less_may_be_better, setup),          \
        WORLD_TEST(judges_weigh_the_same, setup), WORLD_TEST(rules_act, setup),                    \
        WORLD_TEST(what_has_no_mark_is_no_zero, setup),                                            \
        WORLD_TEST(silence_is_what_the_suite_says, setup),                                         \
        WORLD_TEST(one_judge_of_two_is_enough, setup), WORLD_TEST(half_a_run_says_so, setup),      \
        WORLD_TEST(without_judges_there_is_no_score, setup),                                       \
        WORLD_TEST(intervals_are_of_items, setup),                                                 \
        WORLD_TEST(intervals_end_where_the_scale_does, setup),                                     \
        WORLD_TEST(intervals_begin_where_the_scale_does, setup),                                   \
        WORLD_TEST(one_item_has_no_interval, setup), WORLD_TEST(order_changes_no_bit, setup)

WORLD_MAIN("score", TESTS)
