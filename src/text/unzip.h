/* unzip.h - reads one file from an untrusted zip archive.
 *
 * Only the central directory is trusted, and only after it has been checked as a whole: an archive
 * with encrypted files, zip64, several disks, names that lead out of it, duplicate names or
 * impossible sizes is refused, whichever file is wanted. Nothing is written to disk, and nested
 * archives are not opened. Sources: APPNOTE 6.3.10 (4.3, 4.4). Views point into the archive or live
 * in the arena. Pure. */
#ifndef TEXT_UNZIP_H
#define TEXT_UNZIP_H

#include "base/err.h"
#include "base/mem.h"

enum {
    UNZIP_FILES_MAX = 10000,
    UNZIP_TOTAL_MAX = 2000000000, /* declared size of all files together, in bytes */
    UNZIP_RATIO_MAX = 200,        /* how much larger a file may be than its packed form */
};

struct unzip_file {
    struct str name; /* UTF-8, relative, '/' between its parts */
    size_t size, packed;
    size_t at;  /* of its local header in the archive */
    int method; /* 0: stored, 8: deflated, 93: zstd; others cannot be read */
    uint32_t crc;
};

struct unzip {
    struct str archive;
    size_t directory; /* offset of the central directory, before which all files end */
    struct unzip_file *v;
    size_t n;
};

bool unzip_is(struct str bytes); /* it has the signature of a zip archive */

CHECKED enum status unzip_open(struct arena *a, struct str archive, struct unzip *out,
                               struct err *e);
/* The file of this name, or NULL. */
const struct unzip_file *unzip_find(const struct unzip *z, const char *name);
/* Its content, NUL-terminated, at most max bytes. Errors name the file. */
CHECKED enum status unzip_read(struct arena *a, const struct unzip *z, const struct unzip_file *f,
                               size_t max, struct str *out, struct err *e);

#endif
