/* bias.h - what a judge of battles may like beside quality: length, and its own family.
 *
 * Position is counted in bouts.h, where the order shown is known. Pure. */
#ifndef EVAL_BIAS_H
#define EVAL_BIAS_H

#include "eval/bouts.h"
#include "eval/control.h"
#include "math/interval.h"

struct bias {
    /* Logits for one standard deviation more of length, fitted on this judge's verdicts alone. */
    struct interval length; /* NaN: not known; n: battles */
    /* Score of models of its own family against others, less what is to be expected. */
    bool has_family; /* the run has models of its family */
    struct interval family;
    const char *against; /* where the expectation comes from; NULL: it was not measured */
};

/* What is expected of the own family is what judges of other families said of the same answers, or,
 * where none did, what the ratings say that follow from all battles but those in question. */
CHECKED enum status bias_compute(const struct bouts *b, size_t judge, struct bias *out,
                                 struct err *e);

#endif
