/* ppi.h - few human ratings and many of a machine, put together without believing the machine.
 *
 * Prediction-powered inference: the machine's mean over everything, corrected by how far it is off
 * where a person rated too (Angelopoulos, Bates, Fannjiang, Jordan and Zrnic 2023), the machine
 * weighed by lambda in [0, 1] so that a bad one does no harm (PPI++, Angelopoulos, Duchi and Zrnic
 * 2024). Right only when the items with a human rating are a random part of all. Intervals are
 * normal. Where items come in clusters (passages, raters) the variance is that of cluster sums,
 * K / (K - 1) * sum e^2, and lambda is the one that makes it least; clusters may reach over both
 * parts. Pure; what is undefined is NaN. */
#ifndef MATH_PPI_H
#define MATH_PPI_H

#include "math/interval.h"

/* The machine's values of one kind of item: values[n], and clusters[n] where there are any. */
struct ppi_values {
    const double *v;
    const uint32_t *cluster; /* from 0, below `clusters` of the data */
    size_t n;
};

struct ppi_data {
    const double *human;       /* [both.n] of the same items as both.v */
    struct ppi_values both;    /* rated by both */
    struct ppi_values machine; /* rated by the machine alone; may be none */
    size_t clusters;           /* 0: every item stands alone, and `cluster` is not looked at */
};

struct ppi {
    double lambda; /* 0: people alone; 1: the machine, corrected */
    struct interval mean;
};

/* The lambda of least variance, not yet cut to [0, 1]; 0 where the machine has nothing to add. */
double ppi_lambda(const struct ppi_data *d);
struct ppi ppi_mean_at(const struct ppi_data *d, double lambda, double level);
struct ppi ppi_mean(const struct ppi_data *d, double level);

/* Mean of a less that of b, each with a lambda of its own. Their clusters are the same ones: what
 * a hard passage does to both cancels. */
struct interval ppi_difference(const struct ppi_data *a, const struct ppi_data *b, double level);

#endif
