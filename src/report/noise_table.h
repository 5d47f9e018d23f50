/* noise_table.h - where the noise of scores comes from, as a table and as a sentence. */
#ifndef REPORT_NOISE_TABLE_H
#define REPORT_NOISE_TABLE_H

#include "gauge/noise.h"
#include "report/table.h"

/* `people`: raters of a campaign and the passages that they read. Language NULL: for programs,
 * which know sources by their names. */
struct table *noise_table(struct arena *a, const struct noise *x, bool people,
                          const char *language);
/* "Where the noise comes from: items 61 %, judges 22 %, rest 17 %." NULL where one source is all
 * there is. */
const char *noise_table_line(struct arena *a, const struct noise *x, bool people,
                             const char *language);

#endif
