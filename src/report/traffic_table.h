/* traffic_table.h - response times of models and judges: time to the first token, tokens per
 * second, total time.
 *
 * Computed from the stored replies. The first time is known only for replies that were streamed
 * (`stream` in models.yaml); recorded and imported replies are not counted. */
#ifndef REPORT_TRAFFIC_TABLE_H
#define REPORT_TRAFFIC_TABLE_H

#include "report/table.h"
#include "store/store.h"

struct traffic {
    const char *kind, *name; /* "model", "judge" */
    int64_t replies;
    double first, first_slow; /* seconds to the first token: median and 90th percentile */
    double speed;             /* tokens per second after the first; if that is unknown, overall */
    double total, total_slow; /* seconds */
    double cached;            /* % of the input that the provider had cached; NaN: not reported */
    double thought;           /* % of the output that was reasoning; NaN: not reported */
};

/* In the order of the run: models, then judges. */
CHECKED enum status traffic_build(struct arena *a, struct store *s, int64_t run,
                                  struct traffic **out, size_t *n, struct err *e);
struct table *traffic_table(struct arena *a, const struct traffic *v, size_t n,
                            const char *language);

#endif
