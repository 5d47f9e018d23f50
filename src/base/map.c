#include "base/map.h"

struct map_slot {
    struct str key;
    uint64_t hash;
    void *value; /* NULL: free slot */
};

void map_init(struct map *m, struct arena *a)
{
    *m = (struct map){.arena = a};
}

/* FNV-1a, seeded with the address of the map: keys also come from servers and browsers, which must
 * not be able to make them collide. */
static uint64_t hash_of(const struct map *m, struct str s)
{
    uint64_t h = 14695981039346656037U ^ (uintptr_t)m->arena;

    for (size_t i = 0; i < s.n; i++)
        h = (h ^ (unsigned char)s.p[i]) * 1099511628211U;
    return h ^ h >> 32; /* the low bits alone know little of the beginning */
}

static struct map_slot *slot_for(const struct map *m, struct str key, uint64_t hash)
{
    size_t at = (size_t)hash & (m->cap - 1);

    while (m->slots[at].value && (m->slots[at].hash != hash || !str_eq(m->slots[at].key, key)))
        at = (at + 1) & (m->cap - 1);
    return &m->slots[at];
}

void *map_get(const struct map *m, struct str key)
{
    return m->cap ? slot_for(m, key, hash_of(m, key))->value : NULL;
}

static void map_widen(struct map *m)
{
    struct map old = *m;

    m->cap = old.cap ? old.cap * 2 : 16;
    m->slots = NEW_N(m->arena, struct map_slot, m->cap);
    for (size_t i = 0; i < old.cap; i++)
        if (old.slots[i].value)
            *slot_for(m, old.slots[i].key, old.slots[i].hash) = old.slots[i];
}

void *map_put(struct map *m, struct str key, void *value)
{
    uint64_t hash = hash_of(m, key);
    struct map_slot *slot;
    void *was;

    if (m->n * 4 >= m->cap * 3)
        map_widen(m);
    slot = slot_for(m, key, hash);
    was = slot->value;
    if (!was) {
        slot->key = arena_str(m->arena, key);
        slot->hash = hash;
        m->n++;
    }
    slot->value = value;
    return was;
}

void *map_room(struct map *m, struct str key, size_t size)
{
    void *value = map_get(m, key);

    if (!value) {
        value = arena_alloc(m->arena, size);
        (void)map_put(m, key, value);
    }
    return value;
}

uint32_t map_number(struct map *m, struct str name)
{
    size_t known = m->n;
    uint32_t *number = map_room(m, name, sizeof *number);

    if (m->n > known)
        *number = (uint32_t)known;
    return *number;
}
