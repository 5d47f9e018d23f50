/* band.h - half-bands: the mean of four whole marks, as a level in steps of a half.
 *
 * A quarter rises to the half and three quarters to the next whole; everything else goes to what is
 * nearest. Ties are decided in whole numbers, so that no rounding of the machine can move a band.
 * Pure. */
#ifndef MATH_BAND_H
#define MATH_BAND_H

#include "base/base.h"

enum { BAND_MARKS = 4 }; /* that a band is made of */

/* Of one judge's four marks: ((2 sum + 2) / 4) / 2, where the first division drops its rest. */
double band_of_sum(int64_t sum);

/* Of a mean of such means, over judges or sittings, which was not rounded before. */
double band_of_mean(double mean);

#endif
