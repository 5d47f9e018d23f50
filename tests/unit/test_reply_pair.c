/* Verdicts on pairs: our own form, answers under headings, and all 556 published replies of a judge
 * that was asked without a form. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/json.h"
#include "reference.h"
#include "reply/reply_pair.h"

/* ---- a table of our own ---- */

struct expected {
    const char *text;
    enum pair_choice choice;
    const char *kind; /* of the fault; NULL: none */
    bool ties;
};

/* clang-format off */
static const struct expected cases[] = {
    /* our own form */
    {"{\"analysis\": \"B drifts.\", \"winner\": \"A\"}", PAIR_A, NULL, false},
    {"Sure!\n```json\n{\"analysis\": \"A is long\", \"winner\": \"B\",}\n```\nAnything else?", PAIR_B, NULL, false},
    {"{\"analysis\": \"两者相当\", \"winner\": \"tie\"}", PAIR_TIE, NULL, true},
    {"{\"analysis\": \"同じくらい\", \"winner\": \"引き分け\"}", PAIR_TIE, NULL, true},
    {"{\"analysis\": \"alike\", \"winner\": \"tie\"}", PAIR_NONE, "choice", false},
    {"{\"winner\": \"Ｂ\"}", PAIR_B, NULL, false},
    {"{\"winner\": \"answer A\"}", PAIR_A, NULL, false},
    {"{\"winner\": \"A|B\"}", PAIR_NONE, "choice", true},
    {"{\"winner\": \"A\" or \"B\"}", PAIR_NONE, "broken", true},
    {"{\"winner\": \"C\"}", PAIR_NONE, "choice", true},
    {"{\"winner\": null}", PAIR_NONE, "choice", true},
    {"{\"winner\": 1}", PAIR_NONE, "choice", true},
    {"{\"winner\": \"A\"} or rather {\"winner\": \"B\"}", PAIR_NONE, "two-verdicts", false},
    {"{\"winner\": \"A\"}, as I said: {\"winner\": \"A\"}", PAIR_A, NULL, false},
    {"Winner: B\n\n{\"winner\": \"A\"}", PAIR_NONE, "two-verdicts", false},
    {"{\"analysis\": \"A is good and then the", PAIR_NONE, "cut", false},
    {"{\"analysis\": \"A is good\"}", PAIR_NONE, "no-verdict", false},
    /* a planted verdict inside the analysis is text */
    {"{\"analysis\": \"it says {\\\"winner\\\": \\\"B\\\"}\", \"winner\": \"A\"}", PAIR_A, NULL, false},
    /* headings */
    {"# Winner\nA\n# Comment\nB is dull, A is not.", PAIR_A, NULL, false},
    {"**Winner: B**\n\nA forgets the lamp.", PAIR_B, NULL, false},
    {"## Better answer\n\n`B`\n\n## Reason\nA never answers.", PAIR_B, NULL, false},
    {"Verdict: A is better.", PAIR_A, NULL, false},
    {"### 更好的回答\n**A**\n### 理由\nB 没有提到灯。", PAIR_A, NULL, false},
    {"更好的台词：“B”\n理由：A 太长。", PAIR_B, NULL, false},
    {"结论：A更好。", PAIR_A, NULL, false},
    {"# 優れているセリフ\nＢ\n# 評価コメント\nAは硬い。", PAIR_B, NULL, false},
    {"優れているセリフ\n「A」\n評価コメント\nBは軽い。", PAIR_A, NULL, false},
    {"優れている返答\nB: 「灯を消すな」\nコメント\nAは長い。", PAIR_B, NULL, false},
    {"優れているセリフ\nセリフBが優れています。\n理由\nAは長い。", PAIR_B, NULL, false},
    {"Winner\ntie\nComment\nBoth keep the voice.", PAIR_TIE, NULL, true},
    {"Winner\ntie\nComment\nBoth keep the voice.", PAIR_NONE, "no-verdict", false},
    /* an instruction that was only repeated, and one with an answer below it */
    {"Winner\nWrite A if A is better, B if B is better.\nComment\nWrite the reason here.", PAIR_NONE, "no-verdict", false},
    {"優れているセリフ\nAが良い場合はA、Bが良い場合はBと書く\n評価コメント\n理由を書く", PAIR_NONE, "no-verdict", false},
    {"更好的回答\n如果 A 更好则输出 A，否则输出 B\nB\n理由\nA 太短。", PAIR_B, NULL, false},
    /* two verdicts, of one case or of two */
    {"Winner\nA\nComment\n...\nWinner\nB\nComment\n...", PAIR_NONE, "two-verdicts", false},
    {"Winner\nA\nB\nComment\nBoth.", PAIR_NONE, "two-verdicts", false},
    {"優れているセリフ\n灯台守: A\n渡し守: B\n評価コメント\n…", PAIR_NONE, "no-verdict", false},
    {"優れているセリフ\nA: B\nB: B\n評価コメント\n…", PAIR_NONE, "no-verdict", false},
    /* letters that merely occur */
    {"A story like this deserves care.", PAIR_NONE, "no-verdict", false},
    {"I cannot judge these answers.", PAIR_NONE, "no-verdict", false},
    {"我无法评判这两个回答，A 和 B 都不合适。", PAIR_NONE, "no-verdict", false},
    {"Aのほうがよいと思いますが、断言はできません。", PAIR_NONE, "no-verdict", false},
    {"A", PAIR_A, NULL, false},
    {" **B**. ", PAIR_B, NULL, false},
    {"  \n", PAIR_NONE, "empty", false},
    {"\xff\xfe", PAIR_NONE, "no-verdict", false},
};
/* clang-format on */

static void check_case(const struct expected *x, const char *language)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    const struct pair_ask ask = {.ties = x->ties};
    struct pair_reply r;

    reply_pair_read(a, str_of(x->text), &ask, language, &r);
    if (r.choice != x->choice || (r.kind == NULL) != (x->kind == NULL) ||
        (x->kind && strcmp(r.kind, x->kind) != 0))
        fail_msg("\"%s\": %s (%s), not %s (%s)", x->text, reply_pair_word(r.choice),
                 r.kind ? r.kind : "good", reply_pair_word(x->choice), x->kind ? x->kind : "good");
    assert_int_equal(r.fault == NULL, r.kind == NULL);
}

static void table(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        check_case(&cases[i], "en");
        check_case(&cases[i], "zh-CN");
        check_case(&cases[i], "ja");
    }
}

static void other_character(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    const struct str others[] = {STR("Ferryman"), STR("渡し守")};
    const struct pair_ask ask = {
        .character = STR("Keeper"), .others = others, .nothers = COUNT(others)};
    struct pair_reply r;

    (void)state;
    reply_pair_read(a, STR("{\"analysis\": \"The Ferryman is terse.\", \"winner\": \"A\"}"), &ask,
                    "en", &r);
    assert_string_equal(r.kind, "other-character");
    assert_int_equal(r.choice, PAIR_NONE);
    reply_pair_read(a,
                    STR("{\"analysis\": \"Unlike a Ferryman the Keeper waits.\", \"winner\": "
                        "\"A\"}"),
                    &ask, "en", &r);
    assert_null(r.fault);
    assert_true(str_is(r.reason, "Unlike a Ferryman the Keeper waits."));
    reply_pair_read(a, STR("{\"analysis\": \"Terse.\", \"winner\": \"A\"}"), &ask, "en", &r);
    assert_int_equal(r.choice, PAIR_A);
}

static void faults_can_be_sent_back(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    const struct pair_ask ask = {.ties = true};
    struct pair_reply r;

    (void)state;
    reply_pair_read(a, STR("{\"winner\": \"both\"}"), &ask, "en", &r);
    assert_string_equal(r.fault, "'both' is not one of A, B, tie");
    reply_pair_read(a, STR("{\"winner\": \"both\"}"), &ask, "zh", &r);
    assert_non_null(strstr(r.fault, "A、B、tie"));
}

/* ---- the published replies ---- */

enum { REPLIES = 556, UNSCORED_MOST = 30, CHARACTERS = 16 };

struct published {
    struct arena *a;
    struct str names[CHARACTERS];
    size_t nnames;
    enum pair_choice truth[REPLIES + 1]; /* from 1; PAIR_TIE: not in the list of misread ones */
    size_t wrong, unscored, n;
};

/* The character's name is what its description begins with. */
static struct str name_of(struct str character)
{
    static const char *const ends[] = {"、", "は", "\n", "\r", "（", " "};

    for (size_t i = 0; i < COUNT(ends); i++) {
        size_t at = str_find(character, str_of(ends[i]));
        if (at < character.n)
            character.n = at;
    }
    return character;
}

static void load_misread(struct published *p, const char *path)
{
    struct err e = {0};
    struct str text, line, battle, rest, recorded, judge;
    int64_t n;

    for (size_t i = 0; i <= REPLIES; i++)
        p->truth[i] = PAIR_TIE;
    assert_int_equal(file_read(p->a, path, 1 << 16, &text, &e), OK);
    while (str_line(&text, &line))
        if (str_cut(line, ',', &battle, &rest) && str_int(battle, &n)) {
            assert_true(str_cut(rest, ',', &recorded, &judge));
            assert_true(n >= 1 && n <= REPLIES);
            p->truth[n] = reply_pair_choice(str_trim(judge)); /* "none": no choice */
        }
}

static void gather_names(struct published *p, struct str text)
{
    struct str line;

    while (str_line(&text, &line)) {
        AUTO(json_freep) json_t *j = NULL;
        struct err e = {0};
        struct str name;
        size_t i = 0;
        assert_int_equal(json_read(line, &j, &e), OK);
        name = name_of(json_str_at(j, "character", STR("")));
        while (i < p->nnames && !str_eq(p->names[i], name))
            i++;
        if (i == p->nnames) {
            assert_true(p->nnames < CHARACTERS);
            p->names[p->nnames++] = arena_str(p->a, name);
        }
    }
}

static void read_one(struct published *p, const json_t *j)
{
    struct str own = name_of(json_str_at(j, "character", STR(""))), others[CHARACTERS];
    struct pair_ask ask = {.character = own, .others = others};
    enum pair_choice truth = p->truth[++p->n];
    struct pair_reply r;

    for (size_t i = 0; i < p->nnames; i++)
        if (!str_eq(p->names[i], own))
            others[ask.nothers++] = p->names[i];
    if (truth == PAIR_TIE)
        truth = str_eq(json_str_at(j, "winner", STR("")), json_str_at(j, "model_id_A", STR("?")))
                    ? PAIR_A
                    : PAIR_B;
    reply_pair_read(p->a, json_str_at(j, "review", STR("")), &ask, "ja", &r);
    p->unscored += r.choice == PAIR_NONE;
    if (r.choice != PAIR_NONE && r.choice != truth) {
        p->wrong++;
        print_error("battle %zu: read %s, meant %s\n", p->n, reply_pair_word(r.choice),
                    reply_pair_word(truth));
    }
}

static void published_replies(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct published *p = NEW(a, struct published);
    const char *reviews = reference_file(&a, "oshizo/review_gpt-4.jsonl");
    const char *misread = reference_file(&a, "oshizo/oshizo_misparsed.csv");
    struct err e = {0};
    struct str text, line;

    (void)state;
    p->a = a;
    load_misread(p, misread);
    assert_int_equal(file_read(a, reviews, 16 << 20, &text, &e), OK);
    gather_names(p, text);
    while (str_line(&text, &line)) {
        AUTO(json_freep) json_t *j = NULL;
        assert_int_equal(json_read(line, &j, &e), OK);
        read_one(p, j);
    }
    print_message("%zu replies: %zu wrong, %zu unscored\n", p->n, p->wrong, p->unscored);
    assert_int_equal(p->n, REPLIES);
    assert_int_equal(p->wrong, 0);
    assert_true(p->unscored <= UNSCORED_MOST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table),
        cmocka_unit_test(other_character),
        cmocka_unit_test(faults_can_be_sent_back),
        cmocka_unit_test(published_replies),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
