/* Campaigns: the way of a rater from invitation to completion code, on both databases. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "eval/score.h"
#include "math/williams.h"
#include "panel/ballot.h"
#include "panel/erase.h"
#include "panel/leak.h"
#include "panel/outcome.h"
#include "panel/pulse.h"
#include "store_world.h"
#include "suite/mark.h"

enum { ITEMS = 4 };

/* Both models have answered all items; bob gives himself away in the last one. */
static void answer_all(struct world *w)
{
    struct leased_list l;
    int64_t last = 0;
    struct err e;

    assert_ok(store_worker_start(w->store, &e));
    assert_ok(store_begin(w->store, &e));
    for (size_t m = 0; m < 2; m++) {
        assert_ok(store_plan_samples(w->store, w->run.id, w->models[m].id, 0, &e));
        assert_ok(store_lease(w->arena, w->store, PARTY_MODEL, w->models[m].id, 100, &(int64_t){0},
                              &l, &e));
        for (size_t i = 0; i < l.n; i++)
            last = l.v[i].item > last ? l.v[i].item : last;
        for (size_t i = 0; i < l.n; i++) {
            struct sample_result r = {.id = l.v[i].id, .state = STATE_DONE, .spent = {.cost = 0}};
            r.answer = m == 1 && l.v[i].item == last
                           ? STR("As an AI language model I cannot stand guard.")
                           : str_of(arena_printf(w->arena, "Answer %zu of guard %zu.", i, m));
            assert_ok(store_sample_end(w->store, &r, &e));
        }
    }
    assert_ok(store_commit(w->store, &e));
}

static const char spec_text[] =
    "{\"campaign\":\"guards\",\"passages_per_rater\":2,\"overlap\":2,"
    "\"consent\":{\"version\":\"1\",\"text\":\"Do you agree?\"},"
    "\"about\":[{\"id\":\"age\",\"text\":\"Age\",\"options\":[\"young\",\"old\"]}]}";

static struct campaign start(struct world *w)
{
    struct suite suite = world_suite(w->arena);
    struct campaign c;
    struct err e;

    world_run(w, ITEMS);
    answer_all(w);
    assert_ok(campaign_add(w->arena, w->store,
                           &(struct campaign_new){&w->run, &suite, spec_text, "test"}, &c, &e));
    assert_ok(campaign_turn(w->store, &c, CAMPAIGN_OPEN, &e));
    assert_ok(campaign_get(w->arena, w->store, "guards", &c, &e));
    return c;
}

static struct rater invite_one(struct world *w, const struct campaign *c)
{
    char token[RATER_TOKEN], words[RATER_TOKEN];
    struct rater r;
    struct err e;

    assert_ok(invite_add(w->store, c, "ada", clock_utc_ms() + 60000, token, &e));
    assert_ok(rater_accept(w->arena, w->store, str_of(token), "en", &r, words, &e));
    assert_int_equal(rater_accept(w->arena, w->store, str_of(token), "en", &r, words, &e), E_USAGE);
    assert_says(&e, "has been used");
    assert_ok(rater_consent(w->store, c, &r, "1", "en", &e));
    assert_ok(rater_about(w->store, c, &r, (const int[]){1}, &e));
    assert_ok(rater_get(w->arena, w->store, r.id, &r, &e));
    assert_int_equal(r.state, RATER_RATING);
    assert_string_equal(r.stratum, "1");
    return r;
}

static void save(struct world *w, const struct campaign *c, const struct ballot *b,
                 const struct slot *slot, const char *dimension, double value)
{
    struct ballot_save s = {.m = {.is = slot->is, .dimension = dimension, .value = value},
                            .client = "c1"};
    enum ballot_result result;
    struct ballot_mark now;
    struct err e;

    assert_ok(ballot_save(w->arena, w->store, c, b, &s, &result, &now, &e));
    assert_int_equal(result, BALLOT_SAVED);
    assert_int_equal(now.version, 1);
}

static struct ballot next(struct world *w, const struct campaign *c, struct rater *r)
{
    struct assignment as;
    struct ballot b;
    struct err e;
    bool found;

    assert_ok(rater_get(w->arena, w->store, r->id, r, &e));
    assert_ok(assign_next(w->arena, w->store, c, r, &as, &found, &e));
    assert_true(found);
    assert_ok(ballot_open(w->arena, w->store, c, &as, &b, &e));
    return b;
}

static size_t submit(struct world *w, const struct campaign *c, const struct rater *r,
                     const struct ballot *b)
{
    const struct slot *slot = NULL;
    const char *dimension = NULL;
    size_t missing;
    struct err e;

    (void)r;
    assert_ok(ballot_submit(w->arena, w->store, c, b, &missing, &slot, &dimension, &e));
    return missing;
}

static void test_way(void **state)
{
    struct world *w = *state;
    struct campaign c = start(w);
    struct rater r = invite_one(w, &c);
    struct assignment as;
    struct err e;
    bool found;

    for (int passage = 0; passage < 2; passage++) {
        struct ballot b = next(w, &c, &r);
        assert_int_equal(b.n, 2);
        assert_true(str_starts(b.slots[0].text, STR("Answer")));
        assert_string_not_equal(b.slots[0].name, b.slots[1].name);
        save(w, &c, &b, &b.slots[0], "tone", 0); /* zero is a value */
        assert_int_equal(submit(w, &c, &r, &b), 3);
        save(w, &c, &b, &b.slots[0], "wit", 5);
        save(w, &c, &b, &b.slots[1], "tone", 1);
        save(w, &c, &b, &b.slots[1], "wit", 0);
        assert_int_equal(submit(w, &c, &r, &b), 0);
        assert_int_equal(submit(w, &c, &r, &b), 0); /* twice is once */
    }
    assert_ok(rater_get(w->arena, w->store, r.id, &r, &e));
    assert_int_equal(r.state, RATER_FINISHED);
    assert_int_equal(r.done, 2);
    assert_non_null(r.code);
    assert_ok(assign_next(w->arena, w->store, &c, &r, &as, &found, &e));
    assert_false(found);
}

/* The same passage comes back until it is handed in, on whatever device. */
static void test_resume(void **state)
{
    struct world *w = *state;
    struct campaign c = start(w);
    struct rater r = invite_one(w, &c);
    struct ballot first = next(w, &c, &r), again = next(w, &c, &r);
    char words[RATER_TOKEN];
    struct rater back;
    struct err e;

    assert_int_equal(first.of.id, again.of.id);
    assert_string_equal(first.slots[0].name, again.slots[0].name);
    assert_ok(rater_new_words(w->store, r.id, words, &e));
    assert_ok(rater_back(w->arena, w->store, str_of(words), &back, &e));
    assert_int_equal(back.id, r.id);
    words[0] = words[0] == 'a' ? 'b' : 'a';
    assert_int_equal(rater_back(w->arena, w->store, str_of(words), &back, &e), E_ABSENT);
}

static void test_versions(void **state)
{
    struct world *w = *state;
    struct campaign c = start(w);
    struct rater r = invite_one(w, &c);
    struct ballot b = next(w, &c, &r);
    struct ballot_save s = {.m = {.is = b.slots[0].is, .dimension = "wit", .value = 3},
                            .client = "one"};
    enum ballot_result result;
    struct ballot_mark now;
    struct err e;

    assert_ok(ballot_save(w->arena, w->store, &c, &b, &s, &result, &now, &e));
    assert_int_equal(result, BALLOT_SAVED);
    /* sent again by a network that lost the answer */
    assert_ok(ballot_save(w->arena, w->store, &c, &b, &s, &result, &now, &e));
    assert_int_equal(result, BALLOT_SAVED);
    assert_int_equal(now.version, 1);
    s.m.version = 1;
    s.m.cannot = true;
    s.client = "two";
    assert_ok(ballot_save(w->arena, w->store, &c, &b, &s, &result, &now, &e));
    assert_int_equal(result, BALLOT_SAVED);
    assert_int_equal(now.version, 2);
    assert_true(now.cannot);
    /* an old draft of another device */
    s.m.cannot = false;
    s.client = "three";
    assert_ok(ballot_save(w->arena, w->store, &c, &b, &s, &result, &now, &e));
    assert_int_equal(result, BALLOT_STALE);
    assert_true(now.cannot);
    s.m.version = 2;
    s.m.value = 7;
    assert_int_equal(ballot_save(w->arena, w->store, &c, &b, &s, &result, &now, &e), E_INPUT);
    assert_says(&e, "7 is not allowed for 'wit'");
}

static struct ballot_vote vote(struct world *w, const struct rater *r, const struct ballot *b,
                               const char *dimension, double value)
{
    return (struct ballot_vote){
        .arena = w->arena,
        .who = r->id,
        .assignment = b->of.id,
        .save = {.m = {.is = b->slots[0].is, .dimension = dimension, .value = value},
                 .client = arena_printf(w->arena, "%s-%g", dimension, value)}};
}

static void vote_all(struct world *w, struct ballot_vote *v, size_t n)
{
    struct shelf *f = shelf_new();
    struct ballot_vote *all[16];
    struct err e;

    for (size_t i = 0; i < n; i++)
        all[i] = &v[i];
    assert_ok(ballot_find_all(w->store, f, all, n, &e));
    assert_ok(ballot_save_all(w->store, all, n, &e));
    shelf_free(f);
}

/* Marks of one moment: each has its own answer, whatever the others are. */
static void test_together(void **state)
{
    struct world *w = *state;
    struct campaign c = start(w);
    struct rater one = invite_one(w, &c), two = invite_one(w, &c);
    struct ballot a = next(w, &c, &one), b = next(w, &c, &two);
    struct ballot_vote v[] = {
        vote(w, &one, &a, "wit", 3),  vote(w, &two, &b, "wit", 4), vote(w, &two, &a, "wit", 1),
        vote(w, &one, &a, "none", 1), vote(w, &two, &b, "wit", 2), vote(w, &one, &a, "wit", 5),
    };

    v[1].save.m.comment = STR("a \"quoted\" {brace}, \\ and a\nline");
    v[5].save.m.version = 1; /* of the first */
    v[5].save.m.cannot = true;
    vote_all(w, v, COUNT(v));
    assert_true(v[0].e.code == OK && v[0].result == BALLOT_SAVED && v[0].now.version == 1);
    assert_true(v[1].e.code == OK && v[1].result == BALLOT_SAVED && v[1].now.value == 4);
    assert_true(str_eq(v[1].now.comment, v[1].save.m.comment));
    assert_int_equal(v[2].e.code, E_ABSENT); /* another rater's */
    assert_int_equal(v[3].e.code, E_INPUT);
    assert_true(v[4].e.code == OK && v[4].result == BALLOT_STALE && v[4].now.value == 4);
    assert_true(v[5].e.code == OK && v[5].result == BALLOT_SAVED && v[5].now.version == 2);
    assert_true(v[5].now.cannot);
}

static bool agrees(struct world *w, const struct campaign *c)
{
    struct score_list stored, computed;
    struct err e;

    assert_ok(outcome_stored(w->arena, w->store, c, &stored, &e));
    assert_ok(outcome_compute(w->arena, w->store, c, &computed, &e));
    return score_find(&stored, "campaign", "ratings")->n ==
           score_find(&computed, "campaign", "ratings")->n;
}

/* Results tell of marks that are not handed in, too: where one comes, they are out of date. */
static void test_mark_after_results(void **state)
{
    struct world *w = *state;
    struct campaign c = start(w);
    struct rater one = invite_one(w, &c);
    struct ballot a = next(w, &c, &one);
    struct ballot_vote v = vote(w, &one, &a, "wit", 3);
    struct score_list l;
    struct err e;

    assert_ok(outcome_refresh(w->arena, w->store, &c, &l, &e));
    vote_all(w, &v, 1);
    assert_false(agrees(w, &c));
    assert_ok(campaign_by_id(w->arena, w->store, c.id, &c, &e));
    assert_true(c.stale);
    assert_ok(outcome_refresh(w->arena, w->store, &c, &l, &e));
    assert_true(agrees(w, &c));
}

/* One that is handed in between the reading and the saving: the others save again, without it. */
static void test_together_late(void **state)
{
    struct world *w = *state;
    struct campaign c = start(w);
    struct rater one = invite_one(w, &c), two = invite_one(w, &c);
    struct ballot a = next(w, &c, &one), b = next(w, &c, &two);
    struct ballot_vote v[] = {vote(w, &one, &a, "wit", 3), vote(w, &two, &b, "wit", 4)};
    struct ballot_vote *all[] = {&v[0], &v[1]};
    struct shelf *f = shelf_new();
    struct ballot_marks m;
    struct err e = {0};

    assert_ok(ballot_find_all(w->store, f, all, 2, &e));
    assert_ok(ballot_skip(w->store, &c, &b, STR("too long"), &e));
    assert_int_equal(ballot_save_all(w->store, all, 2, &e), E_USAGE);
    assert_ok(ballot_marks(w->arena, w->store, a.of.id, &m, &e));
    assert_int_equal(m.n, 0);
    assert_ok(ballot_save_all(w->store, all, 1, &e));
    assert_int_equal(v[0].result, BALLOT_SAVED);
    assert_int_equal(ballot_save_all(w->store, all + 1, 1, &e), E_USAGE);
    assert_ok(ballot_marks(w->arena, w->store, b.of.id, &m, &e));
    assert_int_equal(m.n, 0);
    shelf_free(f);
}

/* Words may come before the mark: they are kept, count nowhere, and are not handed in alone. */
static void test_words_first(void **state)
{
    struct world *w = *state;
    struct campaign c = start(w);
    struct rater r = invite_one(w, &c);
    struct ballot b = next(w, &c, &r);
    struct ballot_save s = {
        .m = {.is = b.slots[0].is, .dimension = "wit", .unmarked = true, .comment = STR("dry")},
        .client = "one"};
    const struct slot *slot;
    const char *dimension;
    enum ballot_result result;
    struct ballot_mark now;
    struct ballot_marks m;
    size_t missing, all;
    struct err e;

    assert_ok(ballot_submit(w->arena, w->store, &c, &b, &all, &slot, &dimension, &e));
    assert_ok(ballot_save(w->arena, w->store, &c, &b, &s, &result, &now, &e));
    assert_true(result == BALLOT_SAVED && now.unmarked && !now.cannot);
    assert_ok(ballot_submit(w->arena, w->store, &c, &b, &missing, &slot, &dimension, &e));
    assert_int_equal(missing, all);
    /* The mark follows, in the same line of versions; an old page does not undo it. */
    s.m.unmarked = false;
    s.m.value = 3;
    s.m.version = now.version;
    s.client = "two";
    assert_ok(ballot_save(w->arena, w->store, &c, &b, &s, &result, &now, &e));
    assert_true(result == BALLOT_SAVED && !now.unmarked && now.value == 3);
    s.m.unmarked = true;
    s.m.version = 1;
    s.client = "three";
    assert_ok(ballot_save(w->arena, w->store, &c, &b, &s, &result, &now, &e));
    assert_true(result == BALLOT_STALE && now.value == 3);
    /* Other words leave the mark as it is. */
    s.m.version = 2;
    s.m.comment = STR("very dry");
    assert_ok(ballot_save(w->arena, w->store, &c, &b, &s, &result, &now, &e));
    assert_true(result == BALLOT_SAVED && !now.unmarked && now.value == 3);
    assert_ok(ballot_marks(w->arena, w->store, b.of.id, &m, &e));
    assert_int_equal(m.n, 1);
    assert_string_equal(m.v[0].comment.p, "very dry");
}

/* A text that tells who wrote it keeps its passage back until somebody has decided. */
static void test_withheld(void **state)
{
    struct world *w = *state;
    struct campaign c = start(w);
    struct withheld_list l;
    struct coverage_list cover;
    struct rater r[2];
    struct err e;

    assert_ok(campaign_withheld(w->arena, w->store, &c, &l, &e));
    assert_int_equal(l.n, 1);
    assert_string_equal(l.v[0].model_name, "bob");
    assert_ok(campaign_coverage(w->arena, w->store, &c, &cover, &e));
    assert_int_equal(cover.n, ITEMS);
    assert_true(cover.v[ITEMS - 1].waits);
    assert_int_equal(cover.short_of, 2 * ITEMS);
    for (size_t i = 0; i < 2; i++) {
        r[i] = invite_one(w, &c);
        assert_int_not_equal(next(w, &c, &r[i]).of.item, cover.v[ITEMS - 1].item);
    }
    assert_ok(campaign_decide(w->store, &c, l.v[0].sample, false, "root", &e));
    assert_ok(campaign_coverage(w->arena, w->store, &c, &cover, &e));
    assert_false(cover.v[ITEMS - 1].waits);
}

/* Servers put a vendor before the name, which models leave out. */
static void test_vendors(void **state)
{
    static const struct {
        const char *text, *name; /* "": it tells nothing */
    } texts[] = {{"All yours, says Zorblax-7B, and bows.", "Zorblax-7B"},
                 {"All yours, says hub/acme/zorblax-7b, and bows.", "hub/acme/zorblax-7b"},
                 {"All yours, says the acme, and bows.", ""}};
    struct world *w = *state;
    struct suite suite = world_suite(w->arena);
    struct party model = {.name = "ann",
                          .config = STR("{\"name\":\"ann\",\"model\":\"hub/acme/zorblax-7b\"}")};
    struct party_list models = {&model, 1};
    struct leak *l = leak_new(w->arena, &suite, &models);
    struct item item = {.prompt = STR("Who goes there?")};

    for (size_t i = 0; i < COUNT(texts); i++) {
        struct leak_found f = leak_look(w->arena, l, &item, str_of(texts[i].text));
        assert_true(str_is(f.words, texts[i].name));
    }
}

/* What hides a short word is longer than it, however often it is said. */
static void test_blots(void **state)
{
    AUTO(buf_done) struct buf said = BUF_MAX(1 << 14), want = BUF_MAX(1 << 15);
    const struct str word = STR("x");
    struct world *w = *state;
    struct suite suite = world_suite(w->arena);
    struct party_list none = {0};
    struct item item = {.prompt = STR("Who goes there?")};
    struct leak *l;

    suite.rules.words = &word;
    suite.rules.nwords = 1;
    l = leak_new(w->arena, &suite, &none);
    for (int i = 0; i < 1000; i++) {
        buf_text(&said, "x 我 ");
        buf_text(&want, "███ 我 ");
    }
    assert_true(str_eq(leak_blot(w->arena, l, &item, buf_str(&said)), buf_str(&want)));
}

static bool shows(const struct ballot *b, int64_t sample)
{
    bool found = false;

    for (size_t i = 0; i < b->n; i++)
        found |= b->slots[i].is.sample == sample;
    return found;
}

/* Of so many new raters that every passage has its turn, how many are shown this text. */
static int shown_to(struct world *w, const struct campaign *c, int64_t sample)
{
    int n = 0;

    for (int i = 0; i < 2 * ITEMS; i++) {
        struct rater r = invite_one(w, c);
        struct ballot b = next(w, c, &r);
        n += shows(&b, sample);
    }
    return n;
}

/* A report hides nothing by itself: one rater could empty a campaign. */
static void test_reported(void **state)
{
    struct world *w = *state;
    struct campaign c = start(w);
    struct rater one = invite_one(w, &c);
    struct ballot b = next(w, &c, &one);
    int64_t bad = b.slots[0].is.sample;
    struct withheld_list l;
    struct err e;

    assert_ok(ballot_report(w->store, &c, &b, &b.slots[0], STR("rude"), &e));
    assert_ok(ballot_report(w->store, &c, &b, &b.slots[0], STR("very rude"), &e));
    assert_ok(campaign_withheld(w->arena, w->store, &c, &l, &e));
    assert_int_equal(l.n, 2); /* with the one that was found at the beginning */
    assert_int_equal(campaign_decide(w->store, &c, bad + 1000, false, "root", &e), E_ABSENT);
    assert_true(shown_to(w, &c, bad) > 0);
    assert_ok(campaign_decide(w->store, &c, bad, false, "root", &e));
    assert_int_equal(shown_to(w, &c, bad), 0);
    assert_ok(campaign_decide(w->store, &c, bad, true, "root", &e));
    assert_true(shown_to(w, &c, bad) > 0);
}

static void test_theirs(void **state)
{
    struct world *w = *state;
    struct campaign c = start(w);
    struct rater one = invite_one(w, &c), two = invite_one(w, &c);
    struct ballot b = next(w, &c, &one);
    struct assignment as;
    struct err e;

    assert_int_equal(assign_get(w->arena, w->store, &two, b.of.id, &as, &e), E_ABSENT);
    assert_ok(assign_get(w->arena, w->store, &one, b.of.id, &as, &e));
}

static void test_states(void **state)
{
    struct world *w = *state;
    struct campaign c = start(w);
    struct rater r = invite_one(w, &c);
    struct ballot b = next(w, &c, &r);
    struct ballot_save s = {.m = {.is = b.slots[0].is, .dimension = "wit", .value = 3},
                            .client = "one"};
    enum ballot_result result;
    struct ballot_mark now;
    struct err e;

    assert_int_equal(campaign_turn(w->store, &c, CAMPAIGN_UNMASKED, &e), E_USAGE);
    assert_ok(campaign_turn(w->store, &c, CAMPAIGN_CLOSED, &e));
    assert_int_equal(campaign_turn(w->store, &c, CAMPAIGN_CLOSED, &e), E_BUSY);
    assert_ok(campaign_get(w->arena, w->store, "guards", &c, &e));
    assert_int_equal(ballot_save(w->arena, w->store, &c, &b, &s, &result, &now, &e), E_USAGE);
    assert_ok(campaign_turn(w->store, &c, CAMPAIGN_UNMASKED, &e));
    assert_ok(campaign_get(w->arena, w->store, "guards", &c, &e));
    assert_int_equal(campaign_turn(w->store, &c, CAMPAIGN_OPEN, &e), E_USAGE);
}

/* How many are where on their way, and what came in today. */
static void test_pulse(void **state)
{
    struct world *w = *state;
    struct campaign c = start(w);
    struct rater one = invite_one(w, &c), two = invite_one(w, &c);
    struct ballot b = next(w, &c, &one);
    int64_t now = clock_utc_ms();
    const char *dimension;
    const struct slot *slot;
    char token[RATER_TOKEN];
    struct pulse p;
    size_t missing;
    struct err e;

    for (size_t i = 0; i < b.n; i++)
        for (size_t d = 0; d < c.suite.instrument.ndimensions; d++)
            save(w, &c, &b, &b.slots[i], c.suite.instrument.dimensions[d].id, 1);
    assert_ok(ballot_submit(w->arena, w->store, &c, &b, &missing, &slot, &dimension, &e));
    assert_int_equal(missing, 0);
    assert_ok(erase_rater(w->store, &two, false, &e));
    assert_ok(invite_add(w->store, &c, "", now + 60000, token, &e));
    assert_ok(invite_add(w->store, &c, "", now - 60000, token, &e));
    assert_ok(pulse_take(w->store, &c, clock_utc_ms(), &p, &e));
    assert_int_equal(p.raters[RATER_RATING], 1);
    assert_int_equal(p.raters[RATER_WITHDRAWN], 1);
    assert_int_equal(pulse_under_way(&p), 1);
    assert_int_equal(p.waiting, 1);
    assert_int_equal(p.days[PULSE_DAYS - 1] + p.days[PULSE_DAYS - 2], 1);
}

static void test_withdraw(void **state)
{
    struct world *w = *state;
    struct campaign c = start(w);
    struct rater r = invite_one(w, &c);
    struct ballot b = next(w, &c, &r);
    struct ballot_marks m;
    struct err e;

    save(w, &c, &b, &b.slots[0], "wit", 5);
    assert_ok(erase_rater(w->store, &r, true, &e));
    assert_ok(rater_get(w->arena, w->store, r.id, &r, &e));
    assert_int_equal(r.state, RATER_WITHDRAWN);
    assert_null(r.about);
    assert_ok(ballot_marks(w->arena, w->store, b.of.id, &m, &e));
    assert_int_equal(m.n, 0);
}

/* Passages are used evenly, however many raters come. */
static void test_balance(void **state)
{
    struct passage_use v[7] = {0};
    struct rng lot = rng_keyed(1, "test", NULL, 0);

    (void)state;
    for (int64_t i = 0; i < 70; i++)
        v[assign_pick(v, COUNT(v), &lot)].uses++;
    for (size_t i = 0; i < COUNT(v); i++)
        assert_int_equal(v[i].uses, 10);
    v[3].uses--;
    v[3].waits = true;
    v[5].together = -1;
    assert_int_equal(assign_pick(v, COUNT(v), &lot), 5);
    for (size_t i = 0; i < COUNT(v); i++)
        v[i].mine = true;
    assert_int_equal(assign_pick(v, COUNT(v), &lot), COUNT(v));
}

/* Each at each place once; each ordered pair of neighbours equally often. */
static void test_williams(void **state)
{
    static const size_t published[] = {0, 1, 9, 2, 8, 3, 7, 4, 6, 5};
    size_t row[10];

    (void)state;
    williams_row(10, 0, row);
    assert_memory_equal(row, published, sizeof published);
    for (size_t n = 2; n <= 10; n++) {
        int place[10][10] = {0}, follow[10][10] = {0}, want = n % 2 ? 2 : 1;
        for (size_t i = 0; i < williams_rows(n); i++) {
            williams_row(n, i, row);
            for (size_t k = 0; k < n; k++) {
                place[row[k]][k]++;
                if (k)
                    follow[row[k - 1]][row[k]]++;
            }
        }
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < n; k++) {
                assert_int_equal(place[i][k], want);
                assert_int_equal(follow[i][k], i == k ? 0 : want);
            }
    }
}

static void test_deadline(void **state)
{
    int64_t ms;

    (void)state;
    assert_true(clock_read(STR("2026-12-01 18:00 +09:00"), &ms));
    assert_int_equal(ms, 1796115600000);
    assert_true(clock_read(STR("2026-12-01T09:00Z"), &ms));
    assert_int_equal(ms, 1796115600000);
    assert_true(clock_read(STR("2026-12-01"), &ms));
    assert_int_equal(ms, 1796169599000);
    assert_false(clock_read(STR("2026-02-30"), &ms));
    assert_false(clock_read(STR("2026-+1-+5"), &ms));
    assert_false(clock_read(STR("tomorrow"), &ms));
    assert_false(clock_read(STR("2026-12-01 18:00 JST"), &ms));
}

#define TESTS(setup)                                                                               \
    WORLD_TEST(test_way, setup), WORLD_TEST(test_resume, setup), WORLD_TEST(test_versions, setup), \
        WORLD_TEST(test_together, setup), WORLD_TEST(test_together_late, setup),                   \
        WORLD_TEST(test_mark_after_results, setup), WORLD_TEST(test_words_first, setup),           \
        WORLD_TEST(test_withheld, setup), WORLD_TEST(test_vendors, setup),                         \
        WORLD_TEST(test_blots, setup), WORLD_TEST(test_reported, setup),                           \
        WORLD_TEST(test_theirs, setup), WORLD_TEST(test_states, setup),                            \
        WORLD_TEST(test_withdraw, setup), WORLD_TEST(test_pulse, setup),                           \
        cmocka_unit_test(test_balance), cmocka_unit_test(test_williams),                           \
        cmocka_unit_test(test_deadline)

WORLD_MAIN("panel", TESTS)
