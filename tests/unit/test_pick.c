#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "suite/item.h"
#include "suite/tag.h"
#include "suite_world.h"

static void load_rest(struct world *w, const char *rest)
{
    diags_init(&w->d, w->a);
    put("judge.txt", STR("{{answer}}"));
    put("s.yaml", str_of(arena_printf(w->a,
                                      "suite: s\nlanguage: en\njudge: {template: judge.txt}\n"
                                      "instrument: {dimensions: [{id: q, scale: 0..1}]}\n%s",
                                      rest)));
    load(w, "s.yaml");
    assert_non_null(w->s);
}

/* The ids that are used, each with a space after it. */
static const char *used(struct world *w)
{
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 20);
    struct item_reader *r = item_reader_new(w->s, w->items, &w->d);
    struct item item;

    while (item_reader_next(r, &item))
        buf_fmt(&b, "%s ", item.id);
    item_reader_free(r);
    return arena_text(w->a, buf_str(&b));
}

static size_t count(const char *text, const char *what)
{
    size_t n = 0;

    for (const char *at = text; (at = strstr(at, what)) != NULL; at++)
        n++;
    return n;
}

/* ---- tags ---- */

static void expect_tag(const char *text, const char *kind, const char *topic)
{
    struct tag tag = tag_read(str_of(text));

    if (!str_is(tag.kind, kind) || !str_is(tag.topic, topic))
        fail_msg("'%s' gave '%.*s' and '%.*s'", text, STR_ARG(tag.kind), STR_ARG(tag.topic));
}

static void tags_are_read_as_people_write_them(void **state)
{
    (void)state;
    expect_tag("<写推文: 星星>", "写推文", "星星");
    expect_tag("<写推文：星星>", "写推文", "星星");
    expect_tag("写推文:星星", "写推文", "星星");
    expect_tag(" < 写推文 ：　星星 > ", "写推文", "星星");
    expect_tag("＜写推文：星星＞", "写推文", "星星");
    expect_tag("<问候>", "问候", "");
    expect_tag("问候：", "问候", "");
    expect_tag("a: b: c", "a", "b: c");
    expect_tag("a：b: c", "a", "b: c");
    expect_tag("a:b：c", "a", "b：c");
    expect_tag("<half", "<half", "");
    expect_tag("<<a>: b>", "a", "b");
    expect_tag("", "", "");
    expect_tag("　", "", "");
}

#define SYSTEMS                                                                                    \
    "character: {name: n, text: t}\n"                                                              \
    "elicit:\n"                                                                                    \
    "  systems:\n"                                                                                 \
    "    post: 'Write about {{topic}}.'\n"                                                         \
    "    \"<hello：>\": 'Greet in the {{topic}}; weather: {{weather}}.'\n"

static void systems_are_chosen_by_tag(void **state)
{
    struct world *w = *state;
    struct item_reader *r;
    struct item item;

    load_rest(w, SYSTEMS "    default: 'Plain.'\n"
                         "items:\n"
                         "  - {id: a, tag: '<post: rain>', prompt: x}\n"
                         "  - {id: b, tag: 'hello：night', weather: fog}\n"
                         "  - {id: c, tag: other, prompt: x}\n"
                         "  - {id: d, prompt: x}\n");
    r = item_reader_new(w->s, w->items, &w->d);
    assert_true(item_reader_next(r, &item));
    assert_true(str_is(*tag_system(&w->s->elicit, &item), "Write about {{topic}}."));
    assert_true(str_is(tag_member(&item, "topic"), "rain"));
    assert_true(item_reader_next(r, &item));
    assert_true(str_starts(*tag_system(&w->s->elicit, &item), STR("Greet")));
    assert_true(str_is(tag_member(&item, "topic"), "night"));
    assert_true(
        str_is(item.prompt, "hello：night")); /* the tag is the prompt where none is given */
    for (int i = 0; i < 2; i++) {
        assert_true(item_reader_next(r, &item));
        assert_true(str_is(*tag_system(&w->s->elicit, &item), "Plain."));
        assert_int_equal(tag_member(&item, "topic").n, 0);
    }
    assert_false(item_reader_next(r, &item));
    item_reader_free(r);
    expect_shown(w, "");
}

static void an_item_without_a_system_is_a_fault(void **state)
{
    struct world *w = *state;

    load_rest(w, SYSTEMS "items:\n"
                         "  - {id: a, tag: '<psot: rain>', prompt: x}\n"
                         "  - {id: b, prompt: x}\n"
                         "  - {id: c, tag: 'hello:night', prompt: x}\n"
                         "  - {id: d, tag: post, prompt: x}\n");
    assert_string_equal(used(w), "d ");
    expect_shown(
        w, "s.yaml:11:18: error: 'systems' has no message for the kind 'psot' (did you mean "
           "'post'?), and no default\n"
           "   11 |   - {id: a, tag: '<psot: rain>', prompt: x}\n"
           "      |                  ^~~~~~~~~~~~~~\n"
           "s.yaml:12:5: error: the item has no 'tag', and 'systems' has no default\n"
           "   12 |   - {id: b, prompt: x}\n"
           "      |     ^\n"
           "s.yaml:13:5: error: the item has no 'weather', which the template 'systems' uses\n"
           "   13 |   - {id: c, tag: 'hello:night', prompt: x}\n"
           "      |     ^\n"
           "3 errors\n");
}

static void systems_are_checked(void **state)
{
    struct world *w = *state;

    load_rest(w, "elicit:\n"
                 "  system: x\n"
                 "  systems: {a: '{{reference}}', 'a:': y, default: z}\n"
                 "items: [{prompt: x}]\n");
    expect_shown(w, "s.yaml:7:42: error: 'default' means the same as 'system': use one of them\n"
                    "    7 |   systems: {a: '{{reference}}', 'a:': y, default: z}\n"
                    "      |                                          ^~~~~~~\n"
                    "s.yaml:7:16: error: the template 'systems' uses {{reference}}, which models "
                    "must not see\n"
                    "    7 |   systems: {a: '{{reference}}', 'a:': y, default: z}\n"
                    "      |                ^~~~~~~~~~~~~~~\n"
                    "s.yaml:7:33: error: two system messages for the kind 'a'\n"
                    "    7 |   systems: {a: '{{reference}}', 'a:': y, default: z}\n"
                    "      |                                 ^~~~\n"
                    "3 errors\n");
}

/* ---- pick ---- */

#define GROUPS                                                                                     \
    "items:\n"                                                                                     \
    "  - {id: p, prompt: x}\n"                                                                     \
    "  - {id: g1, prompt: x, group: greeting}\n"                                                   \
    "  - {id: g2, prompt: x, group: greeting}\n"                                                   \
    "  - {id: g3, prompt: x, group: greeting}\n"                                                   \
    "  - {id: f1, prompt: x, group: festival}\n"                                                   \
    "  - {id: f2, prompt: x, group: festival}\n"                                                   \
    "  - {id: o1, prompt: x, group: other}\n"                                                      \
    "  - {id: o2, prompt: x, group: other}\n"

static void groups_are_drawn_from(void **state)
{
    struct world *w = *state;
    const char *first;

    load_rest(w, GROUPS "pick: {greeting: 1, festival: 2}\n");
    first = used(w);
    expect_shown(w, "");
    assert_int_equal(count(first, "g"), 1);
    assert_non_null(strstr(first, "f1 f2 "));
    assert_non_null(strstr(first, "p "));
    assert_non_null(strstr(first, "o1 o2 "));
    assert_string_equal(used(w), first);
}

static void the_seed_draws(void **state)
{
    struct world *w = *state;
    int times[3] = {0};

    load_rest(w, GROUPS "pick: {greeting: 1}\n");
    for (uint64_t seed = 0; seed < 300; seed++) {
        const char *ids;
        w->s->seed = seed;
        ids = used(w);
        assert_int_equal(count(ids, "g"), 1);
        times[strstr(ids, "g1") ? 0 : strstr(ids, "g2") ? 1 : 2]++;
    }
    /* 100 each is expected, with a standard deviation of 8; the seeds are fixed */
    for (int i = 0; i < 3; i++)
        assert_true(times[i] > 60 && times[i] < 140);
}

static const char *lines_of(struct world *w, size_t n, bool backwards)
{
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 20);

    for (size_t i = 0; i < n; i++)
        buf_fmt(&b, "{\"id\":\"i%03zu\",\"prompt\":\"x\",\"group\":\"many\"}\n",
                backwards ? n - 1 - i : i);
    return arena_text(w->a, buf_str(&b));
}

static void the_draw_does_not_depend_on_the_order(void **state)
{
    struct world *w = *state;
    const char *ids, *more;

    put("a.jsonl", str_of(lines_of(w, 200, false)));
    put("b.jsonl", str_of(lines_of(w, 200, true)));
    load_rest(w, "items: a.jsonl\npick: {many: 5}\n");
    ids = used(w);
    assert_int_equal(count(ids, "i"), 5);
    load_rest(w, "items: b.jsonl\npick: {many: 5}\n");
    more = used(w);
    assert_int_equal(count(more, "i"), 5);
    for (const char *at = ids; *at; at += strlen("i000 "))
        assert_non_null(strstr(more, arena_printf(w->a, "%.5s", at)));
    /* one more is the same ones and another */
    load_rest(w, "items: a.jsonl\npick: {many: 6}\n");
    more = used(w);
    assert_int_equal(count(more, "i"), 6);
    for (const char *at = ids; *at; at += strlen("i000 "))
        assert_non_null(strstr(more, arena_printf(w->a, "%.5s", at)));
    expect_shown(w, "");
}

static void picks_are_checked(void **state)
{
    struct world *w = *state;

    load_rest(w, GROUPS "pick: {greeting: 4, festval: 1}\n");
    (void)used(w);
    expect_shown(w, "s.yaml:14:18: error: cannot pick 4 of the 3 items in the group 'greeting'\n"
                    "   14 | pick: {greeting: 4, festval: 1}\n"
                    "      |                  ^\n"
                    "s.yaml:14:21: error: no item has 'group: festval'\n"
                    "   14 | pick: {greeting: 4, festval: 1}\n"
                    "      |                     ^~~~~~~\n"
                    "2 errors\n");
    load_rest(w, GROUPS "pick: {greeting: 0}\n");
    assert_int_equal(w->d.errors, 1);
    load_rest(w, GROUPS "pick: [greeting]\n");
    expect_shown(w,
                 "s.yaml:14:7: error: expected groups with a number of items each: {greeting: 1}\n"
                 "   14 | pick: [greeting]\n"
                 "      |       ^\n"
                 "1 error\n");
}

/* What is wrong with an item that is not drawn is said all the same, and once. */
static void items_left_in_the_hat_are_checked_too(void **state)
{
    struct world *w = *state;

    load_rest(w, "items:\n"
                 "  - {id: a, prompt: x, group: g}\n"
                 "  - {id: b, group: g}\n"
                 "pick: {g: 2}\n");
    (void)used(w);
    expect_shown(w, "s.yaml:7:5: error: the item has no 'prompt'\n"
                    "    7 |   - {id: b, group: g}\n"
                    "      |     ^\n"
                    "1 error\n");
}

static void tags_and_picks_survive_freezing(void **state)
{
    struct world *w = *state;
    struct suite thawed;
    struct err e = {0};
    const char *frozen;

    load_rest(w, SYSTEMS "items: [{tag: post, prompt: x, group: g}]\npick: {g: 1, 'h h': 2}\n");
    expect_shown(w, "");
    frozen = suite_freeze(w->a, w->s);
    assert_int_equal(suite_thaw(w->a, str_of(frozen), &thawed, &e), OK);
    assert_int_equal(thawed.elicit.nsystems, 2);
    assert_true(str_is(thawed.elicit.systems[1].kind, "hello"));
    assert_int_equal(thawed.npicks, 2);
    assert_true(str_is(thawed.picks[1].group, "h h") && thawed.picks[1].n == 2);
    assert_string_equal(suite_freeze(w->a, &thawed), frozen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tags_are_read_as_people_write_them),
        TEST(systems_are_chosen_by_tag),
        TEST(an_item_without_a_system_is_a_fault),
        TEST(systems_are_checked),
        TEST(groups_are_drawn_from),
        TEST(the_seed_draws),
        TEST(the_draw_does_not_depend_on_the_order),
        TEST(picks_are_checked),
        TEST(items_left_in_the_hat_are_checked_too),
        TEST(tags_and_picks_survive_freezing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
