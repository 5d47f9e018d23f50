/* golden_scores.h - scores that another program gave to two small files of battles, held against
 * ours. Include after cmocka.h. */
#ifndef UNIT_GOLDEN_SCORES_H
#define UNIT_GOLDEN_SCORES_H

#include <math.h>

#include "base/csv.h"
#include "exchange/battle_file.h"
#include "unit/reference.h"

struct golden_method {
    const char *name; /* as the files of scores have it */
    void (*rate)(struct arena *a, const struct battle_set *set, double *scores);
    double tolerance;
};

static inline void golden_file(struct arena *a, const struct golden_method *m, const char *battles,
                               const char *golden)
{
    AUTO(battle_done) struct battle_set set = {0};
    AUTO(csv_close) struct csv c = {0};
    struct err e = {0};
    double *scores, score;
    size_t checked = 0;
    bool more = true;

    assert_int_equal(battle_read(a, battles, &(struct battle_want){0}, &set, &e), OK);
    scores = NEW_N(a, double, set.models);
    m->rate(a, &set, scores);
    assert_int_equal(csv_open(&c, golden, 4096, &e), OK);
    while (csv_next(&c, &more, &e) == OK && more)
        for (size_t i = 0; i < set.models; i++)
            if (str_is(c.fields[0], m->name) && str_is(c.fields[1], set.names[i])) {
                assert_true(str_double(c.fields[2], &score));
                if (!(fabs(scores[i] - score) <= m->tolerance))
                    fail_msg("%s, %s: %.12g, not %.12g", battles, set.names[i], scores[i], score);
                checked++;
            }
    assert_int_equal(checked, set.models);
}

/* Skips where the files are absent. */
static inline void golden_scores(const struct golden_method *m)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    const char *food = reference_file(&a, "evalica/food.csv");

    golden_file(a, m, food, file_beside(a, food, "food-golden.csv"));
    golden_file(a, m, file_beside(a, food, "simple.csv"),
                file_beside(a, food, "simple-golden.csv"));
}

#endif
