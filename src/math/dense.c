#include "math/dense.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>

bool dense_factor(double *a, size_t m)
{
    lapack_int n = (lapack_int)m;

    return LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', n, a, n) == 0;
}

bool dense_solve(const double *factor, size_t m, double *x)
{
    lapack_int n = (lapack_int)m;

    return LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', n, 1, factor, n, x, n) == 0;
}

bool dense_invert(double *factor, size_t m)
{
    lapack_int n = (lapack_int)m;

    if (LAPACKE_dpotri_work(LAPACK_COL_MAJOR, 'L', n, factor, n) != 0)
        return false;
    for (size_t i = 0; i < m; i++)
        for (size_t j = i + 1; j < m; j++)
            factor[j * m + i] = factor[i * m + j];
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
