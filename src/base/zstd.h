/* zstd.h - Zstandard (RFC 8878): the only door to that library.
 *
 * Many short texts that resemble each other are packed one by one with a dictionary made of some of
 * them; each can then be read by itself. What comes out lives in the arena that was passed. A coder
 * belongs to one thread at a time; the rest is pure. */
#ifndef BASE_ZSTD_H
#define BASE_ZSTD_H

#include "base/err.h"
#include "base/mem.h"

/* All of `packed`, in one frame or several, NUL-terminated. E_INPUT: it is damaged, ends too early,
 * or grows beyond max bytes; memory is never taken for more than that. */
CHECKED enum status zstd_unpack(struct arena *a, struct str packed, size_t max, struct str *out,
                                struct err *e);

/* What n texts, which stand one after another in `all`, have in common, in at most `most` bytes.
 * Empty: they are too few or too short. None may be shorter than 8 bytes: where those that it
 * learns from are fewer bytes together, the library divides by zero or reads past their end. */
struct str zstd_train(struct arena *a, struct str all, const size_t *lengths, size_t n,
                      size_t most);

/* Packs and unpacks with one dictionary, which may be empty and must outlive it. */
struct zstd_coder;
struct zstd_coder *zstd_coder_new(struct str dictionary);
void zstd_coder_free(struct zstd_coder *c); /* NULL is fine */

/* One frame that says how long the text is. Empty: it cannot be made. */
struct str zstd_coder_pack(struct zstd_coder *c, struct arena *a, struct str text);
/* The text of one such frame, NUL-terminated; refused before anything is unpacked where it would be
 * longer than max bytes. */
CHECKED enum status zstd_coder_unpack(struct zstd_coder *c, struct arena *a, struct str packed,
                                      size_t max, struct str *out, struct err *e);

#endif
