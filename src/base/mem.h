/* mem.h - memory: an allocator that never returns NULL, and arenas.
 *
 * An arena belongs to one unit of work (a task, a page, a suite), and everything made in it dies
 * with it; nothing is freed one by one. Running out of memory ends the process: work is committed
 * in small groups, so a crash loses only the calls in flight. Sizes from outside are limited by
 * those who read them, not here. An arena is used by one thread at a time. */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include "base/str.h"

/* Zeroed memory; aborts if there is none. Release with free(). */
void *mem_new(size_t n);
void *mem_resize(void *p, size_t n);

/* Room for at least `want` elements of `each` bytes in a growing array: returns the
 * (possibly moved) array and updates *cap. New elements are not zeroed. */
void *mem_grow(void *p, size_t *cap, size_t want, size_t each);

struct arena;

struct arena *arena_new(void);
void arena_free(struct arena *a); /* NULL is fine */
void arena_freep(struct arena **a);
void arena_reset(struct arena *a);        /* free everything, but keep the first block */
size_t arena_size(const struct arena *a); /* bytes held from the system */
/* Calls release(what) when the arena is freed or reset, for things outside of it. */
void arena_own(struct arena *a, void (*release)(void *), void *what);
void *arena_alloc(struct arena *a, size_t n); /* zeroed, aligned for anything */
void *arena_room(struct arena *a, size_t n);  /* the same, not zeroed */
void *arena_array(struct arena *a, size_t n, size_t each);
/* mem_grow() for an array in the arena, which keeps the smaller ones until it is freed. */
void *arena_grow(struct arena *a, void *p, size_t *cap, size_t want, size_t each);
/* n elements copied into the arena. */
void *arena_copy(struct arena *a, const void *from, size_t n, size_t each);
struct str arena_str(struct arena *a, struct str s); /* a NUL-terminated copy */
struct str arena_join(struct arena *a, const struct str *parts, size_t n); /* concatenated */
const char *arena_text(struct arena *a, struct str s);    /* the same, as a C string */
const char *arena_dup(struct arena *a, const char *text); /* NULL gives NULL */
const char *arena_printf(struct arena *a, const char *fmt, ...) PRINTF(2, 3);
const char *arena_int(struct arena *a, int64_t n); /* as text */

#define NEW(a, type)      ((type *)arena_alloc((a), sizeof(type)))
#define NEW_N(a, type, n) ((type *)arena_array((a), (n), sizeof(type)))

#endif
