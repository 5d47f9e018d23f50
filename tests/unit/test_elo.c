/* Elo: hand-made vectors and the golden scores of another library. */
/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <math.h>

#include "base/csv.h"
#include "eval/battle.h"
#include "math/elo.h"
#include "unit/reference.h"

static void near(double got, double expected, double within)
{
    if (!(fabs(got - expected) <= within))
        fail_msg("%.12g is not %.12g", got, expected);
}

static void one_battle(void **state)
{
    struct duel win = {0, 1, 0, DUEL_WON, 1}, loss = {0, 1, 0, DUEL_LOST, 1};
    double even[2] = {1000, 1000}, uneven[2] = {1200, 1000};

    (void)state;
    elo_play(even, &win, 1, NULL, 4);
    near(even[0], 1002, 1e-12);
    near(even[1], 998, 1e-12);
    near(elo_expected(1200, 1000), 0.7597469266, 1e-10);
    elo_play(uneven, &loss, 1, NULL, 32);
    near(uneven[0], 1175.6880983, 1e-7);
    near(uneven[1], 1024.3119017, 1e-7);
}

/* pizza > burger, burger < sushi, pizza = sushi, K = 30. */
static void three_foods(void **state)
{
    struct duel duels[] = {
        {0, 1, 0, DUEL_WON, 1}, {1, 2, 1, DUEL_LOST, 1}, {0, 2, 2, DUEL_TIED, 1}};
    double r[3] = {1000, 1000, 1000}, other[3] = {1000, 1000, 1000};
    size_t order[] = {2, 1, 0};

    (void)state;
    elo_play(r, duels, 3, NULL, 30);
    near(r[0], 1014.9720582, 1e-7);
    near(r[1], 970.6472000, 1e-7);
    near(r[2], 1014.3807418, 1e-7);
    elo_play(other, duels, 3, order, 30);
    assert_true(fabs(other[0] - r[0]) > 0.1); /* the order matters */
    near(other[0] + other[1] + other[2], 3000, 1e-9);
}

static void check_golden(struct arena *a, const char *battles, const char *golden)
{
    AUTO(battle_done) struct battle_set set = {0};
    AUTO(csv_close) struct csv c = {0};
    struct err e = {0};
    double *r, checked = 0, score;
    bool more = true;

    assert_int_equal(battle_read(a, battles, NULL, &set, &e), OK);
    r = NEW_N(a, double, set.models);
    for (size_t i = 0; i < set.models; i++)
        r[i] = ELO_START;
    elo_play(r, set.v, set.n, NULL, ELO_K);
    assert_int_equal(csv_open(&c, golden, 4096, &e), OK);
    while (csv_next(&c, &more, &e) == OK && more)
        for (size_t i = 0; i < set.models; i++)
            if (str_is(c.fields[0], "elo") && str_is(c.fields[1], set.names[i])) {
                assert_true(str_double(c.fields[2], &score));
                near(r[i], score, 1e-8);
                checked++;
            }
    near(checked, (double)set.models, 0);
}

static void golden(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    const char *food = reference_file(a, "evalica/food.csv");

    (void)state;
    if (!food)
        skip();
    check_golden(a, food, file_beside(a, food, "food-golden.csv"));
    check_golden(a, file_beside(a, food, "simple.csv"), file_beside(a, food, "simple-golden.csv"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_battle),
        cmocka_unit_test(three_foods),
        cmocka_unit_test(golden),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
