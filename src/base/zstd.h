/* zstd.h - Zstandard (RFC 8878); the only user of that library.
 *
 * Many short, similar texts are compressed one by one with a dictionary made from some of them, so
 * that each can be read by itself. Results live in the arena that is passed. A coder is used by one
 * thread at a time; the rest is pure. */
#ifndef BASE_ZSTD_H
#define BASE_ZSTD_H

#include "base/err.h"
#include "base/mem.h"

/* Unpacks all of `packed`, one frame or several, NUL-terminated. E_INPUT: it is damaged, ends too
 * early, or exceeds max bytes; no more memory than that is taken. */
CHECKED enum status zstd_unpack(struct arena *a, struct str packed, size_t max, struct str *out,
                                struct err *e);

/* Makes a dictionary of at most `most` bytes from n texts, which follow each other in `all`. Empty
 * if they are too few or too short. None may be shorter than 8 bytes: if those that it learns from
 * have fewer bytes together, the library divides by zero or reads past their end. */
struct str zstd_train(struct arena *a, struct str all, const size_t *lengths, size_t n,
                      size_t most);

/* Packs and unpacks with one dictionary, which may be empty and must outlive the coder. */
struct zstd_coder;
struct zstd_coder *zstd_coder_new(struct str dictionary);
void zstd_coder_free(struct zstd_coder *c); /* NULL is fine */

/* One frame that contains the length of the text. Empty if it cannot be made. */
struct str zstd_coder_pack(struct zstd_coder *c, struct arena *a, struct str text);
/* The text of one such frame, NUL-terminated. Refused before anything is unpacked if it would
 * exceed max bytes. */
CHECKED enum status zstd_coder_unpack(struct zstd_coder *c, struct arena *a, struct str packed,
                                      size_t max, struct str *out, struct err *e);

#endif
