/* rank_table.h - a table of ratings, for the terminal and as JSON. Pure. */
#ifndef REPORT_RANK_TABLE_H
#define REPORT_RANK_TABLE_H

#include "eval/control.h"
#include "eval/rating.h"
#include "report/report.h"

struct rank_table {
    const char *path; /* file with the battles */
    const struct battle_set *set;
    const struct rating_how *how;
    const struct rating_table *ratings;
    const struct control *control; /* NULL: not controlled for style */
};

/* A table per group, with whiskers on a common scale; small groups also get win matrices. Then
 * the effects of style, the method and the notes. */
void rank_table_terminal(const struct rank_table *t, const struct render_terminal *how,
                         struct buf *out);

/* One object on one line. Values that do not apply are null. */
void rank_table_json(const struct rank_table *t, struct buf *out);

#endif
