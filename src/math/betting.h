/* betting.h - a mean in [0, 1] that may be looked at after every value.
 *
 * A gambler bets on each value against every candidate for the mean; a candidate that made anybody
 * rich is dropped (Waudby-Smith and Ramdas 2024, "Estimating means of bounded random variables by
 * betting"). What is left holds the mean at all times together, 95 % of the times, however one
 * stops. The price is an interval 1.4 to 2.8 times as wide as one that is looked at once. Values
 * come in random order. */
#ifndef MATH_BETTING_H
#define MATH_BETTING_H

#include "base/base.h"

enum { BETTING_CANDIDATES = 1000 };

/* Start from betting_start(). */
struct betting {
    double up[BETTING_CANDIDATES], down[BETTING_CANDIDATES]; /* logarithms of wealth */
    bool dropped[BETTING_CANDIDATES];
    double sum, squares, variance;
    size_t n;
};

void betting_start(struct betting *b);
void betting_add(struct betting *b, double x); /* in [0, 1] */
void betting_interval(const struct betting *b, double *low, double *high);

#endif
