/* items_table.h - item analysis of a run, for the terminal and as JSON. */
#ifndef REPORT_ITEMS_TABLE_H
#define REPORT_ITEMS_TABLE_H

#include "gauge/items.h"
#include "report/table.h"

/* Most discriminating items first; at most `most`, 0: all. */
struct table *items_table(struct arena *a, const struct items_analysis *x, size_t most,
                          const char *language);
/* Pairs of items that measure the same. */
struct table *items_table_twins(struct arena *a, const struct items_analysis *x,
                                const char *language);

#endif
