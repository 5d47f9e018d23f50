/* fuzz_png.c - any bytes as a PNG file, as they are and with their checksums put right, since
 * hardly any change would pass those. Texts stay within the file or within their limit. */
#include <stdlib.h>

#include "text/png.h"
#include "text/unpack.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void look(struct str file)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct png_texts got = {0};
    struct err e = {0};

    if (png_read(a, file, &got, &e) != OK) {
        require(e.code == E_INPUT && e.msg[0] && got.n == 0);
        return;
    }
    for (size_t i = 0; i < got.n; i++) {
        const struct png_text *t = &got.v[i];
        struct str text = {NULL, 0};
        require(t->keyword.n > 0 && t->at + 12 + t->packed.n <= file.n);
        if (png_unpack(a, t, &text, &e) == OK)
            require(text.n <= PNG_TEXT_MAX);
    }
}

static size_t number(const unsigned char *p)
{
    return (size_t)p[0] << 24 | (size_t)p[1] << 16 | (size_t)p[2] << 8 | p[3];
}

static void mend(unsigned char *p, size_t n)
{
    for (size_t at = 8; at + 12 <= n;) {
        size_t length = number(p + at);
        uint32_t crc;
        if (length > n - at - 12)
            return;
        crc = unpack_crc((struct str){(const char *)p + at + 4, length + 4});
        for (int i = 0; i < 4; i++)
            p[at + 8 + length + (size_t)i] = (unsigned char)(crc >> (24 - 8 * i));
        at += 12 + length;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned char *copy = mem_new(size + 1);

    look((struct str){(const char *)data, size});
    memcpy(copy, data, size);
    mend(copy, size);
    look((struct str){(const char *)copy, size});
    free(copy);
    return 0;
}
