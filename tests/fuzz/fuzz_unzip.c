/* fuzz_unzip.c - any bytes as a zip archive. What is read has the size that was announced. */
#include <stdlib.h>

#include "text/unzip.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct err e = {0};
    struct unzip z;

    if (unzip_open(a, (struct str){(const char *)data, size}, &z, &e) != OK) {
        require(e.code == E_INPUT && e.msg[0]);
        return 0;
    }
    for (size_t i = 0; i < z.n; i++) {
        struct str out = {NULL, 0};
        require(unzip_find(&z, arena_text(a, z.v[i].name)) == &z.v[i]);
        require(!str_starts(z.v[i].name, STR("/")) && !str_starts(z.v[i].name, STR("../")));
        if (unzip_read(a, &z, &z.v[i], 1 << 20, &out, &e) == OK)
            require(out.n == z.v[i].size);
    }
    return 0;
}
