/* Few human and many machine ratings together: what must hold for any data. Vectors:
 * test_interval.c
 */
/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include "base/rng.h"
#include "math/crossed.h"
#include "math/ppi.h"
#include "unit/near.h"

/* Raters agree but for noise; the machine follows the items. */
struct world {
    struct cell v[600];
    double machine[400];
    struct ppi_data d;
};

static void make(struct world *w, struct rng *r, size_t rated, size_t items, size_t raters,
                 double severity)
{
    double strict[20];

    for (size_t k = 0; k < raters; k++)
        strict[k] = severity * (rng_unit(r) - 0.5) * sqrt(12);
    w->d = (struct ppi_data){{w->v, 0, items, raters}, w->machine};
    for (uint32_t u = 0; u < items; u++) {
        double truth = rng_unit(r);
        w->machine[u] = truth + 0.1 + 0.2 * (rng_unit(r) - 0.5);
        for (uint32_t k = 0; k < raters && u < rated; k++)
            w->v[w->d.human.n++] =
                (struct cell){u, k, truth + strict[k] + 0.3 * (rng_unit(r) - 0.5)};
    }
}

/* A machine that says the same of everything, or nothing at all, changes nothing. */
static void a_machine_without_news(void **state)
{
    static struct world w;
    struct rng r = rng_keyed(1, "ppi", NULL, 0);
    double sum = 0;
    struct ppi p;

    (void)state;
    make(&w, &r, 20, 100, 3, 0);
    for (size_t i = 0; i < w.d.human.n; i++)
        sum += w.v[i].value / (double)w.d.human.n;
    for (size_t i = 0; i < 100; i++)
        w.machine[i] = 0.5;
    p = ppi_mean(&w.d, interval_unbounded, 0.95);
    assert_near(p.lambda, 0, 0);
    assert_near(p.mean.value, sum, 1e-12);
    w.d.human.units = 20; /* nothing is left for the machine alone */
    make(&w, &r, 20, 20, 3, 0);
    assert_near(ppi_mean(&w.d, interval_unbounded, 0.95).lambda, 0, 0);
}

static void refused(void **state)
{
    static struct world w;
    struct rng r = rng_keyed(1, "ppi", NULL, 0);

    (void)state;
    make(&w, &r, 20, 100, 2, 0);
    assert_int_equal(ppi_mean(&w.d, interval_unbounded, 0.95).mean.why, INTERVAL_FEW_RATERS);
    make(&w, &r, 4, 100, 3, 0);
    assert_int_equal(ppi_mean(&w.d, interval_unbounded, 0.95).mean.why, INTERVAL_FEW_UNITS);
    make(&w, &r, 20, 100, 3, 0);
    for (size_t i = 0; i < 20; i++)
        w.machine[i] += 1; /* people were given the good ones */
    assert_int_equal(ppi_mean(&w.d, interval_unbounded, 0.95).mean.why, INTERVAL_SELECTED);
}

/* A system against itself differs by nothing; two that share items and raters differ by what is
 * their own. */
static void differences(void **state)
{
    static struct world one, two;
    struct rng r = rng_keyed(4, "ppi", NULL, 0);
    struct ppi p;

    (void)state;
    make(&one, &r, 30, 200, 3, 0.4);
    p = ppi_difference(&one.d, &one.d, interval_unbounded, 0.95);
    assert_near(p.mean.value, 0, 1e-12);
    assert_int_equal(p.mean.why, INTERVAL_NO_SPREAD);
    two = one;
    two.d.human.v = two.v;
    two.d.machine = two.machine;
    for (size_t i = 0; i < two.d.human.n; i++)
        two.v[i].value += 0.25 + 0.1 * (rng_unit(&r) - 0.5);
    p = ppi_difference(&two.d, &one.d, interval_unbounded, 0.95);
    assert_true(p.mean.low < 0.25 && 0.25 < p.mean.high);
    assert_true(p.mean.high - p.mean.low < 0.2);
    assert_true(ppi_mean(&one.d, interval_unbounded, 0.95).mean.se > 4 * p.mean.se);
}

/* A biased but informed machine and strict and lenient people: the interval covers, and is
 * narrower than people alone. */
static void coverage(void **state)
{
    enum { ROUNDS = 400 };
    static struct world w;
    struct rng r = rng_keyed(11, "ppi", NULL, 0);
    double narrower = 0;
    int covered = 0;

    (void)state;
    for (int k = 0; k < ROUNDS; k++) {
        struct crossed people;
        struct interval i;
        struct ppi p;
        make(&w, &r, 30, 400, 10, 0.1);
        p = ppi_mean(&w.d, interval_unbounded, 0.95);
        covered += p.mean.low <= 0.5 && 0.5 <= p.mean.high;
        people = crossed_of(&w.d.human, interval_unbounded, 0.95);
        i = crossed_interval(&people, 0.95);
        narrower += (p.mean.high - p.mean.low) / (i.high - i.low) / ROUNDS;
    }
    assert_true(covered >= 0.93 * ROUNDS && covered <= 0.995 * ROUNDS);
    assert_true(narrower < 0.9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_machine_without_news),
        cmocka_unit_test(refused),
        cmocka_unit_test(differences),
        cmocka_unit_test(coverage),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
