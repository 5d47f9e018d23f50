/* Battles: planned between answered samples, shown in an order that the seed draws, rated. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "eval/adaptive.h"
#include "eval/derive.h"
#include "eval/score.h"
#include "store/store_pair.h"
#include "store_world.h"
#include "suite/mark.h"

enum { ITEMS = 3, REPEATS = 2 };

static struct suite pair_suite(struct arena *a, bool both)
{
    static const struct str criteria[] = {{"voice", 5}};
    struct suite s = world_suite(a);

    s.instrument = (struct instrument){
        .kind = INSTRUMENT_PAIR, .criteria = criteria, .ncriteria = 1, .both_orders = both};
    s.score = (struct score_spec){.kind = SCORE_RATING, .glicko = true};
    return s;
}

/* The next run in the store, with these models and judge "jo"; a transaction is open. */
static void start_with(struct world *w, bool both, const char *first, const char *second)
{
    struct suite suite = pair_suite(w->arena, both);
    struct err e;

    world_run(w, ITEMS);
    w->run.frozen = str_of(suite_freeze(w->arena, &suite));
    w->run.seed = 7;
    assert_ok(store_begin(w->store, &e));
    assert_ok(store_run_next(w->store, w->run.key, &w->run.generation, &e));
    assert_ok(store_run_add(w->arena, w->store, &w->run, &e));
    w->models[0].name = first;
    w->models[1].name = second;
    for (size_t i = 0; i < 2; i++)
        assert_ok(store_party_put(w->store, PARTY_MODEL, w->run.id, &w->models[i], &e));
    assert_ok(store_party_put(w->store, PARTY_JUDGE, w->run.id, &w->judge, &e));
    world_items(w, ITEMS);
}

static void start(struct world *w, bool both)
{
    struct err e;

    start_with(w, both, "ann", "bob");
    store_rollback(w->store);
    assert_ok(store_worker_start(w->store, &e));
    start_with(w, both, "ann", "bob");
}

static int64_t add_model(struct world *w, const char *name)
{
    struct party p = {.name = name, .family = "", .config = STR("{}")};
    struct err e;

    assert_ok(store_party_put(w->store, PARTY_MODEL, w->run.id, &p, &e));
    return p.id;
}

/* Every item and repeat of a model, answered; ids of the samples. */
static const int64_t *answer(struct world *w, int64_t model)
{
    int64_t *ids = NEW_N(w->arena, int64_t, ITEMS * REPEATS);
    struct leased_list l;
    struct err e;

    for (int64_t repeat = 0; repeat < REPEATS; repeat++)
        assert_ok(store_plan_samples(w->store, w->run.id, model, repeat, &e));
    assert_ok(store_lease(w->arena, w->store, PARTY_MODEL, model, 100, &(int64_t){0}, &l, &e));
    assert_int_equal(l.n, ITEMS * REPEATS);
    for (size_t i = 0; i < l.n; i++) {
        struct sample_result r = {.id = l.v[i].id,
                                  .state = STATE_DONE,
                                  .answer =
                                      str_of(arena_printf(w->arena, "%lld", (long long)model)),
                                  .spent = {.cost = NAN}};
        assert_ok(store_sample_end(w->store, &r, &e));
        ids[i] = r.id;
    }
    return ids;
}

static int64_t plan(struct world *w, bool both, const char *family)
{
    struct verdict_plan p = {.run = w->run.id,
                             .judge = w->judge.id,
                             .family = family,
                             .both_orders = both,
                             .seed = w->run.seed};
    struct err e;
    int64_t n;

    assert_ok(store_plan_pairs(w->store, &p, &n, &e));
    return n;
}

/* ---- planning ---- */

static void every_pair_is_planned_once(void **state)
{
    struct world *w = *state;
    int64_t cy;

    start(w, false);
    answer(w, w->models[0].id);
    assert_int_equal(plan(w, false, ""), 0); /* nobody to meet */
    answer(w, w->models[1].id);
    assert_int_equal(plan(w, false, ""), ITEMS * REPEATS);
    assert_int_equal(plan(w, false, ""), 0);
    /* A model that comes later meets both; nothing old is played again. */
    cy = add_model(w, "cy");
    answer(w, cy);
    assert_int_equal(plan(w, false, ""), 2 * ITEMS * REPEATS);
    assert_int_equal(plan(w, false, ""), 0);
    store_rollback(w->store);
}

static void both_orders_are_planned(void **state)
{
    struct world *w = *state;

    start(w, true);
    answer(w, w->models[0].id);
    answer(w, w->models[1].id);
    assert_int_equal(plan(w, true, ""), 2 * ITEMS * REPEATS);
    assert_int_equal(plan(w, true, ""), 0);
    store_rollback(w->store);
}

static void a_family_is_left_out(void **state)
{
    struct world *w = *state;

    start(w, false);
    answer(w, w->models[0].id); /* of the judge's family */
    answer(w, w->models[1].id);
    answer(w, add_model(w, "cy"));
    assert_int_equal(plan(w, false, "x"), ITEMS * REPEATS);
    store_rollback(w->store);
}

static int64_t plan_sample(struct world *w, int64_t sample)
{
    struct verdict_plan p = {.run = w->run.id,
                             .judge = w->judge.id,
                             .family = "",
                             .seed = w->run.seed,
                             .sample = sample};
    struct err e;
    int64_t n;

    assert_ok(store_plan_pairs(w->store, &p, &n, &e));
    return n;
}

/* One sample at a time, as they are answered, plans what planning all at once would. */
static void samples_plan_their_own(void **state)
{
    struct world *w = *state;
    const int64_t *ids;

    start(w, false);
    ids = answer(w, w->models[0].id);
    for (size_t i = 0; i < ITEMS * REPEATS; i++)
        assert_int_equal(plan_sample(w, ids[i]), 0);
    ids = answer(w, w->models[1].id);
    for (size_t i = 0; i < ITEMS * REPEATS; i++)
        assert_int_equal(plan_sample(w, ids[i]), 1);
    ids = answer(w, add_model(w, "cy"));
    for (size_t i = 0; i < ITEMS * REPEATS; i++)
        assert_int_equal(plan_sample(w, ids[i]), 2);
    assert_int_equal(plan(w, false, ""), 0);
    store_rollback(w->store);
}

/* ---- the order shown ---- */

struct sides {
    int64_t first[2], n; /* how often ann, bob stood first */
    char drawn[64];
};

static void draw(struct world *w, struct sides *out)
{
    struct cursor c;
    struct battle_row b;
    struct err e;

    *out = (struct sides){0};
    (void)plan(w, false, "");
    c = store_battles(w->store, w->run.id, NULL, false, &e);
    while (store_battle_next(&c, &b)) {
        bool ann_first = b.a_first == (strcmp(b.a_name, "ann") == 0);
        out->first[!ann_first]++;
        out->drawn[out->n++] = ann_first ? 'a' : 'b';
    }
    assert_ok(cursor_end(&c));
    assert_int_equal(out->n, ITEMS * REPEATS);
}

/* The draw knows seed, names and items, and not which row came first. */
static void sides_follow_from_the_seed(void **state)
{
    struct world *w = *state;
    struct sides one, again, other;

    start(w, false);
    answer(w, w->models[0].id);
    answer(w, w->models[1].id);
    draw(w, &one);
    assert_true(one.first[0] && one.first[1]);
    store_rollback(w->store);

    start_with(w, false, "bob", "ann");
    answer(w, w->models[0].id);
    answer(w, w->models[1].id);
    draw(w, &again);
    assert_string_equal(again.drawn, one.drawn);
    store_rollback(w->store);

    start_with(w, false, "ann", "bob");
    w->run.seed = 8;
    answer(w, w->models[0].id);
    answer(w, w->models[1].id);
    draw(w, &other);
    assert_string_not_equal(other.drawn, one.drawn);
    store_rollback(w->store);
}

/* ---- what follows from verdicts ---- */

/* What a judge says about a battle, and what it then means. */
typedef const char *say_fn(const struct world *w, const struct leased *l, bool *readable);

static void judge_all(struct world *w, say_fn *say)
{
    struct leased_list l;
    struct err e;

    assert_ok(
        store_lease(w->arena, w->store, PARTY_JUDGE, w->judge.id, 1000, &(int64_t){0}, &l, &e));
    for (size_t i = 0; i < l.n; i++) {
        const struct leased *v = &l.v[i];
        struct verdict_result r = {
            .id = v->id, .state = STATE_DONE, .overall = NAN, .spent = {.cost = NAN}};
        bool readable = true;
        int64_t first = v->other_first ? v->other_model : v->model,
                second = v->other_first ? v->model : v->other_model;
        /* Both answers are there: each is the number of its model. */
        assert_true(str_is(v->answer, arena_printf(w->arena, "%lld", (long long)v->model)));
        assert_true(
            str_is(v->other_answer, arena_printf(w->arena, "%lld", (long long)v->other_model)));
        r.choice = say(w, v, &readable);
        r.winner = r.choice[0] == 'A' ? first : r.choice[0] == 'B' ? second : 0;
        if (!readable) {
            r.state = STATE_UNSCORED;
            r.choice = NULL;
            r.fault = "no-verdict";
        }
        assert_ok(store_verdict_end(w->store, &r, &e));
    }
}

static const char *first_shown(const struct world *w, const struct leased *l, bool *readable)
{
    (void)w;
    (void)l;
    (void)readable;
    return "A";
}

/* The model that came first wins, except that one reply of each pair cannot be read. */
static const char *one_unread(const struct world *w, const struct leased *l, bool *readable)
{
    (void)w;
    *readable = !l->other_first;
    return l->other_first ? "B" : "A";
}

static const char *earlier_model(const struct world *w, const struct leased *l, bool *readable)
{
    (void)w;
    (void)readable;
    return l->other_first ? "B" : "A";
}

/* The models that came later meet each other; what they have with the first two is unread. */
static const char *late_pair(const struct world *w, const struct leased *l, bool *readable)
{
    *readable = l->model > w->models[1].id;
    return "A";
}

static double value_of(const struct score_list *l, const char *subject, const char *metric)
{
    const struct score_row *r = score_find(l, subject, metric);

    return r ? r->value : NAN;
}

static struct score_list derived(struct world *w)
{
    AUTO(facts_freep) struct facts *facts = NULL;
    struct score_list l;
    struct suite suite;
    struct jury jury;
    struct err e;

    assert_ok(suite_thaw(w->arena, w->run.frozen, &suite, &e));
    assert_ok(facts_read(w->store, w->run.id, &facts, &e));
    assert_ok(jury_find(w->arena, w->store, w->run.id, NULL, &jury, &e));
    assert_ok(derive_compute(w->arena, w->store, &w->run, &suite, facts, &jury, &l, &e));
    return l;
}

/* A judge that looks at the order alone: every battle is a tie, and the judge is found out. */
static void inconsistent_orders_tie(void **state)
{
    struct world *w = *state;
    struct score_list l;
    const int64_t n = ITEMS * REPEATS;

    start(w, true);
    answer(w, w->models[0].id);
    answer(w, w->models[1].id);
    (void)plan(w, true, "");
    judge_all(w, first_shown);
    l = derived(w);
    assert_true(value_of(&l, "model/ann", "ties") == (double)n);
    assert_true(value_of(&l, "model/bob", "wins") == 0);
    assert_true(value_of(&l, "model/ann", "score") == 1000);
    assert_int_equal(score_find(&l, "model/ann", "score")->n, n);
    assert_int_equal(score_find(&l, "model/ann", "score")->clusters, ITEMS);
    assert_true(value_of(&l, "judge/jo", "inconsistent") == (double)n);
    assert_true(value_of(&l, "judge/jo", "swap-consistency") == 0);
    assert_true(value_of(&l, "judge/jo", "position-bias") == 1);
    assert_true(value_of(&l, "judge/jo", "first-shown") == 1);
    assert_true(fabs(value_of(&l, "judge/jo", "position-bias-p") - 2.0 / 64) < 1e-12);
    assert_non_null(score_find(&l, "model/ann", "glicko2-order"));
    store_rollback(w->store);
}

/* A pair with one of its orders unread is no battle, and is counted as unscored. */
static void half_a_battle_is_none(void **state)
{
    struct world *w = *state;
    struct score_list l;

    start(w, true);
    answer(w, w->models[0].id);
    answer(w, w->models[1].id);
    (void)plan(w, true, "");
    l = derived(w);
    assert_true(value_of(&l, "model/ann", "unjudged") == ITEMS * REPEATS);
    judge_all(w, one_unread);
    l = derived(w);
    assert_null(score_find(&l, "model/ann", "score"));
    assert_true(value_of(&l, "model/ann", "unscored") == ITEMS * REPEATS);
    assert_true(value_of(&l, "model/ann", "unjudged") == 0);
    assert_true(value_of(&l, "judge/jo", "unscored") == ITEMS * REPEATS);
    store_rollback(w->store);
}

/* Models that never met stand in groups of their own. */
static void strangers_are_not_compared(void **state)
{
    struct world *w = *state;
    struct score_list l;

    start(w, false);
    answer(w, w->models[0].id);
    answer(w, w->models[1].id);
    (void)plan(w, false, "");
    judge_all(w, earlier_model);
    l = derived(w);
    assert_null(score_find(&l, "model/ann", "group"));
    assert_true(value_of(&l, "model/ann", "score") > value_of(&l, "model/bob", "score"));
    assert_true(value_of(&l, "model/ann", "wins") == ITEMS * REPEATS);
    answer(w, add_model(w, "cy"));
    answer(w, add_model(w, "di"));
    (void)plan(w, false, "");
    judge_all(w, late_pair);
    l = derived(w);
    assert_true(value_of(&l, "model/ann", "group") == 1);
    assert_true(value_of(&l, "model/bob", "group") == 1);
    assert_true(value_of(&l, "model/cy", "group") == 2);
    assert_non_null(strstr(score_find(&l, "run/ratings", "note:1")->method, "2 groups"));
    assert_true(value_of(&l, "model/ann", "unscored") == 2 * ITEMS * REPEATS);
    store_rollback(w->store);
}

/* ---- battles that are chosen ---- */

static int64_t choose_for(struct world *w, struct pair_goal goal, bool both, bool own_family)
{
    struct suite suite = pair_suite(w->arena, both);
    struct adaptive_how how = {.store = w->store,
                               .run = &w->run,
                               .suite = &suite,
                               .judges = {&w->judge, 1},
                               .goal = goal,
                               .own_family = own_family};
    struct err e;
    int64_t n;

    assert_ok(adaptive_plan(&how, &n, &e));
    return n;
}

static int64_t choose(struct world *w, struct pair_goal goal, bool both)
{
    return choose_for(w, goal, both, true);
}

static void bouts(struct world *w, bool both, struct bouts *out)
{
    struct suite suite = pair_suite(w->arena, both);
    struct err e;

    assert_ok(bouts_read(w->arena,
                         &(struct bouts_want){.store = w->store, .run = w->run.id, .suite = &suite},
                         out, &e));
}

/* Nothing before all answers are there. */
static void chosen_when_all_have_answered(void **state)
{
    const struct pair_goal goal = {.budget = 9, .rd = 40};
    struct world *w = *state;
    struct pair_goal kept;
    struct err e;

    start(w, true);
    assert_ok(store_pair_goal_set(w->store, w->run.id, &goal, &e));
    assert_ok(store_pair_goal(w->store, w->run.id, &kept, &e));
    assert_true(kept.budget == 9 && kept.rd == 40);
    answer(w, w->models[0].id);
    answer(w, w->models[1].id);
    assert_ok(store_plan_samples(w->store, w->run.id, add_model(w, "cy"), 0, &e));
    assert_int_equal(choose(w, goal, true), 0);
    store_rollback(w->store);
}

/* Nothing while verdicts are missing, and never more than the budget; two orders are one battle. */
static void chosen_in_batches(void **state)
{
    const struct pair_goal goal = {.budget = 9};
    struct world *w = *state;
    struct adaptive_state far;
    struct bouts b;
    struct err e;

    start(w, true);
    assert_ok(store_pair_goal_set(w->store, w->run.id, &goal, &e));
    answer(w, w->models[0].id);
    answer(w, w->models[1].id);
    answer(w, add_model(w, "cy"));
    assert_int_equal(choose(w, goal, true), 2 * 4); /* one of three sits out of each matching */
    assert_int_equal(choose(w, goal, true), 0);
    judge_all(w, earlier_model);
    for (int left = 5; left > 0; left--) {
        assert_int_equal(choose(w, goal, true), 2); /* half of three models */
        judge_all(w, earlier_model);
    }
    assert_int_equal(choose(w, goal, true), 0);
    bouts(w, true, &b);
    assert_int_equal(b.nmatches, 9);
    assert_int_equal(b.set.n, 9);
    assert_false(b.open);
    assert_ok(adaptive_measure(w->arena, w->store, w->run.id, &b, &far, &e));
    assert_true(far.chosen && far.judged == 9 && far.possible == 3 * ITEMS * REPEATS);
    assert_true(far.rd > 100 && far.rd < 385 && far.round_robin > 0);
    store_rollback(w->store);
}

/* A deviation that cannot be reached: it ends when every pair has met on everything. */
static void chosen_until_nothing_is_left(void **state)
{
    const struct pair_goal goal = {.rd = 1};
    struct world *w = *state;
    int64_t n, all = 0;

    start(w, false);
    answer(w, w->models[0].id);
    answer(w, w->models[1].id);
    while ((n = choose(w, goal, false)) > 0) {
        all += n;
        judge_all(w, earlier_model);
    }
    assert_int_equal(all, ITEMS * REPEATS);
    assert_int_equal(plan(w, false, ""), 0);
    store_rollback(w->store);
}

/* A judge that leaves its family alone again, after it was let: what is left are the others. */
static void chosen_around_families(void **state)
{
    const struct pair_goal some = {.budget = 2}, all = {.rd = 1};
    struct world *w = *state;
    struct bouts b;
    int64_t cy;

    start(w, false);
    answer(w, w->models[0].id); /* of the judge's family */
    answer(w, w->models[1].id);
    cy = add_model(w, "cy");
    answer(w, cy);
    (void)choose(w, some, false);
    judge_all(w, earlier_model);
    while (choose_for(w, all, false, false) > 0)
        judge_all(w, earlier_model);
    bouts(w, false, &b);
    for (size_t i = 0; i < b.nmatches; i++)
        if (b.models[b.matches[i].a].id == w->models[1].id)
            assert_true(b.models[b.matches[i].b].id == cy);
    assert_true(b.nmatches >= ITEMS * REPEATS && b.nmatches <= ITEMS * REPEATS + 2);
    store_rollback(w->store);
}

/* What one judge was given, another is given too, in the same order shown. */
static void later_judges_see_the_same(void **state)
{
    struct party later = {.name = "ko", .family = "", .config = STR("{}"), .repeats = 1};
    const struct pair_goal goal = {.budget = 3};
    struct world *w = *state;
    struct bouts b;
    struct err e;

    start(w, false);
    answer(w, w->models[0].id);
    answer(w, w->models[1].id);
    assert_int_equal(choose(w, goal, false), 3);
    judge_all(w, earlier_model);
    later.template = w->judge.template;
    assert_ok(store_party_put(w->store, PARTY_JUDGE, w->run.id, &later, &e));
    w->judge = later;
    assert_int_equal(choose(w, goal, false), 3);
    judge_all(w, earlier_model);
    assert_int_equal(choose(w, goal, false), 0);
    bouts(w, false, &b);
    assert_int_equal(b.nmatches, 3);
    assert_int_equal(b.set.n, 6);
    for (size_t i = 0; i < b.set.n; i++)
        assert_true(bouts_weighted(w->arena, &b)[i].weight == 0.5);
    store_rollback(w->store);
}

#define TESTS(setup)                                                                               \
    WORLD_TEST(every_pair_is_planned_once, setup), WORLD_TEST(both_orders_are_planned, setup),     \
        WORLD_TEST(a_family_is_left_out, setup), WORLD_TEST(samples_plan_their_own, setup),        \
        WORLD_TEST(sides_follow_from_the_seed, setup), WORLD_TEST(inconsistent_orders_tie, setup), \
        WORLD_TEST(half_a_battle_is_none, setup), WORLD_TEST(strangers_are_not_compared, setup),   \
        WORLD_TEST(chosen_when_all_have_answered, setup), WORLD_TEST(chosen_in_batches, setup),    \
        WORLD_TEST(chosen_until_nothing_is_left, setup),                                           \
        WORLD_TEST(later_judges_see_the_same, setup), WORLD_TEST(chosen_around_families, setup)

WORLD_MAIN("pair", TESTS)
