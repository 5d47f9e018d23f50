/* dist.h - distributions: normal, Student t, F, beta, binomial.
 *
 * Accurate to about 1e-12 (relative in the lower tail) for the sizes used here. NaN for invalid
 * arguments. Pure; thread-safe. */
#ifndef MATH_DIST_H
#define MATH_DIST_H

#include "base/base.h"

double dist_normal_cdf(double x);
double dist_normal_quantile(double p); /* -inf at 0, inf at 1 */

/* Student t with df > 0 degrees of freedom, not necessarily an integer. */
double dist_t_cdf(double t, double df);
double dist_t_quantile(double p, double df);

/* Fisher's F with df1, df2 > 0 degrees of freedom, not necessarily integers. */
double dist_f_cdf(double f, double df1, double df2);
double dist_f_quantile(double p, double df1, double df2);

/* Beta with a, b > 0. */
double dist_beta_quantile(double p, double a, double b);

/* Exact two-sided binomial test: the probability, at success rate p, of all counts that are at most
 * as likely as k of n. 1 if n is 0. */
double dist_binomial_test(uint64_t k, uint64_t n, double p);

#endif
