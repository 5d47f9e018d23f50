/* ppi.h - few human ratings and many of a machine, put together without believing the machine.
 *
 * Prediction-powered inference: the machine's mean over everything, corrected by how far it is off
 * where people rated too (Angelopoulos, Bates, Fannjiang, Jordan and Zrnic 2023), the machine
 * weighed by lambda in [0, 1] so that a bad one does no harm (PPI++, Angelopoulos, Duchi and Zrnic
 * 2024). The weight for an item comes from the other items, so that it cannot follow the item's own
 * noise. People differ in severity and others could have been asked: what the mean would be without
 * each of them is a second part of the variance, as in crossed.h, and fewer than three raters get
 * no interval. Right only when the items that people rated are a random part of all: where
 * the machine marks them more than three standard errors from the rest, a caution says so. Pure;
 * what is undefined is NaN. */
#ifndef MATH_PPI_H
#define MATH_PPI_H

#include "math/cell.h"
#include "math/interval.h"

struct ppi_data {
    struct cells human;    /* sorted; units are items, human.units of them */
    const double *machine; /* [human.units] the machine's value of each item; NaN: none */
};

struct ppi {
    double lambda; /* mean over items; 0: people alone; 1: the machine, corrected */
    double by_item, by_rater;
    size_t rated, rest, raters; /* items that people rated, and others */
    struct interval mean;
};

struct ppi ppi_mean(const struct ppi_data *d, struct interval_scale scale, double level);

/* Mean of a less that of b over the items that people rated of both, and those that the machine
 * alone rated of both: what a hard item or a strict rater does to both cancels. Units and raters
 * are the same ones. */
struct ppi ppi_difference(const struct ppi_data *a, const struct ppi_data *b,
                          struct interval_scale scale, double level);

#endif
