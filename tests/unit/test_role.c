#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "suite/item.h"
#include "suite/role.h"
#include "unit/suite_world.h"

#define HOB                                                                                        \
    "character:\n  name: Hob\n  card: Hob keeps the lock.\n  language: en\n  lorebook:\n"          \
    "    scan_depth: 2\n    entries:\n"                                                            \
    "    - {keys: [eel], content: Eels are dear., insertion_order: 2, position: after_char}\n"     \
    "    - {keys: [1911], content: A dry year., insertion_order: 1, position: after_char}\n"       \
    "    - {keys: [], constant: true, content: It rains.}\n"                                       \
    "    - {keys: [rope], content: \"@@activate_only_after 1\\nRope is short.\"}\n"

static void expect_role(struct world *w, const struct suite *s, const struct item *item,
                        const char *want)
{
    struct str got = role_text(w->a, vocab_character(s, item), item);

    if (!str_is(got, want))
        fail_msg("'%.*s', not '%s'", STR_ARG(got), want);
}

/* The same before and after a run has stored it. */
static void the_lorebook_follows_the_dialogue(void **state)
{
    struct world *w = *state;
    struct item_turn turns[] = {
        {"user", STR("eel?")}, {"assistant", STR("No.")}, {"user", STR("In 1911, rope?")}};
    struct item item = {.id = "i", .prompt = STR("Any EELS?")};
    struct suite back;
    struct err e = {0};

    load_text(w, HEAD DIMS ITEMS HOB);
    expect_shown(w, "");
    assert_int_equal(suite_thaw(w->a, str_of(suite_freeze(w->a, w->s)), &back, &e), OK);
    assert_string_equal(suite_freeze(w->a, &back), suite_freeze(w->a, w->s));
    for (int i = 0; i < 2; i++) {
        const struct suite *s = i ? &back : w->s;
        item = (struct item){.id = "i", .prompt = STR("Any EELS?")};
        expect_role(w, s, &item, "It rains.\n\nHob keeps the lock.\n\nEels are dear.");
        item.prompt = STR("Rope?");
        expect_role(w, s, &item, "It rains.\n\nHob keeps the lock.");
        item = (struct item){.id = "i", .prompt = STR(""), .turns = turns, .nturns = 3};
        expect_role(w, s, &item,
                    "It rains.\n\nRope is short.\n\nHob keeps the lock.\n\nA dry year.");
    }
}

static void without_a_lorebook_the_text_is_the_text(void **state)
{
    struct world *w = *state;
    struct item item = {.id = "i", .prompt = STR("eel")};

    load_text(w, HEAD DIMS ITEMS "character: {name: Hob, text: Alone.}");
    expect_role(w, w->s, &item, "Alone.");
    assert_null(strstr(suite_freeze(w->a, w->s), "lorebook"));
}

static void faults_have_their_place(void **state)
{
    struct world *w = *state;

    expect_fault(w, HEAD DIMS ITEMS "character: {name: x, text: y, card: z}",
                 "'card' is another name for 'text': use one of them");
    expect_fault(w, HEAD DIMS ITEMS "character: {name: x, text: y, lorebook: 3}",
                 "4:41: error: a lorebook needs a list 'entries'");
    expect_fault(w, HEAD DIMS ITEMS "character: {name: x, text: y, lorebook: {entries: [7]}}",
                 "warning: entry 1 of the lorebook is not an object");
    expect_fault(w, HEAD DIMS ITEMS "character: {name: x, text: y, language: ja}",
                 "warning: the character's language is 'ja', the suite's 'en'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_lorebook_follows_the_dialogue),
        TEST(without_a_lorebook_the_text_is_the_text),
        TEST(faults_have_their_place),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
