/* practice.h - has a rater learnt what the scales mean?
 *
 * Practice texts have marks that experts agreed on. An attempt is over when all its texts are
 * handed in; then the rater's marks are held against theirs (math/calibrate.h). Who passes goes on
 * to rate; who does not may try again with other texts, as often as the campaign says. That is one
 * round. Others follow after so many passages or days (rater_must_practise()), by the same gate.
 * Every attempt is kept as it came out. */
#ifndef PANEL_PRACTICE_H
#define PANEL_PRACTICE_H

#include "math/calibrate.h"
#include "panel/ballot.h"

/* One dimension of an attempt. Distances count in steps of its scale. */
struct practice_part {
    const struct dimension *dimension;
    struct calibrate is;
    unsigned faults; /* enum calibrate_fault */
};

struct practice_result {
    bool over;   /* all texts of the attempt are handed in */
    bool passed; /* only when it is over */
    bool last;   /* there is no further attempt */
    struct practice_part *parts;
    size_t nparts;
    double kappa; /* of the marks of all dimensions together, which are few */
};

/* How the present attempt stands; nothing is changed. */
CHECKED enum status practice_look(struct arena *a, struct store *s, const struct campaign *c,
                                  const struct rater *r, struct practice_result *out,
                                  struct err *e);
/* When it is over: let the rater go on, try again, or not. */
CHECKED enum status practice_settle(struct store *s, const struct rater *r,
                                    const struct practice_result *result, struct err *e);

/* How one dimension of an attempt came out. */
struct practice_row {
    const char *rater, *dimension;
    int64_t attempt, round; /* from 0 */
    int64_t done;           /* passages handed in by then */
    bool passed;            /* the attempt, in all dimensions */
    struct calibrate is;
    int64_t at_ms;
};
struct practice_list {
    struct practice_row *v;
    size_t n;
};
/* Of all raters of a campaign: by rater, then as they came. */
CHECKED enum status practice_list(struct arena *a, struct store *s, int64_t campaign,
                                  struct practice_list *out, struct err *e);

/* Distance of two values in steps: levels apart, or the difference where there are none. */
double practice_steps(const struct dimension *d, double value, double key);

#endif
