/* charts_pairs.h - tables behind charts that relate two things: score and cost, score and time,
 * runs over time, judges and people. For charts.c. */
#ifndef REPORT_CHARTS_PAIRS_H
#define REPORT_CHARTS_PAIRS_H

#include "report/charts.h"

/* E_INPUT: the run has nothing of this kind. */
typedef enum status charts_fn(struct arena *a, struct store *s, const struct report *r,
                              struct table **out, struct err *e);

charts_fn charts_pairs_cost, charts_pairs_latency, charts_pairs_history, charts_pairs_human,
    charts_pairs_reliability;

#endif
