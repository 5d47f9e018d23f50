/* bt_boot.h - the bootstrap of a Bradley-Terry fit: fit again what might have been seen as well.
 *
 * Units are drawn with replacement, as many as there are: prompts with all their battles, or single
 * battles (then by counts, exactly multinomial: resample.h). Round r depends on the seed and on
 * r alone, so that the result is the same, bit for bit, for any number of threads. The threads do
 * arithmetic on arrays of their own and share only what nobody writes. */
#ifndef MATH_BT_BOOT_H
#define MATH_BT_BOOT_H

#include "math/bt.h"

struct bt_boot {
    const struct duel *duels; /* those that the table was gathered from */
    size_t nduels;
    size_t clusters; /* 0: battles are the units */
    size_t rounds;
    uint64_t seed;
    size_t threads; /* >= 1 */
};

/* theta[rounds][n] of the fits, and how many of them needed the ridge. */
CHECKED enum status bt_boot(const struct bt_table *t, const struct bt_fit *f,
                            const struct bt_boot *how, double *theta, size_t *ridged,
                            struct err *e);

#endif
