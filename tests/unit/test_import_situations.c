#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "exchange/import_situations.h"
#include "suite/item.h"
#include "unit/suite_world.h"

/* Suites are read as users have them: from a file. */
static void load_situations(struct world *w, const struct import_situations *s)
{
    AUTO(buf_done) struct buf text = BUF_MAX(1 << 20);

    import_situations_suite(s, "published", &text);
    assert_false(text.full);
    put("published.yaml", buf_str(&text));
    load(w, "published.yaml");
    assert_int_equal(w->d.errors, 0);
}

static const char *add(struct import_situations *s, const char *text, int64_t line)
{
    AUTO(json_freep) json_t *j = NULL;
    struct err e = {0};

    assert_int_equal(json_read(str_of(text), &j, &e), OK);
    return import_situations_add(s, j, line);
}

/* Texts that would be something else in YAML come back as they are. */
static void every_text_survives(void **state)
{
    static const struct {
        const char *json, *id, *name, *text, *prompt;
    } cases[] = {
        {"{\"situation_id\": 7, \"character_name\": \"No: 7\", \"character\": \"- one\\r\\n- "
         "two\", "
         "\"context\": \"He said \\\"{{prompt}}\\\" # loudly\"}",
         "7", "No: 7", "- one\r\n- two", "He said \"{{prompt}}\" # loudly"},
        {"{\"situation_id\": \"no\", \"character_name\": \"null\", \"character\": \"~\", "
         "\"context\": \"\\u2028\\\\ \\t | 'x'\"}",
         "no", "null", "~", "\u2028\\ \t | 'x'"},
    };
    struct world *w = *state;
    struct import_situations s;
    struct item_reader *r;
    struct item item;

    import_situations_init(&s, w->a);
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_null(add(&s, cases[i].json, (int64_t)i + 1));
    load_situations(w, &s);
    r = item_reader_new(w->s, w->items, &w->d);
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_true(item_reader_next(r, &item));
        assert_string_equal(item.id, cases[i].id);
        assert_true(str_is(item.prompt, cases[i].prompt));
        assert_true(str_is(vocab_character(w->s, &item)->name, cases[i].name));
        assert_true(str_is(vocab_character(w->s, &item)->text, cases[i].text));
    }
    assert_false(item_reader_next(r, &item));
    item_reader_free(r);
    import_situations_done(&s);
}

static void language_is_that_of_the_stories(void **state)
{
    static const struct {
        const char *story, *language;
    } cases[] = {
        {"雨が止んだ。傘を畳む音がする。", "ja"},
        {"雨停了，门外有人收伞。", "zh"},
        {"The rain has stopped.", "en"},
        {"Дождь кончился, кто-то складывает зонт.", "en"}, /* has no templates of its own */
    };
    struct world *w = *state;

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct import_situations s;

        import_situations_init(&s, w->a);
        assert_null(add(&s,
                        arena_printf(w->a,
                                     "{\"situation_id\": 1, \"character_name\": \"Q\", "
                                     "\"character\": \"q\", \"context\": \"%s\"}",
                                     cases[i].story),
                        1));
        load_situations(w, &s);
        assert_string_equal(w->s->language, cases[i].language);
        assert_string_equal(w->s->judge.name, arena_printf(w->a, "battle.%s", cases[i].language));
        assert_string_equal(w->s->elicit.template.name,
                            arena_printf(w->a, "next-line.%s", cases[i].language));
        assert_int_equal(w->s->instrument.kind, INSTRUMENT_PAIR);
        assert_true(w->s->score.glicko);
        import_situations_done(&s);
    }
}

static void faults_are_said(void **state)
{
    static const struct {
        const char *json, *says;
    } cases[] = {
        {"{}", "expected \"situation_id\""},
        {"{\"situation_id\": 1.5}", "expected \"situation_id\""},
        {"{\"situation_id\": \"a b\"}", "expected \"situation_id\""},
        {"{\"situation_id\": 2, \"character_name\": \"x\", \"character\": \"x\"}",
         "expected a text \"context\""},
        {"{\"situation_id\": \"1\", \"character_name\": \"x\", \"character\": \"x\", "
         "\"context\": \"x\"}",
         "situation 1 is there already, in line 4"},
    };
    struct world *w = *state;
    struct import_situations s;

    import_situations_init(&s, w->a);
    assert_null(add(&s,
                    "{\"situation_id\": 1, \"character_name\": \"x\", \"character\": \"x\", "
                    "\"context\": \"x\"}",
                    4));
    for (size_t i = 0; i < COUNT(cases); i++) {
        const char *fault = add(&s, cases[i].json, 9);
        assert_non_null(fault);
        assert_non_null(strstr(fault, cases[i].says));
    }
    import_situations_done(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_text_survives, setup, teardown),
        cmocka_unit_test_setup_teardown(language_is_that_of_the_stories, setup, teardown),
        cmocka_unit_test_setup_teardown(faults_are_said, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
