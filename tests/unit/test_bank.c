/* Banks: characters read and checked, papers drawn from them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/asset.h"
#include "base/map.h"
#include "suite/item.h"
#include "suite/paper.h"
#include "suite/turn.h"
#include "suite_world.h"

/* ---- characters ---- */

#define BARE "name: Abel\nlanguage: en\ncard: You keep a lock.\n"
#define WHO  BARE "surroundings: A bench.\n"
#define PART1                                                                                      \
    "part1:\n  identity: [who]\n  surroundings: [where]\n  habits: [how]\n  recent: [when]\n"
#define TASKS  "tasks:\n  - {theme: ice, points: [a, b, c, d], follow_ups: [one, two]}\n"
#define PART3  "part3:\n  compare: [c]\n  predict: [p]\n  argue: [a]\n  value: [v]\n"
#define ELICIT "elicit: {kind: interview, bank: bank, examiner: script"

static void put_character(struct world *w, const char *id, const char *text)
{
    (void)mkdir("bank", 0755);
    put(arena_printf(w->a, "bank/%s.yaml", id), str_of(text));
}

/* A character whose questions are all different: "Q identity 1 of ID", ... */
static const char *rich(struct world *w, const char *id, size_t each, size_t tasks)
{
    struct buf b = BUF_MAX(1 << 20);
    const char *text;

    buf_fmt(&b, WHO "id: %s\nera: then\nfacts:\n", id);
    for (size_t i = 0; i < 3; i++)
        buf_fmt(&b,
                "  - {id: f%zu, fact: F%zu, ask: ask %zu, again: 'again %zu in {{theme}}', "
                "expect: [x, y]}\n",
                i, i, i, i);
    for (int k = 0; k < QUESTION_KINDS; k++) {
        if (k % PART_KINDS == 0)
            buf_fmt(&b, "part%d:\n", k ? 3 : 1);
        buf_fmt(&b, "  %s:\n", bank_kind_name((enum question_kind)k));
        for (size_t i = 0; i < each; i++)
            buf_fmt(&b, "    - %s %zu of %s%s\n", bank_kind_name((enum question_kind)k), i, id,
                    k < PART_KINDS ? "" : " on {{theme}}");
    }
    buf_text(&b, "tasks:\n");
    for (size_t i = 0; i < tasks; i++)
        buf_fmt(&b, "  - {theme: theme %zu, points: [a, b, c, d], follow_ups: [m %zu, n %zu, o]}\n",
                i, i, i);
    text = arena_text(w->a, buf_str(&b));
    buf_done(&b);
    return text;
}

static const struct bank *load_bank(struct world *w)
{
    diags_init(&w->d, w->a);
    return bank_load(w->a, "bank", (struct place){0}, &w->d);
}

static void a_character_is_read(void **state)
{
    struct world *w = *state;
    const struct bank *b;
    const struct bank_character *c;

    put_character(w, "abel", rich(w, "abel", 2, 3));
    put_character(w, "zoe", WHO "ai: true\nanachronisms: [telephone, ' radio ']\n");
    b = load_bank(w);
    expect_shown(w, "");
    assert_int_equal(b->n, 2);
    c = &b->v[0];
    assert_string_equal(c->id, "abel");
    assert_true(str_is(c->name, "Abel"));
    assert_true(str_is(c->era, "then"));
    assert_true(str_is(c->card, "You keep a lock."));
    assert_false(c->ai);
    assert_int_equal(c->nfacts, 3);
    assert_string_equal(c->facts[1].id, "f1");
    assert_int_equal(c->facts[1].nexpect, 2);
    assert_true(str_is(c->questions.of[QUESTION_ARGUE].v[1].text, "argue 1 of abel on {{theme}}"));
    assert_int_equal(c->questions.ntasks, 3);
    assert_true(str_is(c->questions.tasks[2].points[3], "d"));
    c = &b->v[1];
    assert_string_equal(c->id, "zoe");
    assert_true(c->ai);
    assert_true(str_is(c->anachronisms[1], "radio"));
    assert_false(c->questions.part[0] || c->questions.part[1] || c->questions.part[2]);
}

static void expect_bank_fault(struct world *w, const char *text, const char *want)
{
    put_character(w, "abel", text);
    (void)load_bank(w);
    if (!strstr(shown(w), want))
        fail_msg("expected: %s\n%s", want, shown(w));
}

static void faults_have_places(void **state)
{
    struct world *w = *state;

    expect_bank_fault(w, WHO PART3 TASKS "part1: {identity: [a], habits: [b], recent: [c]}\n",
                      "bank/abel.yaml:12:8: error: the part1 has no 'surroundings'");
    expect_bank_fault(w, WHO "part1: {identity: [], surroundings: [s], habits: [b], recent: [c]}\n",
                      "bank/abel.yaml:5:19: error: expected a list of 1 to 200 texts");
    expect_bank_fault(w, WHO "tasks: [{theme: t, points: [a, b, c], follow_ups: [x, y]}]\n",
                      "bank/abel.yaml:5:28: error: expected a list of exactly 4 texts\n");
    expect_bank_fault(w, WHO "tasks: [{theme: t, points: [a, b, c, d, e], follow_ups: [x, y]}]\n",
                      "expected a list of exactly 4 texts");
    expect_bank_fault(w, WHO "tasks: [{theme: t, follow_ups: [x, y]}]\n",
                      "the task has no 'points'");
    expect_bank_fault(w, WHO "tasks: [{theme: t, points: [a, b, ' ', d], follow_ups: [x, y]}]\n",
                      "a text of 'points' is empty");
    expect_bank_fault(w, WHO "tasks: [{theme: t, points: [a, b, c, d], follow_ups: [x]}]\n",
                      "bank/abel.yaml:5:54: error: expected a list of 2 to 200 texts");
    expect_bank_fault(w, WHO "tasks: [{points: [a, b, c, d], follow_ups: [x, y]}]\n",
                      "the task has no 'theme'");
    expect_bank_fault(w, WHO "tasks: []\n", "expected a list of 1 to 100");
    expect_bank_fault(w, WHO "part1: {identity: ['{{theme}}?']}\n",
                      "bank/abel.yaml:5:20: error: {{theme}} has no meaning here");
    expect_bank_fault(w, WHO "part3: {compare: ['{{them}}?']}\n",
                      "questions of part 3 may name {{theme}}");
    expect_bank_fault(w, WHO "facts: [{id: a, fact: f, ask: q, again: r}]\n",
                      "the fact has no 'expect'");
    expect_bank_fault(w,
                      WHO "facts: [{id: a, fact: f, ask: q, again: r, expect: [x]}, {id: a, fact: "
                          "g, ask: s, again: t, expect: [y]}]\n",
                      "bank/abel.yaml:5:80: error: 'a' is also the id of another fact");
    expect_bank_fault(w, "name: Abel\nlanguage: en\nsurroundings: x\n",
                      "the character has no 'card'");
    expect_bank_fault(w, "name: Abel\ncard: c\nsurroundings: x\n",
                      "the character has no 'language'");
    expect_bank_fault(w, WHO "part2: []\n", "part2");
    expect_bank_fault(w, "name: |\n  A\n  B\nlanguage: en\ncard: c\n", "a name must be one line");
    expect_bank_fault(w, "- a\n", "bank/abel.yaml:1:1: error:");
    put_character(w, "other", WHO "id: abel\n");
    expect_bank_fault(w, WHO, "'abel' is also the id of another character");
}

static void a_bank_needs_characters(void **state)
{
    struct world *w = *state;

    assert_null(load_bank(w));
    expect_shown(w, "error: no character file (.yaml) in 'bank'\n1 error\n");
    (void)mkdir("bank", 0755);
    put("bank/readme.txt", STR("nothing"));
    assert_null(load_bank(w));
    (void)mkdir("bank/en", 0755);
    put("bank/en/abel.yaml", STR(WHO));
    assert_non_null(load_bank(w)); /* those in directories of the bank are found */
    expect_shown(w, "");
}

/* ---- what makes one good ---- */

static const char *checked(struct world *w)
{
    bank_check(load_bank(w), &w->d);
    return shown(w);
}

static void too_few_is_said(void **state)
{
    struct world *w = *state;
    const char *text;

    put_character(w, "abel", WHO PART1 TASKS PART3);
    text = checked(w);
    assert_non_null(strstr(text, "bank/abel.yaml:6:14: error: only 1 question of the kind "
                                 "'identity'; at least 2 are needed"));
    assert_non_null(strstr(text, "only 1 task card; at least 3 are needed"));
    assert_non_null(strstr(text, "only 0 facts to ask for twice; at least 2 are needed"));
    put_character(w, "abel", WHO);
    text = checked(w);
    assert_non_null(strstr(text, "warning: no 'part3': generic ones are used"));
    assert_null(strstr(text, "only 1 question"));
}

static void questions_alike_are_found(void **state)
{
    struct world *w = *state;
    const char *text;

    put_character(w, "abel",
                  WHO "part1:\n"
                      "  identity: ['Where did you learn to repair an umbrella?', "
                      "'Tell me your name, please.']\n"
                      "  surroundings: ['Who owns the house behind us?', 'Why is the market so "
                      "empty?']\n"
                      "  habits: ['Where did you learn to repair umbrellas?', 'What do you eat?']\n"
                      "  recent: ['What woke you last night?', 'Did the post arrive?']\n");
    put_character(w, "zoe",
                  WHO "facts: [{id: a, fact: f, ask: 'Tell me your name, please!', again: 'How are "
                      "you called at home?', expect: [x]}]\n");
    text = checked(w);
    assert_non_null(strstr(text, "bank/abel.yaml:8:12: error: much like line 6 ("));
    assert_non_null(strstr(text, "bank/zoe.yaml:5:31: error: much like bank/abel.yaml:6 (100%): "
                                 "Tell me your name, please."));
    assert_null(strstr(text, "abel.yaml:7"));
    assert_null(strstr(text, "abel.yaml:9"));
}

/* A good bank has nothing to be said of; the fixtures are one. */
static void good_banks_pass(void **state)
{
    static const char *const languages[] = {"zh", "ja", "en"};
    struct world *w = *state;

    for (size_t i = 0; i < COUNT(languages); i++) {
        const struct bank *b;
        diags_init(&w->d, w->a);
        b = bank_load(
            w->a, arena_printf(w->a, "%s/tests/fixtures/interview/bank/%s", w->home, languages[i]),
            (struct place){0}, &w->d);
        bank_check(b, &w->d);
        expect_shown(w, "");
    }
}

/* Three questions of each kind and three cards in every language, no two alike. */
static void generic_questions_are_good(void **state)
{
    struct world *w = *state;
    size_t files = 0;

    (void)mkdir("bank", 0755);
    for (const struct asset *f = NULL; (f = asset_next(f, "share/interview/generic."));) {
        const struct bank_questions *q;
        const struct bank *b;
        struct str language = str_from(str_of(f->name), strlen("share/interview/generic."));
        language.n -= strlen(".yaml");
        put("bank/generic.yaml", str_of(arena_printf(w->a, "%s%.*s", BARE, STR_ARG(f->bytes))));
        b = load_bank(w);
        bank_check(b, &w->d);
        if (w->d.errors != 1) /* it has no facts */
            fail_msg("%s\n%s", f->name, shown(w));
        q = bank_generic(w->a, arena_text(w->a, language));
        for (int k = 0; k < QUESTION_KINDS; k++)
            assert_true(q->of[k].n >= 3 && q->of[k].n == b->v[0].questions.of[k].n);
        assert_true(q->ntasks >= 3 && q->ntasks == b->v[0].questions.ntasks);
        files++;
    }
    assert_int_equal(files, 3);
    assert_true(bank_generic(w->a, "ko")->part[0]);
}

/* ---- papers ---- */

static void load_interview(struct world *w, const char *more)
{
    diags_init(&w->d, w->a);
    load_text(w, arena_printf(w->a, HEAD DIMS ELICIT "%s}\n", more));
    if (w->d.errors)
        fail_msg("%s", shown(w));
}

static struct paper draw(struct world *w, size_t i, const char **who)
{
    struct paper p = {0};
    struct item item;
    struct err e = {0};

    if (paper_item(w->a, w->s, w->items->bank, i, &item, &e) != OK ||
        paper_thaw(w->a, item.paper, &p, &e) != OK)
        fail_msg("%s", e.msg);
    *who = item.character;
    return p;
}

static void papers_have_what_the_suite_asks_for(void **state)
{
    static const char *const kinds[] = {"identity", "surroundings", "fact",    "habits",
                                        "recent",   "fact",         "identity"};
    struct world *w = *state;
    const char *who;
    struct paper p;

    put_character(w, "abel", rich(w, "abel", 4, 3));
    load_interview(w, ", part1: 5, part3: 4, follow_ups: 1");
    p = draw(w, 0, &who);
    assert_string_equal(who, "abel");
    assert_int_equal(p.part1.n, 7);
    for (size_t i = 0; i < p.part1.n; i++)
        assert_string_equal(p.part1.v[i].kind, kinds[i]);
    assert_int_equal(p.part3.n, 6);
    assert_int_equal(p.follow_ups, 1);
    assert_int_equal(p.nprepared, 3);
    assert_int_equal(p.nfacts, 2);
    assert_string_equal(p.part1.v[2].fact, p.facts[0].id);
    assert_string_equal(p.part1.v[5].fact, p.facts[1].id);
    for (size_t i = 0, fact = 0; i < p.part3.n; i++) {
        assert_true(str_find(p.part3.v[i].text, p.theme) != SIZE_MAX);
        assert_true(str_find(p.part3.v[i].text, STR("{{")) == SIZE_MAX);
        if (strcmp(p.part3.v[i].kind, TURN_FACT) == 0)
            assert_string_equal(p.part3.v[i].fact, p.facts[fact++].id);
    }
    assert_true(str_find(p.instruction[0], STR("Abel")) != SIZE_MAX);
    assert_true(str_find(p.task, p.theme) != SIZE_MAX);
    assert_true(str_find(p.task, STR("- a\n- b\n- c\n- d")) != SIZE_MAX);
}

/* A stranger is not greeted by a name that was never given; whoever says nothing of it is. */
static void strangers_are_greeted_as_strangers(void **state)
{
    struct world *w = *state;
    const char *who, *plain;
    struct paper p, back;
    struct err e = {0};

    put_character(w, "abel", rich(w, "abel", 4, 3));
    load_interview(w, ", part1: 4");
    p = draw(w, 0, &who);
    plain = paper_freeze(w->a, &p);
    assert_null(strstr(plain, "address"));
    assert_true(str_is(paper_address(&p, STR("Abel")), "Abel"));
    put_character(w, "abel",
                  arena_printf(w->a, "%saddress: lock-keeper\nopening: 'Evening, {{address}}.'\n",
                               rich(w, "abel", 4, 3)));
    load_interview(w, ", part1: 4");
    p = draw(w, 0, &who);
    assert_true(str_is(p.instruction[0], "Evening, lock-keeper."));
    assert_int_equal(paper_thaw(w->a, str_of(paper_freeze(w->a, &p)), &back, &e), OK);
    assert_true(str_is(paper_address(&back, STR("Abel")), "lock-keeper"));
    expect_bank_fault(w, WHO "opening: 'Hello, {{name}}.'\n",
                      "bank/abel.yaml:5:10: error: {{name}} has no meaning here");
    put_character(w, "abel", arena_printf(w->a, "%saddress: you there\n", rich(w, "abel", 4, 3)));
    bank_check(load_bank(w), &w->d);
    assert_non_null(strstr(shown(w), "an 'address' without an 'opening'"));
}

/* Nobody twice before everybody once; nothing of a character twice before all of it once. */
static void nothing_comes_twice_before_all_came(void **state)
{
    static const char *const names[] = {"a", "b", "c", "d", "e"};
    enum { CYCLES = 3, EACH = 3 };
    struct world *w = *state;
    struct map seen, texts;

    for (size_t i = 0; i < COUNT(names); i++)
        put_character(w, names[i], rich(w, names[i], EACH, EACH));
    load_interview(w, ", part1: 4, part3: 4, sittings: 15");
    map_init(&texts, w->a);
    for (size_t i = 0; i < CYCLES * COUNT(names); i++) {
        const char *who;
        struct paper p = draw(w, i, &who);
        if (i % COUNT(names) == 0)
            map_init(&seen, w->a);
        assert_null(map_put(&seen, str_of(who), w));
        for (size_t k = 0; k < p.part1.n; k++)
            if (!p.part1.v[k].fact[0])
                assert_null(map_put(&texts, p.part1.v[k].text, w));
        assert_null(
            map_put(&texts, str_of(arena_printf(w->a, "%s %.*s", who, STR_ARG(p.theme))), w));
    }
}

/* Questions of the paper, in one line. */
static const char *gist(struct world *w, size_t i)
{
    const char *who, *out;
    struct paper p = draw(w, i, &who);

    out = arena_printf(w->a, "%s: %.*s", who, STR_ARG(p.theme));
    for (size_t k = 0; k < p.part1.n; k++)
        out = arena_printf(w->a, "%s; %.*s", out, STR_ARG(p.part1.v[k].text));
    return out;
}

/* From the seed and the bank alone: not from the number of sittings, nor from file names. */
static void the_same_seed_draws_the_same(void **state)
{
    struct world *w = *state;
    const char *first, *second;

    put_character(w, "x", rich(w, "a", 4, 4));
    put_character(w, "y", rich(w, "b", 4, 4));
    put_character(w, "z", rich(w, "c", 4, 4));
    load_interview(w, ", sittings: 3");
    first = gist(w, 1);
    load_interview(w, ", sittings: 9");
    assert_string_equal(gist(w, 1), first);
    assert_int_equal(rename("bank/x.yaml", "bank/zz.yaml"), 0);
    load_interview(w, "");
    assert_string_equal(gist(w, 1), first);
    second = first;
    for (w->s->seed = 2; w->s->seed < 40 && strcmp(second, first) == 0; w->s->seed++)
        second = gist(w, 1);
    assert_string_not_equal(second, first);
}

static void who_brings_no_questions_gets_generic_ones(void **state)
{
    struct world *w = *state;
    const char *who;
    struct paper p;

    put_character(w, "abel", WHO TASKS);
    load_interview(w, "");
    p = draw(w, 0, &who);
    assert_string_equal(p.part1.v[0].source, TURN_GENERIC);
    assert_string_equal(p.part3.v[0].source, TURN_GENERIC);
    assert_string_equal(p.task_source, TURN_BANK);
    assert_int_equal(p.nfacts, 0);
    assert_int_equal(p.part1.n, 4);
}

/* An imported card: no questions, no surroundings, no facts, but a greeting and a lorebook. */
static void an_imported_card_can_sit(void **state)
{
    struct world *w = *state;
    const char *who;
    struct paper p;

    put_character(w, "abel",
                  BARE "greeting: Mind the step.\n"
                       "lorebook: {entries: [{keys: [ice], content: It sings.}]}\n");
    load_interview(w, "");
    bank_check(load_bank(w), &w->d);
    assert_int_equal(w->d.errors, 0);
    p = draw(w, 0, &who);
    assert_true(p.surroundings.n > 0);
    assert_string_equal(p.task_source, TURN_GENERIC);
    assert_int_equal(p.part1.n, 4);
}

static bool same_texts(const struct str *a, size_t na, const struct str *b, size_t nb)
{
    for (size_t i = 0; na == nb && i < na; i++)
        if (!str_eq(a[i], b[i]))
            return false;
    return na == nb;
}

static void papers_survive_freezing(void **state)
{
    struct world *w = *state;
    struct item_reader *r;
    struct item item, back;
    struct paper p;
    struct err e = {0};
    const char *text;

    put_character(w, "abel",
                  arena_printf(w->a, "%sanachronisms: [radio]\nai: true\n", rich(w, "abel", 2, 3)));
    load_interview(w, ", sittings: 2");
    r = item_reader_new(w->s, w->items, &w->d);
    assert_true(item_reader_next(r, &item));
    assert_string_equal(item.id, "1-abel");
    assert_string_equal(item.character, "abel");
    text = item_freeze(w->a, &item);
    assert_true(item_reader_next(r, &item));
    assert_string_equal(item.id, "2-abel");
    assert_false(item_reader_next(r, &item));
    item_reader_free(r);
    assert_int_equal(item_thaw(w->a, str_of(text), &back, &e), OK);
    assert_int_equal(paper_thaw(w->a, back.paper, &p, &e), OK);
    assert_string_equal(paper_freeze(w->a, &p), arena_text(w->a, back.paper));
    assert_true(p.ai);
    assert_true(same_texts(p.anachronisms, p.nanachronisms, &(struct str){"radio", 5}, 1));
    assert_int_equal(p.nfacts, 2);
    assert_int_equal(p.facts[0].nexpect, 2);
    assert_int_equal(paper_thaw(w->a, STR("{}"), &p, &e), E_INPUT);
    assert_int_equal(paper_thaw(w->a, STR("nonsense"), &p, &e), E_INPUT);
}

/* ---- suites ---- */

static void interviews_survive_freezing(void **state)
{
    struct world *w = *state;
    const char *frozen;
    struct suite back;
    struct err e = {0};

    put_character(w, "abel", rich(w, "abel", 2, 3));
    load_interview(w, ", sittings: 7, part1: 5, part3: 6, follow_ups: 1, sampling: {top_p: 1}");
    frozen = suite_freeze(w->a, w->s);
    if (suite_thaw(w->a, str_of(frozen), &back, &e) != OK)
        fail_msg("%s", e.msg);
    assert_string_equal(suite_freeze(w->a, &back), frozen);
    assert_int_equal(back.elicit.kind, ELICIT_INTERVIEW);
    assert_int_equal(back.elicit.interview.sittings, 7);
    assert_int_equal(back.elicit.interview.part1, 5);
    assert_int_equal(back.elicit.interview.examiner, EXAMINER_SCRIPT);
    assert_int_equal(back.ncharacters, 1);
    assert_true(str_is(back.characters[0].text, "You keep a lock."));
}

static void interviews_are_checked(void **state)
{
    struct world *w = *state;

    put_character(w, "abel", rich(w, "abel", 2, 3));
    expect_fault(w, HEAD DIMS "elicit: {kind: interview}\n", "the interview has no 'bank'");
    expect_fault(w, HEAD DIMS "elicit: {kind: interview, bank: bnak}\n",
                 "no bank 'bnak' (did you mean 'bank'?)");
    expect_fault(w, HEAD DIMS ITEMS ELICIT "}\n", "leave out 'items'");
    expect_fault(w, HEAD DIMS ELICIT "}\ncharacter: {name: n, text: t}\n",
                 "leave out 'character' and 'characters'");
    expect_fault(w, HEAD DIMS ELICIT ", part1: 9}\n",
                 "a sitting asks 3 questions of the kind 'identity', but 'abel' has 2");
    expect_fault(w, HEAD DIMS ELICIT ", part3: 3}\n", "part3: 3");
    expect_fault(w, HEAD DIMS ELICIT ", follow_ups: 3}\n", "follow_ups: 3");
    expect_fault(w, HEAD DIMS ELICIT ", take: all}\n", "take");
    expect_fault(w, HEAD DIMS "elicit: {kind: interview, bank: bank, examiner: somebody}\n",
                 "somebody");
    expect_fault(w, HEAD DIMS ELICIT ", template: interview.xx}\n",
                 "no built-in template 'interview.xx'");
    put("t.yaml", STR("name: t\nexaminer: E\nsystem: '{{caracter}}'\npart1: a\npart2: b\npart3: c\n"
                      "task: '{{theme}}'\nfollow_up: {system: s, user: '{{answer}}', repair: "
                      "'{{fault}}'}\n"));
    expect_fault(
        w, HEAD DIMS ELICIT ", template: t.yaml}\n",
        "t.yaml:3:9: error: {{caracter}} is not available here (did you mean {{character}}?)");
    expect_fault(w, HEAD DIMS ELICIT ", template: t.yaml}\n", "{{answer}} is not available here");
    put_character(w, "kiku", "name: K\nlanguage: ja\ncard: c\nsurroundings: s\n");
    expect_fault(w, HEAD DIMS ELICIT "}\n", "'kiku' is in ja, but the suite is in en");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_character_is_read),
        TEST(faults_have_places),
        TEST(a_bank_needs_characters),
        TEST(too_few_is_said),
        TEST(questions_alike_are_found),
        TEST(good_banks_pass),
        TEST(generic_questions_are_good),
        TEST(papers_have_what_the_suite_asks_for),
        TEST(strangers_are_greeted_as_strangers),
        TEST(nothing_comes_twice_before_all_came),
        TEST(the_same_seed_draws_the_same),
        TEST(who_brings_no_questions_gets_generic_ones),
        TEST(an_imported_card_can_sit),
        TEST(papers_survive_freezing),
        TEST(interviews_survive_freezing),
        TEST(interviews_are_checked),
    };

    return cmocka_run_group_tests_name("bank", tests, NULL, NULL);
}
