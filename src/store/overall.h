/* overall.h - the overall of a verdict: ours, and whether the judge's own agrees with it.
 *
 * Some templates ask for an overall besides the dimensions. It never counts: the program computes
 * the weighted mean itself. How often the two differ, both as whole numbers, says how far a judge's
 * arithmetic can be trusted. */
#ifndef STORE_OVERALL_H
#define STORE_OVERALL_H

#include "store/store_read.h"
#include "suite/vocab.h"

/* What one mark adds to the weighted mean, before its weight: marks of dimensions where lower is
 * better are reversed. */
double overall_part(const struct dimension *d, double mark);
/* The weighted mean of a verdict's marks, not rounded. NaN if a dimension has none. */
double overall_mean(const struct instrument *in, const struct mark_list *marks);
double overall_round(double mean, enum rounding how);

struct overall_count {
    const char *judge;
    int64_t compared, differs;
    struct overall_count *next;
};

/* One for each judge that gave any overall. */
CHECKED enum status overall_compare(struct arena *a, struct store *s, int64_t run,
                                    const struct suite *suite, struct overall_count **out,
                                    struct err *e);

#endif
