/* noise_table.h - sources of noise in scores, as a table and as a sentence. */
#ifndef REPORT_NOISE_TABLE_H
#define REPORT_NOISE_TABLE_H

#include "gauge/noise.h"
#include "report/table.h"

/* `people`: the judges are raters of a campaign, and the items their passages. Language NULL:
 * the names for programs. */
struct table *noise_table(struct arena *a, const struct noise *x, bool people,
                          const char *language);
/* "Where the noise comes from: items 61 %, judges 22 %, rest 17 %." NULL if there is only one
 * source. */
const char *noise_table_line(struct arena *a, const struct noise *x, bool people,
                             const char *language);

#endif
