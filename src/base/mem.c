#include "base/mem.h"

#include <stdarg.h>
#include <stdlib.h>

enum { ALIGN = 16, FIRST_BLOCK = 8192, LARGEST_BLOCK = 1 << 20 };

struct block {
    struct block *older;
    size_t used, size;
    _Alignas(16) char bytes[];
};

struct owned {
    struct owned *older;
    void (*release)(void *);
    void *what;
};

/* Stored in its own first block. */
struct arena {
    struct block *newest;
    struct owned *owned; /* stored in the blocks */
    size_t held;
};

enum { ARENA_ROOM = (sizeof(struct arena) + ALIGN - 1) / ALIGN * ALIGN };

NORETURN static void out_of_memory(size_t n)
{
    (void)fprintf(stderr, "audition: out of memory (%zu bytes wanted)\n", n);
    abort();
}

void *mem_new(size_t n)
{
    void *p = calloc(1, n ? n : 1);

    if (!p)
        out_of_memory(n);
    return p;
}

void *mem_resize(void *p, size_t n)
{
    void *q = realloc(p, n ? n : 1);

    if (!q)
        out_of_memory(n);
    return q;
}

/* The new capacity of a growing array. */
static size_t grown(size_t cap, size_t want, size_t each)
{
    size_t to = cap ? cap : 8;

    while (to < want) {
        if (to > SIZE_MAX / 2)
            out_of_memory(SIZE_MAX);
        to *= 2;
    }
    if (to > SIZE_MAX / each)
        out_of_memory(SIZE_MAX);
    return to;
}

void *mem_grow(void *p, size_t *cap, size_t want, size_t each)
{
    if (want <= *cap)
        return p;
    *cap = grown(*cap, want, each);
    return mem_resize(p, *cap * each);
}

static struct block *block_new(size_t size, struct block *older)
{
    struct block *b = malloc(sizeof *b + size);

    if (!b)
        out_of_memory(size);
    b->older = older;
    b->used = 0;
    b->size = size;
    return b;
}

struct arena *arena_new(void)
{
    struct block *b = block_new(FIRST_BLOCK, NULL);
    struct arena *a = (struct arena *)b->bytes;

    *a = (struct arena){.newest = b, .held = FIRST_BLOCK};
    b->used = ARENA_ROOM;
    return a;
}

void arena_own(struct arena *a, void (*release)(void *), void *what)
{
    struct owned *o = NEW(a, struct owned);

    *o = (struct owned){a->owned, release, what};
    a->owned = o;
}

void arena_reset(struct arena *a)
{
    for (; a->owned; a->owned = a->owned->older)
        a->owned->release(a->owned->what);
    while (a->newest->older) {
        struct block *b = a->newest;
        a->newest = b->older;
        a->held -= b->size;
        free(b);
    }
    a->newest->used = ARENA_ROOM;
}

void arena_free(struct arena *a)
{
    if (!a)
        return;
    arena_reset(a);
    free(a->newest); /* and a with it */
}

void arena_freep(struct arena **a)
{
    arena_free(*a);
    *a = NULL;
}

size_t arena_size(const struct arena *a)
{
    return a->held;
}

/* Adds a block with room for so many bytes. */
static void widen(struct arena *a, size_t need)
{
    size_t size = a->newest->size * 2;

    if (size > LARGEST_BLOCK)
        size = LARGEST_BLOCK;
    if (size < need)
        size = need;
    a->newest = block_new(size, a->newest);
    a->held += size;
}

void *arena_room(struct arena *a, size_t n)
{
    size_t need;
    void *p;

    if (n > SIZE_MAX - ALIGN)
        out_of_memory(n);
    need = (n + ALIGN - 1) & ~(size_t)(ALIGN - 1);
    if (need > a->newest->size - a->newest->used)
        widen(a, need);
    p = a->newest->bytes + a->newest->used;
    a->newest->used += need;
    return p;
}

void *arena_alloc(struct arena *a, size_t n)
{
    return memset(arena_room(a, n), 0, n);
}

void *arena_array(struct arena *a, size_t n, size_t each)
{
    if (each && n > SIZE_MAX / each)
        out_of_memory(SIZE_MAX);
    return arena_alloc(a, n * each);
}

void *arena_grow(struct arena *a, void *p, size_t *cap, size_t want, size_t each)
{
    size_t had = *cap;
    void *more;

    if (want <= had)
        return p;
    *cap = grown(had, want, each);
    more = arena_array(a, *cap, each);
    if (had)
        memcpy(more, p, had * each);
    return more;
}

void *arena_copy(struct arena *a, const void *from, size_t n, size_t each)
{
    void *p = arena_array(a, n, each);

    if (n)
        memcpy(p, from, n * each);
    return p;
}

struct str arena_join(struct arena *a, const struct str *parts, size_t n)
{
    size_t length = 0;
    char *p, *end;

    for (size_t i = 0; i < n; i++)
        length += parts[i].n;
    p = end = arena_room(a, length + 1);
    for (size_t i = 0; i < n; i++)
        if (parts[i].n)
            end = (char *)memcpy(end, parts[i].p, parts[i].n) + parts[i].n;
    *end = '\0';
    return (struct str){p, length};
}

struct str arena_str(struct arena *a, struct str s)
{
    return arena_join(a, &s, 1);
}

const char *arena_text(struct arena *a, struct str s)
{
    return arena_str(a, s).p;
}

const char *arena_dup(struct arena *a, const char *text)
{
    return text ? arena_text(a, str_of(text)) : NULL;
}

const char *arena_int(struct arena *a, int64_t n)
{
    return arena_printf(a, "%lld", (long long)n);
}

const char *arena_printf(struct arena *a, const char *fmt, ...)
{
    char guess[256]; /* formatting is expensive: most texts are short and formatted only once */
    va_list ap, again;
    char *p;
    int n;

    va_start(ap, fmt);
    va_copy(again, ap);
    n = vsnprintf(guess, sizeof guess, fmt, ap);
    va_end(ap);
    p = arena_alloc(a, n < 0 ? 1 : (size_t)n + 1);
    if (n > 0 && (size_t)n < sizeof guess)
        memcpy(p, guess, (size_t)n);
    else if (n > 0)
        (void)vsnprintf(p, (size_t)n + 1, fmt, again);
    va_end(again);
    return p;
}
