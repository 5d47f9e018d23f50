/* practice.h - has a rater learnt what the scales mean?
 *
 * Practice texts have marks that experts agreed on. An attempt is over when all its texts are
 * submitted; then the rater's marks are compared with the experts' (math/calibrate.h). Raters
 * who pass go on to rate; others may try again with other texts, as often as the campaign
 * allows. That is one round; further rounds with the same criteria follow after a number of
 * passages or days (rater_must_practise()). All attempts are kept. */
#ifndef PANEL_PRACTICE_H
#define PANEL_PRACTICE_H

#include "math/calibrate.h"
#include "panel/ballot.h"

/* Result in one dimension of an attempt. Distances are in steps of the scale. */
struct practice_part {
    const struct dimension *dimension;
    struct calibrate is;
    unsigned faults; /* enum calibrate_fault */
};

struct practice_result {
    bool over;   /* all texts of the attempt were submitted */
    bool passed; /* only if `over` */
    bool last;   /* no further attempt is allowed */
    struct practice_part *parts;
    size_t nparts;
    double kappa; /* over the marks of all dimensions, since each has few */
};

/* Evaluates the current attempt; changes nothing. */
CHECKED enum status practice_look(struct arena *a, struct store *s, const struct campaign *c,
                                  const struct rater *r, struct practice_result *out,
                                  struct err *e);
/* If it is over: lets the rater go on, try again, or rejects them. */
CHECKED enum status practice_settle(struct store *s, const struct rater *r,
                                    const struct practice_result *result, struct err *e);

/* Stored result of an attempt in one dimension. */
struct practice_row {
    const char *rater, *dimension;
    int64_t attempt, round; /* from 0 */
    int64_t done;           /* passages submitted by then */
    bool passed;            /* the attempt as a whole */
    struct calibrate is;
    int64_t at_ms;
};
struct practice_list {
    struct practice_row *v;
    size_t n;
};
/* For all raters of a campaign, by rater, then by time. */
CHECKED enum status practice_list(struct arena *a, struct store *s, int64_t campaign,
                                  struct practice_list *out, struct err *e);

/* Difference of two values in steps: levels apart, or numerically if there are no levels. */
double practice_steps(const struct dimension *d, double value, double key);

#endif
