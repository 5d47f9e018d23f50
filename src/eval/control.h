/* control.h - battles rated with the style of the answers taken out.
 *
 * Raw ratings answer who wins; controlled ones who would win if all wrote at the same length and in
 * the same style. The coefficient of a property says how much a judge likes it for its own sake: in
 * logits, for one standard deviation more (math/bt_style.h). Only models that met can be compared:
 * the largest group is rated. Everything lives in the arena. */
#ifndef EVAL_CONTROL_H
#define EVAL_CONTROL_H

#include "exchange/battle_file.h"
#include "math/interval.h"

/* What is not known is NaN. Intervals are of 95 %. */
struct control {
    struct interval *ratings; /* [models of the set], 1000 on average */
    size_t rated;             /* how many of them have one */
    struct interval effects[STYLE_FEATURES];
    struct interval *won; /* [models]: see control_compute(). NULL: no lengths are known */
    size_t battles;
    const char *method; /* where the intervals come from */
    bool any;           /* some property varies, so that there is something to take out */
    bool ridged;        /* a prior was needed */
};

struct control_how {
    bool drop_ties;     /* else they are halves */
    double widen;       /* intervals by this factor; 1: not */
    const char *anchor; /* model whose rating is `anchored`, the others shift; NULL: none */
    double anchored;
};

/* The set must have a style. Where it also knows lengths, a model's length-controlled win rate is
 * what it would win of its battles if all answers were of one length: Bradley-Terry with tanh(d /
 * sd(d)) of the difference d in characters, and that term then left out (Dubois et al. 2024,
 * without their difficulty of instructions, which files of battles do not hold). */
CHECKED enum status control_compute(struct arena *a, const struct battle_set *set,
                                    const struct control_how *how, struct control *out,
                                    struct err *e);

#endif
