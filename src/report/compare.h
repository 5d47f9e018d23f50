/* compare.h - one run against another of the same suite, item by item.
 *
 * An item's value is the mean over its scored answers, times the suite's `times`: the units of the
 * leaderboard. Items are the same when id, prompt, dialogue, reference and values are; the
 * difference of two models is taken over items that are the same and scored in both runs, with
 * an interval of the differences, because items are what the two have in common. Everything lives
 * in the arena.
 *
 * Of two forms of one suite (suite/slot.h) the items are compared that are *not* the same: what a
 * model does better in the form that was published, it may have read. */
#ifndef REPORT_COMPARE_H
#define REPORT_COMPARE_H

#include "math/interval.h"
#include "store/store_read.h"

enum compare_change { COMPARE_REGRESSED, COMPARE_IMPROVED, COMPARE_UNCHANGED, COMPARE_MISSING };
enum { COMPARE_CHANGES = COMPARE_MISSING + 1 };

struct compare_item {
    const char *name;
    double now, then;           /* NaN: not scored, or not in that run */
    enum compare_change change; /* MISSING: not scored in both */
    struct str answer, before;  /* of a regressed item: the first answer in each run;
                                 * empty where the suite is sensitive */
};

/* One dimension of two models, as it was judged: rules act on the score alone. */
struct compare_mark {
    double now, then; /* means over items that both runs marked in it */
    struct interval difference;
};

/* One model of the run and the one of the baseline that it is compared with. */
struct compare_model {
    const char *name, *against;
    struct interval difference; /* now - then, in the units of the leaderboard */
    double now, then;           /* over the same items, likewise */
    double needed; /* items to see a difference of `least` in 80 of 100 runs; NaN: not known */
    struct compare_mark *marks; /* by dimension; NULL: there is but one */
    struct compare_item *items; /* of the run, in order */
    size_t nitems;
    size_t counts[COMPARE_CHANGES];
};

struct compare {
    struct run_row run, baseline;
    const char *title;
    struct compare_model *models;
    size_t nmodels;
    const struct dimension *dimensions;
    size_t ndimensions;
    int64_t only_now, only_then; /* items that one of the runs does not have */
    int64_t edited;              /* items of one id that are not the same; not compared. Of forms:
                                  * items that are the same in both */
    bool forms;                  /* two forms are compared: */
    int64_t form_now, form_then; /* 0 is the published one */
    bool judged_alike;           /* by judges of the same names */
    double margin, least;
    const char *judge, *judge_then; /* whose numbers */
    bool band; /* scores are bands, and the means here come before their rounding */
};

/* Whose numbers these are, in a sentence. */
const char *compare_whose(struct arena *a, const struct compare *c, const char *language);

struct compare_options {
    const char *model;   /* NULL: every model that both runs have */
    const char *against; /* of the baseline; NULL: the same name */
    double margin;       /* a change of no more than this is none */
    double least;        /* a difference that would matter; NaN: none was named */
    const char *judge;   /* whose numbers; NULL: those of each run's first judges */
    bool forms;          /* the runs are of two forms */
};

CHECKED enum status compare_runs(struct arena *a, struct store *s, const struct run_row *run,
                                 const struct run_row *baseline, const struct compare_options *o,
                                 struct compare *out, struct err *e);

const char *compare_change_name(enum compare_change c); /* "regressed", ... */

#endif
