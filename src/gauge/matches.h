/* matches.h - the verdicts of a run of battles as readings (gauge/readings.h).
 *
 * A verdict is two readings: the winner's is 1, the loser's 0, of a tie both ½. The answer is one
 * side of a match, so that judges who disagree about a match are apart by as much. Beside them, by
 * item: how many matches a judge saw both ways round, and in how many of them another answer won.
 */
#ifndef GAUGE_MATCHES_H
#define GAUGE_MATCHES_H

#include "gauge/readings.h"

struct matches {
    struct readings r;
    uint32_t *both, *turned; /* [r.items]; in the arena */
};

/* readings_done(&out->r) releases it. */
CHECKED enum status matches_take(struct arena *a, struct store *s, int64_t run,
                                 const struct jury *jury, struct matches *out, struct err *e);

#endif
