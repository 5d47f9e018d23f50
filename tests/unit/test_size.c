/* How many it takes: widths that variance components foresee, and the cheapest way to a wanted one.
 */
/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include "gauge/size.h"
#include "math/dist.h"
#include "unit/near.h"

static struct size_question question(void)
{
    return (struct size_question){
        .noise = {.items = 1, .judges = 0.5, .answers = 0.4, .cross = 0.3, .rest = 0.6},
        .now = {40, 2, 3, 1},
        .models = 2,
        .density = 1,
        .scale = 1,
        .half = 0.3,
        .answer_usd = 0.01,
        .reading_usd = 0.001,
    };
}

static void the_formula(void **state)
{
    struct size_question q = question();
    double t = dist_t_quantile(0.975, 39);

    (void)state;
    assert_near(size_half(&q, &q.now), t * sqrt((1 + 0.2 + 0.1 + 0.1) / 40), 1e-12);
    q.noise.drawn = true; /* three raters: t with two degrees of freedom on 0.5 / 3 */
    assert_near(size_half(&q, &q.now),
                sqrt(t * t * 1.4 / 40 + pow(dist_t_quantile(0.975, 2), 2) * 0.5 / 3), 1e-12);
    q.scale = 10;
    q.noise.drawn = false;
    assert_near(size_half(&q, &q.now), 10 * t * sqrt(1.4 / 40), 1e-12);
}

/* The number found is enough, and one less is not. */
static void no_more_than_needed(void **state)
{
    struct size_question q = question();
    struct size_option o[SIZE_LEVERS];
    struct size_design less;
    size_t n = size_options(&q, o);

    (void)state;
    assert_true(n >= 2);
    assert_int_equal(o[0].lever, SIZE_ITEMS);
    assert_true(o[0].reached && o[0].half <= 0.3);
    less = o[0].to;
    less.items--;
    assert_true(size_half(&q, &less) > 0.3);
    assert_int_equal(o[0].answers, 2 * 2 * (o[0].to.items - 40));
    assert_int_equal(o[0].readings, 3 * o[0].answers);
    assert_near(o[0].usd, 0.013 * (double)o[0].answers, 1e-9);
    for (size_t i = 1; i < n; i++)
        assert_true(!o[i].reached || o[i].usd >= o[0].usd);
}

/* Items that are all alike, answers that are not: asking again is as good as asking more, and where
 * new items are given and prices are not known, fewer requests come first. */
static void answers_where_answers_vary(void **state)
{
    struct size_question q = question();
    struct size_option o[SIZE_LEVERS];
    size_t n;

    (void)state;
    q.noise = (struct size_noise){.items = 0, .answers = 4, .judges = NAN, .cross = NAN, .rest = 0};
    q.now = (struct size_design){40, 2, 1, 1};
    q.answer_usd = q.reading_usd = NAN;
    n = size_options(&q, o);
    for (size_t i = 0; i < n; i++) {
        assert_true(o[i].lever == SIZE_ITEMS || o[i].lever == SIZE_ANSWERS ||
                    o[i].lever == SIZE_MIXED);
        assert_true(o[i].reached);
        assert_true(isnan(o[i].usd));
        assert_true(i == 0 || o[i].answers + o[i].readings >= o[0].answers + o[0].readings);
    }
}

/* Where items are the noise, no number of judges is enough: the limit is told, and comes last. */
static void what_never_suffices(void **state)
{
    struct size_question q = question();
    struct size_option o[SIZE_LEVERS];
    size_t n = size_options(&q, o), last = n - 1;

    (void)state;
    assert_false(o[last].reached);
    assert_true(o[last].half > 0.3 && o[last].half < size_half(&q, &q.now));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_formula),
        cmocka_unit_test(no_more_than_needed),
        cmocka_unit_test(answers_where_answers_vary),
        cmocka_unit_test(what_never_suffices),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
