#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "text/base64.h"
#include "text/png.h"
#include "text/unpack.h"
#include "unit/card_world.h"

static int setup(void **state)
{
    *state = arena_new();
    return 0;
}

static int teardown(void **state)
{
    arena_free(*state);
    return 0;
}

/* ---- base64, checksum, deflate ---- */

/* RFC 4648, section 10 */
static void base64_vectors(void **state)
{
    static const char *const pairs[][2] = {{"", ""},
                                           {"Zg==", "f"},
                                           {"Zm8=", "fo"},
                                           {"Zm9v", "foo"},
                                           {"Zm9vYg==", "foob"},
                                           {"Zm9vYmE=", "fooba"},
                                           {"Zm9vYmFy", "foobar"},
                                           {"Zm9v\r\nYmE", "fooba"},
                                           {" 5pif54G1 ", "星灵"}};
    struct err e = {0};

    for (size_t i = 0; i < COUNT(pairs); i++) {
        struct str out;
        assert_int_equal(base64_read(*state, str_of(pairs[i][0]), &out, &e), OK);
        if (!str_is(out, pairs[i][1]))
            fail_msg("%s: '%.*s'", pairs[i][0], STR_ARG(out));
    }
}

static void base64_garbage_is_refused(void **state)
{
    struct str out = STR("untouched");
    struct err e = {0};

    expect_refused(base64_read(*state, STR("Zm9v!m"), &out, &e), &e, "byte 5 is 0x21");
    expect_refused(base64_read(*state, STR("Zg==Zg=="), &out, &e), &e, "byte 3 is 0x3D");
    expect_refused(base64_read(*state, STR("Zm9vY"), &out, &e), &e, "group of four");
    expect_refused(base64_read(*state, STR("\xE6\x98"), &out, &e), &e, "byte 1 is 0xE6");
    assert_true(str_is(out, "untouched"));
}

static void base64_reads_what_is_written(void **state)
{
    for (size_t n = 0; n < 70; n++) {
        struct buf b = BUF_MAX(1000);
        char bytes[70];
        struct str out;
        struct err e = {0};
        for (size_t i = 0; i < n; i++)
            bytes[i] = (char)(unsigned char)(i * 37 + n);
        put_base64(&b, (struct str){bytes, n});
        assert_int_equal(base64_read(*state, buf_str(&b), &out, &e), OK);
        assert_true(str_eq(out, (struct str){bytes, n}));
        buf_done(&b);
    }
}

/* The check value of CRC-32 in every catalogue. */
static void checksum_is_the_known_one(void **state)
{
    (void)state;
    assert_int_equal(unpack_crc(STR("123456789")), 0xCBF43926);
    assert_int_equal(unpack_crc(STR("")), 0);
}

/* A stored block, written by hand after RFC 1951, 3.2.4. */
static void deflate_by_hand(void **state)
{
    struct err e = {0};
    struct str out;

    assert_int_equal(unpack_all(*state,
                                STR("\1\3\0\xFC\xFF"
                                    "abc"),
                                UNPACK_RAW, 3, &out, &e),
                     OK);
    assert_true(str_is(out, "abc"));
    expect_refused(unpack_all(*state,
                              STR("\1\3\0\xFC\xFF"
                                  "abc"),
                              UNPACK_RAW, 2, &out, &e),
                   &e, "more than 2 bytes");
    expect_refused(unpack_all(*state,
                              STR("\1\3\0\xFC\xFF"
                                  "ab"),
                              UNPACK_RAW, 9, &out, &e),
                   &e, "end too early");
    expect_refused(unpack_all(*state,
                              STR("\1\3\0\xFC\xFF"
                                  "abcd"),
                              UNPACK_RAW, 9, &out, &e),
                   &e, "1 bytes follow");
    expect_refused(unpack_all(*state, STR("\7abc"), UNPACK_RAW, 9, &out, &e), &e, "damaged");
    expect_refused(unpack_all(*state, STR(""), UNPACK_ZLIB, 9, &out, &e), &e, "end too early");
}

/* ---- PNG ---- */

/* One text in each of the four ways. */
static void put_texts(struct buf *b)
{
    struct buf data = BUF_MAX(1000);

    put_png(b);
    put_chunk(b, "tEXt", STR("Title\0plain"));
    buf_add(&data, STR("chara\0\0"));
    put_deflated(&data, STR("packed"), 15);
    put_chunk(b, "zTXt", buf_str(&data));
    put_chunk(b, "iTXt",
              STR("ccv3\0\0\0ja\0\xE9\xA1\x8C\0"
                  "international"));
    buf_clear(&data);
    buf_add(&data, STR("ccv3\0\1\0\0\0"));
    put_deflated(&data, STR("both"), 15);
    put_chunk(b, "iTXt", buf_str(&data));
    put_chunk(b, "acTL", STR("\0\0\0\1\0\0\0\0"));
    put_png_end(b);
    buf_done(&data);
}

static void texts_are_read(void **state)
{
    static const char *const want[][3] = {{"tEXt", "Title", "plain"},
                                          {"zTXt", "chara", "packed"},
                                          {"iTXt", "ccv3", "international"},
                                          {"iTXt", "ccv3", "both"}};
    AUTO(buf_done) struct buf b = BUF_MAX(WORLD_MAX);
    struct png_texts got;
    struct err e = {0};

    put_texts(&b);
    assert_int_equal(png_read(*state, buf_str(&b), &got, &e), OK);
    assert_int_equal(got.n, COUNT(want));
    for (size_t i = 0; i < got.n; i++) {
        struct str text;
        assert_string_equal(got.v[i].type, want[i][0]);
        assert_true(str_is(got.v[i].keyword, want[i][1]));
        assert_int_equal(png_unpack(*state, &got.v[i], &text, &e), OK);
        assert_true(str_is(text, want[i][2]));
        assert_memory_equal(b.p + got.v[i].at + 4, want[i][0], 4);
    }
}

static void a_cut_file_is_refused_wherever_it_was_cut(void **state)
{
    AUTO(buf_done) struct buf b = BUF_MAX(WORLD_MAX);

    put_texts(&b);
    for (size_t n = 0; n < b.n; n++) {
        struct png_texts got;
        struct err e = {0};
        expect_refused(png_read(*state, (struct str){b.p, n}, &got, &e), &e,
                       n < 8 ? "not a PNG" : "cut off");
    }
}

/* Every byte is covered: by the signature, a length that must fit, or a checksum. */
static void every_flipped_byte_is_noticed(void **state)
{
    AUTO(buf_done) struct buf b = BUF_MAX(WORLD_MAX);

    put_texts(&b);
    for (size_t i = 0; i < b.n; i++) {
        struct png_texts got;
        struct err e = {0};
        b.p[i] ^= 0x10;
        assert_int_equal(png_read(*state, buf_str(&b), &got, &e), E_INPUT);
        b.p[i] ^= 0x10;
    }
}

/* A file with one chunk more, of this type and content. */
static enum status read_with(struct arena *a, const char *type, struct str data,
                             struct png_texts *got, struct err *e)
{
    AUTO(buf_done) struct buf b = BUF_MAX(WORLD_MAX);

    put_png(&b);
    put_chunk(&b, type, data);
    put_png_end(&b);
    return png_read(a, arena_str(a, buf_str(&b)), got, e);
}

static void odd_chunks_are_refused(void **state)
{
    char *large = arena_alloc(*state, 50 << 20);
    struct png_texts got;
    struct err e = {0};

    expect_refused(read_with(*state, "tEXt", STR("no end of a keyword"), &got, &e), &e,
                   "the tEXt chunk at byte");
    expect_refused(read_with(*state, "tEXt", STR("\0text"), &got, &e), &e, "no keyword");
    expect_refused(read_with(*state, "zTXt", STR("chara\0"), &got, &e), &e, "within its head");
    expect_refused(read_with(*state, "zTXt", STR("chara\0\1"), &got, &e), &e, "unknown way");
    expect_refused(read_with(*state, "iTXt", STR("chara\0\0\0en"), &got, &e), &e,
                   "within its head");
    expect_refused(read_with(*state, "t3Xt", STR(""), &got, &e), &e, "no chunk begins");
    expect_refused(read_with(*state, "IHDR", STR(""), &got, &e), &e, "IHDR chunk at byte");
    memset(large, 'a', 50 << 20);
    large[5] = '\0';
    expect_refused(read_with(*state, "tEXt", (struct str){large, 50 << 20}, &got, &e), &e,
                   "larger than a text may be");
    assert_int_equal(read_with(*state, "prIV", (struct str){large, 50 << 20}, &got, &e), OK);
    assert_int_equal(got.n, 0);
}

/* A chunk that says 50 MB in a file of a few bytes. */
static void a_length_beyond_the_file_is_refused(void **state)
{
    AUTO(buf_done) struct buf b = BUF_MAX(WORLD_MAX);
    struct png_texts got;
    struct err e = {0};

    put_png(&b);
    put_be32(&b, 50 << 20);
    buf_text(&b, "tEXtchara");
    expect_refused(png_read(*state, buf_str(&b), &got, &e), &e, "52428800 bytes");
    b.n = 33;
    put_be32(&b, 0xFFFFFFFF);
    buf_text(&b, "tEXtchara");
    expect_refused(png_read(*state, buf_str(&b), &got, &e), &e, "no chunk begins at byte 33");
}

static void a_text_that_swells_is_refused(void **state)
{
    AUTO(buf_done) struct buf data = BUF_MAX(WORLD_MAX);
    char *zeros = arena_alloc(*state, 40 << 20);
    struct png_texts got;
    struct err e = {0};
    struct str text;

    buf_add(&data, STR("chara\0\0"));
    put_deflated(&data, (struct str){zeros, 40 << 20}, 15);
    assert_int_equal(read_with(*state, "zTXt", buf_str(&data), &got, &e), OK);
    expect_refused(png_unpack(*state, &got.v[0], &text, &e), &e, "more than 25165824 bytes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(base64_vectors, setup, teardown),
        cmocka_unit_test_setup_teardown(base64_garbage_is_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(base64_reads_what_is_written, setup, teardown),
        cmocka_unit_test(checksum_is_the_known_one),
        cmocka_unit_test_setup_teardown(deflate_by_hand, setup, teardown),
        cmocka_unit_test_setup_teardown(texts_are_read, setup, teardown),
        cmocka_unit_test_setup_teardown(a_cut_file_is_refused_wherever_it_was_cut, setup, teardown),
        cmocka_unit_test_setup_teardown(every_flipped_byte_is_noticed, setup, teardown),
        cmocka_unit_test_setup_teardown(odd_chunks_are_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(a_length_beyond_the_file_is_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(a_text_that_swells_is_refused, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
