/* What a judge likes beside quality: differences counted by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "eval/bias.h"

enum { MODELS = 3, JUDGES = 3, MANY = 200 };

static void near(double got, double expected, double within)
{
    if (!(fabs(got - expected) <= within))
        fail_msg("%.9g is not %.9g", got, expected);
}

/* Models kin (of the family x), ann, bob; judges jo and joe (of the family x), sue. */
struct scene {
    struct bouts b;
    struct bouts_model models[MODELS];
    struct bouts_judge judges[JUDGES];
    const char *names[MODELS];
    uint32_t model[MODELS];
    struct duel duels[MANY];
    struct bouts_fought fought[MANY];
    double style[MANY][STYLE_FEATURES];
};

enum { KIN, ANN, BOB };
enum { JO, JOE, SUE };

static void start(struct scene *s)
{
    static const char *const names[] = {"kin", "ann", "bob"};

    *s = (struct scene){.judges = {{.name = "jo", .family = "x"},
                                   {.name = "joe", .family = "x"},
                                   {.name = "sue", .family = ""}}};
    for (uint32_t m = 0; m < MODELS; m++) {
        s->names[m] = names[m];
        s->model[m] = m;
        s->models[m] = (struct bouts_model){
            .name = names[m], .family = m == KIN ? "x" : "", .met = true, .number = m};
    }
    s->b = (struct bouts){.models = s->models,
                          .judges = s->judges,
                          .nmodels = MODELS,
                          .njudges = JUDGES,
                          .set = {.names = s->names,
                                  .models = MODELS,
                                  .v = s->duels,
                                  .style = s->style,
                                  .styled = {true, true, true, true},
                                  .cluster = "item"},
                          .fought = s->fought,
                          .model = s->model};
}

/* A battle on the item and match of that number; those of a match are added together. */
static void fight(struct scene *s, uint32_t item, uint32_t judge, struct duel d)
{
    size_t i = s->b.set.n++;

    assert_true(i < MANY);
    d.cluster = item;
    d.weight = 1;
    s->duels[i] = d;
    s->fought[i] = (struct bouts_fought){judge, item};
    s->b.set.clusters = item + 1;
}

static struct bias measure(const struct scene *s, size_t judge)
{
    struct bias b;
    struct err e = {0};

    if (bias_compute(&s->b, judge, &b, &e) != OK)
        fail_msg("%s", e.msg);
    return b;
}

/* Jo has kin win ten times; sue, on the same answers, every other time. The differences are 0 and 1
 * by turns, on a scale from -1 to 1: mean 1/2, the interval by another program. */
static void beside_other_judges(void **state)
{
    struct scene s;
    struct bias b;

    (void)state;
    start(&s);
    for (uint32_t i = 0; i < 10; i++) {
        bool turned = i % 3 == 0;
        uint32_t sue = i % 2 ? DUEL_WON : DUEL_LOST;
        fight(&s, i, JO,
              turned ? (struct duel){.a = ANN, .b = KIN, .outcome = DUEL_LOST}
                     : (struct duel){.a = KIN, .b = ANN, .outcome = DUEL_WON});
        /* One of the family is no witness. */
        fight(&s, i, JOE, (struct duel){.a = KIN, .b = ANN, .outcome = DUEL_WON});
        fight(&s, i, SUE, (struct duel){.a = KIN, .b = ANN, .outcome = sue});
    }
    b = measure(&s, JO);
    assert_string_equal(b.against, "other judges on the same answers");
    assert_true(b.has_family);
    near(b.family.value, 0.5, 1e-12);
    near(b.family.low, 0.065584969808, 1e-9);
    near(b.family.high, 0.775082014614, 1e-9);
    assert_int_equal(b.family.n, 10);
    b = measure(&s, SUE);
    assert_false(b.has_family);
    assert_null(b.against);
}

/* Sue saw other items, where kin and ann are equals; jo has kin win three of four. */
static void beside_ratings(void **state)
{
    struct scene s;
    struct bias b;

    (void)state;
    start(&s);
    for (uint32_t i = 0; i < 8; i++)
        fight(&s, i, SUE,
              (struct duel){.a = ANN, .b = KIN, .outcome = i % 2 ? DUEL_WON : DUEL_LOST});
    for (uint32_t i = 8; i < 12; i++)
        fight(&s, i, JO,
              (struct duel){.a = ANN, .b = KIN, .outcome = i == 8 ? DUEL_WON : DUEL_LOST});
    b = measure(&s, JO);
    assert_string_equal(b.against, "ratings without these battles");
    near(b.family.value, 0.25, 1e-6);
    assert_int_equal(b.family.n, 4);
}

static void not_measured(void **state)
{
    struct scene s;
    struct bias b;

    (void)state;
    start(&s);
    b = measure(&s, JO);
    assert_true(b.has_family && !b.against && isnan(b.length.value));
    /* It leaves its family alone. */
    for (uint32_t i = 0; i < 6; i++)
        fight(&s, i, JO, (struct duel){.a = ANN, .b = BOB, .outcome = i % 3});
    b = measure(&s, JO);
    assert_true(b.has_family && !b.against);
    /* It judges it, but nobody else says anything of kin. */
    for (uint32_t i = 6; i < 9; i++)
        fight(&s, i, JO, (struct duel){.a = KIN, .b = BOB, .outcome = i % 3});
    b = measure(&s, JO);
    assert_true(b.has_family && !b.against);
}

/* Jo takes the longer one nine times of ten, sue the shorter one. */
static void length(void **state)
{
    struct scene s;
    struct bias jo, sue;

    (void)state;
    start(&s);
    for (uint32_t i = 0; i < 60; i++) {
        double longer = i % 2 ? 0.5 : -0.5;
        uint32_t likes = (i % 2) != (i % 10 == 0) ? DUEL_WON : DUEL_LOST;
        s.style[s.b.set.n][STYLE_LENGTH] = longer;
        fight(&s, i, JO, (struct duel){.a = ANN, .b = BOB, .outcome = likes});
        s.style[s.b.set.n][STYLE_LENGTH] = longer;
        fight(&s, i, SUE, (struct duel){.a = ANN, .b = BOB, .outcome = DUEL_WON - likes});
    }
    jo = measure(&s, JO);
    sue = measure(&s, SUE);
    assert_true(jo.length.low > 0 && sue.length.high < 0);
    near(jo.length.value, -sue.length.value, 1e-6);
    assert_int_equal(jo.length.n, 60);
    assert_true(isnan(measure(&s, JOE).length.value));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(beside_other_judges),
        cmocka_unit_test(beside_ratings),
        cmocka_unit_test(not_measured),
        cmocka_unit_test(length),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
