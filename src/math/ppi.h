/* ppi.h - combines few human ratings with many of a machine, without trusting the machine.
 *
 * Prediction-powered inference: the machine's mean over everything, corrected by its error on
 * what people rated too (Angelopoulos, Bates, Fannjiang, Jordan and Zrnic 2023). The machine is
 * weighted by lambda in [0, 1] so that a bad one does no harm (PPI++, Angelopoulos, Duchi and
 * Zrnic 2024). The weight for an item comes from the other items, so that it cannot fit the
 * item's own noise. People differ in severity and are a sample: a jackknife over raters is the
 * second part of the variance, as in crossed.h, and there is no interval with fewer than three
 * raters. Valid only if the items that people rated are a random sample of all: if the machine's
 * marks on them are more than three standard errors away from the rest, a caution says so. Pure;
 * undefined results are NaN. */
#ifndef MATH_PPI_H
#define MATH_PPI_H

#include "math/cell.h"
#include "math/interval.h"

struct ppi_data {
    struct cells human;    /* sorted; units are items, human.units of them */
    const double *machine; /* [human.units] the machine's value of each item; NaN if none */
};

struct ppi {
    double lambda; /* mean over items; 0: people alone; 1: the corrected machine */
    double by_item, by_rater;
    size_t rated, rest, raters; /* rated: items that people rated; rest: others */
    struct interval mean;
};

struct ppi ppi_mean(const struct ppi_data *d, struct interval_scale scale, double level);

/* Mean of a minus that of b, over the items that people rated for both and those that
 * only the machine rated for both: effects of hard items and strict raters cancel. Units
 * and raters must be the same. */
struct ppi ppi_difference(const struct ppi_data *a, const struct ppi_data *b,
                          struct interval_scale scale, double level);

#endif
