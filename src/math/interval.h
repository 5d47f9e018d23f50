/* interval.h - estimates with confidence intervals, or the reason why there is none.
 *
 * Answers to the same prompt are correlated, so the prompt (or passage, or sitting) is the sampling
 * unit: intervals are computed from clusters. Marks have a bounded scale, and near its ends
 * Student's t interval is too narrow or has no width at all. Means and rates of bounded marks
 * therefore get a score interval with the effective number of units and Student's quantile, and an
 * exact bound if fewer than four units are away from the end (docs/STATISTICS.md, "Method M";
 * docs/COVERAGE.md for its coverage). Clusters without scored answers are ignored and not counted.
 *
 * Unknown values are NaN, and `why` says why. If there are bounds, `why` is a caution. `level` is
 * the coverage, such as 0.95. Pure. */
#ifndef MATH_INTERVAL_H
#define MATH_INTERVAL_H

#include "base/base.h"

enum {
    INTERVAL_UNITS_MIN = 5,    /* no interval with fewer */
    INTERVAL_UNITS_SHORT = 10, /* below, intervals of agreement may be too narrow */
    INTERVAL_UNITS_FEW = 20,   /* below, intervals of bounded marks tend to be wide */
    INTERVAL_RATERS_FEW = 5,   /* same, for raters */
};

/* Stored and written by name: append only. */
enum interval_why {
    INTERVAL_FINE,
    INTERVAL_FEW_UNITS,  /* fewer than five items */
    INTERVAL_ALIKE,      /* caution: all units have the same value */
    INTERVAL_ONE_RATER,  /* caution: holds for this rater only */
    INTERVAL_TWO_RATERS, /* caution: holds for these raters only */
    INTERVAL_FEW_RATERS, /* at least three people are needed */
    INTERVAL_ONE_UNIT,   /* all weight is on one passage */
    INTERVAL_LOPSIDED,   /* one category has more than 70 % of the marks, and there are few units */
    INTERVAL_PERFECT,    /* nearly perfect agreement: its uncertainty is unknown */
    INTERVAL_ONE_SIDED,  /* caution: nearly perfect agreement, only the lower bound is meaningful */
    INTERVAL_NO_SPREAD,  /* nothing varies, so nothing can be measured */
    INTERVAL_PRIOR,      /* caution: some always won, and ratings depend on a prior */
    INTERVAL_SELECTED,   /* caution: what people rated is not a random sample of all */
    INTERVAL_WIDE,       /* caution: few raters or items, probably too wide */
    INTERVAL_SHORT,      /* caution: few units, may be slightly too narrow */
    INTERVAL_REASONS
};

/* "few-items" and so on, for files; "" for INTERVAL_FINE. */
const char *interval_why_name(enum interval_why why);
/* INTERVAL_FINE for unknown names or NULL. */
enum interval_why interval_why_named(const char *name);

struct interval {
    double value, se, low, high;
    size_t n;        /* number of observations */
    size_t clusters; /* number of independent units */
    enum interval_why why;
};
extern const struct interval interval_unknown; /* value and bounds are NaN */

/* The range of single values. */
struct interval_scale {
    double min, max;
};
extern const struct interval_scale interval_unbounded; /* uses Student's t */
extern const struct interval_scale interval_share;     /* 0 to 1 */
extern const struct interval_scale interval_counts;    /* 0 and up; for means only */

/* The scored answers to one prompt. */
struct interval_cluster {
    double sum;
    size_t n;
};

/* Mean of the cluster means: all prompts have the same weight, however many answers were scored. */
struct interval interval_of_means(const struct interval_cluster *c, size_t n,
                                  struct interval_scale scale, double level);

/* Total over total: all answers have the same weight. The effective number of units follows from
 * the linearized variance, sum e^2 / (1 - m / M) / M^2, and is at most M^2 / sum m^2. */
struct interval interval_of_ratio(const struct interval_cluster *c, size_t n,
                                  struct interval_scale scale, double level);

/* Mean of (mean of a - mean of b) over the clusters in both; a[i] and b[i] are the same prompt.
 * n counts the answers of both. Student's t. If fewer than five differences deviate from the
 * most frequent one, the interval is at least as wide as gains and losses, bounded separately,
 * imply or, if the most frequent difference is neither 0 nor an end of the scale, as method M on
 * the scale of differences. */
struct interval interval_of_difference(const struct interval_cluster *a,
                                       const struct interval_cluster *b, size_t n,
                                       struct interval_scale scale, double level);

/* k of n independent trials. */
struct interval interval_of_share(size_t k, size_t n, double level);

/* Changes the unit: the mean of 15 prompts times 15 is their sum. */
struct interval interval_times(struct interval i, double times);
/* Removes the bounds, for this reason. */
struct interval interval_refuse(struct interval i, enum interval_why why);
/* Widens an interval to include the other; keeps its value and reason. */
struct interval interval_hull(struct interval i, const struct interval *other);
struct interval interval_clip(struct interval i, struct interval_scale scale);

#endif
