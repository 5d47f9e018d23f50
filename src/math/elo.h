/* elo.h - Elo ratings: E_a = 1 / (1 + 10^((R_b - R_a) / 400)), R += K (S - E).
 *
 * The result depends on the order of the battles, so that it is never a headline number.
 * Pure; no allocation. */
#ifndef MATH_ELO_H
#define MATH_ELO_H

#include "math/duel.h"

#define ELO_START 1000.0
#define ELO_K     4.0 /* as arenas of language models use it */
#define ELO_SCALE 400.0

/* The score that a may expect against b. */
double elo_expected(double a, double b);

/* Play the duels, in the order order[0..n) or, when it is NULL, as they stand; ratings[model] is
 * updated. Weights are not used. */
void elo_play(double *ratings, const struct duel *duels, size_t n, const size_t *order, double k);

#endif
