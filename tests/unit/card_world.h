/* card_world.h - small writers of PNG and zip files, so that tests need none from elsewhere. To be
 * included behind cmocka. */
#ifndef TESTS_CARD_WORLD_H
#define TESTS_CARD_WORLD_H

#include <zlib.h>

#include "base/err.h"
#include "base/str.h"

enum { WORLD_MAX = 96 << 20 };

static inline void expect_refused(enum status got, const struct err *e, const char *words)
{
    if (got != E_INPUT || !strstr(e->msg, words))
        fail_msg("%d '%s', not '%s'", (int)got, e->msg, words);
}

static inline void put_le(struct buf *b, uint32_t v, int bytes)
{
    for (int i = 0; i < bytes; i++)
        buf_char(b, (char)(unsigned char)(v >> (8 * i)));
}

static inline void put_be32(struct buf *b, uint32_t v)
{
    for (int i = 3; i >= 0; i--)
        buf_char(b, (char)(unsigned char)(v >> (8 * i)));
}

static inline uint32_t crc_of(struct str s)
{
    return (uint32_t)crc32(0, (const Bytef *)s.p, (uInt)s.n);
}

/* window 15: with the head of zlib; -15: bare */
static inline void put_deflated(struct buf *b, struct str s, int window)
{
    unsigned char step[4096];
    z_stream z = {.next_in = (Bytef *)(uintptr_t)s.p, .avail_in = (uInt)s.n};
    int rc;

    if (deflateInit2(&z, 9, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return;
    do {
        z.next_out = step;
        z.avail_out = sizeof step;
        rc = deflate(&z, Z_FINISH);
        buf_add(b, (struct str){(const char *)step, sizeof step - z.avail_out});
    } while (rc == Z_OK);
    (void)deflateEnd(&z);
}

static inline void put_base64(struct buf *b, struct str s)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    for (size_t i = 0; i < s.n; i += 3) {
        uint32_t v = 0;
        for (size_t k = 0; k < 3; k++)
            v = v << 8 | (i + k < s.n ? (unsigned char)s.p[i + k] : 0);
        for (size_t k = 0; k < 4; k++)
            buf_char(b, i + k > s.n ? '=' : digits[v >> (18 - 6 * k) & 63]);
    }
}

/* ---- PNG ---- */

static inline void put_chunk(struct buf *b, const char *type, struct str data)
{
    size_t from;

    put_be32(b, (uint32_t)data.n);
    from = b->n;
    buf_text(b, type);
    buf_add(b, data);
    put_be32(b, crc_of(str_from(buf_str(b), from)));
}

/* A picture of one grey dot, up to where texts may stand. */
static inline void put_png(struct buf *b)
{
    struct buf dot = BUF_MAX(1000);

    buf_add(b, STR("\x89PNG\r\n\x1A\n"));
    put_chunk(b, "IHDR", STR("\0\0\0\1\0\0\0\1\x08\0\0\0\0"));
    put_deflated(&dot, STR("\0\x80"), 15);
    put_chunk(b, "IDAT", buf_str(&dot));
    buf_done(&dot);
}

static inline void put_png_end(struct buf *b)
{
    put_chunk(b, "IEND", STR(""));
}

/* ---- zip ---- */

struct zip_file {
    struct str name, content;
    uint32_t method, flags;
    uint32_t claimed;  /* size; 0: the true one */
    uint32_t place;    /* of its local header, where it is a lie; 0: the true one */
    struct str inside; /* name in the local header, where it is another */
};

static inline void put_zip_head(struct buf *b, const struct zip_file *f, struct str packed,
                                struct str name)
{
    put_le(b, 20, 2);
    put_le(b, f->flags, 2);
    put_le(b, f->method, 2);
    put_le(b, 0, 4); /* time and date */
    put_le(b, crc_of(f->content), 4);
    put_le(b, (uint32_t)packed.n, 4);
    put_le(b, f->claimed ? f->claimed : (uint32_t)f->content.n, 4);
    put_le(b, (uint32_t)name.n, 2);
    put_le(b, 0, 2);
}

static inline void put_zip_entry(struct buf *b, const struct zip_file *f, struct str packed,
                                 size_t at)
{
    buf_add(b, STR("PK\1\2\x14\0"));
    put_zip_head(b, f, packed, f->name);
    put_le(b, 0, 4); /* remark, disk */
    put_le(b, 0, 2); /* attributes */
    put_le(b, 0, 4);
    put_le(b, f->place ? f->place : (uint32_t)at, 4);
    buf_add(b, f->name);
}

static inline void put_zip(struct buf *b, const struct zip_file *files, size_t n)
{
    struct buf entries = BUF_MAX(WORLD_MAX);
    size_t directory;

    for (size_t i = 0; i < n; i++) {
        struct buf packed = BUF_MAX(WORLD_MAX);
        struct str name = files[i].inside.n ? files[i].inside : files[i].name;
        size_t at = b->n;
        if (files[i].method == 8)
            put_deflated(&packed, files[i].content, -15);
        else
            buf_add(&packed, files[i].content);
        put_zip_entry(&entries, &files[i], buf_str(&packed), at);
        buf_add(b, STR("PK\3\4"));
        put_zip_head(b, &files[i], buf_str(&packed), name);
        buf_add(b, name);
        buf_add(b, buf_str(&packed));
        buf_done(&packed);
    }
    directory = b->n;
    buf_add(b, buf_str(&entries));
    buf_add(b, STR("PK\5\6\0\0\0\0"));
    put_le(b, (uint32_t)n, 2);
    put_le(b, (uint32_t)n, 2);
    put_le(b, (uint32_t)entries.n, 4);
    put_le(b, (uint32_t)directory, 4);
    put_le(b, 0, 2);
    buf_done(&entries);
}

#endif
