/* score.h - the stage that turns marks and flags into numbers, each with its interval and n.
 *
 * Every jury (store/jury.h) has all of these rows, so that its numbers can be read by themselves.
 * Battles have no marks: of a suite of pairs these are the counts alone, and rank.h the rest.
 * Everything here is derived: it can be thrown away and computed again, and `verify` does so.
 *
 * Subjects and metrics of the rows:
 *   model/NAME  score           the headline, as the suite's `score` says; n samples
 *               score-unrounded the same without rounding, where the suite rounds
 *               mark:ID         mean of one dimension over items
 *               total:ID        sum of one dimension over samples
 *               samples         planned (value), done (n)
 *               failed          samples without an answer
 *               unscored        answers that judges spoke about, and none with a mark
 *               unjudged        answers that no judge has spoken about yet
 *               left-out        answers that were judged and that a rule leaves out
 *               flag:KIND       flags of this kind that stand
 *               tokens, cost
 *               spread          of a band: greatest less least mean of the judges of a sitting
 *               rate:NAME       share of answers whose logit by this classifier exceeds 0
 *   judge/NAME  verdicts        planned (value), done (n); people are one judge
 *               unscored, failed, repaired, tokens, cost
 *               overall-differs verdicts whose own overall is not our weighted mean (n: compared)
 *               agreement       alpha of this judge and the mean of the others (n: marks compared)
 *   run/judges  agreement       alpha of all judges; both only where there are at least two
 *   run/noise   variance:SOURCE, noise:SOURCE  where the noise comes from (gauge/noise.h)
 * An item's value is the mean over its samples; a sample's is the weighted mean over dimensions of
 * the mean over judges. Intervals are of items, because answers to one prompt resemble each
 * other, and keep to the scale (math/interval.h, "M"): other items could have been asked; the
 * judges are taken as they are. */
#ifndef EVAL_SCORE_H
#define EVAL_SCORE_H

#include "math/interval.h"
#include "store/facts.h"
#include "suite/vocab.h"

/* The value that a jury gives every sample that has one, rules applied: those that were judged, by
 * sample; then those without an answer that the suite counts as 0. */
struct score_value {
    int64_t model, item, sample, repeat;
    double value;
    double unrounded;    /* the same, had the suite not said to round */
    double spread;       /* greatest less least of the judges' means; NaN: fewer than two judges */
    const char *rule;    /* kind of the flag that set or capped it; NULL: none */
    const double *means; /* by dimension, in the instrument's order: mean over judges, no rules;
                          * NULL, as the next two: nobody judged it */
    const double *sums;  /* ... and the sum of all marks */
    const int64_t *counts;
};
typedef enum status score_fn(void *user, const struct score_value *v, struct err *e);
CHECKED enum status score_value_each(struct store *s, const struct run_row *run,
                                     const struct suite *suite, const struct jury *jury,
                                     score_fn *fn, void *user, struct err *e);
/* The same for whoever has the facts of the run. */
CHECKED enum status score_value_of(struct store *s, const struct run_row *run,
                                   const struct suite *suite, const struct facts *facts,
                                   const struct jury *jury, score_fn *fn, void *user,
                                   struct err *e);

/* Compute all rows of a jury from the store, without writing. */
CHECKED enum status score_compute(struct arena *a, struct store *s, const struct run_row *run,
                                  const struct suite *suite, const struct facts *facts,
                                  const struct jury *jury, struct score_list *out, struct err *e);

/* The factor that makes a headline of the mean over n samples, in a run of so many items. */
double score_factor(const struct suite *suite, int64_t n, int64_t items);

/* Least and greatest value that this row, a "score", could have had in a run of so many items. */
struct score_bounds {
    double min, max;
};
/* ... and a single sample. */
struct score_bounds score_sample_bounds(const struct suite *suite);
struct score_bounds score_bounds(const struct suite *suite, const struct score_row *row,
                                 int64_t items);

/* Rows that are being gathered, in its arena. */
struct score_sheet {
    struct arena *arena;
    struct score_row *v;
    size_t n, cap;
};
void score_put(struct score_sheet *o, struct score_row row);
/* A number by itself. */
void score_put_value(struct score_sheet *o, const char *subject, const char *metric,
                     const char *method, double value, int64_t n);
void score_put_interval(struct score_sheet *o, const char *subject, const char *metric,
                        const char *method, struct interval i);
/* All of them, in order. */
struct score_list score_sorted(const struct score_sheet *o);

/* One row of the list, or NULL. Quick where the list is sorted. */
const struct score_row *score_find(const struct score_list *l, const char *subject,
                                   const char *metric);

#endif
