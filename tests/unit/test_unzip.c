#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <zstd.h>

#include "base/zstd.h"
#include "text/unzip.h"
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

static struct str pack(struct arena *a, const struct zip_file *files, size_t n)
{
    AUTO(buf_done) struct buf b = BUF_MAX(WORLD_MAX);

    put_zip(&b, files, n);
    return arena_str(a, buf_str(&b));
}

/* The content of card.json, or why there is none. */
static enum status read_card(struct arena *a, struct str archive, struct str *out, struct err *e)
{
    const struct unzip_file *f;
    struct unzip z;

    if (unzip_open(a, archive, &z, e) != OK)
        return e->code;
    f = unzip_find(&z, "card.json");
    if (!f)
        return err_set(e, E_ABSENT, "no card.json");
    return unzip_read(a, &z, f, 1 << 20, out, e);
}

static const struct zip_file good[] = {
    {.name = {"assets/", 7}},
    {.name = {"assets/icon/main.png", 20}, .content = {"not a picture", 13}},
    {.name = {"card.json", 9}, .content = {"{\"spec\": \"spec spec spec spec\"}", 31}, .method = 8},
};

static void stored_and_deflated_files_are_read(void **state)
{
    struct str archive = pack(*state, good, COUNT(good)), out;
    struct err e = {0};
    struct unzip z;

    assert_true(unzip_is(archive));
    assert_int_equal(unzip_open(*state, archive, &z, &e), OK);
    assert_int_equal(z.n, 3);
    assert_null(unzip_find(&z, "main.png"));
    for (size_t i = 0; i < z.n; i++) {
        assert_int_equal(unzip_read(*state, &z, &z.v[i], 100, &out, &e), OK);
        assert_true(str_eq(out, good[i].content));
    }
    expect_refused(unzip_read(*state, &z, &z.v[1], 12, &out, &e), &e, "13 bytes (at most 12)");
}

/* Several frames one after another are one text; what is cut, damaged or too much is refused. */
static void zstandard_is_unpacked(void **state)
{
    char packed[4096], text[1000];
    struct str out, all;
    struct err e = {0};
    size_t one, two;

    memset(text, 'a', sizeof text);
    one = ZSTD_compress(packed, sizeof packed, text, sizeof text, 3);
    two = ZSTD_compress(packed + one, sizeof packed - one, "b", 1, 3);
    all = (struct str){packed, one + two};
    assert_int_equal(zstd_unpack(*state, all, 1001, &out, &e), OK);
    assert_int_equal(out.n, 1001);
    assert_int_equal(out.p[1000], 'b');
    expect_refused(zstd_unpack(*state, all, 1000, &out, &e), &e, "more than 1000 bytes");
    for (size_t n = 1; n < one; n++)
        assert_int_not_equal(zstd_unpack(*state, (struct str){packed, n}, 2000, &out, &e), OK);
    packed[1] = 'x';
    expect_refused(zstd_unpack(*state, all, 2000, &out, &e), &e, "damaged");
}

static void a_comment_may_follow(void **state)
{
    AUTO(buf_done) struct buf b = BUF_MAX(WORLD_MAX);
    struct err e = {0};
    struct str out;

    put_zip(&b, good, COUNT(good));
    b.n -= 2;
    put_le(&b, 9, 2);
    buf_text(&b, "PK\5\6 haha");
    assert_int_equal(read_card(*state, buf_str(&b), &out, &e), OK);
    buf_text(&b, "!");
    expect_refused(read_card(*state, buf_str(&b), &out, &e), &e, "no directory");
}

static void a_cut_archive_is_refused(void **state)
{
    struct str archive = pack(*state, good, COUNT(good)), out;

    for (size_t n = 0; n < archive.n; n++) {
        struct err e = {0};
        expect_refused(read_card(*state, (struct str){archive.p, n}, &out, &e), &e,
                       "damaged or cut off");
    }
}

/* Whatever byte is wrong, the card is what it was or it is refused. */
static void a_flipped_byte_never_changes_the_card(void **state)
{
    struct str archive = pack(*state, good, COUNT(good)), out;
    char *bytes = arena_copy(*state, archive.p, archive.n, 1);

    for (size_t i = 0; i < archive.n; i++)
        for (int bit = 0; bit < 8; bit++) {
            struct err e = {0};
            bytes[i] ^= (char)(1 << bit);
            if (read_card(*state, (struct str){bytes, archive.n}, &out, &e) == OK)
                assert_true(str_eq(out, good[2].content));
            bytes[i] ^= (char)(1 << bit);
        }
}

static void expect_file(void **state, struct zip_file f, const char *words)
{
    struct zip_file files[] = {{.name = STR("a"), .content = STR("b")}, f};
    struct str out;
    struct err e = {0};

    expect_refused(read_card(*state, pack(*state, files, COUNT(files)), &out, &e), &e, words);
}

#define CARD .name = STR("card.json"), .content = STR("{}")

static void names_that_lead_out_are_refused(void **state)
{
    static const char *const names[] = {"../card.json",
                                        "/etc/card.json",
                                        "a/../../card.json",
                                        "..\\card.json",
                                        "C:card.json",
                                        "a/./b",
                                        "a/..",
                                        "..",
                                        "C:/x"};

    for (size_t i = 0; i < COUNT(names); i++)
        expect_file(state, (struct zip_file){.name = str_of(names[i])},
                    "points outside the archive");
    expect_file(state, (struct zip_file){.name = STR("a\0b")}, "not UTF-8");
    expect_file(state, (struct zip_file){.name = STR("a\xFF")}, "not UTF-8");
    expect_file(state, (struct zip_file){.name = STR("a")}, "has 'a' twice");
}

static void odd_files_are_refused(void **state)
{
    expect_file(state, (struct zip_file){CARD, .flags = 1},
                "'card.json' in the zip archive is encr");
    expect_file(state, (struct zip_file){CARD, .method = 12}, "method 12");
    expect_file(state, (struct zip_file){CARD, .claimed = 3}, "size or checksum");
    expect_file(state, (struct zip_file){CARD, .claimed = 3, .method = 8}, "size or checksum");
    expect_file(state, (struct zip_file){CARD, .claimed = 1, .method = 8}, "more than 1 bytes");
    expect_file(state, (struct zip_file){CARD, .claimed = 0xFFFFFFFF}, "zip64");
    expect_file(state, (struct zip_file){CARD, .place = 1 << 20}, "points outside the archive");
    expect_file(state, (struct zip_file){CARD, .place = 3}, "no file begins");
    expect_file(state, (struct zip_file){CARD, .inside = STR("cart.json")}, "two names");
    expect_file(state, (struct zip_file){CARD, .claimed = 2000}, "would grow from 2 to 2000");
}

static void a_bomb_is_refused_before_it_is_unpacked(void **state)
{
    char *zeros = arena_alloc(*state, 64 << 20);
    struct zip_file bomb = {.name = STR("card.json"), .content = {zeros, 64 << 20}, .method = 8};

    expect_file(state, bomb, "would grow from");
    /* One that lies about its size unpacks to no more than it said. */
    bomb.claimed = 100;
    expect_file(state, bomb, "more than 100 bytes");
}

static void files_may_not_share_their_bytes(void **state)
{
    char *text = arena_alloc(*state, 4000);
    struct zip_file files[] = {
        {.name = STR("a"), .content = {text, 4000}, .place = 0},
        {.name = STR("b"), .content = STR("x")},
    };
    AUTO(buf_done) struct buf b = BUF_MAX(WORLD_MAX);
    struct str out;
    struct err e = {0};

    put_zip(&b, files, 2);
    /* both say 4000 bytes; together more than there are */
    for (size_t i = 0; i + 46 < b.n; i++)
        if (memcmp(b.p + i, "PK\1\2", 4) == 0) {
            memcpy(b.p + i + 20, "\xA0\x0F\0\0\xA0\x0F\0\0", 8);
            memset(b.p + i + 42, 0, 4);
        }
    expect_refused(read_card(*state, buf_str(&b), &out, &e), &e, "overlap");
}

/* What the last record says: number of files, length and place of the directory. */
static void expect_end(void **state, size_t at, const char *bytes, size_t n, const char *words)
{
    struct str archive = pack(*state, good, COUNT(good)), out;
    char *copy = arena_copy(*state, archive.p, archive.n, 1);
    struct err e = {0};

    memcpy(copy + archive.n - 22 + at, bytes, n);
    expect_refused(read_card(*state, (struct str){copy, archive.n}, &out, &e), &e, words);
}

static void the_end_is_checked(void **state)
{
    expect_end(state, 8, "\xFF\xFF\xFF\xFF", 4, "zip64");
    expect_end(state, 16, "\xFF\xFF\xFF\xFF", 4, "zip64");
    expect_end(state, 4, "\1", 1, "several parts");
    expect_end(state, 8, "\x20\x4E\x20\x4E", 4, "20000 files");
    expect_end(state, 8, "\2\0\2", 3, "longer than it says");
    expect_end(state, 8, "\4\0\4", 3, "ends too early");
    expect_end(state, 16, "\0\0", 2, "not where it should be");
}

static void an_archive_in_the_archive_stays_bytes(void **state)
{
    struct str inner = pack(*state, good, COUNT(good)), out;
    struct zip_file outer = {.name = STR("card.json"), .content = inner, .method = 8};
    struct err e = {0};

    assert_int_equal(read_card(*state, pack(*state, &outer, 1), &out, &e), OK);
    assert_true(str_eq(out, inner));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(stored_and_deflated_files_are_read, setup, teardown),
        cmocka_unit_test_setup_teardown(zstandard_is_unpacked, setup, teardown),
        cmocka_unit_test_setup_teardown(a_comment_may_follow, setup, teardown),
        cmocka_unit_test_setup_teardown(a_cut_archive_is_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(a_flipped_byte_never_changes_the_card, setup, teardown),
        cmocka_unit_test_setup_teardown(names_that_lead_out_are_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(odd_files_are_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(a_bomb_is_refused_before_it_is_unpacked, setup, teardown),
        cmocka_unit_test_setup_teardown(files_may_not_share_their_bytes, setup, teardown),
        cmocka_unit_test_setup_teardown(the_end_is_checked, setup, teardown),
        cmocka_unit_test_setup_teardown(an_archive_in_the_archive_stays_bytes, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
