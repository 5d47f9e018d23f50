/* Glicko-2: the example of Glickman (2013), computed again in exact doubles, vectors made with an
 * independent program, and the published tables of a benchmark. */
/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <math.h>

#include "base/json.h"
#include "base/rng.h"
#include "exchange/battle_file.h"
#include "math/glicko.h"
#include "unit/reference.h"

static const struct glicko_how paper = {GLICKO_TAU, GLICKO_GLICKMAN, GLICKO_ALL};

static void near(double got, double expected, double within)
{
    if (!(fabs(got - expected) <= within))
        fail_msg("%.12g is not %.12g", got, expected);
}

static void is(const struct glicko *p, double rating, double rd, double volatility)
{
    near(glicko_rating(p), rating, 1e-6);
    near(glicko_rd(p), rd, 1e-6);
    near(p->sigma, volatility, 1e-9);
}

static void example_of_the_paper(void **state)
{
    struct glicko p = glicko_of(1500, 200, 0.06);
    struct glicko others[] = {glicko_of(1400, 30, 0.06), glicko_of(1550, 100, 0.06),
                              glicko_of(1700, 300, 0.06)};
    struct glicko_sum sum = {0};

    (void)state;
    near(others[0].mu, -0.5756462493, 1e-9);
    near(others[2].phi, 1.7269387478, 1e-9);
    glicko_add(&sum, &p, &others[0], 1);
    glicko_add(&sum, &p, &others[1], 0);
    glicko_add(&sum, &p, &others[2], 0);
    near(1 / sum.information, 1.7789770897, 1e-9);
    near(sum.surprise / sum.information, -0.4839332610, 1e-9);
    glicko_close(&p, &sum, &paper);
    near(p.phi, 0.8721991881, 1e-9);
    near(p.mu, -0.2069409667, 1e-9);
    is(&p, 1464.0506705, 151.5165241, 0.0599959843);
    near(glicko_rating(&p), 1464.06, 0.011); /* the paper rounds on its way */
}

static void one_game_at_a_time(void **state)
{
    struct glicko p = glicko_of(1500, 200, 0.06), other = glicko_start();
    struct glicko_sum none = {0}, win = {0};

    (void)state;
    glicko_close(&p, &none, &paper);
    is(&p, 1500, 200.2714166988, 0.06);
    p = glicko_start();
    glicko_add(&win, &p, &other, 1);
    glicko_close(&p, &win, &paper);
    is(&p, 1662.3108939, 290.3189637, 0.0599996754);
}

static void two_draws(void **state)
{
    struct glicko p[2] = {glicko_start(), glicko_start()};
    struct duel draws[2] = {{0, 1, 0, DUEL_TIED, 1}, {1, 0, 1, DUEL_TIED, 1}};

    (void)state;
    glicko_play(p, 2, &(struct glicko_duels){draws, 2, NULL}, &paper);
    is(&p[0], 1500, 253.4045992, 0.0599984175);
    is(&p[1], 1500, 253.4045992, 0.0599984175);
}

/* Delta^2 > phi^2 + v: the other way to bracket the root. */
static void upset(void **state)
{
    struct glicko p = glicko_of(1500, 50, 0.06), strong = glicko_of(2000, 50, 0.06);
    struct glicko_sum sum = {0};

    (void)state;
    for (int i = 0; i < 5; i++)
        glicko_add(&sum, &p, &strong, 1);
    near(1 / sum.information, 3.9407300529, 1e-9);
    near(sum.surprise / sum.information, 18.3886488849, 1e-8);
    glicko_close(&p, &sum, &paper);
    is(&p, 1568.5939558, 50.5333998, 0.0602813572);
}

enum { MODELS = 6, BATTLES = 300 };

static void make_battles(struct duel *duels)
{
    struct rng r = rng_keyed(1, "test", NULL, 0);

    for (size_t i = 0; i < BATTLES; i++) {
        uint32_t a = (uint32_t)rng_below(&r, MODELS), b = (a + 1 + (uint32_t)rng_below(&r, 5)) % 6;
        duels[i] = (struct duel){a, b, 0, (uint32_t)rng_below(&r, 3), 1};
    }
}

static void start_all(struct glicko *p)
{
    for (size_t i = 0; i < MODELS; i++)
        p[i] = glicko_start();
}

static void order_inside_a_period(void **state)
{
    struct glicko one[MODELS], other[MODELS];
    struct duel duels[BATTLES];
    size_t order[BATTLES];
    struct rng r = rng_keyed(2, "test", NULL, 0);

    (void)state;
    make_battles(duels);
    for (size_t i = 0; i < BATTLES; i++)
        order[i] = i;
    rng_shuffle(&r, order, BATTLES);
    start_all(one);
    start_all(other);
    glicko_play(one, MODELS, &(struct glicko_duels){duels, BATTLES, NULL}, &paper);
    glicko_play(other, MODELS, &(struct glicko_duels){duels, BATTLES, order}, &paper);
    for (size_t i = 0; i < MODELS; i++)
        is(&other[i], glicko_rating(&one[i]), glicko_rd(&one[i]), one[i].sigma);
}

static void relabelling(void **state)
{
    struct glicko_how how = {GLICKO_TAU, GLICKO_GLICKMAN, GLICKO_SEQUENTIAL};
    struct glicko one[MODELS], other[MODELS];
    struct duel duels[BATTLES];

    (void)state;
    make_battles(duels);
    start_all(one);
    start_all(other);
    glicko_play(one, MODELS, &(struct glicko_duels){duels, BATTLES, NULL}, &how);
    for (size_t i = 0; i < BATTLES; i++) {
        duels[i].a = MODELS - 1 - duels[i].a;
        duels[i].b = MODELS - 1 - duels[i].b;
    }
    glicko_play(other, MODELS, &(struct glicko_duels){duels, BATTLES, NULL}, &how);
    for (size_t i = 0; i < MODELS; i++)
        assert_memory_equal(&one[i], &other[MODELS - 1 - i], sizeof one[i]);
}

/* ---- the published tables ---- */

struct variant {
    const char *name;
    struct glicko_how how;
    double within;
};

/* clang-format off */
static const struct variant variants[] = {
    {"published_rounded",              {GLICKO_TAU, GLICKO_DEEPY,    GLICKO_SEQUENTIAL},   -1},
    {"published_notebook_6dp",         {GLICKO_TAU, GLICKO_DEEPY,    GLICKO_SEQUENTIAL},   5.1e-7},
    {"sequential_deepy_volatility",    {GLICKO_TAU, GLICKO_DEEPY,    GLICKO_SEQUENTIAL},   1e-8},
    {"sequential_glickman_volatility", {GLICKO_TAU, GLICKO_GLICKMAN, GLICKO_SEQUENTIAL},   1e-8},
    {"simultaneous",                   {GLICKO_TAU, GLICKO_GLICKMAN, GLICKO_SIMULTANEOUS}, 1e-8},
    {"variant_seq_libbug",             {GLICKO_TAU, GLICKO_DEEPY,    GLICKO_SEQUENTIAL},   1e-8},
    {"variant_seq_glickman",           {GLICKO_TAU, GLICKO_GLICKMAN, GLICKO_SEQUENTIAL},   1e-8},
    {"variant_simul_libbug",           {GLICKO_TAU, GLICKO_DEEPY,    GLICKO_SIMULTANEOUS}, 1e-8},
    {"variant_simul_glickman",         {GLICKO_TAU, GLICKO_GLICKMAN, GLICKO_SIMULTANEOUS}, 1e-8},
    {"variant_batch_libbug",           {GLICKO_TAU, GLICKO_DEEPY,    GLICKO_ALL},          1e-8},
    {"variant_batch_glickman",         {GLICKO_TAU, GLICKO_GLICKMAN, GLICKO_ALL},          1e-8},
};
/* clang-format on */

/* Printed names may end in "...". */
static const json_t *row_of(const json_t *table, const char *model)
{
    const char *key;
    json_t *row;

    json_object_foreach((json_t *)(uintptr_t)table, key, row)
    {
        const char *dots = strstr(key, "...");
        if (dots ? strncmp(key, model, (size_t)(dots - key)) == 0 : strcmp(key, model) == 0)
            return row;
    }
    return NULL;
}

static void check_value(const struct variant *v, const json_t *row, size_t at, double got)
{
    const json_t *cell = json_array_get(row, at);

    if (v->within < 0) /* whole numbers */
        near(round(got), json_number_value(cell), 0);
    else
        near(got, json_number_value(cell), v->within);
}

static void check_variant(struct arena *a, const struct battle_set *set, const struct variant *v,
                          const json_t *table)
{
    struct glicko *p = NEW_N(a, struct glicko, set->models);

    assert_int_equal(json_object_size(table), set->models);
    for (size_t i = 0; i < set->models; i++)
        p[i] = glicko_start();
    glicko_play(p, set->models, &(struct glicko_duels){set->v, set->n, NULL}, &v->how);
    for (size_t i = 0; i < set->models; i++) {
        const json_t *row = row_of(table, set->names[i]);
        assert_non_null(row);
        check_value(v, row, 0, glicko_rating(&p[i]));
        check_value(v, row, 1, glicko_rd(&p[i]));
        if (json_array_size(row) > 2)
            check_value(v, row, 2, p[i].sigma);
    }
}

static void check_snapshot(struct arena *a, const char *path, const json_t *expected)
{
    AUTO(battle_done) struct battle_set set = {0};
    struct err e = {0};

    if (battle_read(a, path, &(struct battle_want){0}, &set, &e) != OK)
        fail_msg("%s", e.msg);
    assert_int_equal(set.n, json_int_at(expected, "battles", 0));
    for (size_t v = 0; v < COUNT(variants); v++) {
        const json_t *table = json_object_get(expected, variants[v].name);
        assert_non_null(table);
        check_variant(a, &set, &variants[v], table);
    }
}

static void published_tables(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(json_freep) json_t *all = NULL;
    const char *path = reference_file(&a, "oshizo/expected_oshizo.json"), *version;
    struct err e = {0};
    struct str text;
    json_t *one;

    (void)state;
    assert_int_equal(file_read(a, path, 1 << 20, &text, &e), OK);
    assert_int_equal(json_read(text, &all, &e), OK);
    assert_int_equal(json_object_size(all), 3);
    json_object_foreach(all, version, one)
    {
        const char *battles = arena_printf(a, "battles_%s.csv", version);
        check_snapshot(a, file_beside(a, path, battles), one);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(example_of_the_paper),
        cmocka_unit_test(one_game_at_a_time),
        cmocka_unit_test(two_draws),
        cmocka_unit_test(upset),
        cmocka_unit_test(order_inside_a_period),
        cmocka_unit_test(relabelling),
        cmocka_unit_test(published_tables),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
