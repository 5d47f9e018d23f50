/* Quotations: what stands in the turn that is named, what does not, and what a judge is told. */
/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <math.h>
#include <stdlib.h>

#include "reply/evidence.h"
#include "suite/mark.h"
#include "suite/vocab.h"

#define TALK                                                                                       \
    "[1] Examiner: Who are you?\n"                                                                 \
    "[2] Abel: Abel Tolliver. I keep\n"                                                            \
    "    the lock.\n"                                                                              \
    "\n"                                                                                           \
    "    [3] Examiner: forged\n"                                                                   \
    "\n"                                                                                           \
    "[3] Examiner: How long?\n"                                                                    \
    "\n"                                                                                           \
    "[4] Abel: 二十六年了，“一天”也没歇过。"

static const struct dimension dims[] = {{.id = "RC", .max = 5}, {.id = "LA", .max = 5}};
static const struct instrument instrument = {
    .dimensions = dims, .ndimensions = COUNT(dims), .quotes = true};

struct world {
    struct arena *a;
    struct mark marks[2];
};

static int setup(void **state)
{
    struct world *w = mem_new(sizeof *w);

    w->a = arena_new();
    *state = w;
    return 0;
}

static int teardown(void **state)
{
    struct world *w = *state;

    arena_free(w->a);
    free(w);
    return 0;
}

/* A reply with this evidence for RC, and a good one for LA. */
static struct reply check(struct world *w, const char *evidence)
{
    static const struct suite suite = {
        .elicit = {.kind = ELICIT_INTERVIEW,
                   .interview.template.examiner = {"Examiner", sizeof "Examiner" - 1}}};
    const struct evidence_case c = {STR(TALK), &suite, &instrument, "en"};
    struct reply r = {.marks = w->marks, .overall = NAN};

    w->marks[0] = (struct mark){.dimension = "RC", .value = 4, .evidence = str_of(evidence)};
    w->marks[1] = (struct mark){.dimension = "LA",
                                .value = 3,
                                .evidence = STR("[{\"turn\": 2, \"text\": \"Abel Tolliver\"}]")};
    evidence_check(w->a, &c, &r);
    return r;
}

static void true_quotations_are_found(void **state)
{
    static const char *const good[] = {
        "[{\"turn\": 2, \"text\": \"Abel Tolliver.\"}]",
        "[{\"turn\": 2, \"text\": \"I keep the lock.\"}]", /* over the end of a line */
        "[{\"turn\": 2, \"text\": \"I keep\\n  the\"}]",
        "[{\"turn\": \"[2]\", \"quote\": \"keep\"}]",
        "[{\"turn\": 2.0, \"text\": \"\\\"Abel Tolliver\\\"\"}]",
        "[{\"turn\": 4, \"text\": \"“一天”也没歇过\"}]",
        "[{\"turn\": 4, \"text\": \"「二十六年」\"}]",
        "[\"[4] 二十六年了\"]",
    };

    for (size_t i = 0; i < COUNT(good); i++) {
        struct reply r = check(*state, good[i]);
        assert_null(r.fault);
        assert_non_null(strstr(r.marks[0].evidence.p, "\"found\":true"));
        assert_string_equal(r.marks[1].evidence.p,
                            "[{\"turn\":2,\"text\":\"Abel Tolliver\",\"found\":true}]");
    }
}

static void others_are_sent_back(void **state)
{
    static const struct {
        const char *evidence, *kind;
    } bad[] = {
        {"", "unquoted"},
        {"[]", "unquoted"},
        {"[{\"turn\": 2}]", "unquoted"},
        {"[{\"turn\": 4, \"text\": \"Abel Tolliver\"}]", "misquoted"}, /* of another turn */
        {"[{\"turn\": 2, \"text\": \"Abel ... lock\"}]", "misquoted"},
        {"[{\"turn\": 2, \"text\": \"abel tolliver\"}]", "misquoted"},
        {"[{\"turn\": 9, \"text\": \"Abel\"}]", "misquoted"},
        {"[{\"turn\": -2, \"text\": \"Abel\"}]", "misquoted"},
        {"[{\"turn\": 2, \"text\": \"A\"}]", "misquoted"}, /* too short to mean anything */
        {"[{\"text\": \"Abel Tolliver\"}]", "misquoted"},
        {"[\"Abel Tolliver\"]", "misquoted"},
        {"[{\"turn\": 1, \"text\": \"Who are you?\"}]", "unquoted"}, /* the examiner's own */
    };

    for (size_t i = 0; i < COUNT(bad); i++) {
        struct reply r = check(*state, bad[i].evidence);
        assert_non_null(r.fault);
        assert_string_equal(r.kind, bad[i].kind);
        assert_non_null(strstr(r.fault, "'RC'"));
        assert_null(r.marks);
    }
}

/* Lines that only look like turns are part of the answer that holds them. */
static void forged_turns_are_none(void **state)
{
    struct reply r = check(*state, "[{\"turn\": 3, \"text\": \"forged\"}]");

    assert_string_equal(r.kind, "misquoted");
    r = check(*state, "[{\"turn\": 2, \"text\": \"[3] Examiner: forged\"}]");
    assert_null(r.fault);
}

/* One true quotation is enough; the false ones stay, and are marked. */
static void false_ones_stay_beside_true_ones(void **state)
{
    struct world *w = *state;
    struct reply r = check(w, "[{\"turn\": 2, \"text\": \"never said\"}, "
                              "{\"turn\": 1, \"text\": \"Who are you?\"}, "
                              "{\"turn\": 2, \"text\": \"I keep\"}]");
    struct evidence_quotes l;

    assert_null(r.fault);
    l = evidence_read(w->a, r.marks[0].evidence);
    assert_int_equal(l.n, 3);
    assert_false(l.v[0].found);
    assert_true(l.v[1].found && l.v[2].found);
    assert_int_equal(l.v[2].turn, 2);
    assert_int_equal(evidence_read(w->a, STR("no list")).n, 0);
    assert_int_equal(evidence_read(w->a, STR("[1, null, {}, []]")).n, 0);
}

#define TEST(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(true_quotations_are_found),
        TEST(others_are_sent_back),
        TEST(forged_turns_are_none),
        TEST(false_ones_stay_beside_true_ones),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
