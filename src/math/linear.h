/* linear.h - two-class logistic regression on sparse rows. The only user of liblinear.
 *
 * Minimizes |w|^2 / 2 + cost * sum log(1 + exp(-y (w x + b))) with a trust region Newton method
 * (Lin, Weng and Keerthi 2008; solver L2R_LR), which is deterministic: the same rows in the same
 * order give the same weights. Like in liblinear, the constant term is regularized too. */
#ifndef MATH_LINEAR_H
#define MATH_LINEAR_H

#include "base/err.h"
#include "base/mem.h"

struct linear_cell {
    uint32_t column; /* from 0 */
    double value;
};

struct linear_row {
    const struct linear_cell *cells; /* by ascending column */
    size_t n;
    bool positive;
};

struct linear_problem {
    const struct linear_row *rows;
    size_t n;
    size_t columns;
    double cost;
};

struct linear_model {
    double *weights; /* one per column */
    double constant;
};

/* E_INPUT if a class has no rows. The model lives in the arena. */
CHECKED enum status linear_train(struct arena *a, const struct linear_problem *p,
                                 struct linear_model *out, struct err *e);

/* The log odds of the positive class. */
double linear_logit(const struct linear_model *m, const struct linear_row *row);

#endif
