/* size.h - how many items, answers, judges or readings are needed for a given precision.
 *
 * The half-width of a score's interval, as predicted from variance components (noise.h):
 *     h^2 = t^2(I - 1) (items + answers / S + cross / J + rest / (S J K)) / I
 * for I items, S answers to each, J judges and K readings by each of them; if the judges are people
 * drawn from a population, plus t^2(J - 1) judges / J. Predicted widths are for the mean over
 * items; `scale` makes them match the printed ones for the present design. Pure. */
#ifndef GAUGE_SIZE_H
#define GAUGE_SIZE_H

#include "base/base.h"

struct size_design {
    int64_t items, answers, judges, readings;
};

/* Variance components. NaN: unknown because there was only one level; it is
 * part of another component. */
struct size_noise {
    double items, judges, answers, cross, rest;
    bool drawn; /* the judges are people drawn from a population */
};

struct size_question {
    struct size_noise noise;
    struct size_design now;
    size_t models;
    double density; /* fraction of possible readings: raters do not read everything */
    double scale;   /* factor that matches predicted to printed widths */
    double half;    /* half-width wanted */
    double answer_usd, reading_usd; /* NaN: unknown */
};

/* What is increased. */
enum size_lever { SIZE_ITEMS, SIZE_ANSWERS, SIZE_JUDGES, SIZE_READINGS, SIZE_MIXED, SIZE_LEVERS };

struct size_option {
    enum size_lever lever;
    bool reached; /* false: no number is enough, and `half` is for the largest tried */
    struct size_design to;
    double half;
    int64_t answers, readings; /* additional ones, over all models */
    double usd;                /* additional cost; NaN: unknown */
};

double size_half(const struct size_question *q, const struct size_design *d);

/* The possible options, cheapest first: by USD if prices are known, else by requests; those that do
 * not reach the wanted half-width come last. Returns how many. */
size_t size_options(const struct size_question *q, struct size_option out[SIZE_LEVERS]);

#endif
