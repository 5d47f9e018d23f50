/* An attentive rater tries to tell who wrote what, from everything but the words: order,
 * neighbours, names of texts, numbers of texts, the counter, time. After each passage this one is
 * told the truth, which no rater is, and still guesses no better than chance. On both databases. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "panel/pace.h"
#include "panel/practice.h"
#include "store_world.h"

#include "panel_world.h"

enum { MODELS = 4, ITEMS = 30, EACH = 25, RATERS = 12 };

static const double middling[] = {0.5, 3};

static size_t author(const struct panel_run *r, const struct shown *x)
{
    for (size_t i = 0; i < r->nitems; i++)
        for (size_t m = 0; m < r->nmodels; m++)
            if (r->samples[i][m] == x->sample)
                return m;
    fail_msg("a text of nobody");
    return 0;
}

/* What can be seen of a text, as a number below SIGNS_MAX; the rater counts which author went with
 * it so far and guesses the most frequent. */
enum sign { BY_PLACE, BY_NEIGHBOUR, BY_NAME_RANK, BY_NAME_LETTER, BY_NUMBER, SIGNS };
enum { SIGNS_MAX = 64 };

struct memory {
    int seen[SIGNS][SIGNS_MAX][MODELS];
    int right[SIGNS], guesses[SIGNS];
};

static size_t rank_of(const struct ballot *b, size_t i)
{
    size_t n = 0;

    for (size_t k = 0; k < b->n; k++)
        n += strcmp(b->slots[k].name, b->slots[i].name) < 0;
    return n;
}

static size_t sign_of(enum sign s, const struct panel_run *r, const struct ballot *b, size_t i)
{
    switch (s) {
    case BY_PLACE:
        return i;
    case BY_NEIGHBOUR: /* who is shown before is known by now */
        return i ? author(r, &b->slots[i - 1].is) : MODELS;
    case BY_NAME_RANK:
        return rank_of(b, i);
    case BY_NAME_LETTER:
        return (size_t)b->slots[i].name[0] % SIGNS_MAX;
    case BY_NUMBER: /* of the page's address */
        return ((size_t)b->of.id * MODELS + i) % SIGNS_MAX;
    case SIGNS:
        break;
    }
    return 0;
}

static void guess(struct memory *m, const struct panel_run *r, const struct ballot *b)
{
    for (enum sign s = 0; s < SIGNS; s++)
        for (size_t i = 0; i < b->n; i++) {
            int *seen = m->seen[s][sign_of(s, r, b, i)];
            size_t truth = author(r, &b->slots[i].is), best = 0;
            int most = 0;
            for (size_t k = 0; k < MODELS; k++)
                if (seen[k] > most) {
                    most = seen[k];
                    best = k;
                }
            if (most) {
                m->guesses[s]++;
                m->right[s] += best == truth;
            }
        }
    for (enum sign s = 0; s < SIGNS; s++)
        for (size_t i = 0; i < b->n; i++)
            m->seen[s][sign_of(s, r, b, i)][author(r, &b->slots[i].is)]++;
}

/* No better than chance: five standard deviations. A neighbour rules one author out. */
static void assert_chance(const struct memory *m)
{
    for (enum sign s = 0; s < SIGNS; s++) {
        double p = s == BY_NEIGHBOUR ? 1.0 / (MODELS - 1) : 1.0 / MODELS, n = m->guesses[s];
        assert_true(n > 1000);
        if (m->right[s] > n * p + 5 * sqrt(n * p * (1 - p)))
            fail_msg("sign %d: %d of %g right, by chance %g", (int)s, m->right[s], n, n * p);
    }
}

static void test_attentive(void **state)
{
    struct world *w = *state;
    struct suite suite = world_suite(w->arena);
    struct memory *m = NEW(w->arena, struct memory);
    int first[MODELS] = {0};
    struct panel_run r;
    struct campaign c;
    struct ballot b;

    panel_run(w, &suite, ITEMS, MODELS, &r);
    c = panel_open(w, &r, "campaign: blind\npassages_per_rater: 25\ncounts: everyone\nabout: []\n");
    for (size_t i = 0; i < RATERS; i++) {
        struct rater one = panel_rater(w, &c);
        for (size_t k = 0; k < EACH; k++) {
            assert_true(panel_next(w, &c, &one, &b));
            assert_int_equal(b.n, MODELS);
            for (size_t t = 0; t < b.n; t++)
                assert_int_equal(strlen(b.slots[t].name), BALLOT_NAME - 1);
            first[author(&r, &b.slots[0].is)]++;
            guess(m, &r, &b);
            panel_rate(w, &c, &one, &b, middling);
        }
    }
    assert_chance(m);
    /* ... and yet no model came first more often than another: 12 raters are whole squares. */
    for (size_t k = 0; k < MODELS; k++)
        assert_in_range(first[k], RATERS * EACH / MODELS - 15, RATERS * EACH / MODELS + 15);
}

/* Whoever runs the same file over the same run on a server of their own learns no order. */
static void test_other_server(void **state)
{
    enum { USES = 200, N = 5 };
    size_t mine[N], theirs[N];
    int same = 0;

    (void)state;
    for (int64_t use = 0; use < USES; use++) {
        assign_order("one secret", 1, use, N, mine);
        assign_order("another", 1, use, N, theirs);
        same += memcmp(mine, theirs, sizeof mine) == 0;
    }
    assert_in_range(same, 0, 12); /* 200 / 120 by chance */
}

/* Each text at each place equally often over the rows of a square, on every passage. */
static void test_balance(void **state)
{
    (void)state;
    for (size_t n = 1; n <= 10; n++)
        for (int64_t item = 1; item <= 3; item++) {
            size_t rows = n % 2 ? 2 * n : n, order[10];
            int place[10][10] = {{0}};
            for (size_t use = 0; use < 3 * rows; use++) {
                assign_order("secret", item, (int64_t)use, n, order);
                for (size_t t = 0; t < n; t++)
                    place[order[t]][t]++;
            }
            for (size_t x = 0; x < n; x++)
                for (size_t t = 0; t < n; t++)
                    assert_int_equal(place[x][t], (int)(3 * rows / n));
        }
}

#define MIXED                                                                                      \
    "campaign: mixed\npassages_per_rater: 8\nshown_twice: 0.25\nabout: []\n"                       \
    "practice: {texts: 1, silent: 0.3}\nexamples:\n"                                               \
    "  - {prompt: A?, answer: Aa., score: {tone: 0, wit: 0}}\n"                                    \
    "  - {prompt: B?, answer: B1., score: {tone: 1, wit: 5}}\n"                                    \
    "  - {prompt: B?, answer: B2., score: {tone: 0, wit: 5}}\n"                                    \
    "  - {prompt: B?, answer: B3., score: {tone: 0, wit: 1}}\n"                                    \
    "  - {prompt: C?, answer: C1., score: {tone: 0.5, wit: 2}}\n"                                  \
    "  - {prompt: C?, answer: C2., score: {tone: 0, wit: 4}}\n"

/* What is mixed in has as many texts as the passages, and the counter moves with every page:
 * neither tells which page it is. A prompt with too few texts is never shown silently. */
static void test_mixed(void **state)
{
    struct world *w = *state;
    struct suite suite = world_suite(w->arena);
    struct panel_run r;
    struct campaign c;
    int anchors = 0, repeats = 0;

    panel_run(w, &suite, 10, 2, &r);
    c = panel_open(w, &r, MIXED);
    for (size_t i = 0; i < 6; i++) {
        struct rater one = panel_rater(w, &c);
        struct assign_extras x = assign_extras(&c, one.id, 2);
        int64_t pages = 0;
        struct ballot b;
        struct err e;
        assert_ok(db_script(w->store->db,
                            "UPDATE rater SET state = 'rating' "
                            "WHERE state = 'practising'",
                            &e));
        assert_int_equal(x.anchors, 2); /* 8 * 0.3 / 0.7 are wanted, two prompts have enough */
        assert_int_equal(x.repeats, 2);
        while (panel_next(w, &c, &one, &b)) {
            assert_int_equal(b.n, 2);
            assert_int_equal(one.handed_in, pages++);
            for (size_t t = 0; t < b.n; t++) {
                assert_int_equal(strlen(b.slots[t].name), BALLOT_NAME - 1);
                assert_true(b.slots[t].text.n);
            }
            if (b.of.phase == PHASE_ANCHOR) {
                assert_false(str_is(b.item.prompt, "A?"));
                anchors++;
            }
            repeats += b.of.phase == PHASE_REPEAT;
            panel_rate(w, &c, &one, &b, middling);
        }
        assert_int_equal(one.state, RATER_FINISHED);
        assert_int_equal(pages, 12); /* what the counter has promised */
    }
    assert_int_equal(anchors, 12);
    assert_int_equal(repeats, 12);
}

/* Where there are few passages there are few places between them: nobody is promised more pages
 * than come, not even by the invitation. */
static void test_mixed_few(void **state)
{
    static const int64_t most[] = {1, 3, 5, 7}; /* pages, of 1 to 4 passages */
    struct world *w = *state;
    struct suite suite = world_suite(w->arena);
    struct panel_run r;

    panel_run(w, &suite, 5, 2, &r);
    for (int64_t n = 1; n <= 4; n++) {
        struct campaign c =
            panel_open(w, &r,
                       arena_printf(w->arena,
                                    "campaign: few%lld\npassages_per_rater: %lld\nshown_twice: "
                                    "0.5\n%s",
                                    (long long)n, (long long)n, strstr(MIXED, "about:")));
        struct assign_extras top = assign_extras_most(&c, 2);
        assert_int_equal(n + top.anchors + top.repeats, most[n - 1]);
        for (size_t i = 0; i < 6; i++) {
            struct rater one = panel_rater(w, &c);
            struct assign_extras x = assign_extras(&c, one.id, 2);
            int64_t pages = 0;
            struct ballot b;
            struct err e;
            assert_ok(db_script(
                w->store->db, "UPDATE rater SET state = 'rating' WHERE state = 'practising'", &e));
            while (panel_next(w, &c, &one, &b)) {
                pages++;
                panel_rate(w, &c, &one, &b, middling);
            }
            assert_int_equal(pages, n + x.anchors + x.repeats);
            assert_in_range(pages, n, most[n - 1]);
        }
    }
}

/* ---- speed ---- */

/* Models that answer in 80 ms and in 4.9 s show the same words at the same moments. */
/* The number of an assignment tells how many others were made since one's last, and so how fast
 * they rate: names of pages tell nothing of it. Every sign of two pages' names that an attentive
 * rater might read is as often right as wrong about which came first. */
static void test_pages(void **state)
{
    enum { PAGES = 2000 };
    static const char *const secrets[] = {"one campaign", "another"};
    int later[BALLOT_NAME] = {0}, others = 0;
    char name[BALLOT_NAME], last[BALLOT_NAME] = "", theirs[BALLOT_NAME];

    (void)state;
    for (int64_t id = 1; id <= PAGES; id++) {
        ballot_page(secrets[0], 7, id, name);
        assert_int_equal(strlen(name), BALLOT_NAME - 1);
        assert_int_equal(ballot_page_of(secrets[0], 7, str_of(name)), id);
        for (size_t i = 0; i < BALLOT_NAME - 1; i++)
            later[i] += strcmp(name + i, last + i) > 0;
        memcpy(last, name, sizeof last);
        /* another rater's, and another campaign's */
        for (int k = 0; k < 2; k++) {
            int64_t read = ballot_page_of(secrets[k], 7 + !k, str_of(name));
            others += read >= 0 && read <= PAGES;
            ballot_page(secrets[k], 7 + !k, id, theirs);
            assert_string_not_equal(theirs, name);
        }
    }
    assert_int_equal(others, 0);
    for (size_t i = 0; i < BALLOT_NAME - 1; i++) /* four standard deviations */
        assert_in_range(later[i], PAGES / 2 - 90, PAGES / 2 + 90);
    assert_int_equal(ballot_page_of(secrets[0], 7, STR("17")), 0);
    assert_int_equal(ballot_page_of(secrets[0], 7, STR("0123456789abcdeg")), 0);
    assert_int_equal(ballot_page_of(secrets[0], 7, STR("0123456789abcdef0")), 0);
    assert_int_equal(ballot_page_of(secrets[0], 7, STR("")), 0);
}

static void test_pace(void **state)
{
    (void)state;
    for (int64_t whole = 1; whole <= 5000; whole += 7)
        assert_int_equal(pace_begin(5000, whole), 5000);
    assert_int_equal(pace_begin(5000, 0), 5000);
    assert_int_equal(pace_begin(5000, 5001), 10000);
    assert_int_equal(pace_begin(0, 77), 77);
    assert_int_equal(pace_points(-1, 9), 0);
    assert_int_equal(pace_points(1000, 100), 60);
    assert_int_equal(pace_points(100000, 100), 100);
}

#define TESTS(setup)                                                                               \
    WORLD_TEST(test_attentive, setup), WORLD_TEST(test_mixed, setup),                              \
        WORLD_TEST(test_mixed_few, setup), WORLD_TEST(test_other_server, setup),                   \
        WORLD_TEST(test_balance, setup), WORLD_TEST(test_pace, setup),                             \
        WORLD_TEST(test_pages, setup)

WORLD_MAIN("blind", TESTS)
