/* duel.h - a battle as numbers: two models, who won, on which prompt.
 *
 * Ratings are computed from arrays of these. Models and clusters are indices from 0 without gaps;
 * names stay with whoever read them. */
#ifndef MATH_DUEL_H
#define MATH_DUEL_H

#include "base/base.h"

enum { DUEL_LOST, DUEL_TIED, DUEL_WON }; /* as model a sees it: twice its score */

struct duel {
    uint32_t a, b;
    uint32_t cluster; /* battles on one prompt are alike */
    uint32_t outcome;
    double weight; /* finite, > 0 */
};

#endif
