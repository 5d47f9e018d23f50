/* glicko.h - Glicko-2 (Glickman, "Example of the Glicko-2 system", 2013).
 *
 * A player's rating, its deviation (RD) and its volatility, kept on the paper's internal scale:
 * mu = (r - 1500) / 173.7178, phi = RD / 173.7178. A rating period gathers the games of a player in
 * a sum and then closes it. Pure. */
#ifndef MATH_GLICKO_H
#define MATH_GLICKO_H

#include "base/base.h"
#include "math/duel.h"

struct glicko {
    double mu, phi, sigma;
};

enum glicko_volatility {
    GLICKO_GLICKMAN,
    /* A widespread library has mu^2 for phi^2 in f(x) of step 5; for tables made with it. */
    GLICKO_DEEPY,
};

enum glicko_period {
    GLICKO_SEQUENTIAL,   /* each battle a period: a is updated first, b meets the updated a */
    GLICKO_SIMULTANEOUS, /* each battle a period: both from their values before it */
    GLICKO_ALL,          /* one period: the order of battles does not matter */
};

struct glicko_how {
    double tau; /* how fast volatility may change; the paper says 0.3 to 1.2 */
    enum glicko_volatility volatility;
    enum glicko_period period;
};

#define GLICKO_TAU 0.5

struct glicko glicko_of(double rating, double rd, double volatility);
struct glicko glicko_start(void); /* 1500, 350, 0.06 */
double glicko_rating(const struct glicko *p);
double glicko_rd(const struct glicko *p);
/* The score that a may expect against b, with the uncertainty of both. */
double glicko_expected(const struct glicko *a, const struct glicko *b);

/* The games of one player in one period; start from {0}. */
struct glicko_sum {
    double information; /* 1 / v */
    double surprise;    /* sum of g (s - E) */
};

/* Add a game against `opponent`, both as they were before the period; score 0, 0.5 or 1. */
void glicko_add(struct glicko_sum *sum, const struct glicko *player, const struct glicko *opponent,
                double score);
/* End the period for one player; without a game only the deviation grows. */
void glicko_close(struct glicko *player, const struct glicko_sum *sum,
                  const struct glicko_how *how);

/* Play the duels, in the order order[0..n) or, when it is NULL, as they stand; players[0..nplayers)
 * are updated. Weights are not used. */
struct glicko_duels {
    const struct duel *v;
    size_t n;
    const size_t *order;
};
void glicko_play(struct glicko *players, size_t nplayers, const struct glicko_duels *duels,
                 const struct glicko_how *how);

#endif
