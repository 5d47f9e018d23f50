/* interval.h - numbers with their uncertainty, and why there is none where there is none.
 *
 * Answers to the same prompt are alike, so that the prompt (or passage, or sitting) is the unit
 * that was sampled: intervals come from clusters. Marks have a scale with two ends, and near an end
 * Student's t is too short, or has no width at all: so means and rates of bounded marks get a score
 * interval on the effective number of units, with Student's quantile, and an exact bound where
 * fewer than four units left the end (docs/STATISTICS.md, "Method M"; docs/COVERAGE.md for how
 * often it covers). A cluster without scored answers does not take part, and is not counted.
 *
 * What is not known is NaN, and `why` says why. With bounds, `why` is a caution. `level` is the
 * coverage, such as 0.95. Pure. */
#ifndef MATH_INTERVAL_H
#define MATH_INTERVAL_H

#include "base/base.h"

enum {
    INTERVAL_UNITS_MIN = 5,    /* below it nothing is claimed */
    INTERVAL_UNITS_SHORT = 10, /* below it those of agreement may be short */
    INTERVAL_UNITS_FEW = 20,   /* below it intervals of bounded marks tend to be wide */
    INTERVAL_RATERS_FEW = 5,   /* ... and those of raters */
};

/* Stored and written by name: append only. */
enum interval_why {
    INTERVAL_FINE,
    INTERVAL_FEW_UNITS,  /* fewer than five items */
    INTERVAL_ALIKE,      /* a caution: every unit gave the same value */
    INTERVAL_ONE_RATER,  /* a caution: true of this rater, not of others */
    INTERVAL_TWO_RATERS, /* a caution: likewise */
    INTERVAL_FEW_RATERS, /* people are needed, three or more */
    INTERVAL_ONE_UNIT,   /* one passage carries everything */
    INTERVAL_LOPSIDED,   /* one category has more than 70 % of the marks, and units are few */
    INTERVAL_PERFECT,    /* nearly perfect agreement: nothing says how far it could be off */
    INTERVAL_ONE_SIDED, /* a caution: nearly perfect agreement, only the lower end means anything */
    INTERVAL_NO_SPREAD, /* nothing varies, so that nothing can be measured */
    INTERVAL_PRIOR,     /* a caution: some always won; a prior holds the ratings together */
    INTERVAL_SELECTED,  /* a caution: what people rated is no random part of all */
    INTERVAL_WIDE,      /* a caution: few raters or items, so that it errs on the wide side */
    INTERVAL_SHORT,     /* a caution: few units, so that it may be a little short */
    INTERVAL_REASONS
};

/* "few-items" and so on, for files; "" for INTERVAL_FINE. */
const char *interval_why_name(enum interval_why why);
/* INTERVAL_FINE for a name that is not known, or NULL. */
enum interval_why interval_why_named(const char *name);

struct interval {
    double value, se, low, high;
    size_t n;        /* observations behind it */
    size_t clusters; /* independent units behind it */
    enum interval_why why;
};

/* The ends of the scale that single values live on. */
struct interval_scale {
    double min, max;
};
extern const struct interval_scale interval_unbounded; /* Student's t */
extern const struct interval_scale interval_share;     /* 0 to 1 */
extern const struct interval_scale interval_counts;    /* 0 and up; of means alone */

/* The scored answers to one prompt. */
struct interval_cluster {
    double sum;
    size_t n;
};

/* Mean of the cluster means: each prompt weighs the same, however many answers were scored. */
struct interval interval_of_means(const struct interval_cluster *c, size_t n,
                                  struct interval_scale scale, double level);

/* Total over total: each answer weighs the same. The effective number of units is that of the
 * variance by linearisation, sum e^2 / (1 - m / M) / M^2, and never more than M^2 / sum m^2. */
struct interval interval_of_ratio(const struct interval_cluster *c, size_t n,
                                  struct interval_scale scale, double level);

/* Mean of (mean of a - mean of b) over the clusters that both have; a[i] and b[i] are the same
 * prompt. n counts the answers of both. Student's t; where fewer than five differences stand out
 * from the most frequent one, no narrower than what gains and losses give each by itself, or, where
 * that one is neither 0 nor an end of the scale, than method M on the scale of differences. */
struct interval interval_of_difference(const struct interval_cluster *a,
                                       const struct interval_cluster *b, size_t n,
                                       struct interval_scale scale, double level);

/* k of n independent trials. */
struct interval interval_of_share(size_t k, size_t n, double level);

/* The same in other units: a mean of 15 prompts times 15 is their sum. */
struct interval interval_times(struct interval i, double times);
/* Refused. */
struct interval interval_refuse(struct interval i, enum interval_why why);
/* At least as wide as the other, inside the scale; the first one's value and reason. */
struct interval interval_hull(struct interval i, const struct interval *other);
struct interval interval_clip(struct interval i, struct interval_scale scale);

#endif
