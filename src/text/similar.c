#include "text/similar.h"

#include "text/gram.h"

enum { CJK_GRAM = 2, OTHER_GRAM = 4, CJK_ENOUGH = 10, OTHER_ENOUGH = 24, WORD = 64 };

static uint64_t one_word(uint64_t column, uint64_t match, uint8_t *carry)
{
    uint64_t hit = column & match, sum = column + hit, out = sum + *carry;

    *carry = (uint8_t)((sum < column) | (out < sum));
    return out | (column & ~match);
}

static size_t count_zeros(uint64_t column, size_t bits)
{
    uint64_t zeros = bits < WORD ? ~column & ((UINT64_C(1) << bits) - 1) : ~column;

    return (size_t)__builtin_popcountll(zeros);
}

/* Bit-parallel dynamic programme: a column of the table is kept as its vertical differences, a 0
 * bit where the length grows, and one rune of b advances 64 rows: V' = (V + (V & M)) | (V & ~M)
 * (Hyyro 2004, after Crochemore et al. 2001). The rows are done in strips of 64; the carry
 * that the addition hands to the next strip is kept for each rune of b. */
size_t similar_lcs(struct arena *scratch, struct runes a, struct runes b)
{
    struct gram_pair g;
    uint64_t *match;
    uint8_t *carry = NEW_N(scratch, uint8_t, b.n);
    size_t lcs = 0;

    gram_pair_init(&g, scratch, a, b);
    match = NEW_N(scratch, uint64_t, g.kinds);
    for (size_t from = 0; from < a.n; from += WORD) {
        size_t bits = a.n - from < WORD ? a.n - from : WORD;
        uint64_t column = UINT64_MAX;
        for (size_t i = 0; i < bits; i++)
            match[g.name[0][from + i]] |= UINT64_C(1) << i;
        for (size_t j = 0; j < b.n; j++)
            column = one_word(column, match[g.name[1][j]], &carry[j]);
        for (size_t i = 0; i < bits; i++)
            match[g.name[0][from + i]] = 0;
        lcs += count_zeros(column, bits);
    }
    return lcs;
}

/* More than half of the letters. */
static bool mostly_cjk(struct runes r)
{
    size_t cjk = 0, letters = 0;

    for (size_t i = 0; i < r.n; i++) {
        cjk += rune_is_cjk(r.p[i]);
        letters += !rune_is_space(r.p[i]);
    }
    return cjk * 2 > letters;
}

static double containment(struct arena *scratch, struct runes a, struct runes b, size_t gram)
{
    struct gram_pair g;
    struct gram_counts c;
    size_t fewer;

    gram_pair_init(&g, scratch, a, b);
    while (g.order < gram)
        gram_pair_raise(&g);
    c = gram_pair_count(&g);
    fewer = c.kinds[0] < c.kinds[1] ? c.kinds[0] : c.kinds[1];
    return fewer ? (double)c.shared / (double)fewer : 0;
}

struct similar similar_compare(struct arena *scratch, struct runes a, struct runes b)
{
    bool cjk = mostly_cjk(a) && mostly_cjk(b);
    size_t shorter = a.n < b.n ? a.n : b.n, both = a.n + b.n;
    struct similar s = {.gram = cjk ? CJK_GRAM : OTHER_GRAM, .length = {a.n, b.n}};

    s.lcs = similar_lcs(scratch, a, b);
    s.indel = both ? 2 * (double)s.lcs / (double)both : 1;
    s.containment = containment(scratch, a, b, s.gram);
    s.contains = shorter >= (cjk ? CJK_ENOUGH : OTHER_ENOUGH);
    s.score = s.contains && s.containment > s.indel ? s.containment : s.indel;
    return s;
}

struct similar_overlap similar_overlap(struct arena *scratch, struct runes a, struct runes b)
{
    /* run[j + 1]: length of the common text that ends at a[i] and b[j]. */
    size_t *run = NEW_N(scratch, size_t, b.n + 1);
    struct similar_overlap best = {0};

    for (size_t i = 0; i < a.n; i++) {
        for (size_t j = b.n; j-- > 0;)
            run[j + 1] = a.p[i] == b.p[j] ? run[j] + 1 : 0;
        for (size_t j = 0; j < b.n; j++)
            if (run[j + 1] > best.n)
                best =
                    (struct similar_overlap){{i + 1 - run[j + 1], j + 1 - run[j + 1]}, run[j + 1]};
    }
    return best;
}
