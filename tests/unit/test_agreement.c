/* Agreement of the judges of a run. Numbers were computed with a program of its own from the
 * definition in Krippendorff 2011. */
/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <math.h>

#include "gauge/agreement.h"
#include "store_world.h"

static void script(struct world *w, const char *sql)
{
    struct err e;

    assert_ok(db_script(w->store->db, sql, &e));
}

/* A verdict of a judge on the answer to an item. */
static void verdict(struct world *w, const struct party *judge, int item, int repeat, double tone,
                    double wit)
{
    script(w, arena_printf(w->arena,
                           "INSERT INTO verdict (run, judge, sample, repeat, state) SELECT %lld, "
                           "%lld, s.id, %d, 'done' FROM sample s JOIN item i ON i.id = s.item "
                           "WHERE i.name = 'i%d' AND s.run = %lld",
                           (long long)w->run.id, (long long)judge->id, repeat, item,
                           (long long)w->run.id));
    script(w, arena_printf(w->arena,
                           "INSERT INTO mark (verdict, dimension, value) SELECT MAX(id), 'tone', "
                           "%g FROM verdict; INSERT INTO mark (verdict, dimension, value) SELECT "
                           "MAX(id), 'wit', %g FROM verdict",
                           tone, wit));
}

/* Four answers and judges jo, kim and lee. */
static struct party_list panel(struct world *w)
{
    struct party_list l = {NEW_N(w->arena, struct party, 3), 3};
    struct err e;

    world_run(w, 4);
    script(w, arena_printf(w->arena,
                           "INSERT INTO sample (run, model, item, repeat, state, answer) SELECT "
                           "run, %lld, id, 0, 'done', 'x' FROM item WHERE run = %lld",
                           (long long)w->models[0].id, (long long)w->run.id));
    l.v[0] = w->judge;
    for (size_t i = 1; i < 3; i++) {
        l.v[i] = w->judge;
        l.v[i].name = i == 1 ? "kim" : "lee";
        assert_ok(store_party_put(w->store, PARTY_JUDGE, w->run.id, &l.v[i], &e));
    }
    return l;
}

/* i0: jo 1,5  kim 1,4  lee 0.5,5
 * i1: jo 0,1  kim 0.5,1 (the mean of 0,0 and 1,2)
 * i2: jo 0.5,3         lee 0,0
 * i3: jo 1,2 alone */
static void judges_are_compared_by_answer_and_dimension(void **state)
{
    struct world *w = *state;
    struct party_list judges = panel(w);
    struct suite suite = world_suite(w->arena);
    struct jury jury = {.key = "", .members = judges};
    AUTO(facts_freep) struct facts *facts = NULL;
    struct agreement g;
    struct err e;

    verdict(w, &judges.v[0], 0, 0, 1, 5);
    verdict(w, &judges.v[1], 0, 0, 1, 4);
    verdict(w, &judges.v[2], 0, 0, 0.5, 5);
    verdict(w, &judges.v[0], 1, 0, 0, 1);
    verdict(w, &judges.v[1], 1, 0, 0, 0);
    verdict(w, &judges.v[1], 1, 1, 1, 2);
    verdict(w, &judges.v[0], 2, 0, 0.5, 3);
    verdict(w, &judges.v[2], 2, 0, 0, 0);
    verdict(w, &judges.v[0], 3, 0, 1, 2);
    assert_ok(facts_read(w->store, w->run.id, &facts, &e));
    assert_ok(agreement_measure(w->arena, facts, &suite.instrument, &jury, &g, &e));
    assert_int_equal(g.units, 6);
    assert_float_equal(g.alpha, 0.511331, 1e-6);
    assert_int_equal(g.judges[0].units, 6);
    assert_float_equal(g.judges[0].alpha, 0.529159, 1e-6);
    assert_int_equal(g.judges[1].units, 4);
    assert_float_equal(g.judges[1].alpha, 0.749852, 1e-6);
    assert_int_equal(g.judges[2].units, 4);
    assert_float_equal(g.judges[2].alpha, 0.410835, 1e-6);
}

static void one_judge_agrees_with_nobody(void **state)
{
    struct world *w = *state;
    struct party_list judges = panel(w);
    struct suite suite = world_suite(w->arena);
    struct jury jury = {.key = "", .members = judges};
    AUTO(facts_freep) struct facts *facts = NULL;
    struct agreement g;
    struct err e;

    verdict(w, &judges.v[0], 0, 0, 1, 5);
    jury.members.n = 1;
    assert_ok(facts_read(w->store, w->run.id, &facts, &e));
    assert_ok(agreement_measure(w->arena, facts, &suite.instrument, &jury, &g, &e));
    assert_true(isnan(g.alpha));
    assert_true(isnan(g.judges[0].alpha));
    assert_int_equal(g.units, 0);
}

#define TESTS(setup)                                                                               \
    WORLD_TEST(judges_are_compared_by_answer_and_dimension, setup),                                \
        WORLD_TEST(one_judge_agrees_with_nobody, setup)

WORLD_MAIN("agreement", TESTS)
