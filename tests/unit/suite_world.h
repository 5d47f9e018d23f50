/* suite_world.h - what the tests of suites share: a directory, and suites written into it.
 * Include after cmocka.h. */
#ifndef UNIT_SUITE_WORLD_H
#define UNIT_SUITE_WORLD_H

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "suite/item.h"
#include "suite/suite.h"

/* Each test works in an empty directory of its own, so that file names in messages are short. */
struct world {
    char home[4096], dir[64];
    struct arena *a;
    struct diags d;
    struct item_source *items;
    struct suite *s;
};

static inline int setup(void **state)
{
    struct world *w = mem_new(sizeof *w);

    assert_non_null(getcwd(w->home, sizeof w->home));
    (void)snprintf(w->dir, sizeof w->dir, "/tmp/test_suite.XXXXXX");
    assert_non_null(mkdtemp(w->dir));
    assert_int_equal(chdir(w->dir), 0);
    assert_int_equal(mkdir("items", 0755), 0);
    w->a = arena_new();
    diags_init(&w->d, w->a);
    *state = w;
    return 0;
}

static inline int teardown(void **state)
{
    struct world *w = *state;
    char command[128];

    assert_int_equal(chdir(w->home), 0);
    (void)snprintf(command, sizeof command, "rm -rf '%s'", w->dir);
    assert_int_equal(system(command), 0);
    arena_free(w->a);
    free(w);
    return 0;
}

static inline void put(const char *path, struct str text)
{
    struct err e = {0};

    assert_int_equal(file_write(path, text, &e), OK);
}

static inline void load(struct world *w, const char *path)
{
    w->s = suite_load(w->a, path, &w->items, &w->d);
}

/* A whole suite around some lines, which may be any of its parts but judge and language. */
static inline void load_text(struct world *w, const char *text)
{
    put("judge.txt", STR("{{question}} {{answer}}"));
    put("s.yaml",
        str_of(arena_printf(w->a, "%s\nlanguage: en\njudge: {template: judge.txt}\n", text)));
    load(w, "s.yaml");
}

#define HEAD  "suite: s\n"
#define DIMS  "instrument: {dimensions: [{id: q, scale: 0..5}]}\n"
#define ITEMS "items: [{prompt: hello}]\n"

static inline const char *shown(struct world *w)
{
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 20);

    diags_show(&w->d, NULL, &b);
    return arena_text(w->a, buf_str(&b));
}

static inline void expect_shown(struct world *w, const char *want)
{
    assert_string_equal(shown(w), want);
}

static inline void expect_fault(struct world *w, const char *text, const char *want)
{
    diags_init(&w->d, w->a);
    load_text(w, text);
    if (!strstr(shown(w), want))
        fail_msg("%s\ngave\n%s\nand not\n%s", text, shown(w), want);
}

static inline size_t read_all(struct world *w, struct item *list, size_t max)
{
    struct item_reader *r = item_reader_new(w->s, w->items, &w->d);
    struct item one;
    struct err e = {0};
    size_t n = 0;

    while (item_reader_next(r, &one)) {
        if (n < max)
            assert_int_equal(item_thaw(w->a, str_of(item_freeze(w->a, &one)), &list[n], &e), OK);
        n++;
    }
    assert_false(item_reader_next(r, &one));
    item_reader_free(r);
    return n;
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

#endif
