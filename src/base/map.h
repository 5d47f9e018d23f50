/* map.h - from names to pointers, in an arena. Keys are copied; there is no removal. */
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
/* Set key to value (not NULL). Returns the value that was there, or NULL. */
void *map_put(struct map *m, struct str key, void *value);
/* The value of key: when it is met for the first time, so many bytes, zeroed. */
void *map_room(struct map *m, struct str key, size_t size);
/* The number of a name, from 0 in the order in which they are met. All values of the map are such.
 */
uint32_t map_number(struct map *m, struct str name);

/* An id as a key: its bytes, lent. */
static inline struct str map_id(const int64_t *id)
{
    return (struct str){(const char *)id, sizeof *id};
}

#endif
