/* corpus.h - which of many texts the lines of a large corpus repeat.
 *
 * The texts (a model's replies) are indexed; the corpus (what it was trained on) is streamed line
 * by line and not kept, so memory is bounded by the texts. The search is exact: it finds every pair
 * whose score S of text/similar.h reaches the threshold, and every pair that is equal but for
 * particles, whatever its score. A text that folds to nothing matches nothing.
 *
 * The index lives in the arena given to corpus_new() and borrows the texts. One thread. */
#ifndef TEXT_CORPUS_H
#define TEXT_CORPUS_H

#include "text/fold.h"
#include "text/similar.h"

enum { CORPUS_RUNES_MAX = 1 << 16 }; /* of an indexed text, folded; lines may be longer */

enum corpus_tier {
    CORPUS_NEAR,      /* S >= threshold */
    CORPUS_PARTICLES, /* equal but for the particles that end clauses */
    CORPUS_EXACT,     /* equal when folded */
};

struct corpus_match {
    size_t text; /* which of the texts */
    enum corpus_tier tier;
    struct similar similar; /* of the text, then the line */
};

struct corpus_matches {
    const struct corpus_match *v; /* in the order of the texts */
    size_t n;
};

struct corpus; /* opaque */

/* 0 < threshold <= 1; no text has more than CORPUS_RUNES_MAX runes. */
struct corpus *corpus_new(struct arena *a, const struct folded *texts, size_t n, double threshold);

/* Compares tiers, then scores: the more exact repetition is better. */
bool corpus_is_better(const struct corpus_match *a, const struct corpus_match *b);
/* Finds the texts that the line repeats. The result lives in `scratch`, which may be reset between
 * lines. */
struct corpus_matches corpus_search(struct arena *scratch, struct corpus *c, struct folded line);

#endif
