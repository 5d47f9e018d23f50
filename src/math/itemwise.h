/* itemwise.h - what single items tell: how hard they are, and whether they tell models apart.
 *
 * Classical item analysis on a table of persons (here: models) by items, values from 0 to 1; an
 * empty cell is NaN. Discrimination is the correlation of an item with the mean of the others
 * (corrected item-total correlation; Henrysson 1963), both less the item's mean, over persons that
 * have the item. Its product with the item's standard deviation, the reliability index (Gulliksen
 * 1950), is how far the item moves with what all the others measure: the more, the more it helps
 * to tell models apart. Rasch: ln p / (1 - p) = ability - difficulty, by joint maximum likelihood
 * (Wright and Panchapakesan 1969) with a weak prior that keeps items that all or nobody solved
 * finite; graded values count as shares. Pure; scratch memory is released. */
#ifndef MATH_ITEMWISE_H
#define MATH_ITEMWISE_H

#include "base/mem.h"

enum {
    ITEMWISE_PERSONS = 3,       /* for a correlation */
    ITEMWISE_RASCH_PERSONS = 8, /* for abilities */
    ITEMWISE_RASCH_ITEMS = 8,
    ITEMWISE_TWIN_PERSONS = 6, /* for redundancy */
};

struct itemwise_table {
    const double *value; /* [person * items + item]; NaN: none */
    size_t persons, items;
};

struct itemwise {
    size_t n;              /* persons with a value */
    double mean, sd;       /* of values */
    double discrimination; /* NaN: fewer than three persons, or no spread */
    double worth;          /* reliability index; NaN: fewer than two; 0 where nothing varies */
    double logit, fit;     /* Rasch difficulty and outfit; NaN: too few persons or items */
};

void itemwise_of(const struct itemwise_table *t, struct itemwise *out);

/* Items that say the same: residuals, after persons and items are taken out, that correlate
 * (Yen 1984, Q3). The strongest pairs from `least` on, at most `most`, strongest first; none with
 * fewer than ITEMWISE_TWIN_PERSONS persons. */
struct itemwise_twins {
    uint32_t one, other;
    double correlation;
};
size_t itemwise_twins(const struct itemwise_table *t, double least, size_t most,
                      struct itemwise_twins *out);

/* The n items with the greatest worth, first come first among equals, as indices in ascending
 * order. */
void itemwise_best(const struct itemwise *items, size_t all, size_t n, size_t *out);

#endif
