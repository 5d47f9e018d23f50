#include "panel/pulse.h"

#include "base/clock.h"
#include "gen/queries.h"

static enum status count_states(struct store *s, const struct campaign *c, struct pulse *p,
                                struct err *e)
{
    struct rows *r = db_query(s->db, Q_RATER_STATES, ARGS(V_INT(c->id)), e);

    while (rows_next(r))
        p->raters[rater_state_of(row_str(r, C_RATER_COUNT_STATE))] += row_int(r, C_RATER_COUNT_N);
    return rows_end(r, e);
}

static enum status count_days(struct store *s, const struct campaign *c, struct pulse *p,
                              struct err *e)
{
    struct rows *r = db_query(s->db, Q_HANDED_IN_DAYS,
                              ARGS(V_INT(c->id), V_INT(p->first_day * CLOCK_DAY_MS)), e);

    while (rows_next(r)) {
        int64_t day = row_int(r, C_DAY_COUNT_DAY) - p->first_day;
        if (day >= 0 && day < PULSE_DAYS)
            p->days[day] = row_int(r, C_DAY_COUNT_N);
    }
    return rows_end(r, e);
}

enum status pulse_take(struct store *s, const struct campaign *c, int64_t now_ms, struct pulse *out,
                       struct err *e)
{
    struct pulse p = {.first_day = now_ms / CLOCK_DAY_MS - PULSE_DAYS + 1};

    if (count_states(s, c, &p, e) != OK || count_days(s, c, &p, e) != OK ||
        db_int(s->db, Q_INVITE_WAITING, ARGS(V_INT(c->id), V_INT(now_ms)), &p.waiting, NULL, e) !=
            OK)
        return e->code;
    *out = p;
    return OK;
}

int64_t pulse_under_way(const struct pulse *p)
{
    return p->raters[RATER_INVITED] + p->raters[RATER_CONSENTED] + p->raters[RATER_PRACTISING] +
           p->raters[RATER_RATING];
}
