/* fuzz_import.c - any text as a Markdown test set. Pairs and examples that come out have words, are
 * trimmed, and stand in the order of the file. */
#include <stdlib.h>

#include "exchange/import_md.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void read_examples(struct arena *a, struct str text)
{
    struct import_md_examples got = {0};
    struct err e = {0};

    if (import_md_examples(a, text, &got, &e) != OK) {
        require(e.code == E_INPUT && got.n == 0);
        return;
    }
    require(got.n > 0);
    for (size_t i = 0; i < got.n; i++) {
        const struct import_md_example *x = &got.v[i];
        require(x->prompt.n > 0 && str_trim(x->prompt).n == x->prompt.n);
        require(x->answer.n > 0 && utf8_check(x->answer) == x->answer.n);
        require(x->score == x->score && x->line > (i ? got.v[i - 1].line : 0));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct str text = arena_str(a, (struct str){(const char *)data, size});
    struct import_md_pairs got = {0};
    struct err e = {0};

    read_examples(a, text);
    if (import_md_read(a, text, &got, &e) != OK) {
        require(e.code == E_INPUT && got.n == 0);
        return 0;
    }
    require(got.n > 0);
    for (size_t i = 0; i < got.n; i++) {
        const struct import_md_pair *p = &got.v[i];
        require(p->prompt.n > 0 && str_trim(p->prompt).n == p->prompt.n);
        require(str_trim(p->reference).n == p->reference.n);
        require(p->line > (i ? got.v[i - 1].line : 0));
        require(utf8_check(p->prompt) == p->prompt.n && utf8_check(p->reference) == p->reference.n);
    }
    return 0;
}
