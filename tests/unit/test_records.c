/* The published campaign of comic dialogues: its table, cell by cell, and the statistics that were
 * computed from the same ratings by other programs; and what is said about files that are no such
 * campaign. */
/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <sys/stat.h>
#include <unistd.h>

#include "base/json.h"
#include "eval/import_records.h"
#include "math/agree.h"
#include "math/correlate.h"
#include "math/crossed.h"
#include "math/icc.h"
#include "math/severity.h"
#include "unit/near.h"
#include "unit/reference.h"

enum { SYSTEMS = 10, FULL = 50, DIMENSIONS = IMPORT_RECORDS_DIMENSIONS };

static const char *const dimension_names[DIMENSIONS] = {"comprehensive", "humor", "fluent", "diss"};

struct world {
    struct arena *a;
    struct import_records r;
    json_t *want;
};

static int open_world(void **state)
{
    struct arena *a = arena_new();
    const char *path = reference_file(a, "crosstalk/expected_human.json");
    struct world *w = NEW(a, struct world);
    struct err e = {0};
    struct str text;

    w->a = a;
    *state = w;
    if (!path)
        return 0;
    if (file_read(a, path, 1 << 20, &text, &e) != OK || json_read(text, &w->want, &e) != OK ||
        import_records_read(a, file_beside(a, path, "."), &w->r, &e) != OK) {
        print_error("%s\n", e.msg);
        return -1;
    }
    return 0;
}

static int close_world(void **state)
{
    struct world *w = *state;

    json_decref(w->want);
    arena_free(w->a);
    return 0;
}

/* The world, or a test that is skipped. */
static struct world *world(void **state)
{
    struct world *w = *state;

    if (!w->want)
        skip();
    return w;
}

static double number(const json_t *from, const char *const *keys, size_t n)
{
    for (size_t i = 0; i < n; i++)
        from = json_object_get(from, keys[i]);
    assert_true(json_is_number(from));
    return json_number_value(from);
}

#define NUMBER(from, ...)                                                                          \
    number((from), (const char *const[]){__VA_ARGS__},                                             \
           sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static bool counts(const struct world *w, const struct import_records_rating *x, bool full)
{
    return !full || w->r.raters[x->rater].ratings == FULL;
}

/* One dimension, of raters who finished or of all; units are answers. */
static struct cells answers(const struct world *w, size_t dimension, bool full, size_t at_least)
{
    struct cell *v = NEW_N(w->a, struct cell, w->r.nratings);
    size_t *seen = NEW_N(w->a, size_t, w->r.npassages * SYSTEMS);
    struct cells c = {v, 0, w->r.npassages * SYSTEMS, w->r.nraters};

    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < w->r.nratings; i++) {
            const struct import_records_rating *x = &w->r.ratings[i];
            uint32_t unit = x->passage * SYSTEMS + x->system;
            if (counts(w, x, full) && pass == 0)
                seen[unit]++;
            else if (counts(w, x, full) && seen[unit] >= at_least)
                v[c.n++] = (struct cell){unit, x->rater, x->value[dimension]};
        }
    cell_sort(v, c.n);
    return c;
}

static void the_files(void **state)
{
    struct world *w = world(state);
    size_t full = 0, active = 0;

    assert_int_equal(w->r.npassages, 50);
    assert_int_equal(w->r.nsystems, SYSTEMS);
    assert_int_equal(w->r.nanswers, 500);
    assert_int_equal(w->r.nraters, 60);
    assert_int_equal(w->r.nratings, NUMBER(w->want, "n_records_total"));
    for (size_t i = 0; i < w->r.nraters; i++) {
        full += w->r.raters[i].ratings == FULL;
        active += w->r.raters[i].ratings > 0;
    }
    assert_int_equal(full, NUMBER(w->want, "n_full_users"));
    assert_int_equal(active, NUMBER(w->want, "n_users_with_records"));
}

static void forty_of_forty(void **state)
{
    struct world *w = world(state);
    double total[2][SYSTEMS][DIMENSIONS] = {{{0}}};
    static const char *const kinds[] = {"all_users_unfiltered", "published"};
    int cells = 0;

    for (size_t i = 0; i < w->r.nratings; i++) {
        const struct import_records_rating *x = &w->r.ratings[i];
        for (size_t d = 0; d < DIMENSIONS; d++) {
            total[0][x->system][d] += x->value[d];
            total[1][x->system][d] += counts(w, x, true) ? x->value[d] : 0;
        }
    }
    for (int kind = 0; kind < 2; kind++)
        for (size_t s = 0; s < SYSTEMS; s++) {
            const json_t *row =
                json_object_get(json_object_get(w->want, "totals"), w->r.systems[s].name);
            for (size_t d = 0; d < DIMENSIONS; d++) {
                const json_t *list = json_object_get(row, kinds[kind]);
                assert_near(total[kind][s][d], json_number_value(json_array_get(list, d)), 0);
                cells += kind == 1;
            }
        }
    assert_int_equal(cells, 40);
}

static void means_and_deviations(void **state)
{
    struct world *w = world(state);

    for (size_t s = 0; s < SYSTEMS; s++)
        for (size_t d = 0; d < DIMENSIONS; d++) {
            const char *name = w->r.systems[s].name;
            struct describe all = {0};
            for (size_t i = 0; i < w->r.nratings; i++)
                if (counts(w, &w->r.ratings[i], true) && w->r.ratings[i].system == s)
                    describe_add(&all, w->r.ratings[i].value[d]);
            assert_near(all.mean, NUMBER(w->want, "mean", name, dimension_names[d]), 1e-12);
            assert_near(describe_sd(&all), NUMBER(w->want, "sd_ddof1", name, dimension_names[d]),
                        1e-12);
        }
}

static void krippendorff(void **state)
{
    static const char *const levels[] = {"nominal", "ordinal", "interval"}, *const groups[] = {
                                                                                "all42", "full30"};
    struct world *w = world(state);

    for (int full = 0; full < 2; full++)
        for (size_t d = 0; d < DIMENSIONS; d++)
            for (int level = 0; level < 3; level++) {
                struct cells c = answers(w, d, full, 1);
                double got = agree_alpha(&c, (enum agree_level)level);
                assert_near(got,
                            NUMBER(w->want, "krippendorff", groups[full], dimension_names[d],
                                   levels[level], "alpha"),
                            1e-12);
            }
}

static void one_way_correlations(void **state)
{
    static const char *const kinds[] = {"all_units", "units_ge2"}, *const groups[] = {"all42",
                                                                                      "full30"};
    struct world *w = world(state);

    for (int full = 0; full < 2; full++)
        for (size_t d = 0; d < DIMENSIONS; d++)
            for (size_t least = 1; least <= 2; least++) {
                struct cells c = answers(w, d, full, least);
                struct icc got = icc_of(&c);
                const json_t *want = json_object_get(
                    json_object_get(
                        json_object_get(json_object_get(w->want, "icc1_unbalanced"), groups[full]),
                        dimension_names[d]),
                    kinds[least - 1]);
                assert_near(got.k, NUMBER(want, "k0"), 1e-10);
                assert_near(got.between, NUMBER(want, "MSB"), 1e-10);
                assert_near(got.within, NUMBER(want, "MSW"), 1e-10);
                assert_near(got.single[ICC_1].value, NUMBER(want, "ICC11"), 1e-10);
                assert_near(got.mean[ICC_1].value, NUMBER(want, "ICC1k"), 1e-10);
            }
}

static void correlations_of_systems(void **state)
{
    static const char *const keys[] = {"9 models without 真实数据", "10 systems"};
    struct world *w = world(state);
    double mean[DIMENSIONS][SYSTEMS];

    for (size_t s = 0; s < SYSTEMS; s++)
        for (size_t d = 0; d < DIMENSIONS; d++)
            mean[d][s] = NUMBER(w->want, "mean", w->r.systems[s].name, dimension_names[d]);
    assert_int_equal(w->r.systems[0].id, 1);
    for (size_t all = 0; all < 2; all++) {
        const json_t *want = json_object_get(json_object_get(w->want, "kendall"), keys[all]);
        const double *overall = mean[0] + (1 - all), *humour = mean[1] + (1 - all);
        size_t n = SYSTEMS - (1 - all);
        assert_near(correlate_tau(overall, humour, n),
                    json_number_value(json_array_get(json_object_get(want, "overall_vs_humor"), 0)),
                    1e-12);
        assert_near(
            correlate_tau(overall, mean[2] + (1 - all), n),
            json_number_value(json_array_get(json_object_get(want, "overall_vs_fluent"), 0)),
            1e-12);
        assert_near(
            correlate_tau(overall, mean[3] + (1 - all), n),
            json_number_value(json_array_get(json_object_get(want, "overall_vs_diss_taub"), 0)),
            1e-12);
        assert_near(correlate_spearman(w->a, overall, humour, n),
                    NUMBER(want, "spearman_overall_humor"), 1e-12);
        assert_near(correlate_pearson(overall, humour, n), NUMBER(want, "pearson_overall_humor"),
                    1e-12);
    }
}

static void correlations_of_ratings(void **state)
{
    struct world *w = world(state);
    double *x = NEW_N(w->a, double, w->r.nratings), *y = NEW_N(w->a, double, w->r.nratings);
    const json_t *want = json_object_get(w->want, "record_level");
    size_t n = 0;

    for (size_t i = 0; i < w->r.nratings; i++)
        if (counts(w, &w->r.ratings[i], true)) {
            x[n] = w->r.ratings[i].value[IMPORT_RECORDS_OVERALL];
            y[n++] = w->r.ratings[i].value[IMPORT_RECORDS_HUMOUR];
        }
    assert_int_equal(n, 1500);
    assert_near(
        correlate_tau(x, y, n),
        json_number_value(json_array_get(json_object_get(want, "kendall_taub_overall_humor"), 0)),
        1e-12);
    assert_near(correlate_spearman(w->a, x, y, n),
                json_number_value(json_array_get(json_object_get(want, "spearman"), 0)), 1e-12);
    assert_near(correlate_pearson(x, y, n), NUMBER(want, "pearson"), 1e-12);
}

static void assert_bounds(struct interval got, const json_t *want, double within)
{
    assert_near(got.low, json_number_value(json_array_get(want, 0)), within);
    assert_near(got.high, json_number_value(json_array_get(want, 1)), within);
}

/* Every rater a cluster: five ratings of each system by each. */
static void intervals_by_rater(void **state)
{
    struct world *w = world(state);
    const struct interval_bootstrap how = {1, "test", 4000, 0.95};

    for (size_t s = 0; s < SYSTEMS; s++) {
        struct interval_cluster *raters = NEW_N(w->a, struct interval_cluster, w->r.nraters);
        const json_t *want = json_object_get(w->want, "bootstrap_overall");
        struct interval got;
        for (size_t i = 0; i < w->r.nratings; i++)
            if (counts(w, &w->r.ratings[i], true) && w->r.ratings[i].system == s) {
                raters[w->r.ratings[i].rater].sum += w->r.ratings[i].value[0];
                raters[w->r.ratings[i].rater].n++;
            }
        want = json_object_get(json_object_get(want, "systems"), w->r.systems[s].name);
        got = interval_of_means(raters, w->r.nraters, 0.95);
        assert_near(got.se, NUMBER(want, "se_cluster"), 1e-12);
        assert_bounds(got, json_object_get(want, "t_cluster"), 1e-9);
        got = interval_by_bootstrap(w->a, raters, w->r.nraters, &how);
        assert_bounds(got, json_object_get(want, "boot_cluster_rater"), 0.035);
    }
}

/* Nobody rated passages of two blocks, so that answers cannot be adjusted; systems can, since every
 * rater has seen all of them. In complete blocks the adjustment moves nothing. */
static void severity(void **state)
{
    struct world *w = world(state);
    struct cells c = answers(w, 0, true, 1);
    struct cell *v = NEW_N(w->a, struct cell, c.n);
    struct severity s;
    struct err e = {0};

    assert_int_equal(severity_fit(w->a, &c, &s, &e), E_INPUT);
    assert_non_null(strstr(e.msg, "10 groups"));
    for (size_t i = 0; i < c.n; i++)
        v[i] = (struct cell){c.v[i].unit % SYSTEMS, c.v[i].rater, c.v[i].value};
    assert_int_equal(severity_fit(w->a, &(struct cells){v, c.n, SYSTEMS, c.raters}, &s, &e), OK);
    for (size_t k = 0; k < SYSTEMS; k++)
        assert_near(s.unit[k], NUMBER(w->want, "mean", w->r.systems[k].name, "comprehensive"),
                    1e-9);
}

/* With raters and passages drawn both, no interval is narrower than half of the one by rater. */
static void raters_and_passages(void **state)
{
    struct world *w = world(state);
    const struct interval_bootstrap how = {1, "test", 1000, 0.95};
    struct cells c = answers(w, 0, true, 1);
    struct cell *v = arena_copy(w->a, c.v, c.n, sizeof *v);
    uint32_t *system = NEW_N(w->a, uint32_t, c.n);
    struct crossed x;

    for (size_t i = 0; i < c.n; i++) {
        system[i] = v[i].unit % SYSTEMS;
        v[i].unit /= SYSTEMS;
    }
    x = crossed_means(w->a, &(struct cells){v, c.n, w->r.npassages, c.raters}, system, SYSTEMS,
                      &how);
    for (size_t s = 0; s < SYSTEMS; s++) {
        struct interval got = crossed_interval(&x, s);
        double by_rater =
            NUMBER(w->want, "bootstrap_overall", "systems", w->r.systems[s].name, "se_cluster");
        assert_near(got.value, NUMBER(w->want, "mean", w->r.systems[s].name, "comprehensive"),
                    1e-12);
        assert_true(got.se > 0.9 * by_rater && got.se < 2 * by_rater);
    }
}

/* ---- files that are no such campaign ---- */

enum { FILES = 4 };

static const char *const names[FILES] = {"meta_prompt.json", "generate_completions.json",
                                         "user_list.json", "score_records.json"};
static const char *const good[FILES] = {
    "[{\"id\": 7, \"prompt\": \"p\"}]", "[{\"type\": 12, \"prompt_id\": 7, \"content\": \"c\"}]",
    "[{\"user\": \"u\", \"start_idx\": 7, \"end_idx\": 7}]",
    "[{\"user\": \"u\", \"prompt_id\": 7, \"model_id\": 12, \"h_score\": 0, \"is_best\": null}]"};

/* The good four, but for one of them. */
static enum status read_with(struct arena *a, size_t which, const char *records,
                             struct import_records *out, struct err *e)
{
    char folder[] = "/tmp/records-XXXXXX";
    enum status st;

    assert_non_null(mkdtemp(folder));
    for (size_t f = 0; f < FILES; f++) {
        const char *text = arena_printf(a, "{\"RECORDS\": %s}", f == which ? records : good[f]);
        assert_int_equal(file_write(arena_printf(a, "%s/%s", folder, names[f]), str_of(text), e),
                         OK);
    }
    st = import_records_read(a, folder, out, e);
    for (size_t f = 0; f < FILES; f++)
        (void)unlink(arena_printf(a, "%s/%s", folder, names[f]));
    (void)rmdir(folder);
    return st;
}

static void small_files(void **state)
{
    struct arena *a = arena_new();
    struct import_records r;
    struct err e = {0};

    (void)state;
    assert_int_equal(read_with(a, FILES, NULL, &r, &e), OK);
    assert_string_equal(r.systems[0].name, "model 12");
    assert_near(r.ratings[0].value[IMPORT_RECORDS_HUMOUR], 0, 0);
    assert_true(isnan(r.ratings[0].value[IMPORT_RECORDS_OVERALL]));
    assert_true(isnan(r.ratings[0].value[IMPORT_RECORDS_FLUENT]));
    assert_int_equal(r.raters[0].ratings, 1);
    arena_free(a);
}

static void faults(void **state)
{
    static const struct {
        size_t file;
        const char *records, *says;
    } cases[] = {
        {0, "{}", "meta_prompt.json: expected {\"RECORDS\": [...]}"},
        {0, "[{\"id\": 7}]", "meta_prompt.json: record 1: there is no text \"prompt\""},
        {0, "[{\"id\":7,\"prompt\":\"p\"},{\"id\":7,\"prompt\":\"q\"}]", "record 2: id 7 is that"},
        {0, "[{\"id\": 8, \"prompt\": \"p\"}]", "generate_completions.json: record 1: there is no"},
        {0, "[3]", "record 1: \"id\" is not a whole number"},
        {0, "[", "meta_prompt.json"},
        {1, "[]", "there is no system 12"},
        {2, "[]", "score_records.json: record 1: there is no rater \"u\""},
        {3, "[{\"user\":\"u\",\"prompt_id\":7,\"model_id\":12,\"h_score\":\"5\"}]",
         "\"h_score\" is neither a number nor null"},
        {3,
         "[{\"user\":\"u\",\"prompt_id\":7,\"model_id\":12},"
         "{\"user\":\"u\",\"prompt_id\":7,\"model_id\":12}]",
         "record 2: record 1 has that rater, system and passage too"},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct import_records r = {0};
        struct err e = {0};
        assert_int_equal(read_with(a, cases[i].file, cases[i].records, &r, &e), E_INPUT);
        if (!strstr(e.msg, cases[i].says))
            fail_msg("\"%s\" does not say \"%s\"", e.msg, cases[i].says);
        assert_null(r.systems);
    }
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_files),
        cmocka_unit_test(forty_of_forty),
        cmocka_unit_test(means_and_deviations),
        cmocka_unit_test(krippendorff),
        cmocka_unit_test(one_way_correlations),
        cmocka_unit_test(correlations_of_systems),
        cmocka_unit_test(correlations_of_ratings),
        cmocka_unit_test(intervals_by_rater),
        cmocka_unit_test(severity),
        cmocka_unit_test(raters_and_passages),
        cmocka_unit_test(small_files),
        cmocka_unit_test(faults),
    };

    return cmocka_run_group_tests(tests, open_world, close_world);
}
