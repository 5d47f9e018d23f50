/* sum.h - arithmetic expressions in items: "n * each", "born + 34 = year". Pure.
 *
 * Numbers, names, + - * / and parentheses; at most one comparison (= < > <= >=), which yields 1 or
 * 0. A name consists of letters of any script, digits and '_', and does not begin with a digit. */
#ifndef SUITE_SUM_H
#define SUITE_SUM_H

#include "base/str.h"

/* Looks up the value of a name; false if it has none. */
typedef bool sum_fn(void *user, struct str name, double *out);

/* Evaluates an expression. Returns false and sets *fault if it is malformed, a name has no value,
 * or it divides by 0. */
bool sum_value(struct str text, sum_fn *number, void *user, double *out, const char **fault);
/* True if it contains a comparison. */
bool sum_compares(struct str text);
bool sum_is_name(struct str text);

#endif
