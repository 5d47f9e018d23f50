/* Every key of suite, models and campaign files is explained in three languages, and nothing else.
 */
/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include "panel/spec_keys.h"
#include "suite/field.h"
#include "suite/models.h"
#include "suite/shape_help.h"
#include "suite/suite.h"

static const struct {
    const char *name;
    const struct shape *root;
} files[] = {{"suite", &suite_shape}, {"models", &models_shape}, {"campaign", &spec_shape}};

static struct arena *a;

static int begin(void **state)
{
    (void)state;
    a = arena_new();
    return 0;
}

static int end(void **state)
{
    (void)state;
    arena_free(a);
    return 0;
}

static void every_key_has_its_words(void **state)
{
    static const char *const languages[] = {"en", "zh", "ja"};

    (void)state;
    for (size_t f = 0; f < COUNT(files); f++) {
        struct shape_book b;
        shape_help_open(a, files[f].name, files[f].root, &b);
        assert_non_null(b.words);
        assert_true(b.n > 1 && b.n < SHAPE_SECTIONS);
        for (size_t i = 0; i < b.n; i++)
            for (size_t k = 0; k < b.section[i]->n; k++)
                for (size_t l = 0; l < COUNT(languages); l++) {
                    const struct shape_key *key = &b.section[i]->keys[k];
                    if (!(key->is & SHAPE_STORE) &&
                        !shape_help_text(a, &b, b.section[i], key->name, languages[l]))
                        fail_msg("share/keys/%s.yaml has no %s for %s.%s", files[f].name,
                                 languages[l], b.section[i]->name, key->name);
                }
    }
}

static const struct shape *section_named(const struct shape_book *b, struct str name)
{
    for (size_t i = 0; i < b->n; i++)
        if (str_is(name, b->section[i]->name))
            return b->section[i];
    fail_msg("no table has the name %.*s", STR_ARG(name));
    return NULL;
}

static bool is_key(const struct shape *s, struct str name)
{
    for (size_t i = 0; i < s->n; i++)
        if (str_is(name, s->keys[i].name))
            return true;
    return str_is(name, "all") || str_is(name, "like");
}

static void all_words_are_of_a_key(void **state)
{
    (void)state;
    for (size_t f = 0; f < COUNT(files); f++) {
        struct shape_book b;
        shape_help_open(a, files[f].name, files[f].root, &b);
        for (const struct node *s = b.words->first; s; s = s->next)
            for (const struct node *k = s->first; k; k = k->next)
                if (!is_key(section_named(&b, s->key->text), k->key->text))
                    fail_msg("%.*s.%.*s is no key", STR_ARG(s->key->text), STR_ARG(k->key->text));
    }
}

/* The names of tables are those of $defs: two of one name would hide one another. */
static void sections_have_names_of_their_own(void **state)
{
    (void)state;
    for (size_t f = 0; f < COUNT(files); f++) {
        struct shape_book b;
        shape_help_open(a, files[f].name, files[f].root, &b);
        for (size_t i = 0; i < b.n; i++) {
            assert_ptr_equal(section_named(&b, str_of(b.section[i]->name)), b.section[i]);
            for (size_t k = 0; k < b.section[i]->n; k++)
                for (size_t m = 0; m < k; m++)
                    assert_string_not_equal(b.section[i]->keys[k].name, b.section[i]->keys[m].name);
        }
    }
}

static bool says_most(const struct node *form)
{
    for (const struct node *n = form ? form->first : NULL; n; n = n->next)
        if (str_is(n->text, "most") || says_most(n))
            return true;
    return false;
}

/* A form takes "most" from the row of its key. */
static void forms_have_a_range(void **state)
{
    size_t seen = 0;

    (void)state;
    for (size_t f = 0; f < COUNT(files); f++) {
        struct shape_book b;
        shape_help_open(a, files[f].name, files[f].root, &b);
        for (const struct node *s = b.words->first; s; s = s->next) {
            const struct shape *in = section_named(&b, s->key->text);
            for (size_t k = 0; k < in->n; k++)
                if (says_most(field_get(field_get(s, in->keys[k].name), "form"))) {
                    assert_true(in->keys[k].max > 0);
                    seen++;
                }
        }
    }
    assert_true(seen > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_key_has_its_words, begin, end),
        cmocka_unit_test_setup_teardown(all_words_are_of_a_key, begin, end),
        cmocka_unit_test_setup_teardown(sections_have_names_of_their_own, begin, end),
        cmocka_unit_test_setup_teardown(forms_have_a_range, begin, end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
