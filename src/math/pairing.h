/* pairing.h - which two models should meet next, so that few battles tell much.
 *
 * The posterior of the ratings is kept as a mean theta and a covariance: Bradley-Terry with the
 * prior of Glicko, as contrasts to the mean of all. A pair that has not been judged yet is worth
 *     h sum_m u_m x_m^2 / (1 + h v),   x = cov (e_i - e_j),   v = x_i - x_j
 * where u_m = (V_m / V_max)^3 looks at the models that are known worst, V being the variances, and
 *     h = kappa p (1 - p),  p = sigmoid(kappa (theta_i - theta_j)),  kappa = 1 / sqrt(1 + pi v / 8)
 * is the information to be expected: at the estimates themselves it would favour pairs whose
 * difference is small by chance. The best pair is taken nine times of ten, else one drawn by h, so
 * that no pair is out of reach (docs/STATISTICS.md). A battle that is planned changes the
 * covariance at once (Sherman and Morrison 1950), so that a batch is not spent on one pair.
 *
 * Items that have told the models apart are used more often: y - 1/2 over x = p - 1/2, for the
 * battles of an item, is a line through 0 whose slope is about 1 on the average of all items, 0
 * where a coin decides or all is tied, and below 0 where the item contradicts the others. The slope
 * is the weight, drawn towards 1 so that few battles decide little, and kept within 1/2 and 3/2.
 *
 * Pairs that were chosen by their results look a little better known than they are: widen
 * deviations by PAIRING_WIDEN. Pure; the state lives in the arena. */
#ifndef MATH_PAIRING_H
#define MATH_PAIRING_H

#include "base/err.h"
#include "base/rng.h"
#include "math/bt.h"

#define PAIRING_WIDEN 1.1

enum { PAIRING_WARM = 4 }; /* random perfect matchings to begin with */

struct pairing {
    size_t n;
    double *theta; /* [n] */
    double *cov;   /* [n][n] */
};

struct pairing_pick {
    uint32_t i, j;
};

/* From what has been judged, which may be nothing. */
CHECKED enum status pairing_fit(struct arena *a, const struct duel *duels, size_t nduels, size_t n,
                                struct pairing *out, struct err *e);

/* A pair with open[i * n + j], i < j; false: there is none. */
bool pairing_next(const struct pairing *p, const bool *open, struct rng *rng,
                  struct pairing_pick *out);
/* The two will meet. */
void pairing_meet(struct pairing *p, struct pairing_pick pick);

struct pairing_item {
    size_t at, used; /* its name to the caller, and its battles so far */
    double weight;
};

/* [items] The weight of each by its battles; the clusters of duels are items. */
double *pairing_items(struct arena *a, const struct pairing *p, const struct duel *duels,
                      size_t nduels, size_t items);
/* Of n > 0 items the one with the smallest (used + 1) / weight; drawn among equals. So none gets
 * more battles than three times those of any other and three. */
size_t pairing_item(const struct pairing_item *v, size_t n, struct rng *rng);

/* How many to plan before the next fit, when so many were planned: half as many as there are
 * models, or a twentieth of what there is, so that long runs need not stop and wait ever more
 * often. */
size_t pairing_batch(size_t n, size_t planned);

/* The largest standard deviation of a model against the mean of all, in Elo points, not widened. */
double pairing_rd(const struct pairing *p);

/* out[n / 2]: everybody meets somebody, but one where n is odd. */
void pairing_match(struct rng *rng, size_t n, struct pairing_pick *out);

/* How many battles every model against every other, in whole and broken rounds, would take until no
 * deviation is above rd > 0, if the ratings are as they are; NaN beyond a million rounds. */
double pairing_round_robin(const struct pairing *p, double rd);

#endif
