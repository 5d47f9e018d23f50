/* standing.h - one table over several suites: a row a model, a column a suite, and an overall.
 *
 * Suites score in their own ways; here each score becomes a place between the least and the most
 * that its suite can give, on one scale. A rating of battles becomes the chance to beat the average
 * model of its run. The overall is the weighted mean, with an interval that follows from those of
 * the suites (math/combine.h): they are independent, having no item in common. A model without a
 * score in some suite has no overall, and the table says which suite is missing; nothing counts as
 * a zero.
 *
 * Computed from the scores of runs, never stored. Values live in the arena. */
#ifndef REPORT_STANDING_H
#define REPORT_STANDING_H

#include "math/interval.h"
#include "report/report.h"

/* A suite and its runs, the one that counts first: further ones add models, where they asked the
 * same.
 */
struct standing_part {
    const char *suite, *title;
    const char *group; /* suites of one count as one in the overall; "" or NULL: by itself */
    double weight;
    struct run_row *runs;
    size_t nruns;
};

struct standing_of {
    const char *id, *title, *description;
    const char *language; /* NULL: that of the process */
    double scale;
    bool overall;
    struct standing_part *parts;
    size_t nparts;
    const char *judge; /* whose scores; NULL: the first of each run */
};

/* Where a column comes from. */
struct standing_suite {
    const char *suite, *title;
    double weight;
    int64_t items;
    const char *runs, *judges; /* "3f9c, 7a01" */
};

struct standing_model {
    const char *name;
    struct interval overall;         /* NaN: there is none */
    const char *missing;             /* suites without a score; NULL: none */
    struct interval *places;         /* by suite, on the scale */
    const struct score_row **scores; /* likewise, as the suite gives them; NULL: none */
};

struct standing {
    struct standing_of of;
    struct standing_suite *suites;
    size_t nsuites;
    struct standing_model *models; /* best first; those without an overall last */
    size_t nmodels;
    struct report *sources; /* the runs behind it */
    size_t nsources;
    const char **notes; /* runs that were left out, and why */
    size_t nnotes;
};

CHECKED enum status standing_build(struct arena *a, struct store *s, const struct standing_of *of,
                                   struct standing *out, struct err *e);

#endif
