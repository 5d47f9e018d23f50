/* hashed.h - a text as a sparse vector: its character n-grams, hashed.
 *
 * The text is folded (fold.h) and stands between two marks, so that "at the end" is a feature
 * of its own. All n-grams of one to HASHED_ORDER runes are counted at the place that their hash
 * (FNV-1a, 64 bits, folded to HASHED_BITS) names, and the vector has length 1. No vocabulary is
 * kept, so that a model is a list of weights and nothing else. The places are part of stored
 * models: changing anything here needs a new version of the file. Pure. */
#ifndef TEXT_HASHED_H
#define TEXT_HASHED_H

#include "base/mem.h"

enum { HASHED_ORDER = 4, HASHED_BITS = 18, HASHED_SIZE = 1 << HASHED_BITS };

struct hashed_cell {
    uint32_t place; /* < HASHED_SIZE */
    double value;
};

struct hashed {
    struct hashed_cell *cells; /* by rising place, each once */
    size_t n;
};

/* Empty for a text in which nothing is left to hash. */
struct hashed hashed_text(struct arena *a, struct str text);

/* The place of one n-gram. */
uint32_t hashed_place(const uint32_t *runes, size_t n);

#endif
