/* bt_style.h - Bradley-Terry with covariates: ratings adjusted for the style of answers.
 *
 *     logit P(a beats b) = theta_a - theta_b + sum_k c_k z_k,   z_k = x_k / sd(x_k)
 * where x_k says how much more of property k (length, markup, ...) the answer of a has than that of
 * b: bt_style_contrast(). For the standard deviation every battle counts in both directions, so the
 * mean of x_k is 0 and it does not matter which model is called a. Ties are half wins. c_k is the
 * advantage, in logits, of an answer with one standard deviation more of k. (The form is that of
 * Chatbot Arena's style control, 2024.)
 *
 * theta sums to 0. If there is no finite solution (models without a win or a loss, a property that
 * separates winners from losers completely or nearly, two indistinguishable properties), every
 * parameter gets the prior of bt.h, N(0, 1 / BT_RIDGE). Pure; results live in the arena. */
#ifndef MATH_BT_STYLE_H
#define MATH_BT_STYLE_H

#include "base/err.h"
#include "math/bt.h"

/* (a - b) / (a + b + 1) for counts a, b >= 0: between -1 and 1, and 0 if equal. */
double bt_style_contrast(double a, double b);

struct bt_style_data {
    const struct duel *duels; /* their clusters are below `clusters` */
    size_t nduels, n;         /* n models */
    const double *x;          /* [nduels][k] from model a's side; finite */
    size_t k;
    size_t clusters; /* at least two must have battles; 0: battles are the units */
};

struct bt_style_fit {
    double *theta;   /* [n] */
    double *c;       /* [k]; NaN: the property does not vary */
    double *cov;     /* [n][n] of theta, as contrasts with the mean: sandwich by cluster.h */
    double *c_error; /* [k] standard errors of c from the same sandwich; NaN likewise */
    double ridge;    /* 0: plain maximum likelihood */
};

CHECKED enum status bt_style_fit(struct arena *a, const struct bt_style_data *d,
                                 struct bt_style_fit *out, struct err *e);

#endif
