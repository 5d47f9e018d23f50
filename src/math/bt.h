/* bt.h - Bradley-Terry ratings by maximum likelihood, with ties and covariances.
 *
 * With d = theta_i - theta_j, model i scores y = 1, 1/2 or 0 against model j with
 *     log P = y d + [tie] ln nu - ln(1 + e^d + nu e^(d/2))
 * which is Davidson's model of ties (1970) on the natural scale. With nu = 0 it is Bradley and
 * Terry's (1952), where a tie counts as half a win. Both are one exponential family, fitted by the
 * same Newton iteration. theta sums to 0. One Elo point is ln 10 / 400 of theta.
 *
 * Finite ratings exist if every model can be reached from every other along wins and ties (Ford
 * 1957). Otherwise a ridge is needed: theta ~ N(0, 1 / ridge), the prior of Glicko (RD 350).
 *
 * Battles are first aggregated by pair, so the cost of a fit does not depend on their number. Pure;
 * results live in the arena. */
#ifndef MATH_BT_H
#define MATH_BT_H

#include "base/err.h"
#include "base/mem.h"
#include "math/duel.h"

enum { BT_MODELS_MAX = 1000 }; /* dense systems: 8 MB each, a few seconds */

#define BT_ELO   173.71779276130073  /* 400 / ln 10: theta to Elo points */
#define BT_RIDGE 0.24634999213746941 /* (173.7178 / 350)^2 */

enum bt_ties { BT_HALF, BT_DAVIDSON, BT_DROP };

/* The battles of one pair; i < j. */
struct bt_pair {
    uint32_t i, j;
    double sum[3];     /* total weight by outcome from i's side: DUEL_LOST, DUEL_TIED, DUEL_WON */
    double squares[3]; /* sums of squared weights, same order */
};

struct bt_table {
    size_t n; /* models */
    struct bt_pair *pairs;
    size_t npairs;
    uint32_t *pair_of; /* [duels]: pair of each duel; UINT32_MAX: none (a dropped tie) */
};

/* Aggregates duels among n models; BT_DROP ignores ties. */
struct bt_table bt_gather(struct arena *a, const struct duel *duels, size_t nduels, size_t n,
                          enum bt_ties ties);

/* Strongly connected components along wins and ties; 1: finite ratings exist. part[n] is numbered
 * as in graph_parts(): losers have lower numbers. */
size_t bt_parts(const struct bt_table *t, uint32_t *part);

struct bt_fit {
    double *theta; /* [n] */
    double nu;     /* 0: ties count as half wins */
    double ridge;  /* 0: plain maximum likelihood */
    int steps;     /* Newton steps taken */
};

/* Fits the ratings. Davidson's nu needs both ties and decided battles, otherwise it is 0. E_INPUT
 * if there is no finite solution in doubles, or for more than BT_MODELS_MAX models. */
CHECKED enum status bt_fit(struct arena *a, const struct bt_table *t, enum bt_ties ties,
                           double ridge, struct bt_fit *out, struct err *e);

/* The expected score of i against j: wins plus half the ties. */
double bt_expected(const struct bt_fit *f, size_t i, size_t j);

/* ---- covariance of theta, [n][n], of contrasts with the mean of all models ---- */

/* (-H)^+, the inverse of the information. Correct if battles are independent and ties follow the
 * model; too wide if ties count as half wins. */
CHECKED enum status bt_inverse(struct arena *a, const struct bt_table *t, const struct bt_fit *f,
                               double **out, struct err *e);

/* H^+ J H^+ (Huber 1967, White 1982), with J from single battles (c is NULL) or with whole clusters
 * (prompts) as units: s_c = sum of the scores of the battles in c, J = sum s_c s_c^T / (1 - w_c),
 * w_c their share of all weight (Liang and Zeger 1986 for equal ones). `duels` are those that t was
 * gathered from. Cluster numbers are below `clusters`; at least two clusters must have battles. */
struct bt_clusters {
    const struct duel *duels;
    size_t nduels, clusters;
};
CHECKED enum status bt_sandwich(struct arena *a, const struct bt_table *t, const struct bt_fit *f,
                                const struct bt_clusters *c, double **out, struct err *e);

/* ---- jackknife over groups of battles ---- */

/* Groups of battles: by prompt, by rater, or one battle each. */
struct bt_groups {
    const struct duel *duels; /* those that the table was gathered from */
    const uint32_t *of;       /* [nduels] group of each duel, below `groups` */
    size_t nduels, groups;
};

struct bt_spread {
    double *cov;   /* [n][n] covariance of theta, which sums to 0 */
    size_t groups; /* groups with battles */
};

/* Refits without each group, with the ridge of f, which must be above 0: in what remains, a model
 * may always win. V = (K - 1) / K times the sum of squares about the mean of the K fits (Tukey
 * 1958). Unlike percentile bootstrap intervals, it is not too narrow with few prompts. */
CHECKED enum status bt_jackknife(struct arena *a, const struct bt_table *t, const struct bt_fit *f,
                                 const struct bt_groups *g, struct bt_spread *out, struct err *e);

/* The ridge for such a fit: a weak prior. */
double bt_weak_ridge(size_t models);
/* True for two models on fewer than 25 units or three on fewer than seven: if a unit is one battle,
 * or all its battles have the same outcome, the interval is too wide (docs/COVERAGE.md). */
bool bt_is_wide(size_t models, size_t units);

#endif
