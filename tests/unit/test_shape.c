/* Structs that are declared once: read, written, and what a key that came later changes. */
/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <math.h>

#include "suite/shape.h"

enum colour { RED, GREEN };

struct leaf {
    const char *id;
    double weight;
};

struct tree {
    enum colour kind;
    const char *id;
    struct str text;
    struct str two[2];
    const struct str *words;
    size_t nwords;
    int count;
    int64_t seed;
    double price;
    bool on, second;
    const char *body;
    struct leaf leaf;
    const struct leaf *leaves;
    size_t nleaves;
    /* of a later version */
    int limit;
    bool strict;
    double share;
    enum colour mood;
};

#define AT(member) .at = offsetof(struct tree, member)

static const char *const colours[] = {"red", "green"}, *const sides[] = {"left", "right"};
static const struct shape_key leaf_keys[] = {
    {"id", SHAPE_ID, SHAPE_NEEDED, .at = offsetof(struct leaf, id)},
    {"weight", SHAPE_REAL, .at = offsetof(struct leaf, weight), .max = 10, .otherwise = 1},
};
static const struct shape leaf_shape = {SHAPE_OF("leaf", leaf_keys, struct leaf)};

#define FIRST                                                                                      \
    {"kind", SHAPE_CHOICE, AT(kind), SHAPE_WORDS(colours)}, {"id", SHAPE_ID, AT(id)},              \
        {"text", SHAPE_TEXT, AT(text)}, {"two", SHAPE_FIXED, AT(two), .min = 2, .max = 2},         \
        {"words", SHAPE_TEXTS, AT(words), .count = offsetof(struct tree, nwords)},                 \
        {"count",                                                                                  \
         SHAPE_INT,                                                                                \
         AT(count),                                                                                \
         .min = 1,                                                                                 \
         .max = 9,                                                                                 \
         .otherwise = 3,                                                                           \
         .kinds = SHAPE_KIND(GREEN)},                                                              \
        {"seed", SHAPE_LONG, AT(seed), .max = 1e19, .otherwise = 1},                               \
        {"price", SHAPE_REAL, AT(price), .max = 1e9, .otherwise = NAN},                            \
        {"on", SHAPE_BOOL, SHAPE_SPARE, AT(on)},                                                   \
        {"side", SHAPE_EITHER, AT(second), SHAPE_WORDS(sides)}, {"body", SHAPE_JSON, AT(body)},    \
        {"leaf", SHAPE_MAP, AT(leaf), .of = &leaf_shape},                                          \
    {                                                                                              \
        "leaves", SHAPE_LIST, AT(leaves), .count = offsetof(struct tree, nleaves),                 \
                                          .of = &leaf_shape                                        \
    }

static const struct shape_key old_keys[] = {FIRST};
static const struct shape_key new_keys[] = {
    FIRST,
    {"limit", SHAPE_INT, AT(limit), .max = 100, .otherwise = 8, .before = 8, .since = "9"},
    {"strict", SHAPE_BOOL, AT(strict), .otherwise = 1, .before = 0, .since = "9"},
    {"share", SHAPE_REAL, AT(share), .max = 1, .otherwise = 0.1, .before = 0, .since = "9"},
    {"mood", SHAPE_CHOICE, AT(mood), SHAPE_WORDS(colours), .otherwise = GREEN, .before = RED,
     .since = "9"},
};
static const struct shape old_tree = {SHAPE_OF("tree", old_keys, struct tree), .by = "kind"};
static const struct shape new_tree = {SHAPE_OF("tree", new_keys, struct tree), .by = "kind"};

static struct arena *a;
static struct diags d;

static int begin(void **state)
{
    (void)state;
    a = arena_new();
    diags_init(&d, a);
    return 0;
}

static int end(void **state)
{
    (void)state;
    arena_free(a);
    return 0;
}

static struct tree read_text(const struct shape *s, const char *yaml)
{
    struct source *source = NEW(a, struct source);
    const struct shape_reading r = {.a = a, .d = &d, .language = "en"};
    struct tree t = {0};

    *source = (struct source){"t.yaml", str_of(yaml), 1};
    (void)shape_read(&r, s, doc_parse(a, source, &d), &t);
    return t;
}

#define OLD_TEXT                                                                                   \
    "{\"kind\":\"green\",\"id\":\"oak\",\"text\":\"tall\",\"two\":[\"a\",\"b\"],\"words\":["       \
    "\"x\\ry\"],"                                                                                  \
    "\"count\":3,\"seed\":1,\"price\":null,\"side\":\"right\",\"body\":{\"n\":[1,2.5]},"           \
    "\"leaf\":{\"id\":\"l\",\"weight\":1.0},\"leaves\":[{\"id\":\"m\",\"weight\":0.1}]"
#define YAML                                                                                       \
    "kind: green\nid: oak\ntext: {en: tall, zh: 高}\ntwo: [a, b]\nwords: [\"x\\ry\"]\n"           \
    "side: right\nbody: {n: [1, 2.5]}\nleaf: {id: l}\nleaves: [{id: m, weight: 0.1}]\n"

static void what_is_read_is_written_and_read_again(void **state)
{
    struct tree t = read_text(&old_tree, YAML), back = {0};
    struct err e = {0};

    (void)state;
    assert_int_equal(d.errors, 0);
    assert_string_equal(shape_text(a, &old_tree, &t), OLD_TEXT "}");
    assert_int_equal(shape_thaw(a, &old_tree, str_of(OLD_TEXT "}"), "stored tree", &back, &e), OK);
    assert_string_equal(shape_text(a, &old_tree, &back), OLD_TEXT "}");
    assert_true(isnan(back.price) && back.second && back.nleaves == 1 && back.seed == 1);
    t.seed = INT64_MAX;
    assert_non_null(strstr(shape_text(a, &old_tree, &t), "\"seed\":9223372036854775807"));
}

static void faults_have_places(void **state)
{
    static const char *const table[][2] = {
        {"colour: red", "unknown key 'colour'"},
        {"kind: red\ncount: 2", "'count' applies to kind: green only"},
        {"kind: green\ncount: 12", "a whole number from 1 to 9"},
        {"two: [a]", "a list of exactly 2 texts"},
        {"words: [a, '']", "a text of 'words' is empty"},
        {"leaves: [{weight: 2}]", "the leaf has no 'id'"},
        {"leaf: 3", "expected a map with the keys id, weight"},
        {"side: up", "expected one of left, right"},
        {"[]", "expected a map"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(table); i++) {
        diags_init(&d, a);
        (void)read_text(&old_tree, table[i][0]);
        assert_non_null(d.first);
        assert_non_null(strstr(d.first->msg, table[i][1]));
        assert_true(d.first->at.source != NULL);
    }
}

/* The promise behind `since`: a stored run stays what it was, and the same command finds it. */
static void a_key_that_is_added_changes_no_stored_run(void **state)
{
    struct tree then = {0}, now;
    const char *frozen;
    struct err e = {0};

    (void)state;
    assert_int_equal(shape_thaw(a, &new_tree, str_of(OLD_TEXT "}"), "stored tree", &then, &e), OK);
    assert_int_equal(then.limit, 8);
    assert_false(then.strict);
    assert_true(then.share == 0);
    assert_int_equal(then.mood, RED);

    now = read_text(&new_tree, YAML);
    assert_true(now.strict && now.share == 0.1 && now.mood == GREEN);
    frozen = shape_text(a, &new_tree, &now);
    assert_string_equal(frozen, OLD_TEXT ",\"strict\":true,\"share\":0.1,\"mood\":\"green\"}");
    assert_string_equal(shape_hashed(a, &new_tree, frozen), OLD_TEXT "}");
    assert_string_equal(shape_hashed(a, &new_tree, OLD_TEXT "}"), OLD_TEXT "}");
}

/* ... and what somebody chose is part of the key, also where it is what there was before. */
static void what_differs_from_the_default_is_hashed(void **state)
{
    static const char *const table[][2] = {
        {"limit: 9", ",\"limit\":9}"},
        {"strict: no", ",\"strict\":false}"},
        {"share: 0", ",\"share\":0.0}"},
        {"mood: red", ",\"mood\":\"red\"}"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(table); i++) {
        struct tree t = read_text(&new_tree, arena_printf(a, YAML "%s\n", table[i][0])), back = {0};
        const char *frozen = shape_text(a, &new_tree, &t);
        struct err e = {0};
        assert_int_equal(d.errors, 0);
        assert_string_equal(shape_hashed(a, &new_tree, frozen),
                            arena_printf(a, OLD_TEXT "%s", table[i][1]));
        assert_int_equal(shape_thaw(a, &new_tree, str_of(frozen), "stored tree", &back, &e), OK);
        assert_true(back.limit == t.limit && back.strict == t.strict && back.share == t.share &&
                    back.mood == t.mood);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_read_is_written_and_read_again, begin, end),
        cmocka_unit_test_setup_teardown(faults_have_places, begin, end),
        cmocka_unit_test_setup_teardown(a_key_that_is_added_changes_no_stored_run, begin, end),
        cmocka_unit_test_setup_teardown(what_differs_from_the_default_is_hashed, begin, end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
