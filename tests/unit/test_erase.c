/* Deletion is attacked: somebody leaves while their requests are still under way, and afterwards
 * every table and the file itself is searched for what they said. On both databases. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "panel/erase.h"
#include "panel/own.h"
#include "store/seal.h"
#include "store/store_trick.h"
#include "store_world.h"

#include "panel_world.h"

static const double middling[] = {0.5, 3};

static void sql(struct world *w, const char *text)
{
    struct err e;

    assert_ok(db_script(w->store->db, text, &e));
}

static int64_t count_of(struct world *w, const char *query)
{
    struct rows *r;
    struct err e;
    int64_t n;

    assert_ok(rows_new(w->store->db, query, &r, &e));
    assert_ok(rows_open(r, NO_ARGS, &e));
    assert_true(rows_next(r));
    n = row_int(r, 0);
    assert_ok(rows_end(r, &e));
    rows_freep(&r);
    return n;
}

static int64_t count(struct world *w, const char *from)
{
    return count_of(w, arena_printf(w->arena, "SELECT COUNT(*) FROM %s", from));
}

/* Everything that a rater leaves behind, marked so that it can be found. */
static struct rater somebody(struct world *w, const struct campaign *c, struct ballot *done,
                             struct ballot *open)
{
    struct rater r = panel_rater(w, c);
    struct ballot_save s = {.client = "c",
                            .m = {.dimension = "wit",
                                  .value = 4,
                                  .comment = STR("MARKER-comment"),
                                  .quotes = STR("[\"MARKER-quote\"]")}};
    enum ballot_result result;
    struct ballot_mark now;
    struct err e;

    assert_true(panel_next(w, c, &r, done));
    s.m.is = done->slots[0].is;
    assert_ok(ballot_save(w->arena, w->store, c, done, &s, &result, &now, &e));
    assert_ok(ballot_report(w->store, c, done, &done->slots[0], STR("MARKER-report"), &e));
    panel_rate(w, c, &r, done, middling);
    assert_true(panel_next(w, c, &r, open));
    s.m.is = open->slots[0].is;
    assert_ok(ballot_save(w->arena, w->store, c, open, &s, &result, &now, &e));
    sql(w, arena_printf(w->arena,
                        "UPDATE rater SET about = '{\"age\":\"MARKER-about\"}', stratum = "
                        "'MARKER-stratum' WHERE id = %lld; UPDATE passage_stratum SET stratum = "
                        "'MARKER-stratum' WHERE stratum = ''; UPDATE invite SET label = "
                        "'MARKER-label' WHERE rater = %lld; INSERT INTO web_session (token, kind, "
                        "who, csrf, created_ms, seen_ms, expires_ms) VALUES ('t%lld', 'rater', "
                        "%lld, 'x', 1, 1, 1)",
                        (long long)r.id, (long long)r.id, (long long)r.id, (long long)r.id));
    assert_ok(rater_exclude(w->store, c, r.pseudonym, "ada", "MARKER-why", &e));
    assert_ok(rater_get(w->arena, w->store, r.id, &r, &e));
    return r;
}

/* Whatever a page does for a rater, done with what it had read before they left. */
static void try_everything(struct world *w, const struct campaign *c, struct rater *r,
                           const struct ballot *b)
{
    struct ballot_save s = {.client = "late",
                            .m = {.dimension = "wit", .value = 1, .comment = STR("MARKER-late")}};
    int *none = NEW_N(w->arena, int, c->spec.nabout + 1);
    enum ballot_result result;
    struct ballot_mark now;
    const struct slot *slot;
    const char *dimension;
    char words[RATER_TOKEN];
    struct assignment as;
    size_t missing;
    struct err e;
    bool found = false;
    int tried = 0; /* most of these do nothing rather than fail */

    s.m.is = b->slots[0].is;
    assert_int_not_equal(ballot_save(w->arena, w->store, c, b, &s, &result, &now, &e), OK);
    tried |= (int)ballot_submit(w->arena, w->store, c, b, &missing, &slot, &dimension, &e);
    tried |= (int)ballot_report(w->store, c, b, &b->slots[0], STR("MARKER-late"), &e);
    tried |= (int)ballot_skip(w->store, c, b, STR("MARKER-late"), &e);
    tried |= (int)ballot_read(w->store, b, &e);
    tried |= (int)assign_next(w->arena, w->store, c, r, &as, &found, &e);
    assert_false(found);
    tried |= (int)rater_consent(w->store, c, r, c->spec.consent_version, "en", &e);
    tried |= (int)rater_about(w->store, c, r, none, &e);
    tried |= (int)rater_new_words(w->store, r->id, words, &e);
    assert_int_not_equal(rater_back(w->arena, w->store, str_of(words), r, &e), OK);
    tried |= (int)rater_finish(w->store, c, r->id, 1, &e);
    (void)tried;
}

static void assert_nothing(struct world *w, int64_t rater)
{
    const char *of = arena_printf(
        w->arena, "assignment IN (SELECT id FROM assignment WHERE rater = %lld)", (long long)rater);

    assert_int_equal(count(w, arena_printf(w->arena, "rating WHERE %s", of)), 0);
    assert_int_equal(count(w, arena_printf(w->arena, "complaint WHERE %s", of)), 0);
    assert_int_equal(count(w, arena_printf(w->arena, "left_turn WHERE %s", of)), 0);
    assert_int_equal(
        count(w, arena_printf(w->arena, "calibration WHERE rater = %lld", (long long)rater)), 0);
    assert_int_equal(
        count(w, arena_printf(w->arena, "assignment WHERE rater = %lld AND state <> 'closed'",
                              (long long)rater)),
        0);
    assert_int_equal(
        count(w, arena_printf(w->arena,
                              "rater WHERE id = %lld AND state = 'withdrawn' AND about "
                              "IS NULL AND stratum = '' AND code IS NULL",
                              (long long)rater)),
        1);
    /* Which passages people of a kind were given would tell of which kind this one was. */
    assert_int_equal(
        count(w, arena_printf(w->arena,
                              "passage_stratum WHERE stratum LIKE 'MARKER%%' AND campaign = "
                              "(SELECT campaign FROM rater WHERE id = %lld)",
                              (long long)rater)),
        0);
    assert_int_equal(
        count(w, arena_printf(w->arena, "web_session WHERE kind = 'rater' AND who = %lld",
                              (long long)rater)),
        0);
}

/* The database as files: what was deleted does not lie about in them either, though the server goes
 * on. */
static void assert_not_in_file(struct world *w, const char *marker)
{
    static const char *const ends[] = {"", "-wal"};
    struct str bytes;
    struct err e;

    assert_ok(db_drain(w->store->db, &e));
    for (size_t i = 0; i < COUNT(ends); i++) {
        assert_ok(file_read(w->arena, arena_printf(w->arena, "%s%s", w->url, ends[i]), 1 << 28,
                            &bytes, &e));
        if (str_find(bytes, str_of(marker)) != SIZE_MAX)
            fail_msg("'%s' is still in the file%s", marker, ends[i]);
    }
}

static void test_withdrawn(void **state)
{
    struct world *w = *state;
    struct suite suite = world_suite(w->arena);
    struct ballot done, open;
    struct panel_run run;
    struct campaign c;
    struct rater r, before;
    struct err e;

    panel_run(w, &suite, 4, 2, &run);
    c = panel_open(w, &run, "campaign: leave\npassages_per_rater: 3\nabout: []\n");
    r = before = somebody(w, &c, &done, &open);
    assert_ok(erase_rater(w->store, &r, true, &e));
    assert_nothing(w, r.id);
    try_everything(w, &c, &r, &open);
    r = before;
    try_everything(w, &c, &r, &done);
    assert_nothing(w, before.id);
    assert_int_equal(count(w, "passage WHERE done <> 0"), 0);
    assert_int_equal(count(w, "invite WHERE label LIKE '%MARKER%'"), 0);
    assert_int_equal(count(w, "rater WHERE excluded_why LIKE '%MARKER%'"), 0);
    assert_int_equal(count(w, "rater WHERE excluded_by = 'ada'"), 1);
    /* a lease that is closed does not come back when leases expire */
    sql(w, "UPDATE assignment SET lease_ms = 1");
    r = panel_rater(w, &c);
    assert_true(panel_next(w, &c, &r, &open));
    assert_nothing(w, before.id);
    if (!strstr(w->url, "postgres"))
        assert_not_in_file(w, "MARKER");
}

/* Words of rater number `who` beside every text of a page, of another length in every round. */
static void remark(struct world *w, const struct campaign *c, const struct ballot *b, int who,
                   int round, int64_t *version)
{
    enum ballot_result result;
    struct ballot_mark now;
    struct err e;

    for (size_t i = 0; i < b->n; i++) {
        const char *words = arena_printf(w->arena, "MARKER-%d-%zu %0*d", who, i,
                                         (who * 37 + round * 101 + (int)i * 53) % 400 + 1, 0);
        struct ballot_save s = {.client = "c",
                                .m = {.is = b->slots[i].is,
                                      .dimension = "wit",
                                      .value = 4,
                                      .comment = str_of(words),
                                      .version = *version}};
        assert_ok(ballot_save(w->arena, w->store, c, b, &s, &result, &now, &e));
        assert_int_equal(result, BALLOT_SAVED);
    }
    ++*version;
}

/* Where many write at once, rows move from page to page of the file, and leave copies behind that
 * no row stands for. */
static void test_crowd(void **state)
{
    enum { RATERS = 24, ROUNDS = 10 };
    struct world *w = *state;
    struct suite suite = world_suite(w->arena);
    struct ballot open[RATERS];
    struct rater r[RATERS];
    int64_t version[RATERS] = {0}, last = 0;
    struct panel_run run;
    struct campaign c;
    struct err e;
    bool large;

    panel_run(w, &suite, 4, 6, &run);
    c = panel_open(w, &run, "campaign: crowd\npassages_per_rater: 3\nabout: []\n");
    for (int i = 0; i < RATERS; i++) {
        r[i] = panel_rater(w, &c);
        assert_true(panel_next(w, &c, &r[i], &open[i]));
    }
    for (int round = 1; round <= ROUNDS; round++)
        for (int i = 0; i < RATERS; i++)
            remark(w, &c, &open[i], i, round, &version[i]);
    for (int i = 0; i < RATERS; i += 2)
        assert_ok(erase_rater(w->store, &r[i], true, &e));
    assert_ok(erase_traces(w->store, &last, &large, &e)); /* of nobody, as the log has it */
    assert_int_equal(last, 0);
    sql(w, "INSERT INTO audit (at_ms, who, what, subject, detail) VALUES (1, 'rater', "
           "'rater.withdraw', 'crowd', '')");
    assert_ok(erase_traces(w->store, &last, &large, &e));
    assert_false(large);
    for (int i = 0; i < RATERS && !strstr(w->url, "postgres"); i += 2)
        assert_not_in_file(w, arena_printf(w->arena, "MARKER-%d-", i));
}

static void count_difference(void *user, const char *difference)
{
    print_error("%s\n", difference);
    ++*(int *)user;
}

/* Requests that hold the words, and that no answer and no verdict refers to: of a sitting that the
 * rater had left, and of a judge that was asked again. Another one is the run's. */
static void add_calls(struct world *w, const struct campaign *c, int64_t assignment)
{
    long long run = (long long)c->run.id;

    sql(w,
        arena_printf(
            w->arena,
            "INSERT INTO call (run, key, url, request, response, elapsed_ms, created_ms) VALUES"
            " (%lld, 'left', 'u', 'MARKER-left', 'r', 1, 1),"
            " (%lld, 'judge', 'u', 'MARKER-again', 'r', 1, 1),"
            " (%lld, 'model', 'u', 'of the model', 'r', 1, 1);"
            "INSERT INTO left_turn (assignment, position, part, speaker, kind, text, fact,"
            " source, quote, why, thinking, finish, elapsed_ms, at_ms, call) SELECT %lld, 1, 1,"
            " 'model', 'answer', 'yes', '', '', '', '', '', '', 0, 0, id FROM call"
            " WHERE key = 'left';"
            "INSERT INTO turn (sample, position, part, speaker, kind, text, fact, source, quote,"
            " why, thinking, finish, elapsed_ms, at_ms, call) SELECT (SELECT MAX(id) FROM sample),"
            " 1, 1, 'model', 'answer', 'yes', '', '', '', '', '', '', 0, 0, id FROM call"
            " WHERE key = 'model'",
            run, run, run, (long long)assignment));
}

/* What an AI judge wrote about the sitting. */
static void judge_quotes(struct world *w, int64_t sample)
{
    struct mark mark = {.dimension = "wit",
                        .value = 3,
                        .analysis = STR("Eve says MARKER-words"),
                        .evidence = STR("[{\"turn\":1,\"text\":\"MARKER-words\"}]"),
                        .advice = STR("Take up MARKER-words.")};
    struct verdict_result v = {.reply = STR("{\"wit\": \"MARKER-words\"}"),
                               .reason = STR("MARKER-words")};

    panel_verdict(w, sample, v, &mark);
}

/* What somebody else picked out of it: the erased rater's words for one mark, the model's for
 * another. */
static void rater_quotes(struct world *w, const struct campaign *c, int64_t sample)
{
    struct rater r = panel_rater(w, c);

    sql(w,
        arena_printf(
            w->arena,
            "INSERT INTO assignment (campaign, rater, item, phase, state, position, shown,"
            " lease_ms, started_ms, seen_ms) SELECT %lld, %lld, item, 'main', 'done', 1,"
            " '[[%lld,-1]]', 1, 1, 1 FROM sample WHERE id = %lld;"
            "INSERT INTO rating (assignment, sample, dimension, value, quotes, version, client,"
            " created_ms, saved_ms) SELECT MAX(id), %lld, 'wit', 1,"
            " '[{\"text\":\"MARKER-words\",\"turn\":1,\"found\":true}]', 1, 'c', 1, 1"
            " FROM assignment;"
            "INSERT INTO rating (assignment, sample, dimension, value, quotes, version, client,"
            " created_ms, saved_ms) SELECT MAX(id), %lld, 'warmth', 1,"
            " '[{\"text\":\"man, I\",\"turn\":2,\"found\":true}]', 1, 'c', 1, 1"
            " FROM assignment;"
            "INSERT INTO withheld (campaign, sample, why, words) VALUES (%lld, %lld, 'name',"
            " 'MARKER-words') ON CONFLICT (campaign, sample) DO UPDATE SET words = excluded.words",
            (long long)c->id, (long long)r.id, (long long)sample, (long long)sample,
            (long long)sample, (long long)sample, (long long)c->id, (long long)sample));
}

/* Words of a rater that are taken out of a sealed interview are no tampering: their seals go too.
 */
static void test_seals(void **state)
{
    struct world *w = *state;
    struct suite suite = world_suite(w->arena);
    int differences = 0;
    struct ballot done, open;
    struct panel_run run;
    const char *digest;
    struct campaign c;
    struct rater r;
    struct err e;
    int64_t sample;

    panel_run(w, &suite, 4, 2, &run);
    c = panel_open(w, &run, "campaign: seals\npassages_per_rater: 3\nabout: []\n");
    r = somebody(w, &c, &done, &open);
    sample = count_of(w, "SELECT MIN(s.id) FROM sample s JOIN assignment a ON a.item = s.item AND "
                         "a.phase = 'main' AND a.state = 'done'");
    sql(w,
        arena_printf(
            w->arena,
            "UPDATE assignment SET shown = '[[%lld,-1]]' WHERE state = 'done';"
            "UPDATE sample SET answer = '[1] Eve: MARKER-words\n\n    MARKER-more: and\n[2] Ann: A"
            " man, I think.\n[3] Eve: A' WHERE id = %lld;"
            "INSERT INTO turn (sample, position, part, speaker, kind, text, fact, source, quote,"
            " why, thinking, finish, elapsed_ms, at_ms) VALUES (%lld, 1, 1, 'examiner',"
            " 'follow-up', 'MARKER-words\n\nMARKER-more: and', '', 'person', '', '', '', '', 0,"
            " 0), (%lld, 2, 1, 'model', 'answer', 'A man, I think.', '', '', '', '',"
            " 'So MARKER-words, says Eve.', '', 0, 0),"
            " (%lld, 3, 1, 'examiner', 'follow-up', 'A', '', 'person', '', '', '', '', 0, 0);"
            "INSERT INTO flag (run, sample, kind, evidence) VALUES (%lld, %lld, 'markup',"
            " '{\"this\": \"MARKER-words\"}')",
            (long long)sample, (long long)sample, (long long)sample, (long long)sample,
            (long long)sample, (long long)c.run.id, (long long)sample));
    judge_quotes(w, sample);
    rater_quotes(w, &c, sample);
    add_calls(w, &c, done.of.id);
    sql(w, arena_printf(w->arena,
                        "INSERT INTO mute (model, times, since_ms, fault, why) SELECT model, 1, 1,"
                        " 'rejected', 'cannot answer: MARKER-words' FROM sample WHERE id = %lld",
                        (long long)sample));
    assert_ok(store_trick_put(
        w->store, c.run.id, &(struct trick_row){.judge = "trier", .probe = "padded", .n = 2}, &e));
    for (int64_t other = sample; other < sample + 2; other++)
        assert_ok(store_trial_add(w->store, c.run.id,
                                  &(struct trial_row){.sample = other,
                                                      .judge = "trier",
                                                      .probe = "padded",
                                                      .reply = STR("she said MARKER-words")},
                                  &e));
    assert_ok(seal_refresh(w->store, c.run.id, &e));
    assert_ok(erase_rater(w->store, &r, true, &e));
    assert_int_equal(count(w, "mute"), 0);
    assert_int_equal(count(w, "judge_trial"), 0);
    assert_int_equal(count(w, "judge_audit WHERE seal = 0"), 1);
    assert_int_equal(count(w, "turn WHERE text LIKE '%MARKER%'"), 0);
    assert_int_equal(count(w, "call WHERE request LIKE '%MARKER%'"), 0);
    assert_int_equal(count(w, "call WHERE request = 'of the model'"), 1);
    assert_int_equal(count(w, "flag WHERE evidence LIKE '%MARKER%'"), 0);
    assert_int_equal(count(w, "sample WHERE answer LIKE '%MARKER%'"), 0);
    assert_int_equal(count(w, "sample WHERE answer = '[1] Eve: …\n[2] Ann: A man, I think.\n"
                              "[3] Eve: …'"),
                     1);
    assert_int_equal(count(w, "turn WHERE text = 'A man, I think.' AND thinking = ''"), 1);
    assert_int_equal(count(w, "verdict WHERE reply LIKE '%MARKER%' OR reason LIKE '%MARKER%'"), 0);
    assert_int_equal(count(w, "mark WHERE analysis LIKE '%MARKER%' OR evidence LIKE '%MARKER%' OR "
                              "advice LIKE '%MARKER%'"),
                     0);
    assert_int_equal(count(w, "mark WHERE value = 3"), 1);
    assert_int_equal(count(w, "rating WHERE quotes LIKE '%MARKER%'"), 0);
    assert_int_equal(count(w, "rating WHERE quotes LIKE '%man, I%'"), 1);
    assert_int_equal(count(w, "withheld WHERE words LIKE '%MARKER%'"), 0);
    assert_ok(
        seal_check(w->arena, w->store, c.run.id, count_difference, &differences, &digest, &e));
    assert_int_equal(differences, 0);
}

/* Marks may be kept; then what is personal goes, nothing more is written, and staff can still erase
 * the rest. */
static void test_kept_then_erased(void **state)
{
    struct world *w = *state;
    struct suite suite = world_suite(w->arena);
    struct ballot done, open;
    struct panel_run run;
    struct campaign c;
    struct rater r, before;
    struct err e;

    panel_run(w, &suite, 4, 2, &run);
    c = panel_open(w, &run, "campaign: keep\npassages_per_rater: 3\nabout: []\n");
    r = before = somebody(w, &c, &done, &open);
    assert_ok(erase_rater(w->store, &r, false, &e));
    assert_int_equal(count(w, "rating"), 5);
    try_everything(w, &c, &r, &open);
    r = before;
    try_everything(w, &c, &r, &done);
    assert_int_equal(count(w, "rating"), 5);
    assert_int_equal(count(w, "rating WHERE comment LIKE '%late%'"), 0);
    assert_int_equal(count(w, "rater WHERE about IS NOT NULL OR stratum <> ''"), 0);
    assert_ok(rater_named(w->arena, w->store, &c, before.pseudonym, &r, &e));
    assert_ok(erase_rater(w->store, &r, true, &e));
    assert_ok(erase_rater(w->store, &r, true, &e));
    assert_nothing(w, r.id);
    assert_int_equal(count(w, "passage WHERE done <> 0"), 0);
}

/* How many campaigns are erased on their own so many days from now. */
static size_t erased_in(struct world *w, int64_t days)
{
    struct err e;
    size_t n;

    assert_ok(erase_due(w->store, clock_utc_ms() + days * 24 * 60 * 60 * 1000, &n, &e));
    return n;
}

/* Whatever a rater's own pages write about them, from sessions that were loaded before. */
static void tell_late(struct world *w, const struct campaign *c, const struct rater *r)
{
    const struct rater_from from = {.panel = STR("MARKER-panel"), .network = "MARKER"};
    int *none = NEW_N(w->arena, int, c->spec.nabout + 1);
    struct err e;

    assert_ok(rater_came(w->arena, w->store, c, r->id, &from, &e));
    sql(w, "UPDATE rater SET state = 'invited', consent_language = ''");
    assert_ok(rater_consent(w->store, c, r, c->spec.consent_version, "en", &e));
    sql(w, "UPDATE rater SET state = 'consented'");
    assert_ok(rater_about(w->store, c, r, none, &e));
    sql(w, "UPDATE rater SET state = 'rating'");
    assert_ok(rater_finish(w->store, c, r->id, 0, &e));
    assert_int_equal(count(w, arena_printf(w->arena,
                                           "rater WHERE id = %lld AND consent_language = '' AND "
                                           "panel IS NULL AND about IS NULL AND code IS NULL",
                                           (long long)r->id)),
                     1);
}

/* On its own, when the time has come, and what the file says. */
static void test_retention(void **state)
{
    struct world *w = *state;
    struct suite suite = world_suite(w->arena);
    struct ballot done, open;
    struct panel_run run;
    struct campaign some, all;
    char words[RATER_TOKEN];
    struct rater r, s;
    struct err e;

    panel_run(w, &suite, 4, 2, &run);
    some = panel_open(w, &run,
                      "campaign: some\npassages_per_rater: 3\nabout: []\nretention: {days: 30}\n");
    all = panel_open(w, &run,
                     "campaign: all\npassages_per_rater: 3\nabout: []\n"
                     "retention: {days: 60, delete: everything}\n");
    r = somebody(w, &some, &done, &open);
    s = somebody(w, &all, &done, &open);
    assert_int_equal(erased_in(w, 1000), 0); /* not before it is over */
    assert_ok(campaign_turn(w->store, &some, CAMPAIGN_CLOSED, &e));
    assert_ok(campaign_turn(w->store, &all, CAMPAIGN_CLOSED, &e));
    assert_int_equal(erased_in(w, 29), 0);
    assert_int_equal(erased_in(w, 31), 1);
    assert_int_equal(count(w, "rating"), 10);
    assert_int_equal(count(w, arena_printf(w->arena, "rater WHERE id = %lld AND about IS NULL",
                                           (long long)r.id)),
                     1);
    assert_int_equal(count(w, "rater WHERE about IS NOT NULL"), 1);
    /* They have not withdrawn: what they rated counts as it did, though they cannot come back. */
    assert_int_equal(count(w, arena_printf(w->arena,
                                           "rater WHERE id = %lld AND state = 'rating' AND "
                                           "stratum = '' AND return_hash LIKE 'gone-%%'",
                                           (long long)r.id)),
                     1);
    assert_int_equal(
        count(w, arena_printf(w->arena, "web_session WHERE kind = 'rater' AND who = %lld",
                              (long long)r.id)),
        0);
    assert_ok(rater_new_words(w->store, r.id, words, &e));
    assert_int_not_equal(rater_back(w->arena, w->store, str_of(words), &r, &e), OK);
    tell_late(w, &some, &r);
    assert_int_equal(erased_in(w, 61), 1);
    assert_nothing(w, s.id);
    assert_int_equal(count(w, "rating"), 5);
    assert_int_equal(erased_in(w, 62), 0); /* once */
    assert_int_equal(count(w, "audit WHERE what = 'campaign.retention'"), 2);
}

static void turn(struct world *w, struct campaign *c, enum campaign_state to)
{
    struct err e;

    assert_ok(campaign_turn(w->store, c, to, &e));
    assert_ok(campaign_by_id(w->arena, w->store, c->id, c, &e));
}

/* What is open again is not over, and what was rated since is deleted in its turn. */
static void test_retention_again(void **state)
{
    struct world *w = *state;
    struct suite suite = world_suite(w->arena);
    struct ballot done, open;
    struct panel_run run;
    struct campaign c;
    struct rater r;

    panel_run(w, &suite, 4, 2, &run);
    c = panel_open(w, &run,
                   "campaign: twice\npassages_per_rater: 3\nabout: []\n"
                   "retention: {days: 30, delete: everything}\n");
    for (int i = 0; i < 2; i++) {
        r = somebody(w, &c, &done, &open);
        turn(w, &c, CAMPAIGN_CLOSED);
        turn(w, &c, CAMPAIGN_OPEN);
        assert_int_equal(erased_in(w, 31), 0);
        turn(w, &c, CAMPAIGN_CLOSED);
        assert_int_equal(erased_in(w, 31), 1);
        assert_nothing(w, r.id);
        turn(w, &c, CAMPAIGN_OPEN);
    }
}

/* Show the texts of a page in the other order. */
static void turn_round(struct world *w, struct ballot *b)
{
    const char *shown = "";

    for (size_t i = 0; i < b->n / 2; i++) {
        struct slot one = b->slots[i];
        b->slots[i] = b->slots[b->n - 1 - i];
        b->slots[b->n - 1 - i] = one;
    }
    for (size_t i = 0; i < b->n; i++)
        shown = arena_printf(w->arena, "%s%s[%lld,%lld]", shown, i ? "," : "",
                             (long long)b->slots[i].is.sample, (long long)b->slots[i].is.other);
    sql(w, arena_printf(w->arena, "UPDATE assignment SET shown = '[%s]' WHERE id = %lld", shown,
                        (long long)b->of.id));
}

/* The texts of a page come in the order in which they were shown: that of the samples says which
 * are by one author, and the reference is the first of them. */
static void assert_as_shown(struct world *w, const struct campaign *c, const struct rater *r,
                            const struct ballot *b)
{
    const char *text, *last;
    struct err e;

    assert_ok(own_data(w->arena, w->store, c, r, &text, &e));
    last = text;
    for (size_t i = 0; i < b->n; i++) {
        const char *here = strstr(text, b->slots[i].name);
        assert_non_null(here);
        assert_true(here > last);
        last = here;
    }
}

/* One's own data: all of it, and nothing that tells who wrote what. */
static void test_own(void **state)
{
    struct world *w = *state;
    struct suite suite = world_suite(w->arena);
    struct ballot done, open;
    struct panel_run run;
    const char *text;
    struct campaign c;
    struct rater r;
    struct err e;

    panel_run(w, &suite, 4, 2, &run);
    c = panel_open(w, &run, "campaign: own\npassages_per_rater: 3\nabout: []\n");
    r = somebody(w, &c, &done, &open);
    assert_ok(own_data(w->arena, w->store, &c, &r, &text, &e));
    assert_non_null(strstr(text, "MARKER-comment"));
    assert_non_null(strstr(text, "MARKER-quote"));
    assert_non_null(strstr(text, "MARKER-report"));
    assert_non_null(strstr(text, "MARKER-about"));
    assert_non_null(strstr(text, "MARKER-why"));
    assert_non_null(strstr(text, "read short texts")); /* what was agreed to, word for word */
    assert_non_null(strstr(text, done.slots[0].name));
    assert_null(strstr(text, "ann"));
    assert_null(strstr(text, "bob"));
    assert_null(strstr(text, "phase"));
    assert_null(strstr(text, "sample"));
    assert_as_shown(w, &c, &r, &done);
    turn_round(w, &done);
    assert_as_shown(w, &c, &r, &done);
}

#define TESTS(setup)                                                                               \
    WORLD_TEST(test_withdrawn, setup), WORLD_TEST(test_crowd, setup),                              \
        WORLD_TEST(test_kept_then_erased, setup), WORLD_TEST(test_seals, setup),                   \
        WORLD_TEST(test_retention, setup), WORLD_TEST(test_retention_again, setup),                \
        WORLD_TEST(test_own, setup)

WORLD_MAIN("erase", TESTS)
