/* gram.h - n-grams of code points, counted exactly.
 *
 * An n-gram is named by a small number: the pair (name of its first n-1 runes, last rune)
 * is looked up in a table, so that names are exact, without collisions, and the order can
 * be raised one by one. Tables live in an arena and grow in it; their size is bounded by the
 * number of different n-grams. Pure. */
#ifndef TEXT_GRAM_H
#define TEXT_GRAM_H

#include "text/rune.h"

/* From 64-bit keys to 0, 1, 2, ... in order of first appearance. */
struct gram_table {
    struct arena *arena;
    struct gram_slot *slots;
    size_t n, cap;
};

void gram_table_init(struct gram_table *t, struct arena *a, size_t expected);
uint32_t gram_table_add(struct gram_table *t, uint64_t key); /* its number, old or new */
/* Its number, or GRAM_ABSENT. */
#define GRAM_ABSENT UINT32_MAX
uint32_t gram_table_get(const struct gram_table *t, uint64_t key);

/* Two texts as n-grams of the same order; order 1 after gram_pair_init(). */
struct gram_pair {
    struct arena *arena;
    struct runes text[2];
    uint32_t *name[2]; /* of the n-gram at each position */
    size_t order, kinds;
};

/* What the two sides have in common at the present order. */
struct gram_counts {
    size_t total[2]; /* n-grams of each side */
    size_t kinds[2]; /* different ones */
    size_t shared;   /* different ones found on both sides */
    size_t matches;  /* each counted as often as on the side that has fewer ("clipped") */
};

void gram_pair_init(struct gram_pair *g, struct arena *a, struct runes x, struct runes y);
void gram_pair_raise(struct gram_pair *g); /* to the next order */
struct gram_counts gram_pair_count(const struct gram_pair *g);

#endif
