/* Zstandard frames (RFC 8878), one after another. */
#include <zstd.h>

#include "text/unpack.h"

enum { STEP = 64 << 10 };

enum status unpack_zstd(struct arena *a, struct str packed, size_t max, struct str *out,
                        struct err *e)
{
    AUTO(buf_done) struct buf b = BUF_MAX(max);
    ZSTD_DStream *z = ZSTD_createDStream();
    ZSTD_inBuffer in = {packed.p, packed.n, 0};
    char *step = arena_alloc(a, STEP);
    bool more = z != NULL;
    size_t left = 1;

    while (more && !b.full) { /* until all is read and the last piece was not a full one */
        ZSTD_outBuffer to = {step, STEP, 0};
        left = ZSTD_decompressStream(z, &to, &in);
        buf_add(&b, (struct str){step, to.pos});
        more = !ZSTD_isError(left) && (in.pos < in.size || to.pos == STEP);
    }
    (void)ZSTD_freeDStream(z);
    if (b.full)
        return err_set(e, E_INPUT, "it unpacks to more than %zu bytes", max);
    if (!z || ZSTD_isError(left))
        return err_set(e, E_INPUT, "the compressed data are damaged");
    if (left != 0)
        return err_set(e, E_INPUT, "the compressed data end too early");
    *out = arena_str(a, buf_str(&b));
    return OK;
}
