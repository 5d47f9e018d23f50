#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/doc.h"

struct parsed {
    struct arena *arena;
    struct diags diags;
    struct node *root;
};

static void parse_at(struct parsed *p, struct str text, int first_line)
{
    struct source *s;

    p->arena = arena_new();
    s = NEW(p->arena, struct source);
    *s = (struct source){.path = "t.yaml", .text = text, .first_line = first_line};
    diags_init(&p->diags, p->arena);
    p->root = doc_parse(p->arena, s, &p->diags);
}

static void parse(struct parsed *p, struct str text)
{
    parse_at(p, text, 1);
}

static void parsed_done(struct parsed *p)
{
    arena_free(p->arena);
}

static void reads_yaml(void **state)
{
    AUTO(parsed_done) struct parsed p;
    const struct node *n;

    (void)state;
    parse(&p, STR("name: live\n"
                  "country: NO\n"
                  "版: 1.10\n"
                  "items:\n"
                  "  - one\n"
                  "  - {a: 1, b: [x, 'y']}\n"
                  "prompt: |\n"
                  "  line one\n"
                  "  line two\n"
                  "folded: >-\n"
                  "  fold\n"
                  "  ed\n"
                  "nothing:\n"
                  "tilde: ~\n"
                  "quoted: \"null\"\n"));
    assert_int_equal(p.diags.errors, 0);
    assert_int_equal(p.root->kind, NODE_MAP);
    assert_int_equal(p.root->n, 9);
    assert_true(str_is(node_get(p.root, "country")->text, "NO"));
    n = node_get(p.root, "版");
    assert_true(str_is(n->text, "1.10"));
    assert_int_equal(n->at.line, 3);
    assert_int_equal(n->at.column, 4);
    assert_int_equal(n->at.width, 4);
    n = node_get(p.root, "items");
    assert_int_equal(n->kind, NODE_LIST);
    assert_int_equal(n->n, 2);
    n = node_get(n->first->next, "b")->first->next;
    assert_true(str_is(n->text, "y"));
    assert_true(n->quoted);
    assert_int_equal(n->at.column, 19);
    assert_int_equal(n->at.width, 3);
    n = node_get(p.root, "prompt");
    assert_true(str_is(n->text, "line one\nline two\n"));
    assert_true(n->quoted);
    assert_int_equal(n->at.line, 8);
    assert_int_equal(n->at.column, 3);
    assert_int_equal(n->at.width, 8);
    assert_true(str_is(node_get(p.root, "folded")->text, "fold ed"));
    assert_true(node_is_null(node_get(p.root, "nothing")));
    assert_int_equal(node_get(p.root, "nothing")->at.line, 13);
    assert_true(node_is_null(node_get(p.root, "tilde")));
    assert_false(node_is_null(node_get(p.root, "quoted")));
    assert_null(node_get(p.root, "absent"));
    assert_null(node_get(NULL, "absent"));
}

static void reads_json(void **state)
{
    AUTO(parsed_done) struct parsed p;
    const struct node *n;

    (void)state;
    parse_at(&p,
             STR("{\"a\":1,\"日\":[null,\"\\ud83d\\ude00\\n\",{\"x\":-1.5}],\"e\":{},\"f\":[]}"),
             77);
    assert_int_equal(p.diags.errors, 0);
    assert_int_equal(p.root->at.line, 77);
    n = node_get(p.root, "日")->first;
    assert_true(node_is_null(n));
    assert_int_equal(n->at.line, 77);
    assert_int_equal(n->at.column, 13);
    assert_true(str_is(n->next->text, "😀\n"));
    assert_int_equal(node_get(p.root, "e")->kind, NODE_MAP);
    assert_int_equal(node_get(p.root, "f")->n, 0);
}

static void reads_json_with_tabs_and_bom(void **state)
{
    AUTO(parsed_done) struct parsed p;

    (void)state;
    parse(&p, STR("\xEF\xBB\xBF{\r\n\t\"a\": [\r\n\t\t1\r\n\t]\r\n}\r\n"));
    assert_int_equal(p.diags.errors, 0);
    assert_int_equal(p.root->at.column, 1);
    assert_int_equal(node_get(p.root, "a")->first->at.line, 3);
    assert_int_equal(node_get(p.root, "a")->first->at.column, 3);
}

/* Documents with one fault: where it is, and what is said (the beginning of it). */
static void refuses(void **state)
{
    const struct {
        struct str text;
        int line, column;
        const char *msg;
    } cases[] = {
        {STR(""), 0, 0, "the file is empty"},
        {STR(" \n\n"), 0, 0, "the file is empty"},
        {STR("# nothing\n"), 0, 0, "the file is empty"},
        {STR("a:\n\tb: 1\n"), 2, 1, "a tab in the indentation"},
        {STR("\t- a: 1\n"), 1, 1, "a tab in the indentation"},
        {STR("a: @b\n"), 1, 4, "text that begins with this must be in quotes"},
        {STR("a: `b`\n"), 1, 4, "text that begins with this must be in quotes"},
        {STR("a: 1\n\tb: 1\n"), 2, 1, "a tab in the indentation"},
        {STR("a:\n  - b: 1\n  \tc: 1\n"), 3, 3, "a tab in the indentation"},
        {STR("a: 1\nb: \"c\n\td\"\n"), 3, 1, "a tab in the indentation"},
        {STR("a: 1\n日本: [x, \"yz\n"), 2, 9, "the quote opened here is not closed"},
        {STR("日本: \"x\nb: 2\n"), 1, 5, "the quote opened here is not closed"},
        {STR("日本: 'x\nb: 2\n"), 1, 5, "the quote opened here is not closed"},
        {STR("b: \"日本\" x\n"), 1, 9, "invalid trailing content"},
        {STR("a: 1\n  b: 2\n"), 1, 4, "bad indentation"},
        {STR("a:\n  b: 1\n c: 2\n"), 3, 2, "bad indentation"},
        {STR("a:\n  - x\n - y\n"), 3, 2, "bad indentation"},
        {STR("- a\nb: 2\n"), 2, 1, "bad indentation"},
        {STR("a: b: c\n"), 1, 5, "a value that contains ': ' must be in quotes"},
        {STR("a: - b\n"), 1, 4, "a list written with '-'"},
        {STR("日: [1, 2"), 1, 4, "this '[' is not closed"},
        {STR("日: {a: 2\n\n"), 1, 4, "this '{' is not closed"},
        {STR("a: [b, c\nd: 2\n"), 1, 4, "this '[' is not closed"},
        {STR("a: {\n  b: 1\nc: 2\n"), 3, 2, "missing comma in flow mapping"},
        {STR("{\"a\": 1} x"), 1, 10, "text after the end of the document"},
        {STR("a: \"\\q\"\n"), 1, 5, "invalid escape"},
        {STR("a: \"\\0\"\n"), 1, 4, "an escape in this text makes a character"},
        {STR("a: 1\n---\nb: 2\n"), 2, 1, "a second document begins here"},
        {STR("? [a]\n: b\n"), 1, 3, "a key must be text"},
        {STR("{x: 1, {a: 1}: 2}\n"), 1, 8, "a key must be text"},
        {STR("日\xFF\n"), 1, 2, "not valid UTF-8"},
        {STR("a: 1\nb\0c: 1\n"), 2, 2, "a control character"},
        {STR("%YAML 1.2\n---\na: 1\n"), 1, 1, "a line that begins with '%'"},
        {STR("a: 1\n...\n%TAG !a! b\n"), 3, 1, "a line that begins with '%'"},
        {STR("a: \x1b[2J\n"), 1, 4, "a control character"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        AUTO(parsed_done) struct parsed p;
        parse(&p, cases[i].text);
        if (p.root || p.diags.errors != 1)
            fail_msg("case %zu: %zu faults", i, p.diags.errors);
        const struct diag *d = p.diags.first;
        if (d->at.line != cases[i].line || d->at.column != cases[i].column ||
            !str_starts(str_of(d->msg), str_of(cases[i].msg)))
            fail_msg("case %zu: %d:%d: %s", i, d->at.line, d->at.column, d->msg);
    }
}

/* Faults that do not hide the rest of the document. */
static void goes_on_after_some_faults(void **state)
{
    AUTO(parsed_done) struct parsed p;
    const struct diag *d;

    (void)state;
    parse(&p, STR("a: &x 1\nb: *x\na: [2]\nc: !!int 3\nd: 4\n"));
    assert_non_null(p.root);
    assert_int_equal(p.diags.errors, 4);
    d = p.diags.first;
    assert_int_equal(d->at.line, 1);
    assert_non_null(strstr(d->msg, "anchors"));
    d = d->next;
    assert_int_equal(d->at.line, 2);
    assert_non_null(strstr(d->msg, "aliases"));
    d = d->next;
    assert_int_equal(d->at.line, 3);
    assert_int_equal(d->at.column, 1);
    assert_string_equal(d->msg, "the key 'a' appears twice in this map");
    d = d->next;
    assert_non_null(strstr(d->msg, "tags"));
    assert_true(str_is(node_get(p.root, "a")->text, "1"));
    assert_true(str_is(node_get(p.root, "d")->text, "4"));
    assert_int_equal(p.root->n, 4);
}

static void finds_duplicates_in_large_maps(void **state)
{
    AUTO(buf_done) struct buf text = BUF_MAX(1000000);
    AUTO(parsed_done) struct parsed p;

    (void)state;
    for (int i = 0; i < 20000; i++)
        buf_fmt(&text, "k%d: %d\n", i, i);
    buf_text(&text, "k5: x\nk19999: y\n");
    parse(&p, buf_str(&text));
    assert_int_equal(p.diags.errors, 2);
    assert_int_equal(p.diags.first->at.line, 20001);
    assert_int_equal(p.diags.first->next->at.line, 20002);
    assert_int_equal(p.root->n, 20000);
}

/* The parser places a pair in a list at its colon, after the key: places go back and forth. */
static void places_keys_of_pairs(void **state)
{
    AUTO(parsed_done) struct parsed p;
    const struct node *pair;

    (void)state;
    parse(&p, STR("- x\n- [日: 1, \"本\": 2]\n"));
    assert_int_equal(p.diags.errors, 0);
    pair = p.root->first->next->first->next;
    assert_int_equal(pair->first->key->at.line, 2);
    assert_int_equal(pair->first->key->at.column, 10);
    assert_int_equal(pair->first->at.column, 15);
}

static void has_limits(void **state)
{
    AUTO(buf_done) struct buf text = BUF_MAX(16 << 20);

    (void)state;
    for (int depth = 64; depth <= 5000; depth = depth == 64 ? 65 : depth * 9) {
        AUTO(parsed_done) struct parsed p;
        buf_clear(&text);
        for (int i = 0; i < depth; i++)
            buf_char(&text, '[');
        for (int i = 0; i < depth; i++)
            buf_char(&text, ']');
        parse(&p, buf_str(&text));
        assert_int_equal(p.diags.errors, depth == 64 ? 0 : 1);
        if (depth > 64)
            assert_non_null(strstr(p.diags.first->msg, "nested too deeply"));
    }
    {
        AUTO(parsed_done) struct parsed p;
        buf_clear(&text);
        for (int i = 0; i < 500001; i++)
            buf_text(&text, "-\n");
        parse(&p, buf_str(&text));
        assert_null(p.root);
        assert_string_equal(p.diags.first->msg, "the document has too many parts");
    }
    {
        AUTO(parsed_done) struct parsed p;
        buf_clear(&text);
        for (int i = 0; i < (9 << 20) / 8; i++)
            buf_text(&text, "aaaaaaa\n");
        parse(&p, buf_str(&text));
        assert_null(p.root);
        assert_string_equal(p.diags.first->msg, "the file is too large");
    }
}

static void loads_files(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct source named = {"suite.yaml", STR("items: nowhere.yaml\n"), 1};
    char path[] = "/tmp/test_doc.XXXXXX";
    struct diags d;
    int fd = mkstemp(path);

    (void)state;
    assert_int_equal(write(fd, "a: 1\n", 5), 5);
    assert_int_equal(close(fd), 0);
    diags_init(&d, a);
    assert_true(str_is(node_get(doc_load(a, path, (struct place){0}, &d), "a")->text, "1"));
    assert_int_equal(unlink(path), 0);
    assert_int_equal(d.errors, 0);
    assert_null(doc_load(a, path, (struct place){&named, 1, 8, 12}, &d));
    assert_int_equal(d.errors, 1);
    assert_ptr_equal(d.first->at.source, &named);
    assert_non_null(strstr(d.first->msg, path));
}

static void to_json_and_back(void **state)
{
    static const char text[] = "{\"s\":\"x\",\"i\":-5,\"r\":0.1,\"t\":true,\"f\":false,"
                               "\"n\":null,\"q\":\"true\",\"l\":[1,[],{}],\"版\":\"5\"}";
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(json_freep) json_t *in = NULL, *out = NULL;
    struct json_fault none;
    struct err e = {0};
    struct node *n;

    (void)state;
    assert_int_equal(json_read(str_of(text), &in, &e), OK);
    n = json_tree_at(a, str_of(text), (struct place){.line = 3}, &none);
    assert_int_equal(n->n, 9);
    assert_int_equal(node_get(n, "i")->at.line, 3);
    assert_true(str_is(node_get(n, "r")->text, "0.1"));
    assert_false(node_get(n, "r")->quoted);
    assert_true(node_get(n, "版")->quoted);
    out = doc_to_json(n);
    assert_true(json_equal(in, out));
    assert_string_equal(json_object_iter_key(json_object_iter(out)), "s");
}

static void yaml_to_json(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(json_freep) json_t *out = NULL;
    AUTO(parsed_done) struct parsed p;

    (void)state;
    parse(&p, STR("[NO, true, 1.5, 007, '1', ~, 99999999999999999999, 1x, \"\"]"));
    out = doc_to_json(p.root);
    assert_string_equal(
        json_text(a, out),
        "[\"NO\",true,1.5,\"007\",\"1\",null,\"99999999999999999999\",\"1x\",\"\"]");
}

static const char *const modes[] = {"single", "continue", "interview"};

static void typed_reading(void **state)
{
    AUTO(parsed_done) struct parsed p;
    const struct node *r;

    (void)state;
    parse(&p, STR("i: 7\nd: -0.25\nyes: YES\nno: false\nt: text\nc: 'continue'\n"));
    r = p.root;
    assert_int_equal(node_int(node_get(r, "i"), 1, 7, 0, &p.diags), 7);
    assert_true(node_double(node_get(r, "d"), -1, 1, 0, &p.diags) == -0.25);
    assert_true(node_double(node_get(r, "i"), -INFINITY, INFINITY, 0, &p.diags) == 7);
    assert_true(node_bool(node_get(r, "yes"), false, &p.diags));
    assert_false(node_bool(node_get(r, "no"), true, &p.diags));
    assert_true(str_is(node_text(node_get(r, "t"), STR(""), &p.diags), "text"));
    assert_int_equal(node_choice(node_get(r, "c"), modes, 3, -1, &p.diags), 1);
    assert_int_equal(node_int(NULL, 1, 7, 5, &p.diags), 5);
    assert_true(node_double(NULL, 0, 1, 0.5, &p.diags) == 0.5);
    assert_true(node_bool(NULL, true, &p.diags));
    assert_int_equal(node_choice(NULL, modes, 3, 2, &p.diags), 2);
    assert_true(str_is(node_text(NULL, STR("z"), &p.diags), "z"));
    assert_int_equal(p.diags.errors, 0);
}

static void typed_faults(void **state)
{
    static const char *const want[] = {
        "expected a whole number from 1 to 100; found 'x'",
        "expected a whole number from 1 to 100; found '101'",
        "expected a whole number of at least 0; found '5' in quotes",
        "expected a whole number; found a list",
        "expected a number from 0 to 1; found 'x'",
        "expected a number; it is empty",
        "expected true or false; found 'x'",
        "expected plain text; found a list",
        "expected plain text; it is empty",
        "expected one of single, continue, interview; found 'singel' (did you mean 'single'?)",
        "expected one of single, continue, interview; found 'x'",
        "expected one of single, continue, interview; found a list",
    };
    AUTO(parsed_done) struct parsed p;
    const struct node *x, *l, *z;
    const struct diag *d;
    struct diags *f = &p.diags;

    (void)state;
    parse(&p, STR("x: x\nbig: 101\nq: '5'\nl: [1]\nz:\nm: singel\n"));
    x = node_get(p.root, "x");
    l = node_get(p.root, "l");
    z = node_get(p.root, "z");
    assert_int_equal(node_int(x, 1, 100, 9, f), 9);
    assert_int_equal(node_int(node_get(p.root, "big"), 1, 100, 9, f), 9);
    assert_int_equal(node_int(node_get(p.root, "q"), 0, INT64_MAX, 9, f), 9);
    assert_int_equal(node_int(l, INT64_MIN, INT64_MAX, 9, f), 9);
    assert_true(node_double(x, 0, 1, 0.5, f) == 0.5);
    assert_true(node_double(z, -DBL_MAX, DBL_MAX, 0.5, f) == 0.5);
    assert_true(node_bool(x, true, f));
    assert_true(str_is(node_text(l, STR("o"), f), "o"));
    assert_true(str_is(node_text(z, STR("o"), f), "o"));
    assert_int_equal(node_choice(node_get(p.root, "m"), modes, 3, -1, f), -1);
    assert_int_equal(node_choice(x, modes, 3, -1, f), -1);
    assert_int_equal(node_choice(l, modes, 3, -1, f), -1);
    assert_int_equal(f->errors, COUNT(want));
    d = f->first;
    for (size_t i = 0; i < COUNT(want); i++, d = d->next)
        assert_string_equal(d->msg, want[i]);
    assert_int_equal(f->first->at.line, 1);
    assert_int_equal(f->first->at.column, 4);
}

static void unknown_keys(void **state)
{
    static const char *const keys[] = {"repeats", "models"};
    AUTO(parsed_done) struct parsed p;

    (void)state;
    parse(&p, STR("models: 1\nrepeets: 2\nzzz: [1]\n"));
    assert_true(node_keys(p.root, keys, 2, &p.diags));
    assert_int_equal(p.diags.errors, 2);
    assert_string_equal(p.diags.first->msg, "unknown key 'repeets' (did you mean 'repeats'?)");
    assert_int_equal(p.diags.first->at.line, 2);
    assert_int_equal(p.diags.first->at.column, 1);
    assert_int_equal(p.diags.first->at.width, 7);
    assert_string_equal(p.diags.first->next->msg, "unknown key 'zzz'; expected repeats, models");
    assert_false(node_keys(node_get(p.root, "zzz"), keys, 2, &p.diags));
    assert_string_equal(p.diags.first->next->next->msg,
                        "expected a map with the keys repeats, models; found a list");
}

static void shown_as_in_the_manual(void **state)
{
    static const char *const keys[] = {"levels", "名前"};
    AUTO(buf_done) struct buf out = BUF_MAX(1000);
    AUTO(parsed_done) struct parsed p;

    (void)state;
    parse(&p, STR("名前: {levles: 1}\n"));
    assert_true(node_keys(node_get(p.root, "名前"), keys, 2, &p.diags));
    diags_show(&p.diags, NULL, &out);
    assert_string_equal(out.p, "t.yaml:1:6: error: unknown key 'levles' (did you mean 'levels'?)\n"
                               "    1 | 名前: {levles: 1}\n"
                               "      |        ^~~~~~\n"
                               "1 error\n");
}

/* What is written is read back as the same, whatever the texts look like. */
static void writes_what_it_reads(void **state)
{
    static const char text[] = "{\"name\": \"x: #y\", \"a key\": [1, -2, 2.5, true, false, null, "
                               "\"no\", \"1\"], \"empty\": "
                               "{\"a\": [], \"b\": {}, \"c\": \"\"}, \"block\": \"one\\n  "
                               "two\\n\\n# three\\n---\\n\\tfour\", "
                               "\"edges\": [\" a\\nb\", \"a\\nb\\n\", \"a\\tb\", \"\\n\"], "
                               "\"list\": [{\"k\": [\"- v\"], \"t\": "
                               "\"1\\n2\"}, {\"k\": {\"deep\": [[1], [{\"x\": 2}]]}}], \"long\": "
                               "[\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
                               "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\", "
                               "\"b\\nb\"], \"星\": \"灯\\n台\"}";
    AUTO(buf_done) struct buf b = BUF_MAX(10000);
    AUTO(parsed_done) struct parsed p;
    json_t *in, *out;
    struct err e = {0};

    (void)state;
    assert_int_equal(json_read(str_of(text), &in, &e), OK);
    doc_write(&b, in);
    parse(&p, buf_str(&b));
    assert_int_equal(p.diags.errors, 0);
    out = doc_to_json(p.root);
    if (!json_equal(in, out))
        fail_msg("%s", b.p);
    assert_non_null(strstr(b.p, "block: |-\n  one\n    two\n\n  # three\n"));
    json_decref(in);
    json_decref(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_what_it_reads),
        cmocka_unit_test(reads_yaml),
        cmocka_unit_test(reads_json),
        cmocka_unit_test(reads_json_with_tabs_and_bom),
        cmocka_unit_test(refuses),
        cmocka_unit_test(goes_on_after_some_faults),
        cmocka_unit_test(finds_duplicates_in_large_maps),
        cmocka_unit_test(places_keys_of_pairs),
        cmocka_unit_test(has_limits),
        cmocka_unit_test(loads_files),
        cmocka_unit_test(to_json_and_back),
        cmocka_unit_test(yaml_to_json),
        cmocka_unit_test(typed_reading),
        cmocka_unit_test(typed_faults),
        cmocka_unit_test(unknown_keys),
        cmocka_unit_test(shown_as_in_the_manual),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
