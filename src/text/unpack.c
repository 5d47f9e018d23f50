#include "text/unpack.h"

#include <limits.h>
#define ZLIB_CONST /* declares its input const */
#include <zlib.h>

enum { STEP = 64 << 10, RAW_WINDOW = -15, ZLIB_WINDOW = 15 };
enum { GZIP_WINDOW = 31, GZIP_LEVEL = 5, GZIP_MEMORY = 8, GZIP_HEAD = 64, NOISE_MAX = 255 };

static enum status refuse(const z_stream *z, int rc, struct err *e)
{
    if (rc == Z_BUF_ERROR)
        return err_set(e, E_INPUT, "the compressed data end too early");
    return err_set(e, E_INPUT, "the compressed data are damaged%s%s", z->msg ? ": " : "",
                   z->msg ? z->msg : "");
}

/* Unpacks step by step into b, which becomes full if there is more than its maximum. */
static int unpack_into(z_stream *z, struct buf *b)
{
    unsigned char step[STEP];
    int rc;

    do {
        z->next_out = step;
        z->avail_out = sizeof step;
        rc = inflate(z, Z_NO_FLUSH);
        buf_add(b, (struct str){(const char *)step, sizeof step - z->avail_out});
    } while (rc == Z_OK && !b->full);
    return rc;
}

enum status unpack_all(struct arena *a, struct str packed, enum unpack_form form, size_t max,
                       struct str *out, struct err *e)
{
    AUTO(buf_done) struct buf b = BUF_MAX(max);
    z_stream z = {.next_in = (const Bytef *)packed.p, .avail_in = (uInt)packed.n};
    int rc;

    if (packed.n > UINT_MAX)
        return err_set(e, E_INPUT, "too large to unpack");
    if (inflateInit2(&z, form == UNPACK_RAW ? RAW_WINDOW : ZLIB_WINDOW) != Z_OK)
        return err_set(e, E_SYSTEM, "zlib cannot start");
    rc = unpack_into(&z, &b);
    (void)inflateEnd(&z);
    if (b.full)
        return err_set(e, E_INPUT, "it unpacks to more than %zu bytes", max);
    if (rc != Z_STREAM_END)
        return refuse(&z, rc, e);
    if (z.avail_in)
        return err_set(e, E_INPUT, "%u bytes follow the end of the compressed data", z.avail_in);
    *out = arena_str(a, buf_str(&b));
    return OK;
}

uint32_t unpack_crc(struct str bytes)
{
    return (uint32_t)crc32_z(0, (const Bytef *)bytes.p, bytes.n);
}

struct str unpack_gzip(struct arena *a, struct str bytes, size_t noise)
{
    char name[NOISE_MAX + 1];
    gz_header head = {.name = (Bytef *)name, .os = 255};
    z_stream z = {.next_in = (const Bytef *)bytes.p, .avail_in = (uInt)bytes.n};
    size_t room = bytes.n + bytes.n / 100 + GZIP_HEAD + NOISE_MAX;
    char *out = arena_alloc(a, room);
    int rc;

    if (bytes.n > INT_MAX || deflateInit2(&z, GZIP_LEVEL, Z_DEFLATED, GZIP_WINDOW, GZIP_MEMORY,
                                          Z_DEFAULT_STRATEGY) != Z_OK)
        return STR("");
    noise = noise < NOISE_MAX ? noise : NOISE_MAX;
    memset(name, 'x', noise);
    name[noise] = '\0';
    (void)deflateSetHeader(&z, &head);
    z.next_out = (Bytef *)out;
    z.avail_out = (uInt)room;
    rc = deflate(&z, Z_FINISH);
    (void)deflateEnd(&z);
    return rc == Z_STREAM_END ? (struct str){out, room - z.avail_out} : STR("");
}
