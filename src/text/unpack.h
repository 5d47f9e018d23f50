/* unpack.h - inflates bytes, with a limit, and computes the checksum that PNG and zip share.
 *
 * The only file that uses zlib. Results live in the arena that is passed. Pure; safe from any
 * thread. */
#ifndef TEXT_UNPACK_H
#define TEXT_UNPACK_H

#include "base/err.h"
#include "base/mem.h"

enum unpack_form {
    UNPACK_ZLIB, /* RFC 1950, as in PNG */
    UNPACK_RAW,  /* RFC 1951, as in zip */
};

/* All of `packed`, NUL-terminated. E_INPUT: it is damaged, ends too early, has bytes after its
 * end, or grows beyond max bytes; memory is never taken for more than that. */
CHECKED enum status unpack_all(struct arena *a, struct str packed, enum unpack_form form,
                               size_t max, struct str *out, struct err *e);

/* The inverse, for browsers: a gzip file of these bytes. Its header contains a file name of `noise`
 * letters, so that the length reveals less about the content. Empty on failure. */
struct str unpack_gzip(struct arena *a, struct str bytes, size_t noise);

uint32_t unpack_crc(struct str bytes); /* CRC-32 of ISO 3309 */

#endif
