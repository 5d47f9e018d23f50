/* rng.h - reproducible random choices.
 *
 * A generator is keyed by (seed, purpose, ids) and by nothing else: the choice for item 7 does not
 * depend on which machine makes it, when, or after which other choices. Make a new generator for
 * each decision; never share one. Not for secrets. (xoshiro256**, Blackman and Vigna 2018, seeded
 * through BLAKE2b.) */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include "base/base.h"

struct rng {
    uint64_t s[4];
};

struct rng rng_keyed(uint64_t seed, const char *purpose, const int64_t *ids, size_t n);
uint64_t rng_next(struct rng *r);
uint64_t rng_below(struct rng *r, uint64_t n); /* uniform in [0, n), without bias; n > 0 */
double rng_unit(struct rng *r);                /* uniform in [0, 1) */
void rng_shuffle(struct rng *r, size_t *index, size_t n);

#endif
