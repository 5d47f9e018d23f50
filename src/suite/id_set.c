#include "suite/id_set.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/mem.h"

static uint64_t hash_of(const struct id_set *set, struct str id)
{
    uint64_t v = hash_quick(id, (uintptr_t)set);

    return v ? v : 1;
}

static uint64_t *slot_of(const struct id_set *set, uint64_t hash)
{
    size_t at = (size_t)hash & (set->cap - 1);

    while (set->slot[at] && set->slot[at] != hash)
        at = (at + 1) & (set->cap - 1);
    return &set->slot[at];
}

bool id_set_has(const struct id_set *set, struct str id)
{
    return set->cap && *slot_of(set, hash_of(set, id));
}

void id_set_add(struct id_set *set, struct str id)
{
    uint64_t hash = hash_of(set, id);

    if (set->n * 4 >= set->cap * 3) {
        struct id_set wider = {.cap = set->cap ? set->cap * 2 : 256, .n = set->n};
        wider.slot = mem_new(wider.cap * sizeof *wider.slot);
        for (size_t i = 0; i < set->cap; i++)
            if (set->slot[i])
                *slot_of(&wider, set->slot[i]) = set->slot[i];
        free(set->slot);
        *set = wider;
    }
    *slot_of(set, hash) = hash;
    set->n++;
}

void id_set_done(struct id_set *set)
{
    free(set->slot);
    *set = (struct id_set){0};
}
