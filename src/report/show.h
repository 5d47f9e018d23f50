/* show.h - numbers and rows as all reports show them. Pure. */
#ifndef REPORT_SHOW_H
#define REPORT_SHOW_H

#include "report/report.h"

/* Number of decimals for all scores of this report. */
int show_decimals(const struct report *r);

enum { SHOW_MAX = 48, SHOW_AGREEMENT = 3, SHOW_RATE = 2 }; /* decimals of the latter two */
/* Formats v with that many decimals, or `none` if it is undefined (never 0). Returns out. */
const char *show_number(char out[SHOW_MAX], double v, int decimals, const char *none);
/* The same with a sign, for differences; 0 has none. */
const char *show_signed(char out[SHOW_MAX], double v, int decimals, const char *none);

const char *show_when(struct arena *a, int64_t utc_ms); /* "2026-11-15 08:30" */

double show_value(const struct score_row *row); /* NaN if there is no row */

struct show_range {
    double lo, hi; /* lo < hi */
};
/* The range that holds all values and intervals; a single point is widened, but not beyond
 * possible scores. False if there is none. */
bool show_range(const struct report *r, struct show_range *out);
/* "8.12 [7.61, 8.63]", in the arena; only the number if an end is undefined. */
const char *show_interval(struct arena *a, double v, struct show_range ends, int decimals,
                          const char *none);
/* The same for a row; `none` if there is no row. */
const char *show_score(struct arena *a, const struct score_row *row, int decimals,
                       const char *none);
/* Extends a range to include those values that are numbers: show_reach(&range, value, lo, hi).
 * An empty range is {INFINITY, -INFINITY}. */
#define show_reach(range, ...)                                                                     \
    show_widen((range), (const double[]){__VA_ARGS__},                                             \
               sizeof((const double[]){__VA_ARGS__}) / sizeof(double))
void show_widen(struct show_range *range, const double *v, size_t n);
/* Widens a range that is a single point. */
struct show_range show_room(struct show_range range);

/* A step of 1, 2 or 5 times a power of ten that divides the range into at most n parts. */
double show_step(struct show_range range, int n);
int show_step_decimals(double step); /* enough decimals to tell multiples of step apart */

bool show_band(const struct report *r); /* the headline is a band */
/* Number of decimals of the headline: bands have one. */
int show_headline(const struct report *r);
/* In a suite with bands, this model's marks are whole numbers: one judge, one sitting. */
bool show_whole(const struct report *r, const struct report_model *m);
/* Number of decimals of the means of dimensions. */
int show_marks(const struct report *r, const struct report_model *m);

bool show_ruled(const struct report *r); /* can a rule change a score? */

bool show_any_scored(const struct report *r);
int64_t show_missing(const struct report *r); /* number of answers neither given nor failed yet */
bool show_all_scored(const struct report *r); /* is nothing waiting for a judge? */
bool show_panel(const struct report *r);      /* are there judges whose agreement can be shown? */
bool show_pair(const struct report *r);       /* are scores ratings of battles? */

/* Iterates over the models that can share a table: all, or one group of models that met after
 * another. Begins at *from and advances it; false at the end. */
bool show_group(const struct report *r, size_t *from, struct report *slice);

#endif
