/* fuzz_suite.c - any bytes as a suite file and its items. The input is the suite, and after a line
 * "===" the item file, which the suite may name as i.jsonl or i.csv; models.yaml gets the whole.
 * (It changes its directory: name corpora by absolute paths.)
 * A suite without faults comes back the same from the store, and so does each of its items. */
#include <stdlib.h>
#include <unistd.h>

#include "suite/item.h"
#include "suite/models.h"
#include "suite/suite.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void put(const char *path, struct str text)
{
    FILE *out = fopen(path, "wb");

    require(out && fwrite(text.p, 1, text.n, out) == text.n && fclose(out) == 0);
}

static char dir[] = "/tmp/fuzz_suite.XXXXXX";

static void leave_directory(void)
{
    static const char *const names[] = {"s.yaml", "i.jsonl", "i.csv", "models.yaml"};

    for (size_t i = 0; i < COUNT(names); i++)
        (void)unlink(names[i]);
    (void)rmdir(dir);
}

static void enter_directory(void)
{
    static bool entered;

    if (entered)
        return;
    require(mkdtemp(dir) && chdir(dir) == 0 && atexit(leave_directory) == 0);
    entered = true;
}

static void check_items(struct arena *a, const struct suite *s, struct item_source *from,
                        struct diags *d)
{
    struct item_reader *r = item_reader_new(s, from, d);
    struct item item, back;
    struct err e = {0};

    while (item_reader_next(r, &item)) {
        const char *frozen = item_freeze(a, &item);
        require(item_thaw(a, str_of(frozen), &back, &e) == OK);
        require(strcmp(item_freeze(a, &back), frozen) == 0);
    }
    item_reader_free(r);
}

static void check_suite(struct arena *a, const struct suite *s)
{
    const char *frozen = suite_freeze(a, s);
    struct suite back;
    struct err e = {0};

    require(suite_thaw(a, str_of(frozen), &back, &e) == OK);
    require(strcmp(suite_freeze(a, &back), frozen) == 0);
}

static void check_models(struct arena *a, struct diags *d)
{
    struct models m;
    struct endpoint back;
    struct err e = {0};

    models_load(a, "models.yaml", &m, d);
    for (size_t i = 0; i < m.n && d->errors == 0; i++) { /* one without a name is not used */
        const char *frozen = models_freeze(a, &m.list[i]);
        require(models_thaw(a, str_of(frozen), &back, &e) == OK);
        require(strcmp(models_freeze(a, &back), frozen) == 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(buf_done) struct buf shown = BUF_MAX(1 << 20);
    struct str all = arena_str(a, (struct str){(const char *)data, size}), text = all;
    size_t cut = str_find(all, STR("\n===\n"));
    struct item_source *items;
    struct suite *s;
    struct diags d;

    enter_directory();
    if (cut != SIZE_MAX)
        text.n = cut;
    put("s.yaml", text);
    put("i.jsonl", str_from(all, text.n + 5));
    put("i.csv", str_from(all, text.n + 5));
    put("models.yaml", all);
    diags_init(&d, a);
    s = suite_load(a, "s.yaml", &items, &d);
    if (s && d.errors == 0)
        check_suite(a, s);
    if (s)
        check_items(a, s, items, &d);
    check_models(a, &d);
    diags_show(&d, NULL, &shown);
    require(utf8_check(buf_str(&shown)) == shown.n);
    return 0;
}
