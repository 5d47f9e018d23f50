/* Scenes, worked examples, and what only all items of a suite show. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/asset.h"
#include "eval/judge_prompt.h"
#include "suite/item.h"
#include "suite/prompt.h"
#include "suite_world.h"

/* ---- examples ---- */

#define TWO                                                                                        \
    "instrument: {dimensions: [{id: a, scale: 0..5}, {id: b, levels: {5: x, 1: y, 0.5: z, 0: "     \
    "v}}]}\n"

static void examples_are_read(void **state)
{
    struct world *w = *state;

    put("ex.yaml", STR("- {prompt: p, answer: x, score: {b: 0.5, a: 4}, reason: r}\n"
                       "- {prompt: p, answer: y, score: {a: 0, b: 1}}\n"));
    load_text(w, HEAD TWO ITEMS "examples: ex.yaml");
    expect_shown(w, "");
    assert_int_equal(w->s->nexamples, 2);
    assert_false(w->s->judge_examples);
    assert_true(str_is(w->s->examples[0].reason, "r"));
    assert_true(w->s->examples[0].scores[0] == 4 && w->s->examples[0].scores[1] == 0.5);
    assert_int_equal(w->s->examples[1].reason.n, 0);
}

static void examples_are_checked(void **state)
{
    struct world *w = *state;
    static const char *const table[][2] = {
        {"[]", "expected a list of 1 to"},
        {"ex.yaml", "no file of examples 'ex.yaml'"},
        {"[{answer: x, score: {a: 1, b: 1}}]", "s.yaml:4:12: error: the example has no 'prompt'"},
        {"[{prompt: x, score: {a: 1, b: 1}}]", "the example has no 'answer'"},
        {"[{prompt: x, answer: y}]", "the example has no 'score'"},
        {"[{prompt: x, answer: y, score: 1}]", "s.yaml:4:42: error: expected a mark for each"},
        {"[{prompt: x, answer: y, score: {a: 1}}]", "the example has no mark for 'b'"},
        {"[{prompt: x, answer: y, score: {a: 1.5, b: 1}}]",
         "s.yaml:4:46: error: 1.5 is not an allowed value of 'a'"},
        {"[{prompt: x, answer: y, score: {a: 6, b: 1}}]", "6 is not an allowed value of 'a'"},
        {"[{prompt: x, answer: y, score: {a: 5, b: 0.75}}]", "0.75 is not an allowed value of 'b'"},
        {"[{prompt: x, answer: y, score: {a: 5, b: good}}]", "expected a mark for 'b'"},
        {"[{prompt: x, answer: y, score: {a: 5, b: 1, c: 1}}]", "unknown key 'c'"},
        {"[{prompt: x, answer: y, score: {a: 5, b: 1}, why: z}]", "unknown key 'why'"},
    };

    for (size_t i = 0; i < COUNT(table); i++)
        expect_fault(w, arena_printf(w->a, HEAD TWO ITEMS "examples: %s", table[i][0]),
                     table[i][1]);
}

static void examples_go_to_judges_when_asked(void **state)
{
    struct world *w = *state;
    const struct item item = {.id = "i", .prompt = STR("hello")};
    struct judge_case c = {.item = &item, .answer = STR("hi")};
    char fence[JUDGE_FENCE];
    struct err e = {0};
    struct str text, again;

    put("s.yaml", STR(HEAD DIMS ITEMS "language: zh\njudge: {template: j.txt, examples: yes}\n"
                                      "examples: [{prompt: '{{answer}}', answer: x, score: 2, "
                                      "reference: y, reason: r}]\n"));
    put("j.txt", STR("{{examples}} {{answer}}"));
    load(w, "s.yaml");
    expect_shown(w, "");
    c.suite = w->s;
    judge_fence(&c, fence);
    assert_int_equal(prompt_fill(w->a, STR("{{examples}}"), judge_vars(w->a, &c), &text, &e), OK);
    assert_true(str_starts(text, STR("## 评分示例\n\n示例 1\n提示：\n<<<")));
    assert_non_null(strstr(text.p, "\n{{answer}}\n"));
    assert_non_null(strstr(text.p, ">>>\nq：2\n理由：r"));
    assert_null(strstr(text.p, fence)); /* theirs are the same in every request */
    c.answer = STR("another");
    assert_int_equal(prompt_fill(w->a, STR("{{examples}}"), judge_vars(w->a, &c), &again, &e), OK);
    assert_true(str_eq(text, again));
    w->s->judge_examples = false;
    assert_int_equal(prompt_fill(w->a, STR("{{examples}}"), judge_vars(w->a, &c), &text, &e), OK);
    assert_int_equal(text.n, 0);
    put("s.yaml", STR(HEAD DIMS ITEMS "language: zh\njudge: {template: j.txt, examples: yes}\n"));
    load(w, "s.yaml");
    assert_non_null(strstr(shown(w), "s.yaml:5:36: error: the suite has no 'examples' to"));
    put("j.txt", STR("{{answer}}"));
    put("s.yaml", STR(HEAD DIMS ITEMS "language: zh\njudge: {template: j.txt, examples: yes}\n"
                                      "examples: [{prompt: p, answer: x, score: 2}]\n"));
    load(w, "s.yaml");
    assert_non_null(strstr(shown(w), "warning: the judge template 'j.txt' does not use "
                                     "{{examples}}"));
}

/* The author's words stay whole; of what was said, before a stretch and in it, the middle goes. */
static void long_answers_are_cut(void **state)
{
    struct world *w = *state;
    const struct item item = {.id = "i", .prompt = STR("a long question")};
    struct suite s = {.language = "en", .judge_answer_limit = 4};
    struct judge_case c = {
        .suite = &s, .item = &item, .answer = STR("雨雪雨雪"), .before = STR("ab雨雪cd")};
    char fence[JUDGE_FENCE];
    struct err e = {0};
    struct str text;

    judge_fence(&c, fence);
    assert_int_equal(
        prompt_fill(w->a, STR("{{question}}|{{answer}}"), judge_vars(w->a, &c), &text, &e), OK);
    assert_string_equal(
        text.p, arena_printf(w->a,
                             "<<<%s\na long question\n\nab\n%s>>>\n(This program left out 2 "
                             "characters here; the same text goes on below.)\n<<<%s\ncd\n%s>>>|"
                             "<<<%s\n雨雪雨雪\n%s>>>",
                             fence, fence, fence, fence, fence, fence));
}

/* ---- sums ---- */

static const char *sum_of(struct world *w, int items, const char *scale)
{
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 16);
    struct item one[1];

    for (int i = 0; i < items; i++)
        buf_text(&b, "{\"prompt\":\"x\"}\n");
    put("items/a.jsonl", buf_str(&b));
    diags_init(&w->d, w->a);
    load_text(w, arena_printf(w->a,
                              HEAD "instrument: {dimensions: [{id: q, scale: %s}]}\n"
                                   "items: items/a.jsonl\nscore: {kind: sum, divide: 10}",
                              scale));
    (void)read_all(w, one, 1);
    return shown(w);
}

static void a_sum_that_is_no_scale_is_warned_of(void **state)
{
    struct world *w = *state;

    assert_string_equal(sum_of(w, 98, "0..1"),
                        "s.yaml:4:28: warning: sum ÷ 10 is a 0–10 scale only with 100 items; this "
                        "suite has 98\n"
                        "    4 | score: {kind: sum, divide: 10}\n"
                        "      |                            ^~\n"
                        "1 warning\n");
    assert_string_equal(sum_of(w, 100, "0..1"), "");
    assert_string_equal(sum_of(w, 20, "0..5"), "");
    assert_non_null(strstr(sum_of(w, 100, "0..5"), "only with 20 items; this suite has 100"));
}

/* ---- scales ---- */

static void scales_that_differ_are_warned_of(void **state)
{
    struct world *w = *state;

#define A   "instrument: {dimensions: [{id: a, scale: 0..10}, "
#define B   "{id: b, scale: 0.5..1, step: any}"
#define SAY "dimensions have different scales (0..10, 0.5..1): a mean of both means little; use "
    load_text(w, HEAD ITEMS A B "]}\nscore: {kind: weighted-mean}");
    expect_shown(w, "s.yaml:4:15: warning: " SAY "`totals` or one scale\n"
                    "    4 | score: {kind: weighted-mean}\n"
                    "      |               ^~~~~~~~~~~~~\n"
                    "1 warning\n");
    expect_fault(w, HEAD ITEMS A B "]}", "s.yaml:3:1: warning: " SAY); /* mean-of-items */
    expect_fault(w, HEAD ITEMS A B "]}\nscore: {kind: sum}", "s.yaml:4:15: warning: " SAY);
    expect_fault(w, HEAD ITEMS A B ", {id: c, scale: 0..3}]}",
                 "(0..10, 0.5..1, 0..3): a mean of them means little");
    diags_init(&w->d, w->a);
    load_text(w, HEAD ITEMS A B "]}\nscore: {kind: totals}");
    expect_shown(w, "");
    load_text(w, HEAD ITEMS A B "], weights: {a: 1, b: 0}}"); /* b does not count */
    expect_shown(w, "");
    load_text(w, HEAD ITEMS A "{id: b, levels: {10: good, 0: bad}}]}");
    expect_shown(w, "");
    load_text(w, HEAD ITEMS A "{id: b, scale: 1..0}]}"); /* the fault is enough */
    assert_int_equal(w->d.errors, 1);
    assert_int_equal(w->d.warnings, 0);
#undef A
#undef B
#undef SAY
}

/* ---- shared dimensions ---- */

#define RUBRIC                                                                                     \
    "dimensions:\n"                                                                                \
    "  - {id: wit, title: {en: Wit, zh: 机智}, scale: 0..5}\n"                                   \
    "  - {id: tone, levels: {5: right, 0: wrong}}\n"

static void dimensions_are_shared(void **state)
{
    struct world *w = *state;
    const struct instrument *in;
    struct suite thawed = {0};
    struct err e = {0};
    const char *frozen;

    put("items/rubric.yaml", STR(RUBRIC "weights: {wit: 1, tone: 4}\n"));
    load_text(w, HEAD ITEMS "instrument: {kind: dimensions, use: items/rubric.yaml}");
    expect_shown(w, "");
    in = &w->s->instrument;
    assert_int_equal(in->ndimensions, 2);
    assert_string_equal(in->dimensions[0].id, "tone");
    assert_true(in->dimensions[0].weight == 4 && in->dimensions[0].nlevels == 2);
    assert_true(str_is(in->dimensions[1].title, "Wit"));
    frozen = suite_freeze(w->a, w->s);
    assert_int_equal(unlink("items/rubric.yaml"), 0); /* a run never looks at the file again */
    assert_null(strstr(frozen, "rubric"));
    assert_int_equal(suite_thaw(w->a, str_of(frozen), &thawed, &e), OK);
    assert_string_equal(suite_freeze(w->a, &thawed), frozen);
}

static void suites_win_over_shared_weights(void **state)
{
    struct world *w = *state;
    const struct instrument *in;

    put("rubric.yaml", STR(RUBRIC "weights: {wit: 1, tone: 4}\n"));
    load_text(w, HEAD ITEMS "instrument: {use: rubric.yaml, weights: {wit: 3, tone: 2}}");
    expect_shown(w, "");
    in = &w->s->instrument;
    assert_string_equal(in->dimensions[0].id, "wit");
    assert_true(in->dimensions[0].weight == 3 && in->dimensions[1].weight == 2);
    put("rubric.yaml", STR(RUBRIC)); /* without weights: all count the same */
    load_text(w, HEAD ITEMS "instrument: {use: rubric.yaml}");
    expect_shown(w, "");
    assert_true(w->s->instrument.dimensions[1].weight == 1);
}

static void shared_dimensions_are_checked(void **state)
{
    struct world *w = *state;
    static const char *const files[][2] = {
        {"weights: linear\n", "rubric.yaml:1:1: error: the file has no 'dimensions'"},
        {"dimensions: []\n", "rubric.yaml:1:13: error: expected a list of 1 to 64 dimensions"},
        {"dimensions: [{id: a, scale: 5..0}]\n", "rubric.yaml:1:29: error: the scale is reversed"},
        {"dimension: [{id: a, scale: 0..5}]\n", "did you mean 'dimensions'?"},
        {"dimensions: [{id: a, scale: 0..5}]\nscore: {kind: sum}\n", "rubric.yaml:2:1: error: "},
        {"- {id: a, scale: 0..5}\n", "rubric.yaml:1:1: error: "},
    };

    for (size_t i = 0; i < COUNT(files); i++) {
        put("rubric.yaml", str_of(files[i][0]));
        expect_fault(w, HEAD ITEMS "instrument: {use: rubric.yaml}", files[i][1]);
        assert_int_equal(w->d.errors, i == 3 ? 2 : 1); /* what is said once is not said again */
    }
    expect_fault(w, HEAD ITEMS "instrument: {use: rubrik.yaml}",
                 "s.yaml:3:19: error: no file of dimensions 'rubrik.yaml'");
    assert_int_equal(w->d.errors, 1);
    expect_fault(w, HEAD ITEMS "instrument: {use: interview.fr}",
                 "no file of dimensions 'interview.fr' (did you mean 'interview.en'?)");
    put("rubric.yaml", STR(RUBRIC));
    expect_fault(
        w, HEAD ITEMS "instrument: {use: rubric.yaml, dimensions: [{id: a, scale: 0..5}]}",
        "s.yaml:3:32: error: 'use' already supplies the dimensions; remove one of the two");
}

/* ---- scenes ---- */

#define SCENE                                                                                      \
    "scene: {en: Letters, zh: 回信}\n"                                                           \
    "description: A letter.\n"                                                                     \
    "max: 10\n"                                                                                    \
    "bands:\n"                                                                                     \
    "  - {from: 8, name: good, text: better}\n"                                                    \
    "  - {from: 4, text: as good}\n"                                                               \
    "  - {from: 0, name: poor, text: worse}\n"                                                     \
    "dimensions:\n"                                                                                \
    "  - {id: answers, description: all}\n"                                                        \
    "  - {id: tone}\n"                                                                             \
    "  - {id: form}\n"                                                                             \
    "steps: [Read., Mark.]\n"

static void scenes_are_read(void **state)
{
    struct world *w = *state;
    const struct instrument *in;

    put("letters.yaml", STR(SCENE));
    load_text(w, HEAD ITEMS "instrument: {kind: dimensions, scene: letters.yaml}");
    expect_shown(w, "");
    in = &w->s->instrument;
    assert_true(str_is(in->scene, "Letters"));
    assert_true(str_is(in->scene_description, "A letter."));
    assert_true(str_is(in->steps, "1. Read.\n2. Mark."));
    assert_true(str_is(in->score_details, "8–10, good: better\n4–7: as good\n0–3, poor: worse"));
    assert_int_equal(in->ndimensions, 3);
    assert_string_equal(in->dimensions[0].id, "answers");
    for (size_t i = 0; i < 3; i++) {
        assert_true(in->dimensions[i].weight == 3 - (double)i);
        assert_true(in->dimensions[i].min == 0 && in->dimensions[i].max == 10);
        assert_true(in->dimensions[i].whole);
    }
}

static void suites_win_over_scenes(void **state)
{
    struct world *w = *state;
    const struct instrument *in;

    put("letters.yaml", STR(SCENE));
    load_text(w, HEAD ITEMS "instrument:\n"
                            "  scene: letters.yaml\n"
                            "  scene_title: Post\n"
                            "  scene_description: Some post.\n"
                            "  steps: Think.\n"
                            "  max: 4\n"
                            "  bands: [{from: 4, text: top}, {from: 0, text: rest}]\n"
                            "  weights: {tone: 5, answers: 1, form: 0.5}");
    expect_shown(w, "");
    in = &w->s->instrument;
    assert_true(str_is(in->scene, "Post") && str_is(in->scene_description, "Some post."));
    assert_true(str_is(in->steps, "Think."));
    assert_true(str_is(in->score_details, "4: top\n0–3: rest"));
    assert_string_equal(in->dimensions[0].id, "tone");
    assert_true(in->dimensions[0].weight == 5 && in->dimensions[2].weight == 0.5);
    assert_true(in->dimensions[0].max == 4);
    load_text(w, HEAD ITEMS "instrument:\n"
                            "  scene: letters.yaml\n"
                            "  score_details: My own.\n"
                            "  dimensions: [{id: wit, scale: 0..10}, {id: ink}]");
    expect_shown(w, "");
    in = &w->s->instrument;
    assert_true(str_is(in->score_details, "My own.") && in->ndimensions == 2);
    assert_true(in->dimensions[0].weight == 2 && in->dimensions[1].max == 10);
}

/* What the marks mean, as the scene says it; bands of the suite come first, its own words before
 * all. */
static void scenes_may_say_what_marks_mean(void **state)
{
    struct world *w = *state;

    put("own.yaml", STR("scene: x\ndimensions: [{id: 語り口}]\nscore_details: as it feels\n"
                        "bands: [{from: 0, text: low}]\n"));
    load_text(w, HEAD ITEMS "instrument: {scene: own.yaml}\n");
    expect_shown(w, "");
    assert_true(str_is(w->s->instrument.score_details, "as it feels"));
    load_text(w, HEAD ITEMS "instrument: {scene: own.yaml, bands: [{from: 0, text: all}]}\n");
    assert_true(str_ends(w->s->instrument.score_details, STR("all")));
    load_text(w, HEAD ITEMS "instrument: {scene: own.yaml, score_details: mine}\n");
    assert_true(str_is(w->s->instrument.score_details, "mine"));
}

static void scenes_are_checked(void **state)
{
    struct world *w = *state;
    static const char *const files[][2] = {
        {"scene: x\n", "letters.yaml:1:1: error: the scene has no 'dimensions'"},
        {"dimensions: [{id: a}]\n", "letters.yaml:1:1: error: the scene has no 'scene'"},
        {"scene: x\ndimension: [{id: a}]\n", "did you mean 'dimensions'?"},
        {"scene: x\ndimensions: [{id: a}]\nbands: [{from: 11, text: t}, {from: 0, text: t}]\n",
         "letters.yaml:3:16: error: a band begins at 11, but marks end at 10"},
        {"scene: x\ndimensions: [{id: a}]\nbands: [{from: 4, text: t}, {from: 4, text: t}]\n",
         "letters.yaml:3:36: error: a band begins at 4, which is not below the one before it (4)"},
        {"scene: x\ndimensions: [{id: a}]\nbands: [{from: 4, text: t}, {from: 1, text: t}]\n",
         "the lowest band begins at 1, but marks begin at 0"},
        {"scene: x\ndimensions: [{id: a}]\nbands: [{from: 0}]\n", "the band has no 'text'"},
        {"scene: x\ndimensions: [{id: a}]\nbands: [{from: 2.5, text: t}, {from: 0, text: t}]\n",
         "letters.yaml:3:16: error: a band must begin at a whole mark"},
        {"scene: x\ndimensions: [{id: a, scale: 0..1, step: any}]\nbands: [{from: 0, text: t}]\n",
         "a band needs whole marks, but 'a' has others"},
        {"scene: x\ndimensions: [{id: a}]\nsteps: []\n", "expected 1 to 100 steps"},
        {"scene: x\ndimensions: [{id: a}]\nmax: 0\n", "letters.yaml:3:6: error: "},
        {"scene: x\ndimensions: [{id: a, weight: 1}]\nweights: linear\n",
         "letters.yaml:2:22: error: 'weights' already sets the weights"},
        {"scene: x\ndimensions: [{id: a}]\nweights: {b: 1}\n", "lacks the dimension 'a'"},
    };

    for (size_t i = 0; i < COUNT(files); i++) {
        put("letters.yaml", str_of(files[i][0]));
        expect_fault(w, HEAD ITEMS "instrument: {scene: letters.yaml}", files[i][1]);
    }
    expect_fault(w, HEAD ITEMS "instrument: {scene: lettres.yaml}",
                 "s.yaml:3:21: error: no scene file 'lettres.yaml'");
    expect_fault(w, HEAD ITEMS "instrument: {scene: no-such}",
                 "s.yaml:3:21: error: no built-in scene 'no-such'");
    /* a name that judges see is no file */
    diags_init(&w->d, w->a);
    load_text(w, HEAD ITEMS "instrument: {scene: no-such, dimensions: [{id: a, scale: 0..1}]}");
    expect_shown(w, "");
}

static size_t lines_of(struct str text)
{
    struct str line;
    size_t n = 0;

    while (str_line(&text, &line))
        n += str_trim(line).n > 0;
    return n;
}

/* An answer as good as the reference can get the top; where one answer is right, right is 10. */
static void assert_top_is_reached(struct str name, struct str bands)
{
    static const char *const words[] = {"as good as the reference", "与它相当的就属于这一档",
                                        "並ぶものはここに入"};
    struct str top;
    bool said = false, right;

    assert_true(str_line(&bands, &top));
    for (size_t i = 0; i < COUNT(words); i++)
        said |= str_find(top, str_of(words[i])) != SIZE_MAX;
    right = str_find(top, STR("10 分")) != SIZE_MAX || str_find(top, STR("gets 10")) != SIZE_MAX ||
            str_find(top, STR("10点")) != SIZE_MAX;
    if (!said || right != str_starts(name, STR("extraction")))
        fail_msg("%.*s: %.*s", STR_ARG(name), STR_ARG(top));
}

static void built_in_scenes_are_good(void **state)
{
    struct world *w = *state;
    size_t n = 0;

    for (const struct asset *t = NULL; (t = asset_next(t, "share/scenes/")) != NULL;) {
        struct str name = str_from(str_of(t->name), strlen("share/scenes/"));
        name.n -= strlen(".yaml");
        load_text(w, arena_printf(w->a, HEAD ITEMS "instrument: {scene: %.*s}", STR_ARG(name)));
        expect_shown(w, "");
        assert_true(w->s->instrument.score_details.n && w->s->instrument.steps.n);
        assert_true(w->s->instrument.scene.n && w->s->instrument.scene_description.n);
        assert_int_equal(w->s->instrument.ndimensions, str_starts(name, STR("translation"))  ? 4
                                                       : str_starts(name, STR("extraction")) ? 5
                                                                                             : 6);
        for (size_t i = 0; i < w->s->instrument.ndimensions; i++) {
            const struct dimension *d = &w->s->instrument.dimensions[i];
            assert_true(d->min == 0 && d->max == 10 && d->whole);
            assert_true(d->weight == (double)(w->s->instrument.ndimensions - i));
        }
        assert_int_equal(lines_of(w->s->instrument.score_details), 3); /* bands */
        assert_top_is_reached(name, w->s->instrument.score_details);
        assert_int_equal(lines_of(w->s->instrument.steps), 4);
        n++;
    }
    assert_int_equal(n, 9); /* three, in three languages */
}

/* A mark that was given before it was thought about is a guess: what judges are asked for has the
 * analysis first, in every dimension. */
static void the_analysis_comes_first(void **state)
{
    struct world *w = *state;
    const struct item item = {.id = "i", .prompt = STR("hello")};
    struct judge_case c = {.item = &item, .answer = STR("hi")};
    struct err e = {0};
    struct str text;
    size_t n = 0;

    load_text(w, HEAD TWO ITEMS);
    expect_shown(w, "");
    c.suite = w->s;
    assert_int_equal(prompt_fill(w->a, STR("{{format}}"), judge_vars(w->a, &c), &text, &e), OK);
    for (; str_find(text, STR("\"analysis\"")) != SIZE_MAX; n++) {
        size_t analysis = str_find(text, STR("\"analysis\"")),
               score = str_find(text, STR("\"score\""));
        assert_true(analysis < score && score != SIZE_MAX);
        text = str_from(text, score + 1);
    }
    assert_int_equal(n, 2);
}

/* A template of the user's own, in the published form. */
static void every_slot_must_be_filled(void **state)
{
    struct world *w = *state;

    put("letters.yaml", STR(SCENE));
    put("own.txt", STR("Scene {{evaluation_scene}} ({{scene_desc}})\n***\n{{evaluation_metric}}\n"
                       "***\n0 to {{max_score}}\n{{score_details}}\n{{steps}}\n```json\n"
                       "{\"overall\": \"[0 to {{max_score}}]\"}\n```\n[Q]: {{question}}\n"
                       "[R]: {{ref_answer}}\n[A]: {{answer}}\n"));
    put("s.yaml", STR(HEAD ITEMS "language: en\njudge: {template: own.txt}\n"
                                 "instrument: {scene: letters.yaml}\n"));
    load(w, "s.yaml");
    expect_shown(w, "");
    put("s.yaml", STR(HEAD DIMS ITEMS "language: en\njudge: {template: own.txt}\n"));
    load(w, "s.yaml");
    assert_int_equal(w->d.errors, 4);
    assert_non_null(strstr(shown(w), "s.yaml:5:19: error: the judge template 'own.txt' uses "
                                     "{{steps}}, but the instrument has no 'steps'"));
    diags_init(&w->d, w->a);
    put("own.txt", STR("{{question}} {{answer}} {{max_scores}}"));
    load(w, "s.yaml");
    assert_non_null(strstr(shown(w), "uses {{max_scores}} (did you mean {{max_score}}?)"));
}

static void scenes_and_examples_survive_freezing(void **state)
{
    struct world *w = *state;
    struct suite thawed = {0};
    struct err e = {0};
    const char *frozen;

    put("letters.yaml", STR(SCENE));
    put("j.txt", STR("{{steps}} {{examples}} {{answer}}"));
    put("s.yaml", STR(HEAD ITEMS "language: en\njudge: {template: j.txt, examples: yes}\n"
                                 "instrument: {scene: letters.yaml, scene_title: letters.yaml}\n"
                                 "examples: [{prompt: p, answer: a, score: {answers: 1, tone: 2, "
                                 "form: 3}, reason: r}]\n"));
    load(w, "s.yaml");
    expect_shown(w, "");
    frozen = suite_freeze(w->a, w->s);
    assert_int_equal(unlink("letters.yaml"), 0); /* a run never looks at the files again */
    assert_int_equal(suite_thaw(w->a, str_of(frozen), &thawed, &e), OK);
    assert_true(str_is(thawed.instrument.scene, "letters.yaml"));
    assert_true(str_eq(thawed.instrument.score_details, w->s->instrument.score_details));
    assert_true(thawed.judge_examples && thawed.nexamples == 1);
    assert_true(thawed.examples[0].scores[2] == 3 && str_is(thawed.examples[0].reason, "r"));
    assert_string_equal(suite_freeze(w->a, &thawed), frozen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(examples_are_read),
        TEST(examples_are_checked),
        TEST(examples_go_to_judges_when_asked),
        TEST(long_answers_are_cut),
        TEST(a_sum_that_is_no_scale_is_warned_of),
        TEST(scales_that_differ_are_warned_of),
        TEST(dimensions_are_shared),
        TEST(suites_win_over_shared_weights),
        TEST(shared_dimensions_are_checked),
        TEST(scenes_are_read),
        TEST(suites_win_over_scenes),
        TEST(scenes_may_say_what_marks_mean),
        TEST(scenes_are_checked),
        TEST(built_in_scenes_are_good),
        TEST(the_analysis_comes_first),
        TEST(every_slot_must_be_filled),
        TEST(scenes_and_examples_survive_freezing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
