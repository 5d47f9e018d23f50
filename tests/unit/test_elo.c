/* Elo: hand-made vectors and the golden scores of another library. */
/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <math.h>

#include "math/elo.h"
#include "unit/golden_scores.h"

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

static void play(struct arena *a, const struct battle_set *set, double *scores)
{
    (void)a;
    for (size_t i = 0; i < set->models; i++)
        scores[i] = ELO_START;
    elo_play(scores, set->v, set->n, NULL, ELO_K);
}

static void golden(void **state)
{
    (void)state;
    golden_scores(&(struct golden_method){"elo", play, 1e-8});
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
