/* The rows of interviews: read as they were written, once, by whoever holds the sample. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "store/store_turn.h"
#include "store_world.h"

/* One sample of ann's, leased by us. */
static int64_t leased_sample(struct world *w)
{
    struct leased_list l;
    struct err e;

    world_run(w, 1);
    assert_ok(store_worker_start(w->store, &e));
    assert_ok(store_plan_samples(w->store, w->run.id, w->models[0].id, 0, &e));
    assert_ok(
        store_lease(w->arena, w->store, PARTY_MODEL, w->models[0].id, 9, &(int64_t){0}, &l, &e));
    assert_int_equal(l.n, 1);
    return l.v[0].id;
}

static struct turn question(int64_t position)
{
    return (struct turn){.position = position,
                         .part = 1,
                         .kind = TURN_FACT,
                         .text = STR("你今年多大？\n说实话。"),
                         .fact = "age",
                         .source = TURN_BANK,
                         .tokens_in = -1,
                         .tokens_out = -1,
                         .at_ms = 1000};
}

static struct turn answer(int64_t position)
{
    return (struct turn){.position = position,
                         .part = 2,
                         .speaker = SPEAKER_MODEL,
                         .kind = TURN_ANSWER,
                         .text = STR("Forty, 'give or take'."),
                         .quote = STR("q"),
                         .why = "odd",
                         .thinking = STR("hm"),
                         .finish = "stop",
                         .tokens_in = 12,
                         .tokens_out = 0,
                         .elapsed_ms = 77,
                         .at_ms = 2000,
                         .call = 5};
}

static bool add(struct world *w, int64_t sample, const struct turn_list *turns,
                const struct spent *spent)
{
    struct err e;
    bool ours;

    assert_ok(store_begin(w->store, &e));
    assert_ok(store_turn_add(w->store, sample, turns, &ours, &e));
    assert_ok(store_turn_spent(w->store, sample, spent, &ours, &e));
    assert_ok(store_commit(w->store, &e));
    return ours;
}

static void comes_back_as_written(void **state)
{
    struct world *w = *state;
    int64_t sample = leased_sample(w);
    struct turn two[] = {question(1), answer(2)};
    struct turn_list in = {two, 2}, out;
    struct spent spent = {.tokens_in = 12, .tokens_out = 3, .cost = NAN, .tries = 1};
    struct err e;

    assert_ok(store_turn_list(w->arena, w->store, sample, &out, &e));
    assert_int_equal(out.n, 0);
    assert_true(add(w, sample, &in, &spent));
    assert_ok(store_turn_list(w->arena, w->store, sample, &out, &e));
    assert_int_equal(out.n, 2);
    assert_true(str_eq(out.v[0].text, two[0].text));
    assert_string_equal(out.v[0].fact, "age");
    assert_string_equal(out.v[0].source, TURN_BANK);
    assert_string_equal(out.v[0].why, "");
    assert_int_equal(out.v[0].speaker, SPEAKER_EXAMINER);
    assert_int_equal(out.v[0].tokens_in, -1);
    assert_int_equal(out.v[0].call, 0);
    assert_true(str_eq(out.v[1].text, two[1].text));
    assert_int_equal(out.v[1].speaker, SPEAKER_MODEL);
    assert_int_equal(out.v[1].part, 2);
    assert_string_equal(out.v[1].kind, TURN_ANSWER);
    assert_true(str_is(out.v[1].quote, "q"));
    assert_true(str_is(out.v[1].thinking, "hm"));
    assert_string_equal(out.v[1].why, "odd");
    assert_string_equal(out.v[1].finish, "stop");
    assert_int_equal(out.v[1].tokens_in, 12);
    assert_int_equal(out.v[1].tokens_out, 0);
    assert_int_equal(out.v[1].elapsed_ms, 77);
    assert_int_equal(out.v[1].at_ms, 2000);
    assert_int_equal(out.v[1].call, 5);
}

/* A commit whose answer was lost is tried again: the turn and its cost count once. */
static void counts_once(void **state)
{
    struct world *w = *state;
    int64_t sample = leased_sample(w);
    struct turn one = question(1), other = answer(1);
    struct turn_list in = {&one, 1}, again = {&other, 1}, out;
    struct spent spent = {.tokens_in = 12, .tokens_out = 3, .cost = 0.5, .tries = 1};
    struct purse all = {0};
    struct err e;

    assert_true(add(w, sample, &in, &spent));
    w->store->doubt = true;
    assert_false(add(w, sample, &again, &spent));
    assert_ok(store_turn_list(w->arena, w->store, sample, &out, &e));
    assert_int_equal(out.n, 1);
    assert_string_equal(out.v[0].kind, TURN_FACT);
    assert_ok(store_spent(w->store, w->run.id, &all, &e));
    assert_int_equal(all.tokens, 15);
    assert_float_equal(all.usd, 0.5, 1e-12);
}

static void belongs_to_whoever_holds_the_sample(void **state)
{
    struct world *w = *state;
    int64_t sample = leased_sample(w);
    struct turn one = question(1);
    struct turn_list in = {&one, 1}, out;
    struct spent spent = {.tokens_in = -1, .tokens_out = -1, .cost = NAN};
    struct err e;

    assert_ok(store_unlease(w->store, PARTY_MODEL, &sample, 1, &e));
    (void)add(w, sample, &in, &spent);
    w->store->doubt = true;
    assert_false(add(w, sample, &in, &spent));
    in.n = 0; /* nothing to add is not ours either */
    assert_false(add(w, sample, &in, &spent));
    assert_ok(store_turn_list(w->arena, w->store, sample, &out, &e));
    assert_int_equal(out.n, 0);
}

#define TESTS(setup)                                                                               \
    WORLD_TEST(comes_back_as_written, setup), WORLD_TEST(counts_once, setup),                      \
        WORLD_TEST(belongs_to_whoever_holds_the_sample, setup)

WORLD_MAIN("turns", TESTS)
