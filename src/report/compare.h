/* compare.h - one run against another of the same suite, item by item.
 *
 * The value of an item is the mean over its scored answers times the suite's `times`, the unit
 * of the leaderboard. Two items are the same if id, prompt, dialogue, reference and values are.
 * The difference of two models is taken over items that are the same and were scored in both
 * runs; its interval is that of paired differences, since the items are common to both.
 * Everything lives in the arena.
 *
 * For two forms of one suite (suite/slot.h), the items compared are those that are *not* the
 * same: a model that does better on the published form may have seen it in training. */
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
    struct str answer, before;  /* of a regressed item: the first answer in each run; empty if the
                                 * suite is sensitive */
};

/* One dimension of two models, as judged: rules act on the score alone. */
struct compare_mark {
    double now, then; /* means over items that have marks in both runs */
    struct interval difference;
};

/* One model of the run and the baseline model it is compared with. */
struct compare_model {
    const char *name, *against;
    struct interval difference; /* now - then, in units of the leaderboard */
    double now, then;           /* over the same items, same unit */
    double needed; /* items to detect a difference of `least` in 80 % of runs; or NaN */
    struct compare_mark *marks; /* by dimension; NULL: there is only one */
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
    int64_t only_now, only_then; /* items that only one of the runs has */
    int64_t edited; /* items with one id that are not the same, or for forms that are the same:
                     * they are not compared */
    bool forms;     /* two forms are compared: */
    int64_t form_now, form_then; /* 0: the published one */
    bool judged_alike;           /* the judges have the same names */
    double margin, least;
    const char *judge, *judge_then; /* which jury */
    bool band;                      /* scores are bands; the means here are before rounding */
};

/* Says in a sentence whose numbers these are. */
const char *compare_whose(struct arena *a, const struct compare *c, const char *language);

struct compare_options {
    const char *model;   /* NULL: every model that is in both runs */
    const char *against; /* of the baseline; NULL: the same name */
    double margin;       /* smaller changes count as unchanged */
    double least;        /* smallest difference that matters; NaN: not given */
    const char *judge;   /* which jury; NULL: the first of each run */
    bool forms;          /* the runs are of two forms */
};

CHECKED enum status compare_runs(struct arena *a, struct store *s, const struct run_row *run,
                                 const struct run_row *baseline, const struct compare_options *o,
                                 struct compare *out, struct err *e);

const char *compare_change_name(enum compare_change c); /* "regressed", ... */

#endif
