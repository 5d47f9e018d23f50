/* glicko.h - Glicko-2 (Glickman, "Example of the Glicko-2 system", 2013).
 *
 * Rating, deviation (RD) and volatility of a player are kept on the paper's internal scale: mu = (r
 * - 1500) / 173.7178, phi = RD / 173.7178. The games of a rating period are summed per player, then
 * the period is closed. Pure. */
#ifndef MATH_GLICKO_H
#define MATH_GLICKO_H

#include "base/base.h"
#include "math/duel.h"

struct glicko {
    double mu, phi, sigma;
};

enum glicko_volatility {
    GLICKO_GLICKMAN,
    /* A popular library uses mu^2 instead of phi^2 in f(x) of step 5; to
     * reproduce tables made with it. */
    GLICKO_DEEPY,
};

enum glicko_period {
    GLICKO_SEQUENTIAL,   /* one period per battle; a is updated first, and b meets the updated a */
    GLICKO_SIMULTANEOUS, /* one period per battle; both start from their values before it */
    GLICKO_ALL,          /* one period for all; the order of battles does not matter */
};

struct glicko_how {
    double tau; /* limits how fast volatility changes; the paper suggests 0.3 to 1.2 */
    enum glicko_volatility volatility;
    enum glicko_period period;
};

#define GLICKO_TAU 0.5

struct glicko glicko_of(double rating, double rd, double volatility);
struct glicko glicko_start(void); /* rating 1500, RD 350, volatility 0.06 */
double glicko_rating(const struct glicko *p);
double glicko_rd(const struct glicko *p);
/* The expected score of a against b, given the uncertainty of both. */
double glicko_expected(const struct glicko *a, const struct glicko *b);

/* The games of one player in one period; initialize with {0}. */
struct glicko_sum {
    double information; /* 1 / v */
    double surprise;    /* sum of g (s - E) */
};

/* Adds a game; both players as they were before the period; score 0, 0.5 or 1. */
void glicko_add(struct glicko_sum *sum, const struct glicko *player, const struct glicko *opponent,
                double score);
/* Ends the period for one player. Without games only the deviation grows. */
void glicko_close(struct glicko *player, const struct glicko_sum *sum,
                  const struct glicko_how *how);

/* Plays the duels in the order order[0..n), or as listed if it is NULL, and updates
 * players[0..nplayers). Weights are ignored. */
struct glicko_duels {
    const struct duel *v;
    size_t n;
    const size_t *order;
};
void glicko_play(struct glicko *players, size_t nplayers, const struct glicko_duels *duels,
                 const struct glicko_how *how);

#endif
