/* band.h - half-bands: the mean of four whole marks, rounded to a half.
 *
 * A quarter is rounded up to the half and three quarters to the next whole; everything
 * else goes to the nearest half. Ties are decided in integers, so floating-point rounding
 * cannot change a band. Pure. */
#ifndef MATH_BAND_H
#define MATH_BAND_H

#include "base/base.h"

enum { BAND_MARKS = 4 }; /* marks per band */

/* From the sum of one judge's four marks: ((2 sum + 2) / 4) / 2, with integer division by 4. */
double band_of_sum(int64_t sum);

/* From an unrounded mean of such means, over judges or sittings. */
double band_of_mean(double mean);

#endif
