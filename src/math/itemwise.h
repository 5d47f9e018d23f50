/* itemwise.h - statistics of single items: how hard they are, and how well they separate models.
 *
 * Classical item analysis on a table of persons (here: models) by items with values from 0 to 1;
 * empty cells are NaN. Discrimination is the corrected item-total correlation (Henrysson 1963):
 * that of an item with the mean of the other items, all centred by item, over the persons who have
 * the item. Its product with the item's standard deviation, the reliability index (Gulliksen 1950),
 * says how much the item contributes to what all others measure: the higher, the better it
 * separates models. Rasch: ln p / (1 - p) = ability - difficulty, by joint maximum likelihood
 * (Wright and Panchapakesan 1969), with a weak prior that keeps items which all or nobody solved
 * finite; fractional values are allowed. Pure; scratch memory is freed. */
#ifndef MATH_ITEMWISE_H
#define MATH_ITEMWISE_H

#include "base/mem.h"

enum {
    ITEMWISE_PERSONS = 3,       /* minimum for a correlation */
    ITEMWISE_RASCH_PERSONS = 8, /* minimum for the Rasch model */
    ITEMWISE_RASCH_ITEMS = 8,
    ITEMWISE_TWIN_PERSONS = 6, /* minimum for redundancy */
};

struct itemwise_table {
    const double *value; /* [person * items + item]; NaN: empty */
    size_t persons, items;
};

struct itemwise {
    size_t n;              /* persons with a value */
    double mean, sd;       /* of values */
    double discrimination; /* NaN: fewer than three persons, or no spread */
    double worth;          /* reliability index; 0 if nothing varies; NaN: fewer than two persons */
    double logit, fit;     /* Rasch difficulty and outfit; NaN: too few persons or items */
};

void itemwise_of(const struct itemwise_table *t, struct itemwise *out);

/* Redundant items: their residuals, after removing persons and items, correlate (Yen 1984, Q3).
 * Writes the pairs with at least `least`, at most `most` of them, strongest first; none with fewer
 * than ITEMWISE_TWIN_PERSONS persons. Returns how many. */
struct itemwise_twins {
    uint32_t one, other;
    double correlation;
};
size_t itemwise_twins(const struct itemwise_table *t, double least, size_t most,
                      struct itemwise_twins *out);

/* The n items with the highest worth, the earlier one if equal, as indices in ascending order. */
void itemwise_best(const struct itemwise *items, size_t all, size_t n, size_t *out);

#endif
