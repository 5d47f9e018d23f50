#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <unistd.h>

#include "base/csv.h"

static char path[] = "/tmp/test_csv.XXXXXX";

static int make_file(void **state)
{
    int fd = mkstemp(path);

    (void)state;
    return fd < 0 ? -1 : close(fd);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

/* Every record of text as "line[field|field]"; "!message" where reading failed. */
static const char *read_all(struct arena *a, struct str text, size_t max)
{
    AUTO(buf_done) struct buf out = BUF_MAX(10000);
    struct err e = {0};
    struct csv c;
    bool more = true;

    assert_int_equal(file_write(path, text, &e), OK);
    assert_int_equal(csv_open(&c, path, max, &e), OK);
    while (more) {
        if (csv_next(&c, &more, &e) != OK) {
            assert_int_equal(e.code, E_INPUT);
            buf_fmt(&out, "!%s", strchr(e.msg, ':'));
            break;
        }
        if (more)
            buf_fmt(&out, "%lld[", (long long)c.line);
        for (size_t i = 0; more && i < c.n; i++) {
            assert_int_equal(c.fields[i].p[c.fields[i].n], '\0');
            buf_fmt(&out, "%s%.*s", i ? "|" : "", STR_ARG(c.fields[i]));
        }
        if (more)
            buf_char(&out, ']');
    }
    csv_close(&c);
    return arena_text(a, buf_str(&out));
}

static void reads(void **state)
{
    const struct {
        const char *name;
        struct str text;
        const char *want;
    } cases[] = {
        {"plain", STR("a,b\n1,2\n"), "1[a|b]2[1|2]"},
        {"no last newline", STR("a,b\n1,2"), "1[a|b]2[1|2]"},
        {"CRLF", STR("a,b\r\n1,2\r\n"), "1[a|b]2[1|2]"},
        {"lone CR is text", STR("a\rb\n"), "1[a\rb]"},
        {"BOM", STR("\xEF\xBB\xBF\"a\",b\n"), "1[a|b]"},
        {"BOM alone", STR("\xEF\xBB\xBF"), ""},
        {"BOM later is text", STR("a\n\xEF\xBB\xBFx\n"), "1[a]2[\xEF\xBB\xBFx]"},
        {"empty", STR(""), ""},
        {"empty lines", STR("\n\na\n\r\nb\n\n"), "3[a]5[b]"},
        {"empty fields", STR(",\n,,x\n"), "1[|]2[||x]"},
        {"quoted empty", STR("\"\"\n"), "1[]"},
        {"quoted", STR("\"a,\"\"b\"\"\",c\n"), "1[a,\"b\"|c]"},
        {"line breaks in quotes", STR("\"a\nb\r\nc\",d\ne\n"), "1[a\nb\r\nc|d]4[e]"},
        {"quote inside plain", STR("a\"b,c\n"), "1[a\"b|c]"},
        {"spaces stay", STR(" a , b\n"), "1[ a | b]"},
        {"unclosed", STR("x\n1,\"a\nb\n"), "1[x]!:2: the quote opened here is not closed"},
        {"unclosed after escape", STR("\"a\n\"\""), "!:1: the quote opened here is not closed"},
        {"after the quote", STR("x\n\"a\"b,c\n"), "1[x]!:2: text after a closing quote"},
        {"space after the quote", STR("\"a\" ,c\n"), "!:1: text after a closing quote"},
        {"semicolons", STR("a;b\n1,5;2\n"), "1[a|b]2[1,5|2]"},
        {"tabs", STR("a\tb\n1;2\t3,4\n"), "1[a|b]2[1;2|3,4]"},
        {"most of them", STR("a;b, c;d\n1;2;3\n"), "1[a|b, c|d]2[1|2|3]"},
        {"as many as commas", STR("a;b,c\n"), "1[a;b|c]"},
        {"outside quotes", STR("\"a,b,c\nd,\";e\n1;2\n"), "1[a,b,c\nd,|e]3[1|2]"},
        {"below empty lines", STR("\n\r\na;b\n"), "3[a|b]"},
        {"a break in the quotes of the first record", STR("a;\"b,\nc,,,\n\"\n1;2\n"),
         "1[a|b,\nc,,,\n]4[1|2]"},
        {"a quote that opens nothing", STR("5\";a\n1;2\n"), "1[5\";a]2[1;2]"},
        {"CR at the end", STR("a,b\r"), "1[a|b\r]"},
        {"CR alone ends lines", STR("a,b\r1,2\r"),
         "!:1: lines end with CR alone; save the file with LF or CRLF line ends"},
        {"semicolons behind a BOM", STR("\xEF\xBB\xBF\"a\";b\r\n"), "1[a|b]"},
        {"invalid UTF-8", STR("a\n\xFF\n"), "1[a]!:2: not valid UTF-8; save the file as UTF-8"},
        {"NUL", STR("a\0b\n"), "!:1: a NUL byte; is this a text file?"},
        {"NUL in quotes", STR("\"a\0b\"\n"), "!:1: a NUL byte; is this a text file?"},
    };
    AUTO(arena_freep) struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const char *got = read_all(a, cases[i].text, 1000);
        if (strcmp(got, cases[i].want) != 0)
            fail_msg("%s: got %s, want %s", cases[i].name, got, cases[i].want);
    }
}

/* Where fields begin, over line breaks, doubled quotes and characters of several bytes. */
static void places(void **state)
{
    static const int64_t want[][2] = {{1, 1}, {1, 3}, {2, 1}, {3, 7}, {3, 10}, {4, 1}, {4, 2}};
    struct err e = {0};
    struct csv c;
    bool more = true;
    size_t n = 0;

    (void)state;
    assert_int_equal(file_write(path,
                                STR("\xEF\xBB\xBF"
                                    "a,b\r\n\"x\ny\"\"z\",你好,c\n,d\n"),
                                &e),
                     OK);
    assert_int_equal(csv_open(&c, path, 1000, &e), OK);
    for (;;) {
        assert_int_equal(csv_next(&c, &more, &e), OK);
        if (!more)
            break;
        for (size_t i = 0; i < c.n; i++, n++) {
            assert_int_equal(csv_place(&c, i).line, want[n][0]);
            assert_int_equal(csv_place(&c, i).column, want[n][1]);
        }
    }
    assert_int_equal(n, COUNT(want));
    csv_close(&c);
}

static void record_has_a_limit(void **state)
{
    (void)state;
    AUTO(arena_freep) struct arena *a = arena_new();

    assert_string_equal(read_all(a, STR("ab,cd\n"), 5), "1[ab|cd]");
    assert_string_equal(read_all(a, STR("x\nab,cde\n"), 5), "1[x]!:2: record over 5 bytes");
    assert_string_equal(read_all(a, STR(",,,,,\n"), 5), "1[|||||]");
    assert_string_equal(read_all(a, STR(",,,,,,\n"), 5), "!:1: record over 5 bytes");
    assert_string_equal(read_all(a, STR("\"abcdefgh\n"), 5), "!:1: record over 5 bytes");
    assert_string_equal(read_all(a, STR("\"\"\"\",\"\"\"\",\"\"\"\""), 5), "1[\"|\"|\"]");
}

/* Each is looked at once: all of those before it at each one took hours. */
static void many_empty_lines(void **state)
{
    (void)state;
    AUTO(arena_freep) struct arena *a = arena_new();
    size_t n = 4 << 20;
    char *text = arena_alloc(a, n + 5);

    memset(text, '\n', n);
    memcpy(text + n, "a;b\n", 5);
    assert_string_equal(read_all(a, (struct str){text, n + 4}, 10), "4194305[a|b]");
}

static void absent_file(void **state)
{
    (void)state;
    struct err e = {0};
    struct csv c;

    assert_int_equal(csv_open(&c, "/nonexistent/x.csv", 10, &e), E_ABSENT);
    assert_non_null(strstr(e.msg, "/nonexistent/x.csv"));
}

static void directory_is_an_error(void **state)
{
    (void)state;
    struct err e = {0};
    struct csv c;
    bool more;

    assert_int_equal(csv_open(&c, "/tmp", 10, &e), OK);
    assert_int_equal(csv_next(&c, &more, &e), E_SYSTEM);
    csv_close(&c);
}

static void writes(void **state)
{
    const struct {
        struct str field;
        const char *want;
    } cases[] = {
        {STR("\xEF\xBB\xBFx"), "\"\xEF\xBB\xBFx\""},
        {STR("abc"), "abc"},
        {STR("a,b"), "\"a,b\""},
        {STR("a\"b"), "\"a\"\"b\""},
        {STR("a\nb"), "\"a\nb\""},
        {STR("\rb"), "\"'\rb\""},
        {STR(""), "\"\""},
        {STR("=1+1"), "'=1+1"},
        {STR("@x"), "'@x"},
        {STR("-3.5"), "-3.5"},
        {STR("+7"), "+7"},
        {STR("-3.5e2"), "-3.5e2"},
        {STR("-x"), "'-x"},
        {STR("+1+cmd"), "'+1+cmd"},
        {STR("\tx"), "'\tx"},
        {STR("-1,5"), "\"'-1,5\""},
        {STR("=\"x\""), "\"'=\"\"x\"\"\""},
        {STR("a=b"), "a=b"},
        {STR("日本"), "日本"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        AUTO(buf_done) struct buf out = BUF_MAX(100);
        csv_put(&out, cases[i].field, true);
        assert_string_equal(out.p, cases[i].want);
    }
}

static void what_was_written_reads_back(void **state)
{
    (void)state;
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(buf_done) struct buf out = BUF_MAX(100);

    csv_put(&out, STR(""), true);
    buf_char(&out, '\n');
    csv_put(&out, STR("x\r\n\"y\""), true);
    csv_put(&out, STR(""), false);
    csv_put(&out, STR(" z,"), false);
    buf_char(&out, '\n');
    assert_string_equal(read_all(a, buf_str(&out), 100), "1[]2[x\r\n\"y\"|| z,]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads),
        cmocka_unit_test(places),
        cmocka_unit_test(record_has_a_limit),
        cmocka_unit_test(many_empty_lines),
        cmocka_unit_test(absent_file),
        cmocka_unit_test(directory_is_an_error),
        cmocka_unit_test(writes),
        cmocka_unit_test(what_was_written_reads_back),
    };

    return cmocka_run_group_tests(tests, make_file, remove_file);
}
