#include "base/zstd.h"

#include <stdlib.h>
#include <zdict.h>
#include <zstd.h>

enum {
    STEP = 64 << 10,
    LEVEL = 9 /* packed once, outside of runs, and rarely read */
};

enum status zstd_unpack(struct arena *a, struct str packed, size_t max, struct str *out,
                        struct err *e)
{
    AUTO(buf_done) struct buf b = BUF_MAX(max);
    ZSTD_DStream *z = ZSTD_createDStream();
    ZSTD_inBuffer in = {packed.p, packed.n, 0};
    char *step = arena_alloc(a, STEP);
    bool more = z != NULL;
    size_t left = 1;

    while (more && !b.full) { /* until all is read and the last piece was not full */
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

/* ---- with a dictionary ---- */

struct zstd_coder {
    ZSTD_CCtx *packs;
    ZSTD_DCtx *unpacks;
    ZSTD_CDict *to;
    ZSTD_DDict *from;
    struct str dictionary;
};

struct str zstd_train(struct arena *a, struct str all, const size_t *lengths, size_t n, size_t most)
{
    char *bytes = arena_alloc(a, most);
    size_t made = ZDICT_trainFromBuffer(bytes, most, all.p, lengths, (unsigned)n);

    return ZDICT_isError(made) ? STR("") : (struct str){bytes, made};
}

struct zstd_coder *zstd_coder_new(struct str dictionary)
{
    struct zstd_coder *c = mem_new(sizeof *c);

    c->dictionary = dictionary;
    return c;
}

void zstd_coder_free(struct zstd_coder *c)
{
    if (!c)
        return;
    (void)ZSTD_freeCCtx(c->packs);
    (void)ZSTD_freeDCtx(c->unpacks);
    (void)ZSTD_freeCDict(c->to);
    (void)ZSTD_freeDDict(c->from);
    free(c);
}

struct str zstd_coder_pack(struct zstd_coder *c, struct arena *a, struct str text)
{
    size_t room = ZSTD_compressBound(text.n), n;
    char *bytes = arena_alloc(a, room);

    if (!c->packs) {
        c->packs = ZSTD_createCCtx();
        c->to = ZSTD_createCDict(c->dictionary.p, c->dictionary.n, LEVEL);
    }
    if (!c->packs || !c->to)
        return STR("");
    n = ZSTD_compress_usingCDict(c->packs, bytes, room, text.p, text.n, c->to);
    return ZSTD_isError(n) ? STR("") : (struct str){bytes, n};
}

enum status zstd_coder_unpack(struct zstd_coder *c, struct arena *a, struct str packed, size_t max,
                              struct str *out, struct err *e)
{
    unsigned long long length = ZSTD_getFrameContentSize(packed.p, packed.n);
    char *bytes;

    if (length == ZSTD_CONTENTSIZE_ERROR || length == ZSTD_CONTENTSIZE_UNKNOWN)
        return err_set(e, E_INPUT, "the compressed data are damaged");
    if (length > max)
        return err_set(e, E_INPUT, "it unpacks to more than %zu bytes", max);
    if (!c->unpacks) {
        c->unpacks = ZSTD_createDCtx();
        c->from = ZSTD_createDDict(c->dictionary.p, c->dictionary.n);
    }
    bytes = arena_alloc(a, (size_t)length + 1);
    if (!c->unpacks || !c->from ||
        ZSTD_decompress_usingDDict(c->unpacks, bytes, (size_t)length, packed.p, packed.n,
                                   c->from) != length)
        return err_set(e, E_INPUT, "the compressed data are damaged");
    *out = (struct str){bytes, (size_t)length};
    return OK;
}
