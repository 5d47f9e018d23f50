/* Parallel forms: what is drawn, what is filled, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/doc.h"
#include "suite/slot.h"
#include "suite/sum.h"

static const char ferry[] = "id: toll\n"
                            "prompt: '{{who}} brings {{n}} {{beasts}}.'\n"
                            "turns: [{role: user, text: 'Ask {{who}}.'}]\n"
                            "reference: 'That is {{owed}} pence, {{who}}.'\n"
                            "slots:\n"
                            "  who: [Nan Pyke, Wat Dyer, Joan Reeve]\n"
                            "  'n, beasts': [[7, sheep], [9, pigs], [6, calves]]\n"
                            "  owed: '= n * 2'\n"
                            "holds: ['owed > n', 'owed < 20']\n";

static const struct node *parse(struct arena *a, const char *text, struct diags *d)
{
    struct source *source = NEW(a, struct source);

    *source = (struct source){.path = "item.yaml", .text = str_of(text), .first_line = 1};
    diags_init(d, a);
    return doc_parse(a, source, d);
}

static const struct node *form(struct arena *a, const char *text, int64_t number, struct diags *d)
{
    return slot_fill(a, parse(a, text, d), number, d);
}

static const char *text_of(struct arena *a, const struct node *item, const char *key)
{
    return arena_text(a, node_get(item, key)->text);
}

static void published_form_is_the_first_of_each(void **state)
{
    struct arena *a = arena_new();
    struct diags d;
    const struct node *n = form(a, ferry, 0, &d);

    (void)state;
    assert_int_equal(d.errors + d.warnings, 0);
    assert_string_equal(text_of(a, n, "prompt"), "Nan Pyke brings 7 sheep.");
    assert_string_equal(text_of(a, n, "reference"), "That is 14 pence, Nan Pyke.");
    assert_true(str_is(node_get(node_get(n, "turns")->first, "text")->text, "Ask Nan Pyke."));
    assert_null(node_get(n, "slots"));
    assert_null(node_get(n, "holds"));
    assert_int_equal(n->n, 4);
    arena_free(a);
}

/* Whatever the number: nothing of the published form, rows stay together, the sum is right, and the
 * same number gives the same form. */
static void fresh_forms_are_fresh_and_consistent(void **state)
{
    struct arena *a = arena_new();
    int pigs = 0, calves = 0;
    struct diags d;

    (void)state;
    for (int64_t i = 1; i <= 60; i++) {
        const struct node *n = form(a, ferry, i, &d);
        const char *prompt = text_of(a, n, "prompt"), *reference = text_of(a, n, "reference");
        bool is_pigs = strstr(prompt, "9 pigs");
        assert_null(strstr(prompt, "Nan Pyke"));
        assert_null(strstr(prompt, "sheep"));
        assert_true(is_pigs || strstr(prompt, "6 calves"));
        assert_non_null(strstr(reference, is_pigs ? "18 pence" : "12 pence"));
        assert_string_equal(prompt, text_of(a, form(a, ferry, i, &d), "prompt"));
        pigs += is_pigs;
        calves += !is_pigs;
    }
    assert_true(pigs > 10 && calves > 10);
    arena_free(a);
}

static void faults_are_found_in_every_form(void **state)
{
    static const struct {
        const char *item, *fault;
    } cases[] = {
        {"id: a\nprompt: '{{whom}}'\nslots: {who: [x, y]}", "no slot 'whom'"},
        {"id: a\nprompt: x\nslots: {who: [x, y]}", "nothing uses the slot 'who'"},
        {"prompt: '{{who}}'\nslots: {who: [x, y]}", "needs an 'id'"},
        {"id: a\nprompt: '{{who}}'\nslots: {who: [x]}", "at least one other"},
        {"id: a\nprompt: '{{b}}'\nslots: {'b, c': [[1, 2], [3]]}", "a list of 2 texts"},
        {"id: a\nprompt: '{{n}}'\nslots: {n: [1, 2, 30]}\nholds: ['n < 30']", "with n: 30"},
        {"id: a\nprompt: '{{n}}'\nslots: {n: [1, 2]}\nholds: [n]", "expected a comparison"},
        {"id: a\nprompt: '{{m}}'\nslots: {n: [1, two], m: '= n + 1'}", "is not a number"},
        {"id: a\nprompt: '{{m}}'\nslots: {n: [1, 0], m: '= 1 / n'}", "divides by 0"},
        {"id: a\nprompt: '{{a}}{{b}}'\nslots: {a: '= b', b: '= a'}", "cannot be computed"},
        {"id: a\nprompt: '{{n}}'\nslots: {n: [1, 2], 'n, m': [[1, 2], [3, 4]]}", "two slots"},
        {"id: a\nprompt: x\nholds: ['1 = 1']", "the item has none"},
        {"id: a\nprompt: '{{who}} x'\nreference: Ask Nan.\nslots: {who: [Nan, Wat]}",
         "outside its slot"},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct diags d;
        (void)form(a, cases[i].item, 3, &d);
        if (!d.first || !strstr(d.first->msg, cases[i].fault))
            fail_msg("%s: %s", cases[i].item, d.first ? d.first->msg : "no fault");
    }
    arena_free(a);
}

/* "Nancy" is not "Nan", a slot of that name is not its value, and a text is a key of the user's. */
static void near_misses_are_left_alone(void **state)
{
    static const char *const good[] = {
        "id: a\nprompt: 'Nancy, {{Nan}}, {{who}}'\nslots: {who: [Nan, Wat], Nan: [x, y]}",
        "id: a\nprompt: x {{who}}\nslots: three of them",
    };
    struct arena *a = arena_new();
    struct diags d;

    (void)state;
    for (size_t i = 0; i < COUNT(good); i++) {
        assert_non_null(form(a, good[i], 1, &d));
        assert_int_equal(d.errors + d.warnings, 0);
    }
    arena_free(a);
}

static bool no_names(void *user, struct str name, double *out)
{
    (void)user;
    *out = 12;
    return str_is(name, "dozen") || str_is(name, "打");
}

static void sums(void **state)
{
    static const struct {
        const char *text;
        double value;
    } cases[] = {{"1 + 2 * 3", 7},      {"(1 + 2) * 3", 9},     {"-2 - -5", 3}, {"dozen / 4", 3},
                 {"打 * 2 = 24", 1},    {"0.1 + 0.2 = 0.3", 1}, {"3 < 3", 0},   {"3 <= 3", 1},
                 {"1 / 3 * 3 >= 1", 1}, {"5 > dozen", 0}};
    static const char *const bad[] = {"",      "1 +",   "(1",        "1 2",
                                      "score", "1 / 0", "1 < 2 < 3", "1..2"};
    const char *fault;
    double v;

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_true(sum_value(str_of(cases[i].text), no_names, NULL, &v, &fault));
        if (v != cases[i].value)
            fail_msg("%s is %g", cases[i].text, v);
    }
    for (size_t i = 0; i < COUNT(bad); i++)
        if (sum_value(str_of(bad[i]), no_names, NULL, &v, &fault))
            fail_msg("'%s' is no sum", bad[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_form_is_the_first_of_each),
        cmocka_unit_test(fresh_forms_are_fresh_and_consistent),
        cmocka_unit_test(faults_are_found_in_every_form),
        cmocka_unit_test(near_misses_are_left_alone),
        cmocka_unit_test(sums),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
