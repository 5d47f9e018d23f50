/* sum.h - arithmetic that people write into items: "n * each", "born + 34 = year".
 *
 * Numbers, names, + - * / and parentheses; at most one comparison (= < > <= >=), whose value is 1
 * or 0. A name is letters, digits and '_', of any script, and begins with no digit. Pure. */
#ifndef SUITE_SUM_H
#define SUITE_SUM_H

#include "base/str.h"

/* The number of a name; false: it has none. */
typedef bool sum_fn(void *user, struct str name, double *out);

/* False, and what is wrong with it: where it is no sum, a name has no number, or it divides by 0.
 */
bool sum_value(struct str text, sum_fn *number, void *user, double *out, const char **fault);
/* It compares two sides. */
bool sum_compares(struct str text);
bool sum_is_name(struct str text);

#endif
