/* matches.h - the verdicts of a run of battles as readings (gauge/readings.h).
 *
 * Each verdict gives two readings: 1 for the winner and 0 for the loser, or ½ for both in a
 * tie. An "answer" is one side of a match, so judges who disagree about a match differ by
 * as much. Also counts, by item, the matches that a judge saw in both orders, and those
 * whose winner then changed. */
#ifndef GAUGE_MATCHES_H
#define GAUGE_MATCHES_H

#include "gauge/readings.h"

struct matches {
    struct readings r;
    uint32_t *both, *turned; /* [r.items]; in the arena */
};

/* The caller frees out->r with readings_done(). */
CHECKED enum status matches_take(struct arena *a, struct store *s, int64_t run,
                                 const struct jury *jury, struct matches *out, struct err *e);

#endif
