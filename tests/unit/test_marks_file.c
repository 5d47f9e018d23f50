/* Ratings in long form: what is read from CSV and JSONL, that the order of lines decides nothing,
 * and what is said, and where, about files that cannot be read. */
/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "exchange/marks_file.h"
#include "math/accord.h"
#include "unit/near.h"

static char path[] = "/tmp/test_rated.XXXXXX";

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

static enum status read_text(struct arena *a, const char *text, enum agree_level level,
                             struct marks_set *out, struct err *e)
{
    assert_int_equal(file_write(path, str_of(text), e), OK);
    return marks_file_read(a, path, level, out, e);
}

/* Everything that was read, dimension by dimension. */
static const char *shown(struct arena *a, const char *text, enum agree_level level)
{
    AUTO(buf_done) struct buf out = BUF_MAX(10000);
    struct marks_set s;
    struct err e = {0};

    if (read_text(a, text, level, &s, &e) != OK)
        fail_msg("%s", e.msg);
    for (size_t d = 0; d < s.n; d++) {
        const struct cells *c = &s.v[d].cells;
        buf_fmt(&out, "%s %zux%zu:", s.v[d].name ? s.v[d].name : "-", c->units, c->raters);
        for (size_t i = 0; i < c->n; i++)
            buf_fmt(&out, " %u/%u=%g", c->v[i].unit, c->v[i].rater, c->v[i].value);
        buf_text(&out, "; ");
    }
    buf_fmt(&out, "%zu+%zu", s.ratings, s.blank);
    return arena_text(a, buf_str(&out));
}

static void reads(void **state)
{
    struct arena *a = arena_new();

    (void)state;
    assert_string_equal(shown(a, "unit,rater,value\nu,r,1\nu,s,2.5\nv,r,0\n", AGREE_INTERVAL),
                        "- 2x2: 0/0=1 0/1=2.5 1/0=0; 3+0");
    assert_string_equal(
        shown(a,
              "\xEF\xBB\xBFrater,note,dimension,value,unit\r\n"
              "r,\"a, b\",fun,3, u \r\ns,,fun,,u\r\ns,,fluent,1,u\r\nr,,fun,2,t\r\n",
              AGREE_ORDINAL),
        "fun 2x1: 0/0=2 1/0=3; fluent 1x1: 0/0=1; 3+1");
    assert_string_equal(shown(a,
                              "{\"unit\": 7, \"rater\": \"r\", \"value\": 2}\n\n"
                              "{\"unit\": \"8\", \"rater\": \"r\", \"value\": \"3\"}\n"
                              "{\"unit\": 8, \"rater\": \"s\", \"value\": null}\n",
                              AGREE_RATIO),
                        "- 2x1: 0/0=2 1/0=3; 2+1");
    arena_free(a);
}

/* Words; numbers among them are one category however they are written. */
static void names_of_categories(void **state)
{
    struct arena *a = arena_new();

    (void)state;
    assert_string_equal(shown(a,
                              "unit,rater,value\na,r,yes\na,s,no\nb,r,1\nb,s,1.0\nc,r,yes\n"
                              "d,r,-0\nd,s,0\n",
                              AGREE_NOMINAL),
                        "- 4x2: 0/0=0 0/1=1 1/0=2 1/1=2 2/0=0 3/0=3 3/1=3; 7+0");
    assert_string_equal(shown(a,
                              "{\"unit\":\"a\",\"rater\":\"r\",\"value\":true}\n"
                              "{\"unit\":\"a\",\"rater\":\"s\",\"value\":\"true\"}\n",
                              AGREE_NOMINAL),
                        "- 1x2: 0/0=0 0/1=0; 2+0");
    arena_free(a);
}

static void order_decides_nothing(void **state)
{
    static const char *const lines[] = {"u1,r1,3\n", "u1,r2,4\n", "u2,r1,1\n", "u2,r3,1\n",
                                        "u3,r2,5\n", "u3,r3,2\n", "u4,r1,4\n", "u4,r3,5\n"};
    const struct accord_how how = {AGREE_ORDINAL, JACKKNIFE_THESE};
    struct arena *a = arena_new();
    struct accord first = {0};

    (void)state;
    for (size_t turn = 0; turn < COUNT(lines); turn++) {
        AUTO(buf_done) struct buf text = BUF_MAX(1000);
        struct marks_set s;
        struct err e = {0};
        struct accord got;
        buf_text(&text, "unit,rater,value\n");
        for (size_t i = 0; i < COUNT(lines); i++)
            buf_text(&text, lines[(5 * i + turn) % COUNT(lines)]);
        assert_int_equal(read_text(a, text.p, AGREE_ORDINAL, &s, &e), OK);
        got = accord_of(&s.v[0].cells, &how);
        if (turn == 0)
            first = got;
        assert_memory_equal(&got.alpha, &first.alpha, sizeof got.alpha);
        assert_near(got.icc.single[ICC_2].value, first.icc.single[ICC_2].value, 0);
    }
    arena_free(a);
}

static void what_is_defined(void **state)
{
    struct arena *a = arena_new();
    struct marks_set s;
    struct err e = {0};
    struct accord got;

    (void)state;
    assert_int_equal(read_text(a, "unit,rater,value\na,r,1\na,s,1\nb,r,2\nb,s,3\nc,r,3\nc,s,3\n",
                               AGREE_ORDINAL, &s, &e),
                     OK);
    got = accord_of(&s.v[0].cells, &(struct accord_how){AGREE_ORDINAL, JACKKNIFE_THESE});
    assert_int_equal(got.units, 3);
    assert_int_equal(got.raters, 2);
    assert_true(isfinite(got.kappa[KAPPA_QUADRATIC].value) && isfinite(got.concordance));
    assert_true(isfinite(got.icc.mean[ICC_3].value) && isfinite(got.many.fleiss));
    got = accord_of(&s.v[0].cells, &(struct accord_how){AGREE_NOMINAL, JACKKNIFE_THESE});
    assert_true(isfinite(got.alpha.value) && isnan(got.alpha.low));
    assert_true(isfinite(got.kappa[KAPPA_PLAIN].value) && isnan(got.kappa[KAPPA_LINEAR].value));
    assert_true(isnan(got.concordance) && isnan(got.icc.single[ICC_1].value));
    arena_free(a);
}

static void faults(void **state)
{
    static const struct {
        enum agree_level level;
        const char *text, *says;
    } cases[] = {
        {AGREE_NOMINAL, "", ": no ratings"},
        {AGREE_NOMINAL, "unit,rater,value\n", ": no ratings"},
        {AGREE_NOMINAL, "unit,rater,value\nu,r,\n", ": no ratings"},
        {AGREE_NOMINAL, "unit,rater,points\nu,r,1\n", "found: unit, rater, points"},
        {AGREE_NOMINAL, "unit,rater,value,unit\n", ":1:18: a second column unit"},
        {AGREE_NOMINAL, "unit,rater,value\nu,r\n", ":2:3: 2 fields, but the header has 3"},
        {AGREE_NOMINAL, "unit,rater,value\nu,r,1,2\n", ":2:7: 4 fields, but"},
        {AGREE_NOMINAL, "unit,rater,value\n,r,1\n", ":2:1: unit is empty"},
        {AGREE_NOMINAL, "unit,rater,value\n你好,,1\n", ":2:4: rater is empty"},
        {AGREE_ORDINAL, "unit,rater,value\n你,r,good\n", ":2:5: value \"good\" is not a number"},
        {AGREE_INTERVAL, "unit,rater,value\nu,r,inf\n", ":2:5: value \"inf\" is not a number"},
        {AGREE_INTERVAL, "unit,rater,value\nu,r,-1e13\n", ":2:5: value -1e13 is beyond 1e+12"},
        {AGREE_RATIO, "unit,rater,value\nu,r,-1\n", ":2:5: value -1 is below 0"},
        {AGREE_ORDINAL, "unit,rater,value,dimension\nu,r,1,\n", ":2:7: dimension is empty"},
        {AGREE_ORDINAL, "unit,rater,value\nu,r,1\nv,r,1\nu,r,2\nv,r,2\n",
         ":4:1: rater \"r\" has already rated unit \"u\" on line 2"},
        {AGREE_ORDINAL, "unit,rater,value,dimension\nu,r,1,x\nu,r,1,y\nu,r,1,x\n",
         ":4:1: rater \"r\" has already rated unit \"u\" for x on line 2"},
        {AGREE_ORDINAL, "unit,rater,value\n\"u\nu\",r,1\nu,\"r\n", ":4: the quote opened here"},
        {AGREE_ORDINAL, "{\"unit\":\"u\",\"rater\":\"r\",\"value\":\"x\"}\n",
         ":1:33: value \"x\" is not a number"},
        {AGREE_ORDINAL, "{\"unit\":\"u\",\"rater\":\"r\",\"value\":[1]}\n",
         ":1:33: value is neither text nor a number"},
        {AGREE_ORDINAL, "{\"unit\":\"u\",\"value\":1}\n", ":1:1: rater is empty"},
        {AGREE_ORDINAL, "{\"unit\":\"u\",\"rater\":\"r\",\"value\":1\n", ":1:"},
        {AGREE_ORDINAL,
         "{\"unit\":1,\"rater\":1,\"value\":1}\n{\"unit\":1,\"rater\":1,\"value\":1}\n",
         ":2:1: rater \"1\" has already rated unit \"1\" on line 1"},
        {AGREE_ORDINAL,
         "{\"unit\":1,\"rater\":1,\"value\":1}\n"
         "{\"unit\":2,\"rater\":1,\"value\":1,\"dimension\":\"d\"}\n",
         ":2:43: a dimension is given, but the first line has none"},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct marks_set s = {0};
        struct err e = {0};
        assert_int_equal(read_text(a, cases[i].text, cases[i].level, &s, &e), E_INPUT);
        if (!strstr(e.msg, cases[i].says))
            fail_msg("case %zu: \"%s\" does not say \"%s\"", i, e.msg, cases[i].says);
        assert_null(s.v);
    }
    arena_free(a);
}

static void limits(void **state)
{
    AUTO(buf_done) struct buf text = BUF_MAX(1 << 20);
    struct arena *a = arena_new();
    struct marks_set s = {0};
    struct err e = {0};

    (void)state;
    buf_text(&text, "unit,rater,value\n");
    for (int i = 0; i <= MARKS_RATIO_MAX; i++)
        buf_fmt(&text, "u%d,r,%d\n", i, i);
    assert_int_equal(read_text(a, text.p, AGREE_RATIO, &s, &e), E_INPUT);
    assert_non_null(strstr(e.msg, "more than 1000 different values at the ratio level"));
    assert_int_equal(read_text(a, text.p, AGREE_INTERVAL, &s, &e), OK);
    buf_clear(&text);
    buf_text(&text, "unit,rater,value,dimension\n");
    for (int i = 0; i <= MARKS_DIMENSIONS_MAX; i++)
        buf_fmt(&text, "u,r,1,d%d\n", i);
    assert_int_equal(read_text(a, text.p, AGREE_INTERVAL, &s, &e), E_INPUT);
    assert_non_null(strstr(e.msg, ":1002:7: more than 1000 different dimensions"));
    buf_clear(&text);
    buf_fmt(&text, "unit,rater,value\nu,%0*d,1\n", MARKS_NAME_MAX + 1, 0);
    assert_int_equal(read_text(a, text.p, AGREE_INTERVAL, &s, &e), E_INPUT);
    assert_non_null(strstr(e.msg, ":2:3: rater is longer than 1024 bytes"));
    assert_int_equal(marks_file_read(a, "/nowhere/at/all", AGREE_INTERVAL, &s, &e), E_ABSENT);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads),
        cmocka_unit_test(names_of_categories),
        cmocka_unit_test(order_decides_nothing),
        cmocka_unit_test(what_is_defined),
        cmocka_unit_test(faults),
        cmocka_unit_test(limits),
    };

    return cmocka_run_group_tests(tests, make_file, remove_file);
}
