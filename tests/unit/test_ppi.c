/* Few human and many machine ratings together: a vector computed independently, and what must hold
 * for any data. */
/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include "base/rng.h"
#include "math/ppi.h"
#include "unit/near.h"

enum { HUMAN = 10, MACHINE = 200 };

static const double human[HUMAN] = {1, 0, 1, 1, 0, 1, 1, 0, 1, 1};
static const double both[HUMAN] = {.9, .4, .8, .6, .3, .9, .7, .5, .9, .8};

static struct ppi_data data(double *machine)
{
    static const double cycle[] = {.2, .9, .8, .7, .6, .4, .9, .8, .7, .3,
                                   .5, .9, .6, .8, .7, .2, .9, .4, .6, .7};

    for (size_t i = 0; i < MACHINE; i++)
        machine[i] = cycle[i % COUNT(cycle)];
    return (struct ppi_data){
        .human = human, .both = {both, NULL, HUMAN}, .machine = {machine, NULL, MACHINE}};
}

static void the_vector(void **state)
{
    double machine[MACHINE];
    struct ppi_data d = data(machine);
    struct ppi p = ppi_mean_at(&d, 0, 0.95);

    (void)state;
    assert_near(p.mean.value, 0.7, 1e-12);
    assert_near(p.mean.low, 0.4006106, 5e-8);
    assert_near(p.mean.high, 0.9993894, 5e-8);
    p = ppi_mean_at(&d, 1, 0.95);
    assert_near(p.mean.value, 0.65, 1e-12);
    assert_near(p.mean.se, 0.0988072, 5e-8);
    assert_near(p.mean.low, 0.4563414, 5e-8);
    assert_near(p.mean.high, 0.8436586, 5e-8);
    assert_near(ppi_lambda(&d), 1.7727209, 5e-8);
    p = ppi_mean_at(&d, ppi_lambda(&d), 0.95);
    assert_near(p.mean.value, 0.6113640, 5e-8);
    assert_near(p.mean.se, 0.0791048, 5e-8);
    p = ppi_mean(&d, 0.95); /* cut to 1 */
    assert_near(p.lambda, 1, 0);
    assert_near(p.mean.se, 0.0988072, 5e-8);
}

/* A machine that says the same of everything, or nothing at all, changes nothing. */
static void a_machine_without_news(void **state)
{
    static const double flat[HUMAN] = {.5, .5, .5, .5, .5, .5, .5, .5, .5, .5};
    struct ppi_data d = {.human = human, .both = {flat, NULL, HUMAN}, .machine = {flat, NULL, 10}};
    struct ppi p = ppi_mean(&d, 0.95);

    (void)state;
    assert_near(p.lambda, 0, 0);
    assert_near(p.mean.value, 0.7, 1e-12);
    d.machine.n = 0;
    p = ppi_mean(&d, 0.95);
    assert_near(p.mean.low, 0.4006106, 5e-8);
    d.both.n = 1;
    assert_true(isnan(ppi_mean(&d, 0.95).mean.se));
}

/* Each item a cluster of its own: the same but for the factor of small samples. */
static void clusters_of_one(void **state)
{
    double machine[MACHINE];
    uint32_t first[HUMAN], second[MACHINE];
    struct ppi_data d = data(machine);
    struct ppi alone = ppi_mean_at(&d, 0.7, 0.95), apart;

    (void)state;
    for (uint32_t i = 0; i < HUMAN; i++)
        first[i] = i;
    for (uint32_t i = 0; i < MACHINE; i++)
        second[i] = HUMAN + i;
    d.both.cluster = first;
    d.machine.cluster = second;
    d.clusters = HUMAN + MACHINE;
    apart = ppi_mean_at(&d, 0.7, 0.95);
    assert_near(apart.mean.value, alone.mean.value, 1e-12);
    assert_near(apart.mean.se / alone.mean.se, sqrt(0.9 * 210 / 209), 0.01);
    assert_int_equal(apart.mean.clusters, 210);
}

/* Everything twice, in clusters of two, is as good as once; a system against itself differs by
 * nothing, surely. */
static void clusters_are_not_news(void **state)
{
    double machine[MACHINE], y[2 * HUMAN], f[2 * HUMAN], m[2 * MACHINE];
    uint32_t one[HUMAN + MACHINE], first[2 * HUMAN], second[2 * MACHINE];
    struct ppi_data d = data(machine), twice;
    struct interval none;

    (void)state;
    for (uint32_t i = 0; i < HUMAN + MACHINE; i++)
        one[i] = i;
    for (uint32_t i = 0; i < 2 * HUMAN; i++) {
        first[i] = i / 2;
        y[i] = human[i / 2];
        f[i] = both[i / 2];
    }
    for (uint32_t i = 0; i < 2 * MACHINE; i++) {
        second[i] = HUMAN + i / 2;
        m[i] = machine[i / 2];
    }
    d.clusters = HUMAN + MACHINE;
    d.both.cluster = one;
    d.machine.cluster = one + HUMAN;
    twice = (struct ppi_data){y, {f, first, 2 * HUMAN}, {m, second, 2 * MACHINE}, d.clusters};
    assert_near(ppi_lambda(&twice), ppi_lambda(&d), 1e-12);
    assert_near(ppi_mean(&twice, 0.95).mean.se, ppi_mean(&d, 0.95).mean.se, 1e-12);
    none = ppi_difference(&d, &twice, 0.95);
    assert_near(none.value, 0, 1e-12);
    assert_near(none.se, 0, 1e-12);
    assert_int_equal(none.clusters, d.clusters);
}

static void differences_add_variances(void **state)
{
    double machine[MACHINE];
    struct ppi_data d = data(machine), people = d;
    struct interval i;

    (void)state;
    people.machine.n = 0;
    i = ppi_difference(&d, &people, 0.95);
    assert_near(i.value, 0.65 - 0.7, 1e-12);
    assert_near(i.se, hypot(0.0988072, 0.1527525), 1e-7);
}

/* A biased but informed machine: the interval covers, and is narrower than people alone. */
static void coverage(void **state)
{
    enum { ROUNDS = 400, N = 100, REST = 1000 };
    double y[N], f[N], rest[REST], narrower = 0;
    struct rng r = rng_keyed(11, "ppi", NULL, 0);
    int covered = 0;

    (void)state;
    for (int k = 0; k < ROUNDS; k++) {
        struct ppi_data d = {.human = y, .both = {f, NULL, N}, .machine = {rest, NULL, REST}};
        struct ppi p;
        for (size_t i = 0; i < N + REST; i++) {
            double truth = rng_unit(&r), said = truth + 0.1 + 0.2 * (rng_unit(&r) - 0.5);
            if (i < N) {
                y[i] = truth;
                f[i] = said;
            } else {
                rest[i - N] = said;
            }
        }
        p = ppi_mean(&d, 0.95);
        covered += p.mean.low <= 0.5 && 0.5 <= p.mean.high;
        narrower += p.mean.se / ppi_mean_at(&d, 0, 0.95).mean.se / ROUNDS;
    }
    assert_true(covered >= 0.92 * ROUNDS && covered <= 0.98 * ROUNDS);
    assert_true(narrower < 0.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_vector),
        cmocka_unit_test(a_machine_without_news),
        cmocka_unit_test(clusters_of_one),
        cmocka_unit_test(clusters_are_not_news),
        cmocka_unit_test(differences_add_variances),
        cmocka_unit_test(coverage),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
