/* hashed.h - a text as a sparse vector of its character n-grams, hashed.
 *
 * The text is folded (fold.h) and put between two marks, so that "at the end" is a feature. All
 * n-grams of 1 to HASHED_ORDER runes are counted at the place given by their hash (FNV-1a, 64 bits,
 * folded to HASHED_BITS), and the vector is scaled to length 1. There is no vocabulary, so a model
 * is just a list of weights. Stored models depend on the places: any change here needs a new
 * version of their file. Pure. */
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

/* Empty if folding leaves nothing of the text. */
struct hashed hashed_text(struct arena *a, struct str text);

/* The place of one n-gram. */
uint32_t hashed_place(const uint32_t *runes, size_t n);

#endif
