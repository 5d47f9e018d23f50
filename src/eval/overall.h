/* overall.h - does a judge's own overall agree with the marks that it gave?
 *
 * Some templates ask for an overall beside the dimensions. It never counts: the program computes
 * the weighted mean itself. How often the two differ, after rounding ours to a whole number, says
 * how much a judge's arithmetic can be trusted. */
#ifndef EVAL_OVERALL_H
#define EVAL_OVERALL_H

#include "eval/store_read.h"

struct overall_count {
    const char *judge;
    int64_t compared, differs;
    struct overall_count *next;
};

/* One per judge that gave any overall. */
CHECKED enum status overall_compare(struct arena *a, struct store *s, int64_t run,
                                    const struct suite *suite, struct overall_count **out,
                                    struct err *e);

#endif
