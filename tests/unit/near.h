/* near.h - numbers compared as doubles; cmocka's own comparison rounds to float. */
#ifndef TESTS_NEAR_H
#define TESTS_NEAR_H

#include <math.h>

static inline void assert_near_at(double got, double want, double within, const char *file,
                                  int line)
{
    if (!(fabs(got - want) <= within)) {
        print_error("%.12g is not within %g of %.12g\n", got, within, want);
        _fail(file, line);
    }
}

#define assert_near(got, want, within) assert_near_at((got), (want), (within), __FILE__, __LINE__)

#endif
