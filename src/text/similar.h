/* similar.h - how much one text repeats another.
 *
 * Works on folded runes (text/fold.h). The score S of docs/STATISTICS is the larger of
 *   indel        2 LCS / (|a| + |b|), LCS the longest common subsequence;
 *   containment  |A & B| / min(|A|, |B|) over sets of n-grams, when the shorter text is long
 *                enough for it to mean something (10 runes of CJK, 24 otherwise),
 * with n = 2 when both texts are mostly CJK, else 4. The arena is scratch: nothing that is
 * returned points into it, and a caller who compares many pairs resets it. Pure. */
#ifndef TEXT_SIMILAR_H
#define TEXT_SIMILAR_H

#include "text/rune.h"

struct similar {
    double score; /* in [0, 1]; two empty texts are equal: 1 */
    double indel, containment;
    bool contains; /* containment counted: the shorter text is long enough */
    size_t gram;   /* the n of the n-grams */
    size_t lcs;    /* length of the longest common subsequence */
    size_t length[2];
};

struct similar similar_compare(struct arena *scratch, struct runes a, struct runes b);

/* Length of the longest common subsequence. Time |a| |b| / 64, memory |a| + |b|. */
size_t similar_lcs(struct arena *scratch, struct runes a, struct runes b);

bool similar_is_cjk(struct runes r); /* more than half of the letters */
/* How long the shorter text must be for containment to count. */
size_t similar_enough(bool cjk);
enum { SIMILAR_CJK_GRAM = 2, SIMILAR_OTHER_GRAM = 4 };

/* A text as names of its runes: numbers from 0, the same rune the same name. */
struct similar_names {
    const uint32_t *v;
    size_t n;
};

/* One text, prepared to be compared with many. A rune that none of the others has may be called
 * SIMILAR_UNNAMED. The tables live in the arena given to similar_rows_init() and are reused for the
 * next text. */
#define SIMILAR_UNNAMED UINT32_MAX
struct similar_rows {
    struct similar_names text;
    uint64_t *match; /* `words` words for each name: a bit for each rune of the block that has it */
    size_t from, words; /* the block of the text that is in `match` */
};

/* Names are below `kinds`; no text that is set has more than `longest` runes. */
void similar_rows_init(struct similar_rows *r, struct arena *a, size_t kinds, size_t longest);
void similar_rows_set(struct similar_rows *r, struct similar_names text); /* borrowed */
size_t similar_rows_lcs(struct arena *scratch, struct similar_rows *r, struct similar_names b);

/* The same for texts whose runes have no names. It lives in the arena. */
struct rune_slot;
struct similar_text {
    struct similar_rows rows;
    struct rune_slot *slots; /* names, by rune */
    int bits;
};
void similar_text_init(struct similar_text *t, struct arena *a, struct runes text);
/* True if their longest common subsequence has at least this many runes, which is known long before
 * its length. */
bool similar_text_shares(struct arena *scratch, struct similar_text *t, struct runes b,
                         size_t least);

/* The longest common substring; of several, the one that ends first in a, then in b. */
struct similar_overlap {
    size_t at[2], n; /* index of its first rune in a and in b; n is 0 when nothing is common */
};

/* Time |a| |b|, memory |b|: for evidence on a pair, not for searching. */
struct similar_overlap similar_overlap(struct arena *scratch, struct runes a, struct runes b);

#endif
