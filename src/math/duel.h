/* duel.h - a battle as numbers: two models, the outcome, the prompt.
 *
 * The input of ratings. Models and clusters are indices from 0 without gaps;
 * the caller keeps the names. */
#ifndef MATH_DUEL_H
#define MATH_DUEL_H

#include "base/base.h"

enum { DUEL_LOST, DUEL_TIED, DUEL_WON }; /* from model a's side: twice its score */

struct duel {
    uint32_t a, b;
    uint32_t cluster; /* the prompt: battles on one prompt are correlated */
    uint32_t outcome;
    double weight; /* finite, > 0 */
};

#endif
