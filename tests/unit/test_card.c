#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/doc.h"
#include "suite/card.h"
#include "unit/card_world.h"

/* Where a card is worked on in a test. */
struct world {
    struct arena *a;
    struct diags d;
    struct card_desk desk;
};

static int setup(void **state)
{
    struct arena *a = arena_new();
    struct world *w = NEW(a, struct world);

    w->a = a;
    diags_init(&w->d, a);
    w->desk = (struct card_desk){.a = a, .d = &w->d};
    *state = w;
    return 0;
}

static int teardown(void **state)
{
    arena_free(((struct world *)*state)->a);
    return 0;
}

static struct card read_good(struct world *w, struct str file)
{
    struct card card = {0};
    struct err e = {0};

    if (card_read(&w->desk, file, &card, &e) != OK)
        fail_msg("%s", e.msg);
    return card;
}

static void refuse(struct world *w, struct str file, const char *words)
{
    struct card card = {.version = 77};
    struct err e = {0};

    expect_refused(card_read(&w->desk, file, &card, &e), &e, words);
    assert_int_equal(card.version, 77);
}

static void expect_text(struct str got, const char *want)
{
    if (!str_is(got, want))
        fail_msg("'%.*s', not '%s'", STR_ARG(got), want);
}

static bool warned(const struct world *w, const char *words)
{
    for (const struct diag *one = w->d.first; one; one = one->next)
        if (strstr(one->msg, words))
            return true;
    return false;
}

static void expect_warning(const struct world *w, const char *words)
{
    if (!warned(w, words))
        fail_msg("no warning says '%s'", words);
}

/* ---- versions ---- */

#define V1                                                                                         \
    "{\"name\": \"Mira\", \"description\": \"Keeps the lock.\", \"personality\": \"dry\", "        \
    "\"scenario\": \"night\", \"first_mes\": \"Evening.\", \"mes_example\": \"<START>\\nhm\"}"
#define V2                                                                                         \
    "{\"name\": \"Old\", \"description\": \"stale\", \"spec\": \"chara_card_v2\", "                \
    "\"spec_version\": \"2.0\", \"data\": {\"name\": \"Mira\", \"description\": \"Two\", "         \
    "\"nickname\": \"none yet\", \"system_prompt\": \"S\", \"post_history_instructions\": \"P\", " \
    "\"creator_notes\": \"N\", \"creator\": \"C\", \"tags\": [\"a\", \"b\"], "                     \
    "\"alternate_greetings\": [\"Hi\", \"Ho\"], \"extensions\": {\"x\": [1]}}}"
#define V3                                                                                         \
    "{\"spec\": \"chara_card_v3\", \"spec_version\": \"3.0\", \"data\": {\"name\": \"Mira Ost\", " \
    "\"nickname\": \"Mi\", \"description\": \"{{char}} of three\", \"group_only_greetings\": "     \
    "[\"all\"], \"assets\": [{\"type\": \"icon\", \"uri\": \"ccdefault:\", \"name\": \"main\", "   \
    "\"ext\": \"png\"}], \"character_book\": {\"entries\": [{\"keys\": [\"lock\"], \"content\": "  \
    "\"Water.\", \"enabled\": true, \"insertion_order\": 5, \"use_regex\": false, \"id\": "        \
    "\"seven\"}]}}}"

static void version_1(void **state)
{
    struct card c = read_good(*state, STR(V1));

    assert_int_equal(c.version, 1);
    expect_text(c.name, "Mira");
    expect_text(c.description, "Keeps the lock.");
    expect_text(c.personality, "dry");
    expect_text(c.scenario, "night");
    expect_text(c.first_message, "Evening.");
    expect_text(c.examples, "<START>\nhm");
    assert_null(c.book);
}

static void the_oldest_names(void **state)
{
    struct card c = read_good(*state, STR("\xEF\xBB\xBF{\"char_name\": \"M\", \"char_persona\": "
                                          "\"p\", \"world_scenario\": \"w\", \"char_greeting\": "
                                          "\"g\", \"example_dialogue\": \"e\"}"));

    expect_text(c.name, "M");
    expect_text(c.description, "p");
    expect_text(c.scenario, "w");
    expect_text(c.first_message, "g");
    expect_text(c.examples, "e");
}

/* The members of version 1 that stand beside `data` do not count. */
static void version_2(void **state)
{
    struct card c = read_good(*state, STR(V2));

    assert_int_equal(c.version, 2);
    expect_text(c.name, "Mira");
    expect_text(c.description, "Two");
    expect_text(c.nickname, "");
    expect_text(c.system, "S");
    expect_text(c.post_history, "P");
    expect_text(c.creator_notes, "N");
    assert_int_equal(c.tags.n, 2);
    assert_int_equal(c.greetings.n, 2);
    expect_text(c.greetings.v[1], "Ho");
}

static void version_3_and_later(void **state)
{
    struct card c = read_good(*state, STR(V3));

    assert_int_equal(c.version, 3);
    expect_text(c.nickname, "Mi");
    expect_text(c.assets.v[0], "icon: main.png");
    assert_int_equal(c.group_greetings.n, 1);
    assert_int_equal(c.book->n, 1);
    expect_text(c.book->v[0].content, "Water.");
    assert_int_equal(((struct world *)*state)->d.warnings, 0);

    c = read_good(*state, STR("{\"spec\": \"chara_card_v4\", \"data\": {\"name\": \"N\"}}"));
    assert_int_equal(c.version, 3);
    expect_warning(*state, "a version 4 card, read as version 3");
}

static void untidy_cards_are_read_with_warnings(void **state)
{
    struct card c = read_good(
        *state, STR("{\"spec\": \"chara_card_v2\", \"data\": {\"name\": null, \"description\": "
                    "[1], \"personality\": \"a\\u001b[2J\\r\\nb\\rc\", \"tags\": \"x\", "
                    "\"character_book\": {\"entries\": [7, {\"content\": \"c\"}]}}}"));

    expect_text(c.name, "");
    expect_text(c.description, "");
    expect_text(c.personality, "a[2J\nb\nc");
    assert_int_equal(c.tags.n, 0);
    assert_int_equal(c.book->n, 1);
    assert_true(c.book->v[0].enabled);
    expect_warning(*state, "'description' is not text");
    expect_warning(*state, "'tags' is not a list");
    expect_warning(*state, "entry 1 of the lorebook is not an object");
}

static void what_is_no_card_is_said(void **state)
{
    AUTO(buf_done) struct buf deep = BUF_MAX(10000);

    refuse(*state, STR(""), "the file is empty");
    refuse(*state, STR("{\"name\": }"), "column 10");
    refuse(*state, STR("[]"), "a JSON object");
    refuse(*state, STR("{\"name\": \"x\"}"), "not a character card");
    refuse(*state, STR("{\"name\": \"\xFF\"}"), "UTF-8");
    refuse(*state, STR("{\"spec\": \"chara_card_v2\"}"), "no object 'data'");
    refuse(*state, STR("{\"spec\": \"lorebook_v3\", \"data\": {}}"), "a lorebook without a char");
    refuse(*state, STR("{\"entries\": {\"0\": {}}}"), "a lorebook without a char");
    refuse(*state,
           STR("{\"spec\": \"chara_card_v2\", \"data\": {\"character_book\": {\"entries\": {}}}}"),
           "character_book: a lorebook needs a list 'entries'");
    refuse(*state, STR("\xFF\xD8\xFF\xE0"), "JPEG");
    for (int i = 0; i < 5000; i++)
        buf_char(&deep, '[');
    refuse(*state, buf_str(&deep), "deep");
}

/* ---- containers ---- */

static void put_card(struct buf *b, const char *keyword, struct str json)
{
    AUTO(buf_done) struct buf data = BUF_MAX(WORLD_MAX);

    buf_text(&data, keyword);
    buf_char(&data, '\0');
    put_base64(&data, json);
    put_chunk(b, "tEXt", buf_str(&data));
}

static void a_picture_holds_a_card(void **state)
{
    AUTO(buf_done) struct buf b = BUF_MAX(WORLD_MAX);
    struct card c;

    put_png(&b);
    put_chunk(&b, "tEXt", STR("Software\0a brush"));
    put_card(&b, "Chara", STR(V2));
    put_png_end(&b);
    c = read_good(*state, buf_str(&b));
    assert_int_equal(c.version, 2);
    /* the newer one wins, in whatever order they stand */
    b.n -= 12;
    put_card(&b, "CCV3", STR(V3));
    put_png_end(&b);
    c = read_good(*state, buf_str(&b));
    assert_int_equal(c.version, 3);
    expect_text(c.name, "Mira Ost");
}

static void compressed_and_bare_texts_hold_cards_too(void **state)
{
    AUTO(buf_done) struct buf b = BUF_MAX(WORLD_MAX), data = BUF_MAX(WORLD_MAX);
    AUTO(buf_done) struct buf base64 = BUF_MAX(WORLD_MAX);

    put_base64(&base64, STR(V3));
    buf_add(&data, STR("chara\0\0"));
    put_deflated(&data, buf_str(&base64), 15);
    put_png(&b);
    put_chunk(&b, "zTXt", buf_str(&data));
    put_png_end(&b);
    assert_int_equal(read_good(*state, buf_str(&b)).version, 3);
    buf_clear(&b);
    put_png(&b);
    put_chunk(&b, "iTXt", STR("chara\0\0\0\0\0" V1));
    put_png_end(&b);
    assert_int_equal(read_good(*state, buf_str(&b)).version, 1);
}

static void refuse_png(struct world *w, const char *type, struct str data, const char *words)
{
    AUTO(buf_done) struct buf b = BUF_MAX(WORLD_MAX);

    put_png(&b);
    put_chunk(&b, type, data);
    put_png_end(&b);
    refuse(w, buf_str(&b), words);
}

static void pictures_without_a_good_card(void **state)
{
    refuse_png(*state, "tEXt", STR("Title\0x"), "contains no character card");
    refuse_png(*state, "tEXt", STR("chara\0%%%"), "the text 'chara' at byte");
    refuse_png(*state, "tEXt", STR("chara\0%%%"), "not base64: byte 1");
    refuse_png(*state, "tEXt", STR("chara\0/////w=="), "UTF-8");
    refuse_png(*state, "tEXt", STR("ccv3\0{\"a\":"), "column");
    refuse_png(*state, "zTXt", STR("chara\0\0nonsense"), "the zTXt chunk at byte");
}

static void an_archive_holds_a_card(void **state)
{
    AUTO(buf_done) struct buf b = BUF_MAX(WORLD_MAX);
    struct zip_file files[] = {
        {.name = STR("assets/icon/main.png"), .content = STR("dot")},
        {.name = STR("card.json"), .content = STR(V3), .method = 8},
    };

    put_zip(&b, files, 2);
    expect_text(read_good(*state, buf_str(&b)).name, "Mira Ost");
    buf_clear(&b);
    put_zip(&b, files, 1);
    refuse(*state, buf_str(&b), "no 'card.json' at its root");
    files[1].content = STR("{\"spec\"");
    buf_clear(&b);
    put_zip(&b, files, 2);
    refuse(*state, buf_str(&b), "card.json: ");
    files[1].flags = 1;
    buf_clear(&b);
    put_zip(&b, files, 2);
    refuse(*state, buf_str(&b), "encrypted");
}

/* ---- macros ---- */

static struct str play(struct world *w, const char *text, uint64_t seed)
{
    struct card_cast cast = {
        .character = STR("Mi"), .user = STR("Jo"), .original = STR("ORIG"), .seed = seed};
    struct str unknown = STR("");

    return card_expand(w->a, str_of(text), &cast, &unknown);
}

static void macros_with_one_meaning(void **state)
{
    static const char *const pairs[][2] = {
        {"{{char}} and {{User}}, <bot> and <USER>", "Mi and Jo, Mi and Jo"},
        {"{{ char }}{{original}}", "MiORIG"},
        {"a{{// said {{char}} nothing}}b{{comment: c}}d{{hidden_key:k}}e", "abde"},
        {"{{reverse:Hello}} {{reverse:星の灯}}", "olleH 灯の星"},
        {"{{reverse:{{char}}}}", "iM"},
        {"{{random:one}}{{pick::one}}{{roll:1}}{{roll:d1}}{{roll:3D1}}", "oneone113"},
        {"{{pick:a\\,b}}", "a,b"},
        {"{{{char}}}", "{Mi}"},
        {"{{{{char}}}}", "{{Mi}}"},
        {"{{nobody}} {{roll:x}} {{roll:0}} {{a:{{user}}}}",
         "{{nobody}} {{roll:x}} {{roll:0}} {{a:Jo}}"},
        {"{{char", "{{char"},
        {"}} { } <b> {{", "}} { } <b> {{"},
        {"", ""},
    };

    for (size_t i = 0; i < COUNT(pairs); i++)
        expect_text(play(*state, pairs[i][0], 1), pairs[i][1]);
}

static void names_are_not_read_as_macros(void **state)
{
    struct world *w = *state;
    struct card_cast cast = {.character = STR("{{user}}"), .user = STR("<BOT>{{char}}")};
    struct str unknown = STR("");

    expect_text(card_expand(w->a, STR("{{char}} {{user}}"), &cast, &unknown),
                "{{user}} <BOT>{{char}}");
    expect_text(unknown, "");
    (void)card_expand(w->a, STR("x {{getvar::mood}} {{other}}"), &cast, &unknown);
    expect_text(unknown, "{{getvar::mood}}");
}

/* Every choice is made with some seed, none is made up, and the same seed makes the same. */
static void choices_follow_the_seed(void **state)
{
    int seen[7] = {0};

    for (uint64_t seed = 0; seed < 200; seed++) {
        struct str one = play(*state, "{{random:a, b ,c}}{{roll:d6}}{{random::x::y,z}}", seed);
        assert_true(
            str_eq(one, play(*state, "{{random:a, b ,c}}{{roll:d6}}{{random::x::y,z}}", seed)));
        assert_in_range(one.p[0], 'a', 'c');
        assert_in_range(one.p[1], '1', '6');
        assert_true(str_is(str_from(one, 2), "x") || str_is(str_from(one, 2), "y,z"));
        seen[one.p[1] - '0']++;
    }
    for (int i = 1; i <= 6; i++)
        assert_true(seen[i] > 10);
}

/* {{pick}} gives the same everywhere; {{random}} need not, even twice in one text. */
static void picks_agree_and_random_ones_differ(void **state)
{
    size_t differ = 0;

    for (uint64_t seed = 0; seed < 100; seed++) {
        struct str p = play(*state, "{{pick:a,b}}{{pick:a,b}} elsewhere", seed);
        struct str q = play(*state, "{{pick:a,b}}", seed);
        struct str r = play(*state, "{{random:a,b}}{{random:a,b}}", seed);
        assert_true(p.p[0] == p.p[1] && p.p[0] == q.p[0]);
        differ += r.p[0] != r.p[1];
    }
    assert_in_range(differ, 25, 75);
}

static void a_text_that_swells_stays_as_it_was(void **state)
{
    struct world *w = *state;
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 20), name = BUF_MAX(1000);
    struct card_cast cast = {0};
    struct str unknown = STR("");

    for (int i = 0; i < 100; i++)
        buf_text(&name, "x");
    for (int i = 0; i < 20000; i++)
        buf_text(&b, "<BOT>");
    cast.character = buf_str(&name);
    assert_true(str_eq(card_expand(w->a, buf_str(&b), &cast, &unknown), buf_str(&b)));
    assert_true(unknown.n > 0);
}

/* As much of each as a text may hold; what grows with the square of it would never end. */
static void large_texts_are_expanded_in_time(void **state)
{
    static const char *const pieces[] = {
        "{{roll:6}}", "{{pick:a,b}}", "{{{{", "}}", "{{x:", "<", "{{random:{{char}},", "{{a}}"};

    for (size_t i = 0; i < COUNT(pieces); i++) {
        AUTO(buf_done) struct buf b = BUF_MAX(2 * CARD_TEXT_MAX);
        while (b.n < CARD_TEXT_MAX)
            buf_text(&b, pieces[i]);
        assert_true(play(*state, b.p, 1).n > 0);
    }
}

static void a_whole_card_is_expanded(void **state)
{
    struct world *w = *state;
    struct card c = read_good(
        w, STR("{\"spec\": \"chara_card_v3\", \"data\": {\"name\": \"Mira Ost\", \"nickname\": "
               "\"Mi\", \"description\": \"{{char}}\", \"first_mes\": \"<user>?\", "
               "\"system_prompt\": \"{{original}}be {{char}}\", \"character_book\": {\"entries\": "
               "[{\"keys\": [\"{{user}}\"], \"content\": \"@@activate_only_after 2\\n"
               "@@additional_keys a,b\\n{{char}}{{hidden_key:deep}} {{odd}}\"}]}}}"));
    struct card played = card_play(&w->desk, &c, STR("Jo"), 1);
    const struct card_entry *entry = &played.book->v[0];

    expect_text(played.description, "Mi");
    expect_text(played.first_message, "Jo?");
    expect_text(played.system, "be Mi");
    expect_text(entry->keys.v[0], "Jo");
    expect_text(entry->content, "Mi {{odd}}");
    assert_int_equal(entry->after, 2);
    assert_int_equal(entry->also.n, 2);
    assert_int_equal(entry->hidden.n, 1);
    expect_text(entry->hidden.v[0], "deep");
    expect_text(c.book->v[0].keys.v[0], "{{user}}");
    expect_warning(w, "such as '{{odd}}'");
}

/* ---- lorebooks ---- */

static struct card_book book_of(struct world *w, const char *json)
{
    AUTO(json_freep) json_t *j = NULL;
    struct card_book book = {0};
    struct err e = {0};

    if (json_read(str_of(json), &j, &e) != OK || card_book_from_json(&w->desk, j, &book, &e) != OK)
        fail_msg("%s", e.msg);
    return book;
}

/* The contents that are called for, with commas between. */
static void expect_scene(struct world *w, const struct card_book *book, struct card_scene scene,
                         const char *want)
{
    AUTO(buf_done) struct buf b = BUF_MAX(1000);
    struct card_lore got = card_lore_find(w->a, book, &scene);

    for (size_t i = 0; i < got.n; i++) {
        buf_text(&b, i ? "," : "");
        buf_add(&b, got.v[i]->content);
    }
    expect_text(buf_str(&b), want);
}

static void expect_lore(struct world *w, const struct card_book *book, const char *said,
                        const char *want)
{
    struct str text = str_of(said);

    expect_scene(w, book, (struct card_scene){.texts = &text, .n = 1, .greeting = -1}, want);
}

static void keys_call_for_entries(void **state)
{
    struct card_book book = book_of(
        *state,
        "{\"entries\": ["
        "{\"keys\": [\"Lock\", \"水門\"], \"content\": \"L\", \"insertion_order\": 30},"
        "{\"keys\": [\"EEL\"], \"content\": \"E\", \"case_sensitive\": true, \"insertion_order\": "
        "20},"
        "{\"keys\": [], \"content\": \"C\", \"constant\": true, \"insertion_order\": 10.5},"
        "{\"keys\": [\"barge\"], \"secondary_keys\": [\"coal\", \"tar\"], \"selective\": true,"
        " \"content\": \"B\"},"
        "{\"keys\": [\"barge\"], \"secondary_keys\": [\"coal\"], \"content\": \"U\"},"
        "{\"keys\": [\"lock\"], \"content\": \"off\", \"enabled\": false},"
        "{\"keys\": [\"lock\"], \"content\": \"\"}]}");

    expect_lore(*state, &book, "nothing", "C");
    expect_lore(*state, &book, "the LOCK is shut", "C,L");
    expect_lore(*state, &book, "ｌｏｃｋ", "C,L");
    expect_lore(*state, &book, "古い水門で", "C,L");
    expect_lore(*state, &book, "an eel", "C");
    expect_lore(*state, &book, "an EEL", "C,E");
    expect_lore(*state, &book, "a barge", "U,C");
    expect_lore(*state, &book, "a barge of tar", "B,U,C");
}

/* Numbers that no integer holds stay numbers. */
static void orders_of_any_size_survive(void **state)
{
    struct card_book book =
        book_of(*state, "{\"entries\": ["
                        "{\"keys\": [\"a\"], \"content\": \"last\", \"insertion_order\": 1e300},"
                        "{\"keys\": [\"a\"], \"content\": \"first\", \"insertion_order\": -1e300},"
                        "{\"keys\": [\"a\"], \"content\": \"mid\", \"insertion_order\": 7}]}");
    AUTO(json_freep) json_t *j = card_book_json(&book);
    const json_t *entries = json_object_get(j, "entries");

    expect_lore(*state, &book, "a", "first,mid,last");
    assert_true(json_num_at(json_array_get(entries, 0), "insertion_order", 0) == 1e300);
    assert_true(json_num_at(json_array_get(entries, 1), "insertion_order", 0) == -1e300);
    assert_true(json_is_integer(json_object_get(json_array_get(entries, 2), "insertion_order")));
}

static void patterns_call_for_entries(void **state)
{
    struct card_book book = book_of(
        *state, "{\"entries\": ["
                "{\"keys\": [\"/lock\\\\s*(?:no\\\\.)?\\\\d+/i\"], \"use_regex\": true, "
                "\"content\": \"N\"},"
                "{\"keys\": [\"eels?\\\\b\", \"a.*?z\"], \"use_regex\": true, \"content\": \"E\"},"
                "{\"keys\": [\"[\\\\d\\\\s]x\"], \"use_regex\": true, \"content\": \"X\"},"
                "{\"keys\": [\"/^(?<who>hob|nan)(?= the ferryman)/ms\"], \"use_regex\": true, "
                "\"content\": \"H\"},"
                "{\"keys\": [\"\\\\u6e21\\\\u8239\", \"(b)\\\\1\"], \"use_regex\": true, "
                "\"content\": \"U\"},"
                "{\"keys\": [\"(\", \"(?<1>x)\", \"a{9,1}\"], \"use_regex\": true, "
                "\"content\": \"never\","
                " \"name\": \"odd\"}]}");

    expect_lore(*state, &book, "LOCK 12", "N");
    expect_lore(*state, &book, "Lockno.7", "N");
    expect_lore(*state, &book, "lock", "");
    expect_lore(*state, &book, "two eels here", "E");
    expect_lore(*state, &book, "two Eels here", "");
    expect_lore(*state, &book, "abcz", "E");
    expect_lore(*state, &book, "3x", "X");
    expect_lore(*state, &book, "at dusk\nhob the ferryman", "H");
    expect_lore(*state, &book, "at dusk\nhob the miller, nan the ferryman", "");
    expect_lore(*state, &book, "坐渡船", "U");
    expect_lore(*state, &book, "a bb", "U");
    expect_lore(*state, &book, "(x a{9,1}", "");
    assert_int_equal(((struct world *)*state)->d.warnings, 3);
    expect_warning(*state, "'odd': the key '(' never matches: missing closing parenthesis");
}

static void the_scan_reaches_so_far_back(void **state)
{
    struct card_book book =
        book_of(*state, "{\"scan_depth\": 2, \"entries\": ["
                        "{\"keys\": [\"one\"], \"content\": \"1\"},"
                        "{\"keys\": [\"two\"], \"content\": \"2\"},"
                        "{\"keys\": [\"one\"], \"content\": \"@@scan_depth 3\\nd\"},"
                        "{\"keys\": [\"three\"], \"content\": \"@@scan_depth 0\\nz\"}]}");
    const struct str said[] = {STR("one"), STR("two"), STR("three")};
    struct card_scene scene = {.texts = said, .n = 3, .greeting = -1};

    expect_scene(*state, &book, scene, "2,d");
    book.scan_depth = 0;
    expect_scene(*state, &book, scene, "d");
    book.scan_depth = -1;
    expect_scene(*state, &book, scene, "1,2,d");
}

static void decorators_decide(void **state)
{
    struct card_book book = book_of(
        *state,
        "{\"entries\": ["
        "{\"keys\": [\"x\"], \"content\": \"@@activate_only_after 2\\nafter\"},"
        "{\"keys\": [\"x\"], \"content\": \"@@activate_only_every 3\\nevery\"},"
        "{\"keys\": [\"x\"], \"content\": \"@@is_greeting 1\\ngreeting\"},"
        "{\"keys\": [\"nope\"], \"content\": \"@@activate\\n@@dont_activate\\nalways\"},"
        "{\"keys\": [\"x\"], \"content\": \"@@dont_activate\\nnever\"},"
        "{\"keys\": [\"nope\"], \"content\": \"@@keep_activate_after_match\\nkept\"},"
        "{\"keys\": [\"x\"], \"content\": \"@@dont_activate_after_match\\nonce\"},"
        "{\"keys\": [\"x\"], \"content\": \"@@additional_keys y, z\\nalso\"},"
        "{\"keys\": [\"x\"], \"content\": \"@@exclude_keys w\\n@@exclude_keys v\\nexcept\"}]}");
    const bool matched[9] = {[5] = true, [6] = true};
    const struct str x = STR("x"), all = STR("x y w"), v = STR("x v");

    expect_scene(*state, &book, (struct card_scene){.texts = &x, .n = 1, .greeting = -1},
                 "every,always,once,except");
    expect_scene(*state, &book,
                 (struct card_scene){.texts = &all, .n = 1, .replies = 2, .greeting = 1},
                 "after,greeting,always,once,also");
    expect_scene(*state, &book,
                 (struct card_scene){.texts = &v, .n = 1, .replies = 1, .matched = matched},
                 "always,kept");
    assert_int_equal(((struct world *)*state)->d.warnings, 0);
}

static void fallbacks_stand_in_for_unknown_decorators(void **state)
{
    struct world *w = *state;
    struct card_book book = book_of(
        w, "{\"entries\": ["
           "{\"name\": \"first\", \"keys\": [], \"content\": \"@@depth 4\\n@@@glow\\n@@@position "
           "after_desc\\n@@@activate\\ntext\\n@@ no decorator\"},"
           "{\"name\": \"second\", \"keys\": [], \"content\": \"@@role "
           "user\\n@@activate_only_after soon\\n\"},"
           "{\"name\": \"third\", \"keys\": [], \"content\": \"@@activate\\n@@@dont_activate\"}]}");

    assert_int_equal(book.v[0].place, CARD_AFTER);
    assert_false(book.v[0].always);
    expect_text(book.v[0].content, "text\n@@ no decorator");
    expect_text(book.v[1].content, "");
    assert_true(book.v[2].always && !book.v[2].never);
    assert_int_equal(w->d.warnings, 2);
    expect_warning(w, "'second': '@@role user' is not supported");
    expect_warning(w, "'@@activate_only_after soon'");
}

static void books_have_limits(void **state)
{
    struct world *w = *state;
    AUTO(buf_done) struct buf b = BUF_MAX(4 << 20);

    buf_text(&b, "{\"entries\": [{\"keys\": [\"k\"], \"content\": \"");
    for (int i = 0; i < 20000; i++)
        buf_text(&b, "@@additional_keys a,b\\n");
    buf_text(&b, "c\"}");
    for (int i = 0; i < 6000; i++)
        buf_text(&b, ", {\"keys\": [\"k\", \"l\"], \"content\": \"d\"}");
    buf_text(&b, "]}");
    assert_int_equal(book_of(w, b.p).n, CARD_ENTRIES_MAX);
    expect_warning(w, "lorebook entry 'k': '@@additional_keys a,b' is not supported");
    assert_int_equal(w->d.warnings, 20000 - CARD_LIST_MAX / 2 + 1);
}

static void entries_call_for_entries(void **state)
{
    const char *json =
        "{\"recursive_scanning\": true, \"scan_depth\": 1, \"entries\": ["
        "{\"keys\": [\"q\"], \"content\": \"D\", \"insertion_order\": 1},"
        "{\"keys\": [\"secret\"], \"content\": \"q\", \"insertion_order\": 2},"
        "{\"keys\": [\"a\"], \"content\": \"{{hidden_key:secret}}b\", \"insertion_order\": 3}]}";
    struct card_book book = book_of(*state, json);

    expect_lore(*state, &book, "a", "D,q,b");
    book.recursive = false;
    expect_lore(*state, &book, "a", "b");
    expect_lore(*state, &book, "secret", "q");
}

static void the_budget_keeps_what_matters_most(void **state)
{
    /* each content is one token by our count */
    struct card_book book = book_of(
        *state, "{\"token_budget\": 3, \"entries\": ["
                "{\"keys\": [\"x\"], \"content\": \"a\", \"insertion_order\": 4, \"priority\": 1},"
                "{\"keys\": [\"x\"], \"content\": \"b\", \"insertion_order\": 3, \"priority\": 9},"
                "{\"keys\": [\"x\"], \"content\": \"c\", \"insertion_order\": 2},"
                "{\"keys\": [\"x\"], \"content\": \"@@ignore_on_max_context\\nd\", "
                "\"insertion_order\": 1, \"priority\": 99},"
                "{\"keys\": [], \"content\": \"e\", \"constant\": true, \"insertion_order\": 0, "
                "\"priority\": 50}]}");

    expect_lore(*state, &book, "x", "e,c,b");
    book.token_budget = 2;
    expect_lore(*state, &book, "x", "e,b");
    book.token_budget = 4;
    expect_lore(*state, &book, "x", "e,c,b,a");
    book.token_budget = 5;
    expect_lore(*state, &book, "x", "e,d,c,b,a");
    book.token_budget = 0;
    expect_lore(*state, &book, "x", "");
}

static void lore_stands_around_the_text(void **state)
{
    struct world *w = *state;
    struct card_book book =
        book_of(w, "{\"entries\": ["
                   "{\"keys\": [\"x\"], \"content\": \"behind\", \"position\": \"after_char\"},"
                   "{\"keys\": [\"x\"], \"content\": \"before\", \"position\": \"before_char\"}]}");
    struct str x = STR("x"), y = STR("y");
    struct card_scene scene = {.texts = &x, .n = 1};

    expect_text(card_lore_text(w->a, STR("card"), card_lore_find(w->a, &book, &scene)),
                "before\n\ncard\n\nbehind");
    scene.texts = &y;
    expect_text(card_lore_text(w->a, STR("card"), card_lore_find(w->a, &book, &scene)), "card");
}

static void a_book_survives_being_written(void **state)
{
    struct world *w = *state;
    struct card_book book = book_of(
        w,
        "{\"name\": \"n\", \"scan_depth\": 3, \"token_budget\": 50, \"recursive_scanning\": true, "
        "\"entries\": ["
        "{\"name\": \"e\", \"keys\": [\"k\", \"l\"], \"secondary_keys\": [\"s\"], \"selective\": "
        "true, \"constant\": true,"
        " \"case_sensitive\": true, \"use_regex\": true, \"enabled\": false, \"insertion_order\": "
        "1.5, \"priority\": 3,"
        " \"position\": \"after_char\", \"content\": \"@@scan_depth 9\\nc {{hidden_key:h}}\"}]}");
    AUTO(json_freep) json_t *first = card_book_json(&book);
    struct card_book again = {0};
    struct err e = {0};
    json_t *second;

    assert_int_equal(card_book_from_json(&w->desk, first, &again, &e), OK);
    second = card_book_json(&again);
    assert_true(json_equal(first, second));
    json_decref(second);
    assert_int_equal(again.v[0].scan_depth, 9);
    expect_text(again.v[0].hidden.v[0], "h");
    assert_true(again.v[0].ranked && again.v[0].regex && !again.v[0].enabled);
}

/* ---- character files ---- */

static void a_card_becomes_a_character(void **state)
{
    struct world *w = *state;
    struct card c = read_good(
        w, STR("{\"spec\": \"chara_card_v3\", \"data\": {\"name\": \"灯\", \"description\": "
               "\"灯台の番人。\\n \\n\\\"#: x\\\"\","
               "\"personality\": \"静か\", \"scenario\": \"嵐\", \"mes_example\": "
               "\"<START>\\n{{user}}: やあ\\n<start>\\n{{char}}: おう\","
               "\"first_mes\": \"『…』\", \"system_prompt\": \"S\", \"post_history_instructions\": "
               "\"P\", \"creator\": \"me\\nyou\", \"tags\": [\"海\"],"
               "\"alternate_greetings\": [\"a\"], \"assets\": [{}], \"character_book\": "
               "{\"entries\": [{\"keys\": [\"k: 1\", \"- k\"], \"content\": \"two\\nlines\"}]}}}"));
    struct card played = card_play(&w->desk, &c, STR("客"), 1);
    struct source source = {"character.yaml", STR(""), 1};
    const struct node *root, *book;
    struct err e = {0};

    assert_int_equal(card_character(&w->desk, &played, "ja", &source.text, &e), OK);
    root = doc_parse(w->a, &source, &w->d);
    assert_int_equal(w->d.errors, 0);
    expect_text(node_get(root, "name")->text, "灯");
    expect_text(node_get(root, "language")->text, "ja");
    expect_text(node_get(root, "greeting")->text, "『…』");
    expect_text(node_get(root, "card")->text,
                "S\n\n灯台の番人。\n \n\"#: x\"\n\n性格:\n静か\n\n場面:\n嵐\n\n会話の例:\n客: "
                "やあ\n\n灯: おう\n\nP");
    book = node_get(node_get(root, "lorebook"), "entries")->first;
    expect_text(node_get(book, "content")->text, "two\nlines");
    expect_text(node_get(book, "keys")->first->next->text, "- k");
    assert_true(str_starts(source.text, STR("# Made from a character card of version 3.\n"
                                            "# creator: me\n#   you\n# tags: 海\nname: ")));
    expect_warning(w, "1 alternate greetings");
    expect_warning(w, "1 assets");
    expect_warning(w, "'post_history_instructions' go at the end");
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(version_1),
        TEST(the_oldest_names),
        TEST(version_2),
        TEST(version_3_and_later),
        TEST(untidy_cards_are_read_with_warnings),
        TEST(what_is_no_card_is_said),
        TEST(a_picture_holds_a_card),
        TEST(compressed_and_bare_texts_hold_cards_too),
        TEST(pictures_without_a_good_card),
        TEST(an_archive_holds_a_card),
        TEST(macros_with_one_meaning),
        TEST(names_are_not_read_as_macros),
        TEST(choices_follow_the_seed),
        TEST(picks_agree_and_random_ones_differ),
        TEST(a_text_that_swells_stays_as_it_was),
        TEST(large_texts_are_expanded_in_time),
        TEST(a_whole_card_is_expanded),
        TEST(keys_call_for_entries),
        TEST(orders_of_any_size_survive),
        TEST(patterns_call_for_entries),
        TEST(the_scan_reaches_so_far_back),
        TEST(decorators_decide),
        TEST(fallbacks_stand_in_for_unknown_decorators),
        TEST(books_have_limits),
        TEST(entries_call_for_entries),
        TEST(the_budget_keeps_what_matters_most),
        TEST(lore_stands_around_the_text),
        TEST(a_book_survives_being_written),
        TEST(a_card_becomes_a_character),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
