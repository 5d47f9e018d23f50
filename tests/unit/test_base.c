#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/map.h"
#include "base/rng.h"

static void mem_grows(void **state)
{
    size_t cap = 0;
    int *p = NULL;

    (void)state;
    for (size_t i = 0; i < 1000; i++) {
        p = mem_grow(p, &cap, i + 1, sizeof *p);
        assert_true(cap > i);
        p[i] = (int)i;
    }
    assert_int_equal(p[0], 0);
    assert_int_equal(p[999], 999);
    free(p);
}

static void arena_gives_zeroed_aligned_memory(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    size_t small = arena_size(a);

    (void)state;
    for (size_t round = 0; round < 3; round++) {
        for (size_t n = 0; n < 5000; n += 37) {
            unsigned char *p = arena_alloc(a, n);
            assert_int_equal((uintptr_t)p % 16, 0);
            for (size_t i = 0; i < n; i++)
                assert_int_equal(p[i], 0);
            memset(p, 0xAA, n);
        }
        assert_true(arena_size(a) > small);
        arena_reset(a);
        assert_int_equal(arena_size(a), small);
    }
}

static void count_up(void *n)
{
    ++*(int *)n;
}

static void arena_releases_what_it_owns(void **state)
{
    struct arena *a = arena_new();
    int n = 0;

    (void)state;
    arena_own(a, count_up, &n);
    arena_own(a, count_up, &n);
    arena_reset(a);
    assert_int_equal(n, 2);
    arena_own(a, count_up, &n);
    arena_free(a);
    assert_int_equal(n, 3);
}

static void arena_copies_text(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct str s = arena_str(a, (struct str){"abcdef", 3});

    (void)state;
    assert_string_equal(s.p, "abc");
    assert_int_equal(s.n, 3);
    assert_string_equal(arena_text(a, (struct str){NULL, 0}), "");
    assert_string_equal(arena_printf(a, "%s-%03d", "x", 7), "x-007");
    assert_string_equal(arena_printf(a, "%s", ""), "");
    arena_free(NULL);
}

static void str_compares_and_cuts(void **state)
{
    struct str head, rest, line, text = STR("one\r\ntwo\n\nlast");
    struct str part, list = STR("a,,b c,");

    (void)state;
    assert_true(str_eq((struct str){NULL, 0}, STR("")));
    assert_false(str_eq(STR("a"), STR("b")));
    assert_true(str_is(str_of(NULL), ""));
    assert_true(str_starts(STR("abc"), STR("ab")) && !str_starts(STR("a"), STR("ab")));
    assert_true(str_ends(STR("abc"), STR("bc")) && !str_ends(STR("c"), STR("bc")));
    assert_true(str_is(str_trim(STR(" \t a b\r\n")), "a b"));
    assert_int_equal(str_trim(STR(" \n ")).n, 0);
    assert_int_equal(str_find(STR("hello"), STR("lo")), 3);
    assert_true(str_find(STR("hello"), STR("lol")) == SIZE_MAX);
    assert_true(str_find(STR("a"), STR("abc")) == SIZE_MAX);
    assert_true(str_cut(STR("k=v=w"), '=', &head, &rest));
    assert_true(str_is(head, "k") && str_is(rest, "v=w"));
    assert_false(str_cut(STR("k"), '=', &head, &rest));
    assert_int_equal(str_from(STR("abc"), 9).n, 0);
    assert_true(str_part(&list, ',', &part) && str_is(part, "a"));
    assert_true(str_part(&list, ',', &part) && str_is(part, ""));
    assert_true(str_part(&list, ',', &part) && str_is(part, "b c"));
    assert_false(str_part(&list, ',', &part)); /* nothing after the last separator */
    assert_true(str_line(&text, &line) && str_is(line, "one"));
    assert_true(str_line(&text, &line) && str_is(line, "two"));
    assert_true(str_line(&text, &line) && str_is(line, ""));
    assert_true(str_line(&text, &line) && str_is(line, "last"));
    assert_false(str_line(&text, &line));
}

static void str_takes_letters_in_either_case(void **state)
{
    (void)state;
    assert_true(str_is_nocase(STR("Host"), "hOST") && !str_is_nocase(STR("Host"), "hos"));
    assert_true(str_starts_nocase(STR("HTTP://h"), STR("http://")));
    assert_true(str_starts_nocase((struct str){NULL, 0}, STR("")));
    assert_false(str_starts_nocase(STR("ht"), STR("http")));
    assert_false(str_starts_nocase(STR("a@"), STR("a`"))); /* letters alone have a case */
    assert_false(str_starts_nocase(STR("a\0b"), STR("a\0c")));
    assert_int_equal(str_find_nocase(STR("so [End]"), STR("[END]")), 3);
    assert_int_equal(str_find_nocase(STR("abc"), STR("")), 0);
    assert_true(str_find_nocase(STR("[en"), STR("[end]")) == SIZE_MAX);
}

static void str_drops_heads_and_ends(void **state)
{
    struct str s = STR("<a>");

    (void)state;
    assert_false(str_drop(&s, STR("a")) || str_drop_end(&s, STR("a")));
    assert_true(str_drop(&s, STR("<")) && str_drop_end(&s, STR(">")) && str_is(s, "a"));
    assert_true(str_is(str_trim_wide(STR(" \u3000 a\u3000b\n\u3000")), "a\u3000b"));
    assert_int_equal(str_trim_wide(STR("\u3000 ")).n, 0);
}

static void str_reads_integers(void **state)
{
    static const char *const bad[] = {"",
                                      " 1",
                                      "1 ",
                                      "x",
                                      "1x",
                                      "-",
                                      "1.0",
                                      "0x10",
                                      "99999999999999999999",
                                      "9223372036854775808",
                                      "-9223372036854775809",
                                      "+",
                                      "--1",
                                      "1-"};
    int64_t v = 5;

    (void)state;
    assert_true(str_int(STR("-42"), &v) && v == -42);
    assert_true(str_int(STR("9223372036854775807"), &v) && v == INT64_MAX);
    assert_true(str_int(STR("-9223372036854775808"), &v) && v == INT64_MIN);
    assert_true(str_int(STR("+007"), &v) && v == 7);
    assert_true(str_int((struct str){"123", 2}, &v) && v == 12);
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_false(str_int(str_of(bad[i]), &v));
    assert_false(str_int(STR("1\0"), &v));
    assert_false(str_int(STR("1\0002"), &v));
    assert_int_equal(v, 12);
}

static void str_reads_numbers(void **state)
{
    static const char *const bad[] = {"",    ".",     "e",  "-",  "1e",    "1,5",  "inf",
                                      "nan", "0x1p3", " 1", "1 ", "1e999", "1.5.2"};
    double v = 7;

    (void)state;
    assert_true(str_double(STR("-1.5e2"), &v) && v == -150);
    assert_true(str_double(STR(".5"), &v) && v == 0.5);
    assert_true(str_double(STR("3"), &v) && v == 3);
    /* The exact value of the double next to 0.1, as other programs write it out. */
    assert_true(str_double(STR("0.1000000000000000055511151231257827021181583404541015625000000000"
                               "00000"),
                           &v) &&
                v == 0.1);
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_false(str_double(str_of(bad[i]), &v));
    assert_false(str_double(STR("1\0"), &v));
    assert_false(str_double(STR("1\0002"), &v));
    assert_true(v == 0.1);
}

static void buf_keeps_its_limit(void **state)
{
    AUTO(buf_done) struct buf b = BUF_MAX(6);

    (void)state;
    assert_true(str_is(buf_str(&b), ""));
    buf_text(&b, "abc");
    buf_fmt(&b, "%d", 12);
    assert_string_equal(b.p, "abc12");
    assert_false(b.full);
    buf_text(&b, "xy");
    assert_true(b.full);
    buf_char(&b, 'z'); /* nothing more after what was left out */
    assert_string_equal(b.p, "abc12");
    buf_clear(&b);
    buf_add(&b, STR("abcdef"));
    assert_false(b.full);
    assert_string_equal(b.p, "abcdef");
}

static void utf8_follows_rfc_3629(void **state)
{
    static const char *const bad[] = {"\x80",
                                      "\xC0\x80",
                                      "\xC1\xBF",
                                      "\xE0\x80\x80",
                                      "\xED\xA0\x80",
                                      "\xF0\x80\x80\x80",
                                      "\xF4\x90\x80\x80",
                                      "\xF5\x80\x80\x80",
                                      "\xE6\x97",
                                      "\xC3"};
    static const uint32_t runes[] = {'a',    0x7F,   0x80,   0x7FF,   0x800,
                                     0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF};
    AUTO(buf_done) struct buf b = BUF_MAX(100);
    struct str s;

    (void)state;
    for (size_t i = 0; i < COUNT(bad); i++) {
        s = str_of(bad[i]);
        assert_int_equal(utf8_check(s), 0);
        assert_int_equal(utf8_next(&s), 0xFFFD);
        assert_int_equal(s.n, strlen(bad[i]) - 1);
    }
    for (size_t i = 0; i < COUNT(runes); i++)
        buf_rune(&b, runes[i]);
    s = buf_str(&b);
    assert_int_equal(utf8_check(s), s.n);
    assert_int_equal(utf8_count(s), COUNT(runes));
    for (size_t i = 0; i < COUNT(runes); i++)
        assert_int_equal(utf8_next(&s), runes[i]);
    assert_int_equal(s.n, 0);
    assert_int_equal(utf8_check(STR("ab\xFF")), 2);
    assert_true(str_is(utf8_head(STR("日本語"), 2), "日本"));
    assert_true(str_is(utf8_head(STR("日本語"), 9), "日本語"));
}

static void err_wraps(void **state)
{
    struct err e = {0};
    char text[2000];

    (void)state;
    assert_int_equal(err_set(&e, E_INPUT, "bad %d", 7), E_INPUT);
    assert_int_equal(err_wrap(&e, "file %s", "x"), E_INPUT);
    assert_string_equal(e.msg, "file x: bad 7");
    for (size_t n = 0; n < 3; n++) { /* cut at each byte of a character */
        memset(text, 'a', sizeof text);
        for (size_t i = n; i + 3 < sizeof text; i += 3)
            memcpy(text + i, "語", 3);
        text[sizeof text - 1] = '\0';
        (void)err_set(&e, E_INPUT, "%s", text);
        assert_true(strlen(e.msg) > 1000);
        assert_int_equal(utf8_check(str_of(e.msg)), strlen(e.msg));
        (void)err_wrap(&e, "x");
        assert_memory_equal(e.msg, "x: ", 3);
        assert_int_equal(utf8_check(str_of(e.msg)), strlen(e.msg));
        (void)err_wrap(&e, "%s", text);
        assert_int_equal(utf8_check(str_of(e.msg)), strlen(e.msg));
    }
}

static void json_is_strict(void **state)
{
    static const char *const bad[] = {"",         "{",           "{\"a\":1,\"a\":2}", "[1] x",
                                      "\"\xFF\"", "\"\\ud800\"", "\"\\u0000\""};
    json_t *untouched = NULL;
    struct err e = {0};

    (void)state;
    for (size_t i = 0; i < COUNT(bad); i++) {
        assert_int_equal(json_read(str_of(bad[i]), &untouched, &e), E_INPUT);
        assert_null(untouched);
    }
    assert_int_equal(json_read((struct str){0}, &untouched, &e), E_INPUT); /* a body that is none */
    assert_int_equal(json_read(STR("[1,\n 2,\n x]"), &untouched, &e), E_INPUT);
    assert_non_null(strstr(e.msg, "line 3"));
}

static void json_is_mended(void **state)
{
    const struct {
        struct str text;
        const char *want; /* NULL: refused all the same */
        bool mended;
    } cases[] = {
        {STR("\"ok \\ud83d\\ude00\""), "ok 😀", false},
        {STR("\"a\\ud800b\""), "a\uFFFDb", true},
        {STR("\"a\\udc00\""), "a\uFFFD", true},
        {STR("\"\\ud800\\ud83d\\ude00\""), "\uFFFD😀", true},
        {STR("\"\\ud83d\\u0041\""), "\uFFFDA", true},
        {STR("\"a\\u0000b\""), "a\uFFFDb", true},
        {STR("\"a\0b\""), "a\uFFFDb", true},
        {STR("\"a\xFFz\""), "a\uFFFDz", true},
        {STR("\"\xE6\x97\""), "\uFFFD\uFFFD", true},
        {STR("\"\xFF\\\\u0000\\\\ud800\""), "\uFFFD\\u0000\\ud800", true},
        {STR("\"\xFF\\\"\\n\""), "\uFFFD\"\n", true},
        {STR("\"\\ud800"), NULL, false},
        {STR("\"\\ud8"), NULL, false},
        {STR("\"\xFF\\"), NULL, false},
        {STR("{\"a\": }"), NULL, false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        AUTO(json_freep) json_t *j = NULL;
        struct err e = {0};
        bool mended = !cases[i].mended;
        enum status s = json_read_mended(cases[i].text, &j, &mended, &e);
        if (!cases[i].want) {
            assert_int_equal(s, E_INPUT);
            continue;
        }
        assert_int_equal(s, OK);
        assert_int_equal(mended, cases[i].mended);
        assert_string_equal(json_string_value(j), cases[i].want);
    }
}

/* [1,1,...: nothing takes more memory for a byte. What servers send has a limit, files have none,
 * and what mending does not change is not read again. */
static void json_values_have_a_limit(void **state)
{
    enum { MANY = 4 << 20, FEW = 1 << 20 };
    AUTO(arena_freep) struct arena *a = arena_new(), *once = arena_new();
    AUTO(buf_done) struct buf b = BUF_MAX(2 * MANY + 16);
    AUTO(json_freep) json_t *j = NULL;
    struct err e = {0};
    struct node *n;
    bool mended;

    (void)state;
    buf_text(&b, "[1");
    for (size_t i = 1; i < FEW; i++)
        buf_text(&b, ",1");
    assert_int_equal(json_tree_mended(once, buf_str(&b), &n, &mended, &e), E_INPUT);
    assert_true(arena_size(once) < 100 << 20);
    for (size_t i = FEW; i < MANY; i++)
        buf_text(&b, ",1");
    buf_char(&b, ']');
    assert_int_equal(json_tree_mended(a, buf_str(&b), &n, &mended, &e), E_INPUT);
    assert_non_null(strstr(e.msg, "too many values"));
    assert_true(arena_size(a) < 150 << 20);
    assert_int_equal(json_read(buf_str(&b), &j, &e), OK);
    assert_int_equal(json_array_size(j), MANY);
}

/* Every control character, quote and backslash, at every place of a long text, as jansson has it;
 * but for the three that are only written short where runs are hashed. */
static void json_quotes_as_jansson(void **state)
{
    static const char specials[] = "\b\f\r\"\\\n\t\x01\x1F";
    char text[301];

    (void)state;
    for (size_t k = 0; k < sizeof specials - 1; k++)
        for (size_t at = 0; at < sizeof text - 1; at++) {
            AUTO(arena_freep) struct arena *a = arena_new();
            AUTO(buf_done) struct buf b = BUF_MAX(1000), shorter = BUF_MAX(1000);
            AUTO(json_freep) json_t *j = NULL;
            memset(text, '~', sizeof text - 1);
            text[sizeof text - 1] = '\0';
            text[at] = specials[k];
            j = json_from_str(str_of(text));
            json_quote(&b, str_of(text));
            json_quote_short(&shorter, str_of(text));
            assert_string_equal(shorter.p, json_text(a, j));
            assert_int_equal(json_plain(str_of(text)), at);
            if (k < 3)
                assert_non_null(strstr(b.p, "\\u000"));
            else
                assert_string_equal(b.p, shorter.p);
        }
}

static void json_text_is_stable(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(json_freep) json_t *j = NULL;
    struct err e = {0};

    (void)state;
    assert_int_equal(json_read(STR("{\"b\": 1, \"a\": [\"日\", null, 2.5]}"), &j, &e), OK);
    assert_string_equal(json_text(a, j), "{\"b\":1,\"a\":[\"日\",null,2.5]}");
    assert_string_equal(json_text_sorted(a, j), "{\"a\":[\"日\",null,2.5],\"b\":1}");
    assert_int_equal(json_int_at(j, "b", 9), 1);
    assert_int_equal(json_int_at(j, "a", 9), 9);
    assert_true(json_num_at(j, "b", 9) == 1);
    assert_true(str_is(json_str_at(j, "b", STR("none")), "none"));
    assert_true(str_is(json_str_at(NULL, "b", STR("none")), "none"));
}

/* Expected values: Python's hashlib.blake2b(digest_size=32) over the fields, each preceded by its
 * length as eight little-endian bytes; an integer is a field of eight little-endian bytes. */
static void hash_matches_reference(void **state)
{
    char hex[HASH_HEX], again[HASH_HEX];
    struct hash h;

    (void)state;
    hash_init(&h);
    hash_hex(&h, hex);
    assert_string_equal(hex, "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8");
    hash_init(&h);
    hash_str(&h, STR("ab"));
    hash_str(&h, STR("c"));
    hash_hex(&h, hex);
    assert_string_equal(hex, "20263e794775e4edf2b306c0f306af9e50175c831c857604b481e847f790bf95");
    hash_init(&h);
    hash_str(&h, STR("a"));
    hash_str(&h, STR("bc"));
    hash_hex(&h, hex);
    assert_string_equal(hex, "77bbcab7072b897c548327378f11776f4853104c71bdb95a12ded5d2783523bf");
    hash_init(&h);
    hash_str(&h, STR("日本"));
    hash_int(&h, -1);
    hash_int(&h, INT64_C(1) << 62);
    hash_hex(&h, hex);
    assert_string_equal(hex, "b2a3771458154b95b1f42046da3197456b1d32dbd68a736be7bee020c2d3d45d");
    hash_init(&h);
    hash_str(&h, STR("abc"));
    assert_true(hash_u64(&h) == UINT64_C(8663622584872655931));
    assert_true(hash_u64_of(STR("abc")) == UINT64_C(8663622584872655931));
    hash_hex_of(STR("abc"), hex);
    hash_init(&h);
    hash_str(&h, STR("abc"));
    hash_hex(&h, again);
    assert_string_equal(hex, again);
}

static void hash_tells_kinds_apart(void **state)
{
    struct hash a, b;

    (void)state;
    hash_init(&a);
    hash_int(&a, 0);
    hash_init(&b);
    hash_str(&b, STR(""));
    assert_true(hash_u64(&a) != hash_u64(&b));
}

static void hash_random_differs(void **state)
{
    unsigned char a[32] = {0}, b[32] = {0};

    (void)state;
    hash_random(a, sizeof a);
    hash_random(b, sizeof b);
    assert_memory_not_equal(a, b, sizeof a);
}

/* Expected values: xoshiro256** written independently in Python, seeded from hashlib. */
static void rng_matches_reference(void **state)
{
    const int64_t ids[] = {7, -1};
    struct rng r = rng_keyed(42, "test", ids, 2);

    (void)state;
    assert_true(rng_next(&r) == UINT64_C(0xe85af92b5b8da533));
    assert_true(rng_next(&r) == UINT64_C(0x7328d1b8792378cf));
    assert_true(rng_next(&r) == UINT64_C(0x4071f357995e3054));
}

static void rng_depends_on_its_key_only(void **state)
{
    const int64_t one[] = {1}, two[] = {2}, both[] = {1, 0};
    struct rng a = rng_keyed(1, "p", one, 1), b = rng_keyed(1, "p", one, 1);
    struct rng other[] = {rng_keyed(2, "p", one, 1), rng_keyed(1, "q", one, 1),
                          rng_keyed(1, "p", two, 1), rng_keyed(1, "p", both, 2),
                          rng_keyed(1, "p", NULL, 0)};
    uint64_t first = rng_next(&a);

    (void)state;
    assert_true(first == rng_next(&b));
    for (size_t i = 0; i < COUNT(other); i++)
        assert_true(first != rng_next(&other[i]));
}

static void rng_is_even(void **state)
{
    struct rng r = rng_keyed(3, "even", NULL, 0);
    size_t count[7] = {0};
    double sum = 0;

    (void)state;
    for (int i = 0; i < 70000; i++)
        count[rng_below(&r, 7)]++;
    for (size_t i = 0; i < COUNT(count); i++) /* 10000 expected, standard deviation 93 */
        assert_in_range(count[i], 9500, 10500);
    for (int i = 0; i < 10000; i++) {
        double u = rng_unit(&r);
        assert_true(u >= 0 && u < 1);
        sum += u;
    }
    assert_true(sum > 4850 && sum < 5150); /* standard deviation 29 */
    for (int i = 0; i < 100; i++)
        assert_int_equal(rng_below(&r, 1), 0);
    for (int i = 0; i < 100; i++)
        assert_true(rng_below(&r, (UINT64_C(1) << 63) + 1) <= UINT64_C(1) << 63);
}

static void rng_shuffles(void **state)
{
    struct rng r = rng_keyed(4, "shuffle", NULL, 0);
    size_t first[4] = {0};

    (void)state;
    for (int round = 0; round < 4000; round++) {
        size_t index[4] = {0, 1, 2, 3};
        unsigned seen = 0;
        rng_shuffle(&r, index, 4);
        for (size_t i = 0; i < 4; i++)
            seen |= 1U << index[i];
        assert_int_equal(seen, 15);
        first[index[0]]++;
    }
    for (size_t i = 0; i < 4; i++) /* 1000 expected, standard deviation 27 */
        assert_in_range(first[i], 850, 1150);
    rng_shuffle(&r, NULL, 0);
}

static void map_holds_many(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    int values[1000], other;
    char key[20];
    struct map m;
    int64_t *room;

    (void)state;
    map_init(&m, a);
    assert_null(map_get(&m, STR("none")));
    for (int i = 0; i < 1000; i++) {
        (void)snprintf(key, sizeof key, "key%d", i);
        assert_null(map_put(&m, str_of(key), &values[i]));
    }
    assert_int_equal(m.n, 1000);
    for (int i = 0; i < 1000; i++) {
        (void)snprintf(key, sizeof key, "key%d", i);
        assert_ptr_equal(map_get(&m, str_of(key)), &values[i]);
    }
    assert_ptr_equal(map_put(&m, STR("key7"), &other), &values[7]);
    assert_ptr_equal(map_get(&m, STR("key7")), &other);
    assert_int_equal(m.n, 1000);
    assert_null(map_get(&m, STR("key")));
    assert_null(map_put(&m, STR(""), &other));
    assert_ptr_equal(map_get(&m, STR("")), &other);
    map_init(&m, a);
    for (uint32_t i = 0; i < 100; i++)
        assert_int_equal(map_number(&m, str_of(arena_printf(a, "name%u", i % 60))), i % 60);
    map_init(&m, a);
    room = map_room(&m, STR("a"), sizeof *room);
    assert_int_equal(*room, 0);
    *room = 7;
    assert_ptr_equal(map_room(&m, STR("a"), sizeof *room), room);
}

static char folder[] = "/tmp/test_base.XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder); /* fails when a test, or file_write(), left something behind */
}

static void file_writes_and_reads(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    const char *path = arena_printf(a, "%s/f", folder);
    struct err e = {0};
    struct str text = STR("untouched");
    struct stat before, after;

    (void)state;
    assert_int_equal(file_read(a, path, 10, &text, &e), E_ABSENT);
    assert_non_null(strstr(e.msg, path));
    assert_true(str_is(text, "untouched"));
    assert_int_equal(file_write(path, STR("old"), &e), OK);
    assert_int_equal(stat(path, &before), 0);
    assert_int_equal(file_write(path, STR("new\0text"), &e), OK);
    assert_int_equal(stat(path, &after), 0);
    assert_true(before.st_ino != after.st_ino); /* a new file in its place, not one rewritten */
    assert_int_equal(file_read(a, path, 8, &text, &e), OK);
    assert_int_equal(text.n, 8);
    assert_memory_equal(text.p, "new\0text", 9);
    assert_int_equal(file_read(a, path, 7, &text, &e), E_INPUT);
    assert_true(file_exists(path));
    assert_int_equal(unlink(path), 0);
    assert_false(file_exists(path));
    assert_int_equal(file_read(a, folder, 100, &text, &e), E_SYSTEM);
    assert_int_equal(file_write(folder, STR("x"), &e), E_SYSTEM);
    assert_int_equal(file_write("/nonexistent/x", STR("x"), &e), E_ABSENT);
}

/* A pipe stays a pipe, and a link still leads where it did. */
static void file_writes_into_what_is_there(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    const char *pipe = arena_printf(a, "%s/pipe", folder),
               *file = arena_printf(a, "%s/file", folder),
               *link = arena_printf(a, "%s/link", folder);
    struct err e = {0};
    struct stat st;
    char got[8] = "";
    mode_t mask = umask(077);
    int fd;

    (void)state;
    assert_int_equal(mkfifo(pipe, 0600), 0);
    fd = open(pipe, O_RDWR | O_CLOEXEC);
    assert_int_equal(file_write(pipe, STR("hello"), &e), OK);
    assert_int_equal(read(fd, got, sizeof got), 5);
    (void)close(fd);
    assert_string_equal(got, "hello");
    assert_int_equal(lstat(pipe, &st), 0);
    assert_true(S_ISFIFO(st.st_mode));

    assert_int_equal(file_write(file, STR("one"), &e), OK);
    assert_int_equal(symlink(file, link), 0);
    assert_int_equal(file_write(link, STR("two!"), &e), OK);
    assert_int_equal(lstat(link, &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_int_equal(stat(file, &st), 0);
    assert_int_equal(st.st_size, 4);
    assert_int_equal(st.st_mode & 0777, 0600); /* as the mask says */
    (void)umask(mask);
    assert_int_equal(unlink(pipe) + unlink(file) + unlink(link), 0);
}

static void file_beside_names(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();

    (void)state;
    assert_string_equal(file_beside(a, "s/live.yaml", "c/x.yaml"), "s/c/x.yaml");
    assert_string_equal(file_beside(a, "live.yaml", "c/x.yaml"), "c/x.yaml");
    assert_string_equal(file_beside(a, "s/live.yaml", "/x.yaml"), "/x.yaml");
    assert_string_equal(file_beside(a, "/live.yaml", "x.yaml"), "/x.yaml");
}

static void lines_come_one_by_one(void **state)
{
    static const char *const want[] = {"one", "", "日本", "\xEF\xBB\xBFx", "a\rb", "last"};
    AUTO(arena_freep) struct arena *a = arena_new();
    const char *path = arena_printf(a, "%s/l", folder);
    struct err e = {0};
    struct lines l;
    struct str line;
    bool more;

    (void)state;
    assert_int_equal(lines_open(&l, path, 10, &e), E_ABSENT);
    assert_int_equal(
        file_write(path, STR("\xEF\xBB\xBFone\r\n\n日本\n\xEF\xBB\xBFx\na\rb\nlast"), &e), OK);
    assert_int_equal(lines_open(&l, path, 10, &e), OK);
    for (size_t i = 0; i < COUNT(want); i++) {
        assert_int_equal(lines_next(&l, &line, &more, &e), OK);
        assert_true(more);
        assert_true(str_is(line, want[i]));
        assert_int_equal(l.number, i + 1);
    }
    assert_int_equal(lines_next(&l, &line, &more, &e), OK);
    assert_false(more);
    lines_close(&l);
    assert_int_equal(unlink(path), 0);
}

static void lines_have_a_limit(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    const char *path = arena_printf(a, "%s/l", folder);
    struct err e = {0};
    struct lines l;
    struct str line;
    bool more;

    (void)state;
    assert_int_equal(file_write(path, STR("abcde\nabcdef\n"), &e), OK);
    assert_int_equal(lines_open(&l, path, 5, &e), OK);
    assert_int_equal(lines_next(&l, &line, &more, &e), OK);
    assert_true(str_is(line, "abcde"));
    assert_int_equal(lines_next(&l, &line, &more, &e), E_INPUT);
    assert_non_null(strstr(e.msg, "l:2: line over 5 bytes"));
    lines_close(&l);
    assert_int_equal(unlink(path), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mem_grows),
        cmocka_unit_test(arena_gives_zeroed_aligned_memory),
        cmocka_unit_test(arena_releases_what_it_owns),
        cmocka_unit_test(arena_copies_text),
        cmocka_unit_test(str_compares_and_cuts),
        cmocka_unit_test(str_takes_letters_in_either_case),
        cmocka_unit_test(str_drops_heads_and_ends),
        cmocka_unit_test(str_reads_integers),
        cmocka_unit_test(str_reads_numbers),
        cmocka_unit_test(buf_keeps_its_limit),
        cmocka_unit_test(utf8_follows_rfc_3629),
        cmocka_unit_test(err_wraps),
        cmocka_unit_test(json_is_strict),
        cmocka_unit_test(json_is_mended),
        cmocka_unit_test(json_values_have_a_limit),
        cmocka_unit_test(json_quotes_as_jansson),
        cmocka_unit_test(json_text_is_stable),
        cmocka_unit_test(hash_matches_reference),
        cmocka_unit_test(hash_tells_kinds_apart),
        cmocka_unit_test(hash_random_differs),
        cmocka_unit_test(rng_matches_reference),
        cmocka_unit_test(rng_depends_on_its_key_only),
        cmocka_unit_test(rng_is_even),
        cmocka_unit_test(rng_shuffles),
        cmocka_unit_test(map_holds_many),
        cmocka_unit_test(file_writes_and_reads),
        cmocka_unit_test(file_writes_into_what_is_there),
        cmocka_unit_test(file_beside_names),
        cmocka_unit_test(lines_come_one_by_one),
        cmocka_unit_test(lines_have_a_limit),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
