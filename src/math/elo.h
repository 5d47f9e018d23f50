/* elo.h - Elo ratings: E_a = 1 / (1 + 10^((R_b - R_a) / 400)), R += K (S - E).
 *
 * The result depends on the order of battles, so it is never a headline
 * number. Pure; no allocation. */
#ifndef MATH_ELO_H
#define MATH_ELO_H

#include "math/duel.h"

#define ELO_START 1000.0
#define ELO_K     4.0 /* as used by arenas of language models */
#define ELO_SCALE 400.0

/* The expected score of a against b. */
double elo_expected(double a, double b);

/* Plays the duels in the order order[0..n), or as listed if it is NULL, and updates
 * ratings[model]. Weights are ignored. */
void elo_play(double *ratings, const struct duel *duels, size_t n, const size_t *order, double k);

#endif
