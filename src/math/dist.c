#include "math/dist.h"

#include <math.h>

double dist_normal_cdf(double x)
{
    return erfc(-x / sqrt(2)) / 2;
}

/* p in (0, 1/2]. Starts within 5e-4 (Abramowitz and Stegun 26.2.23), then applies Halley's method
 * to the distribution function, relative to p so that the far tail is as accurate. */
static double normal_lower(double p)
{
    double t = sqrt(-2 * log(p));
    double x = (2.515517 + t * (0.802853 + t * 0.010328)) /
                   (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) -
               t;
    double step = 1;

    /* The remaining error is about the cube of the step. */
    for (int i = 0; i < 4 && fabs(step) > 1e-7; i++) {
        step = (dist_normal_cdf(x) - p) * sqrt(2 * M_PI) * exp(x * x / 2);
        x -= step / (1 + x * step / 2);
    }
    return x;
}

double dist_normal_quantile(double p)
{
    if (!(p >= 0 && p <= 1))
        return (double)NAN;
    if (p == 0)
        return -(double)INFINITY;
    if (p == 1)
        return (double)INFINITY;
    return p <= 0.5 ? normal_lower(p) : -normal_lower(1 - p);
}

/* ln Gamma. Not lgamma(), which writes the global signgam. */
static double log_gamma(double x)
{
    int sign;

    return lgamma_r(x, &sign);
}

/* ln Gamma(x) minus Stirling's formula, for x >= 10 (Abramowitz and Stegun 6.1.41). */
static double stirling_rest(double x)
{
    double y = 1 / (x * x);

    return (1.0 / 12 - y * (1.0 / 360 - y * (1.0 / 1260 - y * (1.0 / 1680 - y * (1.0 / 1188))))) /
           x;
}

/* ln Beta. For large arguments the Stirling formulas are subtracted term by term: subtracting the
 * gammas would cancel all common digits. */
static double log_beta(double a, double b)
{
    double small = fmin(a, b), big = fmax(a, b), sum = a + b, tail;

    if (big < 10)
        return log_gamma(small) + log_gamma(big) - log_gamma(sum);
    tail = stirling_rest(big) - stirling_rest(sum) - (big - 0.5) * log1p(small / big);
    if (small < 10)
        return log_gamma(small) - small * log(sum) + small + tail;
    return (log(2 * M_PI) - log(sum)) / 2 + (small - 0.5) * log(small / sum) +
           stirling_rest(small) + tail;
}

/* Continued fraction DLMF 8.17.22 by Lentz's method; converges fast for x below the mean. */
static double beta_fraction(double x, double a, double b)
{
    const double tiny = 1e-300;
    double c = 1, d = 1 - (a + b) * x / (a + 1), f;

    d = 1 / (fabs(d) < tiny ? tiny : d);
    f = d;
    for (int i = 1; i < 100000; i++) {
        double m = i;
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        double coefficient[2] = {even, odd}, change = 1;
        for (int k = 0; k < 2; k++) {
            d = 1 + coefficient[k] * d;
            c = 1 + coefficient[k] / c;
            d = 1 / (fabs(d) < tiny ? tiny : d);
            c = fabs(c) < tiny ? tiny : c;
            change = c * d;
            f *= change;
        }
        if (fabs(change - 1) < 1e-16)
            break;
    }
    return f;
}

/* Takes both x and its complement, because 1 - x has no digits left if x is near 1; `whole` is
 * log_beta(a, b). */
static double beta_lower(double x, double complement, double a, double b, double whole)
{
    if (x <= 0)
        return 0;
    return exp(a * log(x) + b * log(complement) - whole) / a * beta_fraction(x, a, b);
}

static double beta_of(double x, double complement, double a, double b, double whole)
{
    if (complement <= 0)
        return 1;
    if (x < (a + 1) / (a + b + 2))
        return beta_lower(x, complement, a, b, whole);
    return 1 - beta_lower(complement, x, b, a, whole);
}

static double beta_both(double x, double complement, double a, double b)
{
    return beta_of(x, complement, a, b, log_beta(a, b));
}

/* P(T > t) for t >= 0 (Abramowitz and Stegun 26.7.1); `whole` is log_beta(df / 2, 0.5). */
static double t_upper(double t, double df, double whole)
{
    double square = t * t;

    if (isinf(square))
        return exp(df / 2 * (log(df) - 2 * log(t)) - whole) / df;
    return beta_of(df / (df + square), square / (df + square), df / 2, 0.5, whole) / 2;
}

static double t_density(double t, double df, double whole)
{
    return exp(-(df + 1) / 2 * log1p(t * t / df) - whole) / sqrt(df);
}

double dist_t_cdf(double t, double df)
{
    double upper;

    if (isnan(t) || !(df > 0))
        return (double)NAN;
    if (isinf(t))
        return t > 0;
    upper = t_upper(fabs(t), df, log_beta(df / 2, 0.5));
    return t < 0 ? upper : 1 - upper;
}

/* The t with P(T > t) = p, p in (0, 1/2]. The tail is convex and heavier than the
 * normal one, so Newton's method from the normal quantile increases monotonically; a
 * step that does not is rounding. */
static double t_upper_quantile(double p, double df)
{
    double t = -normal_lower(p), whole = log_beta(df / 2, 0.5);

    if (p == 0.5)
        return 0;
    for (int i = 0; i < 2000; i++) {
        double step = (t_upper(t, df, whole) - p) / t_density(t, df, whole);
        t += step;
        if (!(step > 1e-15 * t))
            break;
    }
    return t;
}

double dist_t_quantile(double p, double df)
{
    if (!(p >= 0 && p <= 1) || !(df > 0))
        return (double)NAN;
    if (p == 0 || p == 1)
        return p == 0 ? -(double)INFINITY : (double)INFINITY;
    return p <= 0.5 ? -t_upper_quantile(p, df) : t_upper_quantile(1 - p, df);
}

/* P(F <= f) (Abramowitz and Stegun 26.6.2). */
double dist_f_cdf(double f, double df1, double df2)
{
    double top = df1 * f;

    if (isnan(f) || !(df1 > 0) || !(df2 > 0))
        return (double)NAN;
    if (f <= 0 || isinf(f))
        return f > 0;
    return beta_both(top / (top + df2), df2 / (top + df2), df1 / 2, df2 / 2);
}

/* Bisection on the logarithm: with few degrees of freedom, quantiles span hundreds of powers of
 * ten, where Newton's method diverges. */
double dist_f_quantile(double p, double df1, double df2)
{
    double low = -700, high = 700;

    if (!(p >= 0 && p <= 1) || !(df1 > 0) || !(df2 > 0))
        return (double)NAN;
    if (p == 0 || p == 1)
        return p == 0 ? 0 : (double)INFINITY;
    while (high - low > 1e-15 * fmax(1, fabs(low))) {
        double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high)
            break;
        if (dist_f_cdf(exp(middle), df1, df2) < p)
            low = middle;
        else
            high = middle;
    }
    return exp(low + (high - low) / 2);
}

/* From that of F (Abramowitz and Stegun 26.6.2). */
double dist_beta_quantile(double p, double a, double b)
{
    double f = dist_f_quantile(p, 2 * a, 2 * b);

    return a * f / (a * f + b);
}

static double binomial_log(uint64_t k, uint64_t n, double p)
{
    double x = (double)k, y = (double)(n - k);

    return -log_beta(x + 1, y + 1) - log((double)n + 1) + (k ? x * log(p) : 0) +
           (n - k ? y * log1p(-p) : 0);
}

/* P(X <= k), by the incomplete beta function (Abramowitz and Stegun 26.5.24). */
static double binomial_lower(uint64_t k, uint64_t n, double p)
{
    return k >= n ? 1 : beta_both(1 - p, p, (double)(n - k), (double)k + 1);
}

static double binomial_upper(uint64_t k, uint64_t n, double p)
{
    return k == 0 ? 1 : k > n ? 0 : beta_both(p, 1 - p, (double)k, (double)(n - k) + 1);
}

/* For k below the mode: the first count from the mode on that is at most as likely as k; n + 1 if
 * there is none. The tolerance makes counts equal whose probabilities differ only by rounding. */
static uint64_t far_side(uint64_t k, uint64_t mode, uint64_t n, double p)
{
    double least = binomial_log(k, n, p) + 1e-7;
    uint64_t low = mode, high = n + 1;

    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (binomial_log(middle, n, p) <= least)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

double dist_binomial_test(uint64_t k, uint64_t n, double p)
{
    double expected = (double)n * p;
    uint64_t mode;

    if (k > n || !(p >= 0 && p <= 1))
        return (double)NAN;
    if (p == 0 || p == 1)
        return (p == 0 ? k == 0 : k == n) ? 1 : 0;
    if ((double)k > expected) /* by symmetry: failures at rate 1 - p */
        return dist_binomial_test(n - k, n, 1 - p);
    mode = (uint64_t)(expected + p);
    if ((double)k == expected || k >= mode)
        return 1;
    return fmin(1, binomial_lower(k, n, p) + binomial_upper(far_side(k, mode, n, p), n, p));
}
