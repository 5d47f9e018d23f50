#include "text/png.h"

#include "text/unpack.h"

enum {
    HEAD = 8, /* bytes of a chunk before its data: length and type */
    CRC = 4,
    KEYWORD_MAX = 79,
    LENGTH_MAX = INT32_MAX,
};

static const struct str signature = {"\x89PNG\r\n\x1A\n", 8};

struct chunk {
    char type[5];
    struct str data;
    size_t at;
};

bool png_is(struct str file)
{
    return str_starts(file, signature);
}

static uint32_t number(const char *p)
{
    const unsigned char *u = (const unsigned char *)p;

    return (uint32_t)u[0] << 24 | (uint32_t)u[1] << 16 | (uint32_t)u[2] << 8 | u[3];
}

static bool is_type(const char *p)
{
    for (int i = 0; i < 4; i++)
        if (!((p[i] >= 'A' && p[i] <= 'Z') || (p[i] >= 'a' && p[i] <= 'z')))
            return false;
    return true;
}

/* Reads the chunk at *at and moves *at past it. */
static enum status next_chunk(struct str file, size_t *at, struct chunk *out, struct err *e)
{
    size_t left = file.n - *at;
    const char *p = file.p + *at;
    uint32_t length;

    if (left < HEAD + CRC)
        return err_set(e, E_INPUT, "the PNG is cut off: its last chunk (IEND) is missing");
    length = number(p);
    if (length > LENGTH_MAX || !is_type(p + 4))
        return err_set(e, E_INPUT, "the PNG is damaged: no chunk begins at byte %zu", *at);
    *out = (struct chunk){.data = {p + HEAD, length}, .at = *at};
    memcpy(out->type, p + 4, 4);
    if (length > left - HEAD - CRC)
        return err_set(
            e, E_INPUT,
            "the PNG is cut off: the %s chunk at byte %zu has %u bytes, but only %zu are left",
            out->type, *at, length, left - HEAD);
    if (unpack_crc((struct str){p + 4, length + 4U}) != number(p + HEAD + length))
        return err_set(e, E_INPUT,
                       "the PNG is damaged: the checksum of the %s chunk at byte %zu "
                       "is wrong",
                       out->type, *at);
    *at += HEAD + length + CRC;
    return OK;
}

static enum status refuse(const struct png_text *t, const char *why, struct err *e)
{
    return err_set(e, E_INPUT, "the %s chunk at byte %zu of the PNG %s", t->type, t->at, why);
}

/* Parses what lies between keyword and text. */
static enum status read_head(struct png_text *t, struct err *e)
{
    struct str rest = t->packed, field;
    bool international = strcmp(t->type, "iTXt") == 0;

    if (strcmp(t->type, "tEXt") == 0)
        return OK;
    if (rest.n < (international ? 2 : 1))
        return refuse(t, "ends within its head", e);
    t->deflated = international ? rest.p[0] != 0 : true;
    if (t->deflated && rest.p[international ? 1 : 0] != 0)
        return refuse(t, "is compressed in an unknown way", e);
    rest = str_from(rest, international ? 2 : 1);
    /* the language, and the keyword in that language */
    if (international &&
        (!str_cut(rest, '\0', &field, &rest) || !str_cut(rest, '\0', &field, &rest)))
        return refuse(t, "ends within its head", e);
    t->packed = rest;
    return OK;
}

static enum status read_text(const struct chunk *c, struct png_text *out, struct err *e)
{
    struct png_text t = {.packed = c->data, .at = c->at};

    memcpy(t.type, c->type, sizeof t.type);
    if (c->data.n > PNG_TEXT_MAX)
        return refuse(&t, "is larger than a text may be (24 MB)", e);
    if (!str_cut(t.packed, '\0', &t.keyword, &t.packed) || t.keyword.n == 0 ||
        t.keyword.n > KEYWORD_MAX)
        return refuse(&t, "has no keyword of 1 to 79 bytes", e);
    if (read_head(&t, e) != OK)
        return e->code;
    *out = t;
    return OK;
}

static bool is_text(const struct chunk *c)
{
    return strcmp(c->type, "tEXt") == 0 || strcmp(c->type, "zTXt") == 0 ||
           strcmp(c->type, "iTXt") == 0;
}

enum status png_read(struct arena *a, struct str file, struct png_texts *out, struct err *e)
{
    struct png_texts found = {NEW_N(a, struct png_text, PNG_TEXTS_MAX), 0};
    size_t at = signature.n;
    struct chunk c = {0};

    if (!png_is(file))
        return err_set(e, E_INPUT, "not a PNG file");
    do {
        bool first = at == signature.n;
        if (next_chunk(file, &at, &c, e) != OK)
            return e->code;
        if (first != (strcmp(c.type, "IHDR") == 0))
            return err_set(e, E_INPUT, "the PNG is damaged: %s chunk at byte %zu", c.type, c.at);
        if (!is_text(&c))
            continue;
        if (found.n == PNG_TEXTS_MAX)
            return err_set(e, E_INPUT, "the PNG has more than %d texts", PNG_TEXTS_MAX);
        if (read_text(&c, &found.v[found.n], e) != OK)
            return e->code;
        found.n++;
    } while (strcmp(c.type, "IEND") != 0);
    *out = found;
    return OK;
}

enum status png_unpack(struct arena *a, const struct png_text *text, struct str *out, struct err *e)
{
    if (!text->deflated) {
        *out = text->packed;
        return OK;
    }
    if (unpack_all(a, text->packed, UNPACK_ZLIB, PNG_TEXT_MAX, out, e) != OK)
        return err_wrap(e, "the %s chunk at byte %zu of the PNG", text->type, text->at);
    return OK;
}
