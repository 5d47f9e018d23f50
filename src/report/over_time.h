/* over_time.h - dialogues turn by turn: drift of marks, survival of roles, memory.
 *
 * One row per range of turns, per turn in which a role broke, or per distance; one column per
 * model. The numbers are rows of talk/course.h and talk/survival.h. Everything lives in the
 * arena. */
#ifndef REPORT_OVER_TIME_H
#define REPORT_OVER_TIME_H

#include "report/tables.h"

enum over_time { OVER_TIME_DRIFT, OVER_TIME_SURVIVAL, OVER_TIME_MEMORY };
enum { OVER_TIME_KINDS = OVER_TIME_MEMORY + 1 };

/* NULL: the run's dialogues have nothing of this kind. */
struct table *over_time_table(struct arena *a, const struct report *r, enum over_time k,
                              const char *language);

/* For tables_beside(): the tables that have data, and each model's slopes. */
void over_time_tables(struct arena *a, const struct report *r, const struct tables_how *how,
                      struct tables *out);

#endif
