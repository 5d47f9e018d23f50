/* values.h - what each sample of a run is worth by whoever's numbers it shows, kept in the store.
 *
 * Lists of samples are sorted and filtered by it, and maps of items are drawn from it, without
 * scoring the run again. Derived: made from the marks when the run's numbers have changed. */
#ifndef REPORT_VALUES_H
#define REPORT_VALUES_H

#include "math/interval.h"
#include "store/store_explore.h"
#include "suite/vocab.h"

/* Bring scores and values up to date, and what can be found by words. */
CHECKED enum status values_refresh(struct store *s, struct run_row *run, struct err *e);

/* Compute them anew and compare: E_INPUT names the first sample that differs. */
CHECKED enum status values_check(struct store *s, const struct run_row *run, struct err *e);

/* The same by item and model, in the order of the lists given: cells[item * models + model]. */
struct values_map {
    struct interval_cluster *cells;
    size_t items, models;
};
struct values_map values_map(struct arena *a, const struct value_list *l, const int64_t *items,
                             size_t nitems, const int64_t *models, size_t nmodels);
/* What a single value is shown times, so that it is in the units of the leaderboard. */
double values_times(const struct suite *suite);
double values_mean(const struct interval_cluster *c); /* NaN: none */

/* Who is ahead of whom: every difference of two models, paired by item, each with an interval of
 * its own; and which of them hold together, so that one false word about the order is as rare as a
 * miss of one interval (Holm 1979), with the places that each model could have by them. */
struct values_matrix {
    size_t n;
    struct interval *v;   /* [row * n + column]: row less column */
    int *ahead;           /* the row is ahead (1), behind (-1), or all together do not tell (0) */
    size_t *first, *last; /* of its places, from 1; 0: it has no value; NULL: no places */
};
/* In the units of the leaderboard; a total as if every answer planned had a value. */
struct values_matrix values_matrix(struct arena *a, const struct suite *suite, int64_t repeats,
                                   const struct values_map *m);
/* Of n things, where c[row * n + column] has the row's values beside the column's, by unit, or is
 * NULL; differences times `factor`; no places. */
struct values_matrix values_apart(struct arena *a, struct interval_cluster *const *c, size_t n,
                                  size_t units, struct interval_scale scale, double factor);
/* The row is ahead (1), behind (-1), or it cannot be told (0). */
int values_ahead(const struct interval *difference);

#endif
