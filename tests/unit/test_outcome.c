/* What a campaign found, on a small one whose numbers can be worked out by hand; its export, and
 * back again. On both databases. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "eval/score.h"
#include "near.h"
#include "panel/export.h"
#include "panel/intake.h"
#include "panel/outcome.h"
#include "report/campaign_table.h"
#include "store_world.h"

#include "panel_world.h"

/* r1 is one step more severe than r0 and r2, and has not rated the last passage; r3 did nothing but
 * threes and did not finish. wit alone, but for the ends of r3. */
static const char ratings[] =
    "rater,passage,system,dimension,value,place,comment,rater_state,submitted\n"
    "r0,i0,ann,wit,4,2,,finished,2026-01-01\n"
    "r0,i0,bob,wit,2,1,=1+1,finished,2026-01-01\n"
    "r0,i1,ann,wit,3,1,,finished,2026-01-01\n"
    "r0,i1,bob,wit,1,2,,finished,2026-01-01\n"
    "r0,i2,ann,wit,5,1,,finished,2026-01-01\n"
    "r0,i2,bob,wit,3,2,,finished,2026-01-01\n"
    "r1,i0,ann,wit,3,1,,finished,2026-01-01\n"
    "r1,i0,bob,wit,1,2,,finished,2026-01-01\n"
    "r1,i1,ann,wit,2,1,,finished,2026-01-01\n"
    "r1,i1,bob,wit,0,2,,finished,2026-01-01\n"
    "r2,i0,ann,wit,4,1,,finished,2026-01-01\n"
    "r2,i0,bob,wit,2,2,,finished,2026-01-01\n"
    "r2,i1,ann,wit,3,1,\"a, \"\"b\"\"\",finished,2026-01-01\n"
    "r2,i1,bob,wit,1,2,,finished,2026-01-01\n"
    "r2,i2,ann,wit,5,1,,finished,2026-01-01\n"
    "r2,i2,bob,wit,3,2,,finished,2026-01-01\n"
    "r2,i2,bob,tone,,2,,finished,2026-01-01\n"
    "r3,i0,ann,wit,3,1,,rating,2026-01-01\n"
    "r3,i0,bob,wit,3,2,,rating,\n";

/* Krippendorff's alpha, ordinal and (of the two means) interval, and Page's sum: from an
 * implementation of the formulas in another language. */
static const double alpha_wit = 0.8810096153846154, alpha_ai = 0.8968919585594475;
static const double drift = 3.722329678670935;

static const char *put_file(struct world *w, const char *name, const char *text)
{
    const char *path = arena_printf(w->arena, "%s/%s", w->dir, name);
    struct err e;

    assert_ok(file_write(path, str_of(text), &e));
    return path;
}

static enum status import(struct world *w, const struct panel_run *r, const char *yaml,
                          const char *path, struct campaign *out, struct diags *d, struct err *e)
{
    struct intake in = {
        .path = path, .run = &w->run, .suite = &r->suite, .who = "test", .faults = d};
    struct spec spec;

    diags_init(d, w->arena);
    spec_read(w->arena, str_of(yaml), &r->suite, &spec, &in.frozen, d);
    assert_int_equal(d->errors, 0);
    return intake_ratings(w->arena, w->store, &in, out, e);
}

static struct campaign import_good(struct world *w, const struct panel_run *r, const char *yaml,
                                   const char *text)
{
    struct campaign c;
    struct diags d;
    struct err e;
    enum status st = import(w, r, yaml, put_file(w, "r.csv", text), &c, &d, &e);

    if (d.errors)
        print_error("%d: %s\n", d.first->at.line, d.first->msg);
    assert_ok(st);
    assert_int_equal(c.state, CAMPAIGN_CLOSED);
    return c;
}

static struct score_list outcome(struct world *w, const struct campaign *c)
{
    struct score_list l;
    struct err e;

    assert_ok(outcome_refresh(w->arena, w->store, c, &l, &e));
    return l;
}

static const struct score_row *row(const struct score_list *l, const char *subject,
                                   const char *metric)
{
    const struct score_row *r = score_find(l, subject, metric);

    if (!r)
        fail_msg("there is no %s of %s", metric, subject);
    return r;
}

static void start(struct world *w, struct panel_run *r)
{
    struct suite suite = world_suite(w->arena);

    panel_run(w, &suite, 5, 2, r);
}

static void test_systems(void **state)
{
    struct world *w = *state;
    struct panel_run r;
    struct score_list l;
    struct campaign c;
    const struct score_row *mean;

    start(w, &r);
    c = import_good(w, &r, "campaign: small\npassages_per_rater: 3\n", ratings);
    l = outcome(w, &c);
    assert_near(row(&l, "system/ann", "total:wit")->value, 29, 0);
    assert_int_equal(row(&l, "system/ann", "total:wit")->n, 8);
    assert_int_equal(row(&l, "system/ann", "total:wit")->clusters, 3);
    assert_near(row(&l, "system/bob", "total:wit")->value, 13, 0);
    mean = row(&l, "system/ann", "mean:wit");
    assert_near(mean->value, 3.5, 1e-12); /* every rater weighs the same */
    assert_true(mean->lo < mean->value && mean->value < mean->hi);
    /* everybody: r3 too, whether handed in or not */
    assert_near(row(&l, "system/ann", "all:total:wit")->value, 32, 0);
    assert_near(row(&l, "system/bob", "all:mean:wit")->value, 1.875, 1e-12);
    /* y = text - severity fits exactly: severities -1/3, 2/3, -1/3 */
    assert_near(row(&l, "rater/r1", "severity:wit")->value, 2.0 / 3, 1e-6);
    assert_near(row(&l, "rater/r0", "severity:wit")->value, -1.0 / 3, 1e-6);
    assert_near(row(&l, "system/ann", "adjusted:wit")->value, 11.0 / 3, 1e-6);
    assert_near(row(&l, "system/bob", "adjusted:wit")->value, 5.0 / 3, 1e-6);
    /* two texts of six are agreed on wholly, four by one pair of three */
    assert_near(row(&l, "dimension/wit", "agreement")->value, 5.0 / 9, 1e-12);
    assert_near(row(&l, "dimension/wit", "alpha")->value, alpha_wit, 1e-9);
    /* "cannot say" is in no total */
    assert_null(score_find(&l, "system/bob", "total:tone"));
    assert_near(row(&l, "campaign", "raters")->value, 4, 0);
    assert_near(row(&l, "campaign", "finished")->value, 3, 0);
    assert_near(row(&l, "campaign", "ratings")->value, 18, 0);
    assert_near(row(&l, "campaign", "ratings:counted")->value, 16, 0);
}

/* Eight raters on eight passages: ann is two steps better than bob, by all and everywhere; cid is
 * bob with noise that takes no side. */
static const char *many_ratings(struct world *w, size_t raters, size_t passages)
{
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 20);

    buf_text(&b, "rater,passage,system,dimension,value,rater_state,submitted\n");
    for (size_t r = 0; r < raters; r++)
        for (size_t p = 0; p < passages; p++)
            for (size_t m = 0; m < 3; m++) {
                size_t base = 1 + (r + p) % 2, noise = (r + p / 2) % 2;
                buf_fmt(&b, "r%zu,i%zu,%s,wit,%zu,finished,2026-01-01\n", r, p,
                        panel_model(w->arena, m),
                        m == 0   ? base + 2
                        : m == 1 ? base
                                 : base + noise - (p + r) % 2 * noise);
            }
    return arena_text(w->arena, buf_str(&b));
}

static void test_differences(void **state)
{
    struct world *w = *state;
    const struct score_row *gap;
    struct suite suite = world_suite(w->arena);
    struct panel_run r;
    struct score_list l;
    struct campaign c;

    panel_run(w, &suite, 8, 3, &r);
    c = import_good(w, &r, "campaign: many\npassages_per_rater: 8\n", many_ratings(w, 8, 8));
    l = outcome(w, &c);
    gap = row(&l, "system/ann", "over:wit\tbob");
    assert_near(gap->value, 2, 1e-12);
    assert_true(gap->lo < 2 && gap->hi > 2);
    assert_string_equal(gap->why, "all-alike");
    /* eight times the same sign; Holm: one of three pairs is clearer */
    assert_near(row(&l, "system/ann", "over-p:wit\tbob")->value, 2 * 2 / 256.0, 1e-12);
    assert_int_equal(row(&l, "system/ann", "over-p:wit\tbob")->n, 3); /* pairs */
    assert_near(row(&l, "system/ann", "above:wit")->value, 2, 0);
    assert_int_equal(row(&l, "system/ann", "above:wit")->n, 2);
    assert_near(row(&l, "system/bob", "above:wit")->value, 0, 0);
    assert_null(
        score_find(&l, "system/bob", "over:wit\tann")); /* each pair once, the better first */
    /* too few passages for a word about it */
    c = import_good(w, &r, "campaign: few\npassages_per_rater: 5\n", many_ratings(w, 8, 4));
    l = outcome(w, &c);
    assert_null(score_find(&l, "system/ann", "above:wit"));
    assert_non_null(score_find(&l, "system/ann", "mean:wit"));
}

/* The judge has marked everything, people the first three passages. */
static void test_machines(void **state)
{
    static const double marks[5][2] = {{4, 2}, {3, 2}, {5, 3}, {2, 1}, {2, 1}};
    struct world *w = *state;
    struct panel_run r;
    struct score_list l;
    struct campaign c;

    start(w, &r);
    c = import_good(w, &r, "campaign: small\npassages_per_rater: 3\n", ratings);
    l = outcome(w, &c);
    assert_null(score_find(&l, "dimension/wit", "ai:alpha"));
    for (size_t i = 0; i < 5; i++)
        for (size_t m = 0; m < 2; m++)
            panel_judge(w, &r, i, m, "wit", marks[i][m]);
    /* nothing was handed in since, but a judge has judged */
    l = outcome(w, &c);
    assert_near(row(&l, "dimension/wit", "ai:bias")->value, 7.0 / 18, 1e-12);
    assert_int_equal(row(&l, "dimension/wit", "ai:bias")->clusters, 3);
    assert_near(row(&l, "dimension/wit", "ai:alpha")->value, alpha_ai, 1e-9);
    /* the same order but for two ties of the judge's among six texts */
    assert_near(row(&l, "dimension/wit", "ai:spearman")->value, sqrt(16.5 / 17.5), 1e-12);
    assert_near(row(&l, "dimension/wit", "ai:tau")->value, sqrt(13.0 / 15), 1e-12);
    assert_string_equal(row(&l, "dimension/wit", "ai:spearman")->why, "few-items");
    /* the judge says the same of all the rest: people alone */
    assert_near(row(&l, "system/ann", "ppi:wit")->value, 34.0 / 9, 1e-9);
    assert_near(row(&l, "system/bob", "ppi:wit")->value, 16.0 / 9, 1e-9);
    assert_string_equal(row(&l, "system/ann", "ppi:wit")->why, "few-items");
    assert_non_null(score_find(&l, "dimension/wit", "ai:accuracy"));
    assert_non_null(score_find(&l, "dimension/wit", "ai:ceiling"));
    assert_int_equal(row(&l, "system/ann", "ppi:wit")->n, 5);
}

/* Levels need not be whole numbers: a judge who says .5 where people do is right. */
static void test_levels(void **state)
{
    static const char marks[] = "rater,passage,system,dimension,value,rater_state,submitted\n"
                                "r0,i0,ann,tone,0.5,finished,2026-01-01\n"
                                "r1,i0,ann,tone,0.5,finished,2026-01-01\n"
                                "r0,i1,ann,tone,1,finished,2026-01-01\n"
                                "r1,i1,ann,tone,1,finished,2026-01-01\n";
    struct world *w = *state;
    const struct score_row *right;
    struct panel_run r;
    struct score_list l;
    struct campaign c;

    start(w, &r);
    c = import_good(w, &r, "campaign: halves\npassages_per_rater: 2\n", marks);
    panel_judge(w, &r, 0, 0, "tone", 0.5);
    panel_judge(w, &r, 1, 0, "tone", 0.5);
    l = outcome(w, &c);
    right = row(&l, "dimension/tone", "ai:accuracy");
    assert_near(right->value, 0.5, 0);
    assert_int_equal(right->n, 2);
}

static void test_people(void **state)
{
    static const char work[] = "rater,passage,system,dimension,value,phase\n"
                               "r0,anchor-1,,wit,3,anchor\n"
                               "r0,anchor-2,,wit,4,anchor\n"
                               "r0,anchor-3,,wit,5,anchor\n"
                               "r0,anchor-4,,wit,5,anchor\n"
                               "r0,anchor-1,,wit,0,practice\n"
                               "r0,i0,ann,wit,4,main\n";
    struct world *w = *state;
    struct panel_run r;
    struct score_list l;
    struct campaign c;

    start(w, &r);
    c = import_good(w, &r,
                    "campaign: anchors\nexamples:\n"
                    "  - {prompt: A?, answer: A., score: {tone: 0, wit: 3}}\n"
                    "  - {prompt: B?, answer: B., score: {tone: 0, wit: 3}}\n"
                    "  - {prompt: C?, answer: C., score: {tone: 0, wit: 3}}\n"
                    "  - {prompt: D?, answer: D., score: {tone: 0, wit: 3}}\n",
                    work);
    l = outcome(w, &c);
    assert_near(row(&l, "rater/r0", "sign:anchor")->value, 5.0 / 4, 1e-12);
    assert_near(row(&l, "rater/r0", "sign:drift")->value, drift, 1e-9);
    assert_int_equal(row(&l, "rater/r0", "drift:0004")->n, 4);
    assert_near(row(&l, "rater/r0", "drift:0001")->value, 0, 1e-12);
    assert_int_equal(signbit(row(&l, "rater/r0", "drift:0001")->value),
                     0); /* no database has to keep -0 */
    assert_near(row(&l, "campaign", "ratings")->value, 1, 0);
}

/* Twelve marks each; "lazy" knows one. tone has three levels, so that it counts too. */
static const char *same_file(struct arena *a)
{
    struct buf b = BUF_MAX(1 << 16);
    const char *text;

    buf_text(&b, "rater,passage,system,dimension,value\n");
    for (int who = 0; who < 2; who++)
        for (int i = 0; i < 3; i++)
            for (int m = 0; m < 2; m++)
                buf_fmt(&b, "%s,i%d,%s,wit,%d\n%s,i%d,%s,tone,%g\n", who ? "keen" : "lazy", i,
                        m ? "bob" : "ann", who ? i + m : 3, who ? "keen" : "lazy", i,
                        m ? "bob" : "ann", who ? i / 2.0 : 1.0);
    text = arena_text(a, buf_str(&b));
    buf_done(&b);
    return text;
}

struct text {
    struct buf b;
    size_t parts, most;
};

static enum status gather(void *user, struct str part, struct err *e)
{
    struct text *t = user;

    (void)e;
    buf_add(&t->b, part);
    t->parts++;
    t->most = part.n > t->most ? part.n : t->most;
    return OK;
}

static const char *export_text(struct world *w, const struct campaign *c, enum export_form form)
{
    const struct export_how how = {form, true};
    struct text t = {.b = BUF_MAX(64 << 20)};
    const char *text;
    struct err e;

    assert_ok(export_ratings(w->store, c, &how, gather, &t, &e));
    text = arena_text(w->arena, buf_str(&t.b));
    buf_done(&t.b);
    return text;
}

/* Marks on a passage that came twice tell how far the rater agrees with themselves, and no more:
 * 1, 2 and half a level less for each. "Cannot say" is no mark, and r1 said it of the first; r2
 * has not handed it in. */
static void test_self(void **state)
{
    static const char once[] = "rater,passage,system,dimension,value,position,phase,submitted\n"
                               "r0,i0,ann,wit,4,1,main,2026-01-01\n"
                               "r0,i0,bob,wit,2,1,main,2026-01-01\n"
                               "r0,i0,bob,tone,1,1,main,2026-01-01\n"
                               "r1,i0,ann,wit,,1,main,2026-01-01\n"
                               "r1,i0,bob,wit,1,1,main,2026-01-01\n"
                               "r2,i0,bob,wit,1,1,main,2026-01-01\n";
    static const char twice[] = "r0,i0,ann,wit,3,3,repeat,2026-01-01\n"
                                "r0,i0,bob,wit,4,3,repeat,2026-01-01\n"
                                "r0,i0,bob,tone,0.5,3,repeat,2026-01-01\n"
                                "r1,i0,ann,wit,5,3,repeat,2026-01-01\n"
                                "r2,i0,bob,wit,5,3,repeat,\n";
    static const char *const same[] = {"total:wit", "mean:wit", "all:total:wit", "all:mean:wit"};
    struct world *w = *state;
    struct score_list l, m;
    struct campaign c, d;
    struct panel_run r;

    start(w, &r);
    c = import_good(w, &r, "campaign: once\n", once);
    d = import_good(w, &r, "campaign: twice\n", arena_printf(w->arena, "%s%s", once, twice));
    l = outcome(w, &c);
    m = outcome(w, &d);
    assert_null(score_find(&l, "rater/r0", "sign:self"));
    assert_near(row(&m, "rater/r0", "sign:self")->value, 4.0 / 3, 1e-12);
    assert_int_equal(row(&m, "rater/r0", "sign:self")->n, 3);
    assert_null(score_find(&m, "rater/r1", "sign:self"));
    assert_null(score_find(&m, "rater/r2", "sign:self"));
    for (size_t i = 0; i < COUNT(same); i++)
        assert_near(row(&l, "system/bob", same[i])->value, row(&m, "system/bob", same[i])->value,
                    0);
    assert_near(row(&m, "campaign", "ratings")->value, 5, 0);
    assert_near(row(&m, "campaign", "ratings:counted")->value, 5, 0);
    assert_non_null(strstr(export_text(w, &d, EXPORT_CSV), ",repeat,i0,"));
}

/* Everybody has rated everything; mean squares from another program, in fractions. */
static void test_fit(void **state)
{
    static const int table[5][4] = {
        {5, 0, 3, 4}, {3, 1, 2, 1}, {4, 2, 3, 4}, {4, 1, 1, 3}, {5, 3, 3, 5}};
    static const double want[] = {1.347107438017, 1.809917355372, .355371900826, .487603305785};
    struct world *w = *state;
    struct buf b = BUF_MAX(1 << 16);
    struct panel_run r;
    struct score_list l;
    struct campaign c;

    start(w, &r);
    buf_text(&b, "rater,passage,system,dimension,value\n");
    for (int who = 0; who < 4; who++)
        for (int i = 0; i < 5; i++)
            for (int m = 0; m < 2; m++)
                buf_fmt(&b, "r%d,i%d,%s,wit,%d\n", who, i, m ? "bob" : "ann",
                        m ? 5 - table[4 - i][who] : table[i][who]);
    c = import_good(w, &r, "campaign: fit\n", arena_text(w->arena, buf_str(&b)));
    buf_done(&b);
    l = outcome(w, &c);
    for (int who = 0; who < 4; who++) {
        const char *subject = arena_printf(w->arena, "rater/r%d", who);
        assert_near(row(&l, subject, "sign:infit")->value, want[who], 1e-9);
        assert_near(row(&l, subject, "sign:outfit")->value, want[who], 1e-9);
        assert_int_equal(row(&l, subject, "sign:infit")->n, 10);
        assert_int_equal(outcome_unusual(&c, row(&l, subject, "sign:infit")), who != 0);
    }
}

static void test_rules(void **state)
{
    struct world *w = *state;
    const char *csv;
    struct panel_run r;
    struct score_list l;
    struct campaign c;

    start(w, &r);
    c = import_good(w, &r, "campaign: rules\nexclude: {same_marks: 0.9}\n", same_file(w->arena));
    l = outcome(w, &c);
    assert_near(row(&l, "rater/lazy", "sign:same")->value, 1, 0);
    assert_near(row(&l, "rater/keen", "sign:same")->value, 4.0 / 12, 1e-12);
    assert_near(row(&l, "rater/lazy", "excluded")->value, 1, 0);
    assert_null(score_find(&l, "rater/keen", "excluded"));
    assert_near(row(&l, "campaign", "excluded:rules")->value, 1, 0);
    assert_near(row(&l, "campaign", "excluded")->value, 0, 0);
    assert_near(row(&l, "system/ann", "total:wit")->value, 0 + 1 + 2, 0);
    assert_near(row(&l, "system/ann", "all:total:wit")->value, 3 + 9, 0);
    csv = export_text(w, &c, EXPORT_CSV);
    assert_non_null(strstr(csv, "lazy,,main,i0,"));
    assert_non_null(strstr(csv, "finished,by the rule 'same_marks',0\r\n"));
    assert_non_null(strstr(csv, "finished,,1\r\n"));
}

/* ---- export ---- */

static void test_export(void **state)
{
    struct world *w = *state;
    const char *csv, *json, *mask;
    struct panel_run r;
    struct campaign c;
    struct str book;
    struct err e;

    start(w, &r);
    c = import_good(w, &r, "campaign: small\n", ratings);
    csv = export_text(w, &c, EXPORT_CSV);
    mask = export_system(w->arena, &c, "ann");
    /* by place, not by model: that would tell the masks apart */
    assert_true(strstr(csv, export_system(w->arena, &c, "bob")) < strstr(csv, mask));
    assert_null(strstr(csv, ",ann,"));
    assert_null(strstr(csv, ",bob,"));
    assert_true(str_starts(str_of(mask), STR("system-")));
    assert_non_null(strstr(csv, mask));
    assert_string_not_equal(mask, export_system(w->arena, &c, "bob"));
    assert_non_null(strstr(csv, ",'=1+1,"));            /* not a formula */
    assert_non_null(strstr(csv, ",\"a, \"\"b\"\"\",")); /* quoted */
    assert_ok(campaign_turn(w->store, &c, CAMPAIGN_UNMASKED, &e));
    assert_ok(campaign_get(w->arena, w->store, "small", &c, &e));
    csv = export_text(w, &c, EXPORT_CSV);
    assert_non_null(strstr(csv, "r0,,main,i0,ann,,0,1,2,wit,4,0,"));
    assert_non_null(strstr(csv, "r2,,main,i2,bob,,0,3,2,tone,,1,")); /* cannot say */
    json = export_text(w, &c, EXPORT_JSONL);
    assert_non_null(strstr(json, "\"comment\":\"=1+1\"")); /* there no guard is needed */
    assert_non_null(strstr(json, "\"value\":null,\"cannot_say\":1"));
    book = export_codebook(w->arena, &c);
    assert_true(str_find(book, STR("| `active_ms` |")) != SIZE_MAX);
    assert_true(str_find(book, STR("- `wit`: Wit, 0 to 5")) != SIZE_MAX);
    assert_true(str_find(book, STR("  - 0.5: near")) != SIZE_MAX);
    assert_true(str_find(book, STR("- `age`:")) != SIZE_MAX);
}

/* Whether nobody has finished yet or all are equal: a table of systems is not in the order of the
 * names behind their masks, which many people know. */
static void test_mask(void **state)
{
    struct world *w = *state;
    struct suite suite = world_suite(w->arena);
    AUTO(buf_done) struct buf file = BUF_MAX(1 << 20), table = BUF_MAX(1 << 20);
    struct str rest, line, before = STR("");
    struct panel_run r;
    struct campaign c;
    struct score_list l;
    int systems = 0;

    panel_run(w, &suite, 1, 9, &r);
    buf_text(&file, "rater,passage,system,dimension,value,rater_state\n");
    for (size_t i = 0; i < r.nmodels; i++)
        buf_fmt(&file, "r0,i0,%s,wit,3,rating\n", panel_model(w->arena, i));
    c = import_good(w, &r, "campaign: masked\n", file.p);
    l = outcome(w, &c);
    assert_null(score_find(&l, "system/ann", "mean:wit"));
    campaign_table_results(w->arena, &(struct campaign_view){.campaign = &c, .rows = &l},
                           &(struct render_terminal){.columns = 120}, &table);
    rest = buf_str(&table);
    while (str_line(&rest, &line)) {
        bool system = str_starts(line = str_trim(line), STR("system-"));
        if (system && before.n)
            assert_true(memcmp(before.p, line.p, strlen("system-000000")) < 0);
        before = system ? line : STR("");
        systems += system;
    }
    assert_int_equal(systems, 9);
}

/* However much there is, no more than a part of it is held. */
static void test_stream(void **state)
{
    struct world *w = *state;
    const struct export_how how = {EXPORT_CSV, true};
    struct text t = {.b = BUF_MAX(64 << 20)};
    struct buf b = BUF_MAX(64 << 20);
    struct panel_run r;
    struct campaign c;
    struct err e;

    start(w, &r);
    buf_text(&b, "rater,passage,system,dimension,value,comment\n");
    for (int i = 0; i < 400; i++)
        buf_fmt(&b, "r%d,i%d,ann,wit,3,%0900d\n", i / 4, i % 4, i);
    c = import_good(w, &r, "campaign: long\n", arena_text(w->arena, buf_str(&b)));
    buf_done(&b);
    assert_ok(export_ratings(w->store, &c, &how, gather, &t, &e));
    assert_true(t.parts >= 5);
    assert_true(t.most < 68 << 10);
    assert_true(t.b.n > 400 * 900);
    buf_done(&t.b);
}

/* ---- and back ---- */

static void assert_same(const struct score_list *x, const struct score_list *y)
{
    assert_int_equal(x->n, y->n);
    for (size_t i = 0; i < x->n; i++) {
        const struct score_row *a = &x->v[i], *b = score_find(y, a->subject, a->metric);
        if (!b || a->n != b->n || a->clusters != b->clusters ||
            memcmp(&a->value, &b->value, sizeof a->value) != 0 ||
            (!isnan(a->lo) && (a->lo != b->lo || a->hi != b->hi)))
            fail_msg("%s of %s is another", a->metric, a->subject);
    }
}

static void test_round_trip(void **state)
{
    static const struct {
        enum export_form form;
        const char *file, *yaml;
    } forms[] = {
        {EXPORT_CSV, "back.csv", "campaign: as-csv\npassages_per_rater: 3\n"},
        {EXPORT_JSONL, "back.jsonl", "campaign: as-json\npassages_per_rater: 3\n"},
    };
    struct world *w = *state;
    const char *first, *again;
    struct panel_run r;
    struct score_list l, m;
    struct campaign c, back;
    struct diags d;
    struct err e;

    start(w, &r);
    c = import_good(w, &r, "campaign: small\npassages_per_rater: 3\n", ratings);
    assert_ok(rater_exclude(w->store, &c, "r2", "root", "asked to be left out", &e));
    assert_ok(campaign_turn(w->store, &c, CAMPAIGN_UNMASKED, &e));
    assert_ok(campaign_get(w->arena, w->store, "small", &c, &e));
    l = outcome(w, &c);
    for (size_t i = 0; i < COUNT(forms); i++) {
        first = export_text(w, &c, forms[i].form);
        assert_ok(import(w, &r, forms[i].yaml, put_file(w, forms[i].file, first), &back, &d, &e));
        assert_ok(campaign_turn(w->store, &back, CAMPAIGN_UNMASKED, &e));
        assert_ok(campaign_get(w->arena, w->store, back.name, &back, &e));
        m = outcome(w, &back);
        assert_same(&l, &m);
        again = export_text(w, &back, forms[i].form);
        assert_int_equal(strlen(first) - strlen(again),
                         19 * (int)(strlen(c.name) - strlen(back.name)));
    }
}

static void test_faults(void **state)
{
    static const char bad[] = "rater,passage,system,dimension,value,repeat,created,rater_state\n"
                              "r0,i0,ann,wit,9,,,\n"           /* 2 */
                              "r0,i9,ann,wit,1,,,\n"           /* 3 */
                              "r0,i0,eve,wit,1,,,\n"           /* 4 */
                              "r0,i0,system-a1b2c3,wit,1,,,\n" /* 5 */
                              "r0,i0,ann,wits,1,,,\n"          /* 6 */
                              "r0,i0,ann,wit,high,,,\n"        /* 7 */
                              ",i0,ann,wit,1,,,\n"             /* 8 */
                              "r0,i0,ann,wit,1,-1,,\n"         /* 9 */
                              "r0,i0,ann,wit,1,,soon,\n"       /* 10 */
                              "r9,i0,ann,wit,1,,,gone\n"       /* 11 */
                              "r0,i1,ann,wit,1,,,\n"
                              "r0,i1,ann,wit,1,,,\n"; /* 13 */
    static const struct {
        int line;
        const char *says;
    } want[] = {{2, "9 is not allowed for 'wit'"},
                {3, "has no item 'i9'"},
                {4, "has no model 'eve'"},
                {5, "after their campaign was unmasked"},
                {6, "no dimension 'wits'"},
                {7, "expected a number"},
                {8, "who rated"},
                {9, "repeat: expected a whole number"},
                {10, "created: expected a time"},
                {11, "there is no state 'gone'"},
                {13, "before"}};
    struct world *w = *state;
    const struct diag *one;
    struct panel_run r;
    struct campaign c;
    struct diags d;
    struct err e;

    start(w, &r);
    assert_int_equal(import(w, &r, "campaign: bad\n", put_file(w, "bad.csv", bad), &c, &d, &e),
                     E_INPUT);
    assert_says(&e, "nothing was imported");
    one = d.first;
    for (size_t i = 0; i < COUNT(want); i++, one = one->next) {
        assert_non_null(one);
        if (one->at.line != want[i].line || !strstr(one->msg, want[i].says))
            fail_msg("%d: %s", one->at.line, one->msg);
    }
    assert_null(one);
    assert_int_equal(campaign_get(w->arena, w->store, "bad", &c, &e), E_ABSENT);
    assert_int_equal(
        import(w, &r, "campaign: bad\n", put_file(w, "b.csv", "rater,value\nr,1\n"), &c, &d, &e),
        E_INPUT);
    assert_says(&e, "no column 'passage'");
    assert_int_equal(import(w, &r, "campaign: bad\n", put_file(w, "b.csv", ""), &c, &d, &e),
                     E_INPUT);
    assert_int_equal(
        import(w, &r, "campaign: bad\n", put_file(w, "b.jsonl", "{\"rater\":\n"), &c, &d, &e),
        E_INPUT);
    assert_says(&e, "nothing was imported");
    assert_int_equal(d.first->at.line, 1);
    assert_int_equal(import(w, &r, "campaign: bad\n", put_file(w, "b.txt", "x"), &c, &d, &e),
                     E_INPUT);
    assert_says(&e, ".csv or .jsonl");
}

/* Three texts of a passage, ann's, bob's and the reference, have three places: a file that names a
 * later one would have all places before it stored. */
static void test_places(void **state)
{
    static const char head[] = "rater,passage,system,dimension,value,place\n";
    struct world *w = *state;
    struct panel_run r;
    struct campaign c;
    struct diags d;
    struct err e;
    const char *good = arena_printf(w->arena, "%sr0,i0,ann,wit,1,3\n", head),
               *bad = arena_printf(w->arena, "%sr0,i0,ann,wit,1,4\n", head);

    start(w, &r);
    assert_int_equal(import(w, &r, "campaign: far\n", put_file(w, "far.csv", bad), &c, &d, &e),
                     E_INPUT);
    assert_non_null(d.first);
    assert_string_equal(d.first->msg, "place: expected a whole number from 0 to 3");
    (void)import_good(w, &r, "campaign: near\n", good);
}

/* ---- pairs ---- */

/* Three of four for ann, once as a tie of two: 400 log10(3) apart either way. */
static void test_pairs(void **state)
{
    static const struct str criterion = {"better", 6};
    static const char *const texts[] = {"rater,passage,system,other_system,dimension,value\n"
                                        "r0,i0,ann,bob,choice,1\n"
                                        "r0,i1,bob,ann,choice,0\n"
                                        "r1,i0,ann,bob,choice,1\n"
                                        "r1,i1,bob,ann,choice,1\n",
                                        "rater,passage,system,other_system,dimension,value\n"
                                        "r0,i0,ann,bob,choice,1\n"
                                        "r0,i1,bob,ann,choice,0.5\n"
                                        "r1,i0,ann,bob,choice,0.5\n"
                                        "r1,i1,bob,ann,choice,0\n"};
    struct world *w = *state;
    struct suite suite = world_suite(w->arena);
    struct panel_run r;
    struct score_list l;
    struct campaign c;

    suite.instrument = (struct instrument){
        .kind = INSTRUMENT_PAIR, .criteria = &criterion, .ncriteria = 1, .ties = true};
    suite.score.kind = SCORE_RATING;
    panel_run(w, &suite, 4, 2, &r);
    for (size_t i = 0; i < COUNT(texts); i++) {
        c = import_good(w, &r, i ? "campaign: tied\n" : "campaign: won\n", texts[i]);
        l = outcome(w, &c);
        assert_near(row(&l, "system/ann", "rating")->value - row(&l, "system/bob", "rating")->value,
                    400 * log10(3), 1e-6);
        assert_int_equal(row(&l, "system/ann", "rating")->n, 4);
    }
}

/* A conversation is one battle: what was said of the whole, else what more of its turns say. The
 * turns by themselves share the weight of one. */
static void test_pairs_turns(void **state)
{
    static const struct str criterion = {"better", 6};
    static const char text[] = "rater,passage,system,other_system,dimension,value\n"
                               "r0,i0,ann,bob,turn-1,1\n"
                               "r0,i0,ann,bob,turn-2,1\n"
                               "r0,i0,ann,bob,turn-3,0\n"
                               "r0,i1,bob,ann,choice,0\n"
                               "r0,i1,bob,ann,turn-1,1\n"
                               "r1,i0,ann,bob,choice,\n" /* cannot say */
                               "r1,i0,ann,bob,turn-1,1\n"
                               "r1,i1,ann,bob,turn-1,-1\n"
                               "r1,i1,ann,bob,turn-2,-1\n";
    struct world *w = *state;
    struct suite suite = world_suite(w->arena);
    struct panel_run r;
    struct score_list l;
    struct campaign c;

    suite.instrument = (struct instrument){
        .kind = INSTRUMENT_PAIR, .criteria = &criterion, .ncriteria = 1, .ties = true};
    suite.score.kind = SCORE_RATING;
    panel_run(w, &suite, 4, 2, &r);
    c = import_good(w, &r, "campaign: turns\npassages_per_rater: 2\n", text);
    l = outcome(w, &c);
    assert_int_equal(row(&l, "system/ann", "rating")->n, 3);
    assert_near(row(&l, "system/ann", "rating")->value - row(&l, "system/bob", "rating")->value,
                400 * log10(5), 1e-6);
    assert_near(row(&l, "system/ann", "both-bad")->value, 1.0 / 3, 1e-9);
    assert_int_equal(row(&l, "system/ann", "rating:turns")->n, 7);
    assert_int_equal(row(&l, "system/ann", "rating:turns")->clusters, 2);
    assert_near(row(&l, "system/ann", "rating:turns")->value -
                    row(&l, "system/bob", "rating:turns")->value,
                400 * log10(13.0 / 11), 1e-6);
}

/* The same pair the other way round: the first choice stands, the second is another one. */
static void test_pairs_twice(void **state)
{
    static const struct str criterion = {"better", 6};
    static const char text[] = "rater,passage,system,other_system,dimension,value,position,phase\n"
                               "r0,i0,ann,bob,choice,1,1,main\n"
                               "r0,i1,ann,bob,choice,1,2,main\n"
                               "r0,i0,bob,ann,choice,0,3,repeat\n"
                               "r0,i1,bob,ann,choice,1,5,repeat\n";
    struct world *w = *state;
    struct suite suite = world_suite(w->arena);
    struct panel_run r;
    struct score_list l;
    struct campaign c;

    suite.instrument =
        (struct instrument){.kind = INSTRUMENT_PAIR, .criteria = &criterion, .ncriteria = 1};
    suite.score.kind = SCORE_RATING;
    panel_run(w, &suite, 4, 2, &r);
    c = import_good(w, &r, "campaign: twice\npassages_per_rater: 2\n", text);
    l = outcome(w, &c);
    assert_near(row(&l, "rater/r0", "sign:self")->value, 0.5, 0);
    assert_int_equal(row(&l, "rater/r0", "sign:self")->n, 2);
    assert_int_equal(row(&l, "system/ann", "rating")->n, 2);
}

#define TESTS(setup)                                                                               \
    WORLD_TEST(test_systems, setup), WORLD_TEST(test_differences, setup),                          \
        WORLD_TEST(test_machines, setup), WORLD_TEST(test_levels, setup),                          \
        WORLD_TEST(test_people, setup), WORLD_TEST(test_rules, setup),                             \
        WORLD_TEST(test_export, setup), WORLD_TEST(test_stream, setup),                            \
        WORLD_TEST(test_round_trip, setup), WORLD_TEST(test_faults, setup),                        \
        WORLD_TEST(test_places, setup), WORLD_TEST(test_pairs, setup),                             \
        WORLD_TEST(test_pairs_turns, setup), WORLD_TEST(test_pairs_twice, setup),                  \
        WORLD_TEST(test_self, setup), WORLD_TEST(test_fit, setup), WORLD_TEST(test_mask, setup)

WORLD_MAIN("outcome", TESTS)
