/* traffic_table.h - how fast each model and judge replied: time to the first token, tokens a
 * second, time in all.
 *
 * From the replies as they are stored. Only those that came in pieces (`stream` in models.yaml)
 * know when the first one came; those that were recorded or imported are not counted at all. */
#ifndef REPORT_TRAFFIC_TABLE_H
#define REPORT_TRAFFIC_TABLE_H

#include "report/table.h"
#include "store/store.h"

struct traffic {
    const char *kind, *name; /* "model", "judge" */
    int64_t replies;
    double first, first_slow; /* seconds to the first token: median, and what 90 % stay below */
    double speed;             /* tokens a second after it; where it is not known, in all */
    double total, total_slow; /* seconds */
    double cached;            /* % of the input that the provider had cached; NaN: never said */
    double thought;           /* % of the output that was reasoning; NaN: never said */
};

/* In the order of the run: models, then judges. */
CHECKED enum status traffic_build(struct arena *a, struct store *s, int64_t run,
                                  struct traffic **out, size_t *n, struct err *e);
struct table *traffic_table(struct arena *a, const struct traffic *v, size_t n,
                            const char *language);

#endif
