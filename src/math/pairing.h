/* pairing.h - chooses which two models should meet next, to learn much from few battles.
 *
 * The posterior of the ratings is a mean theta and a covariance: Bradley-Terry with the prior of
 * Glicko, as contrasts with the mean of all. The value of a pair that has not been judged yet is
 *     h sum_m u_m x_m^2 / (1 + h v),   x = cov (e_i - e_j),   v = x_i - x_j
 * where u_m = (V_m / V_max)^3, V being the variances, emphasizes the most uncertain models, and
 *     h = kappa p (1 - p),  p = sigmoid(kappa (theta_i - theta_j)),  kappa = 1 / sqrt(1 + pi v / 8)
 * is the expected information: at the point estimates it would favour pairs whose difference
 * is small by chance. The best pair is taken nine times out of ten, otherwise one is drawn
 * with probability proportional to h, so that every pair stays possible (docs/STATISTICS.md).
 * A planned battle updates the covariance at once (Sherman and Morrison 1950), so that a batch
 * is not spent on one pair.
 *
 * Items that have separated the models are used more often. Regressing y - 1/2 on x = p - 1/2
 * through the origin, over the battles of an item, gives a slope of about 1 for an average
 * item, 0 if a coin decides or all are ties, and a negative one if the item contradicts the
 * others. The slope is the item's weight, shrunk towards 1 so that few battles have little
 * effect, and limited to 1/2 to 3/2.
 *
 * Pairs chosen by their results look slightly more certain than they are: widen deviations by
 * PAIRING_WIDEN. Pure; the state lives in the arena. */
#ifndef MATH_PAIRING_H
#define MATH_PAIRING_H

#include "base/err.h"
#include "base/rng.h"
#include "math/bt.h"

#define PAIRING_WIDEN 1.1

enum { PAIRING_WARM = 4 }; /* initial random perfect matchings */

struct pairing {
    size_t n;
    double *theta; /* [n] */
    double *cov;   /* [n][n] */
};

struct pairing_pick {
    uint32_t i, j;
};

/* Fits the duels judged so far, possibly none. */
CHECKED enum status pairing_fit(struct arena *a, const struct duel *duels, size_t nduels, size_t n,
                                struct pairing *out, struct err *e);

/* Picks a pair with open[i * n + j], i < j; false if there is none. */
bool pairing_next(const struct pairing *p, const bool *open, struct rng *rng,
                  struct pairing_pick *out);
/* Updates the covariance for a planned battle of the two. */
void pairing_meet(struct pairing *p, struct pairing_pick pick);

struct pairing_item {
    size_t at, used; /* the caller's id for it; its battles so far */
    double weight;
};

/* [items] The weight of each item from its battles; clusters of duels are items. */
double *pairing_items(struct arena *a, const struct pairing *p, const struct duel *duels,
                      size_t nduels, size_t items);
/* Picks the item with the smallest (used + 1) / weight out of n > 0, at random among equals. So no
 * item gets more than three times the battles of any other plus three. */
size_t pairing_item(const struct pairing_item *v, size_t n, struct rng *rng);

/* Number of battles to plan before the next fit, if `planned` were planned so far: half
 * the number of models or a twentieth of `planned`, whichever is larger, so that long
 * runs do not stop too often. */
size_t pairing_batch(size_t n, size_t planned);

/* The largest standard deviation of a model from the mean of all, in Elo points, not widened. */
double pairing_rd(const struct pairing *p);

/* Fills out[n / 2] with a random matching: every model meets another, except one if n is odd. */
void pairing_match(struct rng *rng, size_t n, struct pairing_pick *out);

/* How many battles a full round robin, possibly with a partial last round, would take until no
 * deviation exceeds rd > 0, assuming these ratings; NaN beyond a million rounds. */
double pairing_round_robin(const struct pairing *p, double rd);

#endif
