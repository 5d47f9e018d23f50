/* The published comic-dialogue study, imported as a campaign: its table comes out as printed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/json.h"
#include "eval/score.h"
#include "panel/outcome.h"
#include "panel/study.h"
#include "reference.h"
#include "store_world.h"

static const char *const ids[] = {"overall", "humour", "fluent", "discriminatory"};

static json_t *expected(struct arena *a, const char *path)
{
    struct str text;
    struct err e;
    json_t *j = NULL;

    assert_ok(file_read(a, path, 1 << 20, &text, &e));
    assert_ok(json_read(text, &j, &e));
    return j;
}

/* How many of a system's four totals are as published. */
static int cells_right(struct arena *a, const struct score_list *rows, const char *system,
                       const json_t *published, const char *prefix)
{
    int right = 0;

    for (size_t d = 0; d < COUNT(ids); d++) {
        const struct score_row *r = score_find(rows, arena_printf(a, "system/%s", system),
                                               arena_printf(a, "%stotal:%s", prefix, ids[d]));
        assert_non_null(r);
        right += r->value == json_number_value(json_array_get(published, d));
    }
    return right;
}

static void test_published(void **state)
{
    struct world *w = *state;
    AUTO(json_freep) json_t *want = NULL;
    int right = 0, all_right = 0;
    struct score_list rows;
    struct campaign c;
    const char *name, *path, *folder;
    json_t *one;
    struct err e;

    path = reference_file(&w->arena, "crosstalk/expected_human.json");
    folder =
        arena_printf(w->arena, "%.*s", (int)(strlen(path) - strlen("/expected_human.json")), path);
    want = expected(w->arena, path);
    assert_ok(study_import(w->arena, w->store, folder, "test", &c, &e));
    assert_int_equal(c.state, CAMPAIGN_CLOSED);
    assert_ok(outcome_refresh(w->arena, w->store, &c, &rows, &e));
    json_object_foreach(json_object_get(want, "totals"), name, one)
    {
        const char *system =
            json_integer_value(json_object_get(one, "model_id")) == 1 ? CAMPAIGN_REFERENCE : name;
        right += cells_right(w->arena, &rows, system, json_object_get(one, "published"), "");
        all_right += cells_right(w->arena, &rows, system,
                                 json_object_get(one, "all_users_unfiltered"), "all:");
    }
    assert_int_equal(right, 40);
    assert_int_equal(all_right, 40);
    assert_int_equal(score_find(&rows, "campaign", "raters")->value, 60);
    assert_int_equal(score_find(&rows, "campaign", "began")->value, 42);
    assert_int_equal(score_find(&rows, "campaign", "finished")->value, 30);
    assert_int_equal(study_import(w->arena, w->store, folder, "test", &c, &e), E_USAGE);
    assert_says(&e, "already been imported");
}

#define TESTS(setup) WORLD_TEST(test_published, setup)

WORLD_MAIN("records", TESTS)
