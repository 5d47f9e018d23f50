/* values.h - the value of each sample of a run by its first jury, kept in the store.
 *
 * Used to sort and filter lists of samples and to draw maps of items without scoring the run
 * again. Derived: recomputed when the run's numbers have changed. */
#ifndef REPORT_VALUES_H
#define REPORT_VALUES_H

#include "math/interval.h"
#include "store/store_explore.h"
#include "suite/vocab.h"

/* Brings scores, values and the word index up to date. */
CHECKED enum status values_refresh(struct store *s, struct run_row *run, struct err *e);

/* Recomputes the values and compares them with the stored ones: E_INPUT names the first sample
 * that differs. */
CHECKED enum status values_check(struct store *s, const struct run_row *run, struct err *e);

/* Values by item and model, in the order of the given lists: cells[item * models + model]. */
struct values_map {
    struct interval_cluster *cells;
    size_t items, models;
};
struct values_map values_map(struct arena *a, const struct value_list *l, const int64_t *items,
                             size_t nitems, const int64_t *models, size_t nmodels);
/* Factor that converts a single value to units of the leaderboard. */
double values_times(const struct suite *suite);
double values_mean(const struct interval_cluster *c); /* NaN: none */

/* Who is ahead of whom: all differences of two models, paired by item, each with its own
 * interval; which of them hold simultaneously, so that the probability of a single wrong
 * statement about the order is 5 % (Holm 1979); and the places each model could have
 * accordingly. */
struct values_matrix {
    size_t n;
    struct interval *v;   /* [row * n + column]: row minus column */
    int *ahead;           /* the row is ahead (1), behind (-1), or undecided simultaneously (0) */
    size_t *first, *last; /* range of its places, from 1; 0: no value; NULL: no places */
};
/* In units of the leaderboard; a total counts every planned answer as having a value. */
struct values_matrix values_matrix(struct arena *a, const struct suite *suite, int64_t repeats,
                                   const struct values_map *m);
/* For n things: c[row * n + column] has the row's values by unit for the comparison with the
 * column, or is NULL; differences are multiplied by `factor`. No places. */
struct values_matrix values_apart(struct arena *a, struct interval_cluster *const *c, size_t n,
                                  size_t units, struct interval_scale scale, double factor);
/* The row is ahead (1), behind (-1), or undecided (0). */
int values_ahead(const struct interval *difference);

#endif
