#include "panel/practice.h"

#include <math.h>

#include "base/clock.h"
#include "gen/queries.h"

/* Position of a value on the scale, in steps from the lowest. */
static double place(const struct dimension *d, double v)
{
    size_t nearest = 0;

    if (d->nlevels == 0)
        return v - d->min;
    for (size_t i = 1; i < d->nlevels; i++)
        if (fabs(d->levels[i].value - v) < fabs(d->levels[nearest].value - v))
            nearest = i;
    return (double)nearest;
}

double practice_steps(const struct dimension *d, double value, double key)
{
    return place(d, value) - place(d, key);
}

/* A rater's marks in one attempt, by dimension. */
struct attempt {
    double *given, *key; /* [dimensions][texts] */
    size_t *n;           /* [dimensions] */
    size_t texts;
};

static void take_text(const struct campaign *c, const struct ballot_marks *m, int64_t anchor,
                      struct attempt *at)
{
    const struct instrument *in = &c->suite.instrument;
    const struct example *x = &c->spec.anchors[anchor];
    const struct shown is = {0, -1};

    for (size_t i = 0; i < in->ndimensions; i++) {
        const struct ballot_mark *mark = ballot_mark_of(m, &is, in->dimensions[i].id);
        size_t k = i * at->texts + at->n[i];
        if (!mark || mark->unmarked || mark->cannot)
            continue;
        at->given[k] = place(&in->dimensions[i], mark->value);
        at->key[k] = place(&in->dimensions[i], x->scores[i]);
        at->n[i]++;
    }
}

/* Over the marks of all dimensions together. */
static struct calibrate together(struct arena *a, const struct attempt *at, size_t dimensions)
{
    double *given = NEW_N(a, double, dimensions * at->texts + 1);
    double *key = NEW_N(a, double, dimensions * at->texts + 1);
    size_t n = 0;

    for (size_t i = 0; i < dimensions; i++)
        for (size_t k = i * at->texts; k < i * at->texts + at->n[i]; k++, n++) {
            given[n] = at->given[k];
            key[n] = at->key[k];
        }
    return calibrate_of(given, key, n);
}

static void judge(struct arena *a, const struct campaign *c, const struct attempt *at,
                  struct practice_result *out)
{
    const struct practice *p = &c->spec.practice;
    const struct calibrate_gate gate = {p->exact, p->within, p->bias, p->kappa,
                                        (size_t)p->kappa_from};
    const struct instrument *in = &c->suite.instrument;
    struct calibrate all = together(a, at, in->ndimensions);

    out->kappa = all.kappa;
    out->parts = NEW_N(a, struct practice_part, in->ndimensions);
    out->nparts = in->ndimensions;
    out->passed = !(calibrate_faults(&all, &gate) & CALIBRATE_KAPPA);
    for (size_t i = 0; i < in->ndimensions; i++) {
        struct practice_part *part = &out->parts[i];
        part->dimension = &in->dimensions[i];
        part->is = calibrate_of(at->given + i * at->texts, at->key + i * at->texts, at->n[i]);
        part->faults = calibrate_faults(&part->is, &gate);
        out->passed = out->passed && part->faults == 0;
    }
}

enum status practice_look(struct arena *a, struct store *s, const struct campaign *c,
                          const struct rater *r, struct practice_result *out, struct err *e)
{
    size_t dims = c->suite.instrument.ndimensions, wanted = (size_t)c->spec.practice.texts;
    int64_t before = r->practice - r->passed_attempts; /* attempts completed in this round */
    struct practice_result result = {.last = before + 1 >= c->spec.practice.attempts};
    struct assignment_list had;
    struct attempt at;
    size_t done = 0;

    if (wanted > c->spec.nanchors)
        wanted = c->spec.nanchors;
    if (assign_list(a, s, r->id, &had, e) != OK)
        return e->code;
    at = (struct attempt){NEW_N(a, double, dims *(had.n + 1)), NEW_N(a, double, dims *(had.n + 1)),
                          NEW_N(a, size_t, dims + 1), had.n + 1};
    for (size_t i = 0; i < had.n; i++) {
        struct ballot_marks marks;
        if (had.v[i].phase != PHASE_PRACTICE || had.v[i].attempt != r->practice || !had.v[i].done)
            continue;
        if (ballot_marks(a, s, had.v[i].id, &marks, e) != OK)
            return e->code;
        take_text(c, &marks, had.v[i].anchor, &at);
        done++;
    }
    result.over = done >= wanted;
    judge(a, c, &at, &result);
    *out = result;
    return OK;
}

static enum status keep(struct store *s, const struct rater *r,
                        const struct practice_result *result, struct err *e)
{
    int64_t now = clock_utc_ms();

    for (size_t i = 0; i < result->nparts; i++) {
        const struct practice_part *p = &result->parts[i];
        if (db_run(s->db, Q_CALIBRATION_ADD,
                   ARGS(V_INT(r->id), V_INT(r->practice), V_TEXT(p->dimension->id),
                        V_INT(r->rounds), V_INT(r->done), V_INT(result->passed ? 1 : 0),
                        V_INT((int64_t)p->is.n), V_REAL(p->is.exact), V_REAL(p->is.near),
                        V_REAL(p->is.bias), V_REAL(p->is.kappa), V_INT(now)),
                   NULL, e) != OK)
            return e->code;
    }
    return OK;
}

static enum status settle(struct store *s, const struct rater *r,
                          const struct practice_result *result, struct err *e)
{
    enum rater_state next = result->passed ? RATER_RATING : RATER_REJECTED;
    int64_t counted = 0;

    if (db_run(s->db, Q_RATER_PRACTISED, ARGS(V_INT(r->id), V_INT(r->practice)), &counted, e) != OK)
        return e->code;
    if (!counted) /* submitted twice at the same moment */
        return OK;
    if (keep(s, r, result, e) != OK)
        return e->code;
    if (!result->passed && !result->last)
        return OK;
    return db_run(s->db, Q_RATER_STATE,
                  ARGS(V_INT(r->id), V_TEXT(rater_state_name(RATER_PRACTISING)),
                       V_TEXT(rater_state_name(next))),
                  NULL, e);
}

enum status practice_settle(struct store *s, const struct rater *r,
                            const struct practice_result *result, struct err *e)
{
    if (!result->over)
        return OK;
    return store_atomically(s, e, settle(s, r, result, e));
}

enum status practice_list(struct arena *a, struct store *s, int64_t campaign,
                          struct practice_list *out, struct err *e)
{
    return db_list(s->db, Q_CALIBRATION_LIST, ARGS(V_INT(campaign)),
                   ROWS_INTO(a, out, COLUMNS_CALIBRATION(struct practice_row)), e);
}
