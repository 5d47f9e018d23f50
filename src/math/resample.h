/* resample.h - draw n things with replacement and count them by kind: exactly multinomial.
 *
 * A bootstrap of a million battles draws a million times from a few thousand kinds of battle. It is
 * not done battle by battle: independent Poisson counts, given their sum S, are multinomial in S
 * draws; so a little less than n is drawn as Poisson counts and what is missing one by one (if S
 * should exceed n, all of it is drawn again, which does not disturb the law given S). The cost is
 * that of the kinds, not of n. A prepared sampler is read-only: threads may share it. */
#ifndef MATH_RESAMPLE_H
#define MATH_RESAMPLE_H

#include "base/mem.h"
#include "base/rng.h"

struct resample;

/* counts[kinds]: whole numbers, how often each kind was seen; their sum is n > 0. */
struct resample *resample_new(struct arena *a, const double *counts, size_t kinds);
/* n draws: drawn[kinds]. */
void resample_draw(const struct resample *r, struct rng *rng, double *drawn);

#endif
