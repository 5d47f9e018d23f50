#include "text/similar.h"

#include "text/gram.h"

enum { CJK_ENOUGH = 10, OTHER_ENOUGH = 24, WORD = 64, WORDS = 8, BLOCK = WORD * WORDS };

static inline uint64_t one_word(uint64_t column, uint64_t match, uint8_t *carry)
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

static size_t block_runes(const struct similar_rows *r)
{
    size_t left = r->text.n - r->from;

    return left < BLOCK ? left : BLOCK;
}

/* Enters the block that begins at `from` into the table, which must be empty. */
static void block_set(struct similar_rows *r, size_t from)
{
    r->from = from;
    r->words = (block_runes(r) + WORD - 1) / WORD;
    for (size_t i = 0; i < block_runes(r); i++) {
        uint32_t name = r->text.v[from + i];
        if (name != SIMILAR_UNNAMED)
            r->match[name * r->words + i / WORD] |= UINT64_C(1) << i % WORD;
    }
}

static void block_clear(struct similar_rows *r)
{
    for (size_t i = 0; i < block_runes(r); i++) {
        uint32_t name = r->text.v[r->from + i];
        if (name != SIMILAR_UNNAMED)
            r->match[name * r->words + i / WORD] = 0;
    }
}

/* Bit-parallel dynamic programme: a column of the table is kept as its vertical differences, a 0
 * bit where the length grows, and one rune of b advances 64 rows: V' = (V + (V & M)) | (V & ~M)
 * (Hyyro 2004, after Crochemore et al. 2001). The rows are done in blocks; the carry that the
 * addition hands to the next block is kept for each rune of b. */
static size_t block_lcs(const struct similar_rows *r, struct similar_names b, uint8_t *carry)
{
    uint64_t column[WORDS];
    size_t left = block_runes(r), lcs = 0;

    for (size_t w = 0; w < r->words; w++)
        column[w] = UINT64_MAX;
    for (size_t j = 0; j < b.n; j++) {
        const uint64_t *match = r->match + b.v[j] * r->words;
        uint8_t over = carry[j];
        for (size_t w = 0; w < r->words; w++)
            column[w] = one_word(column[w], match[w], &over);
        carry[j] = over;
    }
    for (size_t w = 0; w < r->words; w++, left -= WORD)
        lcs += count_zeros(column[w], left);
    return lcs;
}

/* The same for lines of dialogue, which have at most 128 runes: the column stays in registers. */
static size_t short_lcs(const struct similar_rows *r, struct similar_names b)
{
    uint64_t low = UINT64_MAX, high = UINT64_MAX;
    size_t n = r->text.n;

    if (n <= WORD) {
        for (size_t j = 0; j < b.n; j++) {
            uint64_t match = r->match[b.v[j]];
            low = (low + (low & match)) | (low & ~match);
        }
        return count_zeros(low, n);
    }
    for (size_t j = 0; j < b.n; j++) {
        const uint64_t *match = r->match + (size_t)b.v[j] * 2;
        uint8_t carry = 0;
        low = one_word(low, match[0], &carry);
        high = one_word(high, match[1], &carry);
    }
    return count_zeros(low, WORD) + count_zeros(high, n - WORD);
}

void similar_rows_init(struct similar_rows *r, struct arena *a, size_t kinds, size_t longest)
{
    size_t words = longest < BLOCK ? (longest + WORD - 1) / WORD : WORDS;

    *r = (struct similar_rows){.match = NEW_N(a, uint64_t, kinds * words)};
}

void similar_rows_set(struct similar_rows *r, struct similar_names text)
{
    block_clear(r);
    r->text = text;
    block_set(r, 0);
}

size_t similar_rows_lcs(struct arena *scratch, struct similar_rows *r, struct similar_names b)
{
    size_t lcs = 0;
    uint8_t *carry;

    if (r->text.n <= 2 * WORD)
        return short_lcs(r, b);
    carry = NEW_N(scratch, uint8_t, b.n);
    for (size_t from = 0; from < r->text.n; from += BLOCK) {
        if (r->from != from) {
            block_clear(r);
            block_set(r, from);
        }
        lcs += block_lcs(r, b, carry);
    }
    return lcs;
}

/* ---- one pair ---- */

/* A text of at most 128 runes, by kind of rune. Looking up the runes of the other text would take
 * longer than the programme itself if it had unpredictable branches. So it has none: a rune that is
 * absent finds an empty match, and only kinds that were displaced by a collision take a branch. */
enum { BRIEF = 2 * WORD, SLOT_BITS = 9, SLOTS = 1 << SLOT_BITS };

struct brief_kind {
    uint64_t match[2];
    uint32_t rune;
    bool passed; /* another kind with this hash was displaced */
};

struct brief {
    uint8_t slots[SLOTS]; /* indices into kinds; 0: free */
    struct brief_kind kinds[1 + BRIEF];
};

static inline uint32_t hash_of(uint32_t rune, int bits)
{
    return (rune * UINT32_C(0x9E3779B1)) >> (32 - bits); /* Fibonacci hashing */
}

/* The number of a kind is the first place where it occurs, from 1. One is initialised for every
 * place, which is cheaper than checking whether it is needed. */
static inline void brief_add(struct brief *t, uint32_t rune, size_t at)
{
    uint32_t i = hash_of(rune, SLOT_BITS);
    uint8_t was = t->slots[i];

    t->kinds[at + 1] = (struct brief_kind){.rune = rune};
    while ((was != 0) & (t->kinds[was].rune != rune)) {
        t->kinds[was].passed = true;
        i = (i + 1) % SLOTS;
        was = t->slots[i];
    }
    was = was ? was : (uint8_t)(at + 1);
    t->slots[i] = was;
    t->kinds[was].match[at / WORD] |= UINT64_C(1) << at % WORD;
}

static inline const struct brief_kind *brief_find(const struct brief *t, uint32_t rune)
{
    uint32_t i = hash_of(rune, SLOT_BITS);
    const struct brief_kind *k = &t->kinds[t->slots[i]];

    while ((k->rune != rune) & k->passed) {
        i = (i + 1) % SLOTS;
        k = &t->kinds[t->slots[i]];
    }
    return k;
}

static size_t brief_lcs(struct runes a, struct runes b)
{
    uint64_t low = UINT64_MAX, high = UINT64_MAX;
    struct brief t;

    memset(t.slots, 0, sizeof t.slots);
    t.kinds[0] = (struct brief_kind){.rune = UINT32_MAX};
    for (size_t i = 0; i < a.n; i++)
        brief_add(&t, a.p[i], i);
    for (size_t j = 0; j < b.n; j++) {
        const struct brief_kind *k = brief_find(&t, b.p[j]);
        uint64_t here = UINT64_C(0) - (k->rune == b.p[j]);
        uint8_t carry = 0;
        low = one_word(low, k->match[0] & here, &carry);
        high = one_word(high, k->match[1] & here, &carry);
    }
    if (a.n <= WORD)
        return count_zeros(low, a.n);
    return count_zeros(low, WORD) + count_zeros(high, a.n - WORD);
}

struct rune_slot {
    uint32_t rune, name; /* name plus 1; 0 is a free slot */
};

/* The slot of the rune, or the free slot for it, in a table of 1 << bits slots. */
static inline struct rune_slot *rune_find(struct rune_slot *slots, int bits, uint32_t rune)
{
    uint32_t mask = (UINT32_C(1) << bits) - 1, i = hash_of(rune, bits);

    while (slots[i].name && slots[i].rune != rune)
        i = (i + 1) & mask;
    return &slots[i];
}

void similar_text_init(struct similar_text *t, struct arena *a, struct runes text)
{
    uint32_t *x = NEW_N(a, uint32_t, text.n), kinds = 0;

    t->bits = 4;
    while (UINT32_C(1) << t->bits < 2 * text.n)
        t->bits++;
    t->slots = NEW_N(a, struct rune_slot, (size_t)1 << t->bits);
    for (size_t i = 0; i < text.n; i++) {
        struct rune_slot *slot = rune_find(t->slots, t->bits, text.p[i]);
        if (!slot->name)
            *slot = (struct rune_slot){text.p[i], ++kinds};
        x[i] = slot->name - 1;
    }
    similar_rows_init(&t->rows, a, kinds, text.n);
    similar_rows_set(&t->rows, (struct similar_names){x, text.n});
}

/* Runes of b that the text lacks would change no column and are left out. */
static size_t text_lcs(struct arena *scratch, struct similar_text *t, struct runes b)
{
    uint32_t *y = NEW_N(scratch, uint32_t, b.n);
    size_t n = 0;

    for (size_t j = 0; j < b.n; j++) {
        uint32_t name = rune_find(t->slots, t->bits, b.p[j])->name;
        if (name)
            y[n++] = name - 1;
    }
    return similar_rows_lcs(scratch, &t->rows, (struct similar_names){y, n});
}

static size_t long_lcs(struct arena *scratch, struct runes a, struct runes b)
{
    struct similar_text t;

    similar_text_init(&t, scratch, a);
    return text_lcs(scratch, &t, b);
}

/* The text may be ahead by at most as many runes as may be left out of it, so words further on need
 * not be computed yet; and at most the remaining runes of b can still be added. */
bool similar_text_shares(struct arena *scratch, struct similar_text *t, struct runes b,
                         size_t least)
{
    enum { LOOK = 32 };
    size_t n = t->rows.text.n, lcs = 0;
    uint64_t column[WORDS];

    if (n < least || b.n < least)
        return false;
    if (n > BLOCK)
        return text_lcs(scratch, t, b) >= least;
    memset(column, 0xFF, sizeof column);
    for (size_t j = 0; j < b.n; j++) {
        uint32_t name = rune_find(t->slots, t->bits, b.p[j])->name;
        const uint64_t *match = t->rows.match + (name ? name - 1 : 0) * t->rows.words;
        size_t words = (j + n - least) / WORD + 1;
        uint8_t carry = 0;
        words = words < t->rows.words ? words : t->rows.words;
        for (size_t w = 0; w < words && name; w++)
            column[w] = one_word(column[w], match[w], &carry);
        if (j % LOOK < LOOK - 1 && j + 1 < b.n)
            continue;
        lcs = 0;
        for (size_t w = 0; w < words; w++)
            lcs += count_zeros(column[w], n - w * WORD);
        if (lcs + (b.n - j - 1) < least)
            return false;
    }
    return lcs >= least;
}

size_t similar_lcs(struct arena *scratch, struct runes a, struct runes b)
{
    if (a.n <= BRIEF)
        return brief_lcs(a, b);
    return b.n <= BRIEF ? brief_lcs(b, a) : long_lcs(scratch, a, b);
}

bool similar_is_cjk(struct runes r)
{
    size_t cjk = 0, letters = 0;

    for (size_t i = 0; i < r.n; i++) {
        cjk += rune_is_cjk(r.p[i]);
        letters += !rune_is_space(r.p[i]);
    }
    return cjk * 2 > letters;
}

size_t similar_enough(bool cjk)
{
    return cjk ? CJK_ENOUGH : OTHER_ENOUGH;
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
    bool cjk = similar_is_cjk(a) && similar_is_cjk(b);
    size_t shorter = a.n < b.n ? a.n : b.n, both = a.n + b.n;
    struct similar s = {.gram = cjk ? SIMILAR_CJK_GRAM : SIMILAR_OTHER_GRAM, .length = {a.n, b.n}};

    s.lcs = similar_lcs(scratch, a, b);
    s.indel = both ? 2 * (double)s.lcs / (double)both : 1;
    s.containment = containment(scratch, a, b, s.gram);
    s.contains = shorter >= similar_enough(cjk);
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
