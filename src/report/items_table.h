/* items_table.h - what the items of a run tell, for the terminal and as JSON. */
#ifndef REPORT_ITEMS_TABLE_H
#define REPORT_ITEMS_TABLE_H

#include "gauge/items.h"
#include "report/table.h"

/* Most telling first; at most `most`, 0: all. */
struct table *items_table(struct arena *a, const struct items_analysis *x, size_t most,
                          const char *language);
/* Pairs that say the same. */
struct table *items_table_twins(struct arena *a, const struct items_analysis *x,
                                const char *language);

#endif
