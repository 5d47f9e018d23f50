/* standing.h - one table over several suites: a row per model, a column per suite, and an
 * overall score.
 *
 * Each score is mapped to its position between the lowest and the highest possible score of its
 * suite, on a common scale. A rating of battles becomes the probability of beating the average
 * model of its run. The overall score is the weighted mean; its interval follows from those of
 * the suites (math/combine.h), which are independent, having no items in common. A model that
 * lacks a score in some suite has no overall score, and the table says which suite is missing;
 * nothing counts as zero.
 *
 * Computed from the scores of runs, never stored. Values live in the arena. */
#ifndef REPORT_STANDING_H
#define REPORT_STANDING_H

#include "math/interval.h"
#include "report/report.h"

/* A suite and its runs. The first run counts; further runs add models if they asked the same. */
struct standing_part {
    const char *suite, *title;
    const char *group; /* suites of a group count as one in the overall score; "" or NULL: none */
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
    const char *judge; /* which jury; NULL: the first of each run */
};

/* Source of a column. */
struct standing_suite {
    const char *suite, *title;
    double weight;
    int64_t items;
    const char *runs, *judges; /* "3f9c, 7a01" */
};

struct standing_model {
    const char *name;
    struct interval overall;         /* NaN: none */
    const char *missing;             /* suites without a score; NULL: none */
    struct interval *places;         /* by suite, on the common scale */
    const struct score_row **scores; /* by suite, in the suite's own unit; NULL: none */
};

struct standing {
    struct standing_of of;
    struct standing_suite *suites;
    size_t nsuites;
    struct standing_model *models; /* best first; those without an overall score last */
    size_t nmodels;
    struct report *sources; /* the runs behind it */
    size_t nsources;
    const char **notes; /* runs that were left out, and why */
    size_t nnotes;
};

CHECKED enum status standing_build(struct arena *a, struct store *s, const struct standing_of *of,
                                   struct standing *out, struct err *e);

#endif
