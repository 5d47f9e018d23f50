/* number.h - numbers as people and models write them in running text.
 *
 * Supports digits of any width, thousands separators (1,234,567), decimals, exponents (1.5e-3), a
 * sign, percent (50% is 0.5), fractions (3/4, ½, 1½) and 千 万 亿 after digits (3.5万, 1亿2000万);
 * not spelt-out numbers and decimal commas. Digits right after a letter (H2O) are skipped. The
 * arena is scratch. Pure. */
#ifndef TEXT_NUMBER_H
#define TEXT_NUMBER_H

#include "base/mem.h"

/* The last number of a text; false if it has none. */
bool number_last(struct arena *a, struct str text, double *out);

/* A number with its tolerance: "3.14 ± 0.01" (also "+-" and "+/-"). The default tolerance is a
 * millionth of the value. False if there is no number. */
struct number_goal {
    double value, tolerance;
};
bool number_goal(struct arena *a, struct str text, struct number_goal *out);

#endif
