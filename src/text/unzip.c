#include "text/unzip.h"

#include "base/map.h"
#include "base/zstd.h"
#include "text/unpack.h"

/* Sizes and offsets of fields in the format. */
enum {
    END_SIZE = 22,
    END_FILES = 10,
    END_LENGTH = 12,
    END_OFFSET = 16,
    END_COMMENT = 20,
    COMMENT_MAX = 65535,
    ENTRY_SIZE = 46,
    ENTRY_FLAGS = 8,
    ENTRY_METHOD = 10,
    ENTRY_CRC = 16,
    ENTRY_PACKED = 20,
    ENTRY_BYTES = 24,
    ENTRY_NAME = 28,
    ENTRY_EXTRA = 30,
    ENTRY_REMARK = 32,
    ENTRY_LOCAL = 42,
    LOCAL_SIZE = 30,
    LOCAL_NAME = 26,
    LOCAL_EXTRA = 28,
};

enum { FLAG_ENCRYPTED = 1 << 0, FLAG_STRONG = 1 << 6, FLAG_HIDDEN = 1 << 13 };
enum { STORED = 0, DEFLATED = 8, ZSTANDARD = 93 };
#define ALL_16 UINT16_C(0xFFFF)
#define ALL_32 UINT32_C(0xFFFFFFFF) /* the actual value is in a zip64 record */

static const struct str local_mark = {"PK\3\4", 4}, entry_mark = {"PK\1\2", 4},
                        end_mark = {"PK\5\6", 4};

static uint32_t get16(struct str s, size_t at)
{
    const unsigned char *p = (const unsigned char *)s.p + at;

    return (uint32_t)p[0] | (uint32_t)p[1] << 8;
}

static uint32_t get32(struct str s, size_t at)
{
    return get16(s, at) | get16(s, at + 2) << 16;
}

bool unzip_is(struct str bytes)
{
    return str_starts(bytes, local_mark) || str_starts(bytes, end_mark);
}

static enum status damaged(const char *what, struct err *e)
{
    return err_set(e, E_INPUT, "the zip archive is damaged or cut off: %s", what);
}

/* Finds the record that ends the archive. A comment may follow it and must extend exactly to the
 * end. */
static bool find_end(struct str archive, struct str *out)
{
    size_t lowest;

    if (archive.n < END_SIZE)
        return false;
    lowest = archive.n > END_SIZE + COMMENT_MAX ? archive.n - END_SIZE - COMMENT_MAX : 0;
    for (size_t at = archive.n - END_SIZE + 1; at-- > lowest;) {
        struct str s = str_from(archive, at);
        if (str_starts(s, end_mark) && get16(s, END_COMMENT) == s.n - END_SIZE) {
            *out = s;
            return true;
        }
    }
    return false;
}

static enum status read_end(struct str archive, struct unzip *out, struct str *entries,
                            struct err *e)
{
    struct str end = {0};
    uint32_t offset, length, files;
    size_t at;

    if (!find_end(archive, &end))
        return damaged("it has no directory", e);
    at = (size_t)(end.p - archive.p);
    files = get16(end, END_FILES);
    length = get32(end, END_LENGTH);
    offset = get32(end, END_OFFSET);
    if (files == ALL_16 || length == ALL_32 || offset == ALL_32)
        return err_set(
            e, E_INPUT,
            "the archive is zip64, which is not supported: repack it with fewer or smaller files");
    if (get16(end, 4) != 0 || get16(end, 6) != 0 || get16(end, 8) != files)
        return err_set(e, E_INPUT, "the zip archive is split into several parts");
    if (files > UNZIP_FILES_MAX)
        return err_set(e, E_INPUT, "the zip archive has %u files (at most %d)", files,
                       UNZIP_FILES_MAX);
    if (offset > at || length != at - offset)
        return damaged("its directory is not where it should be", e);
    *out = (struct unzip){.archive = archive, .directory = offset};
    out->n = files;
    *entries = (struct str){archive.p + offset, length};
    return OK;
}

/* True for a name that could mean a place outside the archive on any system. */
static bool leads_out(struct str name)
{
    struct str rest = name, part;
    bool more = true;

    if (name.p[0] == '/' || memchr(name.p, '\\', name.n) || (name.n > 1 && name.p[1] == ':'))
        return true;
    while (more) {
        more = str_cut(rest, '/', &part, &rest);
        if (!more)
            part = rest;
        if (str_is(part, "..") || str_is(part, "."))
            return true;
    }
    return false;
}

static enum status check_name(struct str name, struct err *e)
{
    if (name.n == 0 || memchr(name.p, '\0', name.n) || utf8_check(name) != name.n)
        return err_set(e, E_INPUT, "a file name in the zip archive is not UTF-8 text");
    if (leads_out(name))
        return err_set(e, E_INPUT, "the name '%.*s' in the zip archive points outside the archive",
                       STR_ARG(utf8_head(name, 100)));
    return OK;
}

static enum status check_sizes(const struct unzip *z, const struct unzip_file *f, struct err *e)
{
    struct str shown = utf8_head(f->name, 100);

    if (f->size == ALL_32 || f->packed == ALL_32 || f->at == ALL_32)
        return err_set(e, E_INPUT, "'%.*s' in the zip archive is zip64, which is not supported",
                       STR_ARG(shown));
    if (f->at > z->directory || f->packed > z->directory - f->at)
        return err_set(e, E_INPUT, "'%.*s' in the zip archive points outside the archive",
                       STR_ARG(shown));
    if (f->size / UNZIP_RATIO_MAX > f->packed)
        return err_set(e, E_INPUT,
                       "'%.*s' in the zip archive would grow from %zu to %zu bytes (at most %d "
                       "times as large)",
                       STR_ARG(shown), f->packed, f->size, UNZIP_RATIO_MAX);
    return OK;
}

/* Reads the entry at the start of *rest and moves *rest past it. */
static enum status read_entry(const struct unzip *z, struct str *rest, struct unzip_file *f,
                              struct err *e)
{
    struct str s = *rest;
    size_t whole;

    if (s.n < ENTRY_SIZE || !str_starts(s, entry_mark))
        return damaged("its directory ends too early", e);
    whole =
        (size_t)ENTRY_SIZE + get16(s, ENTRY_NAME) + get16(s, ENTRY_EXTRA) + get16(s, ENTRY_REMARK);
    if (whole > s.n)
        return damaged("its directory ends too early", e);
    *f = (struct unzip_file){.name = {s.p + ENTRY_SIZE, get16(s, ENTRY_NAME)},
                             .size = get32(s, ENTRY_BYTES),
                             .packed = get32(s, ENTRY_PACKED),
                             .at = get32(s, ENTRY_LOCAL),
                             .method = (int)get16(s, ENTRY_METHOD),
                             .crc = get32(s, ENTRY_CRC)};
    if (check_name(f->name, e) != OK)
        return e->code;
    if (get16(s, ENTRY_FLAGS) & (FLAG_ENCRYPTED | FLAG_STRONG | FLAG_HIDDEN))
        return err_set(e, E_INPUT, "'%.*s' in the zip archive is encrypted",
                       STR_ARG(utf8_head(f->name, 100)));
    *rest = str_from(s, whole);
    return check_sizes(z, f, e);
}

/* Together the files must not be larger than the archive, as entries that share their bytes would
 * be, nor than what anybody would unpack. */
static enum status check_totals(const struct unzip *z, struct err *e)
{
    uint64_t size = 0, packed = 0;

    for (size_t i = 0; i < z->n; i++) {
        size += z->v[i].size;
        packed += z->v[i].packed;
    }
    if (packed > z->directory)
        return damaged("its files overlap", e);
    if (size > UNZIP_TOTAL_MAX)
        return err_set(e, E_INPUT, "the zip archive would unpack to more than %d MB",
                       UNZIP_TOTAL_MAX / 1000000);
    return OK;
}

enum status unzip_open(struct arena *a, struct str archive, struct unzip *out, struct err *e)
{
    struct unzip z = {0};
    struct str rest = {0};
    struct map names;

    map_init(&names, a);
    if (read_end(archive, &z, &rest, e) != OK)
        return e->code;
    z.v = NEW_N(a, struct unzip_file, z.n);
    for (size_t i = 0; i < z.n; i++) {
        if (read_entry(&z, &rest, &z.v[i], e) != OK)
            return e->code;
        if (map_put(&names, z.v[i].name, &z.v[i]))
            return err_set(e, E_INPUT, "the zip archive has '%.*s' twice",
                           STR_ARG(utf8_head(z.v[i].name, 100)));
    }
    if (rest.n)
        return damaged("its directory is longer than it says", e);
    if (check_totals(&z, e) != OK)
        return e->code;
    *out = z;
    return OK;
}

const struct unzip_file *unzip_find(const struct unzip *z, const char *name)
{
    for (size_t i = 0; i < z->n; i++)
        if (str_is(z->v[i].name, name))
            return &z->v[i];
    return NULL;
}

/* Finds the packed bytes, which follow a local header. Its name must match that of the
 * directory. */
static enum status locate(const struct unzip *z, const struct unzip_file *f, struct str *out,
                          struct err *e)
{
    struct str s = {z->archive.p + f->at, z->directory - f->at};
    size_t head;

    if (s.n < LOCAL_SIZE || !str_starts(s, local_mark))
        return damaged("no file begins where the directory says", e);
    head = (size_t)LOCAL_SIZE + get16(s, LOCAL_NAME) + get16(s, LOCAL_EXTRA);
    if (head > s.n || f->packed > s.n - head)
        return damaged("a file reaches into the directory", e);
    if (!str_eq((struct str){s.p + LOCAL_SIZE, get16(s, LOCAL_NAME)}, f->name))
        return damaged("a file has two names", e);
    *out = (struct str){s.p + head, f->packed};
    return OK;
}

static enum status read_content(struct arena *a, const struct unzip *z, const struct unzip_file *f,
                                struct str *out, struct err *e)
{
    struct str packed = {0};

    if (locate(z, f, &packed, e) != OK)
        return e->code;
    if (f->method == STORED)
        *out = arena_str(a, packed);
    else if (f->method != DEFLATED && f->method != ZSTANDARD)
        return err_set(
            e, E_INPUT,
            "compressed with method %d; only stored, deflated and zstd files are supported",
            f->method);
    else if ((f->method == ZSTANDARD ? zstd_unpack(a, packed, f->size, out, e)
                                     : unpack_all(a, packed, UNPACK_RAW, f->size, out, e)) != OK)
        return e->code;
    if (out->n != f->size || unpack_crc(*out) != f->crc)
        return err_set(e, E_INPUT, "damaged: its size or checksum is wrong");
    return OK;
}

enum status unzip_read(struct arena *a, const struct unzip *z, const struct unzip_file *f,
                       size_t max, struct str *out, struct err *e)
{
    struct str content;

    if (f->size > max)
        return err_set(e, E_INPUT, "'%.*s' in the zip archive has %zu bytes (at most %zu)",
                       STR_ARG(utf8_head(f->name, 100)), f->size, max);
    if (read_content(a, z, f, &content, e) != OK)
        return err_wrap(e, "'%.*s' in the zip archive", STR_ARG(utf8_head(f->name, 100)));
    *out = content;
    return OK;
}
