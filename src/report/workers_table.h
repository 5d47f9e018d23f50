/* workers_table.h - the processes working on runs, as a table. */
#ifndef REPORT_WORKERS_TABLE_H
#define REPORT_WORKERS_TABLE_H

#include "report/table.h"
#include "store/store_order.h"

/* Language NULL: that of the process. */
struct table *workers_table(struct arena *a, const struct worker_list *l, const char *language);

#endif
