/* pulse.h - progress of a campaign: raters by state, and submissions per day. Counted on request
 * from indexed rows; results do not depend on it. */
#ifndef PANEL_PULSE_H
#define PANEL_PULSE_H

#include "panel/rater.h"

enum { PULSE_DAYS = 14 };

struct pulse {
    int64_t raters[RATER_WITHDRAWN + 1]; /* by state */
    int64_t waiting;                     /* unused invitations */
    int64_t first_day;                   /* the day of days[0], since 1970, UTC */
    int64_t days[PULSE_DAYS];            /* passages submitted; the last is today */
};

CHECKED enum status pulse_take(struct store *s, const struct campaign *c, int64_t now_ms,
                               struct pulse *out, struct err *e);
/* Raters who are still active: neither finished nor gone. */
int64_t pulse_under_way(const struct pulse *p);

#endif
