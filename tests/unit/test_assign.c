/* Who gets what to rate: balance, leases, practice, silent anchors, coverage; on both databases. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "near.h"
#include "panel/erase.h"
#include "panel/practice.h"
#include "store_world.h"

#include "panel_world.h"

#define ABOUT "about: [{id: age, text: Age, options: [young, old]}]\n"

static const double middling[] = {0.5, 3};

static void sql(struct world *w, const char *text)
{
    struct err e;

    assert_ok(db_script(w->store->db, text, &e));
}

static struct coverage_list coverage(struct world *w, const struct campaign *c)
{
    struct coverage_list l;
    struct err e;

    assert_ok(campaign_coverage(w->arena, w->store, c, &l, &e));
    return l;
}

/* ---- 60 raters, 50 passages, 5 each, ten texts: the published design ---- */

static void test_sixty(void **state)
{
    enum { RATERS = 60, PASSAGES = 50, EACH = 5, TEXTS = 10, SHOWN = RATERS * EACH };
    struct world *w = *state;
    struct suite suite = world_suite(w->arena);
    static int place[TEXTS][TEXTS], uses[PASSAGES];
    struct rater raters[RATERS];
    struct panel_run r;
    struct coverage_list l;
    struct campaign c;
    struct assignment as;
    struct err e;
    bool found;

    panel_run(w, &suite, PASSAGES, TEXTS - 1, &r);
    c = panel_open(w, &r,
                   "campaign: sixty\nreference: takes-part\noverlap: 6\ncounts: everyone\n" ABOUT);
    memset(place, 0, sizeof place);
    memset(uses, 0, sizeof uses);
    for (size_t i = 0; i < RATERS; i++)
        raters[i] = panel_rater(w, &c);
    for (size_t k = 0; k < EACH; k++)
        for (size_t i = 0; i < RATERS; i++) {
            assert_ok(assign_next(w->arena, w->store, &c, &raters[i], &as, &found, &e));
            assert_true(found);
            assert_int_equal(as.nshown, TEXTS);
            for (size_t t = 0; t < TEXTS; t++) {
                size_t m = 0; /* the reference is the last */
                while (m < TEXTS - 1 && r.models[m] &&
                       r.samples[as.item - r.items[0]][m] != as.shown[t].sample)
                    m++;
                place[m][t]++;
            }
            uses[as.item - r.items[0]]++;
            sql(w, arena_printf(w->arena,
                                "UPDATE assignment SET state = 'done' WHERE id = %lld;"
                                "UPDATE passage SET done = done + 1 WHERE item = %lld",
                                (long long)as.id, (long long)as.item));
            raters[i].done++;
        }
    for (size_t i = 0; i < PASSAGES; i++)
        assert_in_range(uses[i], 5, 7);
    for (size_t m = 0; m < TEXTS; m++)
        for (size_t t = 0; t < TEXTS; t++) /* 30 each, four standard deviations */
            assert_in_range(place[m][t], SHOWN / TEXTS - 20, SHOWN / TEXTS + 20);
    l = coverage(w, &c);
    assert_true(l.connected);
    for (size_t i = 0; i < RATERS; i++) {
        assert_ok(assign_next(w->arena, w->store, &c, &raters[i], &as, &found, &e));
        assert_false(found);
    }
}

/* ---- leases ---- */

static void test_leases(void **state)
{
    struct world *w = *state;
    struct suite suite = world_suite(w->arena);
    struct panel_run r;
    struct campaign c;
    struct rater one, two;
    struct ballot a, b, again;

    panel_run(w, &suite, 2, 2, &r);
    c = panel_open(w, &r, "campaign: leases\npassages_per_rater: 1\noverlap: 1\n" ABOUT);
    one = panel_rater(w, &c);
    two = panel_rater(w, &c);
    assert_true(panel_next(w, &c, &one, &a));
    assert_int_equal(coverage(w, &c).v[a.of.item - r.items[0]].live, 1);
    sql(w, "UPDATE assignment SET lease_ms = 1, seen_ms = 1");
    assert_int_equal(coverage(w, &c).v[a.of.item - r.items[0]].live, 0);
    /* The other passage is wanted as much; both are given once the first is taken up. */
    assert_true(panel_next(w, &c, &two, &b));
    assert_true(panel_next(w, &c, &one, &again));
    assert_int_equal(again.of.id, a.of.id);
    assert_int_equal(coverage(w, &c).v[a.of.item - r.items[0]].live, 1);
    panel_rate(w, &c, &one, &again, middling);
    assert_int_equal(one.state, RATER_FINISHED);
}

/* Whoever stopped is not waited for: others are wanted in their place, and get their passages. */
static void test_dropouts(void **state)
{
    struct world *w = *state;
    struct suite suite = world_suite(w->arena);
    struct panel_run r;
    struct coverage_list l;
    struct campaign c;
    struct rater stopped, next;
    struct ballot first, b;
    struct err e;

    panel_run(w, &suite, 3, 2, &r);
    c = panel_open(w, &r, "campaign: dropouts\npassages_per_rater: 2\noverlap: 2\n" ABOUT);
    l = coverage(w, &c);
    assert_int_equal(l.short_of, 6);
    assert_int_equal(l.top_up, 3);
    assert_false(l.connected);
    stopped = panel_rater(w, &c);
    assert_true(panel_next(w, &c, &stopped, &first));
    panel_rate(w, &c, &stopped, &first, middling);
    l = coverage(w, &c);
    assert_int_equal(l.v[first.of.item - r.items[0]].counted, 1);
    assert_int_equal(l.short_of, 5);
    assert_true(l.connected);
    sql(w, "UPDATE assignment SET seen_ms = 1");
    l = coverage(w, &c);
    assert_int_equal(l.v[first.of.item - r.items[0]].done, 1);
    assert_int_equal(l.v[first.of.item - r.items[0]].counted, 0);
    assert_int_equal(l.short_of, 6);
    for (int i = 0; i < 3; i++) { /* each passage twice */
        next = panel_rater(w, &c);
        while (panel_next(w, &c, &next, &b))
            panel_rate(w, &c, &next, &b, middling);
        assert_int_equal(next.state, RATER_FINISHED);
    }
    l = coverage(w, &c);
    assert_int_equal(l.short_of, 0);
    assert_int_equal(l.v[first.of.item - r.items[0]].done, 3);
    /* What an excluded rater did counts no more, and is asked of others. */
    assert_ok(rater_exclude(w->store, &c, next.pseudonym, "root", "asleep", &e));
    assert_int_equal(coverage(w, &c).short_of, 2);
    assert_int_equal(rater_exclude(w->store, &c, next.pseudonym, "root", "", &e), E_USAGE);
    assert_int_equal(rater_exclude(w->store, &c, "nobody", "root", "why", &e), E_ABSENT);
}

/* Two islands, then a bridge. */
static void test_connected(void **state)
{
    struct world *w = *state;
    struct suite suite = world_suite(w->arena);
    struct panel_run r;
    struct campaign c;
    struct rater one, two, three;
    struct ballot b;

    panel_run(w, &suite, 2, 2, &r);
    c = panel_open(w, &r, "campaign: islands\npassages_per_rater: 2\n" ABOUT);
    one = panel_rater(w, &c);
    two = panel_rater(w, &c);
    three = panel_rater(w, &c);
    assert_true(panel_next(w, &c, &one, &b));
    panel_rate(w, &c, &one, &b, middling);
    assert_true(panel_next(w, &c, &two, &b));
    panel_rate(w, &c, &two, &b, middling);
    assert_false(coverage(w, &c).connected);
    while (panel_next(w, &c, &three, &b))
        panel_rate(w, &c, &three, &b, middling);
    assert_true(coverage(w, &c).connected);
}

/* ---- the end ---- */

static void test_too_few(void **state)
{
    struct world *w = *state;
    struct suite suite = world_suite(w->arena);
    const char *frozen;
    struct panel_run r;
    struct campaign c;
    struct rater one;
    struct ballot b;
    struct diags d;
    struct spec spec;
    struct err e;

    panel_run(w, &suite, 3, 2, &r);
    diags_init(&d, w->arena);
    spec_read(w->arena, STR("campaign: few\n"), &suite, &spec, &frozen, &d);
    assert_int_equal(campaign_add(w->arena, w->store,
                                  &(struct campaign_new){&w->run, &suite, frozen, "test"}, &c, &e),
                     E_USAGE);
    assert_says(&e, "5 passages");
    assert_says(&e, "nobody could finish");
    c = panel_open(w, &r, "campaign: few\npassages_per_rater: 3\n" ABOUT);
    assert_int_equal(campaign_add(w->arena, w->store,
                                  &(struct campaign_new){&w->run, &suite, c.frozen.p, "test"}, &c,
                                  &e),
                     E_USAGE);
    assert_says(&e, "already");
    /* Somebody hides everything of a passage while raters are under way. */
    for (size_t m = 0; m < 2; m++)
        sql(w, arena_printf(w->arena,
                            "INSERT INTO withheld (campaign, sample, why, words, decision) "
                            "VALUES (%lld, %lld, 'self', '', 'hide')",
                            (long long)c.id, (long long)r.samples[0][m]));
    one = panel_rater(w, &c);
    while (panel_next(w, &c, &one, &b))
        panel_rate(w, &c, &one, &b, middling);
    assert_ok(rater_get(w->arena, w->store, one.id, &one, &e));
    assert_int_equal(one.done, 2);
    assert_int_equal(one.state, RATER_FINISHED);
    assert_non_null(one.code);
}

static void test_deadline(void **state)
{
    struct world *w = *state;
    struct suite suite = world_suite(w->arena);
    struct panel_run r;
    struct campaign c;
    struct err e;

    panel_run(w, &suite, 2, 2, &r);
    c = panel_open(w, &r, "campaign: late\npassages_per_rater: 1\ndeadline: 2099-01-01\n" ABOUT);
    assert_true(campaign_takes(&c, clock_utc_ms()));
    assert_false(campaign_takes(&c, c.spec.deadline_ms + 1));
    assert_ok(campaign_turn(w->store, &c, CAMPAIGN_CLOSED, &e));
    c.state = CAMPAIGN_CLOSED;
    assert_false(campaign_takes(&c, clock_utc_ms()));
    c.spec.deadline_ms = 1;
    assert_int_equal(campaign_turn(w->store, &c, CAMPAIGN_OPEN, &e), E_USAGE);
    assert_says(&e, "deadline");
}

/* What people write is counted in characters. */
static void test_long_comment(void **state)
{
    AUTO(buf_done) struct buf words = BUF_MAX(4 * BALLOT_COMMENT_MAX);
    struct world *w = *state;
    struct suite suite = world_suite(w->arena);
    struct ballot_save s = {.client = "long", .m = {.dimension = "wit", .value = 1}};
    enum ballot_result result;
    struct ballot_mark now;
    struct panel_run r;
    struct campaign c;
    struct rater one;
    struct ballot b;
    struct err e;

    panel_run(w, &suite, 2, 2, &r);
    c = panel_open(w, &r, "campaign: long\npassages_per_rater: 1\n" ABOUT);
    one = panel_rater(w, &c);
    assert_true(panel_next(w, &c, &one, &b));
    for (int i = 0; i < BALLOT_COMMENT_MAX; i++)
        buf_text(&words, "闸");
    s.m.is = b.slots[0].is;
    s.m.comment = buf_str(&words);
    assert_ok(ballot_save(w->arena, w->store, &c, &b, &s, &result, &now, &e));
    assert_true(str_eq(now.comment, s.m.comment));
    buf_text(&words, ".");
    s.m.comment = buf_str(&words);
    assert_int_equal(ballot_save(w->arena, w->store, &c, &b, &s, &result, &now, &e), E_INPUT);
    assert_says(&e, "16384 characters");
}

/* What was handed in stays as it is, also for a page that does not know it yet. */
static void test_handed_in(void **state)
{
    struct world *w = *state;
    struct suite suite = world_suite(w->arena);
    struct panel_run r;
    struct campaign c;
    struct rater one;
    struct ballot b;
    struct ballot_save s = {.client = "late", .m = {.dimension = "wit", .value = 1, .version = 1}};
    enum ballot_result result = BALLOT_SAVED;
    struct ballot_mark now;
    struct err e;

    panel_run(w, &suite, 2, 2, &r);
    c = panel_open(w, &r, "campaign: late\npassages_per_rater: 2\n" ABOUT);
    one = panel_rater(w, &c);
    assert_true(panel_next(w, &c, &one, &b));
    panel_rate(w, &c, &one, &b, middling);
    s.m.is = b.slots[0].is;
    assert_int_equal(ballot_save(w->arena, w->store, &c, &b, &s, &result, &now, &e), E_USAGE);
    assert_says(&e, "has been submitted and cannot be changed");
}

/* ---- practice ---- */

#define EXAMPLES                                                                                   \
    "examples:\n"                                                                                  \
    "  - {prompt: A?, answer: Aa., score: {tone: 0, wit: 0}}\n"                                    \
    "  - {prompt: B?, answer: Bb., score: {tone: 1, wit: 5}}\n"                                    \
    "  - {prompt: C?, answer: Cc., score: {tone: 0.5, wit: 2}}\n"                                  \
    "  - {prompt: D?, answer: Dd., score: {tone: 0, wit: 4}}\n"

/* One attempt: every text is marked so far from its key, in steps. */
static void attempt(struct world *w, const struct campaign *c, struct rater *r, double off,
                    struct practice_result *result, char *seen)
{
    struct ballot b;
    struct err e;

    for (int i = 0; i < 2; i++) {
        double value[2];
        assert_true(panel_next(w, c, r, &b));
        assert_int_equal(b.of.phase, PHASE_PRACTICE);
        value[0] = b.anchor->scores[0];
        value[1] = b.anchor->scores[1] + (b.anchor->scores[1] + off > 5 ? -off : off);
        assert_ok(practice_look(w->arena, w->store, c, r, result, &e));
        assert_false(result->over);
        panel_rate(w, c, r, &b, value);
        seen[i] = b.item.prompt.p[0];
    }
    assert_ok(practice_look(w->arena, w->store, c, r, result, &e));
    assert_true(result->over);
    assert_ok(practice_settle(w->store, r, result, &e));
    assert_ok(rater_get(w->arena, w->store, r->id, r, &e));
}

static void test_practice(void **state)
{
    struct world *w = *state;
    struct suite suite = world_suite(w->arena);
    struct practice_result result;
    struct panel_run run;
    struct campaign c;
    struct rater r;
    struct ballot b;
    char seen[5] = "";

    panel_run(w, &suite, 3, 2, &run);
    c = panel_open(
        w, &run,
        "campaign: learn\npassages_per_rater: 1\npractice: {texts: 2, attempts: 2}\n" ABOUT
            EXAMPLES);
    /* passes at once */
    r = panel_rater(w, &c);
    assert_int_equal(r.state, RATER_PRACTISING);
    attempt(w, &c, &r, 0, &result, seen);
    assert_true(result.passed);
    assert_int_equal(r.state, RATER_RATING);
    assert_int_equal(r.done, 0);
    /* fails, then passes with other texts */
    r = panel_rater(w, &c);
    attempt(w, &c, &r, 2, &result, seen);
    assert_false(result.passed);
    assert_false(result.last);
    assert_true(result.parts[1].faults & CALIBRATE_NEAR);
    assert_int_equal(result.parts[0].faults, 0);
    assert_int_equal(r.state, RATER_PRACTISING);
    attempt(w, &c, &r, 0, &result, seen + 2);
    assert_string_equal(seen, "ABCD");
    assert_int_equal(r.state, RATER_RATING);
    assert_true(panel_next(w, &c, &r, &b));
    assert_int_equal(b.of.phase, PHASE_MAIN);
    /* fails twice */
    r = panel_rater(w, &c);
    attempt(w, &c, &r, 2, &result, seen);
    attempt(w, &c, &r, 2, &result, seen + 2);
    assert_true(result.last);
    assert_int_equal(r.state, RATER_REJECTED);
    assert_false(panel_next(w, &c, &r, &b));
}

/* Kappa is asked for of all marks together: two texts have but two in each dimension. Worked out by
 * hand for keys 0 2 0 5 and marks 0 2 2 3, in steps: 1 - 2 / 5.375 = 0.628. */
static void test_practice_kappa(void **state)
{
    struct world *w = *state;
    struct suite suite = world_suite(w->arena);
    struct practice_result result;
    struct panel_run run;
    struct campaign c;
    struct rater r;
    char seen[3] = "";

    panel_run(w, &suite, 3, 2, &run);
    c = panel_open(
        w, &run,
        "campaign: learn\npassages_per_rater: 1\n"
        "practice: {texts: 2, exact: 0, within: 0, bias: 5, kappa: 0.7, kappa_from: 4}\n" ABOUT
            EXAMPLES);
    r = panel_rater(w, &c);
    attempt(w, &c, &r, 2, &result, seen);
    assert_near(result.kappa, 1 - 2 / 5.375, 1e-12);
    assert_int_equal(result.parts[0].faults | result.parts[1].faults, 0);
    assert_false(result.passed);
    r = panel_rater(w, &c);
    attempt(w, &c, &r, 0, &result, seen);
    assert_true(result.passed);
}

static int64_t counted(struct world *w, const struct campaign *c)
{
    struct coverage_list l = coverage(w, c);
    int64_t n = 0;

    for (size_t i = 0; i < l.n; i++)
        n += l.v[i].counted;
    return n;
}

static void rate_main(struct world *w, const struct campaign *c, struct rater *r, int passages)
{
    for (int i = 0; i < passages; i++) {
        struct ballot b;
        assert_true(panel_next(w, c, r, &b));
        assert_int_equal(b.of.phase, PHASE_MAIN);
        panel_rate(w, c, r, &b, middling);
    }
}

/* Whoever decides on withheld texts learns neither from their names nor from their order which are
 * of one model. */
static void test_withheld_names(void **state)
{
    enum { MODELS = 9 };
    struct world *w = *state;
    struct suite suite = world_suite(w->arena);
    struct withheld_list l, again;
    struct panel_run r;
    struct campaign c;
    struct err e;

    panel_run(w, &suite, 2, MODELS, &r);
    c = panel_open(w, &r, "campaign: held\npassages_per_rater: 1\n" ABOUT);
    for (size_t i = 0; i < 2 * MODELS; i++)
        sql(w, arena_printf(w->arena,
                            "INSERT INTO withheld (campaign, sample, why, words) "
                            "VALUES (%lld, %lld, 'self', '')",
                            (long long)c.id, (long long)r.samples[i / MODELS][i % MODELS]));
    assert_ok(campaign_withheld(w->arena, w->store, &c, &l, &e));
    assert_ok(campaign_withheld(w->arena, w->store, &c, &again, &e));
    assert_int_equal(l.n, 2 * MODELS);
    for (size_t i = 0; i < l.n; i++) {
        assert_string_equal(l.v[i].item_name, i < MODELS ? "i0" : "i1");
        assert_int_equal(strlen(l.v[i].name), WITHHELD_NAME - 1);
        assert_string_equal(l.v[i].name, again.v[i].name);
        if (i % MODELS)
            assert_true(strcmp(l.v[i - 1].name, l.v[i].name) < 0);
    }
}

/* What a rule leaves out of the numbers is not for raters either, and waits for nobody. */
static void test_left_out(void **state)
{
    struct world *w = *state;
    struct suite suite = world_suite(w->arena);
    struct panel_run r;
    struct campaign c;
    struct rater one;
    struct ballot b;

    suite.rules.of[RULE_MARKUP] = (struct rule){.on = true, .effect = EFFECT_LEAVE_OUT};
    panel_run(w, &suite, 1, 3, &r);
    sql(w, arena_printf(w->arena, "UPDATE sample SET answer = '# A heading' WHERE id = %lld",
                        (long long)r.samples[0][1]));
    c = panel_open(w, &r, "campaign: out\npassages_per_rater: 1\n" ABOUT);
    one = panel_rater(w, &c);
    assert_true(panel_next(w, &c, &one, &b));
    for (size_t i = 0; i < b.n; i++)
        assert_int_not_equal(b.slots[i].is.sample, r.samples[0][1]);
}

/* Practice comes again after so many passages, with other texts, and by the same gate. */
static void test_again(void **state)
{
    struct world *w = *state;
    struct suite suite = world_suite(w->arena);
    struct practice_result result;
    struct practice_list kept;
    struct panel_run run;
    struct campaign c;
    struct rater r;
    struct ballot b;
    struct err e;
    char seen[7] = "";

    panel_run(w, &suite, 6, 2, &run);
    c = panel_open(w, &run,
                   "campaign: again\npassages_per_rater: 4\n"
                   "practice: {texts: 2, silent: 0, again_items: 2}\n" ABOUT EXAMPLES);
    r = panel_rater(w, &c);
    attempt(w, &c, &r, 0, &result, seen);
    rate_main(w, &c, &r, 2);
    assert_true(rater_must_practise(&c, &r, clock_utc_ms()));
    attempt(w, &c, &r, 2, &result,
            seen + 2); /* misses, and has another attempt in this round too */
    assert_int_equal(r.state, RATER_PRACTISING);
    attempt(w, &c, &r, 0, &result, seen + 4);
    assert_string_equal(seen, "ABCDAB");
    assert_int_equal(r.rounds, 2);
    assert_int_equal(r.done, 2);
    rate_main(w, &c, &r, 2); /* and has finished: nothing is practised for nothing */
    assert_int_equal(r.state, RATER_FINISHED);
    assert_false(panel_next(w, &c, &r, &b));
    assert_ok(practice_list(w->arena, w->store, c.id, &kept, &e));
    assert_int_equal(kept.n, 6); /* three attempts, two dimensions */
    assert_string_equal(kept.v[2].rater, r.pseudonym);
    assert_string_equal(kept.v[3].dimension, "wit");
    assert_false(kept.v[3].passed);
    assert_int_equal(kept.v[3].round, 1);
    assert_int_equal(kept.v[3].done, 2);
    assert_int_equal(kept.v[3].is.n, 2);
    assert_near(kept.v[3].is.near, 0, 0);
    assert_true(kept.v[5].passed);
    assert_int_equal(kept.v[5].round, 1);
    assert_int_equal(kept.v[5].attempt, 2);
    /* Who misses it twice is out, as after the first; what was rated stays, but does not count. */
    r = panel_rater(w, &c);
    attempt(w, &c, &r, 0, &result, seen);
    rate_main(w, &c, &r, 2);
    assert_int_equal(counted(w, &c), 6);
    attempt(w, &c, &r, 2, &result, seen);
    assert_false(result.last);
    attempt(w, &c, &r, 2, &result, seen);
    assert_true(result.last);
    assert_int_equal(r.state, RATER_REJECTED);
    assert_int_equal(r.done, 2);
    assert_int_equal(counted(w, &c), 4);
    assert_ok(erase_rater(w->store, &r, true, &e));
    assert_ok(practice_list(w->arena, w->store, c.id, &kept, &e));
    assert_int_equal(kept.n, 6);
}

/* Who has had all there is has finished, although it is less than was meant: a practice that
 * nothing follows could only take away what was done. */
static void test_again_for_nothing(void **state)
{
    struct world *w = *state;
    struct suite suite = world_suite(w->arena);
    struct practice_result result;
    struct panel_run run;
    struct campaign c;
    struct rater r;
    struct ballot b;
    struct err e;
    bool due = true;
    char seen[3] = "";

    panel_run(w, &suite, 4, 2, &run);
    c = panel_open(w, &run,
                   "campaign: few\npassages_per_rater: 4\n"
                   "practice: {texts: 2, silent: 0, again_items: 1}\n" ABOUT EXAMPLES);
    r = panel_rater(w, &c);
    attempt(w, &c, &r, 0, &result, seen);
    rate_main(w, &c, &r, 1);
    assert_ok(assign_practice_due(w->arena, w->store, &c, &r, &due, &e));
    assert_true(due);
    attempt(w, &c, &r, 0, &result, seen);
    assert_true(panel_next(w, &c, &r, &b));
    assert_ok(ballot_skip(w->store, &c, &b, STR(""), &e));
    rate_main(w, &c, &r, 1);
    assert_ok(assign_practice_due(w->arena, w->store, &c, &r, &due, &e));
    assert_true(due);
    sql(w, arena_printf(w->arena,
                        "INSERT INTO withheld (campaign, sample, why, words, decision) "
                        "SELECT %lld, s.id, 'self', '', 'hide' FROM sample s WHERE s.item NOT IN "
                        "(SELECT a.item FROM assignment a)",
                        (long long)c.id));
    assert_true(rater_must_practise(&c, &r, clock_utc_ms()));
    assert_ok(assign_practice_due(w->arena, w->store, &c, &r, &due, &e));
    assert_false(due);
    assert_false(panel_next(w, &c, &r, &b));
    assert_ok(rater_get(w->arena, w->store, r.id, &r, &e));
    assert_int_equal(r.state, RATER_FINISHED);
}

/* After so many days too; the passage that was begun waits, with its marks. */
static void test_again_days(void **state)
{
    struct world *w = *state;
    struct suite suite = world_suite(w->arena);
    struct ballot_save s = {.client = "c", .m = {.dimension = "wit", .value = 4}};
    enum ballot_result saved;
    struct practice_result result;
    struct ballot_marks marks;
    struct ballot_mark now;
    struct panel_run run;
    struct ballot b, same;
    struct campaign c;
    struct rater r;
    struct err e;
    char seen[3] = "";

    panel_run(w, &suite, 3, 2, &run);
    c = panel_open(w, &run,
                   "campaign: days\npassages_per_rater: 2\n"
                   "practice: {texts: 2, silent: 0}\n" ABOUT EXAMPLES);
    r = panel_rater(w, &c);
    attempt(w, &c, &r, 0, &result, seen);
    assert_true(panel_next(w, &c, &r, &b));
    s.m.is = b.slots[1].is;
    assert_ok(ballot_save(w->arena, w->store, &c, &b, &s, &saved, &now, &e));
    assert_false(rater_must_practise(&c, &r, clock_utc_ms() + (int64_t)13 * 86400000));
    sql(w, "UPDATE calibration SET at_ms = at_ms - 1209600000");
    attempt(w, &c, &r, 0, &result, seen);
    assert_string_equal(seen, "CD");
    assert_true(panel_next(w, &c, &r, &same));
    assert_int_equal(same.of.id, b.of.id);
    assert_ok(ballot_marks(w->arena, w->store, same.of.id, &marks, &e));
    assert_int_equal(marks.n, 1);
    assert_near(marks.v[0].value, 4, 0);
}

/* Steps: levels apart where the scale has levels. */
static void test_steps(void **state)
{
    struct world *w = *state;
    struct suite suite = world_suite(w->arena);

    assert_near(practice_steps(&suite.instrument.dimensions[0], 1, 0), 2, 0);
    assert_near(practice_steps(&suite.instrument.dimensions[0], 0.5, 1), -1, 0);
    assert_near(practice_steps(&suite.instrument.dimensions[1], 1, 4), -3, 0);
}

/* Anchors look like any other text, do not count as passages, and never come one after another. */
static void test_silent(void **state)
{
    struct world *w = *state;
    struct suite suite = world_suite(w->arena);
    struct panel_run run;
    struct campaign c;
    int anchors = 0;

    panel_run(w, &suite, 6, 1, &run);
    c = panel_open(
        w, &run,
        "campaign: silent\npassages_per_rater: 6\npractice: {texts: 1, silent: 0.5}\n" ABOUT
            EXAMPLES);
    for (int i = 0; i < 4; i++) {
        struct rater r = panel_rater(w, &c);
        enum phase last = PHASE_MAIN;
        bool seen[4] = {0};
        struct ballot b;
        int passages = 0;
        sql(w, "UPDATE rater SET state = 'rating' WHERE state = 'practising'");
        while (panel_next(w, &c, &r, &b)) {
            if (b.of.phase == PHASE_ANCHOR) {
                assert_int_not_equal(last, PHASE_ANCHOR);
                assert_false(seen[b.of.anchor]);
                seen[b.of.anchor] = true;
                anchors++;
            }
            passages += b.of.phase == PHASE_MAIN;
            last = b.of.phase;
            panel_rate(w, &c, &r, &b, middling);
        }
        assert_int_equal(passages, 6);
        assert_int_equal(r.state, RATER_FINISHED);
    }
    assert_in_range(anchors, 3, 16);
}

/* Of a practised text the marks are known: the others come first. */
static void test_silent_is_new(void **state)
{
    struct world *w = *state;
    struct suite suite = world_suite(w->arena);
    struct practice_result result;
    struct panel_run run;
    struct campaign c;
    int silent = 0;

    panel_run(w, &suite, 6, 1, &run);
    c = panel_open(
        w, &run,
        "campaign: new\npassages_per_rater: 6\npractice: {texts: 2, silent: 0.5}\n" ABOUT EXAMPLES);
    for (int i = 0; i < 8; i++) {
        struct rater r = panel_rater(w, &c);
        struct ballot b;
        char seen[5] = "";
        bool first = true;
        attempt(w, &c, &r, 0, &result, seen);
        assert_string_equal(seen, "AB");
        while (panel_next(w, &c, &r, &b)) {
            if (b.of.phase == PHASE_ANCHOR && first) {
                assert_in_range(b.of.anchor, 2, 3);
                first = false;
                silent++;
            }
            panel_rate(w, &c, &r, &b, middling);
        }
    }
    assert_in_range(silent, 1, 8);
}

/* Passages come once more, the other way round: not at once, not twice, and they count for nothing.
 */
static void test_twice(void **state)
{
    struct world *w = *state;
    struct suite suite = world_suite(w->arena);
    struct panel_run run;
    struct campaign c;
    int repeats = 0;

    panel_run(w, &suite, 6, 3, &run);
    c = panel_open(w, &run, "campaign: twice\npassages_per_rater: 6\nshown_twice: 0.5\n" ABOUT);
    for (int i = 0; i < 4; i++) {
        struct rater r = panel_rater(w, &c);
        struct assignment had[12];
        size_t n = 0;
        struct ballot b;
        while (panel_next(w, &c, &r, &b)) {
            const struct assignment *first = NULL;
            for (size_t k = 0; k < n; k++)
                if (had[k].item == b.of.item) {
                    assert_null(first);
                    first = &had[k];
                }
            assert_int_equal(b.of.phase, first ? PHASE_REPEAT : PHASE_MAIN);
            if (first) {
                repeats++;
                assert_int_not_equal(had[n - 1].item, b.of.item);
                assert_int_equal(had[n - 1].phase, PHASE_MAIN);
                assert_int_equal(b.n, 3);
                for (size_t k = 0; k < 3; k++)
                    assert_int_equal(b.of.shown[k].sample, first->shown[2 - k].sample);
            }
            had[n++] = b.of;
            panel_rate(w, &c, &r, &b, middling);
        }
        assert_int_equal(r.done, 6);
        assert_int_equal(r.state, RATER_FINISHED);
    }
    assert_in_range(repeats, 3, 12);
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(coverage(w, &c).v[i].done, 4);
        assert_int_equal(coverage(w, &c).v[i].counted, 4);
    }
}

/* What somebody has hidden since is not shown once more, and what is still shown is. */
static void test_twice_hidden(void **state)
{
    struct world *w = *state;
    struct suite suite = world_suite(w->arena);
    struct panel_run run;
    struct campaign c;
    int64_t hidden;
    int others = 0;

    panel_run(w, &suite, 6, 2, &run);
    c = panel_open(w, &run, "campaign: hidden\npassages_per_rater: 6\nshown_twice: 0.5\n" ABOUT);
    hidden = run.items[0];
    sql(w, arena_printf(w->arena,
                        "INSERT INTO withheld (campaign, sample, why, words, decision) VALUES "
                        "(%lld, %lld, '', '', 'show')",
                        (long long)c.id, (long long)run.samples[0][1]));
    for (int i = 0; i < 6; i++) {
        struct rater r = panel_rater(w, &c);
        struct ballot b;
        sql(w, "UPDATE withheld SET decision = 'show'");
        while (panel_next(w, &c, &r, &b)) {
            assert_false(b.of.phase == PHASE_REPEAT && b.of.item == hidden);
            others += b.of.phase == PHASE_REPEAT;
            panel_rate(w, &c, &r, &b, middling);
            if (b.of.item == hidden)
                sql(w, "UPDATE withheld SET decision = 'hide'");
        }
        assert_int_equal(r.state, RATER_FINISHED);
    }
    assert_in_range(others, 3, 18);
}

/* What is skipped is not handed in, does not come again, and goes to others. */
static void test_skip(void **state)
{
    struct world *w = *state;
    struct suite suite = world_suite(w->arena);
    struct complaint_list reasons;
    struct panel_run run;
    struct campaign c;
    struct ballot b, next;
    struct rater r;
    struct err e;

    panel_run(w, &suite, 2, 2, &run);
    c = panel_open(w, &run, "campaign: skip\npassages_per_rater: 1\n" ABOUT);
    r = panel_rater(w, &c);
    assert_true(panel_next(w, &c, &r, &b));
    assert_ok(ballot_skip(w->store, &c, &b, STR("too sad"), &e));
    assert_ok(ballot_skip(w->store, &c, &b, STR("too sad"), &e));
    assert_ok(ballot_complaints(w->arena, w->store, &c, &reasons, &e));
    assert_int_equal(reasons.n, 1);
    assert_int_equal(reasons.v[0].sample, -1);
    assert_string_equal(reasons.v[0].why, "too sad");
    assert_int_equal(reasons.v[0].text.n, 0);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(coverage(w, &c).v[i].done, 0);
        assert_int_equal(coverage(w, &c).v[i].live, 0);
    }
    assert_true(panel_next(w, &c, &r, &next));
    assert_int_not_equal(next.of.item, b.of.item);
    panel_rate(w, &c, &r, &next, middling);
    assert_int_equal(r.state, RATER_FINISHED);
    /* The one who comes next has what nobody rated. */
    r = panel_rater(w, &c);
    assert_true(panel_next(w, &c, &r, &next));
    assert_int_equal(next.of.item, b.of.item);
    b.of.phase = PHASE_PRACTICE;
    assert_int_equal(ballot_skip(w->store, &c, &b, STR(""), &e), E_USAGE);
}

/* A text that stops in the middle is not shown before somebody has decided. */
static void test_truncated(void **state)
{
    struct world *w = *state;
    struct suite suite = world_suite(w->arena);
    struct withheld_list held;
    struct panel_run run;
    struct campaign c;
    struct err e;

    panel_run(w, &suite, 2, 2, &run);
    sql(w, arena_printf(w->arena, "UPDATE sample SET finish = 'length' WHERE id = %lld",
                        (long long)run.samples[1][0]));
    sql(w, arena_printf(w->arena, "UPDATE sample SET answer = 'Not so fast,' WHERE id = %lld",
                        (long long)run.samples[1][1]));
    c = panel_open(w, &run, "campaign: cut\npassages_per_rater: 1\n" ABOUT);
    assert_ok(campaign_withheld(w->arena, w->store, &c, &held, &e));
    assert_int_equal(held.n, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_string_equal(held.v[i].item_name, "i1");
        assert_string_equal(held.v[i].why, "truncated");
    }
    assert_true(coverage(w, &c).v[1].waits);
    assert_false(coverage(w, &c).v[0].waits);
}

/* ---- pairs ---- */

/* Over two rounds each pair is shown once each way; nobody meets one twice. */
static void pairs_are_balanced(void **state)
{
    enum { MOST = 15 };
    struct assign_pair got[MOST];

    (void)state;
    for (size_t all = 1; all <= MOST; all += all < 6 ? 1 : 3)
        for (size_t some = 1; some <= all; some++) {
            int ways[MOST][2] = {{0}};
            for (size_t use = 0; use < 2 * all; use++) { /* 2 * some rounds, whole */
                bool met[MOST] = {false};
                assign_pairs("secret", 7, (int64_t)use, all, some, got);
                for (size_t i = 0; i < some; i++) {
                    assert_true(got[i].pair < all);
                    assert_false(met[got[i].pair]);
                    met[got[i].pair] = true;
                    ways[got[i].pair][got[i].turned]++;
                }
            }
            for (size_t i = 0; i < all; i++) {
                assert_int_equal(ways[i][0], some);
                assert_int_equal(ways[i][1], some);
            }
        }
}

static void test_pairs(void **state)
{
    static const struct str criterion = {"better", 6};
    struct world *w = *state;
    struct suite suite = world_suite(w->arena);
    struct panel_run run;
    struct campaign c;
    struct rater r;
    struct ballot b;
    struct ballot_save s = {.client = "c", .m = {.dimension = BALLOT_CHOICE, .value = 0.5}};
    enum ballot_result result;
    struct ballot_mark now;
    struct err e;

    suite.instrument =
        (struct instrument){.kind = INSTRUMENT_PAIR, .criteria = &criterion, .ncriteria = 1};
    suite.score.kind = SCORE_RATING;
    panel_run(w, &suite, 2, 3, &run);
    c = panel_open(w, &run, "campaign: pairs\npassages_per_rater: 1\npairs_per_passage: 2\n" ABOUT);
    r = panel_rater(w, &c);
    assert_true(panel_next(w, &c, &r, &b));
    assert_int_equal(b.n, 2);
    for (size_t i = 0; i < b.n; i++) {
        assert_int_not_equal(b.slots[i].is.sample, b.slots[i].is.other);
        assert_true(b.slots[i].text.n && b.slots[i].other.n);
    }
    s.m.is = b.slots[0].is;
    assert_int_equal(ballot_save(w->arena, w->store, &c, &b, &s, &result, &now, &e), E_INPUT);
    assert_says(&e, "is not a choice"); /* ties are not allowed here */
    s.m.dimension = "wit";
    s.m.value = 1;
    assert_int_equal(ballot_save(w->arena, w->store, &c, &b, &s, &result, &now, &e), E_INPUT);
    for (size_t i = 0; i < b.n; i++) {
        s.m = (struct ballot_mark){.is = b.slots[i].is, .dimension = BALLOT_CHOICE, .value = 1};
        assert_ok(ballot_save(w->arena, w->store, &c, &b, &s, &result, &now, &e));
    }
    panel_rate(w, &c, &r, &b, middling); /* has no dimensions: it is handed in */
    assert_int_equal(r.state, RATER_FINISHED);
}

/* Leaving twice takes nothing away twice. */
static void test_withdraw(void **state)
{
    struct world *w = *state;
    struct suite suite = world_suite(w->arena);
    struct invite_list invites;
    struct panel_run run;
    struct campaign c;
    struct rater r, other;
    struct ballot b;
    struct err e;

    panel_run(w, &suite, 1, 2, &run);
    c = panel_open(w, &run, "campaign: leave\npassages_per_rater: 1\n" ABOUT);
    r = panel_rater(w, &c);
    other = panel_rater(w, &c);
    assert_true(panel_next(w, &c, &r, &b));
    panel_rate(w, &c, &r, &b, middling);
    assert_true(panel_next(w, &c, &other, &b));
    panel_rate(w, &c, &other, &b, middling);
    assert_int_equal(coverage(w, &c).v[0].done, 2);
    assert_ok(erase_rater(w->store, &r, true, &e));
    assert_ok(erase_rater(w->store, &r, true, &e));
    assert_int_equal(coverage(w, &c).v[0].done, 1);
    assert_int_equal(coverage(w, &c).v[0].counted, 1);
    assert_ok(invite_page(w->arena, w->store, c.id, 0, 10, &invites, &e));
    assert_string_equal(invites.v[0].label, ""); /* it may have been a name */
    assert_string_equal(invites.v[1].label, "ada");
}

/* An exclusion that results do not know of would be half of one. */
static void test_exclude(void **state)
{
    struct world *w = *state;
    struct suite suite = world_suite(w->arena);
    struct panel_run run;
    char token[RATER_TOKEN];
    struct campaign c;
    struct rater r;
    struct err e;

    panel_run(w, &suite, 1, 2, &run);
    c = panel_open(w, &run, "campaign: out\npassages_per_rater: 1\n" ABOUT);
    r = panel_rater(w, &c);
    sql(w, "ALTER TABLE campaign RENAME COLUMN stale TO gone");
    assert_int_not_equal(
        store_atomically(w->store, &e,
                         rater_exclude(w->store, &c, r.pseudonym, "jo", "guessed", &e)),
        OK);
    sql(w, "ALTER TABLE campaign RENAME COLUMN gone TO stale");
    assert_ok(rater_get(w->arena, w->store, r.id, &r, &e));
    assert_null(r.excluded_by);
    assert_ok(rater_exclude(w->store, &c, r.pseudonym, "jo", "guessed", &e));
    assert_ok(rater_get(w->arena, w->store, r.id, &r, &e));
    assert_string_equal(r.excluded_why, "guessed");
    assert_int_equal(rater_exclude(w->store, &c, "nobody", "jo", "guessed", &e), E_ABSENT);
    /* with the results have been seen nobody is excluded, nor invited */
    c.state = CAMPAIGN_UNMASKED;
    assert_int_equal(rater_exclude(w->store, &c, r.pseudonym, "jo", "guessed", &e), E_USAGE);
    assert_says(&e, "results have been seen");
    assert_int_equal(invite_add(w->store, &c, "", clock_utc_ms() + 60000, token, &e), E_USAGE);
}

#define TESTS(setup)                                                                               \
    WORLD_TEST(test_sixty, setup), WORLD_TEST(test_leases, setup),                                 \
        WORLD_TEST(test_dropouts, setup), WORLD_TEST(test_connected, setup),                       \
        WORLD_TEST(test_too_few, setup), WORLD_TEST(test_deadline, setup),                         \
        WORLD_TEST(test_long_comment, setup), WORLD_TEST(test_handed_in, setup),                   \
        WORLD_TEST(test_practice, setup), WORLD_TEST(test_practice_kappa, setup),                  \
        WORLD_TEST(test_again, setup), WORLD_TEST(test_withheld_names, setup),                     \
        WORLD_TEST(test_left_out, setup), WORLD_TEST(test_again_for_nothing, setup),               \
        WORLD_TEST(test_again_days, setup), WORLD_TEST(test_steps, setup),                         \
        WORLD_TEST(test_silent, setup), WORLD_TEST(test_silent_is_new, setup),                     \
        WORLD_TEST(test_twice, setup), WORLD_TEST(test_twice_hidden, setup),                       \
        WORLD_TEST(test_skip, setup), WORLD_TEST(test_truncated, setup),                           \
        WORLD_TEST(test_pairs, setup), WORLD_TEST(pairs_are_balanced, setup),                      \
        WORLD_TEST(test_withdraw, setup), WORLD_TEST(test_exclude, setup)

WORLD_MAIN("assign", TESTS)
