#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "cmd/opt.h"

struct shared {
    const char *db;
    bool verbose, quiet;
};

struct own {
    const char *out;
    struct opt_list models;
    int64_t jobs;
    double timeout;
    bool no_cache;
};

/* clang-format off */
static const struct opt shared_opts[] = {
    {"db",      0,   OPT_TEXT, offsetof(struct shared, db),      "URL", "", 0, 0},
    {"verbose", 'v', OPT_FLAG, offsetof(struct shared, verbose), NULL,  "", 0, 0},
    {"quiet",   'q', OPT_FLAG, offsetof(struct shared, quiet),   NULL,  "", 0, 0},
    {NULL, 0, OPT_FLAG, 0, NULL, NULL, 0, 0},
};

static const struct opt own_opts[] = {
    {"output",   'o', OPT_TEXT,   offsetof(struct own, out),      "FILE",  "", 0, 0},
    {"model",    'm', OPT_LIST,   offsetof(struct own, models),   "MODEL", "", 0, 0},
    {"jobs",     'j', OPT_COUNT,  offsetof(struct own, jobs),     "N",     "", 1, 100},
    {"timeout",  0,   OPT_NUMBER, offsetof(struct own, timeout),  "S",     "", 0, 60},
    {"no-cache", 0,   OPT_FLAG,   offsetof(struct own, no_cache), NULL,    "", 0, 0},
    {NULL, 0, OPT_FLAG, 0, NULL, NULL, 0, 0},
};
/* clang-format on */

struct parsed {
    struct arena *arena;
    struct shared shared;
    struct own own;
    struct opt_args args;
    struct err e;
    enum status st;
};

/* Words up to a NULL. */
static void parse(struct parsed *p, const char *const *words)
{
    char *argv[16] = {0};
    int argc = 0;
    const struct opt_tables t = {shared_opts, own_opts, &p->shared, &p->own};

    for (; words[argc]; argc++)
        argv[argc] = (char *)(uintptr_t)words[argc];
    p->st = opt_parse(p->arena, argc, argv, &t, &p->args, &p->e);
}

#define PARSE(p, ...) parse(p, (const char *const[]){"run", __VA_ARGS__, NULL})

static int setup(void **state)
{
    struct parsed *p = mem_new(sizeof *p);

    p->arena = arena_new();
    p->own.jobs = 7;
    *state = p;
    return 0;
}

static int teardown(void **state)
{
    struct parsed *p = *state;

    arena_free(p->arena);
    free(p);
    return 0;
}

static void forms(void **state)
{
    static const char *const ways[][4] = {
        {"run", "-j", "8", NULL},  {"run", "-j8", NULL},         {"run", "-j=8", NULL},
        {"run", "--jobs=8", NULL}, {"run", "--jobs", "8", NULL},
    };
    struct parsed *p = *state;

    for (size_t i = 0; i < COUNT(ways); i++) {
        p->own.jobs = 0;
        parse(p, ways[i]);
        assert_int_equal(p->st, OK);
        assert_int_equal(p->own.jobs, 8);
        assert_int_equal(p->args.n, 0);
    }
}

static void defaults_stay(void **state)
{
    struct parsed *p = *state;

    PARSE(p, "suite.yaml");
    assert_int_equal(p->st, OK);
    assert_int_equal(p->own.jobs, 7);
    assert_null(p->own.out);
    assert_false(p->own.no_cache);
}

static void any_order(void **state)
{
    struct parsed *p = *state;

    PARSE(p, "a", "--no-cache", "b", "-vq", "-", "--db", "x", "--", "-j", "--no");
    assert_int_equal(p->st, OK);
    assert_int_equal(p->args.n, 5);
    assert_string_equal(p->args.v[0], "a");
    assert_string_equal(p->args.v[1], "b");
    assert_string_equal(p->args.v[2], "-");
    assert_string_equal(p->args.v[3], "-j");
    assert_string_equal(p->args.v[4], "--no");
    assert_true(p->own.no_cache && p->shared.verbose && p->shared.quiet);
    assert_string_equal(p->shared.db, "x");
    assert_int_equal(p->own.jobs, 7);
}

static void lists(void **state)
{
    struct parsed *p = *state;

    PARSE(p, "-m", "a", "--model=b, c", "-ma", "-m", "d");
    assert_int_equal(p->st, OK);
    assert_int_equal(p->own.models.n, 4);
    assert_string_equal(p->own.models.v[0], "a");
    assert_string_equal(p->own.models.v[1], "b");
    assert_string_equal(p->own.models.v[2], "c");
    assert_string_equal(p->own.models.v[3], "d");
}

static void values_may_look_odd(void **state)
{
    struct parsed *p = *state;

    PARSE(p, "-o", "-", "--db=", "--timeout", "1.5");
    assert_int_equal(p->st, OK);
    assert_string_equal(p->own.out, "-");
    assert_string_equal(p->shared.db, "");
    assert_true(p->own.timeout > 1.49 && p->own.timeout < 1.51);
}

static void expect_usage(struct parsed *p, const char *part)
{
    assert_int_equal(p->st, E_USAGE);
    assert_non_null(strstr(p->e.msg, part));
}

static void wrong_options(void **state)
{
    struct parsed *p = *state;

    PARSE(p, "--modle", "x");
    expect_usage(p, "did you mean --model?");
    PARSE(p, "--verbse");
    expect_usage(p, "did you mean --verbose?");
    PARSE(p, "--zzzzzz");
    expect_usage(p, "no such option --zzzzzz");
    PARSE(p, "-vz");
    expect_usage(p, "no such option -z");
    PARSE(p, "--no-cache=yes");
    expect_usage(p, "takes no value");
}

static void wrong_values(void **state)
{
    struct parsed *p = *state;

    PARSE(p, "--jobs", "many");
    expect_usage(p, "\"many\" is not a whole number");
    PARSE(p, "-j0");
    expect_usage(p, "not between 1 and 100");
    PARSE(p, "-j101");
    expect_usage(p, "not between 1 and 100");
    PARSE(p, "-j", "99999999999999999999");
    expect_usage(p, "--jobs");
    PARSE(p, "--timeout=nan");
    expect_usage(p, "not a number");
    PARSE(p, "--timeout=-1");
    expect_usage(p, "out of range");
    PARSE(p, "-m", "a,,b");
    expect_usage(p, "empty name");
}

static void missing_values(void **state)
{
    struct parsed *p = *state;

    PARSE(p, "--model");
    expect_usage(p, "--model needs a value: --model MODEL");
    PARSE(p, "--model", "--verbose");
    expect_usage(p, "--model needs a value");
    PARSE(p, "-j");
    expect_usage(p, "--jobs needs a value");
}

/* Rows of any width: their first member is the word. */
static void a_word_of_a_table(void **state)
{
    static const struct {
        const char *word;
        int extra;
    } rows[] = {{"open", 1}, {"close", 2}, {"list", 3}};
    static const char *const one[] = {"check"};
    const struct opt_words words = OPT_WORDS(NULL, rows), option = OPT_WORDS("--what", one);
    struct err e = {0};
    size_t row = 7;

    (void)state;
    assert_int_equal(opt_choose(&words, "close", &row, &e), OK);
    assert_int_equal(row, 1);
    assert_int_equal(opt_choose(&words, "clsoe", &row, &e), E_USAGE);
    assert_string_equal(e.msg, "'clsoe': expected open, close or list; did you mean 'close'?");
    assert_int_equal(row, 1);
    assert_int_equal(opt_choose(&option, "", &row, &e), E_USAGE);
    assert_string_equal(e.msg, "--what '': expected check");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(forms, setup, teardown),
        cmocka_unit_test_setup_teardown(defaults_stay, setup, teardown),
        cmocka_unit_test_setup_teardown(any_order, setup, teardown),
        cmocka_unit_test_setup_teardown(lists, setup, teardown),
        cmocka_unit_test_setup_teardown(values_may_look_odd, setup, teardown),
        cmocka_unit_test_setup_teardown(wrong_options, setup, teardown),
        cmocka_unit_test_setup_teardown(wrong_values, setup, teardown),
        cmocka_unit_test_setup_teardown(missing_values, setup, teardown),
        cmocka_unit_test(a_word_of_a_table),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
