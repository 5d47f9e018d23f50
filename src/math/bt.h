/* bt.h - Bradley-Terry ratings by maximum likelihood, with ties and covariances.
 *
 * With d = theta_i - theta_j, model i scores y = 1, 1/2 or 0 against model j with
 *     log P = y d + [tie] ln nu - ln(1 + e^d + nu e^(d/2))
 * which is Davidson's model of ties (1970) on the natural scale. With nu = 0 it is Bradley and
 * Terry's (1952), where a tie counts as half a win: both are one exponential family, and one Newton
 * iteration fits them. theta sums to 0. One Elo point is ln 10 / 400 of theta.
 *
 * Finite ratings exist when every model is reached from every other along wins and ties (Ford
 * 1957). Otherwise a ridge is needed: theta ~ N(0, 1 / ridge), the prior of Glicko (RD 350).
 *
 * Battles are first gathered by pair, so that the cost of a fit does not depend on their number.
 * Pure; results live in the arena. */
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
    double sum[3];     /* weight by outcome as i sees it: DUEL_LOST, DUEL_TIED, DUEL_WON */
    double squares[3]; /* sum of squared weights, likewise */
};

struct bt_table {
    size_t n; /* models */
    struct bt_pair *pairs;
    size_t npairs;
    uint32_t *pair_of; /* [duels]: which pair each went to; UINT32_MAX: none (a dropped tie) */
};

/* Gather duels among n models; BT_DROP leaves ties out. */
struct bt_table bt_gather(struct arena *a, const struct duel *duels, size_t nduels, size_t n,
                          enum bt_ties ties);

/* Strongly connected parts along wins and ties; 1: finite ratings exist. part[n] as in
 * graph_parts(): losers' parts have the lower numbers. */
size_t bt_parts(const struct bt_table *t, uint32_t *part);

struct bt_fit {
    double *theta; /* [n] */
    double nu;     /* 0: ties are halves */
    double ridge;  /* 0: plain maximum likelihood */
    int steps;     /* of Newton's method */
};

/* Fit. Davidson's nu needs ties and decided battles; where one is missing it is 0. E_INPUT when
 * there is no finite answer in doubles, or more than BT_MODELS_MAX models. */
CHECKED enum status bt_fit(struct arena *a, const struct bt_table *t, enum bt_ties ties,
                           double ridge, struct bt_fit *out, struct err *e);

/* The score that i may expect against j: wins and half the ties. */
double bt_expected(const struct bt_fit *f, size_t i, size_t j);

/* ---- covariance of theta, [n][n], of contrasts to the mean of all models ---- */

/* (-H)^+, the inverse of the information: right if battles are independent and ties are as the
 * model has it; too wide with half ties. */
CHECKED enum status bt_inverse(struct arena *a, const struct bt_table *t, const struct bt_fit *f,
                               double **out, struct err *e);

/* H^+ J H^+ (Huber 1967, White 1982), J from single battles (c NULL) or with whole clusters
 * (prompts) as units: s_c = sum of the scores of the battles of c, J = C / (C - 1) sum s_c s_c^T
 * (Liang and Zeger 1986). duels are those that t was gathered from; their clusters are below
 * `clusters`, at least two of which have battles. */
struct bt_clusters {
    const struct duel *duels;
    size_t nduels, clusters;
};
CHECKED enum status bt_sandwich(struct arena *a, const struct bt_table *t, const struct bt_fit *f,
                                const struct bt_clusters *c, double **out, struct err *e);

/* ---- leaving groups of battles out ---- */

/* Battles by prompt, by rater, or each by itself. */
struct bt_groups {
    const struct duel *duels; /* those that the table was gathered from */
    const uint32_t *of;       /* [nduels] below `groups` */
    size_t nduels, groups;
};

struct bt_spread {
    double *cov;   /* [n][n] of theta, which sums to 0 */
    size_t groups; /* that have battles */
};

/* Fit again without each group, with the ridge of f, which has to be above 0: what is left may have
 * a model that always won. V = (K - 1) / K sum of squares about the mean of the K fits (Tukey
 * 1958). Unlike a bootstrap by percentiles it is not too short where prompts are few. */
CHECKED enum status bt_jackknife(struct arena *a, const struct bt_table *t, const struct bt_fit *f,
                                 const struct bt_groups *g, struct bt_spread *out, struct err *e);

/* The ridge of such a fit: a weak prior. */
double bt_weak_ridge(size_t models);
/* Two models on fewer than 25 units, three on fewer than seven: where a unit is one battle, or all
 * of its battles go alike, the interval errs on the wide side (docs/COVERAGE.md). */
bool bt_is_wide(size_t models, size_t units);

#endif
