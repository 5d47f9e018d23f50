#include "math/dense.h"

#include <math.h>
#include <stdlib.h>

/* y[0..n) -= c x[0..n) */
static void take_off(double *y, double c, const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        y[i] -= c * x[i];
}

/* Replaces a by L with L L^T = a (Cholesky); lower triangles. False if not positive definite. */
static bool factor(double *a, size_t m)
{
    for (size_t k = 0; k < m; k++) {
        double *column = a + k * m, pivot = sqrt(column[k]);
        if (!(pivot > 0 && isfinite(pivot)))
            return false;
        for (size_t i = k; i < m; i++)
            column[i] /= pivot;
        for (size_t j = k + 1; j < m; j++)
            take_off(a + j * m + j, column[j], column + j, m - j);
    }
    return true;
}

/* Rows from `first` on of (L L^T)^-1 x, where x is 0 before row `first`. */
static void solve_from(const double *l, size_t m, double *x, size_t first)
{
    for (size_t k = first; k < m; k++) {
        const double *column = l + k * m;
        x[k] /= column[k];
        take_off(x + k + 1, x[k], column + k + 1, m - k - 1);
    }
    for (size_t k = m; k-- > first;) {
        const double *column = l + k * m;
        for (size_t i = k + 1; i < m; i++)
            x[k] -= column[i] * x[i];
        x[k] /= column[k];
    }
}

bool dense_solve(double *a, size_t m, double *x)
{
    if (!factor(a, m))
        return false;
    solve_from(a, m, x, 0);
    return true;
}

bool dense_invert(double *a, size_t m)
{
    double *inverse;

    if (!factor(a, m))
        return false;
    inverse = mem_new(m * m * sizeof *inverse);
    for (size_t k = 0; k < m; k++) {
        inverse[k * m + k] = 1;
        solve_from(a, m, inverse + k * m, k);
        for (size_t i = k + 1; i < m; i++)
            inverse[i * m + k] = inverse[k * m + i];
    }
    memcpy(a, inverse, m * m * sizeof *inverse);
    free(inverse);
    return true;
}

double dense_norm(const double *a, size_t m)
{
    double most = 0;

    for (size_t i = 0; i < m; i++) {
        double sum = 0;
        for (size_t j = 0; j < m; j++)
            sum += fabs(a[i * m + j]);
        most = fmax(most, sum);
    }
    return most;
}

/* out = a b */
static void multiply(double *out, const double *a, const double *b, size_t m)
{
    memset(out, 0, m * m * sizeof *out);
    for (size_t i = 0; i < m; i++)
        for (size_t k = 0; k < m; k++)
            for (size_t j = 0; j < m; j++)
                out[i * m + j] += a[i * m + k] * b[k * m + j];
}

void dense_sandwich(double *meat, const double *inverse, size_t m)
{
    double *half = mem_new(m * m * sizeof *half);

    multiply(half, inverse, meat, m);
    multiply(meat, half, inverse, m);
    free(half);
}

double *dense_contrasts(struct arena *a, const double *v, size_t m, size_t n)
{
    double *out = NEW_N(a, double, n *n), *mean = NEW_N(a, double, n), all = 0;

    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            mean[i] += v[i * m + j] / (double)n;
        all += mean[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            out[i * n + j] = v[i * m + j] - mean[i] - mean[j] + all;
    return out;
}

void dense_raise(double *v, const double *least, size_t n)
{
    double *times = mem_new(n * sizeof *times);

    for (size_t i = 0; i < n; i++) {
        double have = v[i * n + i], want = least[i * n + i];
        times[i] = have > 0 && want > have ? sqrt(want / have) : 1;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            v[i * n + j] *= times[i] * times[j];
    free(times);
}
