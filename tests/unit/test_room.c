/* The interview room: who gets which sitting, what can be said when, who waits; on both databases.
 * Also the quotations that raters pick out of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/json.h"
#include "eval/plan.h"
#include "panel/erase.h"
#include "panel/own.h"
#include "panel/quote.h"
#include "panel/room.h"
#include "store_world.h"

static const char spec_text[] = "{\"campaign\":\"oral\",\"passages_per_rater\":2,\"overlap\":2,"
                                "\"consent\":{\"version\":\"1\",\"text\":\"Do you agree?\"}}";

/* Two models, two papers, nothing asked; and the campaign over it. */
static struct campaign start(struct world *w)
{
    const struct endpoint *models[2];
    struct item_source *items;
    struct suite *suite;
    struct campaign c;
    struct diags d;
    struct plan p = {.models = models, .nmodels = 2};
    struct err e;
    bool resumed;

    diags_init(&d, w->arena);
    assert_int_equal(setenv("OPENAI_BASE_URL", "http://127.0.0.1:1", 1), 0);
    models[0] = models_default(w->arena, "secretive-ann", &d);
    models[1] = models_default(w->arena, "secretive-bob", &d);
    suite = suite_load(w->arena, "tests/fixtures/interview/en.yaml", &items, &d);
    assert_non_null(suite);
    assert_int_equal(d.errors, 0);
    suite->elicit.interview.examiner = EXAMINER_PERSON;
    p.suite = suite;
    p.items = items;
    assert_ok(plan_run(w->arena, w->store, &p, &w->run, &resumed, &d, &e));
    assert_ok(campaign_add(w->arena, w->store,
                           &(struct campaign_new){&w->run, suite, spec_text, "test"}, &c, &e));
    assert_ok(campaign_turn(w->store, &c, CAMPAIGN_OPEN, &e));
    assert_ok(campaign_get(w->arena, w->store, "oral", &c, &e));
    assert_true(campaign_examines(&c.suite));
    return c;
}

static struct rater invite_one(struct world *w, const struct campaign *c)
{
    char token[RATER_TOKEN], words[RATER_TOKEN];
    struct rater r;
    struct err e;

    assert_ok(invite_add(w->store, c, "ada", clock_utc_ms() + 60000, token, &e));
    assert_ok(rater_accept(w->arena, w->store, str_of(token), "en", &r, words, &e));
    assert_ok(rater_consent(w->store, c, &r, c->spec.consent_version, "en", &e));
    assert_ok(rater_about(w->store, c, &r, NULL, &e));
    assert_ok(rater_get(w->arena, w->store, r.id, &r, &e));
    return r;
}

static struct assignment assigned(struct world *w, const struct campaign *c, const struct rater *r)
{
    struct assignment as;
    struct err e;
    bool found;

    assert_ok(assign_next(w->arena, w->store, c, r, &as, &found, &e));
    assert_true(found);
    assert_int_equal(as.nshown, 1);
    return as;
}

static struct room opened(struct world *w, const struct campaign *c, const struct assignment *as)
{
    struct room r;
    struct err e;

    assert_ok(room_open(w->arena, w->store, c, as, &r, &e));
    return r;
}

static bool say(struct world *w, const struct campaign *c, struct room *r, int64_t choice,
                const char *own)
{
    struct room_words words = {(int64_t)r->turns.n + 1, choice, str_of(own)};
    struct err e;
    bool stale;

    assert_ok(room_say(w->arena, w->store, c, r, &words, &stale, &e));
    return !stale;
}

static void answer(struct world *w, const struct campaign *c, struct room *r, const char *text)
{
    struct live_answer a = {.reply = {.text = str_of(text),
                                      .thinking = STR(""),
                                      .finish = "stop",
                                      .tokens_in = 5,
                                      .tokens_out = 3},
                            .request = STR("{}"),
                            .response = STR("{}"),
                            .elapsed_ms = 40};
    struct err e;

    assert_ok(room_answer(w->arena, w->store, c, r, &a, &e));
}

/* The first question that was not asked. */
static int64_t unasked(const struct room *r)
{
    int64_t i = 0;

    while (room_asked(r, (size_t)i))
        i++;
    return i;
}

static void sit(struct world *w, const struct campaign *c, struct room *r, const char *words)
{
    while (r->next != SITTING_DONE) {
        bool follow_up = r->next == SITTING_FOLLOW_UP;
        assert_true(say(w, c, r, follow_up || r->due.part == 2 ? -1 : unasked(r), "And then?"));
        assert_int_equal(r->next, SITTING_ANSWER);
        answer(w, c, r, words);
    }
}

static void everybody_gets_a_sitting_of_their_own(void **state)
{
    struct world *w = *state;
    struct campaign c = start(w);
    int64_t samples[4];
    struct assignment as;
    struct rater r;
    struct err e;
    bool found;

    for (size_t i = 0; i < 4; i++) {
        r = invite_one(w, &c);
        as = assigned(w, &c, &r);
        samples[i] = as.shown[0].sample;
        for (size_t k = 0; k < i; k++)
            assert_int_not_equal(samples[i], samples[k]);
    }
    /* All four are being held: a fifth rater waits. */
    r = invite_one(w, &c);
    assert_ok(assign_next(w->arena, w->store, &c, &r, &as, &found, &e));
    assert_false(found);
}

static void whoever_comes_later_rates_what_was_said(void **state)
{
    struct world *w = *state;
    struct campaign c = start(w);
    struct rater first = invite_one(w, &c), second, third = {0};
    struct assignment as = assigned(w, &c, &first), other;
    struct room r = opened(w, &c, &as);
    struct ballot b;
    struct err e;

    assert_ok(ballot_open(w->arena, w->store, &c, &as, &b, &e));
    assert_true(ballot_waits(&b));
    sit(w, &c, &r, "I keep the lock.");
    assert_ok(ballot_open(w->arena, w->store, &c, &as, &b, &e));
    assert_false(ballot_waits(&b));
    assert_int_equal(b.slots[0].turns.n, sitting_length(&r.paper));
    /* The other three are held by others, so that the next rater gets the first one's. */
    for (int i = 0; i < 3; i++) {
        second = invite_one(w, &c);
        other = assigned(w, &c, &second);
        assert_int_not_equal(other.shown[0].sample, as.shown[0].sample);
    }
    third = invite_one(w, &c);
    other = assigned(w, &c, &third);
    assert_int_equal(other.shown[0].sample, as.shown[0].sample);
    assert_int_equal(opened(w, &c, &other).next, SITTING_DONE);
}

static void a_place_is_taken_once(void **state)
{
    struct world *w = *state;
    struct campaign c = start(w);
    struct rater rater = invite_one(w, &c);
    struct assignment as = assigned(w, &c, &rater);
    struct room one = opened(w, &c, &as), two = opened(w, &c, &as);

    assert_true(one.opens);
    assert_true(say(w, &c, &one, 1, ""));
    assert_int_equal(one.turns.n, 2); /* with the opening of the part */
    assert_string_equal(one.turns.v[1].text.p, one.paper.part1.v[1].text.p);
    assert_false(say(w, &c, &two, 0, ""));
    assert_int_equal(opened(w, &c, &as).turns.n, 2);
    answer(w, &c, &one, "Mine.");
    two = opened(w, &c, &as);
    assert_int_equal(two.turns.n, 3);
    assert_true(room_asked(&two, 1));
    assert_false(room_asked(&two, 0));
    /* An answer that comes twice is stored once. */
    assert_true(say(w, &c, &two, 0, ""));
    one = opened(w, &c, &as);
    answer(w, &c, &one, "First.");
    answer(w, &c, &two, "Second.");
    one = opened(w, &c, &as);
    assert_int_equal(one.turns.n, 5);
    assert_true(str_is(one.turns.v[4].text, "First."));
    assert_int_equal(one.turns.v[4].elapsed_ms, 40);
}

/* What was stored before answers were held back hands them out as they come; a new file that does
 * not say so holds them back, and that is stored. */
static void answers_are_held_back(void **state)
{
    struct world *w = *state;
    struct campaign c = start(w);
    const char *frozen;
    struct spec spec;
    struct diags d;

    assert_int_equal(c.spec.answer_wait_ms, 0);
    diags_init(&d, w->arena);
    spec_read(w->arena, STR("campaign: new"), &c.suite, &spec, &frozen, &d);
    assert_int_equal(d.errors, 0);
    assert_int_equal(spec.answer_wait_ms, 5000);
    assert_non_null(strstr(frozen, "answer_wait_seconds"));
}

static void one_waits_at_a_time(void **state)
{
    struct world *w = *state;
    struct campaign c = start(w);
    struct rater rater = invite_one(w, &c);
    struct assignment as = assigned(w, &c, &rater);
    struct room r = opened(w, &c, &as);
    struct err e;
    bool mine;

    assert_true(say(w, &c, &r, 0, ""));
    assert_false(opened(w, &c, &as).awaited);
    assert_ok(seat_claim(w->store, &r.seat, r.due.position, "one", &mine, &e));
    assert_true(mine);
    assert_true(opened(w, &c, &as).awaited);
    assert_ok(seat_claim(w->store, &r.seat, r.due.position, "two", &mine, &e));
    assert_false(mine);
    assert_ok(seat_free(w->store, &r.seat, "two", &e)); /* not theirs */
    assert_true(opened(w, &c, &as).awaited);
    assert_ok(seat_keep(w->store, &r.seat, "one", &e));
    assert_ok(seat_free(w->store, &r.seat, "one", &e));
    assert_ok(seat_claim(w->store, &r.seat, r.due.position, "two", &mine, &e));
    assert_true(mine);
    /* What somebody held of an earlier turn does not hold the next one. */
    answer(w, &c, &r, "Yes.");
    assert_true(say(w, &c, &r, 1, ""));
    assert_false(opened(w, &c, &as).awaited);
    assert_ok(seat_claim(w->store, &r.seat, r.due.position, "three", &mine, &e));
    assert_true(mine);
}

static void what_cannot_be_said_is_refused(void **state)
{
    struct world *w = *state;
    struct campaign c = start(w);
    struct rater rater = invite_one(w, &c);
    struct assignment as = assigned(w, &c, &rater);
    struct room r = opened(w, &c, &as);
    struct room_words words = {1, 99, {0}};
    struct err e;
    bool stale;

    assert_int_equal(room_say(w->arena, w->store, &c, &r, &words, &stale, &e), E_INPUT);
    words = (struct room_words){1, -1, STR("my own question")};
    assert_int_equal(room_say(w->arena, w->store, &c, &r, &words, &stale, &e), E_INPUT);
    while (r.next != SITTING_FOLLOW_UP) {
        assert_true(say(w, &c, &r, r.due.part == 1 ? unasked(&r) : -1, ""));
        answer(w, &c, &r, "Well.");
    }
    words = (struct room_words){(int64_t)r.turns.n + 1, -1, STR("  \n ")};
    assert_int_equal(room_say(w->arena, w->store, &c, &r, &words, &stale, &e), E_INPUT);
    words.own = str_of(arena_printf(w->arena, "%0*d", ROOM_WORDS_MAX + 1, 7));
    assert_int_equal(room_say(w->arena, w->store, &c, &r, &words, &stale, &e), E_INPUT);
    words.own = str_of(arena_printf(w->arena, "%*d", ROOM_WORDS_MAX + 1, 7)); /* mostly blanks */
    assert_ok(room_say(w->arena, w->store, &c, &r, &words, &stale, &e));
    assert_true(str_is(r.turns.v[r.turns.n - 1].text, "7"));
    assert_string_equal(r.turns.v[r.turns.n - 1].source, TURN_PERSON);
    /* Nothing is asked while an answer is due. */
    words = (struct room_words){(int64_t)r.turns.n + 1, 0, STR("more")};
    assert_int_equal(room_say(w->arena, w->store, &c, &r, &words, &stale, &e), E_INPUT);
}

/* A fault of the database is not somebody else's turn: the words would be lost without a word. */
static void a_fault_of_the_database_is_told(void **state)
{
    struct world *w = *state;
    struct campaign c = start(w);
    struct rater rater = invite_one(w, &c);
    struct assignment as = assigned(w, &c, &rater);
    struct room r = opened(w, &c, &as);
    struct room_words words = {1, 0, {0}};
    struct err e;
    bool stale;

    assert_ok(
        db_script(w->store->db, "ALTER TABLE assignment RENAME COLUMN active_ms TO gone", &e));
    assert_int_equal(room_say(w->arena, w->store, &c, &r, &words, &stale, &e), E_STORE);
    assert_false(stale);
    assert_ok(
        db_script(w->store->db, "ALTER TABLE assignment RENAME COLUMN gone TO active_ms", &e));
    assert_ok(room_say(w->arena, w->store, &c, &r, &words, &stale, &e));
    assert_false(stale);
}

static void a_sitting_ends_as_an_answer(void **state)
{
    struct world *w = *state;
    struct campaign c = start(w);
    struct rater rater = invite_one(w, &c);
    struct assignment as = assigned(w, &c, &rater);
    struct room r = opened(w, &c, &as);
    struct withheld_list held;
    struct ballot b;
    struct err e;

    sit(w, &c, &r, "They call me secretive-ann, and I like it.");
    assert_int_equal(r.turns.n, sitting_length(&r.paper));
    assert_ok(ballot_open(w->arena, w->store, &c, &as, &b, &e));
    assert_true(str_find(b.slots[0].text, STR("[3] Abel Tolliver: They call me")) != SIZE_MAX);
    /* Raters do not see the name, and nobody else the sitting, before somebody has decided. */
    for (size_t i = 0; i < b.slots[0].turns.n; i++)
        assert_true(str_find(b.slots[0].turns.v[i].text, STR("secretive")) == SIZE_MAX);
    assert_true(str_is(room_shown(w->arena, &r, STR("I am secretive-ann. secretive-bob is not.")),
                       "I am ███. ███ is not."));
    assert_ok(campaign_withheld(w->arena, w->store, &c, &held, &e));
    assert_int_equal(held.n, 1);
    assert_int_equal(held.v[0].sample, as.shown[0].sample);
}

/* ---- sittings that were left ---- */

static int64_t count(struct world *w, const char *sql)
{
    struct rows *r;
    struct err e;
    int64_t n;

    assert_ok(rows_new(w->store->db, sql, &r, &e));
    assert_ok(rows_open(r, NO_ARGS, &e));
    assert_true(rows_next(r));
    n = row_int(r, 0);
    assert_ok(rows_end(r, &e));
    rows_freep(&r);
    return n;
}

/* Of the four sittings three are held; the fourth was begun by somebody who has gone. */
static void what_was_left_begins_afresh(void **state)
{
    struct world *w = *state;
    struct campaign c = start(w);
    struct rater gone = invite_one(w, &c), other;
    struct assignment left = assigned(w, &c, &gone), as;
    struct room old = opened(w, &c, &left), new;
    struct ballot b;
    struct err e;
    bool found, mine;

    assert_true(say(w, &c, &old, 0, ""));
    answer(w, &c, &old, "I keep the lock.");
    assert_true(say(w, &c, &old, 1, ""));
    assert_ok(seat_claim(w->store, &old.seat, old.due.position, "gone", &mine, &e));
    for (int i = 0; i < 3; i++) {
        other = invite_one(w, &c);
        (void)assigned(w, &c, &other);
    }
    assert_ok(db_script(w->store->db,
                        "UPDATE assignment SET lease_ms = 1 WHERE id = (SELECT MIN(id) FROM "
                        "assignment)",
                        &e));
    other = invite_one(w, &c);
    as = assigned(w, &c, &other);
    assert_int_equal(as.shown[0].sample, left.shown[0].sample);
    new = opened(w, &c, &as);
    assert_int_equal(new.turns.n, 0);
    assert_false(new.awaited);
    assert_int_equal(count(w, "SELECT COUNT(*) FROM left_turn"), 4);
    assert_int_equal(count(w, "SELECT MAX(assignment) FROM left_turn"), left.id);
    /* The one who had gone says nothing more in it: neither a question nor the answer on its way.
     */
    answer(w, &c, &old, "Too late.");
    assert_int_equal(opened(w, &c, &as).turns.n, 0);
    assert_true(say(w, &c, &new, 1, ""));
    assert_int_equal(opened(w, &c, &as).turns.n, 2);
    answer(w, &c, &new, "Mine.");
    old = opened(w, &c, &as);
    old.seat.assignment = left.id;
    assert_false(say(w, &c, &old, 0, ""));
    assert_int_equal(opened(w, &c, &as).turns.n, 3);
    assert_ok(assign_get(w->arena, w->store, &gone, left.id, &left, &e));
    assert_true(left.gone);
    assert_ok(assign_begun(w->arena, w->store, &gone, &left, &found, &e));
    assert_false(found);
    /* and waits for another, of the same paper too */
    sit(w, &c, &new, "Well.");
    assert_ok(ballot_open(w->arena, w->store, &c, &as, &b, &e));
    assert_int_equal(b.slots[0].turns.n, sitting_length(&new.paper));
    left = assigned(w, &c, &gone);
    assert_int_equal(left.shown[0].sample, as.shown[0].sample);
    assert_int_equal(opened(w, &c, &left).next, SITTING_DONE);
    assert_ok(erase_rater(w->store, &gone, true, &e));
    assert_int_equal(count(w, "SELECT COUNT(*) FROM left_turn"), 0);
}

/* Nothing of it is kept for whoever takes the sitting over, either. */
static void who_withdraws_leaves_no_words(void **state)
{
    struct world *w = *state;
    struct campaign c = start(w);
    struct rater gone = invite_one(w, &c), other;
    struct assignment left = assigned(w, &c, &gone), as;
    struct room old = opened(w, &c, &left);
    struct err e;
    bool mine;

    assert_true(say(w, &c, &old, 0, ""));
    assert_ok(erase_rater(w->store, &gone, true, &e));
    /* A request that was under way comes too late. */
    assert_ok(seat_claim(w->store, &old.seat, old.due.position, "late", &mine, &e));
    assert_false(mine);
    assert_int_equal(count(w, "SELECT COUNT(*) FROM asking"), 0);
    for (int i = 0; i < 4; i++) {
        other = invite_one(w, &c);
        as = assigned(w, &c, &other);
        assert_int_equal(opened(w, &c, &as).turns.n, 0);
    }
    assert_int_equal(count(w, "SELECT COUNT(*) FROM left_turn"), 0);
}

/* From a sitting that was over too: the transcript, the turns, the requests that held them. What
 * the model said stays. */
static void own_words_can_be_deleted(void **state)
{
    struct world *w = *state;
    struct campaign c = start(w);
    struct rater r = invite_one(w, &c);
    struct assignment as = assigned(w, &c, &r);
    struct room room = opened(w, &c, &as);
    const char *held = "SELECT COUNT(*) FROM turn WHERE text = 'And then?'";
    struct err e;

    sit(w, &c, &room, "Well.");
    assert_true(count(w, held) > 0);
    assert_true(count(w, "SELECT COUNT(*) FROM call") > 0);
    assert_ok(erase_rater(w->store, &r, true, &e));
    assert_int_equal(count(w, held), 0);
    assert_int_equal(count(w, "SELECT COUNT(*) FROM sample WHERE answer LIKE '%And then?%'"), 0);
    assert_int_equal(count(w, "SELECT COUNT(*) FROM sample WHERE answer LIKE '%Well.%'"), 1);
    assert_int_equal(count(w, "SELECT COUNT(*) FROM call"), 0);
}

/* Also those of whoever takes over a sitting that somebody else withdrew from; and of a sitting
 * that was over but not handed in, when its marks are first kept and erased later. */
static void words_are_deleted_in_any_order(void **state)
{
    struct world *w = *state;
    struct campaign c = start(w);
    struct rater gone = invite_one(w, &c), r = {0};
    struct assignment left = assigned(w, &c, &gone), as = {0};
    struct room room = opened(w, &c, &left);
    const char *held = "SELECT COUNT(*) FROM turn WHERE text = 'And then?'", *text;
    struct err e;

    assert_true(say(w, &c, &room, 0, ""));
    assert_ok(erase_rater(w->store, &gone, false, &e));
    while (!as.id || as.shown[0].sample != left.shown[0].sample) {
        r = invite_one(w, &c);
        as = assigned(w, &c, &r);
    }
    room = opened(w, &c, &as);
    sit(w, &c, &room, "Well.");
    assert_ok(own_data(w->arena, w->store, &c, &r, &text, &e));
    assert_non_null(strstr(text, "And then?"));
    assert_true(count(w, held) > 0);
    assert_ok(erase_rater(w->store, &gone, true, &e));
    assert_true(count(w, held) > 0); /* they are not theirs */
    assert_ok(erase_rater(w->store, &r, false, &e));
    assert_true(count(w, held) > 0);
    assert_ok(erase_rater(w->store, &r, true, &e));
    assert_int_equal(count(w, held), 0);
    assert_int_equal(count(w, "SELECT COUNT(*) FROM sample WHERE answer LIKE '%And then?%'"), 0);
    assert_int_equal(count(w, "SELECT COUNT(*) FROM call"), 0);
    /* Whoever reads it afterwards has not said it, though nobody came before them any more. */
    assert_ok(
        db_script(w->store->db, "UPDATE assignment SET shown = '[]' WHERE state = 'closed'", &e));
    for (as.id = 0; !as.id || as.shown[0].sample != left.shown[0].sample;) {
        r = invite_one(w, &c);
        as = assigned(w, &c, &r);
    }
    assert_ok(own_data(w->arena, w->store, &c, &r, &text, &e));
    assert_non_null(strstr(text, "\"words\":[]"));
}

/* Whoever comes back in time goes on with their own words. */
static void who_comes_back_in_time_goes_on(void **state)
{
    struct world *w = *state;
    struct campaign c = start(w);
    struct rater rater = invite_one(w, &c);
    struct assignment as = assigned(w, &c, &rater);
    struct room r = opened(w, &c, &as);
    struct err e;

    assert_true(say(w, &c, &r, 0, ""));
    assert_ok(db_script(w->store->db, "UPDATE assignment SET lease_ms = 1", &e));
    as = assigned(w, &c, &rater);
    assert_int_equal(opened(w, &c, &as).turns.n, 2);
    assert_int_equal(count(w, "SELECT COUNT(*) FROM left_turn"), 0);
}

/* One rater for each paper, and still both models are examined. */
static void few_raters_meet_all_models(void **state)
{
    struct world *w = *state;
    struct campaign c = start(w);
    struct rater one = invite_one(w, &c), two = invite_one(w, &c);
    struct assignment a = assigned(w, &c, &one), b = assigned(w, &c, &two);

    assert_int_not_equal(a.item, b.item);
    assert_int_not_equal(opened(w, &c, &a).seat.model, opened(w, &c, &b).seat.model);
}

/* ---- quotations ---- */

static void quotations_know_their_turn(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(buf_done) struct buf many = BUF_MAX(1 << 14);
    struct turn v[] = {
        {.position = 1, .speaker = SPEAKER_EXAMINER, .text = STR("Where is the lamp?")},
        {.position = 2,
         .speaker = SPEAKER_MODEL,
         .text = STR("Under the  bed.\nThe lamp, I mean.")},
        {.position = 3, .speaker = SPEAKER_MODEL, .text = STR("The lamp is cold.")},
    };
    const struct turn_list turns = {v, COUNT(v)}, none = {0};
    static const struct {
        const char *line, *json;
    } cases[] = {
        {"Under the bed.", "{\"text\":\"Under the bed.\",\"turn\":2,\"found\":true}"},
        {"the lamp", "{\"text\":\"the lamp\",\"turn\":1,\"found\":true}"},
        {"The lamp", "{\"text\":\"The lamp\",\"turn\":2,\"found\":true}"},
        {"[3] The lamp", "{\"text\":\"The lamp\",\"turn\":3,\"found\":true}"},
    };
    static const char *const false_ones[] = {"[3]  Under the bed.", "[99] The lamp", "nobody",
                                             "[x] nobody", "[-1] The lamp"};
    struct quotes q;

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        q = quote_read(a, str_of(cases[i].line), STR(""), &turns);
        assert_string_equal(q.json.p, arena_printf(a, "[%s]", cases[i].json));
        assert_int_equal(q.nrefused, 0);
    }
    /* What does not stand in that turn is no quotation. */
    for (size_t i = 0; i < COUNT(false_ones); i++) {
        q = quote_read(a, str_of(false_ones[i]), STR(""), &turns);
        assert_string_equal(q.json.p, "");
        assert_int_equal(q.nrefused, 1);
        assert_string_equal(q.refused[0], false_ones[i]);
    }
    q = quote_read(a, STR("\n  \n"), STR(""), &turns);
    assert_true(q.json.n == 0 && q.nrefused == 0);
    q = quote_read(a, STR("[1] b\r\nc"), STR("a [1] b"), &none);
    assert_string_equal(q.json.p, "[{\"text\":\"[1] b\",\"found\":true}]");
    assert_string_equal(q.refused[0], "c");
    /* Not for any number of lines. */
    for (int i = 0; i < 1001; i++)
        buf_text(&many, "a lamp\n");
    q = quote_read(a, buf_str(&many), STR("a  lamp"), &none);
    assert_int_equal(q.nrefused, 1);
    q = quote_read(a, STR("[3] The lamp\nnobody"), STR(""), &turns);
    assert_string_equal(quote_lines(a, q.json), "[3] The lamp\n");
    assert_string_equal(quote_lines(a, STR("")), "");
    assert_string_equal(quote_lines(a, STR("not JSON")), "");
}

#define ROOM_TESTS(setup)                                                                          \
    WORLD_TEST(everybody_gets_a_sitting_of_their_own, setup),                                      \
        WORLD_TEST(whoever_comes_later_rates_what_was_said, setup),                                \
        WORLD_TEST(answers_are_held_back, setup), WORLD_TEST(a_place_is_taken_once, setup),        \
        WORLD_TEST(one_waits_at_a_time, setup), WORLD_TEST(what_cannot_be_said_is_refused, setup), \
        WORLD_TEST(a_fault_of_the_database_is_told, setup),                                        \
        WORLD_TEST(a_sitting_ends_as_an_answer, setup),                                            \
        WORLD_TEST(what_was_left_begins_afresh, setup),                                            \
        WORLD_TEST(who_withdraws_leaves_no_words, setup),                                          \
        WORLD_TEST(own_words_can_be_deleted, setup),                                               \
        WORLD_TEST(words_are_deleted_in_any_order, setup),                                         \
        WORLD_TEST(who_comes_back_in_time_goes_on, setup),                                         \
        WORLD_TEST(few_raters_meet_all_models, setup),                                             \
        WORLD_TEST(quotations_know_their_turn, setup)

WORLD_MAIN("room", ROOM_TESTS)
