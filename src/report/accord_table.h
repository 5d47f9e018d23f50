/* accord_table.h - agreement of raters, for the terminal and as JSON. Pure. */
#ifndef REPORT_ACCORD_TABLE_H
#define REPORT_ACCORD_TABLE_H

#include "exchange/marks_file.h"
#include "math/accord.h"
#include "report/report.h"

struct accord_table {
    const char *path; /* of the ratings */
    const struct marks_set *set;
    const struct accord_how *how;
    const struct accord *v; /* [set->n] */
};

const char *accord_table_level(enum agree_level level); /* "nominal" ... "ratio" */

/* One row per dimension: agreement, then intraclass correlations if there are any, and how to
 * read them. Columns without a single value are left out. */
void accord_table_terminal(const struct accord_table *t, const struct render_terminal *how,
                           struct buf *out);

/* One object per dimension, each on a line of its own. Undefined values are null. */
void accord_table_json(const struct accord_table *t, struct buf *out);

#endif
