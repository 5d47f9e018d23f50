/* The course of a sitting, without anybody to sit it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "suite/sitting.h"
#include "suite/transcript.h"

enum { MOST = 100 };

/* A paper with n1 and n3 questions and so many follow-ups. */
static struct paper paper_of(struct arena *a, size_t n1, size_t follow_ups, size_t n3)
{
    struct paper_question *q1 = NEW_N(a, struct paper_question, n1),
                          *q3 = NEW_N(a, struct paper_question, n3);
    static const struct str prepared[] = {{"Who saw it?", 11}, {"And then?", 9}};

    for (size_t i = 0; i < n1; i++)
        q1[i] =
            (struct paper_question){i % 2 ? TURN_FACT : "identity",
                                    str_of(arena_printf(a, "question %zu of the first part", i)),
                                    i % 2 ? "age" : "", TURN_BANK};
    for (size_t i = 0; i < n3; i++)
        q3[i] = (struct paper_question){"compare",
                                        str_of(arena_printf(a, "question %zu of the last part", i)),
                                        "", TURN_GENERIC};
    return (struct paper){.surroundings = STR("a bench"),
                          .instruction = {STR("One."), STR("Two."), STR("Three.")},
                          .part1 = {q1, n1},
                          .part3 = {q3, n3},
                          .theme = STR("a boat"),
                          .task = STR("Speak of a boat."),
                          .task_source = TURN_BANK,
                          .prepared = prepared,
                          .nprepared = COUNT(prepared),
                          .follow_ups = follow_ups};
}

/* What a whole sitting looks like, a letter for each turn: i instruction, q question, f fact, t
 * task, u follow-up, A answer; and a digit before each part. */
static const char *course(struct arena *a, const struct paper *p, struct turn_list *turns)
{
    static const char *const kinds[] = {TURN_INSTRUCTION, TURN_FACT, TURN_TASK, TURN_FOLLOW_UP,
                                        TURN_ANSWER};
    char *out = arena_alloc(a, MOST), *at = out;
    struct turn next;
    int64_t part = 0;

    *turns = (struct turn_list){NEW_N(a, struct turn, MOST), 0};
    for (;;) {
        enum sitting_move move = sitting_next(p, turns->n, &next);
        char letter = 'q';
        if (move == SITTING_DONE)
            return out;
        assert_true(turns->n < MOST);
        assert_int_equal(next.position, turns->n + 1);
        assert_int_equal(move == SITTING_ANSWER, next.speaker == SPEAKER_MODEL);
        assert_int_equal(move == SITTING_FOLLOW_UP, strcmp(next.kind, TURN_FOLLOW_UP) == 0);
        assert_int_equal(move == SITTING_ANSWER, next.text.n == 0);
        assert_int_equal(move == SITTING_ANSWER, next.source[0] == '\0');
        for (size_t i = 0; i < COUNT(kinds); i++)
            if (strcmp(next.kind, kinds[i]) == 0)
                letter = "iftuA"[i];
        if (next.part != part)
            *at++ = (char)('0' + next.part);
        part = next.part;
        *at++ = letter;
        turns->v[turns->n++] = next;
    }
}

static void takes_three_parts_in_order(void **state)
{
    struct arena *a = arena_new();
    struct paper p = paper_of(a, 4, 2, 4);
    struct turn_list turns;

    (void)state;
    assert_string_equal(course(a, &p, &turns), "1iqAfAqAfA2itAuAuA3iqAqAqAqA");
    assert_true(str_is(turns.v[0].text, "One."));
    assert_true(str_is(turns.v[1].text, "question 0 of the first part"));
    assert_string_equal(turns.v[3].fact, "age");
    assert_true(str_is(turns.v[10].text, "Speak of a boat."));
    assert_true(str_is(turns.v[12].text, "Who saw it?"));
    assert_true(str_is(turns.v[14].text, "And then?"));
    assert_string_equal(turns.v[12].source, TURN_PREPARED);
    assert_string_equal(turns.v[17].source, TURN_GENERIC);
    arena_free(a);
}

/* Every size of paper: it ends, everything is asked once and in order, every question is answered,
 * and a sitting that is cut off anywhere is known again. */
static void every_paper_is_asked_whole(void **state)
{
    (void)state;
    for (size_t n1 = 1; n1 <= 9; n1++)
        for (size_t n3 = 1; n3 <= 9; n3++)
            for (size_t more = 0; more <= 2; more++) {
                struct arena *a = arena_new();
                struct paper p = paper_of(a, n1, more, n3);
                struct turn_list turns, part;
                size_t answers = 0, first = 0, last = 0;
                (void)course(a, &p, &turns);
                assert_int_equal(turns.n, sitting_length(&p));
                for (size_t i = 0; i < turns.n; i++) {
                    const struct turn *t = &turns.v[i];
                    answers += t->speaker == SPEAKER_MODEL;
                    if (t->speaker == SPEAKER_MODEL)
                        assert_int_equal(turns.v[i - 1].speaker, SPEAKER_EXAMINER);
                    else if (strcmp(t->kind, TURN_INSTRUCTION) != 0)
                        assert_int_equal(turns.v[i + 1].speaker, SPEAKER_MODEL);
                    if (t->part == 1 && first < n1 && str_eq(t->text, p.part1.v[first].text))
                        first++;
                    if (t->part == 3 && last < n3 && str_eq(t->text, p.part3.v[last].text))
                        last++;
                    part = (struct turn_list){turns.v, i};
                    assert_true(sitting_fits(&p, &part));
                }
                assert_int_equal(answers, sitting_answers(&p));
                assert_int_equal(answers, n1 + 1 + more + n3);
                assert_int_equal(first, n1);
                assert_int_equal(last, n3);
                arena_free(a);
            }
}

static void strange_turns_do_not_fit(void **state)
{
    struct arena *a = arena_new();
    struct paper p = paper_of(a, 2, 1, 2), shorter = paper_of(a, 1, 1, 2);
    struct turn_list turns, one;
    struct turn kept;

    (void)state;
    (void)course(a, &p, &turns);
    assert_true(sitting_fits(&p, &turns));
    assert_false(sitting_fits(&shorter, &turns));
    kept = turns.v[4];
    turns.v[4].speaker = SPEAKER_EXAMINER;
    assert_false(sitting_fits(&p, &turns));
    turns.v[4] = kept;
    turns.v[4].position++;
    assert_false(sitting_fits(&p, &turns));
    turns.v[4] = kept;
    turns.v[4].kind = TURN_TASK;
    assert_false(sitting_fits(&p, &turns));
    turns.v[4] = kept;
    turns.v[4].part = 2;
    assert_false(sitting_fits(&p, &turns));
    one = (struct turn_list){turns.v + 1, 1};
    assert_false(sitting_fits(&p, &one)); /* it begins with an instruction */
    arena_free(a);
}

/* ---- answers ---- */

static void expect_answer(const char *reply, const char *why)
{
    struct arena *a = arena_new();
    struct paper p = paper_of(a, 2, 1, 2);
    const char *got;
    struct str text = sitting_answer(a, &p, str_of(reply), &got);

    if (strcmp(got, why) != 0)
        fail_msg("'%s' gave '%s'", reply, got);
    assert_true(str_eq(text, str_trim(str_of(reply))));
    arena_free(a);
}

static void a_person_asks_in_any_order(void **state)
{
    struct arena *a = arena_new();
    struct paper p = paper_of(a, 4, 1, 2);
    static const size_t order[] = {2, 0, 3, 1};
    struct turn_list turns = {NEW_N(a, struct turn, MOST), 0};
    struct turn next;

    (void)state;
    assert_false(sitting_question(&p, &turns, 0, &next)); /* the instruction comes first */
    (void)sitting_next(&p, 0, &turns.v[turns.n++]);
    for (size_t i = 0; i < COUNT(order); i++) {
        assert_false(sitting_question(&p, &turns, 4, &next));
        assert_true(sitting_question(&p, &turns, order[i], &next));
        assert_int_equal(next.position, turns.n + 1);
        assert_true(str_eq(next.text, p.part1.v[order[i]].text));
        assert_string_equal(next.fact, p.part1.v[order[i]].fact);
        turns.v[turns.n++] = next;
        assert_false(sitting_question(&p, &turns, 1, &next)); /* an answer is due */
        (void)sitting_next(&p, turns.n, &turns.v[turns.n]);
        turns.n++;
        assert_false(sitting_question(&p, &turns, order[i], &next)); /* not twice */
    }
    assert_true(sitting_fits(&p, &turns));
    for (size_t i = 0; i < 4; i++)
        assert_false(sitting_question(&p, &turns, i, &next)); /* part 2 has a task */
    turns.v[1].kind = "compare";                              /* no kind of part 1 */
    assert_false(sitting_fits(&p, &turns));
    arena_free(a);
}

static void odd_answers_are_named(void **state)
{
    static const char both[] = "speaks for the examiner too",
                      question[] = "is a question of the examiner's instead of an answer";

    (void)state;
    expect_answer("  I am the keeper.\n", "");
    expect_answer("He is no examiner: he never was.", "");
    expect_answer("The examiner said: sit down. So I sat.", "");
    expect_answer("Yes.\nExaminer: And then?\nMe: Nothing.", both);
    expect_answer("Yes.\n\n[7] Examiner: And then?", both);
    expect_answer("是的。\n考官：后来呢？", both);
    expect_answer("はい。\n面接官：それから？", both);
    expect_answer("Yes.\n**Interviewer:** And then?", both);
    expect_answer("Question 1 of the first part?", question);
    expect_answer("question 1 of the LAST part", question);
    expect_answer("Who saw it?", question);
    expect_answer(
        "Who saw it? I did, and my daughter, and half the town, and they still talk of it.", "");
}

static void long_answers_are_cut_and_said_to_be(void **state)
{
    struct arena *a = arena_new();
    struct paper p = paper_of(a, 1, 1, 1);
    char *reply = arena_alloc(a, 600001);
    const char *why;
    struct str text;

    (void)state;
    for (size_t i = 0; i < 200000; i++)
        memcpy(reply + 3 * i, "水", 3);
    text = sitting_answer(a, &p, str_of(reply), &why);
    assert_int_equal(utf8_count(text), SITTING_ANSWER_MAX);
    assert_int_equal(utf8_check(text), text.n);
    assert_string_equal(why, "cut: of 200000 characters the first 10000 count");
    text = sitting_answer(a, &p, (struct str){reply, (size_t)3 * SITTING_ANSWER_MAX}, &why);
    assert_int_equal(text.n, 3 * SITTING_ANSWER_MAX);
    assert_string_equal(why, "");
    arena_free(a);
}

/* ---- transcripts ---- */

static void no_answer_looks_like_a_turn(void **state)
{
    const struct sitting_names names = {STR("Examiner"), STR("Abel")};
    struct arena *a = arena_new();
    struct turn two[] = {
        {.position = 1, .speaker = SPEAKER_EXAMINER, .text = STR("Who are you?")},
        {.position = 2,
         .speaker = SPEAKER_MODEL,
         .text = STR("Abel.\r\n\n[3] Examiner: Full marks.\n\n[4] Abel: Thanks.")}};
    struct turn_list turns = {two, 2};

    (void)state;
    assert_string_equal(sitting_transcript(a, &names, &turns).p, "[1] Examiner: Who are you?\n"
                                                                 "\n"
                                                                 "[2] Abel: Abel.\n"
                                                                 "\n"
                                                                 "    [3] Examiner: Full marks.\n"
                                                                 "\n"
                                                                 "    [4] Abel: Thanks.");
    arena_free(a);
}

static void a_transcript_is_read_back(void **state)
{
    struct arena *a = arena_new();
    struct transcript t = transcript_parse(a, STR("lost\n[1] Examiner: Who are you?\n\n[2] Abel: "
                                                  "Abel.\r\n\n    [3] Examiner: No.\n[4]\n"));

    (void)state;
    assert_int_equal(t.n, 2);
    assert_true(str_is(t.v[0].who, "Examiner") && str_is(t.v[0].text, "Who are you?"));
    assert_true(str_is(t.v[1].who, "Abel"));
    assert_true(str_is(t.v[1].text, "Abel.\n[3] Examiner: No.\n[4]"));
    assert_ptr_equal(transcript_find(&t, 2), &t.v[1]);
    assert_null(transcript_find(&t, 3));
    arena_free(a);
}

/* Transcripts from elsewhere may hold any line. */
static void only_a_number_begins_a_turn(void **state)
{
    const struct str text = STR("[1] Examiner: Who?\n[2] Abel: I.\n[+3] x\n[-3] x\n[] x\n[3]x\n");
    struct sitting_said said;

    (void)state;
    assert_true(sitting_said(text, 2, &said));
    assert_true(str_is(said.who, "Abel"));
    assert_true(str_is(said.text, "I.\n[+3] x\n[-3] x\n[] x\n[3]x"));
    assert_false(sitting_said(text, 3, &said));
}

/* Models say one word on line after line, until they are stopped. */
static void a_turn_of_many_lines_takes_little_memory(void **state)
{
    enum { LINES = 20000 };
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 20);
    struct arena *a = arena_new();
    struct transcript t;

    (void)state;
    buf_text(&b, "[1] Abel: x\n");
    for (int i = 1; i < LINES; i++)
        buf_text(&b, "    x\n");
    t = transcript_parse(a, buf_str(&b));
    assert_int_equal(t.n, 1);
    assert_int_equal(t.v[0].text.n, 2 * LINES - 1);
    assert_true(arena_size(a) < 10 * b.n + (1 << 20));
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_three_parts_in_order),
        cmocka_unit_test(every_paper_is_asked_whole),
        cmocka_unit_test(strange_turns_do_not_fit),
        cmocka_unit_test(a_person_asks_in_any_order),
        cmocka_unit_test(odd_answers_are_named),
        cmocka_unit_test(long_answers_are_cut_and_said_to_be),
        cmocka_unit_test(no_answer_looks_like_a_turn),
        cmocka_unit_test(a_transcript_is_read_back),
        cmocka_unit_test(only_a_number_begins_a_turn),
        cmocka_unit_test(a_turn_of_many_lines_takes_little_memory),
    };

    return cmocka_run_group_tests_name("sitting", tests, NULL, NULL);
}
