#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "cmd/env.h"

static char dir[] = "/tmp/test_env.XXXXXX";
static char path[sizeof dir + 8];

static int setup(void **state)
{
    (void)state;
    if (!mkdtemp(dir))
        return -1;
    (void)snprintf(path, sizeof path, "%s/.env", dir);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    (void)unlink(path);
    return rmdir(dir);
}

/* Returns the number of the first bad line. */
static int load(struct str text)
{
    struct err e = {0};
    int bad = -1;

    assert_int_equal(file_write(path, text, &e), OK);
    assert_int_equal(env_load(path, &bad, &e), OK);
    return bad;
}

static void expect(const char *name, const char *value)
{
    const char *got = getenv(name);

    assert_non_null(got);
    assert_string_equal(got, value);
    assert_int_equal(unsetenv(name), 0);
}

static void forms(void **state)
{
    (void)state;
    assert_int_equal(load(STR("\xEF\xBB\xBFT_A=one\n"
                              "# a comment\n"
                              "\n"
                              "  T_B = two words \r\n"
                              "export T_C=three # a comment\n"
                              "T_D=with#hash\n"
                              "T_E=\n"
                              "T_F=a=b==\n"
                              "T_G=最后")),
                     0);
    expect("T_A", "one");
    expect("T_B", "two words");
    expect("T_C", "three");
    expect("T_D", "with#hash");
    expect("T_E", "");
    expect("T_F", "a=b==");
    expect("T_G", "最后");
}

static void quotes(void **state)
{
    (void)state;
    assert_int_equal(load(STR("T_A=\"a # b\\n\\\"c\\\"\"  # comment\n"
                              "T_B='a # \"b\\n\"'\n"
                              "T_C=\"\"\n"
                              "T_D=\"$HOME\"\n"
                              "T_E=it's\n")),
                     0);
    expect("T_A", "a # b\n\"c\"");
    expect("T_B", "a # \"b\\n\"");
    expect("T_C", "");
    expect("T_D", "$HOME");
    expect("T_E", "it's");
}

static void what_is_set_wins(void **state)
{
    (void)state;
    assert_int_equal(setenv("T_A", "outside", 1), 0);
    assert_int_equal(load(STR("T_A=inside\nT_B=first\nT_C=\nT_B=second\nT_A=inside\nT_C=third\n")),
                     0);
    expect("T_A", "outside");
    expect("T_B", "second"); /* as in a shell: the line that was added last */
    expect("T_C", "third");
}

static void bad_lines_are_passed_over(void **state)
{
    (void)state;
    assert_int_equal(load(STR("T_A=1\nnot a line\nT_B=2\n")), 2);
    expect("T_A", "1");
    expect("T_B", "2");
    assert_int_equal(load(STR("T_A=\"open\n")), 1);
    assert_null(getenv("T_A"));
    assert_int_equal(load(STR("\n\nT_A='x' y\n")), 3);
    assert_null(getenv("T_A"));
    assert_int_equal(load(STR("1T=x\n")), 1);
    assert_int_equal(load(STR("=x\n")), 1);
    assert_int_equal(load((struct str){"T_A=a\0b\n", 8}), 1);
    assert_null(getenv("T_A"));
}

static void limits(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    char *large = arena_alloc(a, ENV_BYTES_MAX + 2);
    struct err e = {0};
    int bad;

    (void)state;
    memset(large, '\n', ENV_LINES_MAX + 1);
    assert_int_equal(file_write(path, (struct str){large, ENV_LINES_MAX + 1}, &e), OK);
    assert_int_equal(env_load(path, &bad, &e), E_INPUT);
    memset(large, '#', ENV_BYTES_MAX + 1);
    assert_int_equal(file_write(path, (struct str){large, ENV_BYTES_MAX + 1}, &e), OK);
    assert_int_equal(env_load(path, &bad, &e), E_INPUT);
}

static void absent_or_a_directory(void **state)
{
    struct err e = {0};
    int bad = -1;

    (void)state;
    assert_int_equal(env_load("/nonexistent/.env", &bad, &e), OK);
    assert_int_equal(bad, 0);
    assert_int_equal(env_load(dir, &bad, &e), OK);
    assert_int_equal(bad, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms),
        cmocka_unit_test(quotes),
        cmocka_unit_test(what_is_set_wins),
        cmocka_unit_test(bad_lines_are_passed_over),
        cmocka_unit_test(limits),
        cmocka_unit_test(absent_or_a_directory),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
