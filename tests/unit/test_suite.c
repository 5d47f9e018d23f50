#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/asset.h"
#include "base/message.h"
#include "suite/item.h"
#include "suite/mark.h"
#include "suite/prompt.h"
#include "suite/template.h"
#include "suite_world.h"

static const char *fixture(struct world *w, const char *name)
{
    return arena_printf(w->a, "%s/tests/fixtures/suite/%s", w->home, name);
}

/* ---- good suites ---- */

static void a_rubric_suite_is_read(void **state)
{
    struct world *w = *state;
    const struct dimension *dim;

    load(w, fixture(w, "live.yaml"));
    expect_shown(w, "");
    assert_string_equal(w->s->id, "live-chat");
    assert_true(str_is(w->s->title, "直播对话"));
    assert_true(str_is(w->s->description, "主播回答观众的弹幕。"));
    assert_int_equal(w->s->seed, 7);
    assert_int_equal(w->s->ncharacters, 1);
    assert_string_equal(w->s->characters[0].id, "lan");
    assert_true(str_is(w->s->characters[0].greeting, "大家晚上好呀！"));
    assert_int_equal(w->s->elicit.repeats, 3);
    assert_true(str_is(w->s->elicit.template.system, "{{character}}"));
    assert_non_null(strstr(w->s->elicit.sampling, "\"stop\":[\"\\n\\n\"]"));
    dim = &w->s->instrument.dimensions[0];
    assert_int_equal(dim->nlevels, 5);
    for (size_t i = 0; i < 5; i++)
        assert_true(dim->levels[i].value == 0.25 * (double)i);
    assert_true(str_is(dim->levels[1].text, "勉强相关"));
    assert_true(dim->min == 0 && dim->max == 1 && !dim->whole && !dim->lower_is_better);
    assert_true(w->s->rules.of[RULE_DUPLICATE].on);
    assert_int_equal(w->s->rules.of[RULE_DUPLICATE].effect, EFFECT_CAP);
    assert_true(w->s->rules.of[RULE_DUPLICATE].cap == 0.5 &&
                w->s->rules.of[RULE_DUPLICATE].threshold == 0.85);
    assert_string_equal(w->s->judge.name, "judge.yaml");
    assert_string_equal(w->s->judge_sampling, "{\"temperature\":0}");
    assert_true(w->s->score.times == 10);
}

static void items_come_from_jsonl(void **state)
{
    struct world *w = *state;
    struct item item[4];

    load(w, fixture(w, "live.yaml"));
    assert_int_equal(read_all(w, item, 4), 3);
    expect_shown(w, "");
    assert_string_equal(item[0].id, "weather");
    assert_null(item[0].character);
    assert_true(str_is(item[0].reference, "那我给你讲个会漏水的笑话？"));
    assert_int_equal(item[0].nvars, 1);
    assert_string_equal(item[0].vars[0].name, "tag");
    assert_true(str_is(item[1].prompt, "主播养猫吗🐱？"));
    assert_string_equal(item[2].id, "3");
    assert_int_equal(item[2].nturns, 2);
    assert_string_equal(item[2].turns[1].role, "assistant");
    assert_true(str_is(item[2].turns[1].text, "在的"));
}

static void items_come_from_csv_and_json(void **state)
{
    struct world *w = *state;
    struct item item[5];

    load(w, fixture(w, "comic.yaml"));
    assert_int_equal(read_all(w, item, 5), 4);
    expect_shown(w, "");
    assert_true(str_is(item[0].prompt, "ボケ: 「はい」\nツッコミ: \"なに\""));
    assert_string_equal(item[0].character, "tsukkomi");
    assert_true(str_is(item[0].vars[0].value, "007"));
    assert_int_equal(item[1].nvars, 0);
    assert_int_equal(item[1].reference.n, 0);
    assert_true(str_is(item[2].prompt, "三つ目 😀"));
    assert_string_equal(item[2].id, "3");
    /* the user turn at the end is the prompt */
    assert_true(str_is(item[3].prompt, "四つ目"));
    assert_int_equal(item[3].nturns, 0);
}

static void weights_order_dimensions(void **state)
{
    struct world *w = *state;
    const struct dimension *dim;

    load(w, fixture(w, "comic.yaml"));
    dim = w->s->instrument.dimensions;
    assert_string_equal(dim[0].id, "humour");
    assert_string_equal(dim[1].id, "overall");
    assert_string_equal(dim[2].id, "discriminatory");
    assert_true(dim[2].lower_is_better);
    assert_int_equal(w->s->elicit.take, TAKE_LINES);
    assert_int_equal(w->s->elicit.lines, 10);
    assert_int_equal(w->s->elicit.template.system.n, 0); /* empty on purpose, not the character */
    load(w, fixture(w, "scene.yaml"));
    dim = w->s->instrument.dimensions;
    assert_true(dim[0].weight == 3 && dim[1].weight == 2 && dim[2].weight == 1);
    assert_true(dim[0].whole && !dim[2].whole && dim[2].min == 0 && dim[2].max == 10);
    assert_true(str_is(dim[1].title, "fluency"));
    assert_int_equal(w->s->score.round, ROUND_NEAREST);
    expect_shown(w, "");
}

static void defaults_are_sensible(void **state)
{
    struct world *w = *state;

    put("s.yaml", STR(HEAD DIMS ITEMS "language: zh-TW\n"));
    load(w, "s.yaml");
    expect_shown(w, "");
    assert_true(str_is(w->s->title, "s"));
    assert_int_equal(w->s->seed, 1);
    assert_int_equal(w->s->elicit.repeats, 1);
    assert_int_equal(w->s->elicit.kind, ELICIT_SINGLE);
    assert_int_equal(w->s->elicit.take, TAKE_ALL);
    assert_true(str_is(w->s->elicit.template.user, "{{prompt}}"));
    assert_int_equal(w->s->elicit.template.system.n, 0);
    assert_string_equal(w->s->elicit.sampling, "{}");
    assert_false(w->s->rules.of[RULE_DUPLICATE].on);
    assert_string_equal(w->s->judge.name, "rubric.zh");
    assert_int_equal(w->s->score.kind, SCORE_MEAN_OF_ITEMS);
    assert_true(w->s->score.times == 1 && w->s->score.divide == 1);
    assert_true(w->s->instrument.dimensions[0].weight == 1);
}

static void bom_and_crlf_are_fine(void **state)
{
    struct world *w = *state;
    struct item item[2];

    put("judge.yaml", STR("\xEF\xBB\xBFuser: |\r\n  {{answer}}\r\n"));
    put("items/a.jsonl", STR("\xEF\xBB\xBF{\"prompt\": \"一\"}\r\n\r\n{\"prompt\": \"二\"}"));
    put("s.yaml", STR("\xEF\xBB\xBFsuite: s\r\nlanguage: ja\r\n"
                      "instrument: {dimensions: [{id: q, scale: 0..5}]}\r\n"
                      "judge: {template: judge.yaml}\r\nitems: items/a.jsonl\r\n"));
    load(w, "s.yaml");
    assert_int_equal(read_all(w, item, 2), 2);
    expect_shown(w, "");
    assert_true(str_is(w->s->judge.user, "{{answer}}"));
    assert_true(str_is(item[1].prompt, "二"));
    assert_string_equal(item[1].id, "2");
}

static void a_list_in_a_jsonl_file_is_accepted(void **state)
{
    struct world *w = *state;
    struct item item[2];

    put("items/a.jsonl", STR("\n [ {\"prompt\": \"a\"},\n {\"prompt\": \"b\"} ]\n"));
    load_text(w, HEAD DIMS "items: items/a.jsonl");
    assert_int_equal(read_all(w, item, 2), 2);
    expect_shown(w, "");
}

static void levels_may_be_a_list(void **state)
{
    struct world *w = *state;

    load_text(w, HEAD ITEMS "instrument:\n  dimensions:\n    - id: q\n      levels:\n"
                            "        - {value: -1, text: bad}\n        - {value: 3, text: good}\n");
    expect_shown(w, "");
    assert_int_equal(w->s->instrument.dimensions[0].nlevels, 2);
    assert_true(w->s->instrument.dimensions[0].whole);
    assert_true(w->s->instrument.dimensions[0].min == -1);
}

/* ---- faults ---- */

static void every_fault_is_said_at_once(void **state)
{
    struct world *w = *state;

    put("items/live-chat.yaml", STR("- {prompt: x}\n"));
    put("s.yaml", STR("suite: live-chat\n"
                      "titel: x\n"
                      "language: zh\n"
                      "judge: {template: rubric.zh}\n"
                      "instrument:\n"
                      "  dimensions:\n"
                      "    - id: a/b\n"
                      "      levels: {1: \"好\", 0.75: \"中\", 0.8: \"差\"}\n"
                      "    - {id: b, scale: 5..0}\n"
                      "score: {kind: sum, divide: 0}\n"
                      "items: items/live-chta.yaml\n"));
    load(w, "s.yaml");
    expect_shown(w,
                 "s.yaml:2:1: error: unknown key 'titel' (did you mean 'title'?)\n"
                 "    2 | titel: x\n"
                 "      | ^~~~~\n"
                 "s.yaml:7:11: error: expected an id of at most 100 letters and digits of any "
                 "script, '-', '_' and '.', without spaces; found 'a/b'\n"
                 "    7 |     - id: a/b\n"
                 "      |           ^~~\n"
                 "s.yaml:8:35: error: level 0.8 is out of order after 0.75\n"
                 "    8 |       levels: {1: \"好\", 0.75: \"中\", 0.8: \"差\"}\n"
                 "      |                                     ^~~\n"
                 "s.yaml:9:22: error: the scale is reversed or empty: write the smaller end first\n"
                 "    9 |     - {id: b, scale: 5..0}\n"
                 "      |                      ^~~~\n"
                 "s.yaml:10:28: error: 'divide' must be greater than 0\n"
                 "   10 | score: {kind: sum, divide: 0}\n"
                 "      |                            ^\n"
                 "s.yaml:11:8: error: no item file 'items/live-chta.yaml' (did you mean "
                 "'items/live-chat.yaml'?)\n"
                 "   11 | items: items/live-chta.yaml\n"
                 "      |        ^~~~~~~~~~~~~~~~~~~~\n"
                 "6 errors\n");
}

static void heads_are_checked(void **state)
{
    struct world *w = *state;

    load(w, "absent.yaml");
    assert_null(w->s);
    assert_int_equal(w->d.errors, 1);
    expect_fault(w, "[1, 2]", "error");
    expect_fault(w, DIMS ITEMS, "the suite has no id");
    expect_fault(w, "suite: a b\n" DIMS ITEMS, "found 'a b'");
    expect_fault(w, "suite: \"\"\n" DIMS ITEMS, "s.yaml:1:8: error: an id cannot be empty");
    expect_fault(w, HEAD ITEMS, "the suite has no 'instrument'");
    expect_fault(w, HEAD DIMS, "the suite has no 'items'");
    expect_fault(w, HEAD DIMS ITEMS "title: {}", "text by language");
    expect_fault(w, HEAD DIMS ITEMS "title: [a]", "expected plain text; found a list");
    expect_fault(w, HEAD DIMS ITEMS "seed: x", "expected a whole number");
    put("s.yaml", STR(HEAD DIMS ITEMS));
    diags_init(&w->d, w->a);
    load(w, "s.yaml");
    assert_non_null(strstr(shown(w), "the suite has no 'language'"));
    diags_init(&w->d, w->a);
    put("s.yaml", STR(HEAD DIMS ITEMS "language: fr\njudge: {template: judge.txt}\n"));
    load(w, "s.yaml");
    assert_int_equal(w->d.errors, 0);
    assert_int_equal(w->d.warnings, 1);
}

/* Ids of dimensions in any script; composed, so that what looks alike is one id. */
static void dimensions_have_names_in_any_script(void **state)
{
    struct world *w = *state;
    struct suite back;
    struct err e = {0};

    load_text(w, HEAD ITEMS "instrument: {dimensions: [{id: 声音-1, scale: 0..5}, "
                            "{id: \"か\\u3099く\", scale: 0..5}]}\n");
    expect_shown(w, "");
    assert_string_equal(w->s->instrument.dimensions[0].id, "声音-1");
    assert_string_equal(w->s->instrument.dimensions[1].id, "がく");
    assert_int_equal(suite_thaw(w->a, str_of(suite_freeze(w->a, w->s)), &back, &e), OK);
    assert_string_equal(back.instrument.dimensions[1].id, "がく");
    expect_fault(w, HEAD ITEMS "instrument: {dimensions: [{id: 声 音, scale: 0..5}]}\n",
                 "letters and digits of any script");
    expect_fault(w, HEAD ITEMS "instrument: {dimensions: [{id: 声。音, scale: 0..5}]}\n",
                 "letters and digits of any script");
    expect_fault(w, "suite: 声音\n" DIMS ITEMS, "expected an id of at most 100 letters, digits");
}

static void instruments_are_checked(void **state)
{
    struct world *w = *state;
    static const char *const table[][2] = {
        {"{}", "the instrument has no 'dimensions'"},
        {"{kind: pairs, dimensions: [{id: q, scale: 0..5}]}", "expected one of dimensions, pair"},
        {"{kind: pair, dimensions: [{id: q, scale: 0..5}]}",
         "'dimensions' applies to kind: dimensions only"},
        {"{kind: pair}", "the instrument has no 'criteria'"},
        {"{kind: pair, criteria: []}", "a list of 1 to 20 texts"},
        {"{kind: pair, criteria: [voice, '']}", "a text of 'criteria' is empty"},
        {"{kind: pair, criteria: [voice], ties: sometimes}", "true or false"},
        {"{kind: pair, criteria: [voice], orders: two}", "expected one of one, both"},
        {"{kind: pair, criteria: [voice]}", "does not show {{answer_a}}"},
        {"{kind: pair, criteria: [voice]}", "which pairs do not have"},
        {"{dimensions: []}", "1 to 64 dimensions"},
        {"{dimensions: [{scale: 0..5}]}", "no 'id'"},
        {"{dimensions: [{id: q}]}", "neither 'scale' (0..5) nor 'levels'"},
        {"{dimensions: [{id: q, scale: 5}]}", "expected a scale such as 0..5"},
        {"{dimensions: [{id: q, scale: [1, 2, 3]}]}", "expected a scale such as 0..5"},
        {"{dimensions: [{id: q, scale: 0..0}]}", "reversed or empty"},
        {"{dimensions: [{id: q, scale: 0..2.5}]}", "whole numbers unless"},
        {"{dimensions: [{id: q, scale: 0..5, step: 2}]}", "expected one of 1, any"},
        {"{dimensions: [{id: q, scale: 0..5, levels: {1: a, 2: b}}]}", "not both"},
        {"{dimensions: [{id: q, levels: {1: a}}]}", "2 to 21 levels"},
        {"{dimensions: [{id: q, levels: {1: a, 1.0: b}}]}", "level 1 is out of order after 1"},
        {"{dimensions: [{id: q, levels: {1: a, x: b}}]}", "a level is a number"},
        {"{dimensions: [{id: q, levels: {1: a, 2: }}]}", "level 2 has no description"},
        {"{dimensions: [{id: q, scale: 0..5, weight: -1}]}", "expected a number of at least 0"},
        {"{dimensions: [{id: q, scale: 0..5, weight: 0}]}", "all weights are zero"},
        {"{dimensions: [{id: q, scale: 0..5}, {id: q, scale: 0..5}]}", "the id 'q'"},
        {"{dimensions: [{id: q, scale: 0..5, weight: 1}, {id: r, scale: 0..5}]}", "or none"},
        {"{weights: linear, dimensions: [{id: q, scale: 0..5, weight: 1}]}", "remove this one"},
        {"{weights: some, dimensions: [{id: q, scale: 0..5}]}", "expected linear; found 'some'"},
        {"{dimensions: [{id: q, scale: 0..5, better: up}]}", "expected one of higher, lower"},
        {"{dimensions: [{id: q, scal: 0..5}]}", "did you mean 'scale'?"},
        {"{dimensions: [x]}", "expected a map"},
    };

    for (size_t i = 0; i < COUNT(table); i++)
        expect_fault(w, arena_printf(w->a, HEAD ITEMS "instrument: %s", table[i][0]), table[i][1]);
}

static void other_parts_are_checked(void **state)
{
    struct world *w = *state;
    static const char *const table[][2] = {
        {"elicit: {kind: talk}", "expected one of single, continue, interview"},
        {"elicit: {repeats: 1001}", "from 1 to 1000"},
        {"elicit: {take: last}", "expected one of all, first-line"},
        {"elicit: {take: {line: 3}}", "did you mean 'lines'?"},
        {"elicit: {take: {lines: 0}}", "expected a whole number from 1"},
        {"elicit: {take: {first-lines: 0}}", "expected a whole number from 1"},
        {"elicit: {take: {first-lines: 2, lines: 3}}", "expected {first-lines: a number} or"},
        {"elicit: {take: {}}", "expected {first-lines: a number} or"},
        {"elicit: {take: all, lines: 3}", "'lines' is short for 'take'"},
        {"elicit: {sampling: 3}", "expected a map such as"},
        {"elicit: {sampling: {model: x}}", "'model' is set by the program"},
        {"elicit: {template: no-such}", "no built-in template 'no-such'"},
        {"elicit: {template: no-such.txt}", "no template file 'no-such.txt'"},
        {"elicit: {template: judge.tx}", "no built-in template 'judge.tx'"},
        {"elicit: {template: {system: x}}", "the template 'inline' has no 'user' text"},
        {"elicit: {template: '{{prompt}} {{reference}}'}", "which models must not see"},
        {"elicit: {system: 'Be {{character}}'}", "but the suite has no character"},
        {"rules: {duplicates: off}", "did you mean 'duplicate'?"},
        {"rules: {duplicate: {threshold: 1.5}}", "from 0 to 1"},
        {"rules: {duplicate: {then: cap}}", "cap with a number"},
        {"rules: {duplicate: on}", "warning: 'duplicate' compares repeats of an item"},
        {"score: {kind: average}", "expected one of mean-of-items"},
        {"score: {times: 0}", "'times' must be greater than 0"},
        {"score: {kind: totals, times: 2}", "'times' has no meaning for kind: totals"},
        {"score: {round: maybe}", "expected one of none, nearest, down, up"},
        {"score: {kind: rating}", "kind: rating requires an instrument of kind: pair"},
        {"score: {headline: bradley-terry}", "'headline' applies to kind: rating only"},
        {"character: c.yaml", "no character file 'c.yaml'"},
        {"character: {name: x}", "the character has no 'text'"},
        {"character: {text: x}", "the character has no 'name'"},
        {"character: {name: x, text: y, description: z}", "another name for 'text'"},
        {"characters: []", "expected a list of 1 to"},
        {"characters: [{id: a, name: x, text: y}, {id: a, name: x, text: y}]", "the id 'a'"},
        {"character: {name: x, text: y}\ncharacters: []", "not both"},
    };

    for (size_t i = 0; i < COUNT(table); i++)
        expect_fault(w, arena_printf(w->a, HEAD DIMS ITEMS "%s", table[i][0]), table[i][1]);
}

static void judge_templates_are_checked(void **state)
{
    struct world *w = *state;

    put("j.yaml", STR("user: '{{question}} {{answer}} {{anwser}} {{secret}}'\nrepair: '{{fault}} "
                      "{{answer}}'\n"));
    put("s.yaml", STR(HEAD DIMS ITEMS "language: en\njudge: {template: j.yaml}\n"));
    load(w, "s.yaml");
    expect_shown(
        w, "s.yaml:5:19: error: the judge template 'j.yaml' uses {{anwser}} (did you mean "
           "{{answer}}?)\n"
           "    5 | judge: {template: j.yaml}\n"
           "      |                   ^~~~~~\n"
           "s.yaml:5:19: error: the judge template 'j.yaml' uses {{secret}}, which nothing fills\n"
           "    5 | judge: {template: j.yaml}\n"
           "      |                   ^~~~~~\n"
           "s.yaml:5:19: error: the judge template 'j.yaml' uses {{answer}}, which nothing fills\n"
           "    5 | judge: {template: j.yaml}\n"
           "      |                   ^~~~~~\n"
           "3 errors\n");
    for (size_t i = 0; suite_judge_names[i]; i++) {
        struct template t = {.name = "t",
                             .user = str_of(arena_printf(w->a, "{{%s}}", suite_judge_names[i]))};
        diags_init(&w->d, w->a);
        suite_check_judge(&t, (struct place){0}, &w->d);
        assert_int_equal(w->d.errors, 0);
    }
}

static size_t check_built_in(struct world *w, const char *prefix)
{
    size_t n = 0;

    for (const struct asset *t = NULL; (t = asset_next(t, prefix)) != NULL; n++) {
        struct str name = str_from(str_of(t->name), strlen("share/templates/"));
        struct template out;
        name.n -= strlen(".yaml");
        assert_true(
            suite_template(w->a, arena_text(w->a, name), NULL, (struct place){0}, &out, &w->d));
        suite_check_judge(&out, (struct place){0}, &w->d);
        expect_shown(w, "");
        assert_true(out.user.n > 0 && out.repair.n > 0);
    }
    return n;
}

static void built_in_judge_templates_are_good(void **state)
{
    assert_true(check_built_in(*state, "share/templates/rubric.") > 0);
    assert_true(check_built_in(*state, "share/templates/scene.") > 0);
    assert_int_equal(check_built_in(*state, "share/templates/battle."), 3);
    assert_int_equal(check_built_in(*state, "share/templates/sitting."), 3);
    assert_int_equal(check_built_in(*state, "share/templates/user."), 3);
    assert_int_equal(check_built_in(*state, "share/templates/knowledge."), 3);
}

static void item_faults_have_places(void **state)
{
    struct world *w = *state;
    struct item item[2];

    put("items/a.jsonl",
        STR("{\"id\": \"a\", \"prompt\": \"x\", \"tag\": 1}\n"
            "{\"id\": \"b\", \"promt\": \"x\", \"tag\": 1}\n"
            "{\"id\": \"好\", \"prompt\": 3, \"tag\": \"t\", \"character\": \"lna\"}\n"
            "\n"
            "{\"id\": \"a\", \"prompt\": \"y\"}\n"
            "{\"id\": \"c\", \"prompt\": \"x\"\n"
            "[1]\n"));
    load_text(w, HEAD DIMS "items: items/a.jsonl\ncharacter: {id: lan, name: n, text: t}\n"
                           "elicit: {template: '{{tag}} {{prompt}}'}");
    assert_int_equal(read_all(w, item, 2), 1);
    expect_shown(
        w, "items/a.jsonl:2:1: error: the item has no 'prompt'\n"
           "    2 | {\"id\": \"b\", \"promt\": \"x\", \"tag\": 1}\n"
           "      | ^\n"
           "items/a.jsonl:2:13: warning: the key 'promt' is not 'prompt': did you mean that?\n"
           "    2 | {\"id\": \"b\", \"promt\": \"x\", \"tag\": 1}\n"
           "      |             ^~~~~~~\n"
           "items/a.jsonl:3:51: error: the suite has no character 'lna' (did you mean 'lan'?)\n"
           "    3 | {\"id\": \"好\", \"prompt\": 3, \"tag\": \"t\", \"character\": \"lna\"}\n"
           "      |                                                    ^~~~~\n"
           "items/a.jsonl:5:8: error: 'a' is also the id of another item\n"
           "    5 | {\"id\": \"a\", \"prompt\": \"y\"}\n"
           "      |        ^~~\n"
           "items/a.jsonl:5:1: error: the item has no 'tag', which the template 'inline' uses\n"
           "    5 | {\"id\": \"a\", \"prompt\": \"y\"}\n"
           "      | ^\n"
           "items/a.jsonl:6:26: error: not JSON: expected ',' or '}'\n"
           "    6 | {\"id\": \"c\", \"prompt\": \"x\"\n"
           "      |                          ^\n"
           "items/a.jsonl:7:1: error: expected an item: a map with 'prompt', 'reference', ...\n"
           "    7 | [1]\n"
           "      | ^\n"
           "6 errors, 1 warning\n");
}

static void expect_item_fault(struct world *w, const char *item, const char *want)
{
    struct item one[1];

    diags_init(&w->d, w->a);
    load_text(w, arena_printf(w->a, HEAD DIMS "items:\n  - %s", item));
    expect_shown(w, "");
    assert_int_equal(read_all(w, one, 1), 0);
    if (!strstr(shown(w), want))
        fail_msg("%s gave\n%s", item, shown(w));
}

static void items_are_checked(void **state)
{
    struct world *w = *state;

    expect_item_fault(w, "{prompt: ''}", "the prompt is empty");
    expect_item_fault(w, "{prompt: [x]}", "expected plain text; found a list");
    expect_item_fault(w, "{prompt: ~}", "the item has no 'prompt'");
    expect_item_fault(w, "{id: '', prompt: x}", "the id is empty");
    expect_item_fault(w, "{id: ' a', prompt: x}", "surrounding spaces");
    expect_item_fault(w, "{id: \"a\\nb\", prompt: x}", "control characters");
    expect_item_fault(w, "{prompt: x, character: who}", "the suite has no character 'who'");
    expect_item_fault(w, "{turns: [{role: assistant, text: x}]}", "the item has no 'prompt'");
    expect_item_fault(w, "{turns: [{role: system, text: x}], prompt: y}", "user, assistant");
    expect_item_fault(w, "{turns: [{role: user}], prompt: y}", "a turn needs a 'role'");
    expect_item_fault(w, "{turns: x, prompt: y}", "expected a list of at most");
    expect_fault(w, HEAD DIMS "items: []", "the list of items is empty");
    expect_fault(w, HEAD DIMS "items: {a: b}", "expected a list of items");
    expect_fault(w, HEAD DIMS "items: judge.txt", "items must be in .jsonl, .json, .yaml or .csv");
    expect_fault(w, HEAD DIMS "items: [items/none.jsonl, {prompt: x}]", "no item file");
    expect_fault(w, HEAD DIMS "items: [items/none.jsonl, {prompt: x}]", "expected an item file");
}

static void csv_faults_have_lines(void **state)
{
    struct world *w = *state;
    struct item item[1];

    put("items/a.csv", STR("id,prompt\na,\"one\ntwo\"\nb,\nc,x,y\nd,\xff\n"));
    load_text(w, HEAD DIMS "items: items/a.csv");
    assert_int_equal(read_all(w, item, 1), 1);
    expect_shown(w, "items/a.csv:4: error: the item has no 'prompt'\n"
                    "    4 | b,\n"
                    "items/a.csv:5: error: the row has more fields than the first row has names\n"
                    "error: items/a.csv:6: not valid UTF-8; save the file as UTF-8\n"
                    "3 errors\n");
    diags_init(&w->d, w->a);
    put("items/a.csv", STR("id,id\na,b\n"));
    load_text(w, HEAD DIMS "items: items/a.csv");
    assert_int_equal(read_all(w, item, 1), 0);
    assert_non_null(strstr(shown(w), "items/a.csv:1: error: two columns have the same name"));
}

static void empty_files_are_faults(void **state)
{
    struct world *w = *state;
    struct item item[1];

    put("items/a.jsonl", STR("\n\n"));
    load_text(w, HEAD DIMS "items: items/a.jsonl");
    assert_int_equal(read_all(w, item, 1), 0);
    assert_non_null(strstr(shown(w), ": error: the item files contain no items\n"));
    assert_non_null(strstr(shown(w), "items: items/a.jsonl"));
}

static void long_texts_are_refused(void **state)
{
    struct world *w = *state;
    AUTO(buf_done) struct buf b = BUF_MAX(4 << 20);
    struct item item[1];

    buf_text(&b, "{\"prompt\": \"");
    for (int i = 0; i < 300 << 10; i++)
        buf_char(&b, 'x');
    buf_text(&b, "\"}\n{\"prompt\": \"");
    for (int i = 0; i < 2 << 20; i++)
        buf_char(&b, 'x');
    put("items/a.jsonl", buf_str(&b));
    load_text(w, HEAD DIMS "items: items/a.jsonl");
    assert_int_equal(read_all(w, item, 1), 0);
    assert_non_null(strstr(shown(w), "the text has 307200 bytes; at most 262144 are allowed"));
    assert_non_null(strstr(shown(w), "items/a.jsonl:2: line over 1 MB"));
    assert_int_equal(w->d.errors, 2);
}

static void a_typo_in_the_template_is_not_said_for_ever(void **state)
{
    struct world *w = *state;
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 20);
    struct item item[1];

    for (int i = 0; i < 500; i++)
        buf_text(&b, "{\"prompt\": \"x\"}\n");
    put("items/a.jsonl", buf_str(&b));
    load_text(w, HEAD DIMS "items: items/a.jsonl\nelicit: {template: 'Say {{promt}}'}");
    assert_int_equal(read_all(w, item, 1), 0);
    assert_int_equal(w->d.errors, 500);
    assert_non_null(strstr(shown(w), "which the template 'inline' uses (did you mean 'prompt'?)"));
}

#define CAST                                                                                       \
    "characters: [{id: a, name: Ann, text: t}, {id: b, name: Bea, text: t}]\n"                     \
    "elicit: {kind: dialogue, cast: {members: [{character: a}, {character: b}]}}\n"

static void ids_of_dimensions_are_read_alike_in_casts(void **state)
{
    struct world *w = *state;
    struct item item[1];

    expect_fault(w, HEAD CAST ITEMS "instrument: {dimensions: [{id: [q], scale: 0..5}]}\n",
                 "expected plain text; found a list");
    assert_int_equal(w->d.errors, 1);
    diags_init(&w->d, w->a);
    /* an accent of its own: the id is stored in one code point, NFC */
    load_text(w, HEAD CAST ITEMS
              "instrument: {dimensions: [{id: \"ve\u0301rite\", scale: 0..5, each: yes}]}\n");
    (void)read_all(w, item, 1);
    assert_string_equal(shown(w), "");
    assert_int_equal(w->s->instrument.ndimensions, 2);
    assert_string_equal(w->s->instrument.dimensions[1].id, "v\u00E9rite-b");
}

static void a_list_is_a_user_only_in_dialogues(void **state)
{
    struct world *w = *state;
    struct item item[1];

    load_text(w, HEAD DIMS "items: [{prompt: hello, user: [a, b]}]\n");
    assert_int_equal(read_all(w, item, 1), 1);
    assert_int_equal(w->d.errors, 0);
    assert_non_null(strstr(shown(w), "'user' is a list, which templates cannot use: ignored"));
}

static void suggestions_are_translated(void **state)
{
    static const char *const texts[] = {
        ITEMS "elicit: {template: 'Say {{promt}}'}\n",
        "items: [{prompt: hello, character: lna}]\n",
        "items: [{prompt: hello, user: tmo}]\n"
        "elicit: {kind: dialogue, user: {file: tom.yaml}}\n",
        "items: [{tag: '<lines: a>'}]\nelicit: {systems: {line: x}}\n",
        ITEMS "elicit: {kind: dialogue, user: {file: tom.yaml}, template: {system: '{{scen}}'}}\n",
    };
    struct world *w = *state;
    struct item item[1];

    put("tom.yaml", STR("{user: tom, name: Tom, who: w, wants: w}\n"));
    for (size_t i = 0; i < COUNT(texts); i++) {
        const char *zh = "";
        diags_init(&w->d, w->a);
        load_text(w, arena_printf(w->a, HEAD DIMS "character: {id: lan, name: n, text: t}\n%s",
                                  texts[i]));
        (void)read_all(w, item, 1);
        if (!strstr(shown(w), "did you mean"))
            fail_msg("%s\nsuggests nothing:\n%s", texts[i], shown(w));
        for (const struct diag *one = w->d.first; one; one = one->next)
            zh = arena_printf(w->a, "%s%s\n", zh, message_show(w->a, "zh", one->msg));
        if (strstr(zh, "did you mean") || !strstr(zh, "是否想写"))
            fail_msg("%s\nin Chinese:\n%s", texts[i], zh);
    }
}

static void many_items_stream(void **state)
{
    struct world *w = *state;
    AUTO(buf_done) struct buf b = BUF_MAX(8 << 20);
    struct item_reader *r;
    struct item one;
    size_t n = 0;

    for (int i = 0; i < 10000; i++)
        buf_fmt(&b, "{\"id\": \"item-%d\", \"prompt\": \"第%d个问题\", \"tag\": \"t\"}\n", i, i);
    buf_text(&b, "{\"id\": \"item-77\", \"prompt\": \"again\"}\n");
    put("items/a.jsonl", buf_str(&b));
    load_text(w, HEAD DIMS "items: items/a.jsonl");
    r = item_reader_new(w->s, w->items, &w->d);
    while (item_reader_next(r, &one)) {
        char id[32];
        (void)snprintf(id, sizeof id, "item-%zu", n++);
        assert_string_equal(one.id, id);
    }
    item_reader_free(r);
    assert_int_equal(n, 10000);
    assert_int_equal(w->d.errors, 1);
    assert_non_null(strstr(shown(w), "items/a.jsonl:10001:8: error: '"));
}

/* ---- templates ---- */

static void values_with_braces_stay(void **state)
{
    struct world *w = *state;
    struct item item[1];
    struct err e = {0};
    struct str out;

    load_text(w, HEAD DIMS "items: [{prompt: '{{tag}} {{nothing}}', tag: x}]\n"
                           "elicit: {template: '<{{prompt}}>'}");
    assert_int_equal(read_all(w, item, 1), 1);
    expect_shown(w, "");
    {
        const struct prompt_var v = {"prompt", item[0].prompt};
        assert_int_equal(
            prompt_fill(w->a, w->s->elicit.template.user, (struct prompt_vars){&v, 1}, &out, &e),
            OK);
    }
    assert_string_equal(out.p, "<{{tag}} {{nothing}}>");
}

static void one_line_templates_are_names_or_texts(void **state)
{
    struct world *w = *state;

    put("ask.md", STR("Please: {{prompt}}\n"));
    load_text(w, HEAD DIMS ITEMS "elicit: {template: ask.md}");
    assert_true(str_is(w->s->elicit.template.user, "Please: {{prompt}}"));
    assert_string_equal(w->s->elicit.template.name, "ask.md");
    load_text(w, HEAD DIMS ITEMS "elicit: {template: '{{prompt}}.md'}");
    assert_true(str_is(w->s->elicit.template.user, "{{prompt}}.md"));
    load_text(w, HEAD DIMS ITEMS "elicit: {template: Go on as you like}");
    assert_true(str_is(w->s->elicit.template.user, "Go on as you like"));
    load_text(w, HEAD DIMS ITEMS "elicit: {template: {system: S, user: '{{prompt}}'}}\n"
                                 "character: {name: n, text: t}");
    assert_true(str_is(w->s->elicit.template.system, "S"));
    expect_shown(w, "");
}

/* ---- freeze and thaw ---- */

static void same_template(const struct template *a, const struct template *b)
{
    assert_string_equal(a->name, b->name);
    assert_true(str_eq(a->system, b->system));
    assert_true(str_eq(a->user, b->user));
    assert_true(str_eq(a->repair, b->repair));
}

static void same_dimension(const struct dimension *a, const struct dimension *b)
{
    assert_string_equal(a->id, b->id);
    assert_true(str_eq(a->title, b->title));
    assert_true(str_eq(a->description, b->description));
    assert_true(a->weight == b->weight && a->min == b->min && a->max == b->max);
    assert_true(a->whole == b->whole && a->lower_is_better == b->lower_is_better);
    assert_int_equal(a->nlevels, b->nlevels);
    for (size_t i = 0; i < a->nlevels; i++) {
        assert_true(a->levels[i].value == b->levels[i].value);
        assert_true(str_eq(a->levels[i].text, b->levels[i].text));
    }
}

static void same_axes(const struct suite *a, const struct suite *b)
{
    assert_int_equal(a->elicit.kind, b->elicit.kind);
    assert_int_equal(a->elicit.repeats, b->elicit.repeats);
    assert_int_equal(a->elicit.take, b->elicit.take);
    assert_int_equal(a->elicit.lines, b->elicit.lines);
    assert_string_equal(a->elicit.sampling, b->elicit.sampling);
    assert_int_equal(a->instrument.kind, b->instrument.kind);
    assert_true(str_eq(a->instrument.scene, b->instrument.scene));
    assert_true(str_eq(a->instrument.scene_description, b->instrument.scene_description));
    assert_true(str_eq(a->instrument.score_details, b->instrument.score_details));
    assert_true(str_eq(a->instrument.steps, b->instrument.steps));
    assert_int_equal(a->rules.of[RULE_DUPLICATE].on, b->rules.of[RULE_DUPLICATE].on);
    assert_int_equal(a->rules.of[RULE_DUPLICATE].effect, b->rules.of[RULE_DUPLICATE].effect);
    assert_true(a->rules.of[RULE_DUPLICATE].threshold == b->rules.of[RULE_DUPLICATE].threshold);
    assert_true(a->rules.of[RULE_DUPLICATE].cap == b->rules.of[RULE_DUPLICATE].cap);
    assert_string_equal(a->judge_sampling, b->judge_sampling);
    assert_int_equal(a->score.kind, b->score.kind);
    assert_int_equal(a->score.round, b->score.round);
    assert_true(a->score.times == b->score.times && a->score.divide == b->score.divide);
}

static void round_trip(struct world *w, const char *path)
{
    struct err e = {0};
    struct suite back;
    const char *frozen;

    load(w, path);
    expect_shown(w, "");
    frozen = suite_freeze(w->a, w->s);
    assert_int_equal(suite_thaw(w->a, str_of(frozen), &back, &e), OK);
    assert_string_equal(suite_freeze(w->a, &back), frozen);
    assert_null(back.path);
    assert_string_equal(w->s->id, back.id);
    assert_string_equal(w->s->language, back.language);
    assert_true(str_eq(w->s->title, back.title));
    assert_true(str_eq(w->s->description, back.description));
    assert_true(w->s->seed == back.seed);
    assert_int_equal(w->s->sensitive, back.sensitive);
    same_axes(w->s, &back);
    same_template(&w->s->elicit.template, &back.elicit.template);
    same_template(&w->s->judge, &back.judge);
    assert_int_equal(w->s->instrument.ndimensions, back.instrument.ndimensions);
    for (size_t i = 0; i < back.instrument.ndimensions; i++)
        same_dimension(&w->s->instrument.dimensions[i], &back.instrument.dimensions[i]);
    assert_int_equal(w->s->ncharacters, back.ncharacters);
    for (size_t i = 0; i < back.ncharacters; i++) {
        assert_string_equal(w->s->characters[i].id, back.characters[i].id);
        assert_true(str_eq(w->s->characters[i].name, back.characters[i].name));
        assert_true(str_eq(w->s->characters[i].text, back.characters[i].text));
        assert_true(str_eq(w->s->characters[i].greeting, back.characters[i].greeting));
    }
}

static void first_lines_are_frozen(void **state)
{
    struct world *w = *state;
    struct suite back;
    struct err e = {0};

    for (int n = 1; n <= 3; n++) {
        load_text(w, arena_printf(w->a, HEAD DIMS ITEMS "elicit: {take: {first-lines: %d}}", n));
        expect_shown(w, "");
        assert_int_equal(suite_thaw(w->a, str_of(suite_freeze(w->a, w->s)), &back, &e), OK);
        assert_int_equal(back.elicit.take, TAKE_FIRST_LINES);
        assert_int_equal(back.elicit.lines, n);
    }
}

#define PAIR "suite: s\nlanguage: en\nitems: [{prompt: hello}]\n"

/* Without the judge that load_text() writes: pairs have a template of their own. */
static void load_pair(struct world *w, const char *text)
{
    diags_init(&w->d, w->a);
    put("p.yaml", str_of(text));
    load(w, "p.yaml");
}

static void expect_pair_fault(struct world *w, const char *text, const char *want)
{
    load_pair(w, text);
    if (!strstr(shown(w), want))
        fail_msg("%s\ngave\n%s\nand not\n%s", text, shown(w), want);
}

static void pairs_are_read(void **state)
{
    struct world *w = *state;
    struct suite back;
    struct err e = {0};

    load_pair(w, PAIR "instrument: {kind: pair, criteria: [voice, {en: story, ja: 物語}], "
                      "ties: yes, orders: both}\nscore: {also: [glicko2]}");
    expect_shown(w, "");
    assert_int_equal(w->s->instrument.kind, INSTRUMENT_PAIR);
    assert_int_equal(w->s->instrument.ndimensions, 0);
    assert_int_equal(w->s->score.kind, SCORE_RATING);
    assert_string_equal(w->s->judge.name, "battle.en");
    assert_int_equal(suite_thaw(w->a, str_of(suite_freeze(w->a, w->s)), &back, &e), OK);
    assert_int_equal(back.instrument.ncriteria, 2);
    assert_true(str_is(back.instrument.criteria[1], "story"));
    assert_true(back.instrument.ties && back.instrument.both_orders && back.score.glicko);
    assert_string_equal(suite_freeze(w->a, &back), suite_freeze(w->a, w->s));
}

static void pairs_are_checked(void **state)
{
    struct world *w = *state;
    static const char *const table[][2] = {
        {"score: {kind: sum}", "pairs are scored with kind: rating"},
        {"score: {headline: elo}", "expected bradley-terry"},
        {"score: {also: [elo]}", "expected glicko2"},
        {"score: {also: elo}", "expected glicko2"},
        {"score: {round: up}", "'round' has no meaning for kind: rating"},
        {"judge: {template: 'Better: {{answer_a}}?'}", "does not show {{answer_b}}"},
        {"judge: {template: '{{answer_a}} {{answer_b}} {{answer}}'}", "which pairs do not have"},
    };

    for (size_t i = 0; i < COUNT(table); i++)
        expect_pair_fault(w,
                          arena_printf(w->a,
                                       PAIR "instrument: {kind: pair, criteria: [voice]}\n%s\n",
                                       table[i][0]),
                          table[i][1]);
    expect_pair_fault(w, PAIR DIMS "judge: {template: 'Mark {{answer}} by {{criteria}}'}",
                      "uses {{criteria}}, which only pairs have");
}

#define FOUR(scale)                                                                                \
    "instrument: {dimensions: [{id: RC, scale: " scale "}, {id: LA, scale: 1..5}, "                \
    "{id: CQ, scale: 1..5}, {id: IC, scale: 1..5}]}\n"

/* Four whole marks on one scale, that weigh the same. */
static void bands_are_checked(void **state)
{
    struct world *w = *state;
    static const char made[] = "a band needs four dimensions with whole marks";

    load_pair(w, PAIR FOUR("1..5") "score: {kind: band}\n");
    expect_shown(w, "");
    assert_int_equal(w->s->score.kind, SCORE_BAND);
    round_trip(w, "p.yaml");
    expect_pair_fault(w, PAIR DIMS "score: {kind: band}\n", made);
    expect_pair_fault(w, PAIR FOUR("0..5") "score: {kind: band}\n", made);
    expect_pair_fault(w, PAIR FOUR("1..5, step: any") "score: {kind: band}\n", made);
    expect_pair_fault(w, PAIR FOUR("1..5, better: lower") "score: {kind: band}\n", made);
    expect_pair_fault(w, PAIR FOUR("1..5") "score: {kind: band, round: up}\n",
                      "a band has its own rounding");
    expect_pair_fault(w, PAIR FOUR("1..5") "score: {kind: band, times: 2}\n",
                      "'times' has no meaning for kind: band");
    expect_pair_fault(w, PAIR "instrument: {use: interview.en}\n", "'quotes' is for interviews");
}

/* All twenty levels of each are described, in the suite's language. */
static void built_in_instruments_are_whole(void **state)
{
    struct world *w = *state;
    static const char *const languages[] = {"en", "zh", "ja"}, *const ids[] = {"RC", "LA", "CQ",
                                                                               "IC"};

    for (size_t l = 0; l < COUNT(languages); l++) {
        load_pair(w, arena_printf(w->a,
                                  "suite: s\nlanguage: %s\nitems: [{prompt: x}]\n"
                                  "instrument: {use: interview.%s, quotes: no}\n"
                                  "score: {kind: band}\n",
                                  languages[l], languages[l]));
        expect_shown(w, "");
        assert_int_equal(w->s->instrument.ndimensions, 4);
        for (size_t d = 0; d < 4; d++) {
            const struct dimension *one = &w->s->instrument.dimensions[d];
            assert_string_equal(one->id, ids[d]);
            assert_true(one->description.n > 0 && !str_is(one->title, one->id));
            assert_int_equal(one->nlevels, 5);
            for (size_t k = 0; k < 5; k++)
                assert_true(one->levels[k].value == (double)k + 1 && one->levels[k].text.n > 20);
        }
    }
}

static void suites_survive_freezing(void **state)
{
    struct world *w = *state;

    round_trip(w, fixture(w, "live.yaml"));
    round_trip(w, fixture(w, "scene.yaml"));
    round_trip(w, fixture(w, "comic.yaml"));
    load_text(w, HEAD DIMS ITEMS "title: 'null'\ndescription: '~'\nseed: 9223372036854775807\n"
                                 "elicit: {take: first-line, repeats: 2, template: 'x{{prompt}}', "
                                 "sampling: {a: [null, true, '1', 1e300, {b: 0.1}]}}\n"
                                 "rules: {duplicate: {threshold: 0.1, then: note}}\n"
                                 "score: {kind: sum, divide: 0.3, round: up}");
    round_trip(w, "s.yaml");
    assert_false(w->s->sensitive);
    load_text(w, HEAD DIMS ITEMS "sensitive: yes\n");
    assert_true(w->s->sensitive);
    round_trip(w, "s.yaml");
}

static void a_frozen_suite_names_no_files(void **state)
{
    struct world *w = *state;
    struct suite out = {.id = "untouched"};
    struct err e = {0};

    put("judge.txt", STR("{{answer}}"));
    assert_int_equal(suite_thaw(w->a,
                                STR("{\"suite\":\"s\",\"language\":\"en\",\"instrument\":{"
                                    "\"dimensions\":[{\"id\":\"q\",\"scale\":[0,5]}]},"
                                    "\"judge\":{\"template\":\"judge.txt\"}}"),
                                &out, &e),
                     E_INPUT);
    assert_string_equal(e.msg, "stored suite: a file cannot be named here");
    assert_int_equal(suite_thaw(w->a, STR("{"), &out, &e), E_INPUT);
    assert_int_equal(suite_thaw(w->a, STR("[]"), &out, &e), E_INPUT);
    assert_string_equal(out.id, "untouched");
}

static void items_survive_freezing(void **state)
{
    struct world *w = *state;
    const struct item_turn turns[] = {{"user", STR("你好")}, {"assistant", STR("")}};
    const struct item_var vars[] = {
        {"z", STR("1")}, {"a", STR("{{prompt}}\n\t\"")}, {"键", STR("")}};
    struct item in = {.id = "x y",
                      .character = "lan",
                      .prompt = STR("p"),
                      .reference = STR("r"),
                      .turns = turns,
                      .nturns = 2,
                      .vars = vars,
                      .nvars = 3},
                out;
    struct err e = {0};

    assert_int_equal(item_thaw(w->a, str_of(item_freeze(w->a, &in)), &out, &e), OK);
    assert_string_equal(out.id, "x y");
    assert_string_equal(out.character, "lan");
    assert_true(str_eq(out.prompt, in.prompt) && str_eq(out.reference, in.reference));
    assert_int_equal(out.nturns, 2);
    assert_string_equal(out.turns[0].role, "user");
    assert_true(str_eq(out.turns[0].text, turns[0].text));
    assert_int_equal(out.nvars, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(out.vars[i].name, vars[i].name);
        assert_true(str_eq(out.vars[i].value, vars[i].value));
    }
    assert_int_equal(item_thaw(w->a, STR("{\"id\": 3}"), &out, &e), E_INPUT);
    assert_int_equal(item_thaw(w->a, STR("nonsense"), &out, &e), E_INPUT);
}

static void states_have_names(void **state)
{
    (void)state;
    assert_string_equal(vocab_state_name(STATE_PLANNED), "planned");
    assert_string_equal(vocab_state_name(STATE_FAILED), "failed");
    for (int i = 0; i < STATES; i++)
        assert_non_null(vocab_state_name((enum state)i));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_rubric_suite_is_read),
        TEST(items_come_from_jsonl),
        TEST(items_come_from_csv_and_json),
        TEST(weights_order_dimensions),
        TEST(defaults_are_sensible),
        TEST(bom_and_crlf_are_fine),
        TEST(a_list_in_a_jsonl_file_is_accepted),
        TEST(levels_may_be_a_list),
        TEST(every_fault_is_said_at_once),
        TEST(heads_are_checked),
        TEST(dimensions_have_names_in_any_script),
        TEST(instruments_are_checked),
        TEST(other_parts_are_checked),
        TEST(judge_templates_are_checked),
        TEST(built_in_judge_templates_are_good),
        TEST(item_faults_have_places),
        TEST(items_are_checked),
        TEST(csv_faults_have_lines),
        TEST(empty_files_are_faults),
        TEST(long_texts_are_refused),
        TEST(a_typo_in_the_template_is_not_said_for_ever),
        TEST(ids_of_dimensions_are_read_alike_in_casts),
        TEST(a_list_is_a_user_only_in_dialogues),
        TEST(suggestions_are_translated),
        TEST(many_items_stream),
        TEST(values_with_braces_stay),
        TEST(one_line_templates_are_names_or_texts),
        TEST(pairs_are_read),
        TEST(pairs_are_checked),
        TEST(bands_are_checked),
        TEST(built_in_instruments_are_whole),
        TEST(suites_survive_freezing),
        TEST(first_lines_are_frozen),
        TEST(a_frozen_suite_names_no_files),
        TEST(items_survive_freezing),
        cmocka_unit_test(states_have_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
