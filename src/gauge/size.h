/* size.h - how many items, answers, judges or readings it would take.
 *
 * The half-width of a score's interval, as variance components (noise.h) foresee it:
 *     h^2 = t^2(I - 1) (items + answers / S + cross / J + rest / (S J K)) / I
 * for I items, S answers to each, J judges and K readings by each of them; where the judges are
 * people who could have been others, and t^2(J - 1) judges / J. Foreseen widths are those of the
 * mean over items; `scale` makes them agree with what was printed for the present design. Pure. */
#ifndef GAUGE_SIZE_H
#define GAUGE_SIZE_H

#include "base/base.h"

struct size_design {
    int64_t items, answers, judges, readings;
};

/* NaN: not known, because there was but one of it: it cannot be varied, and is part of another. */
struct size_noise {
    double items, judges, answers, cross, rest;
    bool drawn; /* the judges are raters */
};

struct size_question {
    struct size_noise noise;
    struct size_design now;
    size_t models;
    double density;                 /* readings of those possible: raters do not read everything */
    double scale;                   /* of widths, to those of the headline */
    double half;                    /* wanted */
    double answer_usd, reading_usd; /* NaN: not known */
};

/* What is changed. */
enum size_lever { SIZE_ITEMS, SIZE_ANSWERS, SIZE_JUDGES, SIZE_READINGS, SIZE_MIXED, SIZE_LEVERS };

struct size_option {
    enum size_lever lever;
    bool reached; /* false: no number of them is enough, `half` is the limit */
    struct size_design to;
    double half;
    int64_t answers, readings; /* more than there are, of all models */
    double usd;                /* likewise; NaN: not known */
};

double size_half(const struct size_question *q, const struct size_design *d);

/* The ways there are, cheapest first: by USD where prices are known, else by requests; those that
 * do not reach it come last. Returns how many. */
size_t size_options(const struct size_question *q, struct size_option out[SIZE_LEVERS]);

#endif
