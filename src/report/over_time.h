/* over_time.h - dialogues turn by turn: how marks drift, how long roles last, what is remembered.
 *
 * A row each for a stretch of turns, a turn in which a role broke, a distance; a column for each
 * model. The numbers are rows of talk/course.h and talk/survival.h. Everything lives in the arena.
 */
#ifndef REPORT_OVER_TIME_H
#define REPORT_OVER_TIME_H

#include "report/tables.h"

enum over_time { OVER_TIME_DRIFT, OVER_TIME_SURVIVAL, OVER_TIME_MEMORY };
enum { OVER_TIME_KINDS = OVER_TIME_MEMORY + 1 };

/* Of the run's dialogues; NULL: it has nothing of the kind. */
struct table *over_time_table(struct arena *a, const struct report *r, enum over_time k,
                              const char *language);

/* For tables_beside(): those that there are, and the slopes of each model. */
void over_time_tables(struct arena *a, const struct report *r, const struct tables_how *how,
                      struct tables *out);

#endif
