/* map.h - maps names to pointers, in an arena. Keys are copied; nothing can be removed. */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include "base/mem.h"

struct map {
    struct arena *arena;
    struct map_slot *slots;
    size_t n, cap;
};

void map_init(struct map *m, struct arena *a);
void *map_get(const struct map *m, struct str key); /* NULL when absent */
/* Sets key to value (not NULL). Returns the previous value, or NULL. */
void *map_put(struct map *m, struct str key, void *value);
/* The value of key; for a new key a zeroed one of `size` bytes. */
void *map_room(struct map *m, struct str key, size_t size);
/* The number of a name, from 0 in order of first use. Do not mix with other kinds of values. */
uint32_t map_number(struct map *m, struct str name);

/* An id as a key: its bytes, borrowed. */
static inline struct str map_id(const int64_t *id)
{
    return (struct str){(const char *)id, sizeof *id};
}

#endif
