#include "text/gram.h"

struct gram_slot {
    uint64_t key;
    uint32_t number; /* plus 1; 0 is a free slot */
};

/* The finaliser of MurmurHash3 (Appleby): every bit of the key reaches the low bits. */
static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 33)) * 0xFF51AFD7ED558CCDu;
    x = (x ^ (x >> 33)) * 0xC4CEB9FE1A85EC53u;
    return x ^ (x >> 33);
}

void gram_table_init(struct gram_table *t, struct arena *a, size_t expected)
{
    size_t cap = 16;

    while (cap / 2 < expected)
        cap *= 2;
    *t = (struct gram_table){a, NEW_N(a, struct gram_slot, cap), 0, cap};
}

static struct gram_slot *find(const struct gram_table *t, uint64_t key)
{
    size_t i = mix(key) & (t->cap - 1);

    while (t->slots[i].number && t->slots[i].key != key)
        i = (i + 1) & (t->cap - 1);
    return &t->slots[i];
}

static void grow(struct gram_table *t)
{
    struct gram_table bigger = {t->arena, NEW_N(t->arena, struct gram_slot, t->cap * 2), t->n,
                                t->cap * 2};

    for (size_t i = 0; i < t->cap; i++)
        if (t->slots[i].number)
            *find(&bigger, t->slots[i].key) = t->slots[i];
    *t = bigger;
}

uint32_t gram_table_add(struct gram_table *t, uint64_t key)
{
    struct gram_slot *slot = find(t, key);

    if (!slot->number) {
        if (t->n + 1 > t->cap / 2) {
            grow(t);
            slot = find(t, key);
        }
        *slot = (struct gram_slot){key, (uint32_t)++t->n};
    }
    return slot->number - 1;
}

uint32_t gram_table_get(const struct gram_table *t, uint64_t key)
{
    return find(t, key)->number - 1; /* of a free slot: 0 - 1 */
}

static size_t gram_total(size_t n, size_t order)
{
    return n < order ? 0 : n - order + 1;
}

/* Name every position of both sides by (present name, rune `order` - 1 further on). */
static void gram_pair_name(struct gram_pair *g)
{
    struct gram_table t;

    gram_table_init(&t, g->arena, g->text[0].n + g->text[1].n);
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < gram_total(g->text[side].n, g->order); i++) {
            uint64_t key = (uint64_t)g->name[side][i] << 32 | g->text[side].p[i + g->order - 1];
            g->name[side][i] = gram_table_add(&t, key);
        }
    g->kinds = t.n;
}

void gram_pair_init(struct gram_pair *g, struct arena *a, struct runes x, struct runes y)
{
    *g = (struct gram_pair){.arena = a, .text = {x, y}, .order = 1};
    for (int side = 0; side < 2; side++)
        g->name[side] = NEW_N(a, uint32_t, g->text[side].n);
    gram_pair_name(g);
}

void gram_pair_raise(struct gram_pair *g)
{
    g->order++;
    gram_pair_name(g);
}

struct gram_counts gram_pair_count(const struct gram_pair *g)
{
    struct gram_counts c = {0};
    uint32_t *count[2];

    for (int side = 0; side < 2; side++) {
        count[side] = NEW_N(g->arena, uint32_t, g->kinds);
        c.total[side] = gram_total(g->text[side].n, g->order);
        for (size_t i = 0; i < c.total[side]; i++)
            c.kinds[side] += count[side][g->name[side][i]]++ == 0;
    }
    for (size_t k = 0; k < g->kinds; k++) {
        c.shared += count[0][k] && count[1][k];
        c.matches += count[0][k] < count[1][k] ? count[0][k] : count[1][k];
    }
    return c;
}
