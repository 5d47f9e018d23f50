/* pulse.h - how a campaign goes: how many raters are where on their way, and what came in day by
 * day. Counted when asked for, from indexed rows; no number of the results depends on it. */
#ifndef PANEL_PULSE_H
#define PANEL_PULSE_H

#include "panel/rater.h"

enum { PULSE_DAYS = 14 };

struct pulse {
    int64_t raters[RATER_WITHDRAWN + 1]; /* by state */
    int64_t waiting;                     /* invitations that nobody has taken up yet */
    int64_t first_day;                   /* days since 1970, UTC: of days[0] */
    int64_t days[PULSE_DAYS];            /* passages handed in; the last is today */
};

CHECKED enum status pulse_take(struct store *s, const struct campaign *c, int64_t now_ms,
                               struct pulse *out, struct err *e);
/* Raters who are still at it: neither finished nor gone. */
int64_t pulse_under_way(const struct pulse *p);

#endif
