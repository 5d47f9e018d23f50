/* show.h - numbers and rows as every form of report shows them. Pure. */
#ifndef REPORT_SHOW_H
#define REPORT_SHOW_H

#include "report/report.h"

/* How many decimals the scores of this report get, so that all of them have the same. */
int show_decimals(const struct report *r);

enum { SHOW_MAX = 48, SHOW_AGREEMENT = 3, SHOW_RATE = 2 }; /* decimals of the latter two */
/* With that many decimals; what is undefined is `none`, never 0. Returns out. */
const char *show_number(char out[SHOW_MAX], double v, int decimals, const char *none);
/* The same with a sign, for differences; 0 has none. */
const char *show_signed(char out[SHOW_MAX], double v, int decimals, const char *none);

const char *show_when(struct arena *a, int64_t utc_ms); /* "2026-11-15 08:30" */

double show_value(const struct score_row *row); /* NaN when there is no row */

/* The stretch of numbers that holds every value and interval, wider when that is a single point but
 * never beyond the scores that there can be; false when there is none. */
struct show_range {
    double lo, hi; /* lo < hi */
};
/* "8.12 [7.61, 8.63]", in the arena; the number alone where an end is undefined. */
const char *show_interval(struct arena *a, double v, struct show_range ends, int decimals,
                          const char *none);
/* The same of a row; none when there is no row. */
const char *show_score(struct arena *a, const struct score_row *row, int decimals,
                       const char *none);
bool show_range(const struct report *r, struct show_range *out);
/* Widen a range by those of the values that are numbers: show_reach(&range, value, lo, hi). One
 * that holds nothing yet is {INFINITY, -INFINITY}. */
#define show_reach(range, ...)                                                                     \
    show_widen((range), (const double[]){__VA_ARGS__},                                             \
               sizeof((const double[]){__VA_ARGS__}) / sizeof(double))
void show_widen(struct show_range *range, const double *v, size_t n);
/* With some room on both sides where it is but one value. */
struct show_range show_room(struct show_range range);

/* A step of 1, 2 or 5 times a power of ten that cuts the range in at most n parts. */
double show_step(struct show_range range, int n);
int show_step_decimals(double step); /* that tell its multiples apart */

bool show_band(const struct report *r); /* the headline is a band */
/* How many decimals the headline gets: bands have one. */
int show_headline(const struct report *r);
/* Behind a band, the marks of this model are whole ones: of one judge, in one sitting. */
bool show_whole(const struct report *r, const struct report_model *m);
/* How many decimals the means of its dimensions get. */
int show_marks(const struct report *r, const struct report_model *m);

bool show_duplicates(const struct report *r); /* a rule looks for them */
bool show_ruled(const struct report *r);      /* a rule can change a score */

bool show_any_scored(const struct report *r);
int64_t show_missing(const struct report *r); /* answers neither there nor failed yet */
bool show_all_scored(const struct report *r); /* nothing waits for a judge */
bool show_panel(const struct report *r);      /* several judges, whose agreement can be shown */
bool show_pair(const struct report *r);       /* scores are ratings of battles */

/* The models that can stand in one table: all, or one group of models that met after another. The
 * slice begins at *from, which moves past it; false when there is none left. */
bool show_group(const struct report *r, size_t *from, struct report *slice);

#endif
